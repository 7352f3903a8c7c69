extern "C" __global__ void sobel(int width, int height, const unsigned char* __restrict__ input,
                                 unsigned char* __restrict__ output) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
    output[y * width + x] = 0;
    return;
  }
  int nw = input[(y - 1) * width + x - 1];
  int n = input[(y - 1) * width + x];
  int ne = input[(y - 1) * width + x + 1];
  int west = input[y * width + x - 1];
  int east = input[y * width + x + 1];
  int sw = input[(y + 1) * width + x - 1];
  int s = input[(y + 1) * width + x];
  int se = input[(y + 1) * width + x + 1];
  int dx = ne + 2 * east + se - nw - 2 * west - sw;
  int dy = sw + 2 * s + se - nw - 2 * n - ne;
  int sum = abs(dx) + abs(dy);
  output[y * width + x] = sum > 255 ? 255 : sum;
}
