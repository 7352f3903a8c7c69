// A grid that synchronises: smoothing steps over a ring, each from what all blocks wrote before.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void smooth(float *a, float *b, int count, int steps) {
  auto grid = cg::this_grid();
  for (int step = 0; step < steps; step++) {
    for (int i = grid.thread_rank(); i < count; i += grid.size())
      b[i] = 0.25f * a[(i + count - 1) % count] + 0.5f * a[i] + 0.25f * a[(i + 1) % count];
    grid.sync();
    float *other = a;
    a = b;
    b = other;
  }
}

// What the grid says of itself; the parts of a barrier may stand apart.
extern "C" __global__ void ranks(unsigned long long *out, unsigned *early) {
  auto grid = cg::this_grid();
  auto token = grid.barrier_arrive();
  atomicAdd(early, 1);
  grid.barrier_wait(std::move(token));
  unsigned arrived = atomicAdd(early + 1, 1);
  (void)arrived;
  unsigned long long i = grid.thread_rank();
  out[i] = grid.size() * 1000000 + grid.block_rank() * 1000 + grid.num_blocks() * 100 + grid.is_valid();
}
