// Prices of European options. The twin of src/kernels/black_scholes.rs.
constexpr float kRate = 0.02f, kVolatility = 0.3f;

__device__ inline float cnd(float d) {
  float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  float tail = 0.3989423f * expf(-0.5f * d * d) *
               (k * (0.31938154f + k * (-0.35656378f + k * (1.7814779f + k * (-1.8212559f + k * 1.3302744f)))));
  return d > 0 ? 1.0f - tail : tail;
}

extern "C" __global__ void black_scholes(const float* __restrict__ stock, std::size_t ns,
                                         const float* __restrict__ strike, std::size_t nx,
                                         const float* __restrict__ years, std::size_t nt,
                                         float* __restrict__ call, std::size_t nc,
                                         float* __restrict__ put, std::size_t np) {
  std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= nc || i >= np) return;
  float s = at(stock, ns, i), x = at(strike, nx, i), t = at(years, nt, i);
  float root = sqrtf(t);
  float d1 = (logf(s / x) + (kRate + 0.5f * kVolatility * kVolatility) * t) / (kVolatility * root);
  float d2 = d1 - kVolatility * root;
  float c1 = cnd(d1), c2 = cnd(d2);
  float discounted = x * expf(-kRate * t);
  call[i] = s * c1 - discounted * c2;
  put[i] = discounted * (1.0f - c2) - s * (1.0f - c1);
}

inline void bench_black_scholes(Rng& rng) {
  const std::size_t n = 1 << 26;
  auto between = [&](float low, float high) {
    std::vector<float> values(n);
    for (float& value : values) value = low + (high - low) * (0.5f + 0.5f * rng.next_f32());
    return values;
  };
  std::vector<float> stock = between(5, 30), strike = between(1, 100), years = between(0.25f, 10);
  float *ds = to_device(stock), *dx = to_device(strike), *dt = to_device(years);
  float *call = on_device<float>(n), *put = on_device<float>(n);
  auto launch = [&] { black_scholes<<<n / 256, 256>>>(ds, n, dx, n, dt, n, call, n, put, n); };
  launch();
  std::vector<float> got = to_host(call, n), puts = to_host(put, n);
  for (std::size_t i = 0; i < n; i++) got[i] -= puts[i];
  expect_close(got, [&](std::size_t i) {
    return stock[i] - strike[i] * std::exp(-double(kRate) * years[i]);
  }, 1e-4);
  report("black_scholes", n, time_launches(launch), 20.0 * n, "GB/s");
  free_all(ds, dx, dt, call, put);
}
