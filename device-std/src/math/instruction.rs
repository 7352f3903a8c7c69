//! Functions that are an instruction on a device (PTX ISA,
//! [Instruction Set](https://docs.nvidia.com/cuda/parallel-thread-execution/#instruction-set); `sm_70`).

/// Defines functions, each by its intrinsic and by what it is on the host.
macro_rules! by_instruction {
    ($(
        $(#[$doc:meta])*
        fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty = $intrinsic:ident, $host:expr;
    )*) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name($($argument: $type),*) -> $result {
            #[cfg(ptyx_device)]
            // SAFETY: only computes.
            let value = unsafe { crate::intrinsics::$intrinsic($($argument),*) };
            #[cfg(not(ptyx_device))]
            let value = $host;
            value
        }
    )*};
}
pub(super) use by_instruction;
