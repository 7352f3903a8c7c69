//! Parts of the messages.

use super::Argument;
use core::fmt;

/// The emulated device's report on a fault, or how to get one.
pub(super) struct Report<'a>(pub(super) &'a Option<Box<str>>);

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(report) => Indented(report).fmt(f),
            None => f.write_str("; run with `PTYX_DEVICE=emulator` to see the thread and the line"),
        }
    }
}

/// The launches that a fault may come from, on lines of their own.
pub(super) struct MayBe<'a>(pub(super) &'a [String]);

impl fmt::Display for MayBe<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => Ok(()),
            [one] => write!(f, "\n  = note: the launch was probably {one}"),
            several => {
                f.write_str(
                    "\n  = note: it may be any of these launches, which were not known to be done:",
                )?;
                several.iter().try_for_each(|one| write!(f, "\n      {one}"))
            }
        }
    }
}

/// Advice on a fault, on a line of its own.
pub(super) struct Advice<'a>(pub(super) &'a Option<&'static str>);

impl fmt::Display for Advice<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |advice| write!(f, "\n  = help: {advice}"))
    }
}

/// A longer text on lines of its own.
pub(super) struct Indented<'a>(pub(super) &'a str);

impl fmt::Display for Indented<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.lines().filter(|line| !line.trim().is_empty()).try_for_each(|l| write!(f, "\n  {l}"))
    }
}

/// What there is instead of what was looked for: the first few names.
pub(super) struct Others<'a>(pub(super) &'a [String]);

impl fmt::Display for Others<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 10;
        for (number, name) in self.0.iter().take(SHOWN).enumerate() {
            write!(f, "{}`{name}`", if number == 0 { "; it has " } else { ", " })?;
        }
        if self.0.len() > SHOWN { write!(f, ", and {} more", self.0.len() - SHOWN) } else { Ok(()) }
    }
}

/// Why bytes can't be elements of this size and alignment.
pub(super) fn misfit(bytes: usize, address: u64, size: usize, align: usize) -> String {
    let behind = address % align as u64;
    match bytes.checked_rem(size) {
        None => "elements of this type have no bytes".to_owned(),
        Some(0) => format!(
            "they must be aligned to {align} bytes, and the address of the first byte is {behind} bytes past a \
             multiple of that: begin the slice elsewhere"
        ),
        Some(rest) => format!(
            "each element has {size} bytes, and {rest} bytes are left over: leave them out of the slice"
        ),
    }
}

/// The number of elements of a shape, as text: the product may overflow every integer type.
pub(super) fn elements(shape: &[usize]) -> String {
    match shape.iter().try_fold(1usize, |n, &extent| n.checked_mul(extent)) {
        Some(count) => count.to_string(),
        None => "too many".to_owned(),
    }
}

/// Whose argument something is, before what is wrong with it.
pub(super) struct OfArgument<'a>(pub(super) &'a Option<Box<Argument>>);

impl fmt::Display for OfArgument<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(argument) => write!(f, "{argument}: "),
            None => Ok(()),
        }
    }
}
