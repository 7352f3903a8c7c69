extern "C" __global__ void binomial(int steps, float rate, float volatility, const float* __restrict__ price,
                                    const float* __restrict__ strike, const float* __restrict__ years,
                                    float* __restrict__ call) {
  __shared__ float tree[256];
  int t = threadIdx.x;
  int option = blockIdx.x;
  float s = price[option], x = strike[option];
  float dt = years[option] / steps;
  float up = expf(volatility * sqrtf(dt));
  float growth = expf(rate * dt);
  float chance = (growth - 1.0f / up) / (up - 1.0f / up);
  float pu = chance / growth, pd = (1.0f - chance) / growth;
  float end = s * expf(volatility * sqrtf(dt) * (2 * t - steps)) - x;
  float value = end > 0.0f ? end : 0.0f;
  for (int i = steps; i > 0; i--) {
    tree[t] = value;
    __syncthreads();
    if (t < i) value = pu * tree[t + 1] + pd * tree[t];
    __syncthreads();
  }
  if (t == 0) call[option] = value;
}
