struct Region {
  int image;
  float x1, y1, x2, y2;
};

__device__ inline float roi_sample(const float* __restrict__ features, int plane, int height, int width, float y,
                                   float x) {
  if (y < -1.0f || y > height || x < -1.0f || x > width) return 0.0f;
  y = fmaxf(y, 0.0f);
  x = fmaxf(x, 0.0f);
  int top = (int)y, left = (int)x;
  int bottom, right;
  if (top >= height - 1) {
    bottom = top = height - 1;
    y = top;
  } else {
    bottom = top + 1;
  }
  if (left >= width - 1) {
    right = left = width - 1;
    x = left;
  } else {
    right = left + 1;
  }
  float fy = y - top, fx = x - left;
  float a = features[(plane + top) * width + left];
  float b = features[(plane + top) * width + right];
  float c = features[(plane + bottom) * width + left];
  float d = features[(plane + bottom) * width + right];
  return (1.0f - fy) * ((1.0f - fx) * a + fx * b) + fy * ((1.0f - fx) * c + fx * d);
}

extern "C" __global__ void roi_align(int total, int channels, int height, int width, int side, float scale,
                                     const float* __restrict__ features, const Region* __restrict__ region,
                                     float* __restrict__ pooled) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= total) return;
  int column = i % side;
  int row = i / side % side;
  int channel = i / side / side % channels;
  Region roi = region[i / side / side / channels];
  float x1 = roi.x1 * scale;
  float y1 = roi.y1 * scale;
  float bin_width = fmaxf(roi.x2 * scale - x1, 1.0f) / side;
  float bin_height = fmaxf(roi.y2 * scale - y1, 1.0f) / side;
  int plane = (roi.image * channels + channel) * height;
  float sum = 0.0f;
  for (int sy = 0; sy < 2; sy++) {
    float y = y1 + row * bin_height + (sy + 0.5f) * bin_height / 2.0f;
    for (int sx = 0; sx < 2; sx++) {
      float x = x1 + column * bin_width + (sx + 0.5f) * bin_width / 2.0f;
      sum += roi_sample(features, plane, height, width, y, x);
    }
  }
  pooled[i] = sum / 4.0f;
}
