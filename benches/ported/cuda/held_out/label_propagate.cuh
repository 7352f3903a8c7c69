extern "C" __global__ void label_propagate(int width, int height, const unsigned char* __restrict__ image,
                                           const int* __restrict__ label, int* __restrict__ reference,
                                           int* __restrict__ changed) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int i = y * width + x;
  unsigned char colour = image[i];
  int own = label[i];
  int least = own;
  for (int dy = -1; dy <= 1; dy++) {
    for (int dx = -1; dx <= 1; dx++) {
      int nx = x + dx, ny = y + dy;
      if (nx < 0 || nx >= width || ny < 0 || ny >= height) continue;
      int j = ny * width + nx;
      if (image[j] == colour) least = min(least, label[j]);
    }
  }
  if (least < own) {
    atomicMin(&reference[own], least);
    *changed = 1;
  }
}
