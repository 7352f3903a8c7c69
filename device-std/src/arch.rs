//! The architecture that a kernel is compiled for.
//!
//! [`arch_at_least!`](crate::arch_at_least!) and [`arch_is!`](crate::arch_is!) are constants of the
//! compiled kernel, so that branches on them cost nothing, and code in a branch that is not taken
//! requires nothing of the device. A kernel that asks is compiled several times, once for each
//! answer, and the launch takes the best one for its device.

use crate::intrinsics;

/// Whether the code is compiled for compute capability `SM / 10` or a later one: a constant.
///
/// `arch_at_least!(80)` is true on `sm_80` and everything newer. Unless the build names its targets,
/// the kernel is compiled both for its oldest architecture and for `sm_80`.
///
/// ```no_run
/// use ptyx_device::{arch_at_least, warp};
/// fn total(value: u32) -> u32 {
///     if arch_at_least!(80) {
///         warp::reduce_add(warp::FULL, value) // one instruction, from sm_80 on
///     } else {
///         (0..5).fold(value, |sum, step| sum + warp::shuffle_xor(warp::FULL, sum, 1 << step))
///     }
/// }
/// ```
///
/// # Panics
/// On the host, like every function that only a device has.
#[macro_export]
macro_rules! arch_at_least {
    ($sm:expr) => {
        $crate::arch::provides::<{ $sm }, 0>()
    };
}

/// Whether the code may use all that PTX for `.target` NAME has: a constant.
///
/// `arch_is!("sm_90a")` is true in code for `sm_90a` alone. `arch_is!("sm_100f")` is true in code
/// for that family of architectures, `sm_100f`, `sm_100a`, `sm_103f` and `sm_103a`. A name without a
/// suffix means what [`arch_at_least!`](crate::arch_at_least!) means (PTX ISA, [`.target`](https://docs.nvidia.com/cuda/parallel-thread-execution/#ptx-module-directives-target)).
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn which(mut output: Disjoint<u32>) {
///     if let Some(output) = output.get_mut(thread::index_1d()) {
///         *output = if arch_is!("sm_90a") { 1 } else { 0 };
///     }
/// }
/// ```
///
/// # Panics
/// At compile time if the name is not an architecture. On the host, like every function that only a device
/// has.
#[macro_export]
macro_rules! arch_is {
    ($name:expr) => {
        $crate::arch::provides::<{ $crate::arch::parse($name).0 }, { $crate::arch::parse($name).1 }>()
    };
}

/// Number and features (0: all later ones, too; 1: family; 2: that one only) of a name like `sm_90a`.
#[doc(hidden)]
pub const fn parse(name: &str) -> (u32, u32) {
    let bytes = name.as_bytes();
    let has_prefix = bytes.len() > 3 && bytes[0] == b's' && bytes[1] == b'm' && bytes[2] == b'_';
    assert!(has_prefix, "arch_is! takes a name such as \"sm_90a\"");
    let (mut sm, mut at) = (0, 3);
    while at < bytes.len() && bytes[at].is_ascii_digit() && sm < 1000 {
        sm = sm * 10 + (bytes[at] - b'0') as u32;
        at += 1;
    }
    let features = if at == bytes.len() {
        0
    } else if at + 1 == bytes.len() && bytes[at] == b'f' {
        1
    } else if at + 1 == bytes.len() && bytes[at] == b'a' {
        2
    } else {
        panic!("arch_is! takes a name such as \"sm_90a\"")
    };
    assert!(sm > 0, "arch_is! takes a name such as \"sm_90a\"");
    (sm, features)
}

/// What both macros expand to.
#[doc(hidden)]
#[inline(always)]
pub fn provides<const SM: u32, const FEATURES: u32>() -> bool {
    const {
        assert!(
            SM >= 50 && SM < 1000,
            "arch_at_least! takes a compute capability times ten, such as 80"
        );
    }
    // SAFETY: the compiler makes a constant of it.
    unsafe { intrinsics::__ptyx_arch_provides(SM, FEATURES) != 0 }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn names() {
        assert_eq!(parse("sm_90a"), (90, 2));
        assert_eq!(parse("sm_100f"), (100, 1));
        assert_eq!(parse("sm_75"), (75, 0));
        for wrong in ["sm_", "90a", "sm_90b", "sm_90af", "", "sm_a"] {
            assert!(std::panic::catch_unwind(|| parse(wrong)).is_err(), "{wrong}");
        }
    }
}
