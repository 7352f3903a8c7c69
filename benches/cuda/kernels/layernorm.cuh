// Layer normalisation of each row, a warp a row. The twin of src/kernels/layernorm.rs.
extern "C" __global__ void layernorm(unsigned width, const float4* __restrict__ x, std::size_t nx,
                                     const float4* __restrict__ scale, std::size_t na,
                                     const float4* __restrict__ shift, std::size_t nb,
                                     float4* __restrict__ y, std::size_t ny) {
  std::size_t row = blockIdx.x * 8 + threadIdx.x / 32, fours = width / 4;
  unsigned lane = threadIdx.x % 32;
  if ((row + 1) * fours > nx) return;
  x += row * fours;
  float sum = 0, squares = 0;
  for (std::size_t i = lane; i < fours; i += 32) {
    float4 v = x[i];
    sum += v.x, squares += v.x * v.x;
    sum += v.y, squares += v.y * v.y;
    sum += v.z, squares += v.z * v.z;
    sum += v.w, squares += v.w * v.w;
  }
#pragma unroll
  for (int flip = 16; flip > 0; flip /= 2) {
    sum += __shfl_xor_sync(~0u, sum, flip);
    squares += __shfl_xor_sync(~0u, squares, flip);
  }
  float mean = sum / float(width);
  float inverse = 1.0f / sqrtf(squares / float(width) - mean * mean + 1e-5f);
  for (std::size_t i = lane; i < fours; i += 32) {
    float4 v = x[i], a = at(scale, na, i), b = at(shift, nb, i);
    v.x = (v.x - mean) * inverse * a.x + b.x;
    v.y = (v.y - mean) * inverse * a.y + b.y;
    v.z = (v.z - mean) * inverse * a.z + b.z;
    v.w = (v.w - mean) * inverse * a.w + b.w;
    at(y, ny, row * fours + i) = v;
  }
}

inline void bench_layernorm(Rng& rng) {
  const std::size_t rows = 1 << 17, width = 1024, n = rows * width;
  std::vector<float> x = random_vector(rng, n);
  std::vector<float> scale = random_vector(rng, width), shift = random_vector(rng, width);
  float *dx = to_device(x), *da = to_device(scale), *db = to_device(shift), *y = on_device<float>(n);
  auto fours = [](float* x) { return reinterpret_cast<float4*>(x); };
  auto launch = [&] {
    layernorm<<<rows / 8, 256>>>(width, fours(dx), n / 4, fours(da), width / 4, fours(db), width / 4,
                                 fours(y), n / 4);
  };
  launch();
  std::vector<float> got = to_host(y, n);
  for (int sample = 0; sample < 200; sample++) {
    std::size_t row = rng.next() % rows * width;
    double mean = 0, variance = 0;
    for (std::size_t i = 0; i < width; i++) mean += x[row + i] / double(width);
    for (std::size_t i = 0; i < width; i++)
      variance += (x[row + i] - mean) * (x[row + i] - mean) / double(width);
    for (std::size_t i = 0; i < width; i++) {
      double want = (x[row + i] - mean) / std::sqrt(variance + 1e-5) * scale[i] + shift[i];
      if (!(std::fabs(got[row + i] - want) <= 1e-4)) fail("an element differs");
    }
  }
  report("layernorm", n, time_launches(launch), 8.0 * n, "GB/s");
  free_all(dx, da, db, y);
}
