// The sum of 2^28 elements: the baseline of `examples/reduce.rs --bench`. A grid-stride loop, a
// shuffle tree in each warp, one word of shared memory a warp, one atomic addition a block.
#include <cmath>

#include "common.cuh"

__device__ float warp_sum(float value) {
  for (int delta = 16; delta > 0; delta /= 2) value += __shfl_down_sync(0xffffffffu, value, delta);
  return value;
}

__global__ void reduce(std::size_t n, const float* __restrict__ x, float* __restrict__ total) {
  __shared__ float partial[32];
  float sum = 0;
  std::size_t stride = std::size_t(blockDim.x) * gridDim.x;
  for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride)
    sum += x[i];
  sum = warp_sum(sum);
  unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (lane == 0) partial[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    float block = warp_sum(lane < blockDim.x / 32 ? partial[lane] : 0.0f);
    if (lane == 0) atomicAdd(total, block);
  }
}

int main() {
  const std::size_t n = std::size_t(1) << 28;
  print_device();
  int multiprocessors = 0;
  CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  Rng rng{fresh_seed()};
  std::vector<float> x = random_vector(rng, n);
  float *dx = to_device(x), *total = to_device({0.0f});

  const unsigned blocks = multiprocessors * 8, threads = 256;
  reduce<<<blocks, threads>>>(n, dx, total);
  double want = 0, size = 0;
  for (float value : x) want += value, size += std::fabs(value);
  if (!(std::fabs(to_host(total, 1)[0] - want) <= 1e-8 * size)) fail("the sum differs from the host's");

  Times t = time_launches([&] { reduce<<<blocks, threads>>>(n, dx, total); });
  report("reduce_f32", n, t, sizeof(float) * double(n), "GB/s");
}
