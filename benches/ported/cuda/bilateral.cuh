extern "C" __global__ void bilateral(int width, int height, int radius, float space, float range,
                                     const float* __restrict__ input, float* __restrict__ output) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float here = input[y * width + x];
  float sum = 0.0f, weights = 0.0f;
  for (int dy = -radius; dy <= radius; dy++) {
    for (int dx = -radius; dx <= radius; dx++) {
      int nx = min(max(x + dx, 0), width - 1);
      int ny = min(max(y + dy, 0), height - 1);
      float there = input[ny * width + nx];
      float distance = dx * dx + dy * dy;
      float difference = there - here;
      float weight = expf(-distance * space - difference * difference * range);
      sum += weight * there;
      weights += weight;
    }
  }
  output[y * width + x] = sum / weights;
}
