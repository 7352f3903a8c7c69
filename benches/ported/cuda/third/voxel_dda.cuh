struct Ray {
  float origin[3], inverse[3];
};

extern "C" __global__ void voxel_dda(int rays, int size_x, int size_y, int size_z,
                                     const unsigned char* __restrict__ occupied, const Ray* __restrict__ ray,
                                     int* __restrict__ hit, unsigned short* __restrict__ steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rays) return;
  Ray r = ray[i];
  int x = (int)floorf(r.origin[0]);
  int y = (int)floorf(r.origin[1]);
  int z = (int)floorf(r.origin[2]);
  int step_x = r.inverse[0] < 0.0f ? -1 : 1;
  int step_y = r.inverse[1] < 0.0f ? -1 : 1;
  int step_z = r.inverse[2] < 0.0f ? -1 : 1;
  float next_x = ((x + (step_x + 1) / 2) - r.origin[0]) * r.inverse[0];
  float next_y = ((y + (step_y + 1) / 2) - r.origin[1]) * r.inverse[1];
  float next_z = ((z + (step_z + 1) / 2) - r.origin[2]) * r.inverse[2];
  int found = -1;
  int count = 0;
  while (x >= 0 && x < size_x && y >= 0 && y < size_y && z >= 0 && z < size_z) {
    int voxel = (z * size_y + y) * size_x + x;
    if (occupied[voxel] != 0) {
      found = voxel;
      break;
    }
    count++;
    if (next_x <= next_y && next_x <= next_z) {
      x += step_x;
      next_x += fabsf(r.inverse[0]);
    } else if (next_y <= next_z) {
      y += step_y;
      next_y += fabsf(r.inverse[1]);
    } else {
      z += step_z;
      next_z += fabsf(r.inverse[2]);
    }
  }
  hit[i] = found;
  steps[i] = count;
}
