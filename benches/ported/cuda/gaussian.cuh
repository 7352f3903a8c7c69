extern "C" __global__ void gaussian(int size, int t, const float* __restrict__ m, float* __restrict__ a,
                                    float* __restrict__ b) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= size - 1 - t || y >= size - t) return;
  float factor = m[size * (x + 1 + t) + t];
  a[size * (x + 1 + t) + (y + t)] -= factor * a[size * t + (y + t)];
  if (y == 0) b[x + 1 + t] -= factor * b[t];
}
