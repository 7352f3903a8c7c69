//! What the symbol of a device intrinsic says. `device-std/src/intrinsics/` declares each intrinsic with
//! everything about it; this is the reader.
//!
//! ```text
//! __ptyx_intrinsic tid_y range=0..1024 flat=2:0 nvvm llvm.nvvm.read.ptx.sreg.tid.y
//! ```
//!
//! After the prefix come the intrinsic's name, properties without spaces, and what it becomes, which may
//! be any text. Types are those of each call. A symbol has one meaning, whichever crate declares it.

use std::str::FromStr;

use super::needs::{self, Needs};
use crate::llvm::{Opcode, float_predicate, opcode, update};
use crate::symbols::INTRINSIC;

/// A device intrinsic.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Intrinsic<'s> {
    pub(super) meaning: Meaning<'s>,
    /// The least result, and the first that is too large.
    pub(super) range: Option<(u64, u64)>,
    /// The value that it has in a launch of fewer dimensions than these.
    pub(super) flat: Option<(u8, u64)>,
}

/// What a call becomes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Meaning<'s> {
    /// A call of an LLVM intrinsic with the same arguments; of the `unaligned` one, where the threads of a
    /// warp may reach different copies of the call.
    Nvvm { name: &'s str, unaligned: Option<&'s str> },
    /// An atomic instruction on the first argument, or a fence. The last argument is a constant that says
    /// the order and the scope ([`super::atomics`]).
    Atomic(AtomicOperation),
    /// An LLVM instruction on 16-bit floats, which arguments and results hold as bits.
    Float(Format, FloatOperation),
    /// Inline PTX: `$0` is the result, the arguments follow. Unused calls of a `pure` one are removed, and
    /// equal ones merged. Any other is convergent and has side effects. If it contains `.ORDER.SCOPE`, the last
    /// argument is a constant that says both.
    Ptx { template: &'s str, pure: bool, needs: Needs },
}

/// What an atomic instruction does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum AtomicOperation {
    Load,
    Store,
    CompareExchange,
    Fence,
    /// `atomicrmw`: LLVM-C's number of the operation.
    Update(i32),
}

/// A 16-bit floating-point format, by LLVM's name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Format {
    Half,
    Bfloat,
}

/// What an instruction does with 16-bit floats.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum FloatOperation {
    /// Converts one to a wider float.
    Extend,
    /// Rounds a wider float to one.
    Truncate,
    /// Computes one from two.
    Binary(Opcode),
    /// Compares two, by LLVM-C's number of the comparison.
    Compare(i32),
}

/// LLVM's instructions on floats by name; comparisons by LLVM's word for the condition.
const FLOAT_OPERATIONS: [(&str, FloatOperation); 9] = [
    ("fpext", FloatOperation::Extend),
    ("fptrunc", FloatOperation::Truncate),
    ("fadd", FloatOperation::Binary(opcode::FADD)),
    ("fsub", FloatOperation::Binary(opcode::FSUB)),
    ("fmul", FloatOperation::Binary(opcode::FMUL)),
    ("fdiv", FloatOperation::Binary(opcode::FDIV)),
    ("oeq", FloatOperation::Compare(float_predicate::EQUAL)),
    ("olt", FloatOperation::Compare(float_predicate::LESS)),
    ("ole", FloatOperation::Compare(float_predicate::LESS_EQUAL)),
];

/// The name of the intrinsic that has this symbol, if it is one.
pub(super) fn name(symbol: &str) -> Option<&str> {
    symbol.strip_prefix(INTRINSIC)?.split(' ').next()
}

/// Reads the symbol of an intrinsic.
///
/// # Errors
/// The part that can't be read.
pub(super) fn read(symbol: &str) -> Result<Intrinsic<'_>, String> {
    let (mut range, mut flat, mut unaligned, mut needs) = (None, None, None, Needs::NOTHING);
    let words = symbol.trim_start_matches(INTRINSIC).split_once(' ');
    let (_, mut rest) = words.ok_or("it does not say what it lowers to")?;
    let kind = loop {
        let (word, behind) = rest.split_once(' ').unwrap_or((rest, ""));
        rest = behind;
        let Some((property, value)) = word.split_once('=') else { break word };
        match property {
            "range" => range = Some(pair(value, "..")?),
            "flat" => flat = Some(pair(value, ":")?),
            "unaligned" => unaligned = Some(value),
            "arch" => needs.arch = needs::arch(value)?,
            "ptx" => needs.ptx = needs::ptx_version(value)?,
            _ => return Err(format!("`{property}` is not a property known to this compiler")),
        }
    };
    let meaning = match kind {
        "nvvm" => Meaning::Nvvm { name: rest, unaligned: unaligned.take() },
        "atomic" => Meaning::Atomic(operation(rest)?),
        "float" => float(rest)?,
        "asm" | "pure" => {
            let needs = std::mem::replace(&mut needs, Needs::NOTHING);
            Meaning::Ptx { template: rest, pure: kind == "pure", needs }
        }
        _ => return Err(format!("an intrinsic can't lower to `{kind}`")),
    };
    if unaligned.is_some() || needs != Needs::NOTHING {
        return Err(format!("what becomes `{kind}` has neither needs nor alignment"));
    }
    if range.is_some_and(|(low, high)| low >= high) {
        return Err("its range is empty".to_owned());
    }
    Ok(Intrinsic { meaning, range, flat })
}

fn pair<A: FromStr>(text: &str, separator: &str) -> Result<(A, u64), String> {
    let numbers = text.split_once(separator);
    let numbers = numbers.and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
    numbers.ok_or_else(|| format!("`{text}` is not two numbers with `{separator}` between"))
}

fn operation(name: &str) -> Result<AtomicOperation, String> {
    Ok(match name {
        "load" => AtomicOperation::Load,
        "store" => AtomicOperation::Store,
        "cmpxchg" => AtomicOperation::CompareExchange,
        "fence" => AtomicOperation::Fence,
        _ => {
            let found = update::NAMES.iter().find(|(known, _)| *known == name);
            let (_, number) = found.ok_or_else(|| format!("LLVM has no atomic `{name}`"))?;
            AtomicOperation::Update(*number)
        }
    })
}

fn float(text: &str) -> Result<Meaning<'static>, String> {
    let (format, operation) = text.split_once(' ').unwrap_or((text, ""));
    let format = match format {
        "half" => Format::Half,
        "bfloat" => Format::Bfloat,
        _ => return Err(format!("`{format}` is not a 16-bit float")),
    };
    let found = FLOAT_OPERATIONS.iter().find(|(known, _)| *known == operation);
    let (_, operation) = found.ok_or_else(|| format!("floats have no operation `{operation}`"))?;
    Ok(Meaning::Float(format, *operation))
}

#[cfg(test)]
mod tests {
    use ptyx_image::Arch;

    use super::*;

    #[test]
    fn symbols_say_everything() {
        let symbol = "__ptyx_intrinsic tid_y range=0..1024 flat=2:0 nvvm llvm.y";
        assert_eq!(name(symbol), Some("tid_y"));
        let meaning = Meaning::Nvvm { name: "llvm.y", unaligned: None };
        let expected = Intrinsic { meaning, range: Some((0, 1024)), flat: Some((2, 0)) };
        assert_eq!(read(symbol), Ok(expected));
        assert_eq!((name("__ptyx_intrinsics f"), name("__ptyx_root")), (None, None));

        let meaning = |text: &'static str| read(text).unwrap().meaning;
        let needs = Needs { arch: Arch::portable(80), ptx: 70 };
        let ptx = Meaning::Ptx { template: "@p f=g $0, $1;", pure: true, needs };
        assert_eq!(meaning("__ptyx_intrinsic f arch=sm_80 ptx=7.0 pure @p f=g $0, $1;"), ptx);
        let fence = Meaning::Atomic(AtomicOperation::Fence);
        assert_eq!(meaning("__ptyx_intrinsic f atomic fence"), fence);
        let half = Meaning::Float(Format::Half, FloatOperation::Truncate);
        assert_eq!(meaning("__ptyx_intrinsic f float half fptrunc"), half);
        let most = AtomicOperation::Update(update::UNSIGNED_MAX);
        assert_eq!(meaning("__ptyx_intrinsic f atomic umax"), Meaning::Atomic(most));
        let aligned = Meaning::Nvvm { name: "llvm.a", unaligned: Some("llvm.b") };
        assert_eq!(meaning("__ptyx_intrinsic f unaligned=llvm.b nvvm llvm.a"), aligned);
    }
}
