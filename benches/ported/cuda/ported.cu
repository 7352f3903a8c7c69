// The CUDA C++ twins of the kernels in ../src/kernels/, in one module. A parameter that is a buffer in Rust is a
// pointer here. Input that no thread writes is `const __restrict__`, as `&[T]` promises it in Rust.
#include <cstdint>

#include "hotspot.cuh"
#include "kmeans.cuh"
#include "scan_tree.cuh"
#include "adam.cuh"
#include "nqueen.cuh"
#include "srad.cuh"
#include "tridiagonal.cuh"
#include "needle.cuh"
#include "backprop.cuh"
#include "heat2d.cuh"
#include "lud.cuh"
#include "bfs.cuh"
#include "pathfinder.cuh"
#include "gaussian.cuh"
#include "nearest.cuh"
