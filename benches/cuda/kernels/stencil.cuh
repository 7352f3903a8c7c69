// One step of a five-point stencil. The twin of src/kernels/stencil.rs.
extern "C" __global__ void stencil(const float* __restrict__ input, std::size_t height,
                                   std::size_t width, float* __restrict__ output,
                                   std::size_t out_height, std::size_t out_width) {
  std::size_t x = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  std::size_t y = std::size_t(blockIdx.y) * blockDim.y + threadIdx.y;
  if (x >= out_width || y >= out_height) return;
  auto at = [&](std::size_t y, std::size_t x) {
    CHECK_BOUNDS(y, height);
    CHECK_BOUNDS(x, width);
    return input[y * width + x];
  };
  float value = at(y, x);
  if (x > 0 && y > 0 && x + 1 < width && y + 1 < height) {
    float around = at(y - 1, x) + at(y + 1, x) + at(y, x - 1) + at(y, x + 1);
    value = 0.5f * value + 0.125f * around;
  }
  output[y * out_width + x] = value;
}

inline void bench_stencil(Rng& rng) {
  const std::size_t height = 1 << 14, width = 1 << 14, n = height * width;
  std::vector<float> x = random_vector(rng, n);
  float *input = to_device(x), *output = on_device<float>(n);
  dim3 blocks(width / 32, height / 8), threads(32, 8);
  auto launch = [&] { stencil<<<blocks, threads>>>(input, height, width, output, height, width); };
  launch();
  expect_close(to_host(output, n), [&](std::size_t i) -> double {
    std::size_t row = i / width, column = i % width;
    if (row == 0 || column == 0 || row + 1 == height || column + 1 == width) return x[i];
    return 0.5 * x[i] + 0.125 * (double(x[i - width]) + x[i + width] + x[i - 1] + x[i + 1]);
  }, 1e-6);
  report("stencil", n, time_launches(launch), 8.0 * n, "GB/s");
  free_all(input, output);
}
