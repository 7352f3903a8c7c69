extern "C" __global__ void rmsnorm(int cols, float epsilon, const float* __restrict__ x,
                                   const float* __restrict__ weight, float* __restrict__ y) {
  __shared__ float sums[32];
  int t = threadIdx.x;
  int first = blockIdx.x * cols;
  float sum = 0.0f;
  for (int c = t; c < cols; c += blockDim.x) {
    float value = x[first + c];
    sum += value * value;
  }
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
  if (t % 32 == 0) sums[t / 32] = sum;
  __syncthreads();
  float total = 0.0f;
  for (int w = 0; w < blockDim.x / 32; w++) total += sums[w];
  float scale = 1.0f / sqrtf(total / cols + epsilon);
  for (int c = t; c < cols; c += blockDim.x) y[first + c] = x[first + c] * scale * weight[c];
}
