extern "C" __global__ void adam(int n, int steps, float rate, float beta1, float beta2,
                                const float* __restrict__ gradient, float* __restrict__ mean,
                                float* __restrict__ square, float* __restrict__ parameter) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float g = gradient[i];
  float m = mean[i], v = square[i], p = parameter[i];
  for (int t = 1; t <= steps; t++) {
    m = beta1 * m + (1.0f - beta1) * g;
    v = beta2 * v + (1.0f - beta2) * g * g;
    float m_corrected = m / (1.0f - powf(beta1, (float)t));
    float v_corrected = v / (1.0f - powf(beta2, (float)t));
    p -= rate * m_corrected / (sqrtf(v_corrected) + 1e-8f);
  }
  mean[i] = m;
  square[i] = v;
  parameter[i] = p;
}
