extern "C" __global__ void fft(const float* __restrict__ input, float* __restrict__ output) {
  __shared__ float re[512], im[512];
  int t = threadIdx.x;
  int first = blockIdx.x * 1024;
  for (int k = 0; k < 2; k++) {
    int from = t + 256 * k;
    int to = __brev(from) >> 23;
    re[to] = input[first + 2 * from];
    im[to] = input[first + 2 * from + 1];
  }
  __syncthreads();
  for (int half = 1; half < 512; half *= 2) {
    int within = t & (half - 1);
    int even = 2 * (t - within) + within;
    int odd = even + half;
    float angle = -3.14159265358979f * within / half;
    float sin, cos;
    sincosf(angle, &sin, &cos);
    float a = re[odd], b = im[odd];
    float x = cos * a - sin * b, y = cos * b + sin * a;
    float u = re[even], v = im[even];
    re[even] = u + x;
    im[even] = v + y;
    re[odd] = u - x;
    im[odd] = v - y;
    __syncthreads();
  }
  for (int k = 0; k < 2; k++) {
    int i = t + 256 * k;
    output[first + 2 * i] = re[i];
    output[first + 2 * i + 1] = im[i];
  }
}
