extern "C" __global__ void merge_path(int count_a, int count_b, const int* __restrict__ a,
                                      const int* __restrict__ b, int* __restrict__ merged) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int diagonal = i * 8;
  if (diagonal >= count_a + count_b) return;
  int low = max(diagonal - count_b, 0);
  int high = min(diagonal, count_a);
  while (low < high) {
    int middle = (low + high) >> 1;
    if (a[middle] <= b[diagonal - 1 - middle]) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  int from_a = low;
  int from_b = diagonal - low;
  int count = min(count_a + count_b - diagonal, 8);
  for (int k = 0; k < count; k++) {
    bool take_a = from_b >= count_b || (from_a < count_a && a[from_a] <= b[from_b]);
    merged[diagonal + k] = take_a ? a[from_a++] : b[from_b++];
  }
}
