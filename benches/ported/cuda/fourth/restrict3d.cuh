__constant__ double WEIGHT[3] = {0.25, 0.5, 0.25};

extern "C" __global__ void restrict3d(int coarse, int fine, const double* __restrict__ residual,
                                      double* __restrict__ right) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= coarse || y >= coarse || z >= coarse) return;
  double sum = 0.0;
  for (int dz = -1; dz <= 1; dz++) {
    for (int dy = -1; dy <= 1; dy++) {
      for (int dx = -1; dx <= 1; dx++) {
        double weight = WEIGHT[dz + 1] * WEIGHT[dy + 1] * WEIGHT[dx + 1];
        int row = ((2 * z + 1 + dz) * fine + 2 * y + 1 + dy) * fine;
        sum += weight * residual[row + 2 * x + 1 + dx];
      }
    }
  }
  right[(z * coarse + y) * coarse + x] = sum;
}
