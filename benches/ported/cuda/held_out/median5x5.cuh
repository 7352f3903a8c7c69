extern "C" __global__ void median5x5(int width, int height, const unsigned short* __restrict__ input,
                                     unsigned short* __restrict__ output) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  unsigned short window[25];
  int n = 0;
  for (int dy = -2; dy <= 2; dy++) {
    for (int dx = -2; dx <= 2; dx++) {
      int sx = min(max(x + dx, 0), width - 1);
      int sy = min(max(y + dy, 0), height - 1);
      window[n++] = input[sy * width + sx];
    }
  }
  for (int i = 0; i < 13; i++) {
    int least = i;
    for (int j = i + 1; j < 25; j++) {
      if (window[j] < window[least]) least = j;
    }
    unsigned short value = window[least];
    window[least] = window[i];
    window[i] = value;
  }
  output[y * width + x] = window[12];
}
