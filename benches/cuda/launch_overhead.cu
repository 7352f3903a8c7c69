// The host's time for one `cuLaunchKernel` of a warm kernel and for one `cuGraphLaunch`, and the time that each node of the
// graph takes: the baseline of `benches/examples/launch_overhead.rs`. The kernel takes the arguments of saxpy and does next
// to nothing.
#include <cuda.h>
#include <dlfcn.h>

#include "common.cuh"

__global__ void touch(float a, const float* x, std::size_t x_len, float* y, std::size_t y_len) {
  std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < y_len && i < x_len) y[i] = a * x[i] + y[i];
}

void report(const char* what, std::vector<double>& us) {
  std::sort(us.begin(), us.end());
  std::printf("BENCH %s impl=cuda batches=%zu median_us=%.3f min_us=%.3f max_us=%.3f\n", what, us.size(),
              us[us.size() / 2], us.front(), us.back());
}

int main() {
  print_device();
  const std::size_t n = 32;
  Rng rng{fresh_seed()};
  float *x = to_device(random_vector(rng, n)), *y = to_device(random_vector(rng, n));

  // The bare driver call, found in the driver itself, so that no stub library is needed to link.
  void* driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (!driver) fail("no libcuda.so.1");
  auto launch_kernel = reinterpret_cast<decltype(&cuLaunchKernel)>(dlsym(driver, "cuLaunchKernel"));
  if (!launch_kernel) fail("no cuLaunchKernel");
  cudaFunction_t function = nullptr;
  CHECK(cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(touch)));

  float a = 0.5f;
  std::size_t x_len = n, y_len = n;
  void* arguments[] = {&a, &x, &x_len, &y, &y_len};
  auto launch = [&] {
    CUresult status = launch_kernel(reinterpret_cast<CUfunction>(function), 1, 1, 1, 32, 1, 1, 0, nullptr, arguments,
                                    nullptr);
    if (status != CUDA_SUCCESS) fail("cuLaunchKernel");
  };

  // Batches short enough that the driver's queue never fills up.
  const int batches = 200, batch = 200;
  std::vector<double> us(batches);
  for (int i = 0; i < 2 * batch; i++) launch();
  CHECK(cudaDeviceSynchronize());
  for (double& t : us) {
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < batch; i++) launch();
    auto end = std::chrono::steady_clock::now();
    CHECK(cudaDeviceSynchronize());
    t = std::chrono::duration<double, std::micro>(end - start).count() / batch;
  }
  report("launch", us);

  // A graph of kernels, each of which waits for the one before it.
  const int nodes = 100, graphs = 20;
  auto launch_graph = reinterpret_cast<decltype(&cuGraphLaunch)>(dlsym(driver, "cuGraphLaunch"));
  if (!launch_graph) fail("no cuGraphLaunch");
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  for (int i = 0; i < nodes; i++) touch<<<1, 32, 0, stream>>>(a, x, x_len, y, y_len);
  cudaGraph_t graph;
  CHECK(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  std::vector<double> hosts(batches), each(batches);
  for (int i = -2; i < batches; i++) {
    auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < graphs; k++) {
      CUresult status = launch_graph(reinterpret_cast<CUgraphExec>(exec), reinterpret_cast<CUstream>(stream));
      if (status != CUDA_SUCCESS) fail("cuGraphLaunch");
    }
    auto submitted = std::chrono::steady_clock::now();
    CHECK(cudaStreamSynchronize(stream));
    auto end = std::chrono::steady_clock::now();
    if (i < 0) continue;
    hosts[i] = std::chrono::duration<double, std::micro>(submitted - start).count() / graphs;
    each[i] = std::chrono::duration<double, std::micro>(end - start).count() / (graphs * nodes);
  }
  report("graph launch", hosts);
  report("graph node", each);
}
