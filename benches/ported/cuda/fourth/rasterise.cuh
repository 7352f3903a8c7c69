struct Vertex {
  int x, y, depth;
};

__device__ inline int edge(Vertex a, Vertex b, int x, int y) {
  return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
}

extern "C" __global__ void rasterise(int triangles, int width, int height, const Vertex* __restrict__ vertex,
                                     const int* __restrict__ corner, unsigned* __restrict__ front) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= triangles) return;
  Vertex a = vertex[corner[3 * i]];
  Vertex b = vertex[corner[3 * i + 1]];
  Vertex c = vertex[corner[3 * i + 2]];
  int area = edge(a, b, c.x, c.y);
  if (area <= 0) return;
  int left = max(min(min(a.x, b.x), c.x) >> 4, 0);
  int right = min(max(max(a.x, b.x), c.x) >> 4, width - 1);
  int top = max(min(min(a.y, b.y), c.y) >> 4, 0);
  int bottom = min(max(max(a.y, b.y), c.y) >> 4, height - 1);
  for (int y = top; y <= bottom; y++) {
    for (int x = left; x <= right; x++) {
      int px = 16 * x + 8, py = 16 * y + 8;
      int u = edge(b, c, px, py);
      int v = edge(c, a, px, py);
      int w = edge(a, b, px, py);
      if (u >= 0 && v >= 0 && w >= 0) {
        int depth = (u * a.depth + v * b.depth + w * c.depth) / area;
        unsigned key = depth << 20 | i;
        atomicMin(&front[y * width + x], key);
      }
    }
  }
}
