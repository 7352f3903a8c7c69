extern "C" __global__ void thomas_batch(int rows, int systems, const double* __restrict__ a,
                                        const double* __restrict__ b, const double* __restrict__ c,
                                        const double* __restrict__ d, double* __restrict__ ratio,
                                        double* __restrict__ x) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= systems) return;
  double before = c[s] / b[s];
  double value = d[s] / b[s];
  ratio[s] = before;
  x[s] = value;
  for (int i = 1; i < rows; i++) {
    int k = i * systems + s;
    double scale = 1.0 / (b[k] - a[k] * before);
    before = c[k] * scale;
    value = (d[k] - a[k] * value) * scale;
    ratio[k] = before;
    x[k] = value;
  }
  for (int i = rows - 2; i >= 0; i--) {
    int k = i * systems + s;
    value = x[k] - ratio[k] * value;
    x[k] = value;
  }
}
