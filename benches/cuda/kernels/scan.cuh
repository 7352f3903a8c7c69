// Running sums within each block of 256. The twin of src/kernels/scan.rs.
__device__ inline unsigned warp_scan(unsigned value) {
  unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (unsigned delta = 1; delta < 32; delta *= 2) {
    unsigned lower = __shfl_up_sync(~0u, value, delta);
    if (lane >= delta) value += lower;
  }
  return value;
}

extern "C" __global__ void scan(const unsigned* __restrict__ x, std::size_t nx,
                                unsigned* __restrict__ y, std::size_t ny,
                                unsigned* __restrict__ sums, std::size_t ns) {
  __shared__ unsigned warps[8];
  std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned sum = warp_scan(i < nx ? x[i] : 0);
  if (lane == 31) {
    CHECK_BOUNDS(warp, 8);
    warps[warp] = sum;
  }
  __syncthreads();
  if (warp == 0 && lane < 8) {
    unsigned value = warps[lane];
#pragma unroll
    for (unsigned delta = 1; delta < 8; delta *= 2) {
      unsigned lower = __shfl_up_sync(0xff, value, delta);
      if (lane >= delta) value += lower;
    }
    warps[lane] = value;
  }
  __syncthreads();
  if (warp > 0) {
    CHECK_BOUNDS(warp - 1, 8);
    sum += warps[warp - 1];
  }
  if (i < ny) y[i] = sum;
  if (threadIdx.x == 255) at(sums, ns, blockIdx.x) = sum;
}

inline void bench_scan(Rng& rng) {
  const std::size_t n = std::size_t(1) << 28;
  std::vector<unsigned> x(n);
  for (unsigned& value : x) value = unsigned(rng.next());
  unsigned *dx = to_device(x), *y = on_device<unsigned>(n), *sums = on_device<unsigned>(n / 256);
  auto launch = [&] { scan<<<n / 256, 256>>>(dx, n, y, n, sums, n / 256); };
  launch();
  std::vector<unsigned> got = to_host(y, n);
  unsigned sum = 0;
  for (std::size_t i = 0; i < n; i++) {
    sum = i % 256 ? sum + x[i] : x[i];
    if (got[i] != sum) fail("a running sum differs");
  }
  report("scan", n, time_launches(launch), 8.0 * n, "GB/s");
  free_all(dx, y, sums);
}
