extern "C" __global__ void ell(int rows, int width, const int* __restrict__ column, const float* __restrict__ value,
                               const float* __restrict__ x, float* __restrict__ y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    float sum = 0.0f;
    for (int k = 0; k < width; k++) {
      int col = column[k * rows + row];
      if (col >= 0) sum += value[k * rows + row] * x[col];
    }
    y[row] = sum;
  }
}
