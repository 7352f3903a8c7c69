// SHA-256 of one block a thread. The twin of src/kernels/sha256.rs.
__host__ __device__ inline unsigned rotr(unsigned x, int by) { return x >> by | x << (32 - by); }

__host__ __device__ inline void compress(const unsigned* block, unsigned* hash) {
  const unsigned round[64] = {
      0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
      0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
      0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
      0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
      0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
      0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
      0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
      0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
  };
  const unsigned start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                             0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  unsigned w[16];
#pragma unroll
  for (int i = 0; i < 16; i++) w[i] = block[i];
  unsigned a = start[0], b = start[1], c = start[2], d = start[3];
  unsigned e = start[4], f = start[5], g = start[6], h = start[7];
#pragma unroll
  for (int i = 0; i < 64; i++) {
    if (i >= 16) {
      unsigned w15 = w[(i + 1) % 16], w2 = w[(i + 14) % 16];
      unsigned s0 = rotr(w15, 7) ^ rotr(w15, 18) ^ w15 >> 3;
      unsigned s1 = rotr(w2, 17) ^ rotr(w2, 19) ^ w2 >> 10;
      w[i % 16] += s0 + w[(i + 9) % 16] + s1;
    }
    unsigned s1 = rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25);
    unsigned t1 = h + s1 + ((e & f) ^ (~e & g)) + round[i] + w[i % 16];
    unsigned s0 = rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22);
    unsigned t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  hash[0] = start[0] + a, hash[1] = start[1] + b, hash[2] = start[2] + c, hash[3] = start[3] + d;
  hash[4] = start[4] + e, hash[5] = start[5] + f, hash[6] = start[6] + g, hash[7] = start[7] + h;
}

extern "C" __global__ void sha256(const unsigned* __restrict__ blocks, std::size_t nb,
                                  unsigned* __restrict__ hashes, std::size_t n) {
  std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  CHECK_BOUNDS(i, nb);
  compress(blocks + i * 16, hashes + i * 8);
}

inline void bench_sha256(Rng& rng) {
  const std::size_t n = 1 << 22;
  std::vector<unsigned> blocks(n * 16);
  for (unsigned& word : blocks) word = unsigned(rng.next());
  unsigned *db = to_device(blocks), *hashes = on_device<unsigned>(n * 8);
  auto launch = [&] { sha256<<<n / 256, 256>>>(db, n, hashes, n); };
  launch();
  std::vector<unsigned> got = to_host(hashes, n * 8);
  for (std::size_t i = 0; i < n; i += n / 100) {
    unsigned want[8];
    compress(&blocks[i * 16], want);
    if (!std::equal(want, want + 8, &got[i * 8])) fail("a hash differs");
  }
  report("sha256", n, time_launches(launch), 64.0 * n, "GB/s");
  free_all(db, hashes);
}
