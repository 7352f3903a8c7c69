extern "C" __global__ void crc32(int records, int length, const unsigned* __restrict__ table,
                                 const unsigned char* __restrict__ data, unsigned* __restrict__ sums) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= records) return;
  unsigned sum = 0xffffffffu;
  for (int k = 0; k < length; k++) {
    unsigned byte = data[i * length + k];
    sum = table[(sum ^ byte) & 0xff] ^ (sum >> 8);
  }
  sums[i] = ~sum;
}
