extern "C" __global__ void fdtd3d(int width, int height, int depth, const float* __restrict__ weight,
                                  const float* __restrict__ input, float* __restrict__ output) {
  __shared__ float tile[16][40];
  int tx = threadIdx.x, ty = threadIdx.y;
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int row = width + 8;
  int plane = row * (height + 8);
  bool valid = x < width && y < height;
  int index = (y + 4) * row + x + 4;
  float column[9];
  if (valid) {
    for (int k = 0; k < 8; k++) column[k + 1] = input[index + k * plane];
  }
  index += 4 * plane;
  for (int z = 0; z < depth; z++) {
    for (int k = 0; k < 8; k++) column[k] = column[k + 1];
    if (valid) column[8] = input[index + 4 * plane];
    __syncthreads();
    if (valid) {
      tile[ty + 4][tx + 4] = column[4];
      if (ty < 4) tile[ty][tx + 4] = input[index - 4 * row];
      if (tx < 4) tile[ty + 4][tx] = input[index - 4];
      if (ty >= 4 || y + 4 >= height) tile[ty + 8][tx + 4] = input[index + 4 * row];
      if (tx >= 28 || x + 4 >= width) tile[ty + 4][tx + 8] = input[index + 4];
    }
    __syncthreads();
    if (valid) {
      float sum = weight[0] * column[4];
      for (int k = 1; k <= 4; k++) {
        float along = column[4 - k] + column[4 + k];
        float down = tile[ty + 4 - k][tx + 4] + tile[ty + 4 + k][tx + 4];
        float across = tile[ty + 4][tx + 4 - k] + tile[ty + 4][tx + 4 + k];
        sum += weight[k] * (along + down + across);
      }
      output[(z * height + y) * width + x] = sum;
    }
    index += plane;
  }
}
