//! Leaves the host's side of Ptyx out of kernels that call it by mistake.
//!
//! Buffers, streams and all that they need are more code than most kernels. A kernel that uses them is refused
//! once it is optimised, for what the host's functions use in turn and no device has. But no message shows what is
//! inside these functions. So they become declarations before the kernel is optimised, which takes a fraction of
//! the time. Whether such a call is dead code is still the optimiser's to find out.

use std::collections::HashSet;

use super::search::references;
use crate::llvm::known::DROP_UNUSED;
use crate::llvm::{LlvmError, Module, Target, Value};
use crate::rust::{is_launch, path_of};
use crate::symbols::{HOST_CRATE, HOST_ONLY};

/// Makes declarations of the host's functions that may call the driver.
pub(crate) fn leave_out_host_code(
    module: &mut Module<'_>,
    target: &Target,
) -> Result<(), LlvmError> {
    let Some(driver) = module.function(HOST_ONLY) else { return Ok(()) };
    let callers = callers(driver);
    for function in module.functions() {
        let name = function.name();
        if !function.is_declaration() && callers.contains(&function) && is_of_host(&path_of(&name))
        {
            function.set_name("");
            let declared = module.add_function(&name, function.value_type());
            function.replace_all_uses_with(declared);
        }
    }
    module.run_passes(DROP_UNUSED, target)
}

/// The functions that may call `callee`, by way of others, too.
fn callers(callee: Value<'_>) -> HashSet<Value<'_>> {
    let (mut found, mut open) = (HashSet::new(), vec![callee]);
    while let Some(callee) = open.pop() {
        let functions = references(callee, 4).into_iter().map(Value::parent_function);
        open.extend(functions.filter(|function| found.insert(*function)));
    }
    found
}

/// Whether a path is one of the host's side. A launch is explained in other words.
fn is_of_host(path: &str) -> bool {
    path.trim_start_matches('<').starts_with(HOST_CRATE) && !is_launch(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llvm::{self, BASE_PTX, Context};
    use crate::rust::Toolchain;
    use ptyx_image::Arch;

    /// Calls the driver by way of one function of the host, which a pointer in a constant leads to, and another one that
    /// does not.
    const KERNEL: &str = "
        @table = internal constant ptr @_RNvCs0_4ptyx4copy
        declare i32 @__ptyx_host_only()
        define internal i32 @_RNvCs0_4ptyx4copy() {
          %code = call i32 @__ptyx_host_only()
          ret i32 %code
        }
        define internal i32 @_RNvCs0_4ptyx4size() {
          ret i32 4
        }
        define internal i32 @_RNvCs0_4user4copy() {
          %copy = load ptr, ptr @table
          %code = call i32 %copy()
          ret i32 %code
        }
        define void @kernel() {
          %copied = call i32 @_RNvCs0_4user4copy()
          %size = call i32 @_RNvCs0_4ptyx4size()
          ret void
        }";

    #[test]
    fn what_calls_the_driver_is_declared_only() {
        llvm::load(&Toolchain::for_test().libllvm).unwrap();
        let context = Context::new();
        let mut module = Module::parse_text(&context, KERNEL).unwrap();
        let target = Target::new(Arch::BASE, BASE_PTX).unwrap();
        leave_out_host_code(&mut module, &target).unwrap();
        module.verify().unwrap();
        let is_declared = |name: &str| module.function(name).unwrap().is_declaration();
        assert!(is_declared("_RNvCs0_4ptyx4copy"));
        assert!(!is_declared("_RNvCs0_4ptyx4size") && !is_declared("_RNvCs0_4user4copy"));
        assert!(module.function(HOST_ONLY).is_none());
    }

    #[test]
    fn launches_stay() {
        for (path, expected) in [
            ("ptyx::runtime::synchronize", true),
            ("<ptyx::memory::buffer::DeviceBuffer<u32>>::zeroed", true),
            ("<ptyx::stream::Stream as core::ops::drop::Drop>::drop", true),
            ("ptyx::launch::arity::call2", false),
            ("ptyx_device::thread::index_1d", false),
            ("user::copy::<ptyx::stream::Stream>", false),
        ] {
            assert_eq!(is_of_host(path), expected, "{path}");
        }
    }
}
