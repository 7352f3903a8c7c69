struct Pair {
  float value;
  int index;
};

__device__ inline bool before(Pair a, Pair b) {
  return a.value > b.value || (a.value == b.value && a.index < b.index);
}

extern "C" __global__ void topk_block(int cols, int k, const float* __restrict__ x, float* __restrict__ value,
                                      int* __restrict__ index) {
  __shared__ Pair pairs[256];
  int t = threadIdx.x;
  int row = blockIdx.x * cols;
  Pair last = {3.402823466e38f, -1};
  for (int n = 0; n < k; n++) {
    Pair best = {-3.402823466e38f, cols};
    for (int column = t; column < cols; column += 256) {
      Pair pair = {x[row + column], column};
      if (before(last, pair) && before(pair, best)) best = pair;
    }
    for (int half = 128; half > 0; half >>= 1) {
      pairs[t] = best;
      __syncthreads();
      if (t < half) {
        Pair other = pairs[t + half];
        if (before(other, best)) best = other;
      }
      __syncthreads();
    }
    pairs[t] = best;
    __syncthreads();
    last = pairs[0];
    __syncthreads();
    if (t == 0) {
      value[blockIdx.x * k + n] = last.value;
      index[blockIdx.x * k + n] = last.index;
    }
  }
}
