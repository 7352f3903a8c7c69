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
#include "fourth/embedding_bag.cuh"
#include "fourth/roi_align.cuh"
#include "fourth/deform_im2col.cuh"
#include "fourth/cross_entropy.cuh"
#include "fourth/lstm_cell.cuh"
#include "fourth/quantize_q4.cuh"
#include "fourth/shallow_water.cuh"
#include "fourth/ising.cuh"
