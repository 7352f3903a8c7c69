extern "C" __global__ void backprop(int units, const float* __restrict__ input, float* __restrict__ weights,
                                    float* __restrict__ partial) {
  __shared__ float node[16];
  __shared__ float tile[16][16];
  int by = blockIdx.y;
  int tx = threadIdx.x, ty = threadIdx.y;
  int index = (units + 1) * 16 * by + (units + 1) * ty + tx + 1 + (units + 1);
  if (tx == 0) node[ty] = input[16 * by + ty + 1];
  __syncthreads();
  tile[ty][tx] = weights[index];
  __syncthreads();
  tile[ty][tx] = tile[ty][tx] * node[ty];
  __syncthreads();
  for (int i = 1; i <= 4; i++) {
    int power = 1 << i;
    if (ty % power == 0) tile[ty][tx] += tile[ty + power / 2][tx];
    __syncthreads();
  }
  weights[index] = tile[ty][tx];
  __syncthreads();
  if (tx == 0) partial[by * units + ty] = tile[tx][ty];
}
