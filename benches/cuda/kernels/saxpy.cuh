// y = a x + y, one element a thread. The twin of src/kernels/saxpy.rs.
extern "C" __global__ void saxpy(float a, const float* __restrict__ x, std::size_t nx,
                                 float* __restrict__ y, std::size_t ny) {
  std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < ny) y[i] = a * at(x, nx, i) + y[i];
}

inline void bench_saxpy(Rng& rng) {
  const std::size_t n = std::size_t(1) << 28;
  std::vector<float> x = random_vector(rng, n), y = random_vector(rng, n);
  float *dx = to_device(x), *dy = to_device(y);
  auto launch = [&] { saxpy<<<n / 256, 256>>>(2.5f, dx, n, dy, n); };
  launch();
  expect_close(to_host(dy, n), [&](std::size_t i) { return 2.5 * x[i] + y[i]; }, 1e-6);
  report("saxpy", n, time_launches(launch), 12.0 * n, "GB/s");
  free_all(dx, dy);
}
