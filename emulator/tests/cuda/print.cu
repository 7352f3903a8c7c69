// `printf` with arguments of all kinds; one thread prints at a time, so that the order is known.
#include <cstdio>

struct Pair {
  int first;
  double second;
};

extern "C" __global__ void print_all(const char *text, int number, float real, unsigned long long wide) {
  printf("plain text, 100%%\n");
  printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d]\n", number, number, number, number, number, number);
  printf("[%u] [%x] [%X] [%#x] [%o] [%#o]\n", number, number, number, number, number, number);
  printf("[%lld] [%llu] [%llx] [%ld]\n", (long long)wide, wide, wide, (long)-1);
  printf("[%f] [%.2f] [%8.3f] [%-9.1f] [%e] [%g] [%G]\n", real, real, real, real, real, real, real);
  printf("[%g] [%g] [%f]\n", 1.0 / 0.0, -1.0 / 0.0, 1e-3);
  printf("[%c%c] [%s] [%10s] [%-10s] [%.3s]\n", 'o', 'k', text, text, text, text);
  printf("[%*d] [%-*d]\n", 6, number, 6, number);
  printf("[%hd] [%i]\n", (short)-7, -9);
  Pair pair = {number, real};
  printf("{%d, %.3f}\n", pair.first, pair.second);
}

extern "C" __global__ void print_in_turn(int *turn) {
  for (int i = 0; i < (int)blockDim.x; i++) {
    if (i == (int)threadIdx.x) {
      int written = printf("thread %d of %d\n", i, blockDim.x);
      *turn += written;
    }
    __syncthreads();
  }
}
