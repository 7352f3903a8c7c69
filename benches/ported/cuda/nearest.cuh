struct Place {
  float latitude, longitude;
};

extern "C" __global__ void nearest(int records, float latitude, float longitude, const Place* __restrict__ place,
                                   float* __restrict__ distance) {
  int i = blockDim.x * (gridDim.x * blockIdx.y + blockIdx.x) + threadIdx.x;
  if (i < records) {
    Place at = place[i];
    float y = latitude - at.latitude, x = longitude - at.longitude;
    distance[i] = sqrtf(y * y + x * x);
  }
}
