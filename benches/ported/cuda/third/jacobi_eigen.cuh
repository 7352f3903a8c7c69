extern "C" __global__ void jacobi_eigen(int matrices, int sweeps, const double* __restrict__ matrix,
                                        double* __restrict__ eigenvalue) {
  int m = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= matrices) return;
  double a[16];
  for (int k = 0; k < 16; k++) a[k] = matrix[k * matrices + m];
  for (int sweep = 0; sweep < sweeps; sweep++) {
    for (int p = 0; p < 3; p++) {
      for (int q = p + 1; q < 4; q++) {
        double apq = a[p * 4 + q];
        if (fabs(apq) < 1e-300) continue;
        double theta = (a[q * 5] - a[p * 5]) / (2.0 * apq);
        double t = 1.0 / (fabs(theta) + sqrt(theta * theta + 1.0));
        if (theta < 0.0) t = -t;
        double c = 1.0 / sqrt(t * t + 1.0);
        double s = t * c;
        for (int k = 0; k < 4; k++) {
          double x = a[k * 4 + p], y = a[k * 4 + q];
          a[k * 4 + p] = c * x - s * y;
          a[k * 4 + q] = s * x + c * y;
        }
        for (int k = 0; k < 4; k++) {
          double x = a[p * 4 + k], y = a[q * 4 + k];
          a[p * 4 + k] = c * x - s * y;
          a[q * 4 + k] = s * x + c * y;
        }
      }
    }
  }
  double sorted[4];
  for (int k = 0; k < 4; k++) {
    double value = a[k * 5];
    int place = k;
    while (place > 0 && sorted[place - 1] > value) {
      sorted[place] = sorted[place - 1];
      place--;
    }
    sorted[place] = value;
  }
  for (int k = 0; k < 4; k++) eigenvalue[k * matrices + m] = sorted[k];
}
