extern "C" __global__ void int4_gemv(int groups, int cols, const float* __restrict__ x,
                                     const unsigned* __restrict__ weights, const unsigned* __restrict__ zeros,
                                     const float* __restrict__ scales, float* __restrict__ y) {
  __shared__ float tile[128];
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  float sum = 0.0f;
  for (int g = 0; g < groups; g++) {
    tile[t] = x[g * 128 + t];
    __syncthreads();
    if (column < cols) {
      unsigned zero = zeros[g * (cols / 8) + column / 8] >> (4 * (column % 8)) & 15;
      float part = 0.0f;
      for (int k = 0; k < 16; k++) {
        unsigned word = weights[(g * 16 + k) * cols + column];
        for (int n = 0; n < 8; n++) {
          int weight = (int)(word & 15) - (int)zero;
          part += weight * tile[k * 8 + n];
          word >>= 4;
        }
      }
      sum += part * scales[g * cols + column];
    }
    __syncthreads();
  }
  if (column < cols) y[column] = sum;
}
