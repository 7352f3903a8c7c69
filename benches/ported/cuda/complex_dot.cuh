struct __align__(8) Complex {
  float re, im;
};

extern "C" __global__ void complex_dot(int n, const Complex* __restrict__ x, const Complex* __restrict__ y,
                                       float* __restrict__ re_sums, float* __restrict__ im_sums) {
  __shared__ float re[256], im[256];
  int t = threadIdx.x;
  Complex sum = {0.0f, 0.0f};
  int stride = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    Complex a = x[i], b = y[i];
    sum.re += a.re * b.re + a.im * b.im;
    sum.im += a.re * b.im - a.im * b.re;
  }
  for (int half = 128; half > 0; half /= 2) {
    re[t] = sum.re;
    im[t] = sum.im;
    __syncthreads();
    if (t < half) {
      sum.re += re[t + half];
      sum.im += im[t + half];
    }
    __syncthreads();
  }
  if (t == 0) {
    re_sums[blockIdx.x] = sum.re;
    im_sums[blockIdx.x] = sum.im;
  }
}
