extern "C" __global__ void nqueen(int n, int rows, int threads, int* __restrict__ solutions) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= threads) return;
  solutions[i] = 0;
  unsigned full = (1u << n) - 1;
  unsigned column = 0, left = 0, right = 0;
  int digits = i;
  for (int row = 0; row < rows; row++) {
    unsigned bit = 1u << (digits % n);
    digits /= n;
    if ((column | left | right) & bit) return;
    column |= bit;
    left = (left | bit) << 1;
    right = (right | bit) >> 1;
  }
  unsigned free[16], columns[16], lefts[16], rights[16];
  int depth = 0;
  free[depth] = full & ~(column | left | right);
  columns[depth] = column;
  lefts[depth] = left;
  rights[depth] = right;
  int found = 0;
  for (;;) {
    unsigned places = free[depth];
    if (places == 0) {
      if (depth == 0) break;
      depth--;
      continue;
    }
    unsigned bit = places & -places;
    free[depth] = places ^ bit;
    column = columns[depth] | bit;
    left = (lefts[depth] | bit) << 1;
    right = (rights[depth] | bit) >> 1;
    if (column == full) {
      found++;
      continue;
    }
    depth++;
    free[depth] = full & ~(column | left | right);
    columns[depth] = column;
    lefts[depth] = left;
    rights[depth] = right;
  }
  solutions[i] = found;
}
