__constant__ uint8_t ZIGZAG[64] = {
    0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
    41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
    30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
};

__constant__ int COSINE[8][8] = {
    {724, 1004, 946, 851, 724, 569, 392, 200},     {724, 851, 392, -200, -724, -1004, -946, -569},
    {724, 569, -392, -1004, -724, 200, 946, 851},  {724, 200, -946, -569, 724, 851, -392, -1004},
    {724, -200, -946, 569, 724, -851, -392, 1004}, {724, -569, -392, 1004, -724, -200, 946, -851},
    {724, -851, 392, 200, -724, 1004, -946, 569},  {724, -1004, 946, -851, 724, -569, 392, -200},
};

extern "C" __global__ void jpeg_idct(int wide, int high, const int16_t* __restrict__ coefficient,
                                     const uint16_t* __restrict__ step, uint8_t* __restrict__ image) {
  int bx = blockIdx.x * blockDim.x + threadIdx.x;
  int by = blockIdx.y * blockDim.y + threadIdx.y;
  if (bx >= wide || by >= high) return;
  int base = (by * wide + bx) * 64;
  int values[64];
  for (int k = 0; k < 64; k++) values[ZIGZAG[k]] = coefficient[base + k] * step[k];
  // Columns, then rows.
  for (int x = 0; x < 8; x++) {
    int column[8];
    for (int y = 0; y < 8; y++) {
      int sum = 0;
      for (int v = 0; v < 8; v++) sum += COSINE[y][v] * values[v * 8 + x];
      column[y] = (sum + 512) >> 10;
    }
    for (int y = 0; y < 8; y++) values[y * 8 + x] = column[y];
  }
  for (int y = 0; y < 8; y++) {
    for (int x = 0; x < 8; x++) {
      int sum = 0;
      for (int u = 0; u < 8; u++) sum += COSINE[x][u] * values[y * 8 + u];
      int pixel = ((sum + 1024) >> 11) + 128;
      image[(by * 8 + y) * wide * 8 + bx * 8 + x] = min(max(pixel, 0), 255);
    }
  }
}
