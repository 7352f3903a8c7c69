struct Particle {
  float x, y, charge;
};

extern "C" __global__ void pic_deposit(int n, int width, int height, const Particle* __restrict__ particle,
                                       float* __restrict__ density) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    Particle p = particle[i];
    int x0 = (int)p.x;
    int y0 = (int)p.y;
    float fx = p.x - x0;
    float fy = p.y - y0;
    int x1 = (x0 + 1) % width;
    int y1 = (y0 + 1) % height;
    atomicAdd(&density[y0 * width + x0], p.charge * (1.0f - fx) * (1.0f - fy));
    atomicAdd(&density[y0 * width + x1], p.charge * fx * (1.0f - fy));
    atomicAdd(&density[y1 * width + x0], p.charge * (1.0f - fx) * fy);
    atomicAdd(&density[y1 * width + x1], p.charge * fx * fy);
  }
}
