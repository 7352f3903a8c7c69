extern "C" __global__ void layernorm_backward(int cols, const float* __restrict__ x,
                                              const float* __restrict__ upstream, const float* __restrict__ gamma,
                                              const float* __restrict__ mean, const float* __restrict__ inverse,
                                              float* __restrict__ gradient) {
  __shared__ float2 pairs[256];
  int t = threadIdx.x;
  int row = blockIdx.x;
  float m = mean[row], inv = inverse[row];
  float sum = 0.0f, product = 0.0f;
  for (int c = t; c < cols; c += 256) {
    float g = upstream[row * cols + c] * gamma[c];
    sum += g;
    product += g * (x[row * cols + c] - m) * inv;
  }
  for (int half = 128; half > 0; half /= 2) {
    pairs[t] = make_float2(sum, product);
    __syncthreads();
    if (t < half) {
      float2 other = pairs[t + half];
      sum += other.x;
      product += other.y;
    }
    __syncthreads();
  }
  pairs[t] = make_float2(sum, product);
  __syncthreads();
  sum = pairs[0].x / cols;
  product = pairs[0].y / cols;
  for (int c = t; c < cols; c += 256) {
    float g = upstream[row * cols + c] * gamma[c];
    float normal = (x[row * cols + c] - m) * inv;
    gradient[row * cols + c] = inv * (g - sum - normal * product);
  }
}
