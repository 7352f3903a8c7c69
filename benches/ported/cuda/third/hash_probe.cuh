struct Slot {
  unsigned key, value;
};

__device__ inline unsigned mix(unsigned x) {
  x ^= x >> 16;
  x *= 0x85ebca6bu;
  x ^= x >> 13;
  x *= 0xc2b2ae35u;
  return x ^ x >> 16;
}

extern "C" __global__ void hash_probe(int keys, unsigned mask, const Slot* __restrict__ table,
                                      const unsigned* __restrict__ key, unsigned* __restrict__ value) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < keys; i += blockDim.x * gridDim.x) {
    unsigned wanted = key[i];
    unsigned place = mix(wanted) & mask;
    unsigned found = 0;
    while (true) {
      Slot slot = table[place];
      if (slot.key == wanted) {
        found = slot.value;
        break;
      }
      if (slot.key == 0) break;
      place = (place + 1) & mask;
    }
    value[i] = found;
  }
}
