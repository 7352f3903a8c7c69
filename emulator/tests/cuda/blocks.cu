// The primitives of CUB for warps and blocks, as larger programs use them.
#include <cub/cub.cuh>

extern "C" __global__ void sort(const unsigned *in, unsigned *keys, int *values) {
  using Sort = cub::BlockRadixSort<unsigned, 128, 4, int>;
  __shared__ typename Sort::TempStorage storage;
  unsigned key[4];
  int value[4];
  for (int i = 0; i < 4; i++) {
    key[i] = in[threadIdx.x * 4 + i];
    value[i] = threadIdx.x * 4 + i;
  }
  Sort(storage).Sort(key, value);
  for (int i = 0; i < 4; i++) {
    keys[threadIdx.x * 4 + i] = key[i];
    values[threadIdx.x * 4 + i] = value[i];
  }
}

extern "C" __global__ void scan(const int *in, int *out, int *total) {
  using Load = cub::BlockLoad<int, 128, 4, cub::BLOCK_LOAD_TRANSPOSE>;
  using Store = cub::BlockStore<int, 128, 4, cub::BLOCK_STORE_TRANSPOSE>;
  using Scan = cub::BlockScan<int, 128>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
    typename Scan::TempStorage scan;
  } storage;
  int item[4], sum;
  Load(storage.load).Load(in, item);
  __syncthreads();
  Scan(storage.scan).ExclusiveSum(item, item, sum);
  __syncthreads();
  Store(storage.store).Store(out, item);
  if (threadIdx.x == 0) *total = sum;
}

struct Longest {
  __device__ int2 operator()(int2 a, int2 b) const { return b.x > a.x || (b.x == a.x && b.y < a.y) ? b : a; }
};

extern "C" __global__ void reduce(const int *in, int2 *out) {
  using Reduce = cub::BlockReduce<int2, 192>;
  __shared__ typename Reduce::TempStorage storage;
  int2 best = Reduce(storage).Reduce(make_int2(in[threadIdx.x], threadIdx.x), Longest());
  if (threadIdx.x == 0) *out = best;
}
