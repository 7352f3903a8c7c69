extern "C" __global__ void conv_transpose2d(int total, int in_channels, int channels, int in_side, int out_side,
                                            int taps, int stride, int padding, const float* __restrict__ input,
                                            const float* __restrict__ weight, const float* __restrict__ bias,
                                            float* __restrict__ output) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= total) return;
  int x = i % out_side;
  int y = i / out_side % out_side;
  int channel = i / (out_side * out_side) % channels;
  int image = i / (out_side * out_side) / channels;
  float sum = bias[channel];
  for (int c = 0; c < in_channels; c++) {
    int base = (image * in_channels + c) * in_side;
    for (int ky = 0; ky < taps; ky++) {
      int sy = y + padding - ky;
      if (sy < 0 || sy % stride != 0 || sy / stride >= in_side) continue;
      for (int kx = 0; kx < taps; kx++) {
        int sx = x + padding - kx;
        if (sx < 0 || sx % stride != 0 || sx / stride >= in_side) continue;
        sum += input[(base + sy / stride) * in_side + sx / stride] *
               weight[((c * channels + channel) * taps + ky) * taps + kx];
      }
    }
  }
  output[i] = sum;
}
