extern "C" __global__ void recursive_gaussian(int width, int height, float a0, float a1, float a2, float a3, float b1,
                                              float b2, float edge_down, float edge_up,
                                              const float* __restrict__ image, float* __restrict__ smooth) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= width) return;
  float input = image[x];
  float result = input * edge_down;
  float before = result;
  for (int y = 0; y < height; y++) {
    float sample = image[y * width + x];
    float next = a0 * sample + a1 * input - b1 * result - b2 * before;
    smooth[y * width + x] = next;
    input = sample;
    before = result;
    result = next;
  }
  input = image[(height - 1) * width + x];
  float further = input;
  result = input * edge_up;
  before = result;
  for (int y = height - 1; y >= 0; y--) {
    float sample = image[y * width + x];
    float next = a2 * input + a3 * further - b1 * result - b2 * before;
    further = input;
    input = sample;
    before = result;
    result = next;
    smooth[y * width + x] += next;
  }
}
