// What the CUDA C++ baselines share: error checks, random data, and the timing method.
// The Rust side of the same method is `examples/src/bench.rs`; keep the two alike.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                        \
  do {                                                                                     \
    cudaError_t status = (call);                                                           \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,                   \
                   cudaGetErrorString(status));                                            \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (0)

// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
struct Rng {
  std::uint64_t state;
  std::uint64_t next() {
    state += 0x9e3779b97f4a7c15ull;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  // Uniform in [-1, 1), 24 bits.
  float next_f32() { return static_cast<float>(next() >> 40) * (1.0f / 8388608.0f) - 1.0f; }
};

inline std::uint64_t fresh_seed() {
  std::uint64_t seed = std::chrono::steady_clock::now().time_since_epoch().count();
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  return seed;
}

inline std::vector<float> random_vector(Rng& rng, std::size_t n) {
  std::vector<float> v(n);
  for (float& x : v) x = rng.next_f32();
  return v;
}

template <class T>
T* to_device(const std::vector<T>& host) {
  T* device = nullptr;
  CHECK(cudaMalloc(&device, host.size() * sizeof(T)));
  CHECK(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  return device;
}

inline float* to_device(std::initializer_list<float> host) {
  return to_device(std::vector<float>(host));
}

template <class T>
std::vector<T> to_host(const T* device, std::size_t n) {
  std::vector<T> host(n);
  CHECK(cudaMemcpy(host.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost));
  return host;
}

struct Times {
  double median_ms, min_ms, max_ms;
};

constexpr int kWarmUp = 5;
constexpr int kRuns = 25;

// Queues `kWarmUp` untimed launches and `kRuns` timed ones with an event between each two, so that
// the host's time to launch hides behind the running kernels; then reads the events.
template <class Launch>
Times time_launches(Launch launch) {
  std::vector<cudaEvent_t> events(kRuns + 1);
  for (cudaEvent_t& event : events) CHECK(cudaEventCreate(&event));
  for (int i = 0; i < kWarmUp; i++) launch();
  CHECK(cudaEventRecord(events[0]));
  for (int i = 0; i < kRuns; i++) {
    launch();
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(events[i + 1]));
  }
  CHECK(cudaDeviceSynchronize());
  std::vector<double> ms(kRuns);
  for (int i = 0; i < kRuns; i++) {
    float t = 0;
    CHECK(cudaEventElapsedTime(&t, events[i], events[i + 1]));
    ms[i] = t;
  }
  for (cudaEvent_t& event : events) CHECK(cudaEventDestroy(event));
  std::sort(ms.begin(), ms.end());
  return {ms[kRuns / 2], ms.front(), ms.back()};
}

// One line, alike for every program: `rate` is `amount` / median time, in `unit`.
inline void report(const char* name, std::size_t n, Times t, double amount, const char* unit) {
  std::printf("BENCH %s impl=cuda n=%zu median_ms=%.4f min_ms=%.4f max_ms=%.4f rate=%.1f %s\n", name,
              n, t.median_ms, t.min_ms, t.max_ms, amount / (t.median_ms * 1e-3) * 1e-9, unit);
}

// The device's name, for the log.
inline void print_device() {
  cudaDeviceProp properties{};
  CHECK(cudaGetDeviceProperties(&properties, 0));
  std::printf("device %s\n", properties.name);
}

inline void fail(const char* what) {
  std::fprintf(stderr, "FAILED: %s\n", what);
  std::exit(1);
}
