extern "C" __global__ void jacobi3d(int nx, int ny, int nz, float c0, float c1, const float* __restrict__ a,
                                    float* __restrict__ b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i > 0 && j > 0 && i < nx - 1 && j < ny - 1) {
    for (int k = 1; k < nz - 1; k++) {
      int here = i + nx * (j + ny * k);
      float around = a[i + nx * (j + ny * (k + 1))] + a[i + nx * (j + ny * (k - 1))] +
                     a[i + nx * (j + 1 + ny * k)] + a[i + nx * (j - 1 + ny * k)] +
                     a[i + 1 + nx * (j + ny * k)] + a[i - 1 + nx * (j + ny * k)];
      b[here] = around * c1 - a[here] * c0;
    }
  }
}
