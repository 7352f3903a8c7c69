// C = A B, square f32 matrices of 4096: the baseline of `examples/matmul.rs --bench`. Tiles of
// 128x128 a block of 256 threads, 8x8 results a thread, 8 columns of A and rows of B at a time in
// shared memory; sizes are multiples of 128.
#include <cmath>

#include "common.cuh"

constexpr int BM = 128, BN = 128, BK = 8, TM = 8, TN = 8;

__global__ void __launch_bounds__(256) matmul(std::size_t n, const float* __restrict__ a,
                                              const float* __restrict__ b, float* __restrict__ c) {
  __shared__ float sa[BK * BM];
  __shared__ float sb[BK * BN];
  unsigned t = threadIdx.x, tx = t % 16, ty = t / 16;
  std::size_t row0 = std::size_t(blockIdx.y) * BM, col0 = std::size_t(blockIdx.x) * BN;
  unsigned ar = t / 2, ac = t % 2 * 4, br = t / 32, bc = t % 32 * 4;
  float acc[TM][TN] = {};
  for (std::size_t k0 = 0; k0 < n; k0 += BK) {
    for (int j = 0; j < 4; j++) sa[(ac + j) * BM + ar] = a[(row0 + ar) * n + k0 + ac + j];
    for (int j = 0; j < 4; j++) sb[br * BN + bc + j] = b[(k0 + br) * n + col0 + bc + j];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BK; k++) {
      float ra[TM], rb[TN];
#pragma unroll
      for (int i = 0; i < TM; i++) ra[i] = sa[k * BM + ty * TM + i];
#pragma unroll
      for (int j = 0; j < TN; j++) rb[j] = sb[k * BN + tx * TN + j];
#pragma unroll
      for (int i = 0; i < TM; i++)
#pragma unroll
        for (int j = 0; j < TN; j++) acc[i][j] += ra[i] * rb[j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < TM; i++)
#pragma unroll
    for (int j = 0; j < TN; j++) c[(row0 + ty * TM + i) * n + col0 + tx * TN + j] = acc[i][j];
}

int main() {
  const std::size_t n = 4096;
  print_device();
  Rng rng{fresh_seed()};
  std::vector<float> a = random_vector(rng, n * n), b = random_vector(rng, n * n);
  float *da = to_device(a), *db = to_device(b), *dc = to_device(std::vector<float>(n * n, NAN));
  dim3 blocks(n / BN, n / BM);
  Times t = time_launches([&] { matmul<<<blocks, 256>>>(n, da, db, dc); });

  // 4096 entries, drawn at random, against sums in f64.
  std::vector<float> c = to_host(dc, n * n);
  for (int sample = 0; sample < 4096; sample++) {
    std::size_t row = rng.next() % n, column = rng.next() % n;
    double want = 0, size = 0;
    for (std::size_t k = 0; k < n; k++) {
      double product = double(a[row * n + k]) * b[k * n + column];
      want += product, size += std::fabs(product);
    }
    if (!(std::fabs(c[row * n + column] - want) <= 1e-6 * size)) fail("the product differs from the host's");
  }
  report("matmul_f32", n, t, 2.0 * n * n * n, "GFLOP/s");
}
