__constant__ unsigned kShift[16] = {7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};

extern "C" __global__ void md5(int messages, const unsigned* __restrict__ constant,
                               const unsigned* __restrict__ message, unsigned* __restrict__ digest) {
  int m = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= messages) return;
  unsigned word[16];
  for (int k = 0; k < 16; k++) word[k] = message[m * 16 + k];
  unsigned a = 0x67452301u, b = 0xefcdab89u, c = 0x98badcfeu, d = 0x10325476u;
  for (int i = 0; i < 64; i++) {
    unsigned mixed;
    int g;
    if (i < 16) {
      mixed = (b & c) | (~b & d);
      g = i;
    } else if (i < 32) {
      mixed = (d & b) | (~d & c);
      g = (5 * i + 1) % 16;
    } else if (i < 48) {
      mixed = b ^ c ^ d;
      g = (3 * i + 5) % 16;
    } else {
      mixed = c ^ (b | ~d);
      g = 7 * i % 16;
    }
    unsigned sum = a + mixed + constant[i] + word[g];
    unsigned shift = kShift[i / 16 * 4 + i % 4];
    a = d;
    d = c;
    c = b;
    b = b + ((sum << shift) | (sum >> (32 - shift)));
  }
  digest[m * 4] = a + 0x67452301u;
  digest[m * 4 + 1] = b + 0xefcdab89u;
  digest[m * 4 + 2] = c + 0x98badcfeu;
  digest[m * 4 + 3] = d + 0x10325476u;
}
