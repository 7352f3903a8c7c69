extern "C" __global__ void needle(int cols, int diagonal, int penalty, const int* __restrict__ score,
                                  int* __restrict__ table) {
  __shared__ int tile[17][17];
  __shared__ int scores[16][16];
  int tx = threadIdx.x;
  int bx = blockIdx.x;
  int by = diagonal - bx;
  int base = cols * cols * blockIdx.y + cols * 16 * by + 16 * bx;
  if (tx == 0) tile[0][0] = table[base];
  for (int ty = 0; ty < 16; ty++) scores[ty][tx] = score[base + cols * (ty + 1) + tx + 1];
  tile[tx + 1][0] = table[base + cols * (tx + 1)];
  tile[0][tx + 1] = table[base + tx + 1];
  __syncthreads();
  for (int m = 0; m < 16; m++) {
    if (tx <= m) {
      int x = tx + 1;
      int y = m - tx + 1;
      int aligned = tile[y - 1][x - 1] + scores[y - 1][x - 1];
      int gap = max(tile[y][x - 1], tile[y - 1][x]) - penalty;
      tile[y][x] = max(aligned, gap);
    }
    __syncthreads();
  }
  for (int m = 14; m >= 0; m--) {
    if (tx <= m) {
      int x = tx + 16 - m;
      int y = 16 - tx;
      int aligned = tile[y - 1][x - 1] + scores[y - 1][x - 1];
      int gap = max(tile[y][x - 1], tile[y - 1][x]) - penalty;
      tile[y][x] = max(aligned, gap);
    }
    __syncthreads();
  }
  for (int ty = 0; ty < 16; ty++) table[base + cols * (ty + 1) + tx + 1] = tile[ty + 1][tx + 1];
}
