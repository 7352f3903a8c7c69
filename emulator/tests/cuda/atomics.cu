// Atomic operations of every type, in global and shared memory, and `cuda::atomic_ref`.
#include <cuda/atomic>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" __global__ void integers(const int *in, int *i32, unsigned *u32, long long *i64, unsigned long long *u64) {
  int v = in[blockIdx.x * blockDim.x + threadIdx.x];
  atomicAdd(&i32[0], v);
  atomicSub(&i32[1], v);
  atomicMin(&i32[2], v);
  atomicMax(&i32[3], v);
  atomicAnd(&i32[4], v | 0xff);
  atomicOr(&i32[5], v & 0xf0f);
  atomicXor(&i32[6], v);
  atomicAdd(&u32[0], (unsigned)v);
  atomicMin(&u32[1], (unsigned)v);
  atomicMax(&u32[2], (unsigned)v);
  atomicInc(&u32[3], 100);
  atomicDec(&u32[4], 100);
  atomicMin(&i64[0], (long long)v << 33);
  atomicMax(&i64[1], (long long)v << 33);
  atomicAdd(&u64[0], (unsigned long long)(long long)v);
  atomicMin(&u64[1], (unsigned long long)v);
  atomicMax(&u64[2], (unsigned long long)(unsigned)v << 20);
  atomicAnd(&u64[3], ~((unsigned long long)v << 8));
  atomicOr(&u64[4], (unsigned long long)v << 4);
  atomicXor(&u64[5], (unsigned long long)v * 0x100000001ull);
}

// Sums of small whole numbers are exact in any order.
extern "C" __global__ void floats(const int *in, float *f, double *d, __half2 *h2, __nv_bfloat162 *b2, __half *h) {
  int v = in[blockIdx.x * blockDim.x + threadIdx.x] & 3;
  atomicAdd(f, (float)v);
  atomicAdd(d, (double)v * 0.25);
  atomicAdd(h2, __floats2half2_rn(1.0f, (float)v));
  atomicAdd(b2, __floats2bfloat162_rn((float)(v & 1), 0.5f * (v & 1)));
  atomicAdd(h, __float2half((float)v));
}

extern "C" __global__ void exchanges(unsigned *slots, unsigned long long *sum, unsigned short *small) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  // Everybody puts a number in and takes another out: none is lost.
  unsigned got = atomicExch(&slots[i % 4], i + 1);
  atomicAdd(sum, (unsigned long long)got);
  unsigned old = slots[8], seen;
  do {
    seen = old;
    old = atomicCAS(&slots[8], seen, seen * 2 % 1000003);
  } while (old != seen);
  unsigned short before = *small, assumed;
  do {
    assumed = before;
    before = atomicCAS(small, assumed, (unsigned short)(assumed + 3));
  } while (before != assumed);
  atomicAdd_system(&slots[9], 1u);
  atomicAdd_block(&slots[10 + blockIdx.x], 1u);
}

extern "C" __global__ void in_shared(const unsigned char *in, unsigned *bins, int count) {
  __shared__ unsigned local[64];
  __shared__ float sum;
  for (int i = threadIdx.x; i < 64; i += blockDim.x) local[i] = 0;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    atomicAdd(&local[in[i] & 63], 1u);
    atomicAdd(&sum, 1.0f);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 64; i += blockDim.x) atomicAdd(&bins[i], local[i]);
  if (threadIdx.x == 0) atomicAdd(&bins[64], (unsigned)sum);
}

// Messages between blocks, with orders and scopes.
extern "C" __global__ void messages(int *data, int *flag, int *out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) {
      *data = 42;
      ready.store(1, cuda::memory_order_release);
    }
  } else if (threadIdx.x == 0) {
    while (ready.load(cuda::memory_order_acquire) == 0) {}
    out[blockIdx.x] = *data;
    ready.fetch_add(1, cuda::memory_order_acq_rel);
    int expected = -1;
    out[4 + blockIdx.x] = ready.compare_exchange_strong(expected, 5, cuda::memory_order_seq_cst, cuda::memory_order_relaxed);
    cuda::atomic_ref<int, cuda::thread_scope_system>(out[8]).fetch_max(blockIdx.x);
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
  }
}
