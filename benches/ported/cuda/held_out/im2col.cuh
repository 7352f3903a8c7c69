extern "C" __global__ void im2col(int total, int height, int width, int side, int padding, int stride,
                                  int out_height, int out_width, const float* __restrict__ image,
                                  float* __restrict__ columns) {
  for (int index = blockIdx.x * blockDim.x + threadIdx.x; index < total; index += blockDim.x * gridDim.x) {
    int out_x = index % out_width;
    int out_y = index / out_width % out_height;
    int channel = index / out_width / out_height;
    int x0 = out_x * stride - padding;
    int y0 = out_y * stride - padding;
    for (int i = 0; i < side; i++) {
      for (int j = 0; j < side; j++) {
        int y = y0 + i, x = x0 + j;
        bool inside = y >= 0 && x >= 0 && y < height && x < width;
        int row = (channel * side + i) * side + j;
        columns[(row * out_height + out_y) * out_width + out_x] =
            inside ? image[(channel * height + y) * width + x] : 0.0f;
      }
    }
  }
}
