extern "C" __global__ void floyd(int nodes, int k, unsigned* __restrict__ distance, unsigned* __restrict__ path) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int n = nodes;
  if (x >= n || y >= n) return;
  unsigned old = distance[y * n + x];
  unsigned through = distance[y * n + k] + distance[k * n + x];
  if (through < old) {
    distance[y * n + x] = through;
    path[y * n + x] = k;
  }
}
