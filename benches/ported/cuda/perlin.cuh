__device__ inline float fade(float t) { return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f); }

__device__ inline float blend(float t, float a, float b) { return a + t * (b - a); }

__device__ inline float gradient(int hash, float x, float y) {
  float u = (hash & 4) == 0 ? x : y;
  float v = (hash & 4) == 0 ? y : x;
  return ((hash & 1) == 0 ? u : -u) + ((hash & 2) == 0 ? 2.0f * v : -2.0f * v);
}

__device__ inline float noise(const unsigned char* __restrict__ table, float x, float y) {
  float x0 = floorf(x), y0 = floorf(y);
  int xi = (int)x0 & 255, yi = (int)y0 & 255;
  float fx = x - x0, fy = y - y0;
  int a = table[xi] + yi;
  int b = table[(xi + 1) & 255] + yi;
  int aa = table[a & 255];
  int ab = table[(a + 1) & 255];
  int ba = table[b & 255];
  int bb = table[(b + 1) & 255];
  float u = fade(fx);
  float top = blend(u, gradient(aa, fx, fy), gradient(ba, fx - 1.0f, fy));
  float bottom = blend(u, gradient(ab, fx, fy - 1.0f), gradient(bb, fx - 1.0f, fy - 1.0f));
  return blend(fade(fy), top, bottom);
}

extern "C" __global__ void perlin(int width, int height, int octaves, float scale,
                                  const unsigned char* __restrict__ table, float* __restrict__ image) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0.0f, weight = 1.0f, frequency = scale;
  for (int i = 0; i < octaves; i++) {
    sum += weight * noise(table, x * frequency, y * frequency);
    weight *= 0.5f;
    frequency *= 2.0f;
  }
  image[y * width + x] = sum;
}
