extern "C" __global__ void radix_scatter(int n, int shift, const unsigned* __restrict__ key,
                                         const unsigned* __restrict__ value, const int* __restrict__ offset,
                                         unsigned* __restrict__ sorted_key, unsigned* __restrict__ sorted_value) {
  __shared__ int counts[8][17];
  int t = threadIdx.x;
  int i = blockIdx.x * 256 + t;
  int lane = t % 32;
  int warp = t / 32;
  for (int k = t; k < 8 * 17; k += 256) counts[k / 17][k % 17] = 0;
  __syncthreads();
  unsigned own_key = 0;
  int digit = 16;
  if (i < n) {
    own_key = key[i];
    digit = own_key >> shift & 15;
  }
  // The lanes with the same digit, and how many of them are before this one.
  unsigned same = __match_any_sync(0xffffffffu, digit);
  int rank = __popc(same & ((1u << lane) - 1));
  if (rank == 0) counts[warp][digit] = __popc(same);
  __syncthreads();
  if (i < n) {
    int place = offset[digit * gridDim.x + blockIdx.x] + rank;
    for (int w = 0; w < warp; w++) place += counts[w][digit];
    sorted_key[place] = own_key;
    sorted_value[place] = value[i];
  }
}
