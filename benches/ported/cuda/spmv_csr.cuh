extern "C" __global__ void spmv_csr(int rows, const int* __restrict__ offset, const int* __restrict__ column,
                                    const float* __restrict__ value, const float* __restrict__ x,
                                    float* __restrict__ y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int k = offset[row]; k < offset[row + 1]; k++) sum += value[k] * x[column[k]];
  y[row] = sum;
}
