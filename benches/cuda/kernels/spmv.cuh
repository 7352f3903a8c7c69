// A sparse matrix in compressed rows times a vector. The twin of src/kernels/spmv.rs.
extern "C" __global__ void spmv(const unsigned* __restrict__ starts, std::size_t ns,
                                const unsigned* __restrict__ columns, std::size_t nc,
                                const float* __restrict__ values, std::size_t nv,
                                const float* __restrict__ x, std::size_t nx,
                                float* __restrict__ y, std::size_t rows) {
  std::size_t row = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  unsigned begin = at(starts, ns, row), end = at(starts, ns, row + 1);
  for (unsigned i = begin; i < end; i++) sum += at(values, nv, i) * at(x, nx, at(columns, nc, i));
  y[row] = sum;
}

inline void bench_spmv(Rng& rng) {
  const std::size_t rows = 1 << 22;
  std::vector<unsigned> starts{0};
  for (std::size_t row = 0; row < rows; row++) starts.push_back(starts[row] + rng.next() % 32);
  const std::size_t count = starts[rows];
  std::vector<unsigned> columns(count);
  for (unsigned& column : columns) column = rng.next() % rows;
  std::vector<float> values = random_vector(rng, count), x = random_vector(rng, rows);
  unsigned *ds = to_device(starts), *dc = to_device(columns);
  float *dv = to_device(values), *dx = to_device(x), *y = on_device<float>(rows);
  auto launch = [&] { spmv<<<rows / 256, 256>>>(ds, rows + 1, dc, count, dv, count, dx, rows, y, rows); };
  launch();
  expect_close(to_host(y, rows), [&](std::size_t row) {
    double want = 0;
    for (unsigned i = starts[row]; i < starts[row + 1]; i++) want += double(values[i]) * x[columns[i]];
    return want;
  }, 1e-5);
  report("spmv", count, time_launches(launch), 12.0 * count, "GB/s");
  free_all(ds, dc, dv, dx, y);
}
