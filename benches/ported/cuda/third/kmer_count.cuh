static __constant__ int CODE[8] = {-1, 0, -1, 1, 3, -1, -1, 2};

extern "C" __global__ void kmer_count(int reads, const int* __restrict__ start,
                                      const unsigned char* __restrict__ letters, unsigned* __restrict__ count) {
  int read = blockIdx.x * blockDim.x + threadIdx.x;
  if (read >= reads) return;
  int mask = (1 << 18) - 1;
  int word = 0, reverse = 0, known = 0;
  int end = start[read + 1];
  for (int i = start[read]; i < end; i++) {
    int code = CODE[letters[i] & 7];
    if (code < 0) {
      known = 0;
      continue;
    }
    word = (word << 2 | code) & mask;
    reverse = reverse >> 2 | (3 - code) << 16;
    known++;
    if (known >= 9) atomicAdd(&count[min(word, reverse)], 1u);
  }
}
