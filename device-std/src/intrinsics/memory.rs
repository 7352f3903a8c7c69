//! Accesses that stay as they are written.

use super::Word;

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

intrinsics! {
    // The state space of a generic address (PTX ISA, `isspacep`).
    fn is_global(pointer: *const u8) -> u32 = nvvm("llvm.nvvm.isspacep.global");
    fn is_shared(pointer: *const u8) -> u32 = nvvm("llvm.nvvm.isspacep.shared");
    fn is_local(pointer: *const u8) -> u32 = nvvm("llvm.nvvm.isspacep.local");
    fn is_constant(pointer: *const u8) -> u32 = nvvm("llvm.nvvm.isspacep.const");
    fn is_cluster_shared(pointer: *const u8) -> u32 =
        pure("{ .reg .pred %p; isspacep.shared::cluster %p, $1; selp.b32 $0, 1, 0, %p; }"), needs(sm_90, ptx 7.8);
    fn is_parameter(pointer: *const u8) -> u32 =
        pure("{ .reg .pred %p; isspacep.param %p, $1; selp.b32 $0, 1, 0, %p; }"), needs(sm_70, ptx 7.7);
    // The virtual aliasing of memory (PTX ISA, `fence.proxy.alias`).
    fn fence_proxy_alias(any: *mut u8) =
        asm("{ .reg .b64 %any; mov.b64 %any, $0; fence.proxy.alias; }"), needs(sm_70, ptx 7.5);
    // Volatile accesses without core's checks of the pointer, which can panic.
    fn volatile_load_u32(from: *const u32) -> u32 = asm("ld.volatile.b32 $0, [$1];");
    // The same by addresses within shared memory, which need no arithmetic of 64 bits.
    fn address_in_shared(pointer: *mut u32) -> u64 = pure("cvta.to.shared.u64 $0, $1;");
    fn volatile_load_shared_u32(from: u32) -> u32 = asm("ld.volatile.shared.b32 $0, [$1];");
    fn volatile_store_shared_word(to: u32, value: Word) = asm("st.volatile.shared.b32 [$0], $1;");
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
