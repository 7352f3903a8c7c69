//! Atomics.

/// The minimum or maximum of two neighbours in global memory, as one word (PTX ISA, `atom`): a word has no
/// instruction of its own.
macro_rules! both_halves {
    ($operation:literal) => {
        concat!(
            "{ .reg .b64 %at; .reg .b16 %a, %b, %c, %d; cvta.to.global.u64 %at, $1; mov.b32 {%a, %b}, $2; ",
            "atom.ORDER.SCOPE.global.",
            $operation,
            " {%c, %d}, [%at], {%a, %b}; mov.b32 $0, {%c, %d}; }"
        )
    };
}

intrinsics! {
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
    fn atomic_min_f16x2(pointer: *mut u32, value: u32, how: u32) -> u32 =
        asm(both_halves!("min.noftz.v2.f16")), needs(sm_90, ptx 8.1);
    fn atomic_max_f16x2(pointer: *mut u32, value: u32, how: u32) -> u32 =
        asm(both_halves!("max.noftz.v2.f16")), needs(sm_90, ptx 8.1);
    fn atomic_min_bf16x2(pointer: *mut u32, value: u32, how: u32) -> u32 =
        asm(both_halves!("min.noftz.v2.bf16")), needs(sm_90, ptx 8.1);
    fn atomic_max_bf16x2(pointer: *mut u32, value: u32, how: u32) -> u32 =
        asm(both_halves!("max.noftz.v2.bf16")), needs(sm_90, ptx 8.1);
}
