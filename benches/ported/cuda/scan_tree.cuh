__device__ inline int padded(int i) { return i + (i >> 5); }

extern "C" __global__ void scan_tree(const float* __restrict__ input, float* __restrict__ output) {
  __shared__ float sums[528];
  int t = threadIdx.x;
  int start = blockIdx.x * 512;
  int a = t, b = t + 256;
  sums[padded(a)] = input[start + a];
  sums[padded(b)] = input[start + b];
  int offset = 1;
  for (int d = 256; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) {
      int from = padded(offset * (2 * t + 1) - 1);
      int to = padded(offset * (2 * t + 2) - 1);
      sums[to] += sums[from];
    }
    offset *= 2;
  }
  if (t == 0) sums[padded(511)] = 0.0f;
  for (int d = 1; d < 512; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      int from = padded(offset * (2 * t + 1) - 1);
      int to = padded(offset * (2 * t + 2) - 1);
      float left = sums[from];
      sums[from] = sums[to];
      sums[to] += left;
    }
  }
  __syncthreads();
  output[start + a] = sums[padded(a)];
  output[start + b] = sums[padded(b)];
}
