extern "C" __global__ void cross_entropy(int classes, float smoothing, const float* __restrict__ logits,
                                         const int64_t* __restrict__ label, float* __restrict__ loss,
                                         float* __restrict__ gradient) {
  __shared__ float shared[256];
  int t = threadIdx.x;
  int row = blockIdx.x;
  int base = row * classes;
  int64_t target = label[row];
  float highest = -3.402823466e38f;
  float total = 0.0f;
  for (int c = t; c < classes; c += 256) {
    float x = logits[base + c];
    highest = fmaxf(highest, x);
    total += x;
  }
  shared[t] = highest;
  __syncthreads();
  for (int half = 128; half > 0; half >>= 1) {
    if (t < half) shared[t] = fmaxf(shared[t], shared[t + half]);
    __syncthreads();
  }
  highest = shared[0];
  __syncthreads();
  float sum = 0.0f;
  for (int c = t; c < classes; c += 256) sum += expf(logits[base + c] - highest);
  shared[t] = sum;
  __syncthreads();
  for (int half = 128; half > 0; half >>= 1) {
    if (t < half) shared[t] += shared[t + half];
    __syncthreads();
  }
  sum = shared[0];
  __syncthreads();
  shared[t] = total;
  __syncthreads();
  for (int half = 128; half > 0; half >>= 1) {
    if (t < half) shared[t] += shared[t + half];
    __syncthreads();
  }
  total = shared[0];
  float log_sum = highest + logf(sum);
  float share = smoothing / classes;
  if (t == 0) {
    float value = 0.0f;
    if (target >= 0) value = log_sum - (1.0f - smoothing) * logits[base + target] - share * total;
    loss[row] = value;
  }
  for (int c = t; c < classes; c += 256) {
    float g = 0.0f;
    if (target >= 0) {
      g = expf(logits[base + c] - log_sum) - share;
      if (c == target) g -= 1.0f - smoothing;
    }
    gradient[base + c] = g;
  }
}
