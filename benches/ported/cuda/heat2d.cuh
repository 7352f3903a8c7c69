extern "C" __global__ void heat2d(int width, int height, float rate, const float* __restrict__ old,
                                  float* __restrict__ next) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= width * height) return;
  int x = i % width, y = i / width;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
    next[i] = old[i];
    return;
  }
  float around = old[i - 1] + old[i + 1] + old[i - width] + old[i + width];
  next[i] = old[i] + rate * (around - 4.0f * old[i]);
}
