//! Special registers, and those of the launch's shape, by the names of the intrinsics that read them.

use crate::llvm::Value;
use crate::lower::Known;

/// What the names of intrinsics that read special registers begin with.
pub(super) const REGISTERS: &str = "llvm.nvvm.read.ptx.sreg.";

/// The name of the intrinsic that a call calls.
pub(super) fn intrinsic_of(value: Value<'_>) -> Option<String> {
    let is_call = value.is_instruction() && value.is_call() && value.callee().is_function();
    (is_call && value.callee().intrinsic_id() != 0).then(|| value.callee().name())
}

/// The registers of the launch's shape, with how many bits they have.
const SHAPE: [(&str, u32); 6] = [
    ("llvm.nvvm.read.ptx.sreg.ntid.x", 11),
    ("llvm.nvvm.read.ptx.sreg.ntid.y", 11),
    ("llvm.nvvm.read.ptx.sreg.ntid.z", 11),
    ("llvm.nvvm.read.ptx.sreg.nctaid.x", 31),
    ("llvm.nvvm.read.ptx.sreg.nctaid.y", 16),
    ("llvm.nvvm.read.ptx.sreg.nctaid.z", 16),
];

/// A register of the launch's shape by its name, with its bits.
pub(super) fn shape_register(name: &str) -> Option<(&'static str, u32)> {
    SHAPE.into_iter().find(|(register, _)| *register == name)
}

/// A register of the launch's shape, for the host.
pub(super) fn register_number(name: &str) -> Option<Known> {
    let rest = name.strip_prefix(REGISTERS)?;
    let (shape, axis) = rest.split_once('.')?;
    let axis = ["x", "y", "z"].iter().position(|one| *one == axis)? as u8;
    match shape {
        "ntid" => Some(Known::Threads(axis)),
        "nctaid" => Some(Known::Blocks(axis)),
        _ => None,
    }
}

/// The register of the launch's shape that a thread's or block's number is below.
pub(super) fn end_of(name: &str) -> Option<&'static str> {
    let rest = name.strip_prefix(REGISTERS)?;
    let axis = rest.strip_prefix("tid.").map(|axis| format!("ntid.{axis}"));
    let end = axis.or_else(|| Some(format!("nctaid.{}", rest.strip_prefix("ctaid.")?)))?;
    shape_register(&format!("{REGISTERS}{end}")).map(|(name, _)| name)
}
