extern "C" __global__ void nv12_rgb(int width, int height, int pitch, const unsigned char* __restrict__ luma,
                                    const unsigned char* __restrict__ chroma, unsigned char* __restrict__ rgb) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int pair = (y / 2) * pitch + (x / 2) * 2;
  int c = luma[y * pitch + x] - 16;
  int d = chroma[pair] - 128;
  int e = chroma[pair + 1] - 128;
  int r = (298 * c + 409 * e + 128) >> 8;
  int g = (298 * c - 100 * d - 208 * e + 128) >> 8;
  int b = (298 * c + 516 * d + 128) >> 8;
  int i = (y * width + x) * 3;
  rgb[i] = min(max(r, 0), 255);
  rgb[i + 1] = min(max(g, 0), 255);
  rgb[i + 2] = min(max(b, 0), 255);
}
