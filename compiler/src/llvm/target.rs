//! [`Target`]: the NVPTX target machine.

use std::ffi::CStr;

use super::table::{PassOptionsRef, TargetDataRef, TargetMachineRef};
use super::{LlvmError, api, c_string, take_message};

/// A target machine for one architecture and PTX version.
pub(crate) struct Target {
    machine: TargetMachineRef,
    layout: TargetDataRef,
    options: PassOptionsRef,
}

impl Target {
    /// The target triple of CUDA devices.
    pub(crate) const TRIPLE: &CStr = c"nvptx64-nvidia-cuda";

    /// The machine for `sm_<sm>` and PTX `<ptx / 10>.<ptx % 10>`.
    pub(crate) fn new(sm: u32, ptx: u32) -> Result<Target, LlvmError> {
        let mut target = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        // SAFETY: C strings; the message becomes ours.
        unsafe {
            if (api().LLVMGetTargetFromTriple)(Self::TRIPLE.as_ptr(), &mut target, &mut error) != 0
            {
                return Err(LlvmError::Message(take_message(error)));
            }
        }
        let cpu = c_string(&format!("sm_{sm}"));
        let features = c_string(&format!("+ptx{ptx}"));
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
                return Err(LlvmError::Message(format!("no target machine for sm_{sm}")));
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
