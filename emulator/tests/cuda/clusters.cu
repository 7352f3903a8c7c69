// Clusters: `cooperative_groups::this_cluster`, and shared memory of other blocks.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Each block combines what the blocks of its cluster have in shared memory, beginning with its own.
extern "C" __global__ void __cluster_dims__(4, 1, 1) ring(const int *in, int *out) {
  __shared__ int mine[64];
  auto cluster = cg::this_cluster();
  int at = blockIdx.x * 64 + threadIdx.x;
  mine[threadIdx.x] = in[at];
  cluster.sync();
  int sum = 0;
  for (unsigned step = 0; step < cluster.num_blocks(); step++) {
    unsigned rank = (cluster.block_rank() + step) % cluster.num_blocks();
    const int *other = cluster.map_shared_rank(mine, rank);
    sum = sum * 7 + other[(threadIdx.x + step) % 64];
  }
  // No block may end while others read its memory.
  cluster.sync();
  out[at] = sum;
}

// A histogram that is spread over the blocks of a cluster. The launch sets the size of the cluster.
extern "C" __global__ void histogram(const unsigned *in, int count, unsigned *out, int bins) {
  extern __shared__ unsigned part[];
  auto cluster = cg::this_cluster();
  int per_block = bins / cluster.num_blocks();
  for (int i = threadIdx.x; i < per_block; i += blockDim.x) part[i] = 0;
  cluster.sync();
  for (int i = cluster.thread_rank(); i < count; i += cluster.num_threads()) {
    int bin = in[i] % bins;
    atomicAdd(cluster.map_shared_rank(part, bin / per_block) + bin % per_block, 1u);
  }
  cluster.sync();
  for (int i = threadIdx.x; i < per_block; i += blockDim.x)
    out[cluster.block_rank() * per_block + i] = part[i];
}

// Where each thread is, and to which block's memory a pointer points; the barrier in two halves.
extern "C" __global__ void __cluster_dims__(2, 2, 1) places(unsigned *out) {
  __shared__ unsigned value;
  auto cluster = cg::this_cluster();
  if (threadIdx.x == 0) value = 100 + cluster.block_rank();
  auto token = cluster.barrier_arrive();
  dim3 index = cluster.block_index(), size = cluster.dim_blocks();
  cluster.barrier_wait(std::move(token));
  unsigned *next = cluster.map_shared_rank(&value, cluster.block_rank() ^ 3);
  unsigned block = blockIdx.y * gridDim.x + blockIdx.x;
  unsigned *to = out + 8 * (block * blockDim.x + threadIdx.x);
  to[0] = cluster.block_rank();
  to[1] = cluster.thread_rank();
  to[2] = index.x + 10 * index.y + 100 * index.z;
  to[3] = size.x + 10 * size.y + 100 * size.z;
  to[4] = cluster.num_threads();
  to[5] = cluster.query_shared_rank(next);
  to[6] = *next;
  to[7] = cluster.num_blocks();
  cluster.sync();
}
