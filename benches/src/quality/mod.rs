//! What NVIDIA's assembler makes of a kernel: registers, local memory, instructions.

pub mod sass;
pub mod tools;

use crate::Error;
use ptyx_image::{Image, Kernel};
use sass::Counts;
use std::collections::BTreeMap;
use std::path::Path;
use tools::Tools;

/// The machine code of one kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Code {
    /// Registers a thread.
    pub registers: u32,
    /// Bytes of spilled registers, stores and loads.
    pub spills: u32,
    /// Bytes of local memory a thread.
    pub local: u32,
    /// Instructions.
    pub counts: Counts,
}

/// The PTX of a kernel that a device of this compute capability runs: the newest that it can, without the checks that the host
/// proves.
pub fn ptx_of<'a>(image: &'a Image, kernel: &Kernel, capability: u32) -> Option<&'a str> {
    let runs = kernel.code.iter().filter(|code| code.arch.runs_on(capability));
    let code = runs.max_by_key(|code| code.arch)?;
    image.modules.get(code.most_proved().module as usize).map(|module| &*module.ptx)
}

/// The code of a Ptyx kernel, whose entry has the name `entry`, for `sm_<capability>`.
pub fn of_ptx(tools: &Tools, ptx: &str, entry: &str, capability: u32) -> Result<Code, Error> {
    let cubin = tools.temporary("cubin");
    let log = tools.assemble(ptx, capability, &cubin)?;
    let dead_ends = functions_without_return(ptx);
    let code = of_cubin(tools, &cubin, &log, |name| dead_ends.iter().any(|f| f == name))?;
    code.get(entry).copied().ok_or_else(|| format!("no code for `{entry}`").into())
}

/// What a CUDA C++ kernel checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bounds {
    /// What a CUDA C++ programmer does: indices of data are taken on trust.
    Trusted,
    /// What the Rust kernel checks: every index that is not proven.
    Checked,
}

/// The function in `kernels.cu` that an index out of bounds is reported by; its mangled name
/// contains it.
const OUT_OF_BOUNDS: &str = "out_of_bounds";

/// The code of every kernel in a CUDA C++ file.
pub fn of_cuda(
    tools: &Tools,
    source: &Path,
    bounds: Bounds,
    capability: u32,
) -> Result<BTreeMap<String, Code>, Error> {
    let cubin = tools.temporary("cubin");
    let define: &[&str] = match bounds {
        Bounds::Trusted => &[],
        Bounds::Checked => &["-DCHECKED"],
    };
    let log = tools.compile(source, define, capability, &cubin)?;
    of_cubin(tools, &cubin, &log, |name| name.contains(OUT_OF_BOUNDS))
}

fn of_cubin(
    tools: &Tools,
    cubin: &Path,
    log: &str,
    never_return: impl Fn(&str) -> bool,
) -> Result<BTreeMap<String, Code>, Error> {
    let disassembly = tools.disassemble(cubin)?;
    let mut kernels: BTreeMap<String, Code> = sass::count(&disassembly, never_return)
        .into_iter()
        .map(|(name, counts)| (name, Code { counts, ..Code::default() }))
        .collect();
    read_resources(log, &mut kernels);
    Ok(kernels)
}

/// Reads the assembler's `-v` output. The lines about an entry follow its name; those about other
/// functions are named, too, and left out.
fn read_resources(log: &str, kernels: &mut BTreeMap<String, Code>) {
    let mut entry = String::new();
    let mut about_entry = false;
    for line in log.lines() {
        if let Some((_, rest)) = line.split_once("Compiling entry function '") {
            entry = rest.split('\'').next().unwrap_or_default().to_owned();
        }
        if let Some((_, rest)) = line.split_once("Function properties for ") {
            about_entry = rest.trim() == entry;
        }
        let Some(code) = kernels.get_mut(&entry) else { continue };
        let number = |unit: &str| -> Option<u32> {
            let (before, _) = line.split_once(unit)?;
            before.rsplit(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
        };
        if let (true, Some(local)) = (about_entry, number(" bytes stack frame")) {
            code.local = local;
            code.spills = number(" bytes spill stores").unwrap_or(0)
                + number(" bytes spill loads").unwrap_or(0);
        }
        if let Some(registers) = number(" registers") {
            code.registers = registers;
        }
    }
}

/// The functions of a PTX module that no path leaves by returning: panics and what reports them.
fn functions_without_return(ptx: &str) -> Vec<String> {
    ptx.split("\n.func ")
        .skip(1)
        .filter_map(|function| {
            let end = function.find("\n}")?;
            let text = &function[..end];
            // A declaration has no body before the next function's.
            let head = text.split_once('(')?.0;
            let returns = text.lines().any(|line| line.trim_start().ends_with("ret;"));
            (!returns).then(|| head.trim().to_owned())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resources_belong_to_the_entry() {
        let log = "ptxas info    : Compiling entry function 'a' for 'sm_90'\n\
             ptxas info    : Function properties for a\n    \
             16 bytes stack frame, 4 bytes spill stores, 8 bytes spill loads\n\
             ptxas info    : Used 32 registers, used 0 barriers\n\
             ptxas info    : Function properties for panic\n    \
             64 bytes stack frame, 1 bytes spill stores, 1 bytes spill loads\n";
        let mut kernels = BTreeMap::from([("a".to_owned(), Code::default())]);
        read_resources(log, &mut kernels);
        let code = Code { registers: 32, spills: 12, local: 16, counts: Counts::default() };
        assert_eq!(kernels["a"], code);
    }

    #[test]
    fn functions_that_end_their_thread() {
        let ptx = "\n.func a(\n.param x)\n{\n\texit;\n}\n.func b()\n{\n\t@%p1 ret;\n}\n";
        assert_eq!(functions_without_return(ptx), ["a"]);
    }
}
