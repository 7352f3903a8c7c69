extern "C" __global__ void group_norm(int groups, int per_group, int pixels, float epsilon,
                                      const float* __restrict__ x, const float* __restrict__ gamma,
                                      const float* __restrict__ beta, float* __restrict__ y) {
  __shared__ float sums[8];
  __shared__ float squares[8];
  int t = threadIdx.x;
  int group = blockIdx.x % groups;
  int len = per_group * pixels;
  int base = blockIdx.x * len;
  float sum = 0.0f, square = 0.0f;
  for (int i = t; i < len; i += blockDim.x) {
    float value = x[base + i];
    sum += value;
    square += value * value;
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_down_sync(0xffffffffu, sum, distance);
    square += __shfl_down_sync(0xffffffffu, square, distance);
  }
  if (t % 32 == 0) {
    sums[t / 32] = sum;
    squares[t / 32] = square;
  }
  __syncthreads();
  sum = 0.0f;
  square = 0.0f;
  for (int w = 0; w < 8; w++) {
    sum += sums[w];
    square += squares[w];
  }
  float mean = sum / len;
  float variance = square / len - mean * mean;
  float inverse = 1.0f / sqrtf(variance + epsilon);
  for (int i = t; i < len; i += blockDim.x) {
    int channel = group * per_group + i / pixels;
    float normal = (x[base + i] - mean) * inverse;
    y[base + i] = normal * gamma[channel] + beta[channel];
  }
}
