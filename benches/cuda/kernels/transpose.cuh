// A matrix transposed through tiles of 32x32. The twin of src/kernels/transpose.rs.
extern "C" __global__ void transpose(unsigned width, unsigned height,
                                     const float* __restrict__ input, std::size_t ni,
                                     float* __restrict__ output, std::size_t no) {
  __shared__ float tile[32][33];
  unsigned tx = threadIdx.x, ty = threadIdx.y;
  unsigned x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
#pragma unroll
  for (unsigned j = 0; j < 4; j++) {
    CHECK_BOUNDS(ty + j * 8, 32);
    CHECK_BOUNDS(tx, 33);
    tile[ty + j * 8][tx] = at(input, ni, (y + j * 8) * width + x);
  }
  __syncthreads();
  x = blockIdx.y * 32 + tx, y = blockIdx.x * 32 + ty;
#pragma unroll
  for (unsigned j = 0; j < 4; j++) {
    CHECK_BOUNDS(tx, 32);
    CHECK_BOUNDS(ty + j * 8, 33);
    at(output, no, (y + j * 8) * height + x) = tile[tx][ty + j * 8];
  }
}

inline void bench_transpose(Rng& rng) {
  const std::size_t width = 1 << 14, height = width / 2, n = width * height;
  std::vector<float> x = random_vector(rng, n);
  float *input = to_device(x), *output = on_device<float>(n);
  dim3 blocks(width / 32, height / 32), threads(32, 8);
  auto launch = [&] { transpose<<<blocks, threads>>>(width, height, input, n, output, n); };
  launch();
  std::vector<float> got = to_host(output, n);
  for (std::size_t i = 0; i < n; i++)
    if (got[i % width * height + i / width] != x[i]) fail("an element differs");
  report("transpose", n, time_launches(launch), 8.0 * n, "GB/s");
  free_all(input, output);
}
