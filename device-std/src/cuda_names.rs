//! Documentation only: what CUDA C++ kernels use, and what to use instead in this library or in Rust.
//!
//! The search box of this documentation finds these items by their CUDA C++ names, too. Tables elsewhere: functions
//! of the host in `ptyx::runtime_api`, 16-bit floats in `float16` (with the feature `half`), cooperative groups in
//! [`group`](crate::group). 8-bit floats: [`float8`](crate::float8).
//! Random numbers: [`random`](crate::random). Barriers in shared memory: [`barrier`](crate::barrier).
//!
//! ## Positions and sizes
//!
//! | CUDA C++ | here |
//! |---|---|
//! | `threadIdx` | [`thread::idx`](crate::thread::idx), or [`thread::index_1d`](crate::thread::index_1d) for what mostly is computed from it |
//! | `threadIdx.x`, .. | [`thread::x`](crate::thread::x), [`thread::y`](crate::thread::y), [`thread::z`](crate::thread::z) |
//! | `blockIdx` | [`block::idx`](crate::block::idx) |
//! | `blockIdx.x`, .. | [`block::x`](crate::block::x), [`block::y`](crate::block::y), [`block::z`](crate::block::z) |
//! | `blockDim` | [`block::dim`](crate::block::dim) |
//! | `gridDim` | [`grid::dim`](crate::grid::dim) |
//! | `blockIdx.x * blockDim.x + threadIdx.x`, .. | [`thread::index_1d`](crate::thread::index_1d) to write with; as a plain number, [`thread::x_in_grid`](crate::thread::x_in_grid), [`thread::y_in_grid`](crate::thread::y_in_grid), [`thread::z_in_grid`](crate::thread::z_in_grid) |
//! | `warpSize` | [`warp::SIZE`](crate::warp::SIZE) |
//!
//! ## Waiting and order
//!
//! | CUDA C++ | here |
//! |---|---|
//! | `__syncthreads` | [`block::sync`](crate::block::sync); for tiles without `unsafe`, [`Phase::sync`](crate::shared::Phase::sync), [`Phase::read`](crate::shared::Phase::read) |
//! | `__syncthreads_count` | [`block::sync_count`](crate::block::sync_count) |
//! | `__syncthreads_and` | [`block::sync_and`](crate::block::sync_and) |
//! | `__syncthreads_or` | [`block::sync_or`](crate::block::sync_or) |
//! | `__syncwarp` | [`warp::sync`](crate::warp::sync) |
//! | `__threadfence` | [`fence_device`](crate::atomic::fence_device) |
//! | `__threadfence_block` | [`fence_block`](crate::atomic::fence_block) |
//! | `__threadfence_system` | [`fence_system`](crate::atomic::fence_system) |
//! | `fence_proxy_alias` | [`fence_alias`](crate::atomic::fence_alias) |
//! | `for_each_canceled_block` | [`launch_control::for_each_block`](crate::launch_control::for_each_block) |
//! | `__nanosleep` | [`clock::sleep`](crate::clock::sleep) |
//! | `clock64` | [`clock::cycles`](crate::clock::cycles) |
//! | `clock` | [`clock::cycles_32`](crate::clock::cycles_32) |
//! | `__brkpt` | [`clock::breakpoint`](crate::clock::breakpoint) |
//! | `__prof_trigger` | [`clock::profiler_event`](crate::clock::profiler_event) |
//! | `__trap` | [`clock::trap`](crate::clock::trap); a panic ends one thread, and says where |
//! | `printf` | `ptyx::gpu_println!` |
//! | `assert` | `assert!` |
//!
//! ## Warps
//!
//! | CUDA C++ | here |
//! |---|---|
//! | `__shfl_sync` | [`warp::shuffle`](crate::warp::shuffle) |
//! | `__shfl_up_sync` | [`warp::shuffle_up`](crate::warp::shuffle_up) |
//! | `__shfl_down_sync` | [`warp::shuffle_down`](crate::warp::shuffle_down) |
//! | `__shfl_xor_sync` | [`warp::shuffle_xor`](crate::warp::shuffle_xor) |
//! | `__all_sync` | [`warp::all`](crate::warp::all) |
//! | `__any_sync` | [`warp::any`](crate::warp::any) |
//! | `__ballot_sync` | [`warp::ballot`](crate::warp::ballot) |
//! | `__activemask` | [`warp::active_mask`](crate::warp::active_mask) |
//! | `__match_any_sync` | [`warp::match_any`](crate::warp::match_any) |
//! | `__match_all_sync` | [`warp::match_all`](crate::warp::match_all) |
//! | `__reduce_add_sync` | [`warp::reduce_add`](crate::warp::reduce_add) |
//! | `__reduce_min_sync` | [`warp::reduce_min`](crate::warp::reduce_min) |
//! | `__reduce_max_sync` | [`warp::reduce_max`](crate::warp::reduce_max) |
//! | `__reduce_and_sync` | [`warp::reduce_and`](crate::warp::reduce_and) |
//! | `__reduce_or_sync` | [`warp::reduce_or`](crate::warp::reduce_or) |
//! | `__reduce_xor_sync` | [`warp::reduce_xor`](crate::warp::reduce_xor) |
//!
//! ## Memory
//!
//! | CUDA C++ | here |
//! |---|---|
//! | `__shared__` | [`shared!`](crate::shared!), [`phased!`](crate::phased!) |
//! | `extern __shared__` | [`shared::dynamic`](crate::shared::dynamic) |
//! | `__constant__`, `__device__` | `ptyx::Constant`, `ptyx::Global` |
//! | `__ldg`, `const __restrict__` | a parameter `&[T]` or [`Array`](crate::Array): reads through it can be `ld.global.nc`; explicitly, [`cache::Load`](crate::cache::Load) |
//! | `__isGlobal` | [`space::is_global`](crate::space::is_global) |
//! | `__isShared` | [`space::is_shared`](crate::space::is_shared) |
//! | `__isClusterShared` | [`space::is_cluster_shared`](crate::space::is_cluster_shared) |
//! | `__isLocal` | [`space::is_local`](crate::space::is_local) |
//! | `__isConstant` | [`space::is_constant`](crate::space::is_constant) |
//! | `__isGridConstant` | [`space::is_parameter`](crate::space::is_parameter) |
//! | `__ldca` | [`cache::load_ca`](crate::cache::load_ca) |
//! | `__ldcg` | [`cache::load_cg`](crate::cache::load_cg) |
//! | `__ldcs` | [`cache::load_cs`](crate::cache::load_cs) |
//! | `__ldlu` | [`cache::load_lu`](crate::cache::load_lu) |
//! | `__ldcv` | [`cache::load_cv`](crate::cache::load_cv) |
//! | `__stwb` | [`cache::store_wb`](crate::cache::store_wb) |
//! | `__stcg` | [`cache::store_cg`](crate::cache::store_cg) |
//! | `__stcs` | [`cache::store_cs`](crate::cache::store_cs) |
//! | `__stwt` | [`cache::store_wt`](crate::cache::store_wt) |
//! | `__pipeline_memcpy_async` | [`async_copy::memcpy_async`](crate::async_copy::memcpy_async); without `unsafe`, [`Pipeline`](crate::async_copy::Pipeline) |
//! | `cuda::pipeline` | [`Pipeline`](crate::async_copy::Pipeline) |
//! | `cuda::make_pipeline`, `cuda::pipeline_role` | [`with_roles`](crate::async_copy::with_roles), [`Role`](crate::async_copy::Role) |
//! | `__pipeline_commit` | [`async_copy::commit`](crate::async_copy::commit) |
//! | `__pipeline_wait_prior` | [`async_copy::wait_prior`](crate::async_copy::wait_prior) |
//! | `float2` | [`F32x2`](crate::vector::F32x2) |
//! | `float4` | [`F32x4`](crate::vector::F32x4) |
//! | `make_float4` | [`F32x4::new`](crate::vector::F32x4::new) |
//! | `double2` | [`F64x2`](crate::vector::F64x2) |
//! | `int4` | [`I32x4`](crate::vector::I32x4) |
//! | `uint4` | [`U32x4`](crate::vector::U32x4) |
//! | `uchar4` | [`U8x4`](crate::vector::U8x4) |
//! | `*(float4 *)p` | [`F32x4::of_slice`](crate::vector::F32x4::of_slice), [`of_slice_mut`](crate::vector::F32x4::of_slice_mut); on the host, `buffer.reinterpret::<F32x4>()` |
//!
//! ## Atomics
//!
//! Of [`Atomics`](crate::Atomics), which a kernel takes as a parameter, and of [`Shared::atomics`](crate::shared::Shared::atomics).
//!
//! | CUDA C++ | here |
//! |---|---|
//! | `atomicAdd` | [`Atomic::fetch_add`](crate::Atomic::fetch_add) |
//! | `atomicSub` | [`Atomic::fetch_sub`](crate::Atomic::fetch_sub) |
//! | `atomicMin` | [`Atomic::fetch_min`](crate::Atomic::fetch_min) |
//! | `atomicMax` | [`Atomic::fetch_max`](crate::Atomic::fetch_max) |
//! | `atomicAnd` | [`Atomic::fetch_and`](crate::Atomic::fetch_and) |
//! | `atomicOr` | [`Atomic::fetch_or`](crate::Atomic::fetch_or) |
//! | `atomicXor` | [`Atomic::fetch_xor`](crate::Atomic::fetch_xor) |
//! | `atomicInc` | [`Atomic::fetch_inc`](crate::Atomic::fetch_inc) |
//! | `atomicDec` | [`Atomic::fetch_dec`](crate::Atomic::fetch_dec) |
//! | `atomicExch` | [`Atomic::swap`](crate::Atomic::swap) |
//! | `atomicCAS` | [`Atomic::compare_exchange`](crate::Atomic::compare_exchange) |
//!
//! ## Fast approximations
//!
//! | CUDA C++ | here |
//! |---|---|
//! | `__sinf` | [`fast::sin`](crate::math::fast::sin) |
//! | `__cosf` | [`fast::cos`](crate::math::fast::cos) |
//! | `__sincosf` | [`fast::sin_cos`](crate::math::fast::sin_cos) |
//! | `__tanf` | [`fast::tan`](crate::math::fast::tan) |
//! | `__tanhf` | [`fast::tanh`](crate::math::fast::tanh) |
//! | `__expf` | [`fast::exp`](crate::math::fast::exp) |
//! | `__exp10f` | [`fast::exp10`](crate::math::fast::exp10) |
//! | `__logf` | [`fast::ln`](crate::math::fast::ln) |
//! | `__log2f` | [`fast::log2`](crate::math::fast::log2) |
//! | `__log10f` | [`fast::log10`](crate::math::fast::log10) |
//! | `__powf` | [`fast::powf`](crate::math::fast::powf) |
//! | `__fdividef` | [`fast::div`](crate::math::fast::div) |
//! | `__saturatef` | [`math::saturate`](crate::math::saturate) |
//!
//! ## Floats
//!
//! Functions of `double` have their names in [`math`](crate::math), or are methods of Rust's `f32` and `f64`. The same
//! functions serve `float`.
//!
//! | CUDA C++ | here |
//! |---|---|
//! | `rsqrt`, `rsqrtf` | [`math::rsqrt`](crate::math::rsqrt) |
//! | `rcbrt`, `rcbrtf` | [`math::rcbrt`](crate::math::rcbrt) |
//! | `erf`, `erff` | [`math::erf`](crate::math::erf); likewise `erfc`, `erfcx`, `erfinv`, `erfcinv`, `normcdf`, `normcdfinv` |
//! | `tgamma`, `tgammaf` | [`math::tgamma`](crate::math::tgamma); likewise `lgamma`, `j0`, `y0`, .. |
//! | `sinpi`, `sinpif` | [`math::sinpi`](crate::math::sinpi); likewise `cospi`, `sincospi` |
//! | `exp10`, `exp10f` | [`math::exp10`](crate::math::exp10) |
//! | `norm3d`, `norm3df` | [`math::norm3d`](crate::math::norm3d); likewise `norm4d`, `rnorm3d`, `rnorm4d`, `rhypot` |
//! | `ldexp`, `ldexpf` | [`math::ldexp`](crate::math::ldexp) |
//! | `fma`, `__fmaf_rn` | `x.mul_add(y, z)`; also [`rounding::fma_rn`](crate::math::rounding::fma_rn) |
//! | `__fmaf_rz`, `__fma_rz` | [`rounding::fma_rz`](crate::math::rounding::fma_rz); likewise `_ru`, `_rd` |
//! | `__fadd_rn`, `__dadd_rn` | [`rounding::add_rn`](crate::math::rounding::add_rn); likewise `_rz`, `_ru`, `_rd` |
//! | `__fsub_rn`, `__dsub_rn` | [`rounding::sub_rn`](crate::math::rounding::sub_rn); likewise `_rz`, `_ru`, `_rd` |
//! | `__fmul_rn`, `__dmul_rn` | [`rounding::mul_rn`](crate::math::rounding::mul_rn); likewise `_rz`, `_ru`, `_rd` |
//! | `__fdiv_rn`, `__ddiv_rn` | [`rounding::div_rn`](crate::math::rounding::div_rn); likewise `_rz`, `_ru`, `_rd` |
//! | `__frcp_rn`, `__drcp_rn` | [`rounding::rcp_rn`](crate::math::rounding::rcp_rn); likewise `_rz`, `_ru`, `_rd` |
//! | `__fsqrt_rn`, `__dsqrt_rn` | [`rounding::sqrt_rn`](crate::math::rounding::sqrt_rn); likewise `_rz`, `_ru`, `_rd` |
//! | `__double2int_rn`, `__float2uint_rn`, `__ll2float_rn`, .. | [`rounding::convert_rn`](crate::math::rounding::convert_rn) |
//! | `__double2int_rz`, `__float2uint_rz`, `__ll2float_rz`, .. | [`rounding::convert_rz`](crate::math::rounding::convert_rz); to an integer also `x as i32` |
//! | `__double2int_ru`, `__float2uint_ru`, `__ll2float_ru`, .. | [`rounding::convert_ru`](crate::math::rounding::convert_ru) |
//! | `__double2int_rd`, `__float2uint_rd`, `__ll2float_rd`, .. | [`rounding::convert_rd`](crate::math::rounding::convert_rd) |
//! | `__float_as_int`, `__float_as_uint`, `__double_as_longlong` | `x.to_bits()` |
//! | `__int_as_float`, `__uint_as_float`, `__longlong_as_double` | `f32::from_bits(bits)`, `f64::from_bits(bits)` |
//!
//! ## Integers
//!
//! | CUDA C++ | here |
//! |---|---|
//! | `__popc`, `__popcll` | `x.count_ones()` |
//! | `__clz`, `__clzll` | `x.leading_zeros()` |
//! | `__brev`, `__brevll` | `x.reverse_bits()` |
//! | `__ffs` | [`integer::ffs`](crate::math::integer::ffs) |
//! | `__ffsll` | [`integer::ffs64`](crate::math::integer::ffs64) |
//! | `__fns` | [`bits::fns`](crate::math::bits::fns) |
//! | `__byte_perm` | [`integer::byte_perm`](crate::math::integer::byte_perm) |
//! | `__mulhi`, `__umulhi`, `__mul64hi`, `__umul64hi` | [`integer::mul_hi`](crate::math::integer::mul_hi) |
//! | `__mul24` | [`integer::mul24`](crate::math::integer::mul24) |
//! | `__umul24` | [`integer::umul24`](crate::math::integer::umul24) |
//! | `__sad` | [`integer::sad`](crate::math::integer::sad) |
//! | `__usad` | [`integer::usad`](crate::math::integer::usad) |
//! | `__hadd` | [`integer::hadd`](crate::math::integer::hadd) |
//! | `__uhadd` | [`integer::uhadd`](crate::math::integer::uhadd) |
//! | `__rhadd` | [`integer::rhadd`](crate::math::integer::rhadd) |
//! | `__urhadd` | [`integer::urhadd`](crate::math::integer::urhadd) |
//! | `__dp4a` | [`integer::dp4a`](crate::math::integer::dp4a), [`integer::udp4a`](crate::math::integer::udp4a) |
//! | `__dp2a_lo` | [`integer::dp2a_lo`](crate::math::integer::dp2a_lo), [`integer::udp2a_lo`](crate::math::integer::udp2a_lo) |
//! | `__dp2a_hi` | [`integer::dp2a_hi`](crate::math::integer::dp2a_hi), [`integer::udp2a_hi`](crate::math::integer::udp2a_hi) |
//! | `__funnelshift_l` | [`integer::funnel_shift_left`](crate::math::integer::funnel_shift_left) |
//! | `__funnelshift_lc` | [`integer::funnel_shift_left_clamped`](crate::math::integer::funnel_shift_left_clamped) |
//! | `__funnelshift_r` | [`integer::funnel_shift_right`](crate::math::integer::funnel_shift_right) |
//! | `__funnelshift_rc` | [`integer::funnel_shift_right_clamped`](crate::math::integer::funnel_shift_right_clamped) |
