extern "C" __global__ void dct8x8(int width, const float* __restrict__ cosine, const float* __restrict__ input,
                                  float* __restrict__ output) {
  __shared__ float tile[8][8];
  __shared__ float half[8][8];
  int tx = threadIdx.x, ty = threadIdx.y;
  int x = blockIdx.x * 8 + tx;
  int y = blockIdx.y * 8 + ty;
  tile[ty][tx] = input[y * width + x];
  __syncthreads();
  float sum = 0.0f;
  for (int k = 0; k < 8; k++) sum += cosine[ty * 8 + k] * tile[k][tx];
  half[ty][tx] = sum;
  __syncthreads();
  sum = 0.0f;
  for (int k = 0; k < 8; k++) sum += half[ty][k] * cosine[tx * 8 + k];
  output[y * width + x] = sum;
}
