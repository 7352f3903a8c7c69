__device__ inline unsigned rotate_left(unsigned x, int n) { return (x << n) | (x >> (32 - n)); }

__device__ inline void quarter(unsigned* x, int a, int b, int c, int d) {
  x[a] += x[b];
  x[d] = rotate_left(x[d] ^ x[a], 16);
  x[c] += x[d];
  x[b] = rotate_left(x[b] ^ x[c], 12);
  x[a] += x[b];
  x[d] = rotate_left(x[d] ^ x[a], 8);
  x[c] += x[d];
  x[b] = rotate_left(x[b] ^ x[c], 7);
}

extern "C" __global__ void chacha20(int blocks, const unsigned* __restrict__ start,
                                    const unsigned* __restrict__ plain, unsigned* __restrict__ secret) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= blocks) return;
  unsigned state[16], x[16];
  for (int k = 0; k < 16; k++) state[k] = start[k];
  state[12] += i;
  for (int k = 0; k < 16; k++) x[k] = state[k];
  for (int round = 0; round < 10; round++) {
    quarter(x, 0, 4, 8, 12);
    quarter(x, 1, 5, 9, 13);
    quarter(x, 2, 6, 10, 14);
    quarter(x, 3, 7, 11, 15);
    quarter(x, 0, 5, 10, 15);
    quarter(x, 1, 6, 11, 12);
    quarter(x, 2, 7, 8, 13);
    quarter(x, 3, 4, 9, 14);
  }
  for (int k = 0; k < 16; k++) secret[i * 16 + k] = plain[i * 16 + k] ^ (x[k] + state[k]);
}
