extern "C" __global__ void optical_flow(int width, int height, float threshold, const float* __restrict__ now,
                                        const float* __restrict__ next, float* __restrict__ flow_x,
                                        float* __restrict__ flow_y) {
  __shared__ float tile[22][22];
  __shared__ float change[22][22];
  int tx = threadIdx.x, ty = threadIdx.y;
  int x0 = blockIdx.x * 16 - 3, y0 = blockIdx.y * 16 - 3;
  for (int k = ty * 16 + tx; k < 484; k += 256) {
    int i = k / 22, j = k % 22;
    int x = min(max(x0 + j, 0), width - 1);
    int y = min(max(y0 + i, 0), height - 1);
    float pixel = now[y * width + x];
    tile[i][j] = pixel;
    change[i][j] = next[y * width + x] - pixel;
  }
  __syncthreads();
  int x = blockIdx.x * blockDim.x + tx;
  int y = blockIdx.y * blockDim.y + ty;
  if (x >= width || y >= height) return;
  float xx = 0.0f, xy = 0.0f, yy = 0.0f, xt = 0.0f, yt = 0.0f;
  for (int dy = -2; dy <= 2; dy++) {
    for (int dx = -2; dx <= 2; dx++) {
      int i = ty + 3 + dy, j = tx + 3 + dx;
      float gx = 0.5f * (tile[i][j + 1] - tile[i][j - 1]);
      float gy = 0.5f * (tile[i + 1][j] - tile[i - 1][j]);
      float gt = change[i][j];
      xx += gx * gx;
      xy += gx * gy;
      yy += gy * gy;
      xt += gx * gt;
      yt += gy * gt;
    }
  }
  float determinant = xx * yy - xy * xy;
  float u = 0.0f, v = 0.0f;
  if (determinant > threshold) {
    u = (xy * yt - yy * xt) / determinant;
    v = (xy * xt - xx * yt) / determinant;
  }
  flow_x[y * width + x] = u;
  flow_y[y * width + x] = v;
}
