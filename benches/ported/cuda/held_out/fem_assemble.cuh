struct FemPoint {
  double x, y;
};

extern "C" __global__ void fem_assemble(int triangles, const int* __restrict__ corner,
                                        const FemPoint* __restrict__ point, const int* __restrict__ offset,
                                        const int* __restrict__ column, double* __restrict__ value) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= triangles) return;
  int node[3];
  double2 p[3];
  for (int c = 0; c < 3; c++) {
    int n = corner[c * triangles + e];
    node[c] = n;
    p[c] = make_double2(point[n].x, point[n].y);
  }
  double area = 0.5 * ((p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[2].x - p[0].x) * (p[1].y - p[0].y));
  double2 gradient[3];
  for (int c = 0; c < 3; c++) {
    double2 p1 = p[(c + 1) % 3], p2 = p[(c + 2) % 3];
    gradient[c] = make_double2((p1.y - p2.y) / (2.0 * area), (p2.x - p1.x) / (2.0 * area));
  }
  for (int a = 0; a < 3; a++) {
    int row = node[a];
    for (int b = 0; b < 3; b++) {
      int wanted = node[b];
      int low = offset[row];
      int high = offset[row + 1] - 1;
      while (low < high) {
        int middle = (low + high) / 2;
        if (column[middle] < wanted) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      atomicAdd(&value[low], area * (gradient[a].x * gradient[b].x + gradient[a].y * gradient[b].y));
    }
  }
}
