__device__ inline int magnitude(const short* __restrict__ dx, const short* __restrict__ dy, int i) {
  return abs(dx[i]) + abs(dy[i]);
}

extern "C" __global__ void canny_nms(int width, int height, int low, int high, const short* __restrict__ dx,
                                     const short* __restrict__ dy, unsigned char* __restrict__ edge) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= width * height) return;
  int x = i % width, y = i / width;
  unsigned char kind = 0;
  if (x > 0 && x < width - 1 && y > 0 && y < height - 1) {
    int gx = dx[i], gy = dy[i];
    int strength = magnitude(dx, dy, i);
    int ax = abs(gx), ay = abs(gy) << 15;
    int tangent = ax * 13573;
    int step;
    if (ay < tangent) {
      step = 1;
    } else if (ay > tangent + (ax << 16)) {
      step = width;
    } else if ((gx ^ gy) < 0) {
      step = width - 1;
    } else {
      step = width + 1;
    }
    int before = magnitude(dx, dy, i - step);
    int after = magnitude(dx, dy, i + step);
    if (strength > low && strength > before && strength >= after) kind = strength > high ? 2 : 1;
  }
  edge[i] = kind;
}
