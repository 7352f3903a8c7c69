// Swirls a picture by a texture: the baseline of `showcase/examples/image_warp.rs --bench`, 7680 x 4320 pixels.
#include <cmath>

#include "common.cuh"

// Where a pixel of the swirled picture comes from, in coordinates from 0 to 1.
__host__ __device__ inline void source(float x, float y, float turns, float* from_x, float* from_y) {
  float dx = x - 0.5f, dy = y - 0.5f;
  float near = fmaxf(1.0f - 2.0f * sqrtf(fmaf(dx, dx, dy * dy)), 0.0f);
  float angle = 6.28318530717958647692f * turns * near * near;
  float sine = sinf(angle), cosine = cosf(angle);
  *from_x = fmaf(dx, cosine, fmaf(dy, -sine, 0.5f));
  *from_y = fmaf(dx, sine, fmaf(dy, cosine, 0.5f));
}

// One pixel per thread.
__global__ void swirl(cudaTextureObject_t picture, float turns, uchar4* out, unsigned width, unsigned height) {
  unsigned column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height) return;
  float x, y;
  source((float(column) + 0.5f) / float(width), (float(row) + 0.5f) / float(height), turns, &x, &y);
  float4 colour = tex2D<float4>(picture, x, y);
  auto byte = [](float share) { return static_cast<unsigned char>(share * 255.0f + 0.5f); };
  out[std::size_t(row) * width + column] =
      make_uchar4(byte(colour.x), byte(colour.y), byte(colour.z), byte(colour.w));
}

static uchar4 tile(unsigned x, unsigned y, unsigned width, unsigned height) {
  auto wave = [](unsigned at, unsigned size, double waves) {
    return std::sin(double(at) / size * waves * 6.283185307179586);
  };
  double a = wave(x, width, 6), b = wave(y, height, 4);
  auto share = [](double value) { return static_cast<unsigned char>(127.5 * (1 + value)); };
  return make_uchar4(share(a * b), share(0.5 * (a + b)), share(wave(x + y, width, 1)), 255);
}

int main() {
  const unsigned width = 7680, height = 4320;
  const std::size_t n = std::size_t(width) * height;
  const float turns = 0.8f;
  print_device();
  std::vector<uchar4> pixels(n);
  for (std::size_t i = 0; i < n; i++) pixels[i] = tile(i % width, i / width, width, height);

  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
  CHECK(cudaMallocArray(&array, &format, width, height));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, pixels.data(), width * 4, width * 4, height, cudaMemcpyHostToDevice));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description{};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeMirror;
  description.filterMode = cudaFilterModeLinear;
  description.readMode = cudaReadModeNormalizedFloat;
  description.normalizedCoords = 1;
  cudaTextureObject_t picture;
  CHECK(cudaCreateTextureObject(&picture, &resource, &description, nullptr));
  uchar4* out = nullptr;
  CHECK(cudaMalloc(&out, n * sizeof(uchar4)));

  dim3 threads(32, 8), blocks((width + 31) / 32, (height + 7) / 8);
  Times t = time_launches([&] { swirl<<<blocks, threads>>>(picture, turns, out, width, height); });

  // Every seventh pixel, with exact weights; those of a texture have 8 fractional bits.
  std::vector<uchar4> got = to_host(out, n);
  auto mirror = [](long long at, long long size) {
    at = ((at % (2 * size)) + 2 * size) % (2 * size);
    return at < 2 * size - 1 - at ? at : 2 * size - 1 - at;
  };
  for (std::size_t i = 0; i < n; i += 7) {
    float x, y;
    source((float(i % width) + 0.5f) / width, (float(i / width) + 0.5f) / height, turns, &x, &y);
    double at_x = double(x) * width - 0.5, at_y = double(y) * height - 0.5;
    double s = at_x - std::floor(at_x), t = at_y - std::floor(at_y);
    for (int channel = 0; channel < 4; channel++) {
      auto at = [&](int dx, int dy) {
        std::size_t row = mirror((long long)std::floor(at_y) + dy, height);
        std::size_t column = mirror((long long)std::floor(at_x) + dx, width);
        return double(reinterpret_cast<const unsigned char*>(&pixels[row * width + column])[channel]);
      };
      auto blend = [](double a, double b, double share) { return a + (b - a) * share; };
      double want = blend(blend(at(0, 0), at(1, 0), s), blend(at(0, 1), at(1, 1), s), t);
      double pixel = reinterpret_cast<const unsigned char*>(&got[i])[channel];
      if (!(std::fabs(pixel - want) <= 3)) fail("a pixel differs from the host's");
    }
  }
  report("image_warp", n, t, double(n), "Gpixels/s");
}
