extern "C" __global__ void triangle_count(int edges, const int* __restrict__ from, const int* __restrict__ to,
                                          const int* __restrict__ offset, int* __restrict__ common,
                                          unsigned* __restrict__ triangles) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= edges) return;
  int u = from[e], v = to[e];
  int i = offset[u], j = offset[v];
  int end_i = offset[u + 1], end_j = offset[v + 1];
  int count = 0;
  while (i < end_i && j < end_j) {
    int difference = to[i] - to[j];
    if (difference == 0) count++;
    if (difference <= 0) i++;
    if (difference >= 0) j++;
  }
  common[e] = count;
  if (count > 0) atomicAdd(triangles, (unsigned)count);
}
