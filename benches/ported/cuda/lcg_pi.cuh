__device__ inline unsigned long long next_state(unsigned long long state) {
  return state * 6364136223846793005ull + 1442695040888963407ull;
}

extern "C" __global__ void lcg_pi(int points, const unsigned long long* __restrict__ seed,
                                  unsigned* __restrict__ inside) {
  __shared__ unsigned counts[256];
  int t = threadIdx.x;
  unsigned long long state = seed[blockIdx.x * 256 + t];
  unsigned count = 0;
  for (int i = 0; i < points; i++) {
    state = next_state(state);
    float x = (state >> 40) / 16777216.0f;
    state = next_state(state);
    float y = (state >> 40) / 16777216.0f;
    if (x * x + y * y < 1.0f) count++;
  }
  counts[t] = count;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (t < half) counts[t] += counts[t + half];
    __syncthreads();
  }
  if (t == 0) inside[blockIdx.x] = counts[0];
}
