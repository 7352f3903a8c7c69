// Poisson's equation on a square by conjugate gradients, in one cooperative launch and in two launches for each iteration:
// the baseline of `showcase/examples/poisson.rs --bench`, 512 x 512 unknowns. Sums over blocks are CUB's.
#include <cooperative_groups.h>
#include <cub/block/block_reduce.cuh>

#include <cmath>
#include <cstring>

#include "common.cuh"

namespace cg = cooperative_groups;

constexpr unsigned THREADS = 512;
// Unknowns of a thread.
constexpr unsigned OWN = 4;
constexpr double TOLERANCE = 1e-10;

// The scalar products that an iteration needs.
struct Products {
  double gamma, delta;
};

struct Add {
  __device__ Products operator()(Products a, Products b) const { return {a.gamma + b.gamma, a.delta + b.delta}; }
};

struct Weights {
  double alpha, beta;
};

__device__ inline Weights weights_of(Products now, bool is_first, double gamma_before, double alpha_before) {
  if (is_first) return {now.gamma / now.delta, 0.0};
  double beta = now.gamma / gamma_before;
  return {now.gamma / (now.delta - beta * now.gamma / alpha_before), beta};
}

// What one unknown takes from an iteration into the next.
struct Unknown {
  double x, direction, direction_image;

  __device__ void step(Weights weights, double& residual, double image) {
    direction = residual + weights.beta * direction;
    direction_image = image + weights.beta * direction_image;
    x += weights.alpha * direction;
    residual -= weights.alpha * direction_image;
  }
};

using Reduce = cub::BlockReduce<Products, THREADS>;

__device__ inline void sum_of_block(Products own, Products* partial) {
  __shared__ typename Reduce::TempStorage storage;
  Products sum = Reduce(storage).Reduce(own, Add{});
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

// The sums over all blocks, in each thread.
__device__ inline Products sum_of_partial(const Products* partial, unsigned blocks) {
  __shared__ typename Reduce::TempStorage storage;
  __shared__ Products all;
  Products own{0, 0};
  for (unsigned i = threadIdx.x; i < blocks; i += THREADS) own = Add{}(own, partial[i]);
  own = Reduce(storage).Reduce(own, Add{});
  if (threadIdx.x == 0) all = own;
  __syncthreads();
  return all;
}

__global__ void __launch_bounds__(THREADS)
    solve(unsigned size, double tolerance, double* residual, Products* partial, double* history, unsigned most, double* x) {
  cg::grid_group grid = cg::this_grid();
  unsigned rank = blockIdx.x * THREADS + threadIdx.x, row = size + 2;
  unsigned top = rank / size * OWN, column = rank % size, first = (top + 1) * row + column + 1;
  Unknown own[OWN] = {};
  double residuals[OWN], images[OWN];
#pragma unroll
  for (unsigned k = 0; k < OWN; k++) residuals[k] = top + k < size ? residual[first + k * row] : 0.0;

  double gamma_before = 0, alpha_before = 0, least = 0;
  for (unsigned iteration = 0; iteration < most; iteration++) {
    Products products{0, 0};
#pragma unroll
    for (unsigned k = 0; k < OWN; k++) {
      images[k] = 0;
      if (top + k < size) {
        unsigned at = first + k * row;
        double above = k == 0 ? residual[at - row] : residuals[k == 0 ? 0 : k - 1];
        double below = k == OWN - 1 ? residual[at + row] : residuals[k == OWN - 1 ? k : k + 1];
        images[k] = 4.0 * residuals[k] - above - below - residual[at - 1] - residual[at + 1];
      }
      products = Add{}(products, {residuals[k] * residuals[k], residuals[k] * images[k]});
    }
    sum_of_block(products, partial);
    grid.sync();  // all have read the residual, and each block's sums are there
    products = sum_of_partial(partial, gridDim.x);
    if (rank == 0) history[iteration] = products.gamma;
    if (iteration == 0) least = tolerance * products.gamma;
    if (products.gamma <= least) break;
    Weights weights = weights_of(products, iteration == 0, gamma_before, alpha_before);
    gamma_before = products.gamma;
    alpha_before = weights.alpha;
#pragma unroll
    for (unsigned k = 0; k < OWN; k++) {
      if (top + k < size) {
        own[k].step(weights, residuals[k], images[k]);
        residual[first + k * row] = residuals[k];
      }
    }
    grid.sync();  // the residual is there, and all have read the sums
  }
#pragma unroll
  for (unsigned k = 0; k < OWN; k++) {
    if (top + k < size) x[(top + k) * size + column] = own[k].x;
  }
}

__device__ inline unsigned place(unsigned size, unsigned i) { return (i / size + 1) * (size + 2) + i % size + 1; }

__global__ void __launch_bounds__(THREADS)
    multiply(unsigned size, const double* __restrict__ residual, Products* partial, double* __restrict__ image) {
  Products products{0, 0};
  for (unsigned i = blockIdx.x * THREADS + threadIdx.x; i < size * size; i += gridDim.x * THREADS) {
    unsigned at = place(size, i), row = size + 2;
    double own = residual[at];
    image[i] = 4.0 * own - residual[at - 1] - residual[at + 1] - residual[at - row] - residual[at + row];
    products = Add{}(products, {own * own, own * image[i]});
  }
  sum_of_block(products, partial);
}

__global__ void __launch_bounds__(THREADS)
    step(unsigned size, unsigned iteration, const Products* __restrict__ partial, double* scalars,
         const double* __restrict__ image, double* residual, Unknown* unknowns) {
  Products products = sum_of_partial(partial, gridDim.x);
  unsigned now = iteration % 2 * 2, last = 2 - now;
  Weights weights = weights_of(products, iteration == 0, scalars[last], scalars[last + 1]);
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    scalars[now] = products.gamma;
    scalars[now + 1] = weights.alpha;
  }
  for (unsigned i = blockIdx.x * THREADS + threadIdx.x; i < size * size; i += gridDim.x * THREADS) {
    unknowns[i].step(weights, residual[place(size, i)], image[i]);
  }
}

int main() {
  const unsigned size = 512, row = size + 2, strips = (size + OWN - 1) / OWN;
  const std::size_t n = std::size_t(size) * size, bordered = std::size_t(row) * (OWN * strips + 2);
  const unsigned blocks = (size * strips + THREADS - 1) / THREADS, most = 20 * size + 100;
  print_device();
  Rng rng{fresh_seed()};
  std::vector<double> right(bordered, 0.0);
  auto at = [&](std::size_t i) { return (i / size + 1) * row + i % size + 1; };
  for (std::size_t i = 0; i < n; i++) right[at(i)] = 2.0 * (double(rng.next() >> 11) * 0x1p-53) - 1.0;

  double *device_right = to_device(right), *residual = to_device(right);
  double *history = to_device(std::vector<double>(most, 0.0)), *x = to_device(std::vector<double>(n, 0.0));
  double *image = to_device(std::vector<double>(n, 0.0)), *scalars = to_device(std::vector<double>(4, 0.0));
  Products* partial = to_device(std::vector<Products>(blocks));
  Unknown* unknowns = to_device(std::vector<Unknown>(n));

  auto start = [&] {
    CHECK(cudaMemcpyAsync(residual, device_right, bordered * sizeof(double), cudaMemcpyDeviceToDevice));
  };
  auto cooperative = [&] {
    start();
    unsigned size_argument = size, most_argument = most;
    double tolerance = TOLERANCE * TOLERANCE;
    void* arguments[] = {&size_argument, &tolerance, &residual, &partial, &history, &most_argument, &x};
    CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(solve), dim3(blocks), dim3(THREADS), arguments, 0, nullptr));
  };
  cooperative();
  unsigned iterations = 0;
  for (double square : to_host(history, most)) iterations += square != 0.0;
  iterations -= 1;  // the last one is only looked at
  auto launches = [&] {
    start();
    CHECK(cudaMemsetAsync(unknowns, 0, n * sizeof(Unknown)));
    for (unsigned iteration = 0; iteration < iterations; iteration++) {
      multiply<<<blocks, THREADS>>>(size, residual, partial, image);
      step<<<blocks, THREADS>>>(size, iteration, partial, scalars, image, residual, unknowns);
    }
  };
  launches();

  // The right side less the left side at the solution, relative to the right side.
  auto check = [&](auto solution) {
    std::vector<double> filled(bordered, 0.0);
    for (std::size_t i = 0; i < n; i++) filled[at(i)] = solution(i);
    double rest = 0, all = 0;
    for (std::size_t i = 0; i < n; i++) {
      std::size_t p = at(i);
      double left = 4.0 * filled[p] - filled[p - 1] - filled[p + 1] - filled[p - row] - filled[p + row];
      rest += (right[p] - left) * (right[p] - left);
      all += right[p] * right[p];
    }
    if (!(std::sqrt(rest / all) < 10 * TOLERANCE)) fail("the residual is too large");
  };
  std::vector<double> solved = to_host(x, n);
  check([&](std::size_t i) { return solved[i]; });
  std::vector<Unknown> stepped = to_host(unknowns, n);
  check([&](std::size_t i) { return stepped[i].x; });

  Times one = time_launches(cooperative), many = time_launches(launches);
  std::printf("%u iterations; %.2f us each in one launch, %.2f in launches\n", iterations,
              one.median_ms * 1e3 / iterations, many.median_ms * 1e3 / iterations);
  report("poisson_cooperative", n, one, double(n) * iterations, "Gunknowns/s");
  report("poisson_launches", n, many, double(n) * iterations, "Gunknowns/s");
}
