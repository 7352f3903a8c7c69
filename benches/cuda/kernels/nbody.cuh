// The pull of all bodies on each body. The twin of src/kernels/nbody.rs.
extern "C" __global__ void nbody(const float4* __restrict__ bodies, std::size_t n,
                                 float4* __restrict__ pulls, std::size_t np) {
  __shared__ float4 tile[256];
  std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  float4 me = at(bodies, n, i);
  float ax = 0, ay = 0, az = 0;
  for (std::size_t start = 0; start + 256 <= n; start += 256) {
    CHECK_BOUNDS(threadIdx.x, 256);
    tile[threadIdx.x] = bodies[start + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < 256; k++) {
      float4 other = tile[k];
      float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
      float square = dx * dx + dy * dy + dz * dz + 0.05f * 0.05f;
      float inverse = 1.0f / sqrtf(square);
      float weight = other.w * inverse * inverse * inverse;
      ax += weight * dx;
      ay += weight * dy;
      az += weight * dz;
    }
    __syncthreads();
  }
  if (i < np) pulls[i] = make_float4(ax, ay, az, me.w);
}

inline void bench_nbody(Rng& rng) {
  const std::size_t n = 1 << 17;
  std::vector<float4> bodies(n);
  for (float4& body : bodies) {
    body.x = rng.next_f32(), body.y = rng.next_f32(), body.z = rng.next_f32();
    body.w = 1.5f + rng.next_f32();
  }
  float4 *db = to_device(bodies), *pulls = on_device<float4>(n);
  auto launch = [&] { nbody<<<n / 256, 256>>>(db, n, pulls, n); };
  launch();
  std::vector<float4> got = to_host(pulls, n);
  for (int sample = 0; sample < 200; sample++) {
    std::size_t at = rng.next() % n;
    double want = 0, size = 0;
    for (const float4& other : bodies) {
      double dx = double(other.x) - bodies[at].x, dy = double(other.y) - bodies[at].y;
      double dz = double(other.z) - bodies[at].z;
      double square = dx * dx + dy * dy + dz * dz + 0.05 * 0.05;
      double weight = other.w / (square * std::sqrt(square));
      want += weight * dx;
      size += weight * (std::fabs(dx) + std::fabs(dy) + std::fabs(dz));
    }
    if (!(std::fabs(got[at].x - want) <= 1e-5 * size)) fail("a pull differs");
  }
  report("nbody", n, time_launches(launch), 20.0 * n * n, "GFLOP/s");
  free_all(db, pulls);
}
