extern "C" __global__ void gemv_warp(int rows, int cols, float alpha, float beta, const float* __restrict__ a,
                                     const float* __restrict__ x, float* __restrict__ y) {
  int lane = threadIdx.x % 32;
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int column = lane; column < cols; column += 32) sum += a[row * cols + column] * x[column];
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffffu, sum, distance);
  if (lane == 0) y[row] = alpha * sum + beta * y[row];
}
