// The least and the greatest value over each block of 256 by CUB. The twin of src/kernels/block_extremes.rs.
#include <cub/block/block_reduce.cuh>
#include <cuda/functional>

template <class T, class Combine>
__device__ inline void block_extreme(const T* __restrict__ x, std::size_t nx, unsigned rounds, T* sums,
                                     std::size_t ns, Combine combine) {
  using Reduce = cub::BlockReduce<T, 256>;
  __shared__ typename Reduce::TempStorage storage;
  std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  CHECK_BOUNDS(i, nx);
  T value = x[i], total = 0;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    total += Reduce(storage).Reduce(value, combine);
    value = value / T(2) + T(3);
    __syncthreads();
  }
  if (threadIdx.x == 0) at(sums, ns, blockIdx.x) = total;
}

// Measures a kernel that leaves a result for each block: the sum over the rounds of the block's extreme value.
template <class T, class Kernel>
void bench_extreme(Rng& rng, const char* name, Kernel kernel, T (*two)(T, T)) {
  const std::size_t n = std::size_t(1) << 20;
  std::vector<T> x(n);
  for (T& value : x) value = T(rng.next() % 256);
  T *dx = to_device(x), *results = on_device<T>(n / 256);
  auto launch = [&] { kernel<<<n / 256, 256>>>(dx, n, ROUNDS, results, n / 256); };
  launch();
  std::vector<T> got = to_host(results, n / 256);
  for (std::size_t block = 0; block < n / 256; block++) {
    T want = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
      T found = x[256 * block];
      for (std::size_t i = 256 * block; i < 256 * (block + 1); i++) {
        found = two(found, x[i]);
        x[i] = x[i] / T(2) + T(3);
      }
      want += found;
    }
    if (got[block] != want) fail("an extreme value differs");
  }
  report(name, n, time_launches(launch), double(n) * ROUNDS, "G/s");
  free_all(dx, results);
}

#define BLOCK_EXTREME(name, T, combine, two)                                                        \
  extern "C" __global__ void __launch_bounds__(256)                                                 \
      name(const T* __restrict__ x, std::size_t nx, unsigned rounds, T* sums, std::size_t ns) {     \
    block_extreme<T>(x, nx, rounds, sums, ns, combine);                                             \
  }                                                                                                 \
  inline void bench_##name(Rng& rng) {                                                              \
    bench_extreme<T>(rng, #name, name, [](T a, T b) { return two(a, b); });                         \
  }

BLOCK_EXTREME(block_min_i32, int, cuda::minimum<>{}, std::min)
BLOCK_EXTREME(block_max_i32, int, cuda::maximum<>{}, std::max)
BLOCK_EXTREME(block_min_u64, unsigned long long, cuda::minimum<>{}, std::min)
BLOCK_EXTREME(block_max_u64, unsigned long long, cuda::maximum<>{}, std::max)
BLOCK_EXTREME(block_min_f32, float, cuda::minimum<>{}, std::min)
BLOCK_EXTREME(block_max_f32, float, cuda::maximum<>{}, std::max)
