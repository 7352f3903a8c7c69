__device__ inline float interpolate(const float* __restrict__ image, int base, int height, int width, float y,
                                    float x) {
  if (y <= -1.0f || y >= height || x <= -1.0f || x >= width) return 0.0f;
  int y0 = (int)floorf(y);
  int x0 = (int)floorf(x);
  float fy = y - y0;
  float fx = x - x0;
  float a = 0.0f;
  if (y0 >= 0 && x0 >= 0) a = image[base + y0 * width + x0];
  float b = 0.0f;
  if (y0 >= 0 && x0 + 1 < width) b = image[base + y0 * width + x0 + 1];
  float c = 0.0f;
  if (y0 + 1 < height && x0 >= 0) c = image[base + (y0 + 1) * width + x0];
  float d = 0.0f;
  if (y0 + 1 < height && x0 + 1 < width) d = image[base + (y0 + 1) * width + x0 + 1];
  return (1.0f - fy) * (1.0f - fx) * a + (1.0f - fy) * fx * b + fy * (1.0f - fx) * c + fy * fx * d;
}

extern "C" __global__ void deform_im2col(int height, int width, const float* __restrict__ image,
                                         const float* __restrict__ offset, float* __restrict__ patches) {
  int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  int pixels = height * width;
  if (pixel >= pixels) return;
  int channel = blockIdx.y;
  int y = pixel / width, x = pixel % width;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      int tap = i * 3 + j;
      float dy = offset[2 * tap * pixels + pixel];
      float dx = offset[(2 * tap + 1) * pixels + pixel];
      float sy = y + i - 1 + dy;
      float sx = x + j - 1 + dx;
      patches[(channel * 9 + tap) * pixels + pixel] =
          interpolate(image, channel * pixels, height, width, sy, sx);
    }
  }
}
