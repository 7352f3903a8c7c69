// How often each byte occurs. The twin of src/kernels/histogram.rs.
extern "C" __global__ void histogram(const unsigned char* __restrict__ data, std::size_t n,
                                     unsigned* bins, std::size_t nb) {
  __shared__ unsigned counts[256];
  for (unsigned i = threadIdx.x; i < 256; i += blockDim.x) counts[i] = 0;
  __syncthreads();
  std::size_t stride = std::size_t(gridDim.x) * blockDim.x;
  for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride)
    atomicAdd(&counts[data[i]], 1u);
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < 256; bin += blockDim.x) atomicAdd(&at(bins, nb, bin), counts[bin]);
}

inline void bench_histogram(Rng& rng) {
  const std::size_t n = std::size_t(1) << 28;
  std::vector<unsigned char> data(n);
  std::vector<unsigned> want(256);
  for (unsigned char& byte : data) {
    std::uint64_t bits = rng.next();
    byte = std::min<unsigned char>(bits, bits >> 8);
    want[byte]++;
  }
  unsigned char* dd = to_device(data);
  unsigned* bins = to_device(std::vector<unsigned>(256));
  auto launch = [&] { histogram<<<multiprocessors() * 8, 256>>>(dd, n, bins, 256); };
  launch();
  if (to_host(bins, 256) != want) fail("the counts differ");
  report("histogram", n, time_launches(launch), n, "GB/s");
  free_all(dd, bins);
}
