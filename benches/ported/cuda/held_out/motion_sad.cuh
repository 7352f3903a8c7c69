extern "C" __global__ void motion_sad(int width, int height, const unsigned char* __restrict__ frame,
                                      const unsigned char* __restrict__ before, unsigned* __restrict__ best) {
  __shared__ int tile[16][16];
  __shared__ unsigned least;
  int tx = threadIdx.x, ty = threadIdx.y;
  int x0 = blockIdx.x * 16, y0 = blockIdx.y * 16;
  int px = min(x0 + tx, width - 1), py = min(y0 + ty, height - 1);
  tile[ty][tx] = frame[py * width + px];
  if (tx == 0 && ty == 0) least = 0xffffffffu;
  __syncthreads();
  int sum = 0;
  for (int y = 0; y < 16; y++) {
    int sy = min(max(y0 + y + ty - 8, 0), height - 1);
    for (int x = 0; x < 16; x++) {
      int sx = min(max(x0 + x + tx - 8, 0), width - 1);
      sum += abs(tile[y][x] - before[sy * width + sx]);
    }
  }
  atomicMin(&least, (unsigned)sum << 8 | (ty * 16 + tx));
  __syncthreads();
  if (tx == 0 && ty == 0) best[blockIdx.y * gridDim.x + blockIdx.x] = least;
}
