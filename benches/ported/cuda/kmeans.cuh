extern "C" __global__ void kmeans(int points, int clusters, int features, const float* __restrict__ feature,
                                  const float* __restrict__ centre, int* __restrict__ member) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= points) return;
  int nearest = -1;
  float least = 3.402823466e38f;
  for (int c = 0; c < clusters; c++) {
    float sum = 0.0f;
    for (int l = 0; l < features; l++) {
      float difference = feature[l * points + p] - centre[c * features + l];
      sum += difference * difference;
    }
    if (sum < least) {
      least = sum;
      nearest = c;
    }
  }
  member[p] = nearest;
}
