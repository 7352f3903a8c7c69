struct __align__(16) SphParticle {
  float x, y, z, mass;
};

extern "C" __global__ void sph_density(int particles, int cells_x, int cells_y, int cells_z, float h, float scale,
                                       const int* __restrict__ start, const SphParticle* __restrict__ particle,
                                       float* __restrict__ density) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= particles) return;
  SphParticle p = particle[i];
  int cx = p.x / h;
  int cy = p.y / h;
  int cz = p.z / h;
  float sum = 0.0f;
  for (int z = max(cz - 1, 0); z <= min(cz + 1, cells_z - 1); z++) {
    for (int y = max(cy - 1, 0); y <= min(cy + 1, cells_y - 1); y++) {
      for (int x = max(cx - 1, 0); x <= min(cx + 1, cells_x - 1); x++) {
        int cell = (z * cells_y + y) * cells_x + x;
        for (int j = start[cell]; j < start[cell + 1]; j++) {
          SphParticle q = particle[j];
          float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z;
          float rest = h * h - (dx * dx + dy * dy + dz * dz);
          if (rest > 0.0f) sum += q.mass * rest * rest * rest;
        }
      }
    }
  }
  density[i] = scale * sum;
}
