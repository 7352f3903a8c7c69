// Running sums over each block of 256 by CUB. The twin of src/kernels/block_scan.rs.
#include <cub/block/block_scan.cuh>

template <class T, bool exclusive>
__device__ inline void block_scan(const T* __restrict__ x, std::size_t nx, unsigned rounds, T* totals,
                                  std::size_t nt) {
  using Scan = cub::BlockScan<T, 256, cub::BLOCK_SCAN_WARP_SCANS>;
  __shared__ typename Scan::TempStorage storage;
  std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  CHECK_BOUNDS(i, nx);
  T value = x[i], total = 0;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    T sum;
    if (exclusive) {
      Scan(storage).ExclusiveSum(value, sum);
    } else {
      Scan(storage).InclusiveSum(value, sum);
    }
    total += sum;
    value = value / T(2) + T(3);
    __syncthreads();
  }
  at(totals, nt, i) = total;
}

#define BLOCK_SCAN(name, T, exclusive)                                                              \
  extern "C" __global__ void __launch_bounds__(256)                                                 \
      name(const T* __restrict__ x, std::size_t nx, unsigned rounds, T* totals, std::size_t nt) {   \
    block_scan<T, exclusive>(x, nx, rounds, totals, nt);                                            \
  }                                                                                                 \
  inline void bench_##name(Rng& rng) {                                                              \
    bench_block<T, 256, exclusive>(rng, #name, name, 1);                                            \
  }

BLOCK_SCAN(block_scan_u32, unsigned, false)
BLOCK_SCAN(block_scan_i32, int, false)
BLOCK_SCAN(block_scan_u64, unsigned long long, false)
BLOCK_SCAN(block_scan_f32, float, false)
BLOCK_SCAN(block_scan_f64, double, false)
BLOCK_SCAN(block_exclusive_i32, int, true)
BLOCK_SCAN(block_exclusive_u64, unsigned long long, true)
BLOCK_SCAN(block_exclusive_f32, float, true)
