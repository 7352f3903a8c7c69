extern "C" __global__ void mandelbrot(int width, int height, unsigned limit, float left, float top, float step,
                                      unsigned* __restrict__ steps) {
  int px = blockIdx.x * blockDim.x + threadIdx.x;
  int py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height) return;
  float cx = fmaf(px, step, left);
  float cy = fmaf(py, step, top);
  float x = 0.0f, y = 0.0f;
  unsigned count = 0;
  while (count < limit) {
    float yy = __fmul_rn(y, y);
    if (fmaf(x, x, yy) > 4.0f) break;
    float next = fmaf(x, x, cx - yy);
    y = fmaf(2.0f * x, y, cy);
    x = next;
    count++;
  }
  steps[py * width + px] = count;
}
