// y = a x + y over 2^28 elements: the baseline of `examples/saxpy.rs --bench`.
#include <cmath>

#include "common.cuh"

__global__ void saxpy(std::size_t n, float a, const float* __restrict__ x, float* __restrict__ y) {
  std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

int main() {
  const std::size_t n = std::size_t(1) << 28;
  const float a = 0.5f;
  print_device();
  Rng rng{fresh_seed()};
  std::vector<float> x = random_vector(rng, n), y = random_vector(rng, n);
  float *dx = to_device(x), *dy = to_device(y);
  Times t = time_launches([&] { saxpy<<<unsigned((n + 255) / 256), 256>>>(n, a, dx, dy); });

  // Every launch added a x once.
  const int launches = kWarmUp + kRuns;
  std::vector<float> got = to_host(dy, n);
  for (std::size_t i = 0; i < n; i++) {
    double want = y[i] + double(launches) * a * x[i];
    if (!(std::fabs(got[i] - want) <= 1e-4)) fail("saxpy differs from the host's result");
  }
  report("saxpy_f32", n, t, 3.0 * sizeof(float) * n, "GB/s");
}
