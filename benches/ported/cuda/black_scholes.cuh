__device__ inline float normal(float d) {
  float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  float sum =
      k * (0.31938153f + k * (-0.35656378f + k * (1.7814779f + k * (-1.8212559f + k * 1.3302745f))));
  float tail = 0.3989423f * expf(-0.5f * d * d) * sum;
  return d > 0.0f ? 1.0f - tail : tail;
}

extern "C" __global__ void black_scholes(int n, float rate, float volatility, const float* __restrict__ price,
                                         const float* __restrict__ strike, const float* __restrict__ years,
                                         float* __restrict__ call, float* __restrict__ put) {
  int stride = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    float s = price[i], x = strike[i], t = years[i];
    float root = sqrtf(t);
    float d1 = (logf(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
    float d2 = d1 - volatility * root;
    float n1 = normal(d1), n2 = normal(d2);
    float discounted = x * expf(-rate * t);
    call[i] = s * n1 - discounted * n2;
    put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
  }
}
