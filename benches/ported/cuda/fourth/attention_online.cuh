extern "C" __global__ void attention_online(int tokens, float scale, const float* __restrict__ query,
                                            const float* __restrict__ key, const float* __restrict__ value,
                                            float* __restrict__ output) {
  __shared__ float keys[32][32];
  __shared__ float values[32][32];
  int t = threadIdx.x;
  int i = blockIdx.x * 128 + t;
  int base = blockIdx.y * tokens;
  float q[32] = {};
  if (i < tokens) {
    for (int c = 0; c < 32; c++) q[c] = query[(base + i) * 32 + c] * scale;
  }
  float highest = -3.402823466e38f;
  float sum = 0.0f;
  float result[32] = {};
  for (int first = 0; first < tokens; first += 32) {
    for (int e = t; e < 32 * 32; e += 128) {
      int row = e / 32, c = e % 32;
      if (first + row < tokens) {
        keys[row][c] = key[(base + first + row) * 32 + c];
        values[row][c] = value[(base + first + row) * 32 + c];
      }
    }
    __syncthreads();
    int count = min(tokens - first, 32);
    float scores[32];
    float best = highest;
    for (int j = 0; j < count; j++) {
      float score = 0.0f;
      for (int c = 0; c < 32; c++) score += q[c] * keys[j][c];
      scores[j] = score;
      best = fmaxf(best, score);
    }
    float correction = expf(highest - best);
    sum *= correction;
    for (int c = 0; c < 32; c++) result[c] *= correction;
    for (int j = 0; j < count; j++) {
      float weight = expf(scores[j] - best);
      sum += weight;
      for (int c = 0; c < 32; c++) result[c] += weight * values[j][c];
    }
    highest = best;
    __syncthreads();
  }
  if (i < tokens) {
    for (int c = 0; c < 32; c++) output[(base + i) * 32 + c] = result[c] / sum;
  }
}
