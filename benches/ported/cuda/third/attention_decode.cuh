extern "C" __global__ void attention_decode(int heads, int capacity, float scale, const int* __restrict__ length,
                                            const float* __restrict__ query, const float* __restrict__ keys,
                                            const float* __restrict__ values, float* __restrict__ output) {
  __shared__ float scores[1024];
  __shared__ float partial[4];
  int t = threadIdx.x;
  int lane = t % 32, warp = t / 32;
  int head = blockIdx.x, sequence = blockIdx.y;
  int tokens = length[sequence];
  int q = (sequence * heads + head) * 128;
  float highest = -3.402823466e38f;
  for (int token = warp; token < tokens; token += 4) {
    int k = ((sequence * capacity + token) * heads + head) * 128;
    float score = 0.0f;
    for (int c = lane; c < 128; c += 32) score += query[q + c] * keys[k + c];
    for (int distance = 16; distance > 0; distance /= 2) score += __shfl_xor_sync(0xffffffffu, score, distance);
    score *= scale;
    if (lane == 0) scores[token] = score;
    highest = fmaxf(highest, score);
  }
  if (lane == 0) partial[warp] = highest;
  __syncthreads();
  for (int w = 0; w < 4; w++) highest = fmaxf(highest, partial[w]);
  __syncthreads();
  float sum = 0.0f;
  for (int token = t; token < tokens; token += 128) {
    float weight = expf(scores[token] - highest);
    scores[token] = weight;
    sum += weight;
  }
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
  if (lane == 0) partial[warp] = sum;
  __syncthreads();
  sum = partial[0] + partial[1] + partial[2] + partial[3];
  float result = 0.0f;
  for (int token = 0; token < tokens; token++) {
    int v = ((sequence * capacity + token) * heads + head) * 128;
    result += scores[token] * values[v + t];
  }
  output[q + t] = result / sum;
}
