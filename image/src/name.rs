//! The names that an entry can't have.

/// Words that PTX reserves (PTX ISA 4.3.2), functions of the device runtime, and functions that LLVM may
/// call on its own. An entry must not have such a name.
#[must_use]
pub fn is_reserved(name: &str) -> bool {
    const INSTRUCTIONS: &str = " abs add and applypriority atom bar barrier bfe bfi bmsk bra brev \
        brkpt brx call clz cnot copysign cos cvt cvta discard div dp2a dp4a elect ex2 exit fence \
        fma fns getctarank isspacep istypep ld ldmatrix ldu lg2 lop3 mad mapa match max mbarrier \
        membar min mma mov movmatrix mul nanosleep neg not or pmevent popc prefetch prmt rcp red \
        redux rem ret rsqrt sad selp set setp shf shfl shl shr sin slct sqrt st stmatrix sub suld \
        sured sust szext tanh testp tex tld4 trap txq vote wmma xor ";
    // PTX ISA 4.4; the others begin with `%`.
    const CONSTANTS: &str = " WARP_SZ ";
    const FUNCTIONS: &str = " bcmp free malloc memcmp memcpy memmove memset strlen vprintf ";
    [INSTRUCTIONS, CONSTANTS, FUNCTIONS]
        .iter()
        .any(|words| words.split_whitespace().any(|word| word == name))
}
