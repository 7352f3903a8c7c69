struct Point {
  unsigned short x, y;
};

extern "C" __global__ void hough_lines(int points, int distances, int offset, const int* __restrict__ turn,
                                       const Point* __restrict__ point, unsigned* __restrict__ votes) {
  __shared__ unsigned count[5120];
  int t = threadIdx.x;
  int angle = blockIdx.x;
  for (int k = t; k < 5120; k += 256) count[k] = 0;
  __syncthreads();
  int cosine = turn[2 * angle], sine = turn[2 * angle + 1];
  for (int i = t; i < points; i += 256) {
    Point p = point[i];
    int distance = (p.x * cosine + p.y * sine + (1 << 13)) >> 14;
    atomicAdd(&count[distance + offset], 1u);
  }
  __syncthreads();
  for (int k = t; k < distances; k += 256) votes[angle * distances + k] = count[k];
}
