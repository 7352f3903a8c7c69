extern "C" __global__ void cholesky_batch(int count, const float* __restrict__ a, float* __restrict__ factor) {
  int m = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= count) return;
  float l[64];
  for (int i = 0; i < 8; i++) {
    for (int j = 0; j <= i; j++) l[i * 8 + j] = a[(i * 8 + j) * count + m];
  }
  for (int j = 0; j < 8; j++) {
    float square = l[j * 8 + j];
    for (int k = 0; k < j; k++) square -= l[j * 8 + k] * l[j * 8 + k];
    float diagonal = sqrtf(square);
    l[j * 8 + j] = diagonal;
    for (int i = j + 1; i < 8; i++) {
      float sum = l[i * 8 + j];
      for (int k = 0; k < j; k++) sum -= l[i * 8 + k] * l[j * 8 + k];
      l[i * 8 + j] = sum / diagonal;
    }
  }
  for (int i = 0; i < 8; i++) {
    for (int j = 0; j <= i; j++) factor[(i * 8 + j) * count + m] = l[i * 8 + j];
  }
}
