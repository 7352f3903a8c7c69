// Sums over each block of 256 by CUB. The twin of src/kernels/block_reduce.rs.
#include <cub/block/block_reduce.cuh>

constexpr unsigned ROUNDS = 256;

template <class T>
__device__ inline void block_reduce(const T* __restrict__ x, std::size_t nx, unsigned rounds, T* sums,
                                    std::size_t ns) {
  using Reduce = cub::BlockReduce<T, 256>;
  __shared__ typename Reduce::TempStorage storage;
  std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  CHECK_BOUNDS(i, nx);
  T value = x[i], total = 0;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    total += Reduce(storage).Sum(value);
    value = value / T(2) + T(3);
    __syncthreads();
  }
  if (threadIdx.x == 0) at(sums, ns, blockIdx.x) = total;
}

#define BLOCK_REDUCE(name, T)                                                                       \
  extern "C" __global__ void __launch_bounds__(256)                                                 \
      name(const T* __restrict__ x, std::size_t nx, unsigned rounds, T* sums, std::size_t ns) {     \
    block_reduce<T>(x, nx, rounds, sums, ns);                                                       \
  }                                                                                                 \
  inline void bench_##name(Rng& rng) {                                                              \
    bench_block<T>(rng, #name, name, 256);                                                          \
  }

// Measures a kernel that leaves a result for each `per` numbers: their sums, or the running sums of each `group`, over
// all rounds. Those of exclusive scans lack a thread's own numbers.
template <class T, std::size_t group = 256, bool exclusive = false, class Kernel>
void bench_block(Rng& rng, const char* name, Kernel kernel, std::size_t per) {
  const std::size_t n = std::size_t(1) << 20;
  std::vector<T> x(n);
  for (T& value : x) value = T(rng.next() % 256);
  T *dx = to_device(x), *results = on_device<T>(n / per);
  auto launch = [&] { kernel<<<n / 256, 256>>>(dx, n, ROUNDS, results, n / per); };
  launch();
  std::vector<T> got = to_host(results, n / per);
  double sum = 0;
  for (std::size_t i = 0; i < n; i++) {
    if (i % group == 0) sum = 0;
    T value = x[i];
    double own = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
      own += double(value);
      value = value / T(2) + T(3);
    }
    double want = exclusive ? sum : sum + own;
    sum += own;
    if ((i + 1) % per == 0 && !(std::fabs(double(got[i / per]) - want) <= 1e-5 * want)) fail("a sum differs");
  }
  report(name, n, time_launches(launch), double(n) * ROUNDS, "G/s");
  free_all(dx, results);
}

BLOCK_REDUCE(block_reduce_u32, unsigned)
BLOCK_REDUCE(block_reduce_f32, float)
BLOCK_REDUCE(block_reduce_f64, double)
