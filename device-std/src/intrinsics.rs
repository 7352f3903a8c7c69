//! The functions that only a device has, as the compiler knows them.
//!
//! A declaration under [`intrinsics!`] says all that there is to know of an intrinsic:
//!
//! | it becomes | |
//! |---|---|
//! | `nvvm("llvm.nvvm...")` | a call of this LLVM intrinsic, whose `i1`s are numbers here |
//! | `atomic(operation)` | an atomic instruction: `load`, `store`, `cmpxchg`, `fence`, or LLVM's name of an `atomicrmw` |
//! | `float(half fadd)` | this LLVM instruction on 16-bit floats (`half`, `bfloat`), here as their bits |
//! | `pure("..")` | inline PTX that only computes: unused ones go away, equal ones become one |
//! | `asm("..")` | inline PTX with effects, convergent: it stays where it stands |
//!
//! The last argument of an atomic instruction, `how`, is a constant that says its memory order and its scope
//! (`atomic/order.rs`); inline PTX has both, too, if it says `.ORDER.SCOPE`.
//!
//! In inline PTX `$0` is the result and the arguments follow it, or `$0` is the first argument where there
//! is no result. Behind it may stand:
//!
//! | | |
//! |---|---|
//! | `needs(sm_80, ptx 7.0)` | what inline PTX asks for beyond what all kernels have (`sm_70`, PTX 6.3) |
//! | `range(0..1024)` | the values of a number, which the optimiser narrows arithmetic with |
//! | `flat(2, 0)` | in a kernel of fewer than 2 dimensions it is 0 |
//! | `unaligned("llvm.nvvm...")` | the same barrier for a warp whose threads don't all reach one instruction |
//!
//! In the device pass all of it is the function's symbol, which `compiler/src/lower/intrinsics.rs` reads.
//! Functions under [`compiler_functions!`] are lowered by code of their own. Arguments and results are
//! scalars and pointers only; a truth value travels as a `u32`, any non-zero value being true.
//!
//! On the host each is a stub that panics: it type-checks, and nothing calls it there but mistakes.
//! The panic is at the place of the mistake: public functions that call these are `track_caller`.

macro_rules! intrinsics {
    ($(
        fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)? =
            $kind:ident $what:tt $(, $property:ident $value:tt)*;
    )*) => {
        compiler_functions! {$(
            #[link_name = concat!(
                "__ptyx_intrinsic ",
                stringify!($name)
                $(, property!($property $value))*,
                meaning!($kind $what)
            )]
            fn $name($($argument: $type),*) $(-> $result)?;
        )*}
    };
}

/// What an intrinsic becomes, as its symbol says it: the last part, which may hold any text.
#[rustfmt::skip]
macro_rules! meaning {
    (nvvm($name:literal)) => { concat!(" nvvm ", $name) };
    (atomic($operation:ident)) => { concat!(" atomic ", stringify!($operation)) };
    (float($format:ident $operation:ident)) => {
        concat!(" float ", stringify!($format), " ", stringify!($operation))
    };
    (pure($template:expr)) => { concat!(" pure ", $template) };
    (asm($template:expr)) => { concat!(" asm ", $template) };
}

/// What else its symbol says: words without spaces.
#[rustfmt::skip]
macro_rules! property {
    (needs($arch:ident, ptx $version:literal)) => {
        concat!(" arch=", stringify!($arch), " ptx=", $version)
    };
    (range($low:literal..$high:literal)) => { concat!(" range=", $low, "..", $high) };
    (flat($dimensions:literal, $value:literal)) => { concat!(" flat=", $dimensions, ":", $value) };
    (unaligned($name:literal)) => { concat!(" unaligned=", $name) };
}

macro_rules! compiler_functions {
    ($(
        $(#[link_name = $symbol:expr])?
        fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;
    )*) => {
        #[cfg(ptyx_device)]
        unsafe extern "C" {
            $(
                $(#[link_name = $symbol])?
                pub(crate) fn $name($($argument: $type),*) $(-> $result)?;
            )*
        }
        $(
            #[cfg(not(ptyx_device))]
            #[allow(dead_code, unused_variables)]
            #[track_caller]
            pub(crate) unsafe fn $name($($argument: $type),*) $(-> $result)? {
                // A mistake in a declaration is an error on the host, too.
                $(const _: &str = $symbol;)?
                on_the_host()
            }
        )*
    };
}

/// Writes three special registers to the address `$0` (PTX ISA 10.1 and 10.3).
macro_rules! write_index {
    ($register:literal) => {
        concat!(
            "{ .reg .b32 %index; mov.u32 %index, %",
            $register,
            ".x; st.volatile.b32 [$0], %index; mov.u32 %index, %",
            $register,
            ".y; st.volatile.b32 [$0+4], %index; mov.u32 %index, %",
            $register,
            ".z; st.volatile.b32 [$0+8], %index; }"
        )
    };
}

/// Copies asynchronously to `$0`, in shared memory, from `$1`, in global memory; `$2` bytes are read (PTX ISA,
/// `cp.async`).
macro_rules! cp_async {
    ($form:literal, $bytes:literal) => {
        concat!(
            "{ .reg .b64 %to, %from; cvta.to.shared.u64 %to, $0; cvta.to.global.u64 %from, $1; cp.async.",
            $form,
            " [%to], [%from], ",
            $bytes,
            ", $2; }"
        )
    };
}

/// Instructions on the mbarrier at an address, which `%at` is in shared memory; `%p` is a predicate.
macro_rules! mbarrier {
    ($address:literal, $code:literal) => {
        concat!(
            "{ .reg .b64 %at; .reg .pred %p; cvta.to.shared.u64 %at, ",
            $address,
            "; ",
            $code,
            " }"
        )
    };
}

/// A test of the mbarrier at `$1`, with the operand `$2`.
macro_rules! mbarrier_wait {
    ($form:literal) => {
        concat!(
            "{ .reg .b64 %at; .reg .pred %p; cvta.to.shared.u64 %at, $1; mbarrier.",
            $form,
            ".b64 %p, [%at], $2; selp.b32 $0, 1, 0, %p; }"
        )
    };
}

/// A hint about the address `$0`, which `%at` is in global memory.
macro_rules! cache_hint {
    ($code:literal) => {
        concat!("{ .reg .b64 %at; cvta.to.global.u64 %at, $0; ", $code, " }")
    };
}

/// A copy in bulk to `$0` from `$1`, of `$2` bytes: `%to` and `%from` are the addresses in their state spaces, and
/// `%at` that of an mbarrier.
macro_rules! bulk {
    ($to:literal $from:literal $before:literal $form:literal $behind:literal) => {
        concat!(
            "{ .reg .b64 %to, %from, %at; cvta.to.",
            $to,
            ".u64 %to, $0; cvta.to.",
            $from,
            ".u64 %from, $1; ",
            $before,
            "cp.async.bulk.",
            $form,
            " [%to], [%from], $2",
            $behind,
            "; }"
        )
    };
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
    // PTX ISA, "Special Registers"; their ranges: CUDA Programming Guide, "Compute Capabilities".
    fn tid_x() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.tid.x"), range(0..1024);
    fn tid_y() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.tid.y"), range(0..1024), flat(2, 0);
    fn tid_z() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.tid.z"), range(0..64), flat(3, 0);
    fn ntid_x() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.ntid.x"), range(1..1025);
    fn ntid_y() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.ntid.y"), range(1..1025), flat(2, 1);
    fn ntid_z() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.ntid.z"), range(1..65), flat(3, 1);
    fn ctaid_x() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.ctaid.x"), range(0..0x7fff_ffff);
    fn ctaid_y() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.ctaid.y"), range(0..0xffff), flat(2, 0);
    fn ctaid_z() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.ctaid.z"), range(0..0xffff), flat(3, 0);
    fn nctaid_x() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.nctaid.x"), range(1..0x8000_0000);
    fn nctaid_y() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.nctaid.y"), range(1..0x1_0000), flat(2, 1);
    fn nctaid_z() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.nctaid.z"), range(1..0x1_0000), flat(3, 1);
    fn laneid() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.laneid"), range(0..32);
    fn lanemask_eq() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.lanemask.eq");
    fn lanemask_lt() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.lanemask.lt");
    fn lanemask_le() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.lanemask.le");
    fn lanemask_gt() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.lanemask.gt");
    fn lanemask_ge() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.lanemask.ge");
    fn warpid() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.warpid");
    fn smid() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.smid");
    fn nsmid() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.nsmid");
    fn gridid() -> u64 = asm("mov.u64 $0, %gridid;");
    // Defined by the driver.
    fn envreg1() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.envreg1");
    fn envreg2() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.envreg2");
    fn clock32() -> u32 = asm("mov.u32 $0, %clock;");
    fn clock64() -> u64 = asm("mov.u64 $0, %clock64;");
    fn globaltimer() -> u64 = asm("mov.u64 $0, %globaltimer;");
    fn nanosleep(duration: u32) = asm("nanosleep.u32 $0;");
    fn breakpoint() = asm("brkpt;");
    fn dynamic_smem_size() -> u32 = nvvm("llvm.nvvm.read.ptx.sreg.dynamic_smem_size");

    // PTX ISA, "Parallel Synchronization and Communication Instructions": barriers and fences.
    fn barrier(barrier: u32) =
        nvvm("llvm.nvvm.barrier.cta.sync.aligned.all"),
        unaligned("llvm.nvvm.barrier.cta.sync.all");
    // For threads that need not come together: what safety relies on.
    fn barrier_of_threads(barrier: u32) = nvvm("llvm.nvvm.barrier.cta.sync.all");
    fn barrier_count(barrier: u32, predicate: u32) -> u32 =
        nvvm("llvm.nvvm.barrier.cta.red.popc.aligned.all"),
        unaligned("llvm.nvvm.barrier.cta.red.popc.all");
    fn barrier_and(barrier: u32, predicate: u32) -> u32 =
        nvvm("llvm.nvvm.barrier.cta.red.and.aligned.all"),
        unaligned("llvm.nvvm.barrier.cta.red.and.all");
    fn barrier_or(barrier: u32, predicate: u32) -> u32 =
        nvvm("llvm.nvvm.barrier.cta.red.or.aligned.all"),
        unaligned("llvm.nvvm.barrier.cta.red.or.all");
    fn warp_barrier(mask: u32) = nvvm("llvm.nvvm.bar.warp.sync");
    fn atomic_fence(how: u32) = atomic(fence);
    fn named_sync(barrier: u32, threads: u32) =
        nvvm("llvm.nvvm.barrier.cta.sync.aligned.count"),
        unaligned("llvm.nvvm.barrier.cta.sync.count");
    fn named_arrive(barrier: u32, threads: u32) =
        nvvm("llvm.nvvm.barrier.cta.arrive.aligned.count"),
        unaligned("llvm.nvvm.barrier.cta.arrive.count");
    fn named_sync_count(barrier: u32, threads: u32, predicate: u32) -> u32 =
        nvvm("llvm.nvvm.barrier.cta.red.popc.aligned.count"),
        unaligned("llvm.nvvm.barrier.cta.red.popc.count");
    fn named_sync_and(barrier: u32, threads: u32, predicate: u32) -> u32 =
        nvvm("llvm.nvvm.barrier.cta.red.and.aligned.count"),
        unaligned("llvm.nvvm.barrier.cta.red.and.count");
    fn named_sync_or(barrier: u32, threads: u32, predicate: u32) -> u32 =
        nvvm("llvm.nvvm.barrier.cta.red.or.aligned.count"),
        unaligned("llvm.nvvm.barrier.cta.red.or.count");

    // Votes and matches.
    fn active_mask() -> u32 = nvvm("llvm.nvvm.activemask");
    fn vote_all(mask: u32, predicate: u32) -> u32 = nvvm("llvm.nvvm.vote.all.sync");
    fn vote_any(mask: u32, predicate: u32) -> u32 = nvvm("llvm.nvvm.vote.any.sync");
    fn vote_uni(mask: u32, predicate: u32) -> u32 = nvvm("llvm.nvvm.vote.uni.sync");
    fn vote_ballot(mask: u32, predicate: u32) -> u32 = nvvm("llvm.nvvm.vote.ballot.sync");
    fn match_any_32(mask: u32, value: u32) -> u32 = nvvm("llvm.nvvm.match.any.sync.i32");
    fn match_any_64(mask: u32, value: u64) -> u32 = nvvm("llvm.nvvm.match.any.sync.i64");
    fn match_all_32(mask: u32, value: u32) -> u32 = asm("match.all.sync.b32 $0, $2, $1;");
    fn match_all_64(mask: u32, value: u64) -> u32 = asm("match.all.sync.b64 $0, $2, $1;");

    // Shuffles: `clamp` holds the segment mask in bits 8..13 and the last lane in bits 0..5.
    fn shuffle_index(mask: u32, value: Word, lane: u32, clamp: u32) -> Word =
        nvvm("llvm.nvvm.shfl.sync.idx.i32");
    fn shuffle_up(mask: u32, value: Word, delta: u32, clamp: u32) -> Word =
        nvvm("llvm.nvvm.shfl.sync.up.i32");
    fn shuffle_down(mask: u32, value: Word, delta: u32, clamp: u32) -> Word =
        nvvm("llvm.nvvm.shfl.sync.down.i32");
    fn shuffle_xor(mask: u32, value: Word, lanes: u32, clamp: u32) -> Word =
        nvvm("llvm.nvvm.shfl.sync.bfly.i32");

    // Reductions over the lanes of a mask.
    fn reduce_add(mask: u32, value: u32) -> u32 =
        asm("redux.sync.add.u32 $0, $2, $1;"), needs(sm_80, ptx 7.0);
    fn reduce_and(mask: u32, value: u32) -> u32 =
        asm("redux.sync.and.b32 $0, $2, $1;"), needs(sm_80, ptx 7.0);
    fn reduce_or(mask: u32, value: u32) -> u32 = asm("redux.sync.or.b32 $0, $2, $1;"), needs(sm_80, ptx 7.0);
    fn reduce_xor(mask: u32, value: u32) -> u32 =
        asm("redux.sync.xor.b32 $0, $2, $1;"), needs(sm_80, ptx 7.0);
    fn reduce_min_u32(mask: u32, value: u32) -> u32 =
        asm("redux.sync.min.u32 $0, $2, $1;"), needs(sm_80, ptx 7.0);
    fn reduce_min_i32(mask: u32, value: i32) -> i32 =
        asm("redux.sync.min.s32 $0, $2, $1;"), needs(sm_80, ptx 7.0);
    fn reduce_max_u32(mask: u32, value: u32) -> u32 =
        asm("redux.sync.max.u32 $0, $2, $1;"), needs(sm_80, ptx 7.0);
    fn reduce_max_i32(mask: u32, value: i32) -> i32 =
        asm("redux.sync.max.s32 $0, $2, $1;"), needs(sm_80, ptx 7.0);

    // Atomics; those that change a value return the one from before.
    fn atomic_load_u8(pointer: *mut u8, how: u32) -> u8 = atomic(load);
    fn atomic_store_u8(pointer: *mut u8, value: u8, how: u32) = atomic(store);
    fn atomic_cas_u8(pointer: *mut u8, current: u8, new: u8, how: u32) -> u8 =
        atomic(cmpxchg);
    fn atomic_exchange_u8(pointer: *mut u8, value: u8, how: u32) -> u8 = atomic(xchg);
    fn atomic_add_u8(pointer: *mut u8, value: u8, how: u32) -> u8 = atomic(add);
    fn atomic_and_u8(pointer: *mut u8, value: u8, how: u32) -> u8 = atomic(and);
    fn atomic_or_u8(pointer: *mut u8, value: u8, how: u32) -> u8 = atomic(or);
    fn atomic_xor_u8(pointer: *mut u8, value: u8, how: u32) -> u8 = atomic(xor);
    fn atomic_min_u8(pointer: *mut u8, value: u8, how: u32) -> u8 = atomic(umin);
    fn atomic_min_i8(pointer: *mut i8, value: i8, how: u32) -> i8 = atomic(min);
    fn atomic_max_u8(pointer: *mut u8, value: u8, how: u32) -> u8 = atomic(umax);
    fn atomic_max_i8(pointer: *mut i8, value: i8, how: u32) -> i8 = atomic(max);
    fn atomic_load_u16(pointer: *mut u16, how: u32) -> u16 = atomic(load);
    fn atomic_store_u16(pointer: *mut u16, value: u16, how: u32) = atomic(store);
    fn atomic_cas_u16(pointer: *mut u16, current: u16, new: u16, how: u32) -> u16 =
        atomic(cmpxchg);
    fn atomic_exchange_u16(pointer: *mut u16, value: u16, how: u32) -> u16 = atomic(xchg);
    fn atomic_add_u16(pointer: *mut u16, value: u16, how: u32) -> u16 = atomic(add);
    fn atomic_and_u16(pointer: *mut u16, value: u16, how: u32) -> u16 = atomic(and);
    fn atomic_or_u16(pointer: *mut u16, value: u16, how: u32) -> u16 = atomic(or);
    fn atomic_xor_u16(pointer: *mut u16, value: u16, how: u32) -> u16 = atomic(xor);
    fn atomic_min_u16(pointer: *mut u16, value: u16, how: u32) -> u16 = atomic(umin);
    fn atomic_min_i16(pointer: *mut i16, value: i16, how: u32) -> i16 = atomic(min);
    fn atomic_max_u16(pointer: *mut u16, value: u16, how: u32) -> u16 = atomic(umax);
    fn atomic_max_i16(pointer: *mut i16, value: i16, how: u32) -> i16 = atomic(max);
    fn atomic_load_u32(pointer: *mut u32, how: u32) -> u32 = atomic(load);
    fn atomic_store_u32(pointer: *mut u32, value: u32, how: u32) = atomic(store);
    fn atomic_cas_u32(pointer: *mut u32, current: u32, new: u32, how: u32) -> u32 =
        atomic(cmpxchg);
    fn atomic_exchange_u32(pointer: *mut u32, value: u32, how: u32) -> u32 = atomic(xchg);
    fn atomic_add_u32(pointer: *mut u32, value: u32, how: u32) -> u32 = atomic(add);
    fn atomic_and_u32(pointer: *mut u32, value: u32, how: u32) -> u32 = atomic(and);
    fn atomic_or_u32(pointer: *mut u32, value: u32, how: u32) -> u32 = atomic(or);
    fn atomic_xor_u32(pointer: *mut u32, value: u32, how: u32) -> u32 = atomic(xor);
    fn atomic_min_u32(pointer: *mut u32, value: u32, how: u32) -> u32 = atomic(umin);
    fn atomic_min_i32(pointer: *mut i32, value: i32, how: u32) -> i32 = atomic(min);
    fn atomic_max_u32(pointer: *mut u32, value: u32, how: u32) -> u32 = atomic(umax);
    fn atomic_max_i32(pointer: *mut i32, value: i32, how: u32) -> i32 = atomic(max);
    fn atomic_load_u64(pointer: *mut u64, how: u32) -> u64 = atomic(load);
    fn atomic_store_u64(pointer: *mut u64, value: u64, how: u32) = atomic(store);
    fn atomic_cas_u64(pointer: *mut u64, current: u64, new: u64, how: u32) -> u64 =
        atomic(cmpxchg);
    fn atomic_exchange_u64(pointer: *mut u64, value: u64, how: u32) -> u64 = atomic(xchg);
    fn atomic_add_u64(pointer: *mut u64, value: u64, how: u32) -> u64 = atomic(add);
    fn atomic_and_u64(pointer: *mut u64, value: u64, how: u32) -> u64 = atomic(and);
    fn atomic_or_u64(pointer: *mut u64, value: u64, how: u32) -> u64 = atomic(or);
    fn atomic_xor_u64(pointer: *mut u64, value: u64, how: u32) -> u64 = atomic(xor);
    fn atomic_min_u64(pointer: *mut u64, value: u64, how: u32) -> u64 = atomic(umin);
    fn atomic_min_i64(pointer: *mut i64, value: i64, how: u32) -> i64 = atomic(min);
    fn atomic_max_u64(pointer: *mut u64, value: u64, how: u32) -> u64 = atomic(umax);
    fn atomic_max_i64(pointer: *mut i64, value: i64, how: u32) -> i64 = atomic(max);
    fn atomic_load_u128(pointer: *mut u128, how: u32) -> u128 =
        asm("ld.ORDER.SCOPE.b128 $0, [$1];"), needs(sm_70, ptx 8.4);
    fn atomic_store_u128(pointer: *mut u128, value: u128, how: u32) =
        asm("st.ORDER.SCOPE.b128 [$0], $1;"), needs(sm_70, ptx 8.4);
    fn atomic_exchange_u128(pointer: *mut u128, value: u128, how: u32) -> u128 =
        asm("atom.ORDER.SCOPE.exch.b128 $0, [$1], $2;"), needs(sm_90, ptx 8.4);
    fn atomic_cas_u128(pointer: *mut u128, current: u128, new: u128, how: u32) -> u128 =
        asm("atom.ORDER.SCOPE.cas.b128 $0, [$1], $2, $3;"), needs(sm_90, ptx 8.4);
    fn atomic_inc_u32(pointer: *mut u32, limit: u32, how: u32) -> u32 = atomic(uinc_wrap);
    fn atomic_dec_u32(pointer: *mut u32, limit: u32, how: u32) -> u32 = atomic(udec_wrap);
    fn atomic_add_f32(pointer: *mut f32, value: f32, how: u32) -> f32 = atomic(fadd);
    fn atomic_add_f64(pointer: *mut f64, value: f64, how: u32) -> f64 = atomic(fadd);
    fn atomic_add_f16(pointer: *mut u16, value: u16, how: u32) -> u16 =
        asm("atom.ORDER.SCOPE.add.noftz.f16 $0, [$1], $2;");
    fn atomic_add_f16x2(pointer: *mut u32, value: u32, how: u32) -> u32 =
        asm("atom.ORDER.SCOPE.add.noftz.f16x2 $0, [$1], $2;");
    fn atomic_add_bf16(pointer: *mut u16, value: u16, how: u32) -> u16 =
        asm("atom.ORDER.SCOPE.add.noftz.bf16 $0, [$1], $2;"), needs(sm_90, ptx 7.8);
    fn atomic_add_bf16x2(pointer: *mut u32, value: u32, how: u32) -> u32 =
        asm("atom.ORDER.SCOPE.add.noftz.bf16x2 $0, [$1], $2;"), needs(sm_90, ptx 7.8);

    // Arithmetic with a direction of rounding (PTX ISA 9.7.3: `.rn`, `.rz`, `.rp`, `.rm`).
    fn add_rn_f32(a: f32, b: f32) -> f32 = nvvm("llvm.nvvm.add.rn.f");
    fn add_rz_f32(a: f32, b: f32) -> f32 = nvvm("llvm.nvvm.add.rz.f");
    fn add_ru_f32(a: f32, b: f32) -> f32 = nvvm("llvm.nvvm.add.rp.f");
    fn add_rd_f32(a: f32, b: f32) -> f32 = nvvm("llvm.nvvm.add.rm.f");
    fn add_rn_f64(a: f64, b: f64) -> f64 = nvvm("llvm.nvvm.add.rn.d");
    fn add_rz_f64(a: f64, b: f64) -> f64 = nvvm("llvm.nvvm.add.rz.d");
    fn add_ru_f64(a: f64, b: f64) -> f64 = nvvm("llvm.nvvm.add.rp.d");
    fn add_rd_f64(a: f64, b: f64) -> f64 = nvvm("llvm.nvvm.add.rm.d");
    fn mul_rn_f32(a: f32, b: f32) -> f32 = nvvm("llvm.nvvm.mul.rn.f");
    fn mul_rz_f32(a: f32, b: f32) -> f32 = nvvm("llvm.nvvm.mul.rz.f");
    fn mul_ru_f32(a: f32, b: f32) -> f32 = nvvm("llvm.nvvm.mul.rp.f");
    fn mul_rd_f32(a: f32, b: f32) -> f32 = nvvm("llvm.nvvm.mul.rm.f");
    fn mul_rn_f64(a: f64, b: f64) -> f64 = nvvm("llvm.nvvm.mul.rn.d");
    fn mul_rz_f64(a: f64, b: f64) -> f64 = nvvm("llvm.nvvm.mul.rz.d");
    fn mul_ru_f64(a: f64, b: f64) -> f64 = nvvm("llvm.nvvm.mul.rp.d");
    fn mul_rd_f64(a: f64, b: f64) -> f64 = nvvm("llvm.nvvm.mul.rm.d");
    fn fma_rn_f32(a: f32, b: f32, c: f32) -> f32 = nvvm("llvm.nvvm.fma.rn.f");
    fn fma_rz_f32(a: f32, b: f32, c: f32) -> f32 = nvvm("llvm.nvvm.fma.rz.f");
    fn fma_ru_f32(a: f32, b: f32, c: f32) -> f32 = nvvm("llvm.nvvm.fma.rp.f");
    fn fma_rd_f32(a: f32, b: f32, c: f32) -> f32 = nvvm("llvm.nvvm.fma.rm.f");
    fn fma_rn_f64(a: f64, b: f64, c: f64) -> f64 = nvvm("llvm.nvvm.fma.rn.d");
    fn fma_rz_f64(a: f64, b: f64, c: f64) -> f64 = nvvm("llvm.nvvm.fma.rz.d");
    fn fma_ru_f64(a: f64, b: f64, c: f64) -> f64 = nvvm("llvm.nvvm.fma.rp.d");
    fn fma_rd_f64(a: f64, b: f64, c: f64) -> f64 = nvvm("llvm.nvvm.fma.rm.d");
    fn div_rn_f32(a: f32, b: f32) -> f32 = nvvm("llvm.nvvm.div.rn.f");
    fn div_rz_f32(a: f32, b: f32) -> f32 = nvvm("llvm.nvvm.div.rz.f");
    fn div_ru_f32(a: f32, b: f32) -> f32 = nvvm("llvm.nvvm.div.rp.f");
    fn div_rd_f32(a: f32, b: f32) -> f32 = nvvm("llvm.nvvm.div.rm.f");
    fn div_rn_f64(a: f64, b: f64) -> f64 = nvvm("llvm.nvvm.div.rn.d");
    fn div_rz_f64(a: f64, b: f64) -> f64 = nvvm("llvm.nvvm.div.rz.d");
    fn div_ru_f64(a: f64, b: f64) -> f64 = nvvm("llvm.nvvm.div.rp.d");
    fn div_rd_f64(a: f64, b: f64) -> f64 = nvvm("llvm.nvvm.div.rm.d");
    fn rcp_rn_f32(a: f32) -> f32 = nvvm("llvm.nvvm.rcp.rn.f");
    fn rcp_rz_f32(a: f32) -> f32 = nvvm("llvm.nvvm.rcp.rz.f");
    fn rcp_ru_f32(a: f32) -> f32 = nvvm("llvm.nvvm.rcp.rp.f");
    fn rcp_rd_f32(a: f32) -> f32 = nvvm("llvm.nvvm.rcp.rm.f");
    fn rcp_rn_f64(a: f64) -> f64 = nvvm("llvm.nvvm.rcp.rn.d");
    fn rcp_rz_f64(a: f64) -> f64 = nvvm("llvm.nvvm.rcp.rz.d");
    fn rcp_ru_f64(a: f64) -> f64 = nvvm("llvm.nvvm.rcp.rp.d");
    fn rcp_rd_f64(a: f64) -> f64 = nvvm("llvm.nvvm.rcp.rm.d");
    fn sqrt_rn_f32(a: f32) -> f32 = nvvm("llvm.nvvm.sqrt.rn.f");
    fn sqrt_rz_f32(a: f32) -> f32 = nvvm("llvm.nvvm.sqrt.rz.f");
    fn sqrt_ru_f32(a: f32) -> f32 = nvvm("llvm.nvvm.sqrt.rp.f");
    fn sqrt_rd_f32(a: f32) -> f32 = nvvm("llvm.nvvm.sqrt.rm.f");
    fn sqrt_rn_f64(a: f64) -> f64 = nvvm("llvm.nvvm.sqrt.rn.d");
    fn sqrt_rz_f64(a: f64) -> f64 = nvvm("llvm.nvvm.sqrt.rz.d");
    fn sqrt_ru_f64(a: f64) -> f64 = nvvm("llvm.nvvm.sqrt.rp.d");
    fn sqrt_rd_f64(a: f64) -> f64 = nvvm("llvm.nvvm.sqrt.rm.d");

    // Conversions with a direction of rounding (PTX ISA, `cvt`).
    fn f64_to_f32_rn(x: f64) -> f32 = nvvm("llvm.nvvm.d2f.rn");
    fn f64_to_f32_rz(x: f64) -> f32 = nvvm("llvm.nvvm.d2f.rz");
    fn f64_to_f32_ru(x: f64) -> f32 = nvvm("llvm.nvvm.d2f.rp");
    fn f64_to_f32_rd(x: f64) -> f32 = nvvm("llvm.nvvm.d2f.rm");
    fn f32_to_i32_rn(x: f32) -> i32 = nvvm("llvm.nvvm.f2i.rn");
    fn f32_to_i32_rz(x: f32) -> i32 = nvvm("llvm.nvvm.f2i.rz");
    fn f32_to_i32_ru(x: f32) -> i32 = nvvm("llvm.nvvm.f2i.rp");
    fn f32_to_i32_rd(x: f32) -> i32 = nvvm("llvm.nvvm.f2i.rm");
    fn f32_to_u32_rn(x: f32) -> u32 = nvvm("llvm.nvvm.f2ui.rn");
    fn f32_to_u32_rz(x: f32) -> u32 = nvvm("llvm.nvvm.f2ui.rz");
    fn f32_to_u32_ru(x: f32) -> u32 = nvvm("llvm.nvvm.f2ui.rp");
    fn f32_to_u32_rd(x: f32) -> u32 = nvvm("llvm.nvvm.f2ui.rm");
    fn f32_to_i64_rn(x: f32) -> i64 = nvvm("llvm.nvvm.f2ll.rn");
    fn f32_to_i64_rz(x: f32) -> i64 = nvvm("llvm.nvvm.f2ll.rz");
    fn f32_to_i64_ru(x: f32) -> i64 = nvvm("llvm.nvvm.f2ll.rp");
    fn f32_to_i64_rd(x: f32) -> i64 = nvvm("llvm.nvvm.f2ll.rm");
    fn f32_to_u64_rn(x: f32) -> u64 = nvvm("llvm.nvvm.f2ull.rn");
    fn f32_to_u64_rz(x: f32) -> u64 = nvvm("llvm.nvvm.f2ull.rz");
    fn f32_to_u64_ru(x: f32) -> u64 = nvvm("llvm.nvvm.f2ull.rp");
    fn f32_to_u64_rd(x: f32) -> u64 = nvvm("llvm.nvvm.f2ull.rm");
    fn f64_to_i32_rn(x: f64) -> i32 = nvvm("llvm.nvvm.d2i.rn");
    fn f64_to_i32_rz(x: f64) -> i32 = nvvm("llvm.nvvm.d2i.rz");
    fn f64_to_i32_ru(x: f64) -> i32 = nvvm("llvm.nvvm.d2i.rp");
    fn f64_to_i32_rd(x: f64) -> i32 = nvvm("llvm.nvvm.d2i.rm");
    fn f64_to_u32_rn(x: f64) -> u32 = nvvm("llvm.nvvm.d2ui.rn");
    fn f64_to_u32_rz(x: f64) -> u32 = nvvm("llvm.nvvm.d2ui.rz");
    fn f64_to_u32_ru(x: f64) -> u32 = nvvm("llvm.nvvm.d2ui.rp");
    fn f64_to_u32_rd(x: f64) -> u32 = nvvm("llvm.nvvm.d2ui.rm");
    fn f64_to_i64_rn(x: f64) -> i64 = nvvm("llvm.nvvm.d2ll.rn");
    fn f64_to_i64_rz(x: f64) -> i64 = nvvm("llvm.nvvm.d2ll.rz");
    fn f64_to_i64_ru(x: f64) -> i64 = nvvm("llvm.nvvm.d2ll.rp");
    fn f64_to_i64_rd(x: f64) -> i64 = nvvm("llvm.nvvm.d2ll.rm");
    fn f64_to_u64_rn(x: f64) -> u64 = nvvm("llvm.nvvm.d2ull.rn");
    fn f64_to_u64_rz(x: f64) -> u64 = nvvm("llvm.nvvm.d2ull.rz");
    fn f64_to_u64_ru(x: f64) -> u64 = nvvm("llvm.nvvm.d2ull.rp");
    fn f64_to_u64_rd(x: f64) -> u64 = nvvm("llvm.nvvm.d2ull.rm");
    fn i32_to_f32_rn(x: i32) -> f32 = nvvm("llvm.nvvm.i2f.rn");
    fn i32_to_f32_rz(x: i32) -> f32 = nvvm("llvm.nvvm.i2f.rz");
    fn i32_to_f32_ru(x: i32) -> f32 = nvvm("llvm.nvvm.i2f.rp");
    fn i32_to_f32_rd(x: i32) -> f32 = nvvm("llvm.nvvm.i2f.rm");
    fn u32_to_f32_rn(x: u32) -> f32 = nvvm("llvm.nvvm.ui2f.rn");
    fn u32_to_f32_rz(x: u32) -> f32 = nvvm("llvm.nvvm.ui2f.rz");
    fn u32_to_f32_ru(x: u32) -> f32 = nvvm("llvm.nvvm.ui2f.rp");
    fn u32_to_f32_rd(x: u32) -> f32 = nvvm("llvm.nvvm.ui2f.rm");
    fn i64_to_f32_rn(x: i64) -> f32 = nvvm("llvm.nvvm.ll2f.rn");
    fn i64_to_f32_rz(x: i64) -> f32 = nvvm("llvm.nvvm.ll2f.rz");
    fn i64_to_f32_ru(x: i64) -> f32 = nvvm("llvm.nvvm.ll2f.rp");
    fn i64_to_f32_rd(x: i64) -> f32 = nvvm("llvm.nvvm.ll2f.rm");
    fn u64_to_f32_rn(x: u64) -> f32 = nvvm("llvm.nvvm.ull2f.rn");
    fn u64_to_f32_rz(x: u64) -> f32 = nvvm("llvm.nvvm.ull2f.rz");
    fn u64_to_f32_ru(x: u64) -> f32 = nvvm("llvm.nvvm.ull2f.rp");
    fn u64_to_f32_rd(x: u64) -> f32 = nvvm("llvm.nvvm.ull2f.rm");
    fn i64_to_f64_rn(x: i64) -> f64 = nvvm("llvm.nvvm.ll2d.rn");
    fn i64_to_f64_rz(x: i64) -> f64 = nvvm("llvm.nvvm.ll2d.rz");
    fn i64_to_f64_ru(x: i64) -> f64 = nvvm("llvm.nvvm.ll2d.rp");
    fn i64_to_f64_rd(x: i64) -> f64 = nvvm("llvm.nvvm.ll2d.rm");
    fn u64_to_f64_rn(x: u64) -> f64 = nvvm("llvm.nvvm.ull2d.rn");
    fn u64_to_f64_rz(x: u64) -> f64 = nvvm("llvm.nvvm.ull2d.rz");
    fn u64_to_f64_ru(x: u64) -> f64 = nvvm("llvm.nvvm.ull2d.rp");
    fn u64_to_f64_rd(x: u64) -> f64 = nvvm("llvm.nvvm.ull2d.rm");

    // Approximations (PTX ISA 9.7.3: `.approx`).
    fn sin_approx(x: f32) -> f32 = nvvm("llvm.nvvm.sin.approx.f");
    fn cos_approx(x: f32) -> f32 = nvvm("llvm.nvvm.cos.approx.f");
    fn lg2_approx(x: f32) -> f32 = nvvm("llvm.nvvm.lg2.approx.f");
    fn sqrt_approx(x: f32) -> f32 = nvvm("llvm.nvvm.sqrt.approx.f");
    fn rsqrt_approx(x: f32) -> f32 = nvvm("llvm.nvvm.rsqrt.approx.f");
    fn div_approx(x: f32, y: f32) -> f32 = nvvm("llvm.nvvm.div.approx.f");
    fn ex2_approx(x: f32) -> f32 = pure("ex2.approx.f32 $0, $1;");
    fn rcp_approx(x: f32) -> f32 = pure("rcp.approx.f32 $0, $1;");
    fn tanh_approx(x: f32) -> f32 = pure("tanh.approx.f32 $0, $1;"), needs(sm_75, ptx 7.0);
    fn rint_f32(x: f32) -> f32 = pure("cvt.rni.f32.f32 $0, $1;");
    fn rint_f64(x: f64) -> f64 = pure("cvt.rni.f64.f64 $0, $1;");
    fn saturate_f32(x: f32) -> f32 = nvvm("llvm.nvvm.saturate.f");
    fn saturate_f64(x: f64) -> f64 = nvvm("llvm.nvvm.saturate.d");

    // Half precision, as LLVM's own instructions: the optimiser knows them, and fuses them.
    fn f16_from_f32(x: f32) -> u16 = float(half fptrunc);
    fn f16_to_f32(x: u16) -> f32 = float(half fpext);
    fn f16_from_f64(x: f64) -> u16 = float(half fptrunc);
    fn f16_to_f64(x: u16) -> f64 = float(half fpext);
    fn f16_add(a: u16, b: u16) -> u16 = float(half fadd);
    fn f16_sub(a: u16, b: u16) -> u16 = float(half fsub);
    fn f16_mul(a: u16, b: u16) -> u16 = float(half fmul);
    fn f16_div(a: u16, b: u16) -> u16 = float(half fdiv);
    fn f16_eq(a: u16, b: u16) -> u32 = float(half oeq);
    fn f16_lt(a: u16, b: u16) -> u32 = float(half olt);
    fn f16_le(a: u16, b: u16) -> u32 = float(half ole);
    fn bf16_from_f32(x: f32) -> u16 = float(bfloat fptrunc);
    fn bf16_to_f32(x: u16) -> f32 = float(bfloat fpext);
    fn bf16_from_f64(x: f64) -> u16 = float(bfloat fptrunc);
    fn bf16_to_f64(x: u16) -> f64 = float(bfloat fpext);
    fn bf16_add(a: u16, b: u16) -> u16 = float(bfloat fadd);
    fn bf16_sub(a: u16, b: u16) -> u16 = float(bfloat fsub);
    fn bf16_mul(a: u16, b: u16) -> u16 = float(bfloat fmul);
    fn bf16_div(a: u16, b: u16) -> u16 = float(bfloat fdiv);
    fn bf16_eq(a: u16, b: u16) -> u32 = float(bfloat oeq);
    fn bf16_lt(a: u16, b: u16) -> u32 = float(bfloat olt);
    fn bf16_le(a: u16, b: u16) -> u32 = float(bfloat ole);

    // Half precision (PTX ISA, "Half Precision Floating Point Instructions", `cvt`): also of pairs, the
    // first number in the lower half.
    fn f16_fma(a: u16, b: u16, c: u16) -> u16 = pure("fma.rn.f16 $0, $1, $2, $3;");
    fn f16_fma_sat(a: u16, b: u16, c: u16) -> u16 = pure("fma.rn.sat.f16 $0, $1, $2, $3;");
    fn f16_fma_relu(a: u16, b: u16, c: u16) -> u16 =
        pure("fma.rn.relu.f16 $0, $1, $2, $3;"), needs(sm_80, ptx 7.0);
    fn f16_min(a: u16, b: u16) -> u16 = pure("min.f16 $0, $1, $2;"), needs(sm_80, ptx 7.0);
    fn f16_min_nan(a: u16, b: u16) -> u16 = pure("min.NaN.f16 $0, $1, $2;"), needs(sm_80, ptx 7.0);
    fn f16_max(a: u16, b: u16) -> u16 = pure("max.f16 $0, $1, $2;"), needs(sm_80, ptx 7.0);
    fn f16_max_nan(a: u16, b: u16) -> u16 = pure("max.NaN.f16 $0, $1, $2;"), needs(sm_80, ptx 7.0);
    fn f16_ex2(x: u16) -> u16 = pure("ex2.approx.f16 $0, $1;"), needs(sm_75, ptx 7.0);
    fn f16_tanh(x: u16) -> u16 = pure("tanh.approx.f16 $0, $1;"), needs(sm_75, ptx 7.0);
    fn f16x2_add(a: u32, b: u32) -> u32 = pure("add.rn.f16x2 $0, $1, $2;");
    fn f16x2_sub(a: u32, b: u32) -> u32 = pure("sub.rn.f16x2 $0, $1, $2;");
    fn f16x2_mul(a: u32, b: u32) -> u32 = pure("mul.rn.f16x2 $0, $1, $2;");
    fn f16x2_add_sat(a: u32, b: u32) -> u32 = pure("add.rn.sat.f16x2 $0, $1, $2;");
    fn f16x2_sub_sat(a: u32, b: u32) -> u32 = pure("sub.rn.sat.f16x2 $0, $1, $2;");
    fn f16x2_mul_sat(a: u32, b: u32) -> u32 = pure("mul.rn.sat.f16x2 $0, $1, $2;");
    fn f16x2_fma(a: u32, b: u32, c: u32) -> u32 = pure("fma.rn.f16x2 $0, $1, $2, $3;");
    fn f16x2_fma_sat(a: u32, b: u32, c: u32) -> u32 = pure("fma.rn.sat.f16x2 $0, $1, $2, $3;");
    fn f16x2_fma_relu(a: u32, b: u32, c: u32) -> u32 =
        pure("fma.rn.relu.f16x2 $0, $1, $2, $3;"), needs(sm_80, ptx 7.0);
    fn f16x2_min(a: u32, b: u32) -> u32 = pure("min.f16x2 $0, $1, $2;"), needs(sm_80, ptx 7.0);
    fn f16x2_min_nan(a: u32, b: u32) -> u32 =
        pure("min.NaN.f16x2 $0, $1, $2;"), needs(sm_80, ptx 7.0);
    fn f16x2_max(a: u32, b: u32) -> u32 = pure("max.f16x2 $0, $1, $2;"), needs(sm_80, ptx 7.0);
    fn f16x2_max_nan(a: u32, b: u32) -> u32 =
        pure("max.NaN.f16x2 $0, $1, $2;"), needs(sm_80, ptx 7.0);
    fn f16x2_ex2(x: u32) -> u32 = pure("ex2.approx.f16x2 $0, $1;"), needs(sm_75, ptx 7.0);
    fn f16x2_tanh(x: u32) -> u32 = pure("tanh.approx.f16x2 $0, $1;"), needs(sm_75, ptx 7.0);
    fn f16_from_f32_rz(x: f32) -> u16 = pure("cvt.rz.f16.f32 $0, $1;");
    fn f16x2_from_f32_rn(high: f32, low: f32) -> u32 =
        pure("cvt.rn.f16x2.f32 $0, $1, $2;"), needs(sm_80, ptx 7.0);
    fn f16x2_from_f32_rz(high: f32, low: f32) -> u32 =
        pure("cvt.rz.f16x2.f32 $0, $1, $2;"), needs(sm_80, ptx 7.0);
    fn bf16_fma(a: u16, b: u16, c: u16) -> u16 =
        pure("fma.rn.bf16 $0, $1, $2, $3;"), needs(sm_80, ptx 7.0);
    fn bf16_fma_relu(a: u16, b: u16, c: u16) -> u16 =
        pure("fma.rn.relu.bf16 $0, $1, $2, $3;"), needs(sm_80, ptx 7.0);
    fn bf16_min(a: u16, b: u16) -> u16 = pure("min.bf16 $0, $1, $2;"), needs(sm_80, ptx 7.0);
    fn bf16_min_nan(a: u16, b: u16) -> u16 =
        pure("min.NaN.bf16 $0, $1, $2;"), needs(sm_80, ptx 7.0);
    fn bf16_max(a: u16, b: u16) -> u16 = pure("max.bf16 $0, $1, $2;"), needs(sm_80, ptx 7.0);
    fn bf16_max_nan(a: u16, b: u16) -> u16 =
        pure("max.NaN.bf16 $0, $1, $2;"), needs(sm_80, ptx 7.0);
    fn bf16_ex2(x: u16) -> u16 = pure("ex2.approx.ftz.bf16 $0, $1;"), needs(sm_90, ptx 7.8);
    fn bf16_tanh(x: u16) -> u16 = pure("tanh.approx.bf16 $0, $1;"), needs(sm_90, ptx 7.8);
    fn bf16x2_add(a: u32, b: u32) -> u32 = pure("add.rn.bf16x2 $0, $1, $2;"), needs(sm_90, ptx 7.8);
    fn bf16x2_sub(a: u32, b: u32) -> u32 = pure("sub.rn.bf16x2 $0, $1, $2;"), needs(sm_90, ptx 7.8);
    fn bf16x2_mul(a: u32, b: u32) -> u32 = pure("mul.rn.bf16x2 $0, $1, $2;"), needs(sm_90, ptx 7.8);
    fn bf16x2_fma(a: u32, b: u32, c: u32) -> u32 =
        pure("fma.rn.bf16x2 $0, $1, $2, $3;"), needs(sm_80, ptx 7.0);
    fn bf16x2_fma_relu(a: u32, b: u32, c: u32) -> u32 =
        pure("fma.rn.relu.bf16x2 $0, $1, $2, $3;"), needs(sm_80, ptx 7.0);
    fn bf16x2_min(a: u32, b: u32) -> u32 = pure("min.bf16x2 $0, $1, $2;"), needs(sm_80, ptx 7.0);
    fn bf16x2_min_nan(a: u32, b: u32) -> u32 =
        pure("min.NaN.bf16x2 $0, $1, $2;"), needs(sm_80, ptx 7.0);
    fn bf16x2_max(a: u32, b: u32) -> u32 = pure("max.bf16x2 $0, $1, $2;"), needs(sm_80, ptx 7.0);
    fn bf16x2_max_nan(a: u32, b: u32) -> u32 =
        pure("max.NaN.bf16x2 $0, $1, $2;"), needs(sm_80, ptx 7.0);
    fn bf16x2_ex2(x: u32) -> u32 = pure("ex2.approx.ftz.bf16x2 $0, $1;"), needs(sm_90, ptx 7.8);
    fn bf16x2_tanh(x: u32) -> u32 = pure("tanh.approx.bf16x2 $0, $1;"), needs(sm_90, ptx 7.8);
    fn bf16_from_f32_rz(x: f32) -> u16 = pure("cvt.rz.bf16.f32 $0, $1;"), needs(sm_80, ptx 7.0);
    fn bf16x2_from_f32_rn(high: f32, low: f32) -> u32 =
        pure("cvt.rn.bf16x2.f32 $0, $1, $2;"), needs(sm_80, ptx 7.0);
    fn bf16x2_from_f32_rz(high: f32, low: f32) -> u32 =
        pure("cvt.rz.bf16x2.f32 $0, $1, $2;"), needs(sm_80, ptx 7.0);

    // 8-bit floats, two at a time, and `tf32` (PTX ISA, `cvt`).
    fn e4m3x2_from_f32(high: f32, low: f32) -> u16 =
        pure("cvt.rn.satfinite.e4m3x2.f32 $0, $1, $2;"), needs(sm_89, ptx 8.1);
    fn e4m3x2_from_f16x2(x: u32) -> u16 =
        pure("cvt.rn.satfinite.e4m3x2.f16x2 $0, $1;"), needs(sm_89, ptx 8.1);
    fn e4m3x2_to_f16x2(x: u16) -> u32 = pure("cvt.rn.f16x2.e4m3x2 $0, $1;"), needs(sm_89, ptx 8.1);
    fn e5m2x2_from_f32(high: f32, low: f32) -> u16 =
        pure("cvt.rn.satfinite.e5m2x2.f32 $0, $1, $2;"), needs(sm_89, ptx 8.1);
    fn e5m2x2_from_f16x2(x: u32) -> u16 =
        pure("cvt.rn.satfinite.e5m2x2.f16x2 $0, $1;"), needs(sm_89, ptx 8.1);
    fn e5m2x2_to_f16x2(x: u16) -> u32 = pure("cvt.rn.f16x2.e5m2x2 $0, $1;"), needs(sm_89, ptx 8.1);
    fn tf32_from_f32_rna(x: f32) -> u32 = pure("cvt.rna.tf32.f32 $0, $1;"), needs(sm_80, ptx 7.0);
    fn tf32_from_f32_rn(x: f32) -> u32 = pure("cvt.rn.tf32.f32 $0, $1;"), needs(sm_90, ptx 7.8);
    fn tf32_from_f32_rz(x: f32) -> u32 = pure("cvt.rz.tf32.f32 $0, $1;"), needs(sm_90, ptx 7.8);

    // Integers (PTX ISA 9.7.1, 9.7.8).
    fn byte_perm(x: u32, y: u32, selector: u32) -> u32 = nvvm("llvm.nvvm.prmt");
    fn sad_i32(a: i32, b: i32, c: u32) -> u32 = nvvm("llvm.nvvm.sad.i");
    fn sad_u32(a: u32, b: u32, c: u32) -> u32 = nvvm("llvm.nvvm.sad.ui");
    fn dp4a_i32(a: i32, b: i32, c: i32) -> i32 = pure("dp4a.s32.s32 $0, $1, $2, $3;");
    fn dp2a_lo_i32(a: i32, b: i32, c: i32) -> i32 = pure("dp2a.lo.s32.s32 $0, $1, $2, $3;");
    fn dp2a_hi_i32(a: i32, b: i32, c: i32) -> i32 = pure("dp2a.hi.s32.s32 $0, $1, $2, $3;");
    fn dp4a_u32(a: u32, b: u32, c: u32) -> u32 = pure("dp4a.u32.u32 $0, $1, $2, $3;");
    fn dp2a_lo_u32(a: u32, b: u32, c: u32) -> u32 = pure("dp2a.lo.u32.u32 $0, $1, $2, $3;");
    fn dp2a_hi_u32(a: u32, b: u32, c: u32) -> u32 = pure("dp2a.hi.u32.u32 $0, $1, $2, $3;");
    fn funnel_l_wrap(low: u32, high: u32, by: u32) -> u32 = pure("shf.l.wrap.b32 $0, $1, $2, $3;");
    fn funnel_l_clamp(low: u32, high: u32, by: u32) -> u32 = pure("shf.l.clamp.b32 $0, $1, $2, $3;");
    fn funnel_r_wrap(low: u32, high: u32, by: u32) -> u32 = pure("shf.r.wrap.b32 $0, $1, $2, $3;");
    fn funnel_r_clamp(low: u32, high: u32, by: u32) -> u32 = pure("shf.r.clamp.b32 $0, $1, $2, $3;");

    // Asynchronous copies of a thread.
    fn cp_async_ca_4(to: *mut u8, from: *const u8, read: u32) =
        asm(cp_async!("ca.shared.global", 4)), needs(sm_80, ptx 7.0);
    fn cp_async_ca_4_l2_64(to: *mut u8, from: *const u8, read: u32) =
        asm(cp_async!("ca.shared.global.L2::64B", 4)), needs(sm_80, ptx 7.4);
    fn cp_async_ca_4_l2_128(to: *mut u8, from: *const u8, read: u32) =
        asm(cp_async!("ca.shared.global.L2::128B", 4)), needs(sm_80, ptx 7.4);
    fn cp_async_ca_4_l2_256(to: *mut u8, from: *const u8, read: u32) =
        asm(cp_async!("ca.shared.global.L2::256B", 4)), needs(sm_80, ptx 7.4);
    fn cp_async_ca_8(to: *mut u8, from: *const u8, read: u32) =
        asm(cp_async!("ca.shared.global", 8)), needs(sm_80, ptx 7.0);
    fn cp_async_ca_8_l2_64(to: *mut u8, from: *const u8, read: u32) =
        asm(cp_async!("ca.shared.global.L2::64B", 8)), needs(sm_80, ptx 7.4);
    fn cp_async_ca_8_l2_128(to: *mut u8, from: *const u8, read: u32) =
        asm(cp_async!("ca.shared.global.L2::128B", 8)), needs(sm_80, ptx 7.4);
    fn cp_async_ca_8_l2_256(to: *mut u8, from: *const u8, read: u32) =
        asm(cp_async!("ca.shared.global.L2::256B", 8)), needs(sm_80, ptx 7.4);
    fn cp_async_ca_16(to: *mut u8, from: *const u8, read: u32) =
        asm(cp_async!("ca.shared.global", 16)), needs(sm_80, ptx 7.0);
    fn cp_async_ca_16_l2_64(to: *mut u8, from: *const u8, read: u32) =
        asm(cp_async!("ca.shared.global.L2::64B", 16)), needs(sm_80, ptx 7.4);
    fn cp_async_ca_16_l2_128(to: *mut u8, from: *const u8, read: u32) =
        asm(cp_async!("ca.shared.global.L2::128B", 16)), needs(sm_80, ptx 7.4);
    fn cp_async_ca_16_l2_256(to: *mut u8, from: *const u8, read: u32) =
        asm(cp_async!("ca.shared.global.L2::256B", 16)), needs(sm_80, ptx 7.4);
    fn cp_async_cg_16(to: *mut u8, from: *const u8, read: u32) =
        asm(cp_async!("cg.shared.global", 16)), needs(sm_80, ptx 7.0);
    fn cp_async_cg_16_l2_64(to: *mut u8, from: *const u8, read: u32) =
        asm(cp_async!("cg.shared.global.L2::64B", 16)), needs(sm_80, ptx 7.4);
    fn cp_async_cg_16_l2_128(to: *mut u8, from: *const u8, read: u32) =
        asm(cp_async!("cg.shared.global.L2::128B", 16)), needs(sm_80, ptx 7.4);
    fn cp_async_cg_16_l2_256(to: *mut u8, from: *const u8, read: u32) =
        asm(cp_async!("cg.shared.global.L2::256B", 16)), needs(sm_80, ptx 7.4);
    fn is_global(pointer: *const u8) -> u32 = nvvm("llvm.nvvm.isspacep.global");

    // Barriers in shared memory.
    fn mbarrier_init(at: *mut u64, count: u32) =
        asm(mbarrier!("$0", "mbarrier.init.shared.b64 [%at], $1;")), needs(sm_80, ptx 7.0);
    fn fence_mbarrier_init(at: *mut u64) =
        asm(mbarrier!("$0", "fence.mbarrier_init.release.cluster; fence.proxy.async.shared::cta;")),
        needs(sm_90, ptx 8.0);
    fn mbarrier_inval(at: *mut u64) =
        asm(mbarrier!("$0", "mbarrier.inval.shared.b64 [%at];")), needs(sm_80, ptx 7.0);
    fn mbarrier_arrive(at: *mut u64) -> u64 =
        asm(mbarrier!("$1", "mbarrier.arrive.shared.b64 $0, [%at];")), needs(sm_80, ptx 7.0);
    fn mbarrier_arrive_count(at: *mut u64, count: u32) -> u64 =
        asm(mbarrier!("$1", "mbarrier.arrive.shared.b64 $0, [%at], $2;")), needs(sm_90, ptx 7.8);
    fn mbarrier_arrive_no_complete(at: *mut u64, count: u32) -> u64 =
        asm(mbarrier!("$1", "mbarrier.arrive.noComplete.shared.b64 $0, [%at], $2;")),
        needs(sm_80, ptx 7.0);
    fn mbarrier_arrive_drop(at: *mut u64) -> u64 =
        asm(mbarrier!("$1", "mbarrier.arrive_drop.shared.b64 $0, [%at];")), needs(sm_80, ptx 7.0);
    fn mbarrier_expect_tx(at: *mut u64, bytes: u32) =
        asm(mbarrier!("$0", "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%at], $1;")),
        needs(sm_90, ptx 8.0);
    fn mbarrier_complete_tx(at: *mut u64, bytes: u32) =
        asm(mbarrier!("$0", "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%at], $1;")),
        needs(sm_90, ptx 8.0);
    fn mbarrier_arrive_expect_tx(at: *mut u64, bytes: u32) -> u64 =
        asm(mbarrier!("$1", "mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 $0, [%at], $2;")),
        needs(sm_90, ptx 8.0);
    fn mbarrier_arrive_remote(at: *mut u64, rank: u32) =
        asm(mbarrier!("$0", "mapa.shared::cluster.u64 %at, %at, $1; mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%at];")),
        needs(sm_90, ptx 8.0);
    fn mbarrier_test_wait(at: *mut u64, state: u64) -> u32 =
        asm(mbarrier_wait!("test_wait.shared")), needs(sm_80, ptx 7.0);
    fn mbarrier_test_wait_parity(at: *mut u64, parity: u32) -> u32 =
        asm(mbarrier_wait!("test_wait.parity.shared")), needs(sm_80, ptx 7.1);
    fn mbarrier_try_wait(at: *mut u64, state: u64) -> u32 =
        asm(mbarrier_wait!("try_wait.shared")), needs(sm_90, ptx 7.8);
    fn mbarrier_try_wait_parity(at: *mut u64, parity: u32) -> u32 =
        asm(mbarrier_wait!("try_wait.parity.shared")), needs(sm_90, ptx 7.8);
    fn mbarrier_pending_count(state: u64) -> u32 =
        pure("mbarrier.pending_count.b64 $0, $1;"), needs(sm_80, ptx 7.0);
    fn cp_async_mbarrier_arrive(at: *mut u64) =
        asm(mbarrier!("$0", "cp.async.mbarrier.arrive.noinc.shared.b64 [%at];")), needs(sm_80, ptx 7.0);

    // Clusters (PTX ISA, "Special Registers", `barrier.cluster`, `mapa`). The barriers take a pointer so that memory
    // accesses stay on their side of them.
    fn cluster_nctarank() -> u32 =
        pure("mov.u32 $0, %cluster_nctarank;"), needs(sm_90, ptx 7.8);
    fn cluster_ctarank() -> u32 =
        pure("mov.u32 $0, %cluster_ctarank;"), needs(sm_90, ptx 7.8);
    fn cluster_ctaid_x() -> u32 =
        pure("mov.u32 $0, %cluster_ctaid.x;"), needs(sm_90, ptx 7.8);
    fn cluster_ctaid_y() -> u32 =
        pure("mov.u32 $0, %cluster_ctaid.y;"), needs(sm_90, ptx 7.8);
    fn cluster_ctaid_z() -> u32 =
        pure("mov.u32 $0, %cluster_ctaid.z;"), needs(sm_90, ptx 7.8);
    fn cluster_nctaid_x() -> u32 =
        pure("mov.u32 $0, %cluster_nctaid.x;"), needs(sm_90, ptx 7.8);
    fn cluster_nctaid_y() -> u32 =
        pure("mov.u32 $0, %cluster_nctaid.y;"), needs(sm_90, ptx 7.8);
    fn cluster_nctaid_z() -> u32 =
        pure("mov.u32 $0, %cluster_nctaid.z;"), needs(sm_90, ptx 7.8);
    fn clusterid_x() -> u32 = pure("mov.u32 $0, %clusterid.x;"), needs(sm_90, ptx 7.8);
    fn clusterid_y() -> u32 = pure("mov.u32 $0, %clusterid.y;"), needs(sm_90, ptx 7.8);
    fn clusterid_z() -> u32 = pure("mov.u32 $0, %clusterid.z;"), needs(sm_90, ptx 7.8);
    fn nclusterid_x() -> u32 = pure("mov.u32 $0, %nclusterid.x;"), needs(sm_90, ptx 7.8);
    fn nclusterid_y() -> u32 = pure("mov.u32 $0, %nclusterid.y;"), needs(sm_90, ptx 7.8);
    fn nclusterid_z() -> u32 = pure("mov.u32 $0, %nclusterid.z;"), needs(sm_90, ptx 7.8);
    fn cluster_arrive(any: *mut u8) =
        asm("{ .reg .b64 %any; mov.b64 %any, $0; barrier.cluster.arrive.release; }"), needs(sm_90, ptx 8.0);
    fn cluster_wait(any: *mut u8) =
        asm("{ .reg .b64 %any; mov.b64 %any, $0; barrier.cluster.wait.acquire; }"), needs(sm_90, ptx 8.0);
    fn mapa(address: *mut u8, rank: u32) -> *mut u8 =
        pure("mapa.u64 $0, $1, $2;"), needs(sm_90, ptx 7.8);

    // Programmatic dependent launch (PTX ISA, `griddepcontrol`).
    fn griddepcontrol_launch_dependents(any: *mut u8) =
        asm("{ .reg .b64 %any; mov.b64 %any, $0; griddepcontrol.launch_dependents; }"), needs(sm_90, ptx 7.8);
    fn griddepcontrol_wait(any: *mut u8) =
        asm("{ .reg .b64 %any; mov.b64 %any, $0; griddepcontrol.wait; }"), needs(sm_90, ptx 7.8);

    // Copies in bulk. The fences take a pointer so that memory accesses stay on their side of them.
    fn bulk_global_to_shared(to: *mut u8, from: *const u8, bytes: u32, at: *mut u64) =
        asm(bulk!("shared" "global" "cvta.to.shared.u64 %at, $3; " "shared::cluster.global.mbarrier::complete_tx::bytes" ", [%at]")),
        needs(sm_90, ptx 8.0);
    fn bulk_global_to_shared_hint(to: *mut u8, from: *const u8, bytes: u32, at: *mut u64, policy: u64) =
        asm(bulk!("shared" "global" "cvta.to.shared.u64 %at, $3; " "shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint" ", [%at], $4")),
        needs(sm_90, ptx 8.0);
    fn bulk_global_to_cluster(to: *mut u8, from: *const u8, bytes: u32, at: *mut u64, ranks: u16) =
        asm(bulk!("shared" "global" "cvta.to.shared.u64 %at, $3; " "shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster" ", [%at], $4")),
        needs(sm_90, ptx 8.0);
    fn bulk_shared_to_global(to: *mut u8, from: *const u8, bytes: u32) =
        asm(bulk!("global" "shared" "" "global.shared::cta.bulk_group" "")), needs(sm_90, ptx 8.0);
    fn bulk_shared_to_global_hint(to: *mut u8, from: *const u8, bytes: u32, policy: u64) =
        asm(bulk!("global" "shared" "" "global.shared::cta.bulk_group.L2::cache_hint" ", $3")),
        needs(sm_90, ptx 8.0);
    fn bulk_shared_to_cluster(to: *mut u8, from: *const u8, bytes: u32, at: *mut u64, rank: u32) =
        asm(bulk!("shared" "shared" "cvta.to.shared.u64 %at, $3; mapa.shared::cluster.u64 %at, %at, $4; mapa.shared::cluster.u64 %to, %to, $4; " "shared::cluster.shared::cta.mbarrier::complete_tx::bytes" ", [%at]")),
        needs(sm_90, ptx 8.0);
    fn bulk_prefetch_l2(from: *const u8, bytes: u32) =
        asm("{ .reg .b64 %from; cvta.to.global.u64 %from, $0; cp.async.bulk.prefetch.L2.global [%from], $1; }"),
        needs(sm_90, ptx 8.0);
    fn fence_proxy_async_shared(memory: *mut u8) =
        asm("{ .reg .b64 %any; mov.b64 %any, $0; fence.proxy.async.shared::cta; }"), needs(sm_90, ptx 8.0);
    fn fence_proxy_async(memory: *mut u8) =
        asm("{ .reg .b64 %any; mov.b64 %any, $0; fence.proxy.async; }"), needs(sm_90, ptx 8.0);

    // Hints to the caches.
    fn prefetch_l1(place: *const u8) = asm(cache_hint!("prefetch.global.L1 [%at];"));
    fn prefetch_l2(place: *const u8) = asm(cache_hint!("prefetch.global.L2 [%at];"));
    fn prefetch_l2_evict_last(place: *const u8) =
        asm(cache_hint!("prefetch.global.L2::evict_last [%at];")), needs(sm_80, ptx 7.4);
    fn applypriority_l2(line: *const u8) =
        asm(cache_hint!("applypriority.global.L2::evict_normal [%at], 128;")), needs(sm_80, ptx 7.4);
    fn discard_l2(line: *mut u8) =
        asm(cache_hint!("discard.global.L2 [%at], 128;")), needs(sm_80, ptx 7.4);
    fn createpolicy_evict_first(fraction: f32) -> u64 =
        pure("createpolicy.fractional.L2::evict_first.b64 $0, $1;"), needs(sm_80, ptx 7.4);
    fn createpolicy_evict_last(fraction: f32) -> u64 =
        pure("createpolicy.fractional.L2::evict_last.b64 $0, $1;"), needs(sm_80, ptx 7.4);
    fn createpolicy_evict_normal(fraction: f32) -> u64 =
        pure("createpolicy.fractional.L2::evict_normal.b64 $0, $1;"), needs(sm_80, ptx 7.4);
    fn createpolicy_evict_unchanged(fraction: f32) -> u64 =
        pure("createpolicy.fractional.L2::evict_unchanged.b64 $0, $1;"), needs(sm_80, ptx 7.4);

    // Volatile accesses without core's checks of the pointer, which can panic.
    fn volatile_load_u32(from: *const u32) -> u32 = asm("ld.volatile.b32 $0, [$1];");
    fn volatile_store_word(to: *mut u32, value: Word) = asm("st.volatile.b32 [$0], $1;");
    fn volatile_store_u32(to: *mut u32, value: u32) = asm("st.volatile.b32 [$0], $1;");
    fn volatile_store_u64(to: *mut u64, value: u64) = asm("st.volatile.b64 [$0], $1;");
    // A store that everything before it precedes, for the host, too.
    fn release_store_u32(to: *mut u32, value: u32) = asm("st.release.sys.b32 [$0], $1;");
    // Write the indices x, y, z, for panics: through one register, and read again even if they were read
    // before.
    fn write_block_index(to: *mut u32) = asm(write_index!("ctaid"));
    fn write_thread_index(to: *mut u32) = asm(write_index!("tid"));
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
    // Whether the launch is cooperative: the last parameter.
    fn __ptyx_is_cooperative() -> u32;
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
