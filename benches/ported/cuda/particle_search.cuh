extern "C" __global__ void particle_search(int particles, const float* __restrict__ x,
                                           const float* __restrict__ y, const float* __restrict__ sums,
                                           const float* __restrict__ u, float* __restrict__ new_x,
                                           float* __restrict__ new_y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < particles) {
    int index = -1;
    for (int k = 0; k < particles; k++) {
      if (sums[k] >= u[i]) {
        index = k;
        break;
      }
    }
    if (index == -1) index = particles - 1;
    new_x[i] = x[index];
    new_y[i] = y[index];
  }
}
