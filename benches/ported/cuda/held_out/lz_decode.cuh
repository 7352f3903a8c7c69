extern "C" __global__ void lz_decode(int pages, int size, const int* __restrict__ first,
                                     const unsigned char* __restrict__ packed, unsigned char* __restrict__ page) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pages) return;
  int base = i * size;
  int from = first[i];
  int end = first[i + 1];
  int to = 0;
  while (from < end && to < size) {
    int lengths = packed[from++];
    for (int run = lengths >> 4; run > 0; run--) page[base + to++] = packed[from++];
    int distance = packed[from++];
    if (distance == 0) continue;
    for (int k = 0; k < (lengths & 15) + 3; k++) {
      page[base + to] = page[base + to - distance];
      to++;
    }
  }
}
