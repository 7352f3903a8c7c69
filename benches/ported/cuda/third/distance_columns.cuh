extern "C" __global__ void distance_columns(int width, int height, const unsigned char* __restrict__ mask,
                                            unsigned short* __restrict__ distance) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= width) return;
  int last = height;
  for (int y = 0; y < height; y++) {
    last = mask[y * width + x] != 0 ? 0 : min(last + 1, height);
    distance[y * width + x] = last;
  }
  for (int y = height - 2; y >= 0; y--) {
    last = min(last + 1, (int)distance[y * width + x]);
    distance[y * width + x] = last;
  }
}
