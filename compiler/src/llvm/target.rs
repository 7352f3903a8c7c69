//! [`Target`]: the NVPTX target machine.

use std::ffi::CStr;

use ptyx_image::Arch;

use super::table::{PassOptionsRef, TargetDataRef, TargetMachineRef};
use super::{LlvmError, api, c_string, take_message};

/// The PTX version of kernels that need nothing newer, times ten.
pub(crate) const BASE_PTX: u32 = 63;

/// A target machine for one architecture and PTX version.
pub(crate) struct Target {
    machine: TargetMachineRef,
    layout: TargetDataRef,
    options: PassOptionsRef,
}

impl Target {
    /// The target triple of CUDA devices.
    pub(crate) const TRIPLE: &CStr = c"nvptx64-nvidia-cuda";

    /// The machine for an architecture and PTX `<ptx / 10>.<ptx % 10>`.
    pub(crate) fn new(arch: Arch, ptx: u32) -> Result<Target, LlvmError> {
        Target::with_features(arch, &format!("+ptx{ptx}"))
    }

    /// The machine for an architecture with these features of LLVM's.
    fn with_features(arch: Arch, features: &str) -> Result<Target, LlvmError> {
        let mut target = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        // SAFETY: C strings; the message becomes ours.
        unsafe {
            if (api().LLVMGetTargetFromTriple)(Self::TRIPLE.as_ptr(), &mut target, &mut error) != 0
            {
                return Err(LlvmError::Message(take_message(error)));
            }
        }
        let cpu = c_string(&arch.to_string());
        let features = c_string(features);
        const AGGRESSIVE: i32 = 3;
        const DEFAULT: i32 = 0;
        // SAFETY: live handles, C strings.
        unsafe {
            let machine = (api().LLVMCreateTargetMachine)(
                target,
                Self::TRIPLE.as_ptr(),
                cpu.as_ptr(),
                features.as_ptr(),
                AGGRESSIVE,
                DEFAULT,
                DEFAULT,
            );
            if machine.is_null() {
                return Err(LlvmError::Message(format!("no target machine for {arch}")));
            }
            Ok(Target {
                machine,
                layout: (api().LLVMCreateTargetDataLayout)(machine),
                options: (api().LLVMCreatePassBuilderOptions)(),
            })
        }
    }

    pub(super) fn machine(&self) -> TargetMachineRef {
        self.machine
    }

    pub(super) fn data_layout(&self) -> TargetDataRef {
        self.layout
    }

    pub(super) fn pass_options(&self) -> PassOptionsRef {
        self.options
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        // SAFETY: owned, freed once.
        unsafe {
            (api().LLVMDisposePassBuilderOptions)(self.options);
            (api().LLVMDisposeTargetData)(self.layout);
            (api().LLVMDisposeTargetMachine)(self.machine);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llvm::{self, Context, Module};
    use crate::rust::Toolchain;

    /// The head of the PTX of an empty module.
    fn head(target: &Target) -> String {
        let context = Context::new();
        let mut module = Module::empty(&context, "empty");
        module.set_target(target);
        module.emit(target).unwrap()
    }

    /// LLVM knows every architecture of the table, and the table has LLVM's least PTX version.
    #[test]
    fn the_table_of_architectures_is_that_of_llvm() {
        let toolchain = Toolchain::for_test();
        llvm::load(&toolchain.libllvm).unwrap();
        for arch in Arch::all() {
            let version = arch.ptx_version();
            let chosen = head(&Target::with_features(arch, "").unwrap());
            let expected = format!(".version {}.{}", version / 10, version % 10);
            assert!(chosen.contains(&expected), "{arch}: not {expected} in {chosen}");
            assert!(chosen.contains(&format!(".target {arch}\n")), "{arch}: {chosen}");
            let asked = head(&Target::new(arch, 90).unwrap());
            assert!(asked.contains(".version 9.0") && asked.contains(&format!(".target {arch}\n")));
        }
    }
}
