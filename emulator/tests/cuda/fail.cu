// Kernels that end badly.
#include <cassert>

extern "C" __global__ void asserts(const int *in, int limit) {
  assert(in[threadIdx.x] < limit && "below the limit");
}

extern "C" __global__ void traps(int at) {
  if (threadIdx.x == at) __trap();
}

extern "C" __global__ void writes_nowhere(int *where) { where[0] = 1; }

typedef int (*Function)(int);
extern "C" __global__ void calls_nowhere(Function function, int *out) { *out = function(1); }

extern "C" __global__ void misaligned(char *bytes) { *(volatile int *)(bytes + 1) = 1; }
