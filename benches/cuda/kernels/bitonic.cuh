// One step of a bitonic sort. The twin of src/kernels/bitonic.rs.
extern "C" __global__ void bitonic(unsigned j, unsigned k, unsigned* data, std::size_t n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned partner = i ^ j;
  if (partner > i && partner < n) {
    unsigned a = data[i], b = data[partner];
    if ((a > b) == ((i & k) == 0)) {
      data[i] = b;
      data[partner] = a;
    }
  }
}

inline void bench_bitonic(Rng& rng) {
  const std::size_t n = 1 << 24;
  std::vector<unsigned> want(n);
  for (unsigned& value : want) value = unsigned(rng.next());
  unsigned* data = to_device(want);
  for (unsigned k = 2; k <= n; k *= 2)
    for (unsigned j = k / 2; j > 0; j /= 2) bitonic<<<n / 256, 256>>>(j, k, data, n);
  std::sort(want.begin(), want.end());
  if (to_host(data, n) != want) fail("the numbers are not sorted");
  report("bitonic", n, time_launches([&] { bitonic<<<n / 256, 256>>>(n / 4, n, data, n); }), 8.0 * n,
         "GB/s");
  free_all(data);
}
