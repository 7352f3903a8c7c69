//! Whether a kernel's checks can fail at all, as the host finds out.
//!
//! `optimise/prove_checks` finds out what must hold of a launch. The launch knows all numbers that this is about, and calculates it
//! once; each thread would take longer for it than for many a check. Until the kernel's copies without checks are made, the
//! answer is a parameter of the entry, behind the limits. Then each level gets a module of its own, in which the answer is a
//! constant.

use std::collections::BTreeSet;

use ptyx_image::{MAX_NUMBERS, Number, Param, Product, Proof, Quotient};

use super::limits::{MAX_BYTES, is_limit};
use crate::llvm::{Module, Type, Value};

/// Marks the parameter. The attribute's value says what must hold, once that is known.
const PROOF: &str = "ptyx-proof";

/// Marks an entry for launches of which at least so many levels hold.
const LEVEL: &str = "ptyx-level";

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
    /// One of the quotients that are asked for, by its index.
    Quotient(usize),
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

/// Asks the host how many of these levels hold, one after the other: in none of them may a sum be negative. `quotients` are those that
/// sums, and the quotients behind them, refer to. `None` if the entry has no parameter for the answer.
pub(crate) fn ask_host<'c>(
    module: &Module<'c>,
    entry: Value<'c>,
    quotients: &[(Need, Need)],
    levels: &[&[Need]],
) -> Option<Value<'c>> {
    let (index, param) = proof_of(entry)?;
    let used = used_quotients(quotients, levels);
    let mut numbers = Vec::new();
    let mut place = |known: Known| {
        if let Known::Quotient(index) = known {
            return format!("q{}", used.range(..index).count());
        }
        let at = numbers.iter().position(|one| *one == known).unwrap_or_else(|| {
            numbers.push(known);
            numbers.len() - 1
        });
        at.to_string()
    };
    let mut sum = |need: &Need| {
        let product = |(count, factors): &(i64, Vec<Known>)| {
            let factors = factors.iter().map(|factor| place(*factor));
            [count.to_string()].into_iter().chain(factors).collect::<Vec<_>>().join("*")
        };
        need.iter().map(product).collect::<Vec<_>>().join(" ")
    };
    let mut divided = Vec::new();
    for index in &used {
        let (dividend, divisor) = &quotients[*index];
        divided.push(format!("{}/{}", sum(dividend), sum(divisor)));
    }
    let mut level = |needs: &&[Need]| needs.iter().map(&mut sum).collect::<Vec<_>>().join(",");
    let levels: Vec<String> = levels.iter().map(&mut level).collect();
    if numbers.len() + used.len() > MAX_NUMBERS {
        return None;
    }
    let name = |known: &Known| match known {
        Known::Parameter(index) => format!("p{index}"),
        Known::Blocks(axis) => format!("b{axis}"),
        Known::Threads(axis) => format!("t{axis}"),
        Known::Quotient(_) => unreachable!("a quotient is no number of the launch"),
    };
    let numbers = numbers.iter().map(name).collect::<Vec<_>>().join(" ");
    let text = format!("{numbers};{};{}", divided.join(","), levels.join("|"));
    entry.add_param_attribute(index, module.context().string_attribute(PROOF, &text));
    Some(param)
}

/// How many levels an entry asks the host for.
pub(crate) fn asked_levels(entry: Value<'_>) -> u32 {
    let text = proof_of(entry).and_then(|(index, _)| entry.param_string_attribute(index, PROOF));
    // Before anything is asked, the text is empty.
    text.and_then(|text| Some(text.splitn(3, ';').nth(2)?.split('|').count() as u32)).unwrap_or(0)
}

/// Makes an entry one for launches of which so many levels hold: the host's answer becomes a constant.
pub(crate) fn fix_level(module: &Module<'_>, entry: Value<'_>, level: u32) {
    let Some((_, answer)) = proof_of(entry) else { return };
    answer.replace_all_uses_with(answer.ty().constant(level.into()));
    entry.add_function_attribute(module.context().string_attribute(LEVEL, &level.to_string()));
}

/// The least values of single parameters that follow from the levels that hold, whenever the entry is launched.
pub(crate) fn least_of<'c>(entry: Value<'c>) -> Option<Vec<(Value<'c>, u64)>> {
    let (index, _) = proof_of(entry)?;
    let text = entry.param_string_attribute(index, PROOF)?;
    let held: usize = entry.string_attribute(LEVEL)?.parse().ok()?;
    let [numbers, _, levels] = text.splitn(3, ';').collect::<Vec<_>>()[..] else { return None };
    let params = entry.params();
    let numbers: Vec<Option<Value<'c>>> = numbers
        .split(' ')
        .map(|number| params.get(number.strip_prefix('p')?.parse::<usize>().ok()?).copied())
        .collect();
    // As `-64 1*8`: number 8 is at least 64.
    let least = |sum: &str| {
        let (constant, product) = sum.split_once(' ')?;
        let number = constant.strip_prefix('-')?.parse().ok()?;
        let place: usize = product.strip_prefix("1*")?.parse().ok()?;
        Some(((*numbers.get(place)?)?, number))
    };
    let sums = levels.split('|').take(held).flat_map(|sums| sums.split(','));
    Some(sums.filter_map(least).collect())
}

/// The quotients that levels refer to, or other quotients that they refer to.
fn used_quotients(quotients: &[(Need, Need)], levels: &[&[Need]]) -> BTreeSet<usize> {
    let of = |need: &Need| {
        let known = need.iter().flat_map(|(_, factors)| factors);
        let index =
            |one: &Known| if let Known::Quotient(index) = one { Some(*index) } else { None };
        known.filter_map(index).collect::<Vec<usize>>()
    };
    let mut used: BTreeSet<usize> =
        levels.iter().flat_map(|level| level.iter()).flat_map(of).collect();
    // Each refers to those before it.
    for index in (0..quotients.len()).rev() {
        if used.contains(&index) {
            let (dividend, divisor) = &quotients[index];
            used.extend(of(dividend).into_iter().chain(of(divisor)));
        }
    }
    used
}

/// What the host finds out for an entry, if it is asked, and whether the entry reads the parameter, if it has one: never, once its
/// level is fixed; `params` are the kernel's own.
pub(crate) fn asked_proof(entry: Value<'_>, params: &[Param]) -> (Option<Proof>, Vec<bool>) {
    let Some((index, param)) = proof_of(entry) else { return (None, Vec::new()) };
    let text = entry.param_string_attribute(index, PROOF).filter(|text| !text.is_empty());
    let proof = text.map(|text| {
        read(&text, params).unwrap_or_else(|| unreachable!("`ask_host` wrote `{text}`"))
    });
    (proof, vec![!param.users().is_empty()])
}

fn read(text: &str, params: &[Param]) -> Option<Proof> {
    let [numbers, quotients, levels] = text.split(';').collect::<Vec<_>>()[..] else { return None };
    let number = |name: &str| {
        let index = name.get(1..)?;
        Some(match name.get(..1)? {
            "p" => argument(*params.get(index.parse::<usize>().ok()?)?),
            "b" => Number::Blocks(index.parse().ok()?),
            _ => Number::Threads(index.parse().ok()?),
        })
    };
    let numbers: Vec<Number> = listed(numbers, " ").map(number).collect::<Option<_>>()?;
    // The quotients' indices follow the numbers'.
    let factor = |name: &str| match name.strip_prefix('q') {
        Some(index) => u8::try_from(index.parse::<usize>().ok()? + numbers.len()).ok(),
        None => name.parse().ok(),
    };
    let product = |text: &str| {
        let (count, factors) = text.split_once('*').unwrap_or((text, ""));
        let factors: Option<Vec<u8>> = listed(factors, "*").map(factor).collect();
        Some(Product { count: count.parse().ok()?, factors: factors? })
    };
    let sum = |text: &str| listed(text, " ").map(product).collect::<Option<Vec<Product>>>();
    let quotient = |text: &str| {
        let (dividend, divisor) = text.split_once('/')?;
        Some(Quotient { dividend: sum(dividend)?, divisor: sum(divisor)? })
    };
    let quotients = listed(quotients, ",").map(quotient).collect::<Option<_>>()?;
    let level = |text: &str| listed(text, ",").map(sum).collect::<Option<_>>();
    let levels = levels.split('|').map(level).collect::<Option<_>>()?;
    Some(Proof { numbers, quotients, levels })
}

/// What stands between separators, if anything does.
fn listed<'a>(text: &'a str, separator: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(separator).filter(|one| !one.is_empty())
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
        let read = read("p1 b0 t2;1*0 5/1*1*q0;1*0 -3*1*2,1*1 -1|-1*q1", &params).unwrap();
        assert_eq!(read.numbers, [argument(params[1]), Number::Blocks(0), Number::Threads(2)]);
        let (dividend, divisor) =
            (vec![product(1, &[0]), product(5, &[])], vec![product(1, &[1, 3])]);
        assert_eq!(read.quotients, [Quotient { dividend, divisor }]);
        let first = vec![
            vec![product(1, &[0]), product(-3, &[1, 2])],
            vec![product(1, &[1]), product(-1, &[])],
        ];
        assert_eq!(read.levels, [first, vec![vec![product(-1, &[4])]]]);
    }
}
