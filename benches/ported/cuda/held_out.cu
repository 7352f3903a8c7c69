// The CUDA C++ twins of the kernels in ../src/held_out/, in one module, as `ported.cu` has those of the first set.
#include <cstdint>

#include "held_out/label_propagate.cuh"
#include "held_out/sph_density.cuh"
#include "held_out/jacobi_csr.cuh"
#include "held_out/bilinear_resize.cuh"
#include "held_out/sha1_block.cuh"
#include "held_out/depthwise_conv3x3.cuh"
#include "held_out/gemv_warp.cuh"
#include "held_out/im2col.cuh"
#include "held_out/rmsnorm.cuh"
#include "held_out/rope.cuh"
#include "held_out/int4_gemv.cuh"
#include "held_out/triangle_count.cuh"
#include "held_out/cholesky_batch.cuh"
