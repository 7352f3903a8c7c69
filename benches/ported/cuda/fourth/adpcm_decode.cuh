__constant__ int STEP[89] = {
    7,     8,     9,     10,    11,    12,    13,    14,    16,    17,    19,    21,    23,    25,    28,
    31,    34,    37,    41,    45,    50,    55,    60,    66,    73,    80,    88,    97,    107,   118,
    130,   143,   157,   173,   190,   209,   230,   253,   279,   307,   337,   371,   408,   449,   494,
    544,   598,   658,   724,   796,   876,   963,   1060,  1166,  1282,  1411,  1552,  1707,  1878,  2066,
    2272,  2499,  2749,  3024,  3327,  3660,  4026,  4428,  4871,  5358,  5894,  6484,  7132,  7845,  8630,
    9493,  10442, 11487, 12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623, 27086, 29794, 32767,
};

__constant__ int CHANGE[8] = {-1, -1, -1, -1, 2, 4, 6, 8};

extern "C" __global__ void adpcm_decode(int blocks, int size, const uint8_t* __restrict__ code,
                                        int16_t* __restrict__ sample) {
  int b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b >= blocks) return;
  int base = b * size;
  int first = b * (1 + 2 * (size - 4));
  int predicted = (int16_t)(code[base + 1] << 8 | code[base]);
  int index = min((int)code[base + 2], 88);
  sample[first] = predicted;
  int n = 1;
  for (int i = 4; i < size; i++) {
    int byte = code[base + i];
    for (int half = 0; half < 2; half++) {
      int nibble = byte >> (4 * half) & 15;
      int step = STEP[index];
      int difference = step >> 3;
      if (nibble & 1) difference += step >> 2;
      if (nibble & 2) difference += step >> 1;
      if (nibble & 4) difference += step;
      if (nibble & 8) difference = -difference;
      predicted = min(max(predicted + difference, -32768), 32767);
      index = min(max(index + CHANGE[nibble & 7], 0), 88);
      sample[first + n] = predicted;
      n++;
    }
  }
}
