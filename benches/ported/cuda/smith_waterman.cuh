extern "C" __global__ void smith_waterman(int pairs, int length, const unsigned char* __restrict__ brief,
                                          const unsigned char* __restrict__ lengthy, int* __restrict__ scores) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs) return;
  int row[33];
  unsigned char letters[32];
  for (int k = 0; k < 33; k++) row[k] = 0;
  for (int k = 0; k < 32; k++) letters[k] = brief[i * 32 + k];
  int best = 0;
  for (int y = 0; y < length; y++) {
    unsigned char letter = lengthy[i * length + y];
    int diagonal = 0;
    for (int x = 1; x <= 32; x++) {
      int above = row[x];
      int matched = letters[x - 1] == letter ? 2 : -1;
      int score = max(max(diagonal + matched, above - 1), max(row[x - 1] - 1, 0));
      diagonal = above;
      row[x] = score;
      best = max(best, score);
    }
  }
  scores[i] = best;
}
