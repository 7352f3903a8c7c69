struct __align__(16) Point3 {
  float x, y, z, unused;
};

struct Spring {
  int dx, dy;
  float rest;
};

static __constant__ Spring SPRINGS[12] = {
    {-1, 0, 1.0f},          {1, 0, 1.0f},          {0, -1, 1.0f},         {0, 1, 1.0f},
    {-1, -1, 1.41421356f},  {1, -1, 1.41421356f},  {-1, 1, 1.41421356f},  {1, 1, 1.41421356f},
    {-2, 0, 2.0f},          {2, 0, 2.0f},          {0, -2, 2.0f},         {0, 2, 2.0f},
};

extern "C" __global__ void cloth_springs(int width, int height, float dt, float stiffness, float damping,
                                         const Point3* __restrict__ place, const Point3* __restrict__ speed,
                                         float* __restrict__ next_place, float* __restrict__ next_speed) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int i = y * width + x;
  Point3 p = place[i];
  Point3 v = speed[i];
  if (y > 0) {
    float force[3] = {-damping * v.x, -damping * v.y - 9.81f, -damping * v.z};
    for (int k = 0; k < 12; k++) {
      int nx = x + SPRINGS[k].dx, ny = y + SPRINGS[k].dy;
      if (nx < 0 || ny < 0 || nx >= width || ny >= height) continue;
      Point3 q = place[ny * width + nx];
      float ex = q.x - p.x, ey = q.y - p.y, ez = q.z - p.z;
      float length = sqrtf(ex * ex + ey * ey + ez * ez);
      float pull = stiffness * (length - SPRINGS[k].rest) / length;
      force[0] += pull * ex;
      force[1] += pull * ey;
      force[2] += pull * ez;
    }
    v.x += dt * force[0];
    v.y += dt * force[1];
    v.z += dt * force[2];
  } else {
    v = {0.0f, 0.0f, 0.0f, 0.0f};
  }
  next_speed[3 * i] = v.x;
  next_speed[3 * i + 1] = v.y;
  next_speed[3 * i + 2] = v.z;
  next_place[3 * i] = p.x + dt * v.x;
  next_place[3 * i + 1] = p.y + dt * v.y;
  next_place[3 * i + 2] = p.z + dt * v.z;
}
