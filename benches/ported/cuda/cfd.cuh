__device__ inline void state(const float* __restrict__ variables, int n, int i, float own[5], float velocity[3],
                             float& pressure, float& speed) {
  for (int k = 0; k < 5; k++) own[k] = variables[i + k * n];
  float square = 0.0f;
  for (int k = 0; k < 3; k++) {
    velocity[k] = own[k + 1] / own[0];
    square += velocity[k] * velocity[k];
  }
  pressure = 0.4f * (own[4] - 0.5f * own[0] * square);
  speed = sqrtf(square) + sqrtf(1.4f * pressure / own[0]);
}

extern "C" __global__ void cfd(int cells, const int* __restrict__ neighbour, const float* __restrict__ normal,
                               const float* __restrict__ variables, float* __restrict__ fluxes) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int n = cells;
  if (i >= n) return;
  float own[5], velocity[3], pressure, speed;
  state(variables, n, i, own, velocity, pressure, speed);
  float flux[5] = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
  for (int j = 0; j < 4; j++) {
    int other = neighbour[i + j * n];
    float direction[3];
    for (int k = 0; k < 3; k++) direction[k] = normal[i + (j + k * 4) * n];
    if (other >= 0) {
      float theirs[5], v[3], p, s;
      state(variables, n, other, theirs, v, p, s);
      float factor = 0.5f * (speed + s);
      for (int k = 0; k < 5; k++) flux[k] += factor * 0.2f * (own[k] - theirs[k]);
      for (int k = 0; k < 3; k++) {
        float half = 0.5f * direction[k];
        flux[0] += half * (own[k + 1] + theirs[k + 1]);
        flux[4] += half * (velocity[k] * (own[4] + pressure) + v[k] * (theirs[4] + p));
        flux[k + 1] += half * (pressure + p);
        for (int l = 0; l < 3; l++) flux[l + 1] += half * (own[l + 1] * velocity[k] + theirs[l + 1] * v[k]);
      }
    } else {
      for (int k = 0; k < 3; k++) flux[k + 1] += direction[k] * pressure;
    }
  }
  for (int k = 0; k < 5; k++) fluxes[i + k * n] = flux[k];
}
