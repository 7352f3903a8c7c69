extern "C" __global__ void wave_halo(int width, int height, float courant, const float* __restrict__ now,
                                     const float* __restrict__ before, float* __restrict__ next) {
  __shared__ float tile[20][20];
  int tx = threadIdx.x, ty = threadIdx.y;
  int x0 = blockIdx.x * 16 - 2, y0 = blockIdx.y * 16 - 2;
  for (int k = ty * 16 + tx; k < 400; k += 256) {
    int x = x0 + k % 20, y = y0 + k / 20;
    bool inside = x >= 0 && x < width && y >= 0 && y < height;
    tile[k / 20][k % 20] = inside ? now[y * width + x] : 0.0f;
  }
  __syncthreads();
  int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
  if (x >= width || y >= height) return;
  int i = ty + 2, j = tx + 2;
  float near = tile[i - 1][j] + tile[i + 1][j] + tile[i][j - 1] + tile[i][j + 1];
  float far = tile[i - 2][j] + tile[i + 2][j] + tile[i][j - 2] + tile[i][j + 2];
  float here = tile[i][j];
  float laplacian = (16.0f * near - far - 60.0f * here) / 12.0f;
  next[y * width + x] = 2.0f * here - before[y * width + x] + courant * laplacian;
}
