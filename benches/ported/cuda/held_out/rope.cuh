extern "C" __global__ void rope(int heads, int half, const int* __restrict__ position,
                                const float* __restrict__ frequency, float* __restrict__ x) {
  int i = threadIdx.x;
  if (i >= half) return;
  int token = blockIdx.x / heads;
  float angle = position[token] * frequency[i];
  float sin, cos;
  sincosf(angle, &sin, &cos);
  int first = blockIdx.x * 2 * half + i;
  float a = x[first], b = x[first + half];
  x[first] = a * cos - b * sin;
  x[first + half] = b * cos + a * sin;
}
