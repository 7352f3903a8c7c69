// What the lanes of a warp do together: shuffles, votes, matches, reductions.
extern "C" __global__ void shuffles(const int *in, int *out, int stride) {
  int i = threadIdx.x, lane = i & 31, v = in[i];
  out[0 * stride + i] = __shfl_sync(0xffffffff, v, (lane * 7) & 31);
  out[1 * stride + i] = __shfl_up_sync(0xffffffff, v, 3);
  out[2 * stride + i] = __shfl_down_sync(0xffffffff, v, 5, 16);
  out[3 * stride + i] = __shfl_xor_sync(0xffffffff, v, 9);
  double d = v * 0.5;
  d = __shfl_xor_sync(0xffffffff, d, 1);
  out[4 * stride + i] = (int)(d * 2);
  long long w = __shfl_sync(0xffffffff, (long long)v << 31, lane ^ 31, 8);
  out[5 * stride + i] = (int)(w >> 31);
  if (lane < 20) out[6 * stride + i] = __shfl_down_sync(0xfffff, v, 1);
}

extern "C" __global__ void votes(const int *in, unsigned *out, int stride) {
  int i = threadIdx.x, v = in[i];
  out[0 * stride + i] = __ballot_sync(0xffffffff, v > 0);
  out[1 * stride + i] = __all_sync(0xffffffff, v > -500) * 2 + __any_sync(0xffffffff, v > 490);
  out[2 * stride + i] = __match_any_sync(0xffffffff, v % 4);
  int same;
  out[3 * stride + i] = __match_all_sync(0xffffffff, v / 2000, &same) + same;
  out[4 * stride + i] = __reduce_add_sync(0xffffffff, v);
  out[5 * stride + i] = __reduce_min_sync(0xffffffff, v);
  out[6 * stride + i] = __reduce_max_sync(0xffffffff, (unsigned)v);
  out[7 * stride + i] = __reduce_xor_sync(0xffffffff, (unsigned)v);
  out[8 * stride + i] = v % 2 ? __popc(__activemask()) > 0 : __ballot_sync(__activemask(), 1) != 0;
  out[9 * stride + i] = __match_any_sync(0xffffffff, (unsigned long long)(v % 3) << 40);
}

// An exclusive scan of a block by shuffles.
extern "C" __global__ void scan(const unsigned *in, unsigned *out) {
  __shared__ unsigned sums[32];
  unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5, v = in[threadIdx.x], sum = v;
  for (int d = 1; d < 32; d *= 2) {
    unsigned other = __shfl_up_sync(0xffffffff, sum, d);
    if (lane >= d) sum += other;
  }
  if (lane == 31) sums[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    unsigned s = lane < blockDim.x / 32 ? sums[lane] : 0;
    for (int d = 1; d < 32; d *= 2) {
      unsigned other = __shfl_up_sync(0xffffffff, s, d);
      if (lane >= d) s += other;
    }
    sums[lane] = s;
  }
  __syncthreads();
  out[threadIdx.x] = sum - v + (warp ? sums[warp - 1] : 0);
}
