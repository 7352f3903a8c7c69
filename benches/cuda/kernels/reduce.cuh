// The sum of all elements. The twin of src/kernels/reduce.rs.
__device__ inline float warp_sum(float value) {
  for (int delta = 16; delta > 0; delta /= 2) value += __shfl_down_sync(~0u, value, delta);
  return value;
}

extern "C" __global__ void reduce(const float* __restrict__ x, std::size_t n, float* total, std::size_t nt) {
  __shared__ float partial[32];
  float sum = 0;
  std::size_t stride = std::size_t(gridDim.x) * blockDim.x;
  for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride)
    sum += x[i];
  sum = warp_sum(sum);
  unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (lane == 0) {
    CHECK_BOUNDS(warp, 32);
    partial[warp] = sum;
  }
  __syncthreads();
  if (warp == 0) {
    sum = warp_sum(lane < blockDim.x / 32 ? partial[lane] : 0.0f);
    if (lane == 0) atomicAdd(&at(total, nt, 0), sum);
  }
}

inline void bench_reduce(Rng& rng) {
  const std::size_t n = std::size_t(1) << 28;
  std::vector<float> x = random_vector(rng, n);
  float *dx = to_device(x), *total = to_device({0.0f});
  auto launch = [&] { reduce<<<multiprocessors() * 8, 256>>>(dx, n, total, 1); };
  launch();
  double want = 0, size = 0;
  for (float value : x) want += value, size += std::fabs(value);
  if (!(std::fabs(to_host(total, 1)[0] - want) <= 1e-6 * size)) fail("the sum differs");
  report("reduce", n, time_launches(launch), 4.0 * n, "GB/s");
  free_all(dx, total);
}
