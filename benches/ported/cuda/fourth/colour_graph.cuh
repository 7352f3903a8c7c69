__device__ inline unsigned priority(int node) {
  unsigned x = node;
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

extern "C" __global__ void colour_graph(int nodes, const int* __restrict__ start, const int* __restrict__ neighbour,
                                        const int* __restrict__ colour, int* __restrict__ next) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= nodes) return;
  int chosen = colour[i];
  if (chosen < 0) {
    unsigned mine = priority(i);
    unsigned long long used = 0;
    bool first = true;
    for (int e = start[i]; e < start[i + 1]; e++) {
      int j = neighbour[e];
      if (j == i) continue;
      int other = colour[j];
      if (other >= 0) {
        used |= 1ull << other;
      } else {
        unsigned theirs = priority(j);
        if (theirs > mine || (theirs == mine && j > i)) {
          first = false;
          break;
        }
      }
    }
    if (first) chosen = __ffsll(~used) - 1;
  }
  next[i] = chosen;
}
