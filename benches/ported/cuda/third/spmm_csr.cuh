extern "C" __global__ void spmm_csr(int rows, int cols, const int* __restrict__ offset,
                                    const int* __restrict__ column, const float* __restrict__ value,
                                    const float* __restrict__ dense, float* __restrict__ product) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || c >= cols) return;
  float sum = 0.0f;
  int end = offset[row + 1];
  for (int k = offset[row]; k < end; k++) sum += value[k] * dense[column[k] * cols + c];
  product[row * cols + c] = sum;
}
