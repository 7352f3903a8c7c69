//! Rules by which driver calls fail: `PTYX_EMULATOR_FAIL`.

use ptyx_driver_api::{CUresult, describe};

/// A rule: which call fails, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rule {
    /// The function, with or without the suffix of its symbol; `None` for every function.
    function: Option<String>,
    /// The first call that fails, from 1.
    from: u64,
    /// Whether all later ones do, too.
    and_later: bool,
    pub(crate) code: CUresult,
}

/// What a rule looks like, for messages.
pub(crate) const FORM: &str = "rules such as `cuMemAlloc:3=CUDA_ERROR_OUT_OF_MEMORY` (the third call fails), \
     `cuMemAlloc:3+=..` (it and all later ones), `cuMemAlloc=..` (all), `*:20=..` (the 20th call of any function), \
     with commas between them";

impl Rule {
    /// Reads rules with commas between them; `None` if one is wrong.
    pub(crate) fn read_all(text: &str) -> Option<Vec<Rule>> {
        text.split(',').map(|rule| Rule::read(rule.trim())).collect()
    }

    fn read(text: &str) -> Option<Rule> {
        let (calls, code) = text.split_once('=')?;
        let (function, from, and_later) = match calls.split_once(':') {
            None => (calls, 1, true),
            Some((function, number)) => {
                let digits = number.strip_suffix('+').unwrap_or(number);
                let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
                let from = digits.parse().ok().filter(|&from: &u64| is_number && from > 0)?;
                (function, from, digits.len() < number.len())
            }
        };
        let function = match function {
            "*" => None,
            name if name.starts_with("cu") => Some(name.to_owned()),
            _ => return None,
        };
        Some(Rule { function, from, and_later, code: code_of(code)? })
    }

    /// Whether it is about all functions together.
    pub(crate) fn is_about_all(&self) -> bool {
        self.function.is_none()
    }

    /// Whether it is about a function, by its symbol.
    pub(crate) fn is_about(&self, symbol: &str) -> bool {
        self.function.as_deref().is_none_or(|name| {
            symbol.strip_prefix(name).is_some_and(|rest| rest.is_empty() || is_suffix(rest))
        })
    }

    /// Whether the call of this number fails, from 1.
    pub(crate) fn fails(&self, number: u64) -> bool {
        number == self.from || self.and_later && number > self.from
    }
}

/// `_v2` and its like.
fn is_suffix(text: &str) -> bool {
    text.strip_prefix("_v").is_some_and(|version| version.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The code of a name, such as `CUDA_ERROR_UNKNOWN`.
fn code_of(name: &str) -> Option<CUresult> {
    (1..1000).find(|&code| describe(code).is_some_and(|(known, _)| known.to_str() == Ok(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_choose_calls() {
        let rules = Rule::read_all(
            "cuMemAlloc:3=CUDA_ERROR_OUT_OF_MEMORY, *:2+=CUDA_ERROR_UNKNOWN,cuInit=CUDA_ERROR_NO_DEVICE",
        )
        .unwrap();
        assert_eq!(rules.iter().map(|rule| rule.code).collect::<Vec<_>>(), [2, 999, 100]);
        let third = &rules[0];
        assert!(third.is_about("cuMemAlloc_v2") && third.is_about("cuMemAlloc"));
        assert!(!third.is_about("cuMemAllocAsync") && !third.is_about("cuMemAlloc_vx"));
        assert_eq!([2, 3, 4].map(|number| third.fails(number)), [false, true, false]);
        assert!(rules[1].is_about_all() && rules[1].is_about("cuAnything"));
        assert_eq!([1, 2, 3].map(|number| rules[1].fails(number)), [false, true, true]);
        assert_eq!([1, 9].map(|number| rules[2].fails(number)), [true, true]);
    }

    #[test]
    fn garbage_is_refused() {
        let code = "=CUDA_ERROR_UNKNOWN";
        for calls in ["", "x", "cuInit:", "cuInit:0", "cuInit:-1", "cuInit:+", "cuInit:1x", "*:"] {
            assert_eq!(Rule::read_all(&format!("{calls}{code}")), None, "{calls}");
        }
        for text in ["", "cuInit", "cuInit:1", "cuInit=", "cuInit=CUDA_SUCCESS", "cuInit=7", ","] {
            assert_eq!(Rule::read_all(text), None, "{text}");
        }
    }
}
