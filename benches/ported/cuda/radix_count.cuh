extern "C" __global__ void radix_count(int n, int shift, const unsigned* __restrict__ keys,
                                       unsigned* __restrict__ counts) {
  __shared__ unsigned own[16];
  int t = threadIdx.x;
  if (t < 16) own[t] = 0;
  __syncthreads();
  int first = blockIdx.x * 2048 + t;
  for (int k = 0; k < 8; k++) {
    int i = first + k * 256;
    if (i < n) {
      unsigned digit = (keys[i] >> shift) & 15;
      atomicAdd(&own[digit], 1u);
    }
  }
  __syncthreads();
  if (t < 16) counts[t * gridDim.x + blockIdx.x] = own[t];
}
