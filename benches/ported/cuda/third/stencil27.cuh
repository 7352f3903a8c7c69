extern "C" __global__ void stencil27(int depth, int height, int width, const float* __restrict__ weight,
                                     const float* __restrict__ field, float* __restrict__ next) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  for (int z = 1; z < depth - 1; z++) {
    float sum = 0.0f;
    for (int dz = -1; dz <= 1; dz++) {
      for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
          float w = weight[(dz + 1) * 9 + (dy + 1) * 3 + dx + 1];
          sum += w * field[((z + dz) * height + y + dy) * width + x + dx];
        }
      }
    }
    next[(z * height + y) * width + x] = sum;
  }
}
