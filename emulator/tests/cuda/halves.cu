// Floats of 16 and 8 bits: one and two at a time.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

extern "C" __global__ void halves(const float *a, const float *b, float *out, int stride) {
  int i = threadIdx.x;
  __half x = __float2half(a[i]), y = __float2half(b[i]);
  out[0 * stride + i] = __half2float(__hadd(x, y));
  out[1 * stride + i] = __half2float(__hmul(x, y));
  out[2 * stride + i] = __half2float(__hfma(x, y, x));
  out[3 * stride + i] = __half2float(__hdiv(x, y));
  out[4 * stride + i] = __half2float(hsqrt(__habs(x)));
  out[5 * stride + i] = __hgt(x, y) * 4 + __heq(x, x) * 2 + __hisnan(x);
  out[6 * stride + i] = __half2float(__hmax(x, y)) - __half2float(__hmin(x, y));
  out[7 * stride + i] = __half2int_rn(x) + __half2float(__int2half_rn(i * 1000));
  out[8 * stride + i] = __half2float(__hadd_sat(x, y)) + __half2float(hfloor(x));
}

extern "C" __global__ void pairs(const float2 *a, const float2 *b, float2 *out, int stride) {
  int i = threadIdx.x;
  __half2 x = __float22half2_rn(a[i]), y = __float22half2_rn(b[i]);
  out[0 * stride + i] = __half22float2(__hadd2(x, y));
  out[1 * stride + i] = __half22float2(__hfma2(x, y, y));
  out[2 * stride + i] = __half22float2(__lowhigh2highlow(__hmul2(x, y)));
  out[3 * stride + i] = __half22float2(__hsub2(__high2half2(x), __low2half2(y)));
  out[4 * stride + i] = __half22float2(__hgt2(x, y));
  out[5 * stride + i] = make_float2(__hbeq2(x, y), __hble2(x, y));
  out[6 * stride + i] = __half22float2(__hfma2_relu(x, y, x));
}

extern "C" __global__ void brain(const float2 *a, const float2 *b, float2 *out, int stride) {
  int i = threadIdx.x;
  __nv_bfloat162 x = __float22bfloat162_rn(a[i]), y = __float22bfloat162_rn(b[i]);
  out[0 * stride + i] = __bfloat1622float2(__hadd2(x, y));
  out[1 * stride + i] = __bfloat1622float2(__hfma2(x, y, x));
  out[2 * stride + i] = __bfloat1622float2(__hmul2(x, y));
  out[3 * stride + i] = __bfloat1622float2(__hmax2(x, y));
  out[4 * stride + i] = make_float2(__bfloat162float(__float2bfloat16_rz(a[i].x)), __bfloat162int_rz(x.y));
  out[5 * stride + i] = __bfloat1622float2(__hneg2(__habs2(x)));
}

extern "C" __global__ void eighths(const float2 *a, float2 *out, int stride) {
  int i = threadIdx.x;
  __nv_fp8x2_e4m3 e(a[i]);
  __nv_fp8x2_e5m2 f(a[i]);
  out[0 * stride + i] = (float2)e;
  out[1 * stride + i] = (float2)f;
  __nv_fp8_e4m3 one(a[i].x);
  out[2 * stride + i] = make_float2((float)one, (float)__nv_fp8_e5m2(a[i].y));
}
