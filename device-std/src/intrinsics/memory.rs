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
