extern "C" __global__ void row_scan_warp(int width, int height, const unsigned char* __restrict__ image,
                                         unsigned* __restrict__ sums) {
  int lane = threadIdx.x % 32;
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (row >= height) return;
  unsigned carry = 0;
  for (int base = 0; base < width; base += 32) {
    int x = base + lane;
    unsigned sum = x < width ? image[row * width + x] : 0;
    for (int distance = 1; distance <= 16; distance *= 2) {
      unsigned before = __shfl_up_sync(0xffffffffu, sum, distance);
      if (lane >= distance) sum += before;
    }
    sum += carry;
    if (x < width) sums[row * width + x] = sum;
    carry = __shfl_sync(0xffffffffu, sum, 31);
  }
}
