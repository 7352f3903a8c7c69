extern "C" __global__ void convolution(int width, const float* __restrict__ taps, const float* __restrict__ input,
                                       float* __restrict__ output) {
  __shared__ float tile[4][160];
  int tx = threadIdx.x, ty = threadIdx.y;
  int base_x = ((int)blockIdx.x * 8 - 1) * 16 + tx;
  int base_y = blockIdx.y * 4 + ty;
  for (int i = 1; i < 9; i++) tile[ty][tx + i * 16] = input[base_y * width + base_x + i * 16];
  tile[ty][tx] = base_x >= 0 ? input[base_y * width + base_x] : 0.0f;
  tile[ty][tx + 9 * 16] = width - base_x > 9 * 16 ? input[base_y * width + base_x + 9 * 16] : 0.0f;
  __syncthreads();
  for (int i = 1; i < 9; i++) {
    float sum = 0.0f;
    for (int j = -8; j <= 8; j++) sum += taps[8 - j] * tile[ty][tx + i * 16 + j];
    output[base_y * width + base_x + i * 16] = sum;
  }
}
