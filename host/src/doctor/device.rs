//! The driver and its devices, each of which copies some numbers and runs a small kernel.

use super::Diagnosis;
use crate::device_api::Device;
use crate::driver::types::*;
use crate::driver::version_text;
use crate::error::{Error, Result};
use crate::launch::LaunchConfig;
use crate::memory::DeviceBuffer;
use crate::module::Module;
use crate::runtime::{Runtime, runtime};
use std::time::Instant;

const SECTION: &str = "driver and devices";

/// Adds 1 to each of 64 numbers.
const ADD_ONE: &str = ".version 6.3
.target sm_70
.address_size 64
.visible .entry add_one(.param .u64 numbers)
{
    .reg .b32 %r<3>;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [numbers];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd1, %rd1, %rd2;
    ld.global.u32 %r2, [%rd1];
    add.u32 %r2, %r2, 1;
    st.global.u32 [%rd1], %r2;
    ret;
}
";

/// Less free memory than this share of all is worth a word.
const LITTLE: f64 = 0.02;

/// Reports the driver and the devices.
pub(super) fn examine(found: &mut Diagnosis) {
    let runtime = match runtime() {
        Ok(runtime) => runtime,
        Err(error) => {
            let hint = match &error {
                Error::NoGpu { .. } => "unset PTYX_DEVICE to use the emulated device meanwhile",
                _ => "correct the variable, or unset it",
            };
            return found.problem(error.to_string(), hint);
        }
    };
    about_driver(found, runtime);
    for index in 0..runtime.device_count() {
        if let Err(error) = about_device(found, index) {
            let hint = "if `nvidia-smi` shows the device and no other process has used up its memory, restart \
                        the driver or the machine";
            found.problem(format!("device {index} does not work: {error}"), hint);
        }
    }
}

fn about_driver(found: &mut Diagnosis, runtime: &Runtime) {
    let version = runtime.driver.version().map_or_else(|_| "?".to_owned(), version_text);
    let kind = if runtime.driver.is_emulated() { "the emulated device" } else { "libcuda.so.1" };
    found.fact(SECTION, format!("{kind}, for CUDA {version}"));
    let Some(reason) = &runtime.reason else { return };
    found.problem(format!("no GPU is used: {reason}"), no_gpu_hint(reason));
}

/// What to do if there is no GPU, for this reason.
fn no_gpu_hint(reason: &str) -> &'static str {
    if reason.contains("is not installed") {
        "install NVIDIA's driver, which has libcuda.so.1 (nothing else of CUDA is needed); without a GPU, \
         PTYX_DEVICE=emulator says that this is intended"
    } else if reason.contains("too old") {
        "update NVIDIA's driver"
    } else {
        "if `nvidia-smi` shows a GPU, look at CUDA_VISIBLE_DEVICES and at the versions of library and kernel module, which \
         must agree; in a container, start it with the GPUs"
    }
}

fn about_device(found: &mut Diagnosis, index: u32) -> Result<()> {
    let device = Device::get(index)?;
    let attributes = device.attributes()?;
    let (major, minor) = device.compute_capability();
    let (free, total) = (device.free_memory()?, device.total_memory()?);
    let bus = device.pci_bus_id().map_or_else(String::new, |bus| format!(", PCI {bus}"));
    found.fact(
        SECTION,
        format!(
            "device {index}: {}, compute capability {major}.{minor}, {} multiprocessors, {} of {} MiB free{bus}",
            device.name(),
            attributes.multiprocessors,
            free >> 20,
            total >> 20,
        ),
    );
    if (major, minor) < (7, 0) {
        found.problem(
            format!("device {index} has compute capability {major}.{minor}"),
            "Ptyx's kernels need 7.0 (Volta) or later: use another device",
        );
    }
    if device.attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_MODE)? != 0 {
        found.problem(
            format!("device {index} is not in the default compute mode: only one process can use it, or none"),
            "run `nvidia-smi --compute-mode=DEFAULT` as root",
        );
    }
    if (free as f64) < LITTLE * total as f64 {
        found.problem(
            format!("device {index} has only {} MiB of free memory", free >> 20),
            "`nvidia-smi` shows the processes that use it",
        );
    }
    let start = Instant::now();
    device.with(try_out)?;
    let time = start.elapsed();
    found.fact(
        SECTION,
        format!("device {index}: copies are right, a kernel ran ({time:.1?} in all)"),
    );
    Ok(())
}

/// Copies numbers, runs a kernel, compares.
fn try_out() -> Result<()> {
    let numbers: Vec<u32> = (0..64).map(|i| i * i).collect();
    let mut buffer = DeviceBuffer::from_slice(&numbers)?;
    let add_one = Module::from_ptx(ADD_ONE)?.function("add_one")?;
    // SAFETY: one thread for each of the 64 numbers.
    unsafe { add_one.launch(LaunchConfig::new().threads(64), (&mut buffer,)) }?;
    let results = buffer.to_vec()?;
    match results.iter().zip(&numbers).find(|(result, number)| **result != **number + 1) {
        None => Ok(()),
        Some((result, number)) => {
            let reason = format!("a kernel that adds 1 to {number} has returned {result}");
            Err(Error::Launch {
                kernel: "add_one".to_owned(),
                site: "ptyx::doctor".to_owned(),
                reason,
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::launch::tests::environment::{child_at, is_child};

    #[test]
    fn hints_fit_reasons() {
        assert!(no_gpu_hint("the NVIDIA driver is not installed (x)").contains("libcuda.so.1"));
        assert!(
            no_gpu_hint("the NVIDIA driver (1) is too old: it has no function f")
                .contains("update")
        );
        assert!(no_gpu_hint("the driver finds no GPU (x)").contains("nvidia-smi"));
    }

    /// A process whose driver calls fail, or whose variables are wrong, still gets its report.
    #[test]
    fn what_is_broken_is_reported() {
        if is_child() {
            eprintln!("{}", crate::doctor());
            return;
        }
        let run = |variables: &[(&str, &str)]| {
            child_at("doctor::device::tests::what_is_broken_is_reported", variables)
        };
        let emulator = ("PTYX_DEVICE", "emulator");
        let text = run(&[emulator]);
        assert!(text.contains("a kernel ran") && text.contains("no problems found"), "{text}");
        let fail = |rule| run(&[emulator, ("PTYX_EMULATOR_FAIL", rule)]);
        let text = fail("cuLaunchKernel=CUDA_ERROR_ECC_UNCORRECTABLE");
        assert!(text.contains("problem: device 0 does not work: "), "{text}");
        assert!(text.contains("CUDA_ERROR_ECC_UNCORRECTABLE"), "{text}");
        let text = fail("cuDevicePrimaryCtxRetain=CUDA_ERROR_OUT_OF_MEMORY");
        assert!(text.contains("problem: device 0 does not work: "), "{text}");
        let text = run(&[("PTYX_DEVICE", "gpu")]);
        assert!(text.contains("problem: PTYX_DEVICE is `gpu`"), "{text}");
        let text = run(&[emulator, ("PTYX_EMULATOR_DEVICES", "2")]);
        assert!(text.contains("device 1: copies are right"), "{text}");
    }
}
