extern "C" __global__ void tridiagonal(const float* __restrict__ a, const float* __restrict__ b,
                                       const float* __restrict__ c, const float* __restrict__ d,
                                       float* __restrict__ x) {
  __shared__ float sa[256], sb[256], sc[256], sd[256];
  int t = threadIdx.x;
  int own = blockIdx.x * 256 + t;
  sa[t] = a[own];
  sb[t] = b[own];
  sc[t] = c[own];
  sd[t] = d[own];
  __syncthreads();
  for (int stride = 1; stride < 256; stride *= 2) {
    int left = t < stride ? 0 : t - stride;
    int right = t + stride > 255 ? 255 : t + stride;
    float k1 = sa[t] / sb[left];
    float k2 = sc[t] / sb[right];
    float nb = sb[t] - sc[left] * k1 - sa[right] * k2;
    float nd = sd[t] - sd[left] * k1 - sd[right] * k2;
    float na = -sa[left] * k1;
    float nc = -sc[right] * k2;
    __syncthreads();
    sa[t] = na;
    sb[t] = nb;
    sc[t] = nc;
    sd[t] = nd;
    __syncthreads();
  }
  x[own] = sd[t] / sb[t];
}
