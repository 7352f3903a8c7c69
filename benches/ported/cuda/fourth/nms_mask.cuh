struct Rect {
  float x1, y1, x2, y2;
};

__device__ inline float overlap(Rect a, Rect b) {
  float left = fmaxf(a.x1, b.x1);
  float right = fminf(a.x2, b.x2);
  float top = fmaxf(a.y1, b.y1);
  float bottom = fminf(a.y2, b.y2);
  float width = fmaxf(right - left, 0.0f);
  float height = fmaxf(bottom - top, 0.0f);
  float inner = width * height;
  float area_a = (a.x2 - a.x1) * (a.y2 - a.y1);
  float area_b = (b.x2 - b.x1) * (b.y2 - b.y1);
  return inner / (area_a + area_b - inner);
}

extern "C" __global__ void nms_mask(int n, float threshold, const Rect* __restrict__ rect,
                                    unsigned long long* __restrict__ mask) {
  __shared__ Rect tile[64];
  int row = blockIdx.y;
  int column = blockIdx.x;
  if (row > column) return;
  int t = threadIdx.x;
  int rows = min(n - row * 64, 64);
  int columns = min(n - column * 64, 64);
  if (t < columns) tile[t] = rect[column * 64 + t];
  __syncthreads();
  if (t < rows) {
    Rect here = rect[row * 64 + t];
    unsigned long long bits = 0;
    int start = row == column ? t + 1 : 0;
    for (int i = start; i < columns; i++) {
      if (overlap(here, tile[i]) > threshold) bits |= 1ull << i;
    }
    int words = gridDim.x;
    mask[(row * 64 + t) * words + column] = bits;
  }
}
