extern "C" __global__ void block_histogram(int n, int bins, const float* __restrict__ data,
                                           unsigned* __restrict__ counts) {
  __shared__ unsigned own[1024];
  for (int bin = threadIdx.x; bin < 1024; bin += blockDim.x) own[bin] = 0;
  __syncthreads();
  int stride = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    int bin = data[i] * bins;
    atomicAdd(&own[bin], 1u);
  }
  __syncthreads();
  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) atomicAdd(&counts[bin], own[bin]);
}
