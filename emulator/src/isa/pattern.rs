//! Patterns of modifiers, in the notation of the PTX manual.
//!
//! `.a` stands for itself, `.a|b` for one of several, `{.a}` may be missing, and an upper-case word is one of
//! the named sets below. `#` in a word stands for a number.

use crate::ptx::types::Type;

/// Sets of modifiers that many rows share.
const SETS: &[(&str, &str)] = &[
    // Types.
    ("INT", "u16|u32|u64|s16|s32|s64"),
    ("SINT", "s16|s32|s64"),
    ("BITS", "b16|b32|b64"),
    ("ANY", "b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64"),
    ("DATA", "b8|b16|b32|b64|b128|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64"),
    ("CVT", "u8|u16|u32|u64|s8|s16|s32|s64|f16|bf16|f32|f64"),
    ("HALF", "f16|f16x2|bf16|bf16x2"),
    ("F8", "e4m3|e5m2"),
    ("F8F6F4", "e4m3|e5m2|e3m2|e2m3|e2m1"),
    // Arithmetic.
    ("RND", "rn|rz|rm|rp"),
    ("IRND", "rni|rzi|rmi|rpi"),
    ("CMP", "eq|ne|lt|le|gt|ge|lo|ls|hi|hs|equ|neu|ltu|leu|gtu|geu|num|nan"),
    ("BOOL", "and|or|xor"),
    // Memory. The manual's `.space` of atomics and of ordered accesses has fewer members: what is wrong with
    // the others is said where they are lowered.
    (
        "SPACE",
        "const|global|local|param|param::entry|param::func|shared|shared::cta|shared::cluster",
    ),
    ("SCOPE", "cta|cluster|gpu|sys"),
    ("LDCOP", "ca|cg|cs|lu|cv"),
    ("STCOP", "wb|cg|cs|wt"),
    ("VEC", "v2|v4|v8"),
    ("L1", "L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate"),
    ("L2", "L2::evict_normal|L2::evict_first|L2::evict_last"),
    ("GEOM", "1d|2d|3d|a1d|a2d|cube|acube"),
    ("DIM", "1d|2d|3d|4d|5d"),
    ("SIZE", "L2::64B|L2::128B|L2::256B"),
];

/// Whether modifiers fit a pattern. If not: how many of them do, from the first on, and if that is all of
/// them, some are missing.
pub(crate) fn fit(pattern: &str, words: &[&str]) -> Result<(), usize> {
    let Some((choices, optional, rest)) = split(pattern) else {
        return if words.is_empty() { Ok(()) } else { Err(0) };
    };
    let taken = match words.split_first() {
        Some((word, others)) if one_of(choices, word) => fit(rest, others).map_err(|n| n + 1),
        _ => Err(0),
    };
    match taken {
        Err(count) if optional => fit(rest, words).map_err(|other| other.max(count)),
        outcome => outcome,
    }
}

/// The choices for the first modifier of a pattern, whether it may be missing, and the rest of the pattern.
fn split(pattern: &str) -> Option<(&str, bool, &str)> {
    if pattern.is_empty() {
        return None;
    }
    let optional = pattern.starts_with('{');
    let body = pattern.trim_start_matches(['{', '.']);
    let end = body.find(['.', '{', '}']).unwrap_or(body.len());
    let (choices, rest) = body.split_at(end);
    let rest = rest.strip_prefix('}').filter(|_| optional).unwrap_or(rest);
    Some((choices, optional, rest))
}

/// Modifiers in the order of a pattern, if each of them has a place there. Only types keep their order:
/// NVIDIA's assembler takes other modifiers in any order, and its compilers and headers make use of that.
pub(crate) fn arrange<'a>(mut pattern: &str, words: &[&'a str]) -> Option<Vec<&'a str>> {
    let is_type = |word: &&str| Type::from_name(word).is_some();
    let (mut left, mut arranged) = (words.to_vec(), Vec::new());
    while let Some((choices, optional, rest)) = split(pattern) {
        let next_type = left.iter().position(is_type);
        let fits = |(at, word): (usize, &&str)| {
            one_of(choices, word) && (!is_type(word) || Some(at) == next_type)
        };
        match left.iter().enumerate().position(fits) {
            Some(at) => arranged.push(left.remove(at)),
            None if optional => {}
            None => return None,
        }
        pattern = rest;
    }
    left.is_empty().then_some(arranged)
}

fn one_of(choices: &str, word: &str) -> bool {
    choices.split('|').any(|choice| {
        choice == word || has_number(choice, word) || members(choice).any(|member| member == word)
    })
}

/// Whether the word is the choice with a number in the place of its `#`.
fn has_number(choice: &str, word: &str) -> bool {
    let number = choice
        .split_once('#')
        .and_then(|(before, behind)| word.strip_prefix(before)?.strip_suffix(behind));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}

/// The members of a named set; nothing for other words.
fn members(name: &str) -> impl Iterator<Item = &'static str> {
    let found = SETS.iter().find(|(known, _)| *known == name);
    found.into_iter().flat_map(|(_, members)| members.split('|'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn optional_parts_and_sets() {
        let float = "{.RND}{.ftz}{.sat}.f32";
        assert_eq!(fit(float, &["f32"]), Ok(()));
        assert_eq!(fit(float, &["rn", "sat", "f32"]), Ok(()));
        assert_eq!(fit(".INT", &["u64"]), Ok(()));
        assert_eq!(fit(".lo|hi.INT", &["hi", "s16"]), Ok(()));
        assert_eq!(fit("{.SPACE}.DATA", &["shared::cta", "b8"]), Ok(()));
        assert_eq!(fit("", &[]), Ok(()));
        assert_eq!(fit(".m64n#k8", &["m64n256k8"]), Ok(()));
        assert_eq!(fit(".m64n#k8", &["m64nk8"]), Err(0));
        assert_eq!(fit(".m64n#k8", &["m64n1xk8"]), Err(0));
    }

    #[test]
    fn any_order_but_that_of_types() {
        let atom = "{.relaxed|release}{.SCOPE}{.SPACE}.add|or.b32|u32";
        let words = ["add", "release", "gpu", "global", "u32"];
        assert!(fit(atom, &words).is_err());
        let arranged = arrange(atom, &words);
        assert_eq!(arranged, Some(vec!["release", "gpu", "global", "add", "u32"]));
        assert_eq!(arrange(atom, &["add", "or", "u32"]), None);
        assert_eq!(arrange(atom, &["gpu", "add"]), None);
        let cvt = "{.RND}{.ftz}.CVT.CVT";
        assert_eq!(
            arrange(cvt, &["ftz", "rn", "f32", "f64"]),
            Some(vec!["rn", "ftz", "f32", "f64"])
        );
        assert_eq!(arrange(".f32.f64", &["f64", "f32"]), None);
    }

    #[test]
    fn what_does_not_fit_is_counted() {
        let float = "{.RND}{.ftz}{.sat}.f32";
        assert_eq!(fit(float, &["sat", "rn", "f32"]), Err(1));
        assert_eq!(fit(float, &["rn", "f64"]), Err(1));
        assert_eq!(fit(float, &["rn", "f32", "x"]), Err(2));
        assert_eq!(fit(float, &["rn", "ftz"]), Err(2));
        assert_eq!(fit(".INT", &[]), Err(0));
        assert_eq!(fit("", &["a"]), Err(0));
        assert_eq!(fit(".L1", &["L1"]), Ok(()), "a set's name may be a modifier, too");
    }
}
