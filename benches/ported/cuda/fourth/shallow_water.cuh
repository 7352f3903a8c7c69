struct WaterState {
  float h, hu, hv;
};

__device__ inline WaterState flow_x(WaterState s, float gravity) {
  float u = s.hu / s.h;
  return {s.hu, s.hu * u + 0.5f * gravity * s.h * s.h, s.hv * u};
}

__device__ inline WaterState flow_y(WaterState s, float gravity) {
  float v = s.hv / s.h;
  return {s.hv, s.hu * v, s.hv * v + 0.5f * gravity * s.h * s.h};
}

extern "C" __global__ void shallow_water(int width, int height, float gravity, float ratio,
                                         const float* __restrict__ depth, const float* __restrict__ momentum_x,
                                         const float* __restrict__ momentum_y, float* __restrict__ next_depth,
                                         float* __restrict__ next_x, float* __restrict__ next_y) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  auto state = [&](int y, int x) -> WaterState {
    return {depth[y * width + x], momentum_x[y * width + x], momentum_y[y * width + x]};
  };
  WaterState west = state(y, max(x - 1, 0));
  WaterState east = state(y, min(x + 1, width - 1));
  WaterState north = state(max(y - 1, 0), x);
  WaterState south = state(min(y + 1, height - 1), x);
  if (x == 0) west.hu = -west.hu;
  if (x == width - 1) east.hu = -east.hu;
  if (y == 0) north.hv = -north.hv;
  if (y == height - 1) south.hv = -south.hv;
  WaterState fw = flow_x(west, gravity), fe = flow_x(east, gravity);
  WaterState fn = flow_y(north, gravity), fs = flow_y(south, gravity);
  float half = 0.5f * ratio;
  int i = y * width + x;
  next_depth[i] = 0.25f * (west.h + east.h + north.h + south.h) - half * (fe.h - fw.h) - half * (fs.h - fn.h);
  next_x[i] = 0.25f * (west.hu + east.hu + north.hu + south.hu) - half * (fe.hu - fw.hu) - half * (fs.hu - fn.hu);
  next_y[i] = 0.25f * (west.hv + east.hv + north.hv + south.hv) - half * (fe.hv - fw.hv) - half * (fs.hv - fn.hv);
}
