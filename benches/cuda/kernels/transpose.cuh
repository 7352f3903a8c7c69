// A matrix transposed through tiles of 32x32. The twin of src/kernels/transpose.rs.
extern "C" __global__ void transpose(unsigned width, unsigned height,
                                     const float* __restrict__ input, float* __restrict__ output) {
  __shared__ float tile[32][33];
  unsigned tx = threadIdx.x, ty = threadIdx.y;
  unsigned x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
#pragma unroll
  for (unsigned j = 0; j < 4; j++) tile[ty + j * 8][tx] = input[(y + j * 8) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + tx, y = blockIdx.x * 32 + ty;
#pragma unroll
  for (unsigned j = 0; j < 4; j++) output[(y + j * 8) * height + x] = tile[tx][ty + j * 8];
}

inline void bench_transpose(Rng& rng) {
  const std::size_t width = 1 << 14, height = width / 2, n = width * height;
  std::vector<float> x = random_vector(rng, n);
  float *input = to_device(x), *output = on_device<float>(n);
  dim3 blocks(width / 32, height / 32), threads(32, 8);
  auto launch = [&] { transpose<<<blocks, threads>>>(width, height, input, output); };
  launch();
  std::vector<float> got = to_host(output, n);
  for (std::size_t i = 0; i < n; i++)
    if (got[i % width * height + i / width] != x[i]) fail("an element differs");
  report("transpose", n, time_launches(launch), 8.0 * n, "GB/s");
  free_all(input, output);
}
