extern "C" __global__ void viterbi(int sequences, int length, int symbols, const int* __restrict__ start,
                                   const int* __restrict__ transition, const int* __restrict__ emission,
                                   const unsigned char* __restrict__ observed, unsigned char* __restrict__ back,
                                   unsigned char* __restrict__ path) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= sequences) return;
  int score[8];
  int first = observed[i];
  for (int s = 0; s < 8; s++) score[s] = start[s] + emission[s * symbols + first];
  for (int t = 1; t < length; t++) {
    int symbol = observed[t * sequences + i];
    int next[8];
    for (int s = 0; s < 8; s++) {
      int best = -2147483647 - 1;
      int from = 0;
      for (int p = 0; p < 8; p++) {
        int candidate = score[p] + transition[p * 8 + s];
        if (candidate > best) {
          best = candidate;
          from = p;
        }
      }
      next[s] = best + emission[s * symbols + symbol];
      back[(t * 8 + s) * sequences + i] = from;
    }
    for (int s = 0; s < 8; s++) score[s] = next[s];
  }
  int state = 0;
  for (int s = 1; s < 8; s++) {
    if (score[s] > score[state]) state = s;
  }
  for (int t = length - 1; t > 0; t--) {
    path[t * sequences + i] = state;
    state = back[(t * 8 + state) * sequences + i];
  }
  path[i] = state;
}
