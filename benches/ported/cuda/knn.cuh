extern "C" __global__ void knn(int queries, int points, const float* __restrict__ query,
                               const float* __restrict__ point, float* __restrict__ distance,
                               int* __restrict__ index) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= queries) return;
  float distances[8];
  int indices[8];
  for (int k = 0; k < 8; k++) {
    distances[k] = 3.402823466e38f;
    indices[k] = -1;
  }
  for (int p = 0; p < points; p++) {
    float sum = 0.0f;
    for (int c = 0; c < 3; c++) {
      float difference = query[i * 3 + c] - point[p * 3 + c];
      sum += difference * difference;
    }
    if (sum < distances[7]) {
      int k = 7;
      while (k > 0 && distances[k - 1] > sum) {
        distances[k] = distances[k - 1];
        indices[k] = indices[k - 1];
        k--;
      }
      distances[k] = sum;
      indices[k] = p;
    }
  }
  for (int k = 0; k < 8; k++) {
    distance[k * queries + i] = distances[k];
    index[k * queries + i] = indices[k];
  }
}
