//! Kernels as CUDA programmers port them to Rust, compared with CUDA C++.
//!
//! Each is a public algorithm, in the plain style of CUDA C++, and nobody has tuned it for Ptyx. There are
//! four forms: safe Rust, Rust without checks of indices, Rust with indices of 32 bits, and CUDA C++. The
//! first three are one body in `src/kernels/` (`forms` says how), the fourth is in `cuda/`.
//!
//! With the feature `held-out` the package has a second set instead, in `src/held_out/` and `cuda/held_out/`. Its
//! kernels were not looked at while Ptyx was improved for the first set. With the feature `third` it has a third set,
//! in `src/third/` and `cuda/third/`, which was written after both, and with `fourth` a fourth, written after those.
//!
//! The program `ported` runs them, and compares their machine code: `docs/ported.md`.

mod forms;
pub mod output;
mod run;

pub use ptyx_benches::{Error, twins};
pub use run::{Form, Row, Run};

/// What a module of a kernel needs.
#[allow(unused_imports)]
mod prelude {
    pub(crate) use crate::Error;
    pub(crate) use crate::forms::forms;
    pub(crate) use crate::output::Output;
    pub(crate) use crate::run::{Run, compare};
    pub(crate) use ptyx::device::shared::{Odd, Phase};
    pub(crate) use ptyx::device::view::Pivoted;
    pub(crate) use ptyx::prelude::*;
}

/// The sets. Of each: when the package has it, the folder of its kernels, its CUDA C++ twins, and its kernels' names.
macro_rules! sets {
    ($($when:meta, $folder:literal, $cuda:literal: { $($name:ident)* })*) => {$(
        /// The kernels, one in each module, in three forms, and how to run them.
        #[cfg($when)]
        #[allow(missing_docs)]
        #[path = $folder]
        pub mod kernels {
            $(pub mod $name;)*
        }

        /// The kernels, and what runs them. The module and the twin have the kernel's name.
        #[cfg($when)]
        pub const KERNELS: &[(&str, fn(&mut Run<'_>) -> Result<(), Error>)] =
            &[$((stringify!($name), kernels::$name::run)),*];

        /// The CUDA C++ twins, in the folder of this package.
        #[cfg($when)]
        pub const CUDA_SOURCE: &str = $cuda;
    )*};
}

sets! {
    not(any(feature = "held-out", feature = "third", feature = "fourth")), "kernels", "cuda/ported.cu": {
        hotspot kmeans scan_tree adam nqueen
        srad tridiagonal needle backprop heat2d lud bfs pathfinder gaussian nearest
        particle_search streamcluster cfd lavamd convolution fft bilateral sobel bitonic_shared permute
        jacobi3d
        crc32 smith_waterman ell floyd life lcg_pi knn dct8x8 complex_dot atax block_histogram md5
        nbody spmv_csr matmul transpose lbm black_scholes levenshtein radix_count mandelbrot binomial
        segmented_min perlin
    }
    all(feature = "held-out", not(any(feature = "third", feature = "fourth"))), "held_out", "cuda/held_out.cu": {
        label_propagate sph_density jacobi_csr bilinear_resize sha1_block depthwise_conv3x3 gemv_warp
        im2col rmsnorm rope int4_gemv triangle_count cholesky_batch ray_spheres bvh_overlap median5x5
        row_scan_warp canny_nms viterbi random_walk merge_path topk_block horspool bit_unpack motion_sad
        wave_halo fdtd3d marching_cubes clahe_tiles aes_tables lz_decode fem_assemble
    }
    all(feature = "third", not(feature = "fourth")), "third", "cuda/third.cu": {
        chacha20 nv12_rgb thomas_batch dwt53 hash_probe btree_find tpacf stencil27 optical_flow
        hough_lines distance_columns attention_decode layernorm_backward maxpool_indices
        conv_transpose2d kmer_count spmm_csr jacobi_eigen voxel_dda cloth_springs
    }
    feature = "fourth", "fourth", "cuda/fourth.cu": {
        group_norm md_neighbours nms_mask adpcm_decode attention_online pic_deposit pair_hmm
        spgemm_count embedding_bag roi_align deform_im2col cross_entropy lstm_cell quantize_q4
        shallow_water ising restrict3d barnes_hut rasterise jpeg_idct colour_graph radix_scatter
        regex_dfa recursive_gaussian
    }
}
