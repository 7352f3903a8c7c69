struct Node {
  int first, count;
};

extern "C" __global__ void bfs(int nodes, const Node* __restrict__ node, const int* __restrict__ edge,
                               const unsigned char* __restrict__ front, unsigned char* __restrict__ next,
                               const unsigned char* __restrict__ visited, int* __restrict__ cost) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < nodes && front[i]) {
    Node own = node[i];
    for (int e = own.first; e < own.first + own.count; e++) {
      int id = edge[e];
      if (!visited[id]) {
        cost[id] = cost[i] + 1;
        next[id] = 1;
      }
    }
  }
}
