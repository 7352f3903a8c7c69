// Textures and surfaces of CUDA C++, by objects.

extern "C" __global__ void fetches(cudaTextureObject_t picture, const float2 *at, float *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = tex2D<float>(picture, at[i].x, at[i].y);
}

extern "C" __global__ void gathers(cudaTextureObject_t picture, const float2 *at, float4 *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = tex2Dgather<float4>(picture, at[i].x, at[i].y, 0);
}

extern "C" __global__ void layers(cudaTextureObject_t pictures, const float2 *at, uchar4 *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = tex2DLayered<uchar4>(pictures, at[i].x, at[i].y, i % 3);
}

extern "C" __global__ void indexed(cudaTextureObject_t table, const int *at, short2 *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = tex1Dfetch<short2>(table, at[i]);
}

extern "C" __global__ void levels(cudaTextureObject_t picture, const float *detail, float *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = tex2DLod<float>(picture, 0.5f, 0.5f, detail[i]) +
           tex2DGrad<float>(picture, 0.5f, 0.5f, make_float2(exp2f(detail[i]) / 8, 0), make_float2(0, 0));
}

// Each texel moves to the place opposite.
extern "C" __global__ void turned(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int width, int height) {
  int x = threadIdx.x, y = threadIdx.y;
  if (x < width && y < height) {
    uchar4 texel = surf2Dread<uchar4>(from, x * sizeof(uchar4), y);
    surf2Dwrite(texel, to, (width - 1 - x) * sizeof(uchar4), height - 1 - y);
  }
}

extern "C" __global__ void edges(cudaSurfaceObject_t from, float2 *out) {
  int x = int(threadIdx.x) - 8;
  out[threadIdx.x] = make_float2(surf2Dread<float>(from, x * 4, 1, cudaBoundaryModeClamp),
                                 surf2Dread<float>(from, x * 4, 1, cudaBoundaryModeZero));
}
