extern "C" __global__ void bitonic_shared(const unsigned* __restrict__ keys, unsigned* __restrict__ sorted) {
  __shared__ unsigned own[512];
  int t = threadIdx.x;
  int first = blockIdx.x * 512;
  own[t] = keys[first + t];
  own[t + 256] = keys[first + t + 256];
  for (int size = 2; size <= 512; size *= 2) {
    bool up = (t & (size / 2)) == 0 || size == 512;
    for (int stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      int at = 2 * t - (t & (stride - 1));
      unsigned a = own[at], b = own[at + stride];
      if ((a > b) == up) {
        own[at] = b;
        own[at + stride] = a;
      }
    }
  }
  __syncthreads();
  sorted[first + t] = own[t];
  sorted[first + t + 256] = own[t + 256];
}
