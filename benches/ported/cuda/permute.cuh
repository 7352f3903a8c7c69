extern "C" __global__ void permute(int n0, int n1, int n2, int stride0, int stride1, int stride2,
                                   const float* __restrict__ input, float* __restrict__ output) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n0 * n1 * n2) return;
  int i2 = i % n2;
  int i1 = i / n2 % n1;
  int i0 = i / (n1 * n2);
  output[i] = input[i0 * stride0 + i1 * stride1 + i2 * stride2];
}
