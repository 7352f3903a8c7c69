struct __align__(16) Body {
  float x, y, z, mass;
};

extern "C" __global__ void nbody(int n, float softening, const Body* __restrict__ body, float* __restrict__ ax,
                                 float* __restrict__ ay, float* __restrict__ az) {
  __shared__ Body tile[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Body nothing = {0.0f, 0.0f, 0.0f, 0.0f};
  Body here = i < n ? body[i] : nothing;
  float fx = 0.0f, fy = 0.0f, fz = 0.0f;
  for (int first = 0; first < n; first += 256) {
    int j = first + threadIdx.x;
    tile[threadIdx.x] = j < n ? body[j] : nothing;
    __syncthreads();
    for (int k = 0; k < 256; k++) {
      Body there = tile[k];
      float dx = there.x - here.x;
      float dy = there.y - here.y;
      float dz = there.z - here.z;
      float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening);
      float s = there.mass * inverse * inverse * inverse;
      fx += dx * s;
      fy += dy * s;
      fz += dz * s;
    }
    __syncthreads();
  }
  if (i < n) {
    ax[i] = fx;
    ay[i] = fy;
    az[i] = fz;
  }
}
