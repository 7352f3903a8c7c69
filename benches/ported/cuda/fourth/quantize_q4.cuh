extern "C" __global__ void quantize_q4(int groups, const float* __restrict__ x, float* __restrict__ scale,
                                       uint8_t* __restrict__ packed) {
  int group = blockIdx.x * blockDim.x + threadIdx.x;
  if (group >= groups) return;
  float largest = 0.0f;
  float magnitude = 0.0f;
  for (int j = 0; j < 32; j++) {
    float value = x[group * 32 + j];
    if (magnitude < fabsf(value)) {
      magnitude = fabsf(value);
      largest = value;
    }
  }
  float d = largest / -8.0f;
  float inverse = d != 0.0f ? 1.0f / d : 0.0f;
  scale[group] = d;
  for (int j = 0; j < 16; j++) {
    int low = min((int)roundf(x[group * 32 + j] * inverse) + 8, 15);
    int high = min((int)roundf(x[group * 32 + 16 + j] * inverse) + 8, 15);
    packed[group * 16 + j] = low | high << 4;
  }
}
