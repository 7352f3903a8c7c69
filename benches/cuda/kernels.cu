// The CUDA C++ twins of the kernels in ../src/kernels/: the same algorithms, checked and measured in
// the same way. `kernels NAME` runs one of them, `kernels` all.
#include <cmath>
#include <cstring>

#include "common.cuh"

// A bound that the Rust twin checks and CUDA C++ usually takes on trust: checked in the same way, by
// a call that ends the thread, if CHECKED is defined. `scripts/code-quality` counts both.
#ifdef CHECKED
[[noreturn]] __device__ __noinline__ void out_of_bounds(std::size_t index, std::size_t len) {
  std::printf("index out of bounds: the len is %llu but the index is %llu\n",
              static_cast<unsigned long long>(len), static_cast<unsigned long long>(index));
  asm volatile("exit;");
  __builtin_unreachable();
}
#define CHECK_BOUNDS(index, len) \
  if (!((index) < (len))) out_of_bounds(index, len)
#else
#define CHECK_BOUNDS(index, len)
#endif

// Element `index` of the `len` behind `pointer`.
template <class T>
__device__ inline T& at(T* pointer, std::size_t len, std::size_t index) {
  CHECK_BOUNDS(index, len);
  return pointer[index];
}

template <class T>
T* on_device(std::size_t n) {
  T* device = nullptr;
  CHECK(cudaMalloc(&device, n * sizeof(T)));
  return device;
}

template <class... T>
void free_all(T*... pointers) {
  for (void* pointer : {static_cast<void*>(pointers)...}) CHECK(cudaFree(pointer));
}

inline unsigned multiprocessors() {
  int count = 0;
  CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0));
  return count;
}

// Fails at an element that differs from `want(i)` by more than `tolerance`, relative to the larger
// of that and 1.
template <class Want>
void expect_close(const std::vector<float>& got, Want want, double tolerance) {
  for (std::size_t i = 0; i < got.size(); i++) {
    double w = want(i);
    if (!(std::fabs(got[i] - w) <= tolerance * std::max(std::fabs(w), 1.0))) fail("an element differs");
  }
}

#include "kernels/saxpy.cuh"
#include "kernels/reduce.cuh"
#include "kernels/scan.cuh"
#include "kernels/transpose.cuh"
#include "kernels/matmul.cuh"
#include "kernels/stencil.cuh"
#include "kernels/nbody.cuh"
#include "kernels/histogram.cuh"
#include "kernels/bitonic.cuh"
#include "kernels/mandelbrot.cuh"
#include "kernels/softmax.cuh"
#include "kernels/layernorm.cuh"
#include "kernels/spmv.cuh"
#include "kernels/black_scholes.cuh"
#include "kernels/sha256.cuh"
#include "kernels/compact.cuh"
#include "kernels/block_reduce.cuh"
#include "kernels/block_extremes.cuh"
#include "kernels/block_scan.cuh"
#include "kernels/warp_groups.cuh"

int main(int argc, char** argv) {
  print_device();
  std::uint64_t seed = fresh_seed();
  auto run = [&](const char* name, void (*bench)(Rng&)) {
    Rng rng{seed};
    if (argc < 2 || std::strcmp(argv[1], name) == 0) bench(rng);
  };
  run("saxpy", bench_saxpy);
  run("reduce", bench_reduce);
  run("scan", bench_scan);
  run("transpose", bench_transpose);
  run("matmul", bench_matmul);
  run("stencil", bench_stencil);
  run("nbody", bench_nbody);
  run("histogram", bench_histogram);
  run("bitonic", bench_bitonic);
  run("mandelbrot", bench_mandelbrot);
  run("softmax", bench_softmax);
  run("layernorm", bench_layernorm);
  run("spmv", bench_spmv);
  run("black_scholes", bench_black_scholes);
  run("sha256", bench_sha256);
  run("compact", bench_compact);
  run("block_reduce", bench_block_reduce_u32);
  run("block_reduce", bench_block_reduce_f32);
  run("block_reduce", bench_block_reduce_f64);
  run("block_extremes", bench_block_min_i32);
  run("block_extremes", bench_block_max_i32);
  run("block_extremes", bench_block_min_u64);
  run("block_extremes", bench_block_max_u64);
  run("block_extremes", bench_block_min_f32);
  run("block_extremes", bench_block_max_f32);
  run("block_scan", bench_block_scan_u32);
  run("block_scan", bench_block_scan_i32);
  run("block_scan", bench_block_scan_u64);
  run("block_scan", bench_block_scan_f32);
  run("block_scan", bench_block_scan_f64);
  run("block_scan", bench_block_exclusive_i32);
  run("block_scan", bench_block_exclusive_u64);
  run("block_scan", bench_block_exclusive_f32);
  run("warp_groups", bench_warp_reduce_i32);
  run("warp_groups", bench_warp_reduce_u64);
  run("warp_groups", bench_warp_reduce_f32);
  run("warp_groups", bench_warp_scan_i32);
  run("warp_groups", bench_warp_scan_u64);
  run("warp_groups", bench_warp_scan_f32);
}
