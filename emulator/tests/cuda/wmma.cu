// Matrix products of a warp by `nvcuda::wmma`: shapes, types and layouts.
#include <mma.h>
#include <type_traits>
using namespace nvcuda;

// D = A B + C; one warp. Leading dimensions are those of dense matrices.
template <int M, int N, int K, typename T, typename S, typename LayoutA, typename LayoutB>
__device__ void product(const void *a, const void *b, const void *c, void *d, bool column_sums) {
  using Storage = typename wmma::fragment<wmma::matrix_a, M, N, K, T, LayoutA>::storage_element_type;
  wmma::fragment<wmma::matrix_a, M, N, K, T, LayoutA> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, T, LayoutB> fb;
  wmma::fragment<wmma::accumulator, M, N, K, S> fc, fd;
  auto layout = column_sums ? wmma::mem_col_major : wmma::mem_row_major;
  int stride = column_sums ? M : N;
  wmma::load_matrix_sync(fa, (const Storage *)a, std::is_same_v<LayoutA, wmma::row_major> ? K : M);
  wmma::load_matrix_sync(fb, (const Storage *)b, std::is_same_v<LayoutB, wmma::row_major> ? N : K);
  wmma::load_matrix_sync(fc, (const S *)c, stride, layout);
  wmma::mma_sync(fd, fa, fb, fc);
  for (int i = 0; i < fd.num_elements; i++) fd.x[i] = fd.x[i] + fc.x[i];
  wmma::store_matrix_sync((S *)d, fd, stride, layout);
}

using R = wmma::row_major;
using C = wmma::col_major;

#define PRODUCT(name, M, N, K, T, S, LA, LB)                                                          \
  extern "C" __global__ void name(const void *a, const void *b, const void *c, void *d, int column) { \
    product<M, N, K, T, S, LA, LB>(a, b, c, d, column);                                               \
  }

PRODUCT(half_16_16_rr, 16, 16, 16, half, float, R, R)
PRODUCT(half_16_16_rc, 16, 16, 16, half, float, R, C)
PRODUCT(half_16_16_cr, 16, 16, 16, half, half, C, R)
PRODUCT(half_32_8_cc, 32, 8, 16, half, half, C, C)
PRODUCT(half_8_32_rr, 8, 32, 16, half, float, R, R)
PRODUCT(bf16_16_16_rc, 16, 16, 16, __nv_bfloat16, float, R, C)
PRODUCT(bf16_32_8_cr, 32, 8, 16, __nv_bfloat16, float, C, R)
PRODUCT(bf16_8_32_rr, 8, 32, 16, __nv_bfloat16, float, R, R)
PRODUCT(tf32_rc, 16, 16, 8, wmma::precision::tf32, float, R, C)
PRODUCT(tf32_cr, 16, 16, 8, wmma::precision::tf32, float, C, R)
PRODUCT(s8_16_16_rr, 16, 16, 16, signed char, int, R, R)
PRODUCT(u8_32_8_rc, 32, 8, 16, unsigned char, int, R, C)
PRODUCT(s8_8_32_cc, 8, 32, 16, signed char, int, C, C)
PRODUCT(f64_rc, 8, 8, 4, double, double, R, C)
PRODUCT(f64_cr, 8, 8, 4, double, double, C, R)

// Half a byte and single bits: rows of A and columns of B only.
extern "C" __global__ void s4(const void *a, const void *b, int *d) {
  namespace ex = wmma::experimental;
  wmma::fragment<wmma::matrix_a, 8, 8, 32, ex::precision::s4, R> fa;
  wmma::fragment<wmma::matrix_b, 8, 8, 32, ex::precision::s4, C> fb;
  wmma::fragment<wmma::accumulator, 8, 8, 32, int> fc;
  wmma::fill_fragment(fc, 7);
  wmma::load_matrix_sync(fa, a, 32);
  wmma::load_matrix_sync(fb, b, 32);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 8, wmma::mem_row_major);
}

extern "C" __global__ void bits(const void *a, const void *b, int *d) {
  namespace ex = wmma::experimental;
  wmma::fragment<wmma::matrix_a, 8, 8, 128, ex::precision::b1, R> fa;
  wmma::fragment<wmma::matrix_b, 8, 8, 128, ex::precision::b1, C> fb;
  wmma::fragment<wmma::accumulator, 8, 8, 128, int> fx, fy;
  wmma::fill_fragment(fx, -5);
  wmma::fill_fragment(fy, 11);
  wmma::load_matrix_sync(fa, a, 128);
  wmma::load_matrix_sync(fb, b, 128);
  wmma::bmma_sync(fx, fa, fb, fx);
  wmma::bmma_sync(fy, fa, fb, fy, ex::bmmaBitOpAND);
  wmma::store_matrix_sync(d, fx, 8, wmma::mem_row_major);
  wmma::store_matrix_sync(d + 64, fy, 8, wmma::mem_col_major);
}

// A tiled product of larger matrices, the way that tutorials do it: a warp for each 16x16 tile of C.
extern "C" __global__ void tiled(const half *a, const half *b, float *c, int m, int n, int k, float alpha) {
  int row = blockIdx.y * 16, column = (blockIdx.x * blockDim.x + threadIdx.x) / 32 * 16;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int i = 0; i < k; i += 16) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, R> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, R> fb;
    wmma::load_matrix_sync(fa, a + row * k + i, k);
    wmma::load_matrix_sync(fb, b + i * n + column, n);
    wmma::mma_sync(sum, fa, fb, sum);
  }
  for (int i = 0; i < sum.num_elements; i++) sum.x[i] *= alpha;
  wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}
