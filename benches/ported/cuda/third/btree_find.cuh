struct Node {
  int keys[129];
  int children[128];
};

extern "C" __global__ void btree_find(int levels, int root, const Node* __restrict__ tree,
                                      const int* __restrict__ key, const int* __restrict__ record,
                                      int* __restrict__ found) {
  __shared__ int next, answer;
  int t = threadIdx.x;
  int wanted = key[blockIdx.x];
  int node = root;
  if (t == 0) answer = -1;
  __syncthreads();
  for (int level = 1; level < levels; level++) {
    const Node& here = tree[node];
    if (here.keys[t] <= wanted && wanted < here.keys[t + 1]) next = here.children[t];
    __syncthreads();
    node = next;
    __syncthreads();
  }
  const Node& leaf = tree[node];
  if (leaf.keys[t] == wanted) answer = record[leaf.children[t]];
  __syncthreads();
  if (t == 0) found[blockIdx.x] = answer;
}
