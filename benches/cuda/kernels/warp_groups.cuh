// Sums and running sums over each warp by CUB. The twin of src/kernels/warp_groups.rs.
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>

template <class T>
__device__ inline void warp_reduce(const T* __restrict__ x, std::size_t nx, unsigned rounds, T* sums,
                                   std::size_t ns) {
  using Reduce = cub::WarpReduce<T>;
  __shared__ typename Reduce::TempStorage storage[8];
  std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  CHECK_BOUNDS(i, nx);
  T value = x[i], total = 0;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    total += Reduce(storage[threadIdx.x / 32]).Sum(value);
    value = value / T(2) + T(3);
    __syncwarp();
  }
  if (threadIdx.x % 32 == 0) at(sums, ns, i / 32) = total;
}

template <class T>
__device__ inline void warp_scan(const T* __restrict__ x, std::size_t nx, unsigned rounds, T* totals,
                                 std::size_t nt) {
  using Scan = cub::WarpScan<T>;
  __shared__ typename Scan::TempStorage storage[8];
  std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  CHECK_BOUNDS(i, nx);
  T value = x[i], total = 0;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    T sum;
    Scan(storage[threadIdx.x / 32]).InclusiveSum(value, sum);
    total += sum;
    value = value / T(2) + T(3);
    __syncwarp();
  }
  at(totals, nt, i) = total;
}

#define WARP_GROUP(name, function, T, per)                                                          \
  extern "C" __global__ void __launch_bounds__(256)                                                 \
      name(const T* __restrict__ x, std::size_t nx, unsigned rounds, T* sums, std::size_t ns) {     \
    function<T>(x, nx, rounds, sums, ns);                                                           \
  }                                                                                                 \
  inline void bench_##name(Rng& rng) {                                                              \
    bench_block<T, 32>(rng, #name, name, per);                                                      \
  }

WARP_GROUP(warp_reduce_i32, warp_reduce, int, 32)
WARP_GROUP(warp_reduce_u64, warp_reduce, unsigned long long, 32)
WARP_GROUP(warp_reduce_f32, warp_reduce, float, 32)
WARP_GROUP(warp_scan_i32, warp_scan, int, 1)
WARP_GROUP(warp_scan_u64, warp_scan, unsigned long long, 1)
WARP_GROUP(warp_scan_f32, warp_scan, float, 1)
