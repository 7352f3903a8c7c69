extern "C" __global__ void ising(int rows, int columns, int colour, const int8_t* __restrict__ other,
                                 const float* __restrict__ random, const float* __restrict__ chance,
                                 int8_t* __restrict__ spin) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * columns) return;
  int y = i / columns;
  int x = i % columns;
  int above = y > 0 ? y - 1 : rows - 1;
  int below = y + 1 < rows ? y + 1 : 0;
  int left = x > 0 ? x - 1 : columns - 1;
  int right = x + 1 < columns ? x + 1 : 0;
  int beside = y % 2 == colour ? left : right;
  int8_t sum = other[above * columns + x] + other[y * columns + x] + other[below * columns + x] +
               other[y * columns + beside];
  int8_t here = spin[i];
  if (random[i] < chance[(sum * here + 4) / 2]) spin[i] = -here;
}
