extern "C" __global__ void matmul(int n, float alpha, float beta, const float* __restrict__ a,
                                  const float* __restrict__ b, float* __restrict__ c) {
  __shared__ float tile_a[16][16];
  __shared__ float tile_b[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 16 + ty;
  int col = blockIdx.x * 16 + tx;
  float sum = 0.0f;
  for (int m = 0; m < (n + 15) / 16; m++) {
    int x = m * 16 + tx, y = m * 16 + ty;
    tile_a[ty][tx] = row < n && x < n ? a[row * n + x] : 0.0f;
    tile_b[ty][tx] = y < n && col < n ? b[y * n + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < 16; k++) sum += tile_a[ty][k] * tile_b[k][tx];
    __syncthreads();
  }
  if (row < n && col < n) c[row * n + col] = alpha * sum + beta * c[row * n + col];
}
