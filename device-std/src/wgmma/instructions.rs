//! The instructions: one text for each number of registers.
//!
//! The sums are registers of 32 bits whatever their type, and what differs between types is text: constants of
//! the instance, packed into numbers that the compiler turns back into words.

pub(super) use crate::ptx::word;

/// What stands in an instruction's text, of an instance.
#[doc(hidden)]
pub trait Text {
    /// Columns.
    const N: usize;
    /// Depth.
    const K: u32;
    /// Types.
    const TYPES: u128;
    /// What follows the types.
    const SUFFIX: u128;
    /// What follows the operands.
    const TAIL: u128;
    /// The version of PTX, times ten.
    const PTX: u32;
}

/// The registers of sums in a lane.
#[doc(hidden)]
pub trait Registers: Copy {
    /// How many there are.
    const COUNT: usize;
    /// All of them zero.
    const ZERO: Self;

    /// Register `index`.
    fn get(&self, index: usize) -> u32;

    /// Sets register `index`.
    fn set(&mut self, index: usize, bits: u32);

    /// Keeps the registers' reads and writes on the side of other instructions where they are.
    fn hold(&mut self);

    /// Starts a product of matrices in shared memory.
    ///
    /// # Safety
    /// They are descriptors of memory of the block that nobody writes before the product is done.
    unsafe fn start_shared<X: Text>(&mut self, a: u64, b: u64);

    /// Starts a product of registers and a matrix in shared memory.
    ///
    /// # Safety
    /// As [`Self::start_shared`].
    unsafe fn start_registers<X: Text>(&mut self, a: [u32; 4], b: u64);
}

/// Implements [`Registers`] for each of some numbers of registers: the list of registers grows from row to row.
macro_rules! registers {
    ([$($all:literal)*]) => {};
    ([$($all:literal)*] $count:literal: $($more:literal)+; $($rows:tt)*) => {
        registers!(@ $count: $($all)* $($more)+);
        registers!([$($all)* $($more)+] $($rows)*);
    };
    (@ $count:literal: $first:literal $($rest:literal)*) => {
        impl Registers for [u32; $count] {
            const COUNT: usize = $count;
            const ZERO: Self = [0; $count];

            #[inline(always)]
            fn get(&self, index: usize) -> u32 {
                self[index]
            }

            #[inline(always)]
            fn set(&mut self, index: usize, bits: u32) {
                self[index] = bits;
            }

            #[inline(always)]
            #[track_caller]
            fn hold(&mut self) {
                crate::__ptx! {
                    device {
                        // SAFETY: no instruction at all.
                        unsafe {
                            core::arch::asm!(
                                "//__ptyx_ptx",
                                concat!("// {", $first, "}", $(" {", $rest, "}"),*),
                                inout(reg) self[$first],
                                $(inout(reg) self[$rest],)*
                                options(nostack, preserves_flags),
                            );
                        }
                    }
                    host {
                        crate::intrinsics::on_the_host()
                    }
                }
            }

            #[inline(always)]
            #[track_caller]
            unsafe fn start_shared<X: Text>(&mut self, a: u64, b: u64) {
                crate::__ptx! {
                    device {
                        // SAFETY: the caller's promise.
                        unsafe {
                            core::arch::asm!(
                                "//__ptyx_ptx arch=sm_90a ptx={version}",
                                concat!(
                                    "wgmma.mma_async.sync.aligned.m64n{n}k{k}.__ptyx_word_{types}___ptyx_word_{suffix}_ ",
                                    "{{{", $first, "}", $(", {", $rest, "}",)* "}}, {a}, {b}__ptyx_word_{tail}_;"
                                ),
                                inout(reg) self[$first],
                                $(inout(reg) self[$rest],)*
                                a = in(reg) a,
                                b = in(reg) b,
                                version = const X::PTX,
                                n = const X::N,
                                k = const X::K,
                                types = const X::TYPES,
                                suffix = const X::SUFFIX,
                                tail = const X::TAIL,
                                options(nostack, preserves_flags),
                            );
                        }
                    }
                    host {
                        let _ = (a, b);
                        crate::intrinsics::on_the_host()
                    }
                }
            }

            #[inline(always)]
            #[track_caller]
            unsafe fn start_registers<X: Text>(&mut self, a: [u32; 4], b: u64) {
                crate::__ptx! {
                    device {
                        // SAFETY: the caller's promise.
                        unsafe {
                            core::arch::asm!(
                                "//__ptyx_ptx arch=sm_90a ptx={version}",
                                concat!(
                                    "wgmma.mma_async.sync.aligned.m64n{n}k{k}.__ptyx_word_{types}___ptyx_word_{suffix}_ ",
                                    "{{{", $first, "}", $(", {", $rest, "}",)* "}}, {{{a0}, {a1}, {a2}, {a3}}}, {b}__ptyx_word_{tail}_;"
                                ),
                                inout(reg) self[$first],
                                $(inout(reg) self[$rest],)*
                                a0 = in(reg) a[0],
                                a1 = in(reg) a[1],
                                a2 = in(reg) a[2],
                                a3 = in(reg) a[3],
                                b = in(reg) b,
                                version = const X::PTX,
                                n = const X::N,
                                k = const X::K,
                                types = const X::TYPES,
                                suffix = const X::SUFFIX,
                                tail = const X::TAIL,
                                options(nostack, preserves_flags),
                            );
                        }
                    }
                    host {
                        let _ = (a, b);
                        crate::intrinsics::on_the_host()
                    }
                }
            }
        }
    };
}

#[rustfmt::skip]
registers! {
    []
    2: 0 1; 4: 2 3; 6: 4 5; 8: 6 7; 10: 8 9; 12: 10 11; 14: 12 13; 16: 14 15; 18: 16 17; 20: 18 19; 22: 20 21;
    24: 22 23; 26: 24 25; 28: 26 27; 30: 28 29; 32: 30 31; 34: 32 33; 36: 34 35; 38: 36 37; 40: 38 39; 42: 40 41;
    44: 42 43; 46: 44 45; 48: 46 47; 50: 48 49; 52: 50 51; 54: 52 53; 56: 54 55; 58: 56 57; 60: 58 59; 62: 60 61;
    64: 62 63; 68: 64 65 66 67; 72: 68 69 70 71; 76: 72 73 74 75; 80: 76 77 78 79; 84: 80 81 82 83; 88: 84 85 86 87;
    92: 88 89 90 91; 96: 92 93 94 95; 100: 96 97 98 99; 104: 100 101 102 103; 108: 104 105 106 107;
    112: 108 109 110 111; 116: 112 113 114 115; 120: 116 117 118 119; 124: 120 121 122 123; 128: 124 125 126 127;
}

/// Instructions without operands.
macro_rules! plain {
    ($($(#[$doc:meta])* $name:ident: $text:literal;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        #[track_caller]
        pub(super) fn $name() {
            crate::__ptx! {
                device {
                    // SAFETY: only orders the instructions of this thread.
                    unsafe {
                        core::arch::asm!(
                            "//__ptyx_ptx arch=sm_90a ptx=8.0",
                            $text,
                            options(nostack, preserves_flags),
                        );
                    }
                }
                host {
                    crate::intrinsics::on_the_host()
                }
            }
        }
    )*};
}

plain! {
    /// Earlier accesses to registers before later products.
    fence: "wgmma.fence.sync.aligned;";
    /// The products since the last one become a group.
    commit: "wgmma.commit_group.sync.aligned;";
}

/// Waits until all but the latest `PENDING` groups are done.
#[inline(always)]
#[track_caller]
pub(super) fn wait<const PENDING: u32>() {
    crate::__ptx! {
        device {
            // SAFETY: only waits.
            unsafe {
                core::arch::asm!(
                    "//__ptyx_ptx arch=sm_90a ptx=8.0",
                    "wgmma.wait_group.sync.aligned {pending};",
                    pending = const PENDING,
                    options(nostack, preserves_flags),
                );
            }
        }
        host {
            crate::intrinsics::on_the_host()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_packed() {
        assert_eq!(word(b""), 0);
        assert_eq!(word(b"ab"), 0x6261);
        assert_eq!(<[u32; 68] as Registers>::COUNT, 68);
    }
}
