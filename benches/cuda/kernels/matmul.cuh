// C = A B with tiles of 16x16, one result a thread. The twin of src/kernels/matmul.rs.
extern "C" __global__ void matmul(unsigned n, const float* __restrict__ a, std::size_t na,
                                  const float* __restrict__ b, std::size_t nb,
                                  float* __restrict__ c, std::size_t nc) {
  __shared__ float tile_a[16][16], tile_b[16][16];
  unsigned x = threadIdx.x, y = threadIdx.y;
  unsigned row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
  auto load = [n](const float* m, std::size_t len, unsigned row, unsigned column) {
    return row < n && column < n ? at(m, len, row * n + column) : 0.0f;
  };
  float sum = 0;
  for (unsigned k0 = 0; k0 < n; k0 += 16) {
    CHECK_BOUNDS(y, 16);
    CHECK_BOUNDS(x, 16);
    tile_a[y][x] = load(a, na, row, k0 + x);
    tile_b[y][x] = load(b, nb, k0 + y, column);
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < 16; k++) sum += tile_a[y][k] * tile_b[k][x];
    __syncthreads();
  }
  if (row < n && column < n) at(c, nc, row * n + column) = sum;
}

inline void bench_matmul(Rng& rng) {
  const std::size_t n = 4096;
  std::vector<float> a = random_vector(rng, n * n), b = random_vector(rng, n * n);
  float *da = to_device(a), *db = to_device(b), *dc = on_device<float>(n * n);
  dim3 blocks(n / 16, n / 16), threads(16, 16);
  auto launch = [&] { matmul<<<blocks, threads>>>(n, da, n * n, db, n * n, dc, n * n); };
  launch();
  std::vector<float> c = to_host(dc, n * n);
  for (int sample = 0; sample < 2000; sample++) {
    std::size_t row = rng.next() % n, column = rng.next() % n;
    double want = 0, size = 0;
    for (std::size_t k = 0; k < n; k++) {
      double product = double(a[row * n + k]) * b[k * n + column];
      want += product, size += std::fabs(product);
    }
    if (!(std::fabs(c[row * n + column] - want) <= 1e-6 * size)) fail("the product differs");
  }
  report("matmul", n, time_launches(launch), 2.0 * n * n * n, "GFLOP/s");
  free_all(da, db, dc);
}
