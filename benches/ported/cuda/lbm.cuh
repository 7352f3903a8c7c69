__constant__ int kDx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant__ int kDy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant__ int kBack[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
__constant__ float kWeight[9] = {4.0f / 9.0f,  1.0f / 9.0f,  1.0f / 9.0f,  1.0f / 9.0f, 1.0f / 9.0f,
                                 1.0f / 36.0f, 1.0f / 36.0f, 1.0f / 36.0f, 1.0f / 36.0f};

extern "C" __global__ void lbm(int width, int height, float omega, const unsigned char* __restrict__ solid,
                               const float* __restrict__ old, float* __restrict__ next) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int cells = width * height;
  int i = y * width + x;
  if (solid[i] != 0) return;
  float f[9];
  float density = 0.0f, ux = 0.0f, uy = 0.0f;
  for (int q = 0; q < 9; q++) {
    int dx = kDx[q], dy = kDy[q];
    int sx = x - dx, sy = y - dy;
    bool inside = sx >= 0 && sx < width && sy >= 0 && sy < height;
    bool open = inside && solid[sy * width + sx] == 0;
    int from = open ? q * cells + sy * width + sx : kBack[q] * cells + i;
    float value = old[from];
    f[q] = value;
    density += value;
    ux += value * dx;
    uy += value * dy;
  }
  ux /= density;
  uy /= density;
  float square = 1.5f * (ux * ux + uy * uy);
  for (int q = 0; q < 9; q++) {
    float along = 3.0f * (kDx[q] * ux + kDy[q] * uy);
    float rest = kWeight[q] * density * (1.0f + along + 0.5f * along * along - square);
    next[q * cells + i] = f[q] + omega * (rest - f[q]);
  }
}
