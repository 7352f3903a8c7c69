//! Patterns of modifiers, in the notation of the PTX manual.
//!
//! `.a` stands for itself, `.a|b` for one of several, `{.a}` may be missing, an upper-case word is one of
//! the named sets below, and `*` at the end stands for anything.

/// Sets of modifiers that many rows share.
const SETS: &[(&str, &str)] = &[
    ("INT", "u16|u32|u64|s16|s32|s64"),
    ("SINT", "s16|s32|s64"),
    ("BITS", "b16|b32|b64"),
    ("RND", "rn|rz|rm|rp"),
    ("CMP", "eq|ne|lt|le|gt|ge|lo|ls|hi|hs|equ|neu|ltu|leu|gtu|geu|num|nan"),
    ("BOOL", "and|or|xor"),
    ("ANY", "b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64"),
];

/// Whether modifiers fit a pattern.
pub(crate) fn matches(pattern: &str, words: &[&str]) -> bool {
    if pattern.is_empty() {
        return words.is_empty();
    }
    if pattern == "*" {
        return true;
    }
    if let Some(rest) = pattern.strip_prefix("{.") {
        let (inner, rest) = rest.split_once('}').unwrap_or((rest, ""));
        let taken = words.first().is_some_and(|word| one_of(inner, word));
        return (taken && matches(rest, &words[1..])) || matches(rest, words);
    }
    let Some(rest) = pattern.strip_prefix('.') else { return false };
    let end = rest.find(['.', '{', '*']).unwrap_or(rest.len());
    let (inner, rest) = rest.split_at(end);
    words.first().is_some_and(|word| one_of(inner, word)) && matches(rest, &words[1..])
}

fn one_of(set: &str, word: &str) -> bool {
    set.split('|').any(|choice| {
        choice == word
            || SETS.iter().any(|(name, members)| {
                *name == choice && members.split('|').any(|member| member == word)
            })
    })
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn optional_parts_and_sets() {
        assert!(matches("{.RND}{.ftz}{.sat}.f32", &["f32"]));
        assert!(matches("{.RND}{.ftz}{.sat}.f32", &["rn", "sat", "f32"]));
        assert!(!matches("{.RND}{.ftz}{.sat}.f32", &["sat", "rn", "f32"]));
        assert!(!matches("{.RND}{.ftz}{.sat}.f32", &["rn", "f64"]));
        assert!(matches(".INT", &["u64"]));
        assert!(!matches(".INT", &["u64", "x"]));
        assert!(matches(".lo|hi.INT", &["hi", "s16"]));
        assert!(matches(".sync*", &["sync", "a", "b"]));
        assert!(matches("", &[]));
        assert!(!matches("", &["a"]));
    }
}
