extern "C" __global__ void maxpool_indices(int height, int width, int out_height, int out_width, int side,
                                           int stride, int padding, const float* __restrict__ image,
                                           float* __restrict__ largest, long long* __restrict__ index) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int channel = blockIdx.z;
  if (x >= out_width || y >= out_height) return;
  int first_y = y * stride - padding, first_x = x * stride - padding;
  int end_y = min(first_y + side, height), end_x = min(first_x + side, width);
  first_y = max(first_y, 0);
  first_x = max(first_x, 0);
  int base = channel * height * width;
  float best = -3.402823466e38f;
  int place = -1;
  for (int iy = first_y; iy < end_y; iy++) {
    for (int ix = first_x; ix < end_x; ix++) {
      float value = image[base + iy * width + ix];
      if (value > best) {
        best = value;
        place = iy * width + ix;
      }
    }
  }
  int out = (channel * out_height + y) * out_width + x;
  largest[out] = best;
  index[out] = place;
}
