extern "C" __global__ void depthwise_conv3x3(int total, int channels, int in_height, int in_width, int out_height,
                                             int out_width, int stride, int padding,
                                             const float* __restrict__ input, const float* __restrict__ weight,
                                             const float* __restrict__ bias, float* __restrict__ output) {
  for (int index = blockIdx.x * blockDim.x + threadIdx.x; index < total; index += blockDim.x * gridDim.x) {
    int w = index % out_width;
    int h = index / out_width % out_height;
    int c = index / out_width / out_height % channels;
    int n = index / out_width / out_height / channels;
    float sum = bias[c];
    for (int kh = 0; kh < 3; kh++) {
      for (int kw = 0; kw < 3; kw++) {
        int y = h * stride - padding + kh;
        int x = w * stride - padding + kw;
        if (y >= 0 && y < in_height && x >= 0 && x < in_width) {
          float value = input[((n * channels + c) * in_height + y) * in_width + x];
          sum += value * weight[(c * 3 + kh) * 3 + kw];
        }
      }
    }
    output[index] = sum;
  }
}
