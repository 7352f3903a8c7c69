// Control flow: tables of targets, loops with many exits, divergence, waiting, clocks, inline PTX.
extern "C" __global__ void interpreter(const unsigned char *code, int length, const int *in, int *out) {
  int a = in[threadIdx.x], b = 1, steps = 0;
  for (int pc = 0; pc < length && steps < 500; pc++, steps++) {
    switch (code[pc]) {
      case 0: a += b; break;
      case 1: b ^= a; break;
      case 2: a = a * 3 + 1; break;
      case 3: if (a & 1) pc++; break;
      case 4: b = (b << 1) | ((unsigned)b >> 31); break;
      case 5: a -= threadIdx.x; break;
      case 6: if (b % 7 == 0) pc -= 3; if (pc < -1) pc = -1; break;
      case 7: { int t = a; a = b; b = t; break; }
      case 8: a = __popc(b) - __clz(a); break;
      case 9: if (steps > 300) goto done; break;
      case 10: a ^= 0x5bd1e995; b += steps; break;
      default: b = ~b; break;
    }
  }
done:
  out[threadIdx.x] = a * 31 + b;
}

extern "C" __global__ void collatz(const unsigned *in, unsigned *out) {
  unsigned long long n = in[threadIdx.x];
  unsigned steps = 0;
  while (n != 1) {
    n = n & 1 ? 3 * n + 1 : n >> 1;
    if (++steps > 1000) break;
  }
  out[threadIdx.x] = steps;
}

// A lock that the threads of a warp take one after another.
__device__ int lock = 0;
__device__ volatile int guarded = 0;
extern "C" __global__ void spin(int *out) {
  bool done = false;
  while (!done) {
    if (atomicCAS(&lock, 0, 1) == 0) {
      __threadfence();
      int value = guarded;
      __nanosleep(10);
      guarded = value + 1;
      __threadfence();
      atomicExch(&lock, 0);
      done = true;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0 && blockIdx.x == 0) out[0] = 1;
}
extern "C" __global__ void guarded_value(int *out) { *out = guarded; }

extern "C" __global__ void inline_ptx(const unsigned *a, const unsigned *b, unsigned *out, int stride) {
  unsigned i = threadIdx.x, x = a[i], y = b[i], r;
  asm("lop3.b32 %0, %1, %2, %3, 0xca;" : "=r"(r) : "r"(x), "r"(y), "r"(x * y));
  out[0 * stride + i] = r;
  asm("{\n\t.reg .pred p;\n\tsetp.lt.u32 p, %1, %2;\n\t@p mov.u32 %0, 17;\n\t@!p mov.u32 %0, 23;\n}" : "=r"(r) : "r"(x), "r"(y));
  out[1 * stride + i] = r;
  unsigned low, high;
  asm("add.cc.u32 %0, %2, %3;\n\taddc.u32 %1, 0, 0;" : "=r"(low), "=r"(high) : "r"(x), "r"(y));
  out[2 * stride + i] = low ^ high << 16;
  asm volatile("{ .reg .b64 t; mov.b64 t, {%1, %2}; shr.u64 t, t, 20; cvt.u32.u64 %0, t; }" : "=r"(r) : "r"(x), "r"(y));
  out[3 * stride + i] = r;
  asm("prmt.b32.f4e %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(i));
  out[4 * stride + i] = r;
  asm("bfind.shiftamt.u32 %0, %1;" : "=r"(r) : "r"(x));
  out[5 * stride + i] = r;
}

extern "C" __global__ void time_passes(long long *out) {
  long long start = clock64();
  unsigned long long before;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(before));
  __nanosleep(2000);
  unsigned long long after;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(after));
  out[0] = clock64() - start > 0;
  out[1] = after >= before;
}

// Threads that leave early, barriers for the rest, and counts by barriers.
extern "C" __global__ void barriers(const int *in, int *out) {
  int i = threadIdx.x;
  out[i] = __syncthreads_count(in[i] > 0) * 10000 + (__syncthreads_and(in[i] < 1000) != 0) * 1000 + (__syncthreads_or(in[i] == 5) != 0) * 100;
  if (i >= 64) return;
  if (i % 2) {
    for (int j = 0; j < i % 7; j++) out[i] += j;
  } else {
    out[i] -= 1;
  }
  __syncwarp();
  out[i] += __reduce_max_sync(0xffffffff, (unsigned)i);
}
