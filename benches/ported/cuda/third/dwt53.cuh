extern "C" __global__ void dwt53(int width, const int* __restrict__ image, int* __restrict__ bands) {
  __shared__ int pixels[516];
  __shared__ int highs[257];
  int t = threadIdx.x;
  int row = blockIdx.y * width;
  int first = blockIdx.x * 512 - 2;
  for (int k = t; k < 516; k += 256) {
    int x = first + k;
    if (x < 0) x = -x;
    if (x >= width) x = 2 * (width - 1) - x;
    if (x >= 0) pixels[k] = image[row + x];
  }
  __syncthreads();
  for (int k = t; k < 257; k += 256) highs[k] = pixels[2 * k + 1] - ((pixels[2 * k] + pixels[2 * k + 2]) >> 1);
  __syncthreads();
  int i = blockIdx.x * 256 + t;
  if (i >= width / 2) return;
  int high = highs[t + 1];
  int low = pixels[2 * t + 2] + ((highs[t] + high + 2) >> 2);
  bands[row + i] = low;
  bands[row + width / 2 + i] = high;
}
