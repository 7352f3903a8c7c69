__device__ inline float sigmoid(float x) { return 1.0f / (1.0f + expf(-x)); }

extern "C" __global__ void lstm_cell(int total, int units, const float* __restrict__ from_input,
                                     const float* __restrict__ from_hidden, const float* __restrict__ bias,
                                     const float* __restrict__ cell, float* __restrict__ next_cell,
                                     float* __restrict__ hidden) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= total) return;
  int row = i / units;
  int unit = i % units;
  float gates[4];
  for (int k = 0; k < 4; k++) {
    int place = row * 4 * units + k * units + unit;
    gates[k] = from_input[place] + from_hidden[place] + bias[k * units + unit];
  }
  float input = sigmoid(gates[0]);
  float forget = sigmoid(gates[1]);
  float candidate = tanhf(gates[2]);
  float output = sigmoid(gates[3]);
  float next = forget * cell[i] + input * candidate;
  next_cell[i] = next;
  hidden[i] = output * tanhf(next);
}
