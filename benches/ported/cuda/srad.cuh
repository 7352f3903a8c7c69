extern "C" __global__ void srad(int rows, int elements, float q0, const int* __restrict__ north,
                                const int* __restrict__ south, const int* __restrict__ west,
                                const int* __restrict__ east, const float* __restrict__ image,
                                float* __restrict__ d_north, float* __restrict__ d_south,
                                float* __restrict__ d_west, float* __restrict__ d_east,
                                float* __restrict__ coefficient) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= elements) return;
  int row = i % rows, col = i / rows;
  float here = image[i];
  float n = image[north[row] + rows * col] - here;
  float s = image[south[row] + rows * col] - here;
  float w = image[row + rows * west[col]] - here;
  float e = image[row + rows * east[col]] - here;
  float gradient = (n * n + s * s + w * w + e * e) / (here * here);
  float laplacian = (n + s + w + e) / here;
  float numerator = 0.5f * gradient - (1.0f / 16.0f) * (laplacian * laplacian);
  float denominator = 1.0f + 0.25f * laplacian;
  float q = numerator / (denominator * denominator);
  float c = 1.0f / (1.0f + (q - q0) / (q0 * (1.0f + q0)));
  d_north[i] = n;
  d_south[i] = s;
  d_west[i] = w;
  d_east[i] = e;
  coefficient[i] = c < 0.0f ? 0.0f : (c > 1.0f ? 1.0f : c);
}
