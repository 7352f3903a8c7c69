//! The functions that only a device has, as the compiler knows them.
//!
//! Each one under [`intrinsics!`] has a row in `compiler/src/lower/intrinsics.rs` that says which
//! instruction it becomes; a test there compares the two lists. Those under [`compiler_functions!`]
//! are lowered by code of their own. Arguments and results are scalars and pointers only; a truth
//! value travels as a `u32`, any non-zero value being true.
//!
//! On the host each is a stub that panics: it type-checks, and nothing calls it there but mistakes.
//! The panic is at the place of the mistake: public functions that call these are `track_caller`.

macro_rules! intrinsics {
    ($(fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {
        #[cfg(ptyx_device)]
        unsafe extern "C" {
            $(pub(crate) fn $name($($argument: $type),*) $(-> $result)?;)*
        }
        $(
            #[cfg(not(ptyx_device))]
            #[allow(unused_variables)]
            #[track_caller]
            pub(crate) unsafe fn $name($($argument: $type),*) $(-> $result)? {
                on_the_host()
            }
        )*
    };
}

/// As [`intrinsics!`], for those that the compiler handles by name.
macro_rules! compiler_functions {
    ($($tokens:tt)*) => { intrinsics! { $($tokens)* } };
}

#[cfg(not(ptyx_device))]
#[cold]
#[track_caller]
pub(crate) fn on_the_host() -> ! {
    panic!(
        "a device function was called on the host: `thread`, `block`, `grid`, `warp` and their like \
         work only in a kernel, which `launch!` runs"
    )
}

/// A 32-bit word of any value, some of whose bytes may be padding.
pub(crate) type Word = core::mem::MaybeUninit<u32>;

intrinsics! {
    // PTX ISA, "Special Registers".
    fn __ptyx_tid_x() -> u32;
    fn __ptyx_tid_y() -> u32;
    fn __ptyx_tid_z() -> u32;
    fn __ptyx_ntid_x() -> u32;
    fn __ptyx_ntid_y() -> u32;
    fn __ptyx_ntid_z() -> u32;
    fn __ptyx_ctaid_x() -> u32;
    fn __ptyx_ctaid_y() -> u32;
    fn __ptyx_ctaid_z() -> u32;
    fn __ptyx_nctaid_x() -> u32;
    fn __ptyx_nctaid_y() -> u32;
    fn __ptyx_nctaid_z() -> u32;
    fn __ptyx_laneid() -> u32;
    fn __ptyx_lanemask_eq() -> u32;
    fn __ptyx_lanemask_lt() -> u32;
    fn __ptyx_lanemask_le() -> u32;
    fn __ptyx_lanemask_gt() -> u32;
    fn __ptyx_lanemask_ge() -> u32;
    fn __ptyx_dynamic_smem_size() -> u32;

    // PTX ISA, "Parallel Synchronization and Communication Instructions": barriers and fences.
    fn __ptyx_barrier(barrier: u32);
    fn __ptyx_barrier_count(barrier: u32, predicate: u32) -> u32;
    fn __ptyx_barrier_and(barrier: u32, predicate: u32) -> u32;
    fn __ptyx_barrier_or(barrier: u32, predicate: u32) -> u32;
    fn __ptyx_warp_barrier(mask: u32);
    fn __ptyx_fence_block();
    fn __ptyx_fence_device();
    fn __ptyx_fence_system();

    // Votes and matches.
    fn __ptyx_active_mask() -> u32;
    fn __ptyx_vote_all(mask: u32, predicate: u32) -> u32;
    fn __ptyx_vote_any(mask: u32, predicate: u32) -> u32;
    fn __ptyx_vote_uni(mask: u32, predicate: u32) -> u32;
    fn __ptyx_vote_ballot(mask: u32, predicate: u32) -> u32;
    fn __ptyx_match_any_32(mask: u32, value: u32) -> u32;
    fn __ptyx_match_any_64(mask: u32, value: u64) -> u32;
    fn __ptyx_match_all_32(mask: u32, value: u32) -> u32;
    fn __ptyx_match_all_64(mask: u32, value: u64) -> u32;

    // Shuffles: `clamp` holds the segment mask in bits 8..13 and the last lane in bits 0..5.
    fn __ptyx_shuffle_index(mask: u32, value: Word, lane: u32, clamp: u32) -> Word;
    fn __ptyx_shuffle_up(mask: u32, value: Word, delta: u32, clamp: u32) -> Word;
    fn __ptyx_shuffle_down(mask: u32, value: Word, delta: u32, clamp: u32) -> Word;
    fn __ptyx_shuffle_xor(mask: u32, value: Word, lanes: u32, clamp: u32) -> Word;

    // Reductions over the lanes of a mask.
    fn __ptyx_reduce_add(mask: u32, value: u32) -> u32;
    fn __ptyx_reduce_and(mask: u32, value: u32) -> u32;
    fn __ptyx_reduce_or(mask: u32, value: u32) -> u32;
    fn __ptyx_reduce_xor(mask: u32, value: u32) -> u32;
    fn __ptyx_reduce_min_u32(mask: u32, value: u32) -> u32;
    fn __ptyx_reduce_min_i32(mask: u32, value: i32) -> i32;
    fn __ptyx_reduce_max_u32(mask: u32, value: u32) -> u32;
    fn __ptyx_reduce_max_i32(mask: u32, value: i32) -> i32;

    // Relaxed atomics of device scope; each returns the value from before.
    fn __ptyx_atomic_add_u32(pointer: *mut u32, value: u32) -> u32;
    fn __ptyx_atomic_add_u64(pointer: *mut u64, value: u64) -> u64;
    fn __ptyx_atomic_add_f32(pointer: *mut f32, value: f32) -> f32;
    fn __ptyx_atomic_add_f64(pointer: *mut f64, value: f64) -> f64;
    fn __ptyx_atomic_sub_u32(pointer: *mut u32, value: u32) -> u32;
    fn __ptyx_atomic_sub_u64(pointer: *mut u64, value: u64) -> u64;
    fn __ptyx_atomic_and_u32(pointer: *mut u32, value: u32) -> u32;
    fn __ptyx_atomic_and_u64(pointer: *mut u64, value: u64) -> u64;
    fn __ptyx_atomic_or_u32(pointer: *mut u32, value: u32) -> u32;
    fn __ptyx_atomic_or_u64(pointer: *mut u64, value: u64) -> u64;
    fn __ptyx_atomic_xor_u32(pointer: *mut u32, value: u32) -> u32;
    fn __ptyx_atomic_xor_u64(pointer: *mut u64, value: u64) -> u64;
    fn __ptyx_atomic_min_u32(pointer: *mut u32, value: u32) -> u32;
    fn __ptyx_atomic_min_u64(pointer: *mut u64, value: u64) -> u64;
    fn __ptyx_atomic_min_i32(pointer: *mut i32, value: i32) -> i32;
    fn __ptyx_atomic_min_i64(pointer: *mut i64, value: i64) -> i64;
    fn __ptyx_atomic_max_u32(pointer: *mut u32, value: u32) -> u32;
    fn __ptyx_atomic_max_u64(pointer: *mut u64, value: u64) -> u64;
    fn __ptyx_atomic_max_i32(pointer: *mut i32, value: i32) -> i32;
    fn __ptyx_atomic_max_i64(pointer: *mut i64, value: i64) -> i64;
    fn __ptyx_atomic_inc_u32(pointer: *mut u32, limit: u32) -> u32;
    fn __ptyx_atomic_dec_u32(pointer: *mut u32, limit: u32) -> u32;
    fn __ptyx_atomic_exchange_u32(pointer: *mut u32, value: u32) -> u32;
    fn __ptyx_atomic_exchange_u64(pointer: *mut u64, value: u64) -> u64;
    fn __ptyx_atomic_cas_u32(pointer: *mut u32, current: u32, new: u32) -> u32;
    fn __ptyx_atomic_cas_u64(pointer: *mut u64, current: u64, new: u64) -> u64;

    // Arithmetic with a direction of rounding (PTX ISA 9.7.3: `.rn`, `.rz`, `.rp`, `.rm`).
    fn __ptyx_add_rn_f32(a: f32, b: f32) -> f32;
    fn __ptyx_add_rz_f32(a: f32, b: f32) -> f32;
    fn __ptyx_add_ru_f32(a: f32, b: f32) -> f32;
    fn __ptyx_add_rd_f32(a: f32, b: f32) -> f32;
    fn __ptyx_add_rn_f64(a: f64, b: f64) -> f64;
    fn __ptyx_add_rz_f64(a: f64, b: f64) -> f64;
    fn __ptyx_add_ru_f64(a: f64, b: f64) -> f64;
    fn __ptyx_add_rd_f64(a: f64, b: f64) -> f64;
    fn __ptyx_mul_rn_f32(a: f32, b: f32) -> f32;
    fn __ptyx_mul_rz_f32(a: f32, b: f32) -> f32;
    fn __ptyx_mul_ru_f32(a: f32, b: f32) -> f32;
    fn __ptyx_mul_rd_f32(a: f32, b: f32) -> f32;
    fn __ptyx_mul_rn_f64(a: f64, b: f64) -> f64;
    fn __ptyx_mul_rz_f64(a: f64, b: f64) -> f64;
    fn __ptyx_mul_ru_f64(a: f64, b: f64) -> f64;
    fn __ptyx_mul_rd_f64(a: f64, b: f64) -> f64;
    fn __ptyx_fma_rn_f32(a: f32, b: f32, c: f32) -> f32;
    fn __ptyx_fma_rz_f32(a: f32, b: f32, c: f32) -> f32;
    fn __ptyx_fma_ru_f32(a: f32, b: f32, c: f32) -> f32;
    fn __ptyx_fma_rd_f32(a: f32, b: f32, c: f32) -> f32;
    fn __ptyx_fma_rn_f64(a: f64, b: f64, c: f64) -> f64;
    fn __ptyx_fma_rz_f64(a: f64, b: f64, c: f64) -> f64;
    fn __ptyx_fma_ru_f64(a: f64, b: f64, c: f64) -> f64;
    fn __ptyx_fma_rd_f64(a: f64, b: f64, c: f64) -> f64;
    fn __ptyx_div_rn_f32(a: f32, b: f32) -> f32;
    fn __ptyx_div_rz_f32(a: f32, b: f32) -> f32;
    fn __ptyx_div_ru_f32(a: f32, b: f32) -> f32;
    fn __ptyx_div_rd_f32(a: f32, b: f32) -> f32;
    fn __ptyx_div_rn_f64(a: f64, b: f64) -> f64;
    fn __ptyx_div_rz_f64(a: f64, b: f64) -> f64;
    fn __ptyx_div_ru_f64(a: f64, b: f64) -> f64;
    fn __ptyx_div_rd_f64(a: f64, b: f64) -> f64;
    fn __ptyx_rcp_rn_f32(a: f32) -> f32;
    fn __ptyx_rcp_rz_f32(a: f32) -> f32;
    fn __ptyx_rcp_ru_f32(a: f32) -> f32;
    fn __ptyx_rcp_rd_f32(a: f32) -> f32;
    fn __ptyx_rcp_rn_f64(a: f64) -> f64;
    fn __ptyx_rcp_rz_f64(a: f64) -> f64;
    fn __ptyx_rcp_ru_f64(a: f64) -> f64;
    fn __ptyx_rcp_rd_f64(a: f64) -> f64;
    fn __ptyx_sqrt_rn_f32(a: f32) -> f32;
    fn __ptyx_sqrt_rz_f32(a: f32) -> f32;
    fn __ptyx_sqrt_ru_f32(a: f32) -> f32;
    fn __ptyx_sqrt_rd_f32(a: f32) -> f32;
    fn __ptyx_sqrt_rn_f64(a: f64) -> f64;
    fn __ptyx_sqrt_rz_f64(a: f64) -> f64;
    fn __ptyx_sqrt_ru_f64(a: f64) -> f64;
    fn __ptyx_sqrt_rd_f64(a: f64) -> f64;

    // Conversions with a direction of rounding (PTX ISA, `cvt`).
    fn __ptyx_f64_to_f32_rn(x: f64) -> f32;
    fn __ptyx_f64_to_f32_rz(x: f64) -> f32;
    fn __ptyx_f64_to_f32_ru(x: f64) -> f32;
    fn __ptyx_f64_to_f32_rd(x: f64) -> f32;
    fn __ptyx_f32_to_i32_rn(x: f32) -> i32;
    fn __ptyx_f32_to_i32_rz(x: f32) -> i32;
    fn __ptyx_f32_to_i32_ru(x: f32) -> i32;
    fn __ptyx_f32_to_i32_rd(x: f32) -> i32;
    fn __ptyx_f32_to_u32_rn(x: f32) -> u32;
    fn __ptyx_f32_to_u32_rz(x: f32) -> u32;
    fn __ptyx_f32_to_u32_ru(x: f32) -> u32;
    fn __ptyx_f32_to_u32_rd(x: f32) -> u32;
    fn __ptyx_f32_to_i64_rn(x: f32) -> i64;
    fn __ptyx_f32_to_i64_rz(x: f32) -> i64;
    fn __ptyx_f32_to_i64_ru(x: f32) -> i64;
    fn __ptyx_f32_to_i64_rd(x: f32) -> i64;
    fn __ptyx_f32_to_u64_rn(x: f32) -> u64;
    fn __ptyx_f32_to_u64_rz(x: f32) -> u64;
    fn __ptyx_f32_to_u64_ru(x: f32) -> u64;
    fn __ptyx_f32_to_u64_rd(x: f32) -> u64;
    fn __ptyx_f64_to_i32_rn(x: f64) -> i32;
    fn __ptyx_f64_to_i32_rz(x: f64) -> i32;
    fn __ptyx_f64_to_i32_ru(x: f64) -> i32;
    fn __ptyx_f64_to_i32_rd(x: f64) -> i32;
    fn __ptyx_f64_to_u32_rn(x: f64) -> u32;
    fn __ptyx_f64_to_u32_rz(x: f64) -> u32;
    fn __ptyx_f64_to_u32_ru(x: f64) -> u32;
    fn __ptyx_f64_to_u32_rd(x: f64) -> u32;
    fn __ptyx_f64_to_i64_rn(x: f64) -> i64;
    fn __ptyx_f64_to_i64_rz(x: f64) -> i64;
    fn __ptyx_f64_to_i64_ru(x: f64) -> i64;
    fn __ptyx_f64_to_i64_rd(x: f64) -> i64;
    fn __ptyx_f64_to_u64_rn(x: f64) -> u64;
    fn __ptyx_f64_to_u64_rz(x: f64) -> u64;
    fn __ptyx_f64_to_u64_ru(x: f64) -> u64;
    fn __ptyx_f64_to_u64_rd(x: f64) -> u64;
    fn __ptyx_i32_to_f32_rn(x: i32) -> f32;
    fn __ptyx_i32_to_f32_rz(x: i32) -> f32;
    fn __ptyx_i32_to_f32_ru(x: i32) -> f32;
    fn __ptyx_i32_to_f32_rd(x: i32) -> f32;
    fn __ptyx_u32_to_f32_rn(x: u32) -> f32;
    fn __ptyx_u32_to_f32_rz(x: u32) -> f32;
    fn __ptyx_u32_to_f32_ru(x: u32) -> f32;
    fn __ptyx_u32_to_f32_rd(x: u32) -> f32;
    fn __ptyx_i64_to_f32_rn(x: i64) -> f32;
    fn __ptyx_i64_to_f32_rz(x: i64) -> f32;
    fn __ptyx_i64_to_f32_ru(x: i64) -> f32;
    fn __ptyx_i64_to_f32_rd(x: i64) -> f32;
    fn __ptyx_u64_to_f32_rn(x: u64) -> f32;
    fn __ptyx_u64_to_f32_rz(x: u64) -> f32;
    fn __ptyx_u64_to_f32_ru(x: u64) -> f32;
    fn __ptyx_u64_to_f32_rd(x: u64) -> f32;
    fn __ptyx_i64_to_f64_rn(x: i64) -> f64;
    fn __ptyx_i64_to_f64_rz(x: i64) -> f64;
    fn __ptyx_i64_to_f64_ru(x: i64) -> f64;
    fn __ptyx_i64_to_f64_rd(x: i64) -> f64;
    fn __ptyx_u64_to_f64_rn(x: u64) -> f64;
    fn __ptyx_u64_to_f64_rz(x: u64) -> f64;
    fn __ptyx_u64_to_f64_ru(x: u64) -> f64;
    fn __ptyx_u64_to_f64_rd(x: u64) -> f64;

    // Approximations (PTX ISA 9.7.3: `.approx`).
    fn __ptyx_sin_approx(x: f32) -> f32;
    fn __ptyx_cos_approx(x: f32) -> f32;
    fn __ptyx_lg2_approx(x: f32) -> f32;
    fn __ptyx_sqrt_approx(x: f32) -> f32;
    fn __ptyx_rsqrt_approx(x: f32) -> f32;
    fn __ptyx_div_approx(x: f32, y: f32) -> f32;
    fn __ptyx_ex2_approx(x: f32) -> f32;
    fn __ptyx_rcp_approx(x: f32) -> f32;
    fn __ptyx_tanh_approx(x: f32) -> f32;
    fn __ptyx_rint_f32(x: f32) -> f32;
    fn __ptyx_rint_f64(x: f64) -> f64;
    fn __ptyx_saturate_f32(x: f32) -> f32;
    fn __ptyx_saturate_f64(x: f64) -> f64;

    // Integers (PTX ISA 9.7.1, 9.7.8).
    fn __ptyx_byte_perm(x: u32, y: u32, selector: u32) -> u32;
    fn __ptyx_sad_i32(a: i32, b: i32, c: u32) -> u32;
    fn __ptyx_sad_u32(a: u32, b: u32, c: u32) -> u32;
    fn __ptyx_dp4a_i32(a: i32, b: i32, c: i32) -> i32;
    fn __ptyx_dp2a_lo_i32(a: i32, b: i32, c: i32) -> i32;
    fn __ptyx_dp2a_hi_i32(a: i32, b: i32, c: i32) -> i32;
    fn __ptyx_dp4a_u32(a: u32, b: u32, c: u32) -> u32;
    fn __ptyx_dp2a_lo_u32(a: u32, b: u32, c: u32) -> u32;
    fn __ptyx_dp2a_hi_u32(a: u32, b: u32, c: u32) -> u32;
    fn __ptyx_funnel_l_wrap(low: u32, high: u32, by: u32) -> u32;
    fn __ptyx_funnel_l_clamp(low: u32, high: u32, by: u32) -> u32;
    fn __ptyx_funnel_r_wrap(low: u32, high: u32, by: u32) -> u32;
    fn __ptyx_funnel_r_clamp(low: u32, high: u32, by: u32) -> u32;

    // Volatile accesses without core's checks of the pointer, which can panic.
    fn __ptyx_volatile_load_u32(from: *const u32) -> u32;
    fn __ptyx_volatile_store_u32(to: *mut u32, value: u32);
    fn __ptyx_volatile_store_u64(to: *mut u64, value: u64);
    // A store that everything before it precedes, for the host, too.
    fn __ptyx_release_store_u32(to: *mut u32, value: u32);
    // Write the indices x, y, z, past everything that the optimiser knows of them.
    fn __ptyx_write_block_index(to: *mut u32);
    fn __ptyx_write_thread_index(to: *mut u32);
}

compiler_functions! {
    // The mark of a kernel; lowered to nothing.
    fn __ptyx_kernel_marker();
    // The mark of a kernel that uses the heap; lowered to nothing.
    fn __ptyx_heap_marker();
    // The kernel may be launched with at most this many dimensions; lowered to nothing.
    fn __ptyx_require_dims(dimensions: u32);
    // The innermost loop around the call is to be unrolled: 0 in full, 1 not, else so many times;
    // lowered to metadata.
    fn __ptyx_unroll(count: u32);
    // What launches promise about the memory of a parameter; lowered to attributes.
    fn __ptyx_param_read_only(pointer: *const u8);
    fn __ptyx_param_exclusive(pointer: *mut u8);
    fn __ptyx_param_valid(pointer: *mut u8);
    // The shared memory of one place in the source, named by a function of its own.
    fn __ptyx_shared_static(identity: *const (), size: usize, align: usize) -> *mut u8;
    // The panic slot of the launch's stream, and the launch's number there: the entry's last
    // parameters.
    fn __ptyx_panic_slot() -> u64;
    fn __ptyx_launch_number() -> u32;
    // The device's queue of printed lines: a parameter behind those.
    fn __ptyx_print_queue() -> u64;
    // Where the launch's dynamic shared memory begins, aligned to 16 bytes.
    fn __ptyx_shared_dynamic() -> *mut u8;
    // Whether the code is compiled for `sm_<sm>` with these features (0: portable, 1: of the family,
    // 2: of that one only): a constant.
    fn __ptyx_arch_provides(sm: u32, features: u32) -> u32;
    // Ends the calling thread.
    fn __ptyx_exit() -> !;
    // Ends the launch with an error.
    fn __ptyx_trap() -> !;
    // The driver's printf: a C string and its arguments, laid out as C promotes them.
    fn vprintf(format: *const u8, arguments: *const u8) -> i32;
}
