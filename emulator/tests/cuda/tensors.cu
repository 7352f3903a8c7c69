// Tensor maps, bulk copies and products of warpgroups: `cuda::barrier`, `cuda::ptx` and inline PTX.
#include <cooperative_groups.h>
#include <cuda.h>
#include <cuda/barrier>
#include <cuda/ptx>
#include <cuda_fp16.h>
#include <utility>
namespace ptx = cuda::ptx;
using barrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int WIDE = 32, HIGH = 8;

// Reads a tile, which may lie partly outside of the tensor, and writes its numbers times three to another tensor.
extern "C" __global__ void tile(const __grid_constant__ CUtensorMap from, const __grid_constant__ CUtensorMap to, int x,
                                int y) {
  __shared__ alignas(128) int buffer[HIGH][WIDE];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ barrier ready;
  if (threadIdx.x == 0) {
    init(&ready, blockDim.x);
    cuda::device::experimental::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cuda::device::experimental::cp_async_bulk_tensor_2d_global_to_shared(&buffer, &from, x, y, ready);
    token = cuda::device::barrier_arrive_tx(ready, 1, sizeof(buffer));
  } else {
    token = ready.arrive();
  }
  ready.wait(std::move(token));
  for (int i = threadIdx.x; i < HIGH * WIDE; i += blockDim.x) buffer[i / WIDE][i % WIDE] *= 3;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    const int at[2] = {x, y};
    ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &to, at, &buffer);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
}

// Bulk copies of rows, alternately into two buffers, each with a barrier whose phases are told apart by their parity.
extern "C" __global__ void rows(const float *in, float *out, int count) {
  __shared__ alignas(16) float buffer[2][256];
  __shared__ uint64_t full[2];
  if (threadIdx.x == 0) {
    for (int i = 0; i < 2; i++) ptx::mbarrier_init(&full[i], 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  __syncthreads();
  auto fetch = [&](int row) {
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[row % 2], sizeof(buffer[0]));
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, buffer[row % 2], in + 256 * row, sizeof(buffer[0]),
                       &full[row % 2]);
  };
  if (threadIdx.x == 0)
    for (int row = 0; row < 2 && row < count; row++) fetch(row);
  float sum = 0;
  for (int row = 0; row < count; row++) {
    while (!ptx::mbarrier_try_wait_parity(&full[row % 2], row / 2 % 2)) {
    }
    sum = sum * 0.5f + buffer[row % 2][255 - threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0 && row + 2 < count) fetch(row + 2);
  }
  out[threadIdx.x] = sum;
}

// A matrix in shared memory without swizzling: 8 rows of 16 bytes lie together, their neighbours along K after them,
// then the next 8 rows.
__device__ uint64_t describe(const void *matrix) {
  uint64_t address = __cvta_generic_to_shared(matrix);
  return (address >> 4 & 0x3fff) | uint64_t(128 >> 4) << 16 | uint64_t(256 >> 4) << 32;
}

// D = A B + C, for 64 rows, 8 columns and a depth that is a multiple of 16. B lies column after column.
extern "C" __global__ void product(const __half *a, const __half *b, const float *c, float *d, int depth) {
  __shared__ alignas(128) __half of_a[64 * 16];
  __shared__ alignas(128) __half of_b[8 * 16];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  float sums[4];
  auto place = [&](int i) { return (16 * warp + lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2; };
  for (int i = 0; i < 4; i++) sums[i] = c[place(i)];
  for (int from = 0; from < depth; from += 16) {
    auto spread = [&](__half *to, const __half *matrix, int rows) {
      for (int i = threadIdx.x; i < rows * 16; i += blockDim.x) {
        int row = i / 16, k = i % 16;
        to[(row / 8 * 2 + k / 8) * 64 + row % 8 * 8 + k % 8] = matrix[row * depth + from + k];
      }
    };
    spread(of_a, a, 64);
    spread(of_b, b, 8);
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile(
        "{\n"
        ".reg .pred p;\n"
        "setp.ne.b32 p, %6, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0;\n"
        "}\n"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "l"(describe(of_a)), "l"(describe(of_b)), "r"(1));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    __syncthreads();
  }
  for (int i = 0; i < 4; i++) d[place(i)] = sums[i];
}
