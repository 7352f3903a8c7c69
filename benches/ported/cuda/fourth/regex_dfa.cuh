extern "C" __global__ void regex_dfa(int strings, int states, const int* __restrict__ start,
                                     const uint8_t* __restrict__ text, const uint8_t* __restrict__ class_of,
                                     const uint16_t* __restrict__ table, const uint8_t* __restrict__ accepts,
                                     int* __restrict__ length) {
  __shared__ uint8_t classes[256];
  __shared__ uint16_t next[1024];
  int t = threadIdx.x;
  for (int k = t; k < 256; k += blockDim.x) classes[k] = class_of[k];
  for (int k = t; k < states * 16; k += blockDim.x) next[k] = table[k];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= strings) return;
  int first = start[i];
  int end = start[i + 1];
  int state = 1;
  int longest = -1;
  int at = first;
  while (state != 0) {
    if (accepts[state] != 0) longest = at - first;
    if (at == end) break;
    int c = classes[text[at]];
    state = next[state * 16 + c];
    at++;
  }
  length[i] = longest;
}
