extern "C" __global__ void lud(int n, int offset, float* __restrict__ matrix) {
  __shared__ float rows[16][16];
  __shared__ float cols[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = offset + (blockIdx.y + 1) * 16;
  int col = offset + (blockIdx.x + 1) * 16;
  rows[ty][tx] = matrix[(offset + ty) * n + col + tx];
  cols[ty][tx] = matrix[(row + ty) * n + offset + tx];
  __syncthreads();
  float sum = 0.0f;
  for (int i = 0; i < 16; i++) sum += cols[ty][i] * rows[i][tx];
  matrix[(row + ty) * n + col + tx] -= sum;
}
