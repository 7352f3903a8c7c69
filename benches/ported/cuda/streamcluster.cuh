extern "C" __global__ void streamcluster(int points, int dims, int x, int centres,
                                         const float* __restrict__ weight, const float* __restrict__ cost,
                                         const int* __restrict__ assign, const int* __restrict__ table,
                                         const float* __restrict__ coordinate, float* __restrict__ work,
                                         unsigned char* __restrict__ choice) {
  __shared__ float centre[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) {
    for (int d = 0; d < dims; d++) centre[d] = coordinate[d * points + x];
  }
  __syncthreads();
  if (i >= points) return;
  float sum = 0.0f;
  for (int d = 0; d < dims; d++) {
    float difference = coordinate[d * points + i] - centre[d];
    sum += difference * difference;
  }
  float fresh = sum * weight[i];
  float old = cost[i];
  int row = i * (centres + 1);
  if (fresh < old) {
    choice[i] = 1;
    work[row + centres] = fresh - old;
  } else {
    work[row + table[assign[i]]] += old - fresh;
  }
}
