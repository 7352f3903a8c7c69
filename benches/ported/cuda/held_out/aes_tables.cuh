__device__ inline unsigned rotate_right(unsigned x, int n) { return (x >> n) | (x << (32 - n)); }

extern "C" __global__ void aes_tables(int blocks, int rounds, const unsigned* __restrict__ table,
                                      const unsigned char* __restrict__ substitute,
                                      const unsigned* __restrict__ key, const unsigned* __restrict__ plain,
                                      unsigned* __restrict__ secret) {
  __shared__ unsigned products[256];
  for (int k = threadIdx.x; k < 256; k += blockDim.x) products[k] = table[k];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= blocks) return;
  unsigned state[4];
  for (int c = 0; c < 4; c++) state[c] = plain[i * 4 + c] ^ key[c];
  for (int round = 1; round < rounds; round++) {
    unsigned next[4];
    for (int c = 0; c < 4; c++) {
      unsigned a = products[state[c] >> 24];
      unsigned b = products[state[(c + 1) % 4] >> 16 & 255];
      unsigned d = products[state[(c + 2) % 4] >> 8 & 255];
      unsigned e = products[state[(c + 3) % 4] & 255];
      unsigned mixed = a ^ rotate_right(b, 8) ^ rotate_right(d, 16) ^ rotate_right(e, 24);
      next[c] = mixed ^ key[round * 4 + c];
    }
    for (int c = 0; c < 4; c++) state[c] = next[c];
  }
  for (int c = 0; c < 4; c++) {
    unsigned a = substitute[state[c] >> 24];
    unsigned b = substitute[state[(c + 1) % 4] >> 16 & 255];
    unsigned d = substitute[state[(c + 2) % 4] >> 8 & 255];
    unsigned e = substitute[state[(c + 3) % 4] & 255];
    secret[i * 4 + c] = (a << 24 | b << 16 | d << 8 | e) ^ key[rounds * 4 + c];
  }
}
