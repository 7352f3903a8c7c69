extern "C" __global__ void bilinear_resize(int in_width, int in_height, int out_width, int out_height,
                                           const unsigned char* __restrict__ input,
                                           unsigned char* __restrict__ output) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= out_width || y >= out_height) return;
  float fx = (x + 0.5f) * ((float)in_width / out_width) - 0.5f;
  float fy = (y + 0.5f) * ((float)in_height / out_height) - 0.5f;
  float left = floorf(fx), top = floorf(fy);
  float wx = fx - left, wy = fy - top;
  int x0 = min(max((int)left, 0), in_width - 1);
  int x1 = min(max((int)left + 1, 0), in_width - 1);
  int y0 = min(max((int)top, 0), in_height - 1);
  int y1 = min(max((int)top + 1, 0), in_height - 1);
  for (int c = 0; c < 3; c++) {
    float a = input[(y0 * in_width + x0) * 3 + c];
    float b = input[(y0 * in_width + x1) * 3 + c];
    float d = input[(y1 * in_width + x0) * 3 + c];
    float e = input[(y1 * in_width + x1) * 3 + c];
    float above = a + wx * (b - a);
    float below = d + wx * (e - d);
    output[(y * out_width + x) * 3 + c] = above + wy * (below - above) + 0.5f;
  }
}
