struct Cube {
  int offset, neighbours;
  int neighbour[27];
};

struct __align__(16) Particle {
  float v, x, y, z;
};

extern "C" __global__ void lavamd(float alpha, const Cube* __restrict__ boxes, const Particle* __restrict__ particle,
                                  const float* __restrict__ charge, float* __restrict__ force) {
  __shared__ Particle places[64];
  __shared__ float charges[64];
  const Cube& home = boxes[blockIdx.x];
  int t = threadIdx.x;
  Particle own = particle[home.offset + t];
  float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  for (int k = 0; k < home.neighbours; k++) {
    int first = boxes[home.neighbour[k]].offset;
    places[t] = particle[first + t];
    charges[t] = charge[first + t];
    __syncthreads();
    for (int j = 0; j < 64; j++) {
      Particle theirs = places[j];
      float product = own.x * theirs.x + own.y * theirs.y + own.z * theirs.z;
      float u = alpha * (own.v + theirs.v - product);
      float vij = expf(-u);
      float fs = 2.0f * vij;
      float q = charges[j];
      sum[0] += q * vij;
      sum[1] += q * (fs * (own.x - theirs.x));
      sum[2] += q * (fs * (own.y - theirs.y));
      sum[3] += q * (fs * (own.z - theirs.z));
    }
    __syncthreads();
  }
  for (int c = 0; c < 4; c++) force[4 * (home.offset + t) + c] = sum[c];
}
