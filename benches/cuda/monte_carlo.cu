// Prices of call options from random paths: the baseline of `showcase/examples/monte_carlo.rs --bench`. Philox 4x32-10
// (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3, 2011) and Box and Muller's transformation,
// written out; and, where the toolkit has cuRAND's header, the same with its generator.
#include <cmath>

#include "common.cuh"

#if __has_include(<curand_kernel.h>)
#include <curand_kernel.h>
#define HAVE_CURAND
#endif

struct Call {
  float price, strike, rate, volatility, years;

  __device__ float payoff(float z) const {
    float drift = (rate - 0.5f * volatility * volatility) * years;
    float moved = price * expf(drift + volatility * sqrtf(years) * z);
    return fmaxf(moved - strike, 0.0f) * expf(-rate * years);
  }

  double closed_form() const {
    auto cdf = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
    double deviation = double(volatility) * std::sqrt(double(years));
    double d = (std::log(double(price) / strike) + double(rate) * years) / deviation + deviation / 2;
    return price * cdf(d) - strike * std::exp(-double(rate) * years) * cdf(d - deviation);
  }
};

// Ten rounds on a counter.
__device__ inline uint4 philox(uint4 counter, uint2 key) {
#pragma unroll
  for (int round = 0; round < 10; round++) {
    unsigned high0 = __umulhi(0xd2511f53u, counter.x), low0 = 0xd2511f53u * counter.x;
    unsigned high1 = __umulhi(0xcd9e8d57u, counter.z), low1 = 0xcd9e8d57u * counter.z;
    counter = make_uint4(high1 ^ counter.y ^ key.x, low1, high0 ^ counter.w ^ key.y, low0);
    key.x += 0x9e3779b9u;
    key.y += 0xbb67ae85u;
  }
  return counter;
}

// In (0, 1].
__device__ inline float open_closed(unsigned bits) {
  return fmaf(float(bits), 0x1p-32f, 0x1p-33f);
}

__device__ inline float2 normal2(unsigned a, unsigned b) {
  float radius = sqrtf(-2.0f * logf(open_closed(a))), sine, cosine;
  sincospif(2.0f * open_closed(b), &sine, &cosine);
  return make_float2(radius * sine, radius * cosine);
}

__device__ inline void add(float payoff, double& sum, double& squares) {
  sum += payoff;
  squares += double(payoff) * payoff;
}

// The sum of the payoffs of `2 * pairs` paths, and the sum of their squares; `pairs` is even.
__global__ void simulate(Call call, unsigned long long seed, unsigned pairs, double2* sums) {
  unsigned rank = blockIdx.x * blockDim.x + threadIdx.x;
  uint2 key = make_uint2(unsigned(seed), unsigned(seed >> 32));
  double sum = 0, squares = 0;
  for (unsigned block = 0; block < pairs / 2; block++) {
    uint4 words = philox(make_uint4(block, 0, rank, 0), key);
    float2 first = normal2(words.x, words.y), second = normal2(words.z, words.w);
    add(call.payoff(first.x), sum, squares);
    add(call.payoff(first.y), sum, squares);
    add(call.payoff(second.x), sum, squares);
    add(call.payoff(second.y), sum, squares);
  }
  sums[rank] = make_double2(sum, squares);
}

#ifdef HAVE_CURAND
// The same numbers of words by cuRAND, whose sine and cosine are the hardware's.
__global__ void simulate_curand(Call call, unsigned long long seed, unsigned pairs, double2* sums) {
  unsigned rank = blockIdx.x * blockDim.x + threadIdx.x;
  curandStatePhilox4_32_10_t state;
  curand_init(seed, rank, 0, &state);
  double sum = 0, squares = 0;
  for (unsigned block = 0; block < pairs / 2; block++) {
    float4 z = curand_normal4(&state);
    add(call.payoff(z.x), sum, squares);
    add(call.payoff(z.y), sum, squares);
    add(call.payoff(z.z), sum, squares);
    add(call.payoff(z.w), sum, squares);
  }
  sums[rank] = make_double2(sum, squares);
}
#endif

int main() {
  const unsigned blocks = 64, threads = 256;
  const std::size_t n = std::size_t(1) << 30;
  const unsigned pairs = unsigned(n / (2 * blocks * threads));
  print_device();
  const unsigned long long seed = fresh_seed();
  const Call call{100.0f, 100.0f, 0.03f, 0.2f, 1.0f};
  double2* sums = nullptr;
  CHECK(cudaMalloc(&sums, blocks * threads * sizeof(double2)));

  auto measure = [&](const char* name, auto kernel) {
    auto launch = [&] { kernel<<<blocks, threads>>>(call, seed, pairs, sums); };
    launch();
    CHECK(cudaGetLastError());
    double sum = 0, squares = 0;
    for (double2 each : to_host(sums, blocks * threads)) sum += each.x, squares += each.y;
    double mean = sum / n, error = std::sqrt((squares / n - mean * mean) / n);
    if (!(std::fabs(mean - call.closed_form()) < 5 * error)) fail("the price differs from the closed form");
    report(name, n, time_launches(launch), double(n), "Gpaths/s");
  };
  measure("monte_carlo", simulate);
#ifdef HAVE_CURAND
  measure("monte_carlo_curand", simulate_curand);
#endif
}
