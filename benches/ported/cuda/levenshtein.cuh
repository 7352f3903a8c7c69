extern "C" __global__ void levenshtein(int pairs, const int* __restrict__ length_a, const int* __restrict__ length_b,
                                       const unsigned char* __restrict__ a, const unsigned char* __restrict__ b,
                                       int* __restrict__ distance) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs) return;
  int m = length_a[i], n = length_b[i];
  int row[33];
  for (int x = 0; x <= n; x++) row[x] = x;
  for (int y = 1; y <= m; y++) {
    unsigned char letter = a[i * 32 + y - 1];
    int diagonal = row[0];
    row[0] = y;
    for (int x = 1; x <= n; x++) {
      int above = row[x];
      int cost = b[i * 32 + x - 1] == letter ? 0 : 1;
      row[x] = min(min(above + 1, row[x - 1] + 1), diagonal + cost);
      diagonal = above;
    }
  }
  distance[i] = row[n];
}
