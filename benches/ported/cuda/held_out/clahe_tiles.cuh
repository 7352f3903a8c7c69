extern "C" __global__ void clahe_tiles(int width, int tile_width, int tile_height, int limit,
                                       const unsigned char* __restrict__ image,
                                       unsigned char* __restrict__ table) {
  __shared__ int counts[256];
  __shared__ int excess;
  __shared__ int sums[256];
  int t = threadIdx.x;
  counts[t] = 0;
  if (t == 0) excess = 0;
  __syncthreads();
  int x0 = blockIdx.x * tile_width, y0 = blockIdx.y * tile_height;
  int pixels = tile_width * tile_height;
  for (int i = t; i < pixels; i += blockDim.x) {
    int x = x0 + i % tile_width, y = y0 + i / tile_width;
    atomicAdd(&counts[image[y * width + x]], 1);
  }
  __syncthreads();
  int count = counts[t];
  if (count > limit) {
    atomicAdd(&excess, count - limit);
    count = limit;
  }
  __syncthreads();
  int spread = excess;
  count += spread / 256;
  if (t < spread % 256) count++;
  sums[t] = count;
  __syncthreads();
  for (int distance = 1; distance < 256; distance *= 2) {
    int before = t >= distance ? sums[t - distance] : 0;
    __syncthreads();
    sums[t] += before;
    __syncthreads();
  }
  table[(blockIdx.y * gridDim.x + blockIdx.x) * 256 + t] = min(max(sums[t] * 255 / pixels, 0), 255);
}
