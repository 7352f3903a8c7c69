extern "C" __global__ void marching_cubes(int cells_x, int cells_y, int cells_z, float level,
                                          const float* __restrict__ volume,
                                          const unsigned char* __restrict__ vertices,
                                          unsigned char* __restrict__ cases, int* __restrict__ count,
                                          unsigned* __restrict__ occupied) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= cells_x * cells_y * cells_z) return;
  int x = i % cells_x;
  int y = i / cells_x % cells_y;
  int z = i / (cells_x * cells_y);
  int row = cells_x + 1, plane = (cells_x + 1) * (cells_y + 1);
  int first = z * plane + y * row + x;
  float corners[8] = {volume[first],
                      volume[first + 1],
                      volume[first + row + 1],
                      volume[first + row],
                      volume[first + plane],
                      volume[first + plane + 1],
                      volume[first + plane + row + 1],
                      volume[first + plane + row]};
  unsigned below = 0;
  for (int k = 0; k < 8; k++) {
    if (corners[k] < level) below |= 1u << k;
  }
  int n = vertices[below];
  cases[i] = below;
  count[i] = n;
  unsigned some = __ballot_sync(__activemask(), n > 0);
  unsigned lower = (1u << threadIdx.x % 32) - 1;
  if (n > 0 && (lower & some) == 0) atomicAdd(occupied, (unsigned)__popc(some));
}
