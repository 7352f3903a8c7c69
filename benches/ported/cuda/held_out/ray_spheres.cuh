struct Sphere {
  float red, green, blue, radius, x, y, z;
  __device__ bool hit(float px, float py, float* height, float* facing) const {
    float dx = px - x, dy = py - y;
    float square = radius * radius - dx * dx - dy * dy;
    if (square > 0.0f) {
      float dz = sqrtf(square);
      *height = z + dz;
      *facing = dz / radius;
      return true;
    }
    return false;
  }
};

extern "C" __global__ void ray_spheres(int width, int height, int spheres, const Sphere* __restrict__ sphere,
                                       uchar4* __restrict__ image) {
  int px = blockIdx.x * blockDim.x + threadIdx.x;
  int py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height) return;
  float x = px - width / 2, y = py - height / 2;
  float red = 0.0f, green = 0.0f, blue = 0.0f;
  float highest = -3.402823466e38f;
  for (int i = 0; i < spheres; i++) {
    float z, facing;
    if (sphere[i].hit(x, y, &z, &facing) && z > highest) {
      highest = z;
      red = sphere[i].red * facing;
      green = sphere[i].green * facing;
      blue = sphere[i].blue * facing;
    }
  }
  image[py * width + px] = make_uchar4(red * 255.0f, green * 255.0f, blue * 255.0f, 255);
}
