extern "C" __global__ void pathfinder(int steps, int cols, int start, const int* __restrict__ wall,
                                      const int* __restrict__ source, int* __restrict__ result) {
  __shared__ int prev[256];
  __shared__ int sums[256];
  int tx = threadIdx.x;
  int small = 256 - 2 * steps;
  int first = small * (int)blockIdx.x - steps;
  int last = first + 255;
  int x = first + tx;
  int least = first < 0 ? -first : 0;
  int most = last > cols - 1 ? 255 - (last - cols + 1) : 255;
  int w = tx - 1 < least ? least : tx - 1;
  int e = tx + 1 > most ? most : tx + 1;
  bool valid = tx >= least && tx <= most;
  if (x >= 0 && x < cols) prev[tx] = source[x];
  __syncthreads();
  bool computed = false;
  for (int i = 0; i < steps; i++) {
    computed = false;
    if (tx > i && tx < 255 - i && valid) {
      computed = true;
      int shortest = min(min(prev[w], prev[tx]), prev[e]);
      sums[tx] = shortest + wall[cols * (start + i) + x];
    }
    __syncthreads();
    if (i == steps - 1) break;
    if (computed) prev[tx] = sums[tx];
    __syncthreads();
  }
  if (computed) result[x] = sums[tx];
}
