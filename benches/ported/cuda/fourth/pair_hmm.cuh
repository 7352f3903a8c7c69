extern "C" __global__ void pair_hmm(int pairs, float open, float extend, const int* __restrict__ read_start,
                                    const uint8_t* __restrict__ read, const uint8_t* __restrict__ quality,
                                    const int* __restrict__ haplotype_start, const uint8_t* __restrict__ haplotype,
                                    const float* __restrict__ error, float* __restrict__ likelihood) {
  int pair = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (pair >= pairs) return;
  int lane = threadIdx.x % 32;
  int start = read_start[pair];
  int rows = read_start[pair + 1] - start;
  int first = haplotype_start[pair];
  int columns = haplotype_start[pair + 1] - first;
  uint8_t letter = 0;
  float wrong = 0.0f;
  if (lane < rows) {
    letter = read[start + lane];
    wrong = error[quality[start + lane]];
  }
  float initial = 1e30f / columns;
  float stay = 1.0f - 2.0f * open;
  float close = 1.0f - extend;
  float m = 0.0f, x = 0.0f, y = 0.0f;
  float m_corner = 0.0f, x_corner = 0.0f;
  float y_corner = lane == 0 ? initial : 0.0f;
  float sum = 0.0f;
  for (int step = 0; step < columns + rows - 1; step++) {
    float m_up = __shfl_up_sync(0xffffffffu, m, 1);
    float x_up = __shfl_up_sync(0xffffffffu, x, 1);
    float y_up = __shfl_up_sync(0xffffffffu, y, 1);
    if (lane == 0) {
      m_up = 0.0f;
      x_up = 0.0f;
      y_up = initial;
    }
    int column = step - lane;
    if (column >= 0 && column < columns) {
      bool same = haplotype[first + column] == letter;
      float prior = same ? 1.0f - wrong : wrong / 3.0f;
      float y_next = m * open + y * extend;
      m = prior * (m_corner * stay + (x_corner + y_corner) * close);
      x = m_up * open + x_up * extend;
      y = y_next;
      sum += m + x;
    }
    m_corner = m_up;
    x_corner = x_up;
    y_corner = y_up;
  }
  sum = __shfl_sync(0xffffffffu, sum, rows - 1);
  if (lane == 0) likelihood[pair] = log10f(sum) - 30.0f;
}
