//! A report on what Ptyx runs on.

use crate::device_api::Device;
use crate::driver::version_text;
use crate::error::Result;
use crate::runtime::runtime;
use core::fmt::Write;

/// A human-readable report: versions, the driver, the devices, the kernels of this program.
///
/// ```
/// let report = ptyx::info()?;
/// assert!(report.starts_with("Ptyx "));
/// assert!(report.contains("device 0: "));
/// # Ok::<(), ptyx::Error>(())
/// ```
///
/// # Errors
/// No usable device; the text says why.
pub fn info() -> Result<String> {
    let runtime = runtime()?;
    let mut text = String::new();
    // Writing to a `String` can't fail.
    let _ = writeln!(text, "Ptyx {}", env!("CARGO_PKG_VERSION"));
    let version = runtime.driver.version().map_or_else(|_| "?".to_owned(), version_text);
    let kind = if runtime.driver.is_emulated() { "emulated" } else { "libcuda.so.1" };
    let _ = writeln!(text, "driver: {kind}, for CUDA {version}");
    if let Some(reason) = &runtime.reason {
        let _ = writeln!(text, "no GPU is used: {reason}");
    }
    for device in Device::all()? {
        let attributes = device.attributes()?;
        let (major, minor) = device.compute_capability();
        let mib = device.total_memory()? >> 20;
        let _ = write!(
            text,
            "device {}: {}, compute capability {major}.{minor}, {} multiprocessors, {mib} MiB",
            device.index(),
            device.name(),
            attributes.multiprocessors
        );
        if let Some(bus) = device.pci_bus_id() {
            let _ = write!(text, ", PCI {bus}");
        }
        text.push('\n');
    }
    #[cfg(not(ptyx_device))]
    {
        let program = crate::launch::registry::summary();
        let (kernels, packages) = (program.kernels, program.packages.join(", "));
        let _ = writeln!(text, "kernels in this program: {kernels}, of [{packages}]");
        if !program.archs.is_empty() {
            let _ = writeln!(text, "their code: {}", program.archs.join(", "));
        }
        if let Some(path) = crate::launch::reflect::disassembler() {
            let _ = writeln!(text, "machine code is shown by: {}", path.display());
        }
        if !program.math.is_empty() {
            let _ = writeln!(text, "their mathematical functions: {}", program.math.join(", "));
        }
        for problem in program.problems {
            let _ = writeln!(text, "kernels that can't be used: {problem}");
        }
    }
    Ok(text)
}
