// Keeps the elements above a threshold. The twin of src/kernels/compact.rs.
extern "C" __global__ void compact(float threshold, const float* __restrict__ x, std::size_t n,
                                   float* __restrict__ kept, std::size_t nk, unsigned* count,
                                   std::size_t nc) {
  std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  unsigned lane = threadIdx.x % 32;
  float value = 0;
  bool keep = false;
  if (i < n) {
    value = x[i];
    keep = value > threshold;
  }
  unsigned votes = __ballot_sync(~0u, keep), start = 0;
  if (lane == 0) start = atomicAdd(&at(count, nc, 0), __popc(votes));
  start = __shfl_sync(~0u, start, 0);
  if (keep) at(kept, nk, start + __popc(votes & ((1u << lane) - 1))) = value;
}

inline void bench_compact(Rng& rng) {
  const std::size_t n = std::size_t(1) << 26;
  std::vector<float> x = random_vector(rng, n);
  float *dx = to_device(x), *kept = on_device<float>(n);
  unsigned* count = to_device(std::vector<unsigned>(1));
  auto launch = [&] {
    CHECK(cudaMemsetAsync(count, 0, 4));
    compact<<<n / 256, 256>>>(0.33f, dx, n, kept, n, count, 1);
  };
  launch();
  std::size_t want = std::count_if(x.begin(), x.end(), [](float x) { return x > 0.33f; });
  if (to_host(count, 1)[0] != want) fail("another number of elements was kept");
  report("compact", n, time_launches(launch), 4.0 * (n + want), "GB/s");
  free_all(dx, kept, count);
}
