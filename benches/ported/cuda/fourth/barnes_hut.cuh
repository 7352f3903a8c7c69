struct Node {
  float middle_x, middle_y, size;
  float x, y, mass;
  int more, next;
};

extern "C" __global__ void barnes_hut(int bodies, float softening, const float* __restrict__ body_x,
                                      const float* __restrict__ body_y, const Node* __restrict__ node,
                                      float* __restrict__ ax, float* __restrict__ ay) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= bodies) return;
  float x = body_x[i], y = body_y[i];
  float sum_x = 0.0f, sum_y = 0.0f;
  int k = 0;
  while (k >= 0) {
    Node n = node[k];
    float mx = n.middle_x - x;
    float my = n.middle_y - y;
    if (n.more < 0 || 4.0f * n.size * n.size < mx * mx + my * my) {
      float dx = n.x - x;
      float dy = n.y - y;
      float square = dx * dx + dy * dy + softening;
      float f = n.mass / (square * sqrtf(square));
      sum_x += dx * f;
      sum_y += dy * f;
      k = n.next;
    } else {
      k = n.more;
    }
  }
  ax[i] = sum_x;
  ay[i] = sum_y;
}
