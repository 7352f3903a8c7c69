// Asynchronous copies: `cuda::pipeline`, `cuda::barrier`, `memcpy_async` of groups, and the primitives.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;

// Two stages shared by the block: one tile is copied while the other is used.
extern "C" __global__ void staged(const int *in, int *out, int tiles) {
  constexpr int STAGES = 2;
  __shared__ alignas(16) int buffer[STAGES][128];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int next = 0, sum = 0;
  for (int tile = 0; tile < tiles; tile++) {
    for (; next < tiles && next < tile + STAGES; next++) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, buffer[next % STAGES], in + next * 128,
                         cuda::aligned_size_t<16>(sizeof(int) * 128), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum = sum * 3 + buffer[tile % STAGES][(threadIdx.x + tile) % 128];
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

// A pipeline of each thread.
extern "C" __global__ void alone(const int *in, int *out, int count) {
  __shared__ int buffer[3][64];
  auto pipe = cuda::make_pipeline();
  int sum = 0;
  for (int i = 0; i < count + 2; i++) {
    if (i < count) {
      pipe.producer_acquire();
      cuda::memcpy_async(&buffer[i % 3][threadIdx.x], in + i * 64 + threadIdx.x, sizeof(int), pipe);
      pipe.producer_commit();
    } else {
      pipe.producer_acquire();
      pipe.producer_commit();
    }
    if (i >= 2) {
      cuda::pipeline_consumer_wait_prior<2>(pipe);
      sum = sum * 5 + buffer[(i - 2) % 3][threadIdx.x];
      pipe.consumer_release();
    }
  }
  out[threadIdx.x] = sum;
}

// A copy that a barrier counts, and a barrier whose last thread does something.
extern "C" __global__ void counted(const double *in, double *out) {
  using barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ double buffer[256];
  __shared__ barrier bar;
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  for (int round = 0; round < 4; round++) {
    cuda::memcpy_async(&buffer[threadIdx.x], &in[round * 256 + threadIdx.x], sizeof(double), bar);
    bar.arrive_and_wait();
    double value = buffer[255 - threadIdx.x];
    auto token = bar.arrive();
    value = value * 0.5 + 1.0;
    bar.wait(std::move(token));
    out[round * 256 + threadIdx.x] = value;
  }
}

extern "C" __global__ void group_copy(const short *in, short *out) {
  __shared__ alignas(16) short buffer[512];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, buffer, in, sizeof(short) * 512);
  cg::wait(block);
  for (int i = threadIdx.x; i < 512; i += blockDim.x) out[i] = buffer[511 - i];
}

extern "C" __global__ void primitives(const int4 *in, int4 *out) {
  __shared__ int4 buffer[2][64];
  __pipeline_memcpy_async(&buffer[0][threadIdx.x], &in[threadIdx.x], 16);
  __pipeline_commit();
  // The last eight bytes are filled with zeros.
  __pipeline_memcpy_async(&buffer[1][threadIdx.x], &in[64 + threadIdx.x], 16, 8);
  __pipeline_commit();
  __pipeline_wait_prior(1);
  __syncthreads();
  out[threadIdx.x] = buffer[0][63 - threadIdx.x];
  __pipeline_wait_prior(0);
  __syncthreads();
  out[64 + threadIdx.x] = buffer[1][63 - threadIdx.x];
}
