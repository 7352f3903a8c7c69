extern "C" __global__ void spgemm_count(const int* __restrict__ a_start, const int* __restrict__ a_column,
                                        const int* __restrict__ b_start, const int* __restrict__ b_column,
                                        int* __restrict__ count) {
  __shared__ int table[1024];
  __shared__ int total;
  int row = blockIdx.x;
  int t = threadIdx.x;
  for (int k = t; k < 1024; k += blockDim.x) table[k] = -1;
  if (t == 0) total = 0;
  __syncthreads();
  int found = 0;
  for (int k = a_start[row]; k < a_start[row + 1]; k++) {
    int middle = a_column[k];
    for (int e = b_start[middle] + t; e < b_start[middle + 1]; e += blockDim.x) {
      int column = b_column[e];
      int place = column * 107 & 1023;
      while (true) {
        int other = atomicCAS(&table[place], -1, column);
        if (other == -1) {
          found++;
          break;
        }
        if (other == column) break;
        place = (place + 1) & 1023;
      }
    }
  }
  atomicAdd(&total, found);
  __syncthreads();
  if (t == 0) count[row] = total;
}
