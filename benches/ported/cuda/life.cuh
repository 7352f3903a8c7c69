extern "C" __global__ void life(int width, int height, const unsigned char* __restrict__ old,
                                unsigned char* __restrict__ next) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= width * height) return;
  int x = i % width, y = i / width;
  int count = 0;
  for (int dy = -1; dy <= 1; dy++) {
    for (int dx = -1; dx <= 1; dx++) {
      if (dx != 0 || dy != 0) {
        int nx = (x + dx + width) % width;
        int ny = (y + dy + height) % height;
        count += old[ny * width + nx];
      }
    }
  }
  next[i] = count == 3 || (count == 2 && old[i] == 1) ? 1 : 0;
}
