extern "C" __global__ void atax(int rows, int cols, const float* __restrict__ a, const float* __restrict__ x,
                                float* __restrict__ y) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < cols) {
    y[j] = 0.0f;
    for (int i = 0; i < rows; i++) y[j] += a[i * cols + j] * x[i];
  }
}
