extern "C" __global__ void jacobi_csr(int rows, const int* __restrict__ offset, const int* __restrict__ column,
                                      const double* __restrict__ value, const double* __restrict__ b,
                                      const double* __restrict__ x, double* __restrict__ next) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  double sum = b[row];
  double diagonal = 1.0;
  for (int k = offset[row]; k < offset[row + 1]; k++) {
    int j = column[k];
    if (j == row) {
      diagonal = value[k];
    } else {
      sum -= value[k] * x[j];
    }
  }
  next[row] = sum / diagonal;
}
