// Cooperative groups inside a block: tiles, coalesced threads, partitions, reductions and scans.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

// Sum of a block: a tile's reduction, then the tiles' sums by the first warp.
extern "C" __global__ void block_sum(const float *in, float *out, int count) {
  __shared__ float partial[32];
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  float sum = 0;
  for (int i = block.thread_rank(); i < count; i += block.size()) sum += in[i];
  sum = cg::reduce(warp, sum, cg::plus<float>());
  if (warp.thread_rank() == 0) partial[warp.meta_group_rank()] = sum;
  block.sync();
  if (warp.meta_group_rank() == 0) {
    float value = warp.thread_rank() < warp.meta_group_size() ? partial[warp.thread_rank()] : 0;
    value = cg::reduce(warp, value, cg::plus<float>());
    if (warp.thread_rank() == 0) *out = value;
  }
}

template <int SIZE>
__device__ void one_tile(const int *in, int *out, int stride) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<SIZE>(block);
  int i = block.thread_rank();
  int value = in[i];
  out[0 * stride + i] = cg::reduce(tile, value, cg::plus<int>());
  out[1 * stride + i] = cg::reduce(tile, value, cg::greater<int>());
  out[2 * stride + i] = cg::reduce(tile, value, cg::bit_xor<int>());
  out[3 * stride + i] = cg::inclusive_scan(tile, value);
  out[4 * stride + i] = cg::exclusive_scan(tile, value);
  out[5 * stride + i] = tile.shfl_down(value, 1);
  out[6 * stride + i] = tile.shfl_xor(value, SIZE / 2);
  out[7 * stride + i] = tile.ballot(value & 1);
  out[8 * stride + i] = tile.any(value > 90) * 2 + tile.all(value > -90);
  out[9 * stride + i] = tile.match_any(value & 3);
}

extern "C" __global__ void tiles(const int *in, int *out, int stride) {
  one_tile<4>(in, out, stride);
  one_tile<16>(in, out + 10 * stride, stride);
  one_tile<32>(in, out + 20 * stride, stride);
}

// Threads that take one side of a branch add with one atomic operation.
extern "C" __global__ void coalesced(const int *in, int *out, unsigned *count) {
  int value = in[threadIdx.x];
  if (value % 3 == 0) {
    cg::coalesced_group active = cg::coalesced_threads();
    unsigned start;
    if (active.thread_rank() == 0) start = atomicAdd(count, active.size());
    start = active.shfl(start, 0);
    out[start + active.thread_rank()] = value;
    int sum = cg::reduce(active, value, cg::plus<int>());
    if (active.thread_rank() == active.size() - 1) atomicAdd(&count[1], sum);
  }
}

extern "C" __global__ void partitions(const int *in, int *out, int stride) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int i = threadIdx.x;
  int value = in[i];
  auto labeled = cg::labeled_partition(warp, (unsigned)value % 5);
  out[0 * stride + i] = labeled.size();
  out[1 * stride + i] = labeled.thread_rank();
  out[2 * stride + i] = cg::reduce(labeled, value, cg::plus<int>());
  auto binary = cg::binary_partition(warp, value > 0);
  out[3 * stride + i] = binary.size();
  out[4 * stride + i] = cg::inclusive_scan(binary, value, cg::greater<int>());
}

// The whole block as one tile of several warps, with its own memory for synchronisation.
extern "C" __global__ void large_tile(const int *in, int *out) {
  __shared__ cg::block_tile_memory<256> memory;
  auto block = cg::this_thread_block(memory);
  auto tile = cg::tiled_partition<128>(block);
  out[threadIdx.x] = cg::reduce(tile, in[threadIdx.x], cg::plus<int>());
  tile.sync();
  int rank = 0;
  cg::invoke_one(tile, [&] { rank = 1; });
  atomicAdd(&out[256 + tile.meta_group_rank()], rank);
}
