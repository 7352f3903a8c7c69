extern "C" __global__ void bit_unpack(int n, int bits, const unsigned* __restrict__ words,
                                      const int* __restrict__ least, int* __restrict__ numbers) {
  unsigned mask = (1u << bits) - 1;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    int first = i * bits;
    int word = first >> 5, shift = first & 31;
    unsigned value = words[word] >> shift;
    if (shift + bits > 32) value |= words[word + 1] << (32 - shift);
    numbers[i] = least[i / 128] + (int)(value & mask);
  }
}
