struct Star {
  float x, y, z;
};

extern "C" __global__ void tpacf(int stars, int bins, const float* __restrict__ edge,
                                 const Star* __restrict__ star, const Star* __restrict__ random,
                                 unsigned* __restrict__ count) {
  __shared__ Star tile[128];
  __shared__ float edges[64];
  __shared__ unsigned histogram[64];
  int t = threadIdx.x;
  if (t <= bins) edges[t] = edge[t];
  if (t < 64) histogram[t] = 0;
  __syncthreads();
  int i = blockIdx.x * 128 + t;
  int first = blockIdx.y * stars;
  Star own = {0.0f, 0.0f, 0.0f};
  if (i < stars) own = star[i];
  for (int base = 0; base < stars; base += 128) {
    if (base + t < stars) tile[t] = random[first + base + t];
    __syncthreads();
    if (i < stars) {
      int count = min(stars - base, 128);
      for (int j = 0; j < count; j++) {
        Star other = tile[j];
        float cosine = own.x * other.x + own.y * other.y + own.z * other.z;
        int low = 0, high = bins;
        while (high > low + 1) {
          int middle = (low + high) / 2;
          if (cosine >= edges[middle]) {
            high = middle;
          } else {
            low = middle;
          }
        }
        atomicAdd(&histogram[low], 1u);
      }
    }
    __syncthreads();
  }
  if (t < bins) atomicAdd(&count[blockIdx.y * bins + t], histogram[t]);
}
