// Iterations until a point leaves the circle. The twin of src/kernels/mandelbrot.rs.
struct Window {
  float left, top, step;
};

extern "C" __global__ void mandelbrot(Window window, unsigned limit, unsigned* __restrict__ counts,
                                      std::size_t height, std::size_t width) {
  std::size_t px = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  std::size_t py = std::size_t(blockIdx.y) * blockDim.y + threadIdx.y;
  float cx = window.left + float(px) * window.step, cy = window.top + float(py) * window.step;
  float x = 0, y = 0;
  unsigned count = 0;
  while (count < limit && x * x + y * y <= 4.0f) {
    float next = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = next;
    count++;
  }
  if (px < width && py < height) counts[py * width + px] = count;
}

inline void bench_mandelbrot(Rng&) {
  const std::size_t side = 1 << 13, n = side * side;
  Window window{-2.0f, -1.25f, 2.5f / side};
  unsigned* counts = on_device<unsigned>(n);
  dim3 blocks(side / 32, side / 8), threads(32, 8);
  auto launch = [&] { mandelbrot<<<blocks, threads>>>(window, 1000, counts, side, side); };
  launch();
  double work = 0;
  for (unsigned count : to_host(counts, n)) work += count;
  report("mandelbrot", n, time_launches(launch), 7.0 * work, "GFLOP/s");
  free_all(counts);
}
