__constant__ int2 kWalk[4] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};

__device__ inline unsigned random_number(uint64_t& state) {
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return state * 0x2545f4914f6cdd1dull >> 32;
}

extern "C" __global__ void random_walk(int walkers, int side, int most, uint64_t seed,
                                       const unsigned char* __restrict__ blocked, int* __restrict__ steps,
                                       long long* __restrict__ square, unsigned* __restrict__ exits) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= walkers) return;
  uint64_t state = seed + (i + 1ull) * 0x9e3779b97f4a7c15ull;
  int x = side / 2, y = side / 2;
  int count = 0;
  long long traveled = 0;
  while (count < most) {
    count++;
    int direction = random_number(state) >> 30;
    int2 step = kWalk[direction];
    int nx = x + step.x, ny = y + step.y;
    if (nx < 0 || nx >= side || ny < 0 || ny >= side) {
      atomicAdd(&exits[direction], 1u);
      break;
    }
    if (blocked[ny * side + nx] != 0) continue;
    x = nx;
    y = ny;
    long long fx = x - side / 2, fy = y - side / 2;
    traveled += fx * fx + fy * fy;
  }
  steps[i] = count;
  square[i] = traveled;
}
