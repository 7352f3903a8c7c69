//! Whether a kernel's checks can fail at all, as the host finds out: a parameter of the entry behind the limits.
//!
//! `optimise/prove_checks` finds out what must hold of a launch. The launch knows all numbers that this is about, and calculates it
//! once; each thread would take longer for it than for many a check.

use ptyx_image::{MAX_NUMBERS, Number, Param, Product, Proof};

use super::limits::{MAX_BYTES, is_limit};
use crate::llvm::{Module, Type, Value};

/// Marks the parameter. The attribute's value says what must hold, once that is known.
const PROOF: &str = "ptyx-proof";

/// A sum that must not be negative: products of numbers, each with how often it is counted.
pub(crate) type Need = Vec<(i64, Vec<Known>)>;

/// A number that the host knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// A parameter of the entry, by its index.
    Parameter(u32),
    /// The grid's extent along an axis.
    Blocks(u8),
    /// A block's extent along an axis.
    Threads(u8),
}

/// Adds the parameter's type behind those of a kernel whose own have so many bytes.
pub(super) fn add_proof<'c>(module: &Module<'c>, bytes: u64, types: &mut Vec<Type<'c>>) -> bool {
    let fits = bytes <= MAX_BYTES;
    types.extend(fits.then(|| module.context().int(32)));
    fits
}

/// Marks the parameter that [`add_proof`] has added.
pub(super) fn mark_proof<'c>(module: &Module<'c>, entry: Value<'c>, index: u32) {
    entry.add_param_attribute(index, module.context().string_attribute(PROOF, ""));
}

/// The parameter, with its index, if the entry has it.
fn proof_of(entry: Value<'_>) -> Option<(u32, Value<'_>)> {
    let is_it =
        |(index, _): &(u32, Value<'_>)| entry.param_string_attribute(*index, PROOF).is_some();
    (0..).zip(entry.params()).find(is_it)
}

/// Whether the host can be asked.
pub(crate) fn can_ask_host(entry: Value<'_>) -> bool {
    proof_of(entry).is_some()
}

/// The number that a parameter of the entry is, if it is one of the kernel's own.
pub(crate) fn number_of_parameter<'c>(entry: Value<'c>, value: Value<'c>) -> Option<Known> {
    let (function, index) = value.parameter_of()?;
    let (first, _) = proof_of(entry)?;
    let is_own = function == entry && index < first && !is_limit(entry, index);
    is_own.then_some(Known::Parameter(index))
}

/// Asks the host whether none of these sums is negative: the parameter that is not zero then. `None` if the entry has none.
pub(crate) fn ask_host<'c>(
    module: &Module<'c>,
    entry: Value<'c>,
    needs: &[Need],
) -> Option<Value<'c>> {
    let (index, param) = proof_of(entry)?;
    let mut numbers = Vec::new();
    let mut place = |known: Known| {
        let at = numbers.iter().position(|one| *one == known).unwrap_or_else(|| {
            numbers.push(known);
            numbers.len() - 1
        });
        at.to_string()
    };
    let mut sums = Vec::new();
    for need in needs {
        let product = |(count, factors): &(i64, Vec<Known>)| {
            let factors = factors.iter().map(|factor| place(*factor));
            [count.to_string()].into_iter().chain(factors).collect::<Vec<_>>().join("*")
        };
        sums.push(need.iter().map(product).collect::<Vec<_>>().join(" "));
    }
    if numbers.len() > MAX_NUMBERS {
        return None;
    }
    let name = |known: &Known| match known {
        Known::Parameter(index) => format!("p{index}"),
        Known::Blocks(axis) => format!("b{axis}"),
        Known::Threads(axis) => format!("t{axis}"),
    };
    let numbers = numbers.iter().map(name).collect::<Vec<_>>().join(" ");
    let text = format!("{numbers};{}", sums.join(","));
    entry.add_param_attribute(index, module.context().string_attribute(PROOF, &text));
    Some(param)
}

/// What the host finds out for the parameter of an optimised entry, and whether that reads it, if it has it; `params` are the
/// kernel's own.
pub(crate) fn used_proof(entry: Value<'_>, params: &[Param]) -> (Option<Proof>, Vec<bool>) {
    let Some((index, param)) = proof_of(entry) else { return (None, Vec::new()) };
    let text = entry.param_string_attribute(index, PROOF).unwrap_or_default();
    let is_read = !param.users().is_empty();
    let proof = is_read
        .then(|| read(&text, params).unwrap_or_else(|| unreachable!("`ask_host` wrote `{text}`")));
    (proof, vec![is_read])
}

fn read(text: &str, params: &[Param]) -> Option<Proof> {
    let (numbers, sums) = text.split_once(';')?;
    let number = |name: &str| {
        let index = name.get(1..)?;
        Some(match name.get(..1)? {
            "p" => argument(*params.get(index.parse::<usize>().ok()?)?),
            "b" => Number::Blocks(index.parse().ok()?),
            _ => Number::Threads(index.parse().ok()?),
        })
    };
    let product = |text: &str| {
        let (count, factors) = text.split_once('*').unwrap_or((text, ""));
        let factors = factors.split('*').filter(|factor| !factor.is_empty());
        let factors: Option<Vec<u8>> = factors.map(|factor| factor.parse().ok()).collect();
        Some(Product { count: count.parse().ok()?, factors: factors? })
    };
    let sum = |text: &str| text.split(' ').map(product).collect::<Option<Vec<Product>>>();
    Some(Proof {
        numbers: numbers
            .split(' ')
            .filter(|name| !name.is_empty())
            .map(number)
            .collect::<Option<_>>()?,
        sums: sums.split(',').map(sum).collect::<Option<_>>()?,
    })
}

fn argument(param: Param) -> Number {
    Number::Argument { arg: param.arg, offset: param.offset, size: param.size }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_is_read() {
        let params = [4, 8].map(|size| Param { arg: size, offset: 0, size, align: size });
        let product = |count, factors: &[u8]| Product { count, factors: factors.to_vec() };
        let read = read("p1 b0 t2;1*0 -3*1*2,1*1 -1", &params).unwrap();
        assert_eq!(read.numbers, [argument(params[1]), Number::Blocks(0), Number::Threads(2)]);
        let sums = [
            vec![product(1, &[0]), product(-3, &[1, 2])],
            vec![product(1, &[1]), product(-1, &[])],
        ];
        assert_eq!(read.sums, sums);
    }
}
