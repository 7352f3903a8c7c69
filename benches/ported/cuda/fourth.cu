// The CUDA C++ twins of the kernels in ../src/fourth/, in one module, as `ported.cu` has those of the first set.
#include <cstdint>

#include "fourth/group_norm.cuh"
#include "fourth/md_neighbours.cuh"
#include "fourth/nms_mask.cuh"
#include "fourth/adpcm_decode.cuh"
#include "fourth/attention_online.cuh"
#include "fourth/pic_deposit.cuh"
#include "fourth/pair_hmm.cuh"
#include "fourth/spgemm_count.cuh"
