extern "C" __global__ void transpose(int width, int height, const float* __restrict__ input,
                                     float* __restrict__ output) {
  __shared__ float tile[32][33];
  int tx = threadIdx.x, ty = threadIdx.y;
  int x = blockIdx.x * 32 + tx;
  int y = blockIdx.y * 32 + ty;
  for (int k = 0; k < 4; k++) {
    if (x < width && y + 8 * k < height) tile[ty + 8 * k][tx] = input[(y + 8 * k) * width + x];
  }
  __syncthreads();
  x = blockIdx.y * 32 + tx;
  y = blockIdx.x * 32 + ty;
  for (int k = 0; k < 4; k++) {
    if (x < height && y + 8 * k < width) output[(y + 8 * k) * height + x] = tile[tx][ty + 8 * k];
  }
}
