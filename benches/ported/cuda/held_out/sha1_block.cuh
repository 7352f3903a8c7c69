__device__ inline unsigned rotate_left(unsigned x, int n) { return (x << n) | (x >> (32 - n)); }

extern "C" __global__ void sha1_block(int messages, const unsigned* __restrict__ message,
                                      unsigned* __restrict__ digest) {
  int m = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= messages) return;
  unsigned w[16];
  for (int t = 0; t < 16; t++) w[t] = message[m * 16 + t];
  unsigned a = 0x67452301u, b = 0xefcdab89u, c = 0x98badcfeu, d = 0x10325476u, e = 0xc3d2e1f0u;
  for (int t = 0; t < 80; t++) {
    int s = t & 15;
    if (t >= 16) w[s] = rotate_left(w[(s + 13) & 15] ^ w[(s + 8) & 15] ^ w[(s + 2) & 15] ^ w[s], 1);
    unsigned f, k;
    if (t < 20) {
      f = (b & c) | (~b & d);
      k = 0x5a827999u;
    } else if (t < 40) {
      f = b ^ c ^ d;
      k = 0x6ed9eba1u;
    } else if (t < 60) {
      f = (b & c) | (b & d) | (c & d);
      k = 0x8f1bbcdcu;
    } else {
      f = b ^ c ^ d;
      k = 0xca62c1d6u;
    }
    unsigned sum = rotate_left(a, 5) + f + e + k + w[s];
    e = d;
    d = c;
    c = rotate_left(b, 30);
    b = a;
    a = sum;
  }
  digest[m * 5] = a + 0x67452301u;
  digest[m * 5 + 1] = b + 0xefcdab89u;
  digest[m * 5 + 2] = c + 0x98badcfeu;
  digest[m * 5 + 3] = d + 0x10325476u;
  digest[m * 5 + 4] = e + 0xc3d2e1f0u;
}
