struct Bounds {
  float low[3], high[3];
};

struct Children {
  int left, right;
};

__device__ inline bool overlaps(const Bounds& a, const Bounds& b) {
  for (int k = 0; k < 3; k++) {
    if (a.low[k] > b.high[k] || b.low[k] > a.high[k]) return false;
  }
  return true;
}

extern "C" __global__ void bvh_overlap(int objects, const Bounds* __restrict__ object,
                                       const Children* __restrict__ children, const Bounds* __restrict__ inner,
                                       int* __restrict__ count, long long* __restrict__ sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= objects) return;
  Bounds query = object[i];
  int stack[64];
  stack[0] = 0;
  int top = 1;
  int found = 0;
  long long total = 0;
  while (top > 0) {
    Children node = children[stack[--top]];
    for (int side = 0; side < 2; side++) {
      int child = side == 0 ? node.left : node.right;
      if (child < 0) {
        int other = -1 - child;
        if (other != i && overlaps(query, object[other])) {
          found++;
          total += other;
        }
      } else if (overlaps(query, inner[child])) {
        stack[top++] = child;
      }
    }
  }
  count[i] = found;
  sum[i] = total;
}
