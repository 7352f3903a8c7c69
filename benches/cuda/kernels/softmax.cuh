// Softmax of each row, a warp a row. The twin of src/kernels/softmax.rs.
extern "C" __global__ void softmax(unsigned width, const float* __restrict__ x, std::size_t nx,
                                   float* __restrict__ y, std::size_t ny) {
  std::size_t row = blockIdx.x * 8 + threadIdx.x / 32;
  unsigned lane = threadIdx.x % 32;
  if ((row + 1) * width > nx) return;
  x += row * width;
  float most = -INFINITY;
  for (std::size_t i = lane; i < width; i += 32) most = fmaxf(most, x[i]);
#pragma unroll
  for (int flip = 16; flip > 0; flip /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, flip));
  float sum = 0;
  for (std::size_t i = lane; i < width; i += 32) sum += expf(x[i] - most);
#pragma unroll
  for (int flip = 16; flip > 0; flip /= 2) sum += __shfl_xor_sync(~0u, sum, flip);
  float scale = 1.0f / sum;
  for (std::size_t i = lane; i < width; i += 32) at(y, ny, row * width + i) = expf(x[i] - most) * scale;
}

inline void bench_softmax(Rng& rng) {
  const std::size_t rows = 1 << 17, width = 1000, n = rows * width;
  std::vector<float> x = random_vector(rng, n);
  for (float& value : x) value *= 8;
  float *dx = to_device(x), *y = on_device<float>(n);
  auto launch = [&] { softmax<<<rows / 8, 256>>>(width, dx, n, y, n); };
  launch();
  std::vector<float> got = to_host(y, n);
  for (int sample = 0; sample < 200; sample++) {
    std::size_t row = rng.next() % rows * width;
    double most = *std::max_element(&x[row], &x[row] + width), sum = 0;
    for (std::size_t i = 0; i < width; i++) sum += std::exp(x[row + i] - most);
    for (std::size_t i = 0; i < width; i++) {
      double want = std::exp(x[row + i] - most) / sum;
      if (!(std::fabs(got[row + i] - want) <= 1e-5 * want)) fail("an element differs");
    }
  }
  report("softmax", n, time_launches(launch), 8.0 * n, "GB/s");
  free_all(dx, y);
}
