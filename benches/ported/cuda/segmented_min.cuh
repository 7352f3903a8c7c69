extern "C" __global__ void segmented_min(int queries, int segments, const int* __restrict__ query,
                                         const int* __restrict__ offset, const int* __restrict__ index,
                                         const int* __restrict__ data, int* __restrict__ least) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= queries) return;
  int place = query[i];
  int low = 0, high = segments;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (offset[middle] <= place) {
      low = middle;
    } else {
      high = middle;
    }
  }
  int smallest = INT32_MAX;
  int k = offset[low];
  int end = offset[low + 1];
  while (k < end) {
    smallest = min(smallest, data[index[k]]);
    k++;
  }
  least[i] = smallest;
}
