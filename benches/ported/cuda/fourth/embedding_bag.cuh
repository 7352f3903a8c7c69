extern "C" __global__ void embedding_bag(int bags, int columns, const float* __restrict__ table,
                                         const int* __restrict__ start, const int64_t* __restrict__ index,
                                         const float* __restrict__ weight, float* __restrict__ sums) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int bag = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= columns || bag >= bags) return;
  float sum = 0.0f;
  for (int e = start[bag]; e < start[bag + 1]; e++) {
    int64_t row = index[e];
    sum += weight[e] * table[row * columns + column];
  }
  sums[bag * columns + column] = sum;
}
