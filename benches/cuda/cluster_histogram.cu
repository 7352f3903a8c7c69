// How often each of 2^27 16-bit numbers occurs: the baseline of `showcase/examples/cluster_histogram.rs --bench`. Three
// ways: by additions in global memory, by additions in the shared memory of a cluster's two blocks, and by an exchange, in
// which each block sorts its numbers by the block that has their bins, and reads those for its own bins from both.
#include <cooperative_groups.h>

#include "common.cuh"

namespace cg = cooperative_groups;

constexpr unsigned BINS = 1 << 16, CLUSTER = 2, THREADS = 1024;
// Vectors of eight numbers that a thread takes at once.
constexpr unsigned VECTORS = 2;
// Words of a queue with the numbers that a block takes at once. Each block's part begins with a whole word.
constexpr unsigned QUEUE = (THREADS * VECTORS * 8 + 2 * CLUSTER) / 2;
// With where each block's part begins and how many numbers it has.
constexpr unsigned WORDS = 2 * CLUSTER + QUEUE;

__device__ inline unsigned number(uint4 vector, unsigned i) {
  unsigned word = i / 2 == 0 ? vector.x : i / 2 == 1 ? vector.y : i / 2 == 2 ? vector.z : vector.w;
  return word >> (16 * (i % 2)) & 0xffff;
}

__global__ void histogram(const uint4* __restrict__ data, std::size_t n, unsigned* bins) {
  std::size_t stride = std::size_t(gridDim.x) * blockDim.x;
  for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride) {
    uint4 vector = data[i];
#pragma unroll
    for (unsigned k = 0; k < 8; k++) atomicAdd(&bins[number(vector, k)], 1u);
  }
}

// The blocks have every second bin, so that each has as much to do.
__device__ inline void clear(unsigned* own) {
  for (unsigned bin = threadIdx.x; bin < BINS / CLUSTER; bin += blockDim.x) own[bin] = 0;
}

__device__ inline void flush(const unsigned* own, unsigned rank, unsigned* bins) {
  for (unsigned bin = threadIdx.x; bin < BINS / CLUSTER; bin += blockDim.x)
    atomicAdd(&bins[bin * CLUSTER + rank], own[bin]);
}

extern __shared__ unsigned shared[];

__global__ void __cluster_dims__(CLUSTER) __launch_bounds__(THREADS)
    direct_histogram(const uint4* __restrict__ data, std::size_t n, unsigned* bins) {
  cg::cluster_group cluster = cg::this_cluster();
  clear(shared);
  cluster.sync();
  std::size_t stride = std::size_t(gridDim.x) * blockDim.x;
  for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride) {
    uint4 vector = data[i];
#pragma unroll
    for (unsigned k = 0; k < 8; k++) {
      unsigned item = number(vector, k);
      atomicAdd(cluster.map_shared_rank(shared, item % CLUSTER) + item / CLUSTER, 1u);
    }
  }
  cluster.sync();
  flush(shared, cluster.block_rank(), bins);
}

// A thread's numbers for both blocks are counted in the halves of a word.
__global__ void __cluster_dims__(CLUSTER) __launch_bounds__(THREADS, 1)
    exchange_histogram(const uint4* __restrict__ data, std::size_t n, unsigned* bins) {
  unsigned *own = shared, *queues = shared + BINS / CLUSTER;
  __shared__ unsigned sums[2][32];
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const std::size_t tile = THREADS * VECTORS, tiles = n / tile;
  clear(own);
  if (threadIdx.x < 64) sums[threadIdx.x / 32][lane] = 0;
  cluster.sync();

  std::size_t current = blockIdx.x;
  uint4 next[VECTORS];
  auto load = [&] {
#pragma unroll
    for (unsigned i = 0; i < VECTORS; i++)
      next[i] = current < tiles ? data[current * tile + i * THREADS + threadIdx.x] : make_uint4(0, 0, 0, 0);
  };
  load();
  const std::size_t rounds = (tiles + gridDim.x - 1) / gridDim.x;
  for (std::size_t round = 0; round < rounds; round++) {
    const unsigned turn = round % 2;
    const bool is_tile = current < tiles;
    uint4 vectors[VECTORS];
#pragma unroll
    for (unsigned i = 0; i < VECTORS; i++) vectors[i] = next[i];
    current += gridDim.x;
    load();

    // How many of the warp's numbers are for each block, up to this thread's and in all.
    unsigned counts = 0;
#pragma unroll
    for (unsigned i = 0; i < VECTORS; i++)
#pragma unroll
      for (unsigned k = 0; k < 8; k++) counts += 1u << (16 * (number(vectors[i], k) % CLUSTER));
    unsigned up_to_own = counts;
    for (unsigned delta = 1; delta < 32; delta *= 2) {
      unsigned other = __shfl_up_sync(0xffffffffu, up_to_own, delta);
      if (lane >= delta) up_to_own += other;
    }
    const unsigned all = __shfl_sync(0xffffffffu, up_to_own, 31);
    // Where the warp's numbers for each block go. Lane `b` looks after those for block `b`.
    const bool is_counting = lane < CLUSTER && is_tile;
    unsigned before = is_counting ? atomicAdd(&sums[turn][lane], all >> (16 * lane) & 0xffff) : 0;
    __syncthreads();
    unsigned sum = is_counting ? sums[turn][lane] : 0;
    // Block 1's part begins behind that of block 0, with a whole word.
    unsigned of_zero = __shfl_sync(0xffffffffu, sum, 0);
    unsigned first = lane == 1 ? (of_zero + 1) / 2 * 2 : 0;
    if (warp == 0) {
      sums[1 - turn][lane] = 0;
      if (lane < CLUSTER) {
        queues[turn * WORDS + 2 * lane] = first;
        queues[turn * WORDS + 2 * lane + 1] = sum;
      }
    }
    if (is_tile) {
      unsigned to = up_to_own - counts;
      to += __shfl_sync(0xffffffffu, first + before, 0) + (__shfl_sync(0xffffffffu, first + before, 1) << 16);
      unsigned short* places = reinterpret_cast<unsigned short*>(queues + turn * WORDS + 2 * CLUSTER);
#pragma unroll
      for (unsigned i = 0; i < VECTORS; i++)
#pragma unroll
        for (unsigned k = 0; k < 8; k++) {
          unsigned item = number(vectors[i], k), shift = 16 * (item % CLUSTER);
          places[to >> shift & 0xffff] = item / CLUSTER;
          to += 1u << shift;
        }
    }
    cluster.sync();

    // Each warp reads from one block; the first ones from this block.
    const unsigned peer = (warp + rank) % CLUSTER;
    const unsigned* queue = cluster.map_shared_rank(queues + turn * WORDS, peer);
    const unsigned begin = queue[2 * rank], count = queue[2 * rank + 1], from = 2 * CLUSTER + begin / 2;
    const unsigned step = THREADS / CLUSTER;
    for (unsigned word = warp / CLUSTER * 32 + lane; 2 * word < count; word += 4 * step) {
      // Four loads are on their way at once.
      unsigned pairs[4];
#pragma unroll
      for (unsigned i = 0; i < 4; i++) pairs[i] = 2 * (word + i * step) < count ? queue[from + word + i * step] : 0;
#pragma unroll
      for (unsigned i = 0; i < 4; i++) {
        unsigned at = 2 * (word + i * step);
        if (at < count) atomicAdd(&own[pairs[i] & 0xffff], 1u);
        if (at + 1 < count) atomicAdd(&own[pairs[i] >> 16], 1u);
      }
    }
  }
  cluster.sync();
  // The numbers that do not fill a whole tile.
  std::size_t stride = std::size_t(gridDim.x) * blockDim.x;
  for (std::size_t i = tiles * tile + std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride)
    for (unsigned k = 0; k < 8; k++) atomicAdd(&bins[number(data[i], k)], 1u);
  flush(own, rank, bins);
}

int main() {
  const std::size_t n = std::size_t(1) << 27;
  print_device();
  Rng rng{fresh_seed()};
  // The mean of four random numbers.
  std::vector<std::uint16_t> data(n);
  std::vector<unsigned> want(BINS);
  for (std::uint16_t& value : data) {
    std::uint64_t bits = rng.next(), sum = 0;
    for (int part = 0; part < 4; part++) sum += bits >> (16 * part) & 0xffff;
    value = std::uint16_t(sum / 4);
    want[value]++;
  }
  std::uint16_t* device = to_device(data);
  const uint4* vectors = reinterpret_cast<const uint4*>(device);
  unsigned* bins = to_device(std::vector<unsigned>(BINS));
  int multiprocessors = 0;
  CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  const unsigned blocks = multiprocessors / 2 * 2;
  const unsigned direct_bytes = 4 * BINS / CLUSTER, exchange_bytes = direct_bytes + 2 * 4 * WORDS;
  CHECK(cudaFuncSetAttribute(direct_histogram, cudaFuncAttributeMaxDynamicSharedMemorySize, direct_bytes));
  CHECK(cudaFuncSetAttribute(exchange_histogram, cudaFuncAttributeMaxDynamicSharedMemorySize, exchange_bytes));

  auto count = [&](const char* name, auto launch) {
    CHECK(cudaMemset(bins, 0, BINS * sizeof(unsigned)));
    launch();
    CHECK(cudaGetLastError());
    if (to_host(bins, BINS) != want) fail("a histogram differs from the host's");
    report(name, n, time_launches(launch), 2.0 * n, "GB/s");
  };
  count("histogram_global", [&] { histogram<<<blocks * 4, 512>>>(vectors, n / 8, bins); });
  count("histogram_cluster", [&] { direct_histogram<<<blocks, THREADS, direct_bytes>>>(vectors, n / 8, bins); });
  count("histogram_exchange", [&] { exchange_histogram<<<blocks, THREADS, exchange_bytes>>>(vectors, n / 8, bins); });
}
