struct __align__(16) Atom {
  float x, y, z;
  int kind;
};

extern "C" __global__ void md_neighbours(int atoms, int kinds, float cutoff, const Atom* __restrict__ atom,
                                         const float* __restrict__ pair, const int* __restrict__ neighbours,
                                         const int* __restrict__ neighbour, float* __restrict__ force) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= atoms) return;
  Atom here = atom[i];
  float fx = 0.0f, fy = 0.0f, fz = 0.0f;
  int k = 0;
  while (k < neighbours[i]) {
    int j = neighbour[k * atoms + i];
    Atom other = atom[j];
    float dx = here.x - other.x;
    float dy = here.y - other.y;
    float dz = here.z - other.z;
    float square = dx * dx + dy * dy + dz * dz;
    if (square < cutoff * cutoff) {
      float inverse = 1.0f / square;
      float sixth = inverse * inverse * inverse;
      int c = (here.kind * kinds + other.kind) * 2;
      float f = inverse * sixth * (pair[c] * sixth - pair[c + 1]);
      fx += dx * f;
      fy += dy * f;
      fz += dz * f;
    }
    k++;
  }
  force[3 * i] = fx;
  force[3 * i + 1] = fy;
  force[3 * i + 2] = fz;
}
