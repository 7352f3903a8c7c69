//! Knobs: how they are written into a kernel's PTX.

use super::config::Dims;
use crate::error::{Error, Result};
use core::fmt::Write;
#[cfg(not(ptyx_device))]
use ptyx_image::KernelKnobs;

/// What a launch asks of the assembler. Equal knobs share a variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Knobs<'a> {
    pub(super) minthreads: Option<Dims>,
    pub(super) maxthreads: Option<Dims>,
    pub(super) blocks_per_sm: Option<i128>,
    pub(super) maxregs: Option<i128>,
    /// Those of the kernel's attribute: a launch's own clusters are not a knob.
    pub(super) cluster: Option<Dims>,
    pub(super) alias: Option<&'a str>,
}

impl Knobs<'_> {
    /// No knobs: the PTX stays as it is.
    pub(super) const NONE: Knobs<'static> = Knobs {
        minthreads: None,
        maxthreads: None,
        blocks_per_sm: None,
        maxregs: None,
        cluster: None,
        alias: None,
    };

    /// The same knobs with a `'static` lifetime: an alias is leaked.
    pub(super) fn to_static(self) -> Knobs<'static> {
        let alias: Option<&'static str> = self.alias.map(|alias| &*alias.to_owned().leak());
        Knobs { alias, ..self }
    }

    /// Whether the PTX stays as it is.
    pub(super) fn is_none(&self) -> bool {
        *self == Knobs::NONE
    }

    /// The first knob with a value that no kernel can have, and why.
    pub(super) fn problem(&self) -> Option<String> {
        let dims = [("minthreads", self.minthreads), ("maxthreads", self.maxthreads)];
        let counts = [("blocks_per_sm", self.blocks_per_sm), ("maxregs", self.maxregs)];
        let values = dims
            .into_iter()
            .flat_map(|(name, dims)| dims.into_iter().flatten().map(move |v| (name, v)))
            .chain(counts.into_iter().flat_map(|(name, count)| count.map(|v| (name, v))));
        for (name, value) in values {
            if value < 1 {
                return Some(format!("the knob {name} must be at least 1 ({value} < 1)"));
            }
            if value > i128::from(u32::MAX) {
                return Some(format!("the knob {name} is too large ({value} > {})", u32::MAX));
            }
        }
        if self.minthreads.is_some() && self.maxthreads.is_some() {
            return Some(
                "the knobs minthreads and maxthreads exclude each other: minthreads is the block \
                 size that every launch must have"
                    .to_owned(),
            );
        }
        None
    }

    /// The directives, each on its line.
    pub(super) fn directives(&self) -> String {
        let mut text = String::new();
        let dims = [(".maxntid", self.maxthreads), (".reqntid", self.minthreads)];
        for (directive, value) in dims {
            if let Some([x, y, z]) = value {
                let _ = write!(text, "\n{directive} {x}, {y}, {z}");
            }
        }
        let counts = [(".minnctapersm", self.blocks_per_sm), (".maxnreg", self.maxregs)];
        for (directive, value) in counts {
            if let Some(value) = value {
                let _ = write!(text, "\n{directive} {value}");
            }
        }
        if let Some([x, y, z]) = self.cluster {
            let _ = write!(text, "\n.explicitcluster\n.reqnctapercluster {x}, {y}, {z}");
        }
        text
    }
}

#[cfg(not(ptyx_device))]
impl Knobs<'_> {
    /// These knobs of a launch together with those of the kernel's attribute, over which the launch's go.
    ///
    /// # Errors
    /// Why they contradict each other: code is compiled for the attribute's number of threads.
    pub(super) fn with(self, of_kernel: &KernelKnobs) -> core::result::Result<Self, String> {
        let dims = |dims: [u32; 3]| dims.map(i128::from);
        let text = |[x, y, z]: Dims| format!("{x} x {y} x {z}");
        let product = |dims: Dims| dims.iter().product::<i128>();
        if let Some(threads) = of_kernel.threads.map(dims) {
            let other = self.minthreads.or(self.maxthreads).filter(|other| *other != threads);
            return match other {
                Some(other) => Err(format!(
                    "its attribute fixes blocks of {} threads, but this launch's knob minthreads or maxthreads is {}: remove that knob",
                    text(threads),
                    text(other)
                )),
                None => Ok(Knobs {
                    minthreads: Some(threads),
                    maxthreads: None,
                    ..self.counts(of_kernel)
                }),
            };
        }
        let Some(most) = of_kernel.maxthreads.map(dims) else { return Ok(self.counts(of_kernel)) };
        match self.minthreads.or(self.maxthreads) {
            Some(other) if product(other) > product(most) => Err(format!(
                "its attribute allows at most {} threads in a block, but this launch's knob minthreads or maxthreads is {}",
                product(most),
                text(other)
            )),
            Some(_) => Ok(self.counts(of_kernel)),
            None => Ok(Knobs { maxthreads: Some(most), ..self.counts(of_kernel) }),
        }
    }

    /// With the kernel's clusters, and its numbers of blocks and registers where the launch has none.
    fn counts(self, of_kernel: &KernelKnobs) -> Self {
        Knobs {
            blocks_per_sm: self.blocks_per_sm.or(of_kernel.blocks_per_sm.map(i128::from)),
            maxregs: self.maxregs.or(of_kernel.maxregs.map(i128::from)),
            cluster: of_kernel.cluster.map(|cluster| cluster.map(i128::from)),
            ..self
        }
    }
}

/// Writes knobs into PTX: directives at byte `at`, the alias wherever the entry is named.
/// The new text, and the entry's name in it.
///
/// # Errors
/// [`Error::BadName`] if the alias is not a PTX identifier, or is already used.
#[cfg(not(ptyx_device))]
pub(super) fn edit(
    ptx: &str,
    entry: &str,
    at: usize,
    knobs: &Knobs<'_>,
) -> Result<(String, String)> {
    let (before, after) = ptx.split_at_checked(at).ok_or_else(|| Error::Image {
        reason: format!("the place of the directives of {entry} is outside its PTX"),
    })?;
    let directives = knobs.directives();
    let Some(alias) = knobs.alias else {
        return Ok(([before, &directives, after].concat(), entry.to_owned()));
    };
    let is_taken = alias != entry && names(ptx, alias);
    if !is_identifier(alias) || ptyx_image::is_reserved(alias) || is_taken {
        return Err(Error::BadName { name: alias.to_owned() });
    }
    let text = [&rename(before, entry, alias), &directives, &rename(after, entry, alias)[..]];
    Ok((text.concat(), alias.to_owned()))
}

/// PTX ISA, "Identifiers": a letter, or one of `_ $ %` followed by more.
fn is_identifier(name: &str) -> bool {
    let follows = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    let mut chars = name.chars();
    match chars.next() {
        Some(first) if first.is_ascii_alphabetic() => chars.all(follows),
        Some('_' | '$') => name.len() > 1 && chars.all(follows),
        _ => false,
    }
}

/// Replaces the identifier `entry` and its parameters `<entry>_param_<number>`.
fn rename(text: &str, entry: &str, alias: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for (between, word) in words(text) {
        result.push_str(between);
        match word.strip_prefix(entry) {
            // `.reg` is a directive, whatever the kernel is called.
            Some(tail) if !between.ends_with('.') && (tail.is_empty() || is_parameter(tail)) => {
                result.push_str(alias);
                result.push_str(tail);
            }
            _ => result.push_str(word),
        }
    }
    result
}

/// Whether something in `ptx` is called `name`, other than in directives, file names and comments.
fn names(ptx: &str, name: &str) -> bool {
    let lines = ptx.lines().filter(|line| !line.trim_start().starts_with(".file"));
    let code = lines.map(|line| line.split("//").next().unwrap_or_default());
    code.flat_map(words).any(|(before, word)| word == name && !before.ends_with('.'))
}

/// The identifiers, numbers and keywords of a text, each with the text before it; the last one is
/// empty.
fn words(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let in_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '%');
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let Some(start) = text.find(in_name) else {
            rest = None;
            return Some((text, ""));
        };
        let (between, word) = text.split_at(start);
        let (word, behind) = word.split_at(word.find(|c| !in_name(c)).unwrap_or(word.len()));
        rest = Some(behind);
        Some((between, word))
    })
}

fn is_parameter(tail: &str) -> bool {
    tail.strip_prefix("_param_")
        .is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PTX: &str = ".visible .entry k(\n.param .u64 k_param_0\n)\n{\nld.param.u64 %k, \
                       [k_param_0+4]; call k2; // k_param_x\n}\n";

    fn at() -> usize {
        PTX.find(')').map_or(0, |at| at + 1)
    }

    #[test]
    fn no_knobs_leave_the_text_alone() {
        let (text, entry) = edit(PTX, "k", at(), &Knobs::NONE).unwrap();
        assert_eq!((text.as_str(), entry.as_str()), (PTX, "k"));
        assert!(Knobs::NONE.is_none());
    }

    #[test]
    fn directives_have_their_exact_text() {
        let knobs = Knobs {
            maxthreads: Some([42, 1, 1]),
            blocks_per_sm: Some(42),
            maxregs: Some(42),
            ..Knobs::NONE
        };
        let (text, _) = edit(PTX, "k", at(), &knobs).unwrap();
        let head = ")\n.maxntid 42, 1, 1\n.minnctapersm 42\n.maxnreg 42\n{";
        assert!(text.contains(head), "{text}");
        let knobs = Knobs { minthreads: Some([42, 1, 1]), ..Knobs::NONE };
        let (text, _) = edit(PTX, "k", at(), &knobs).unwrap();
        assert!(text.contains(")\n.reqntid 42, 1, 1\n{"), "{text}");
        for other in [".maxntid", ".minnctapersm", ".maxnreg"] {
            assert!(!text.contains(other), "{text}");
        }
    }

    #[test]
    fn clusters_of_the_attribute() {
        let of_kernel = KernelKnobs { cluster: Some([2, 1, 1]), ..KernelKnobs::default() };
        let knobs = Knobs::NONE.with(&of_kernel).unwrap();
        let (text, _) = edit(PTX, "k", at(), &knobs).unwrap();
        assert!(text.contains(")\n.explicitcluster\n.reqnctapercluster 2, 1, 1\n{"), "{text}");
    }

    #[test]
    fn the_alias_replaces_the_entry_and_its_parameters_only() {
        let knobs = Knobs { alias: Some("profiled"), ..Knobs::NONE };
        let (text, entry) = edit(PTX, "k", at(), &knobs).unwrap();
        assert_eq!(entry, "profiled");
        let expected = ".visible .entry profiled(\n.param .u64 profiled_param_0\n)\n{\n\
                        ld.param.u64 %k, [profiled_param_0+4]; call k2; // k_param_x\n}\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_kernel_may_be_called_like_a_directive() {
        let ptx = ".entry reg(.param .u64 reg_param_0)\n{\n.reg .b64 %r;\n}\n";
        let knobs = Knobs { alias: Some("x"), ..Knobs::NONE };
        let (text, _) = edit(ptx, "reg", ptx.find('\n').unwrap(), &knobs).unwrap();
        assert_eq!(text, ".entry x(.param .u64 x_param_0)\n{\n.reg .b64 %r;\n}\n");
    }

    #[test]
    fn an_alias_must_be_free() {
        for taken in ["ret", "vprintf", "malloc", "k2"] {
            let knobs = Knobs { alias: Some(taken), ..Knobs::NONE };
            assert!(matches!(edit(PTX, "k", at(), &knobs), Err(Error::BadName { .. })), "{taken}");
        }
        let knobs = Knobs { alias: Some("k"), ..Knobs::NONE };
        assert_eq!(edit(PTX, "k", at(), &knobs).unwrap().0, PTX);
        assert!(names(".extern .func other;", "other"));
        assert!(!names(".file 1 \"/other/x.rs\"\n.other %r; // other", "other"));
    }

    #[test]
    fn an_alias_must_be_an_identifier() {
        for good in ["x", "A1_$", "_a", "$b"] {
            assert!(is_identifier(good), "{good}");
        }
        for bad in ["", "_", "1a", "a b", "a\0", "a-b", "%r", "é"] {
            let knobs = Knobs { alias: Some(bad), ..Knobs::NONE };
            assert!(matches!(edit(PTX, "k", at(), &knobs), Err(Error::BadName { .. })), "{bad}");
        }
    }

    #[test]
    fn values_that_no_kernel_can_have() {
        let text = |knobs: Knobs<'_>| knobs.problem().unwrap();
        assert!(text(Knobs { maxregs: Some(0), ..Knobs::NONE }).contains("(0 < 1)"));
        assert!(text(Knobs { maxthreads: Some([1, -3, 1]), ..Knobs::NONE }).contains("(-3 < 1)"));
        let large = Knobs { blocks_per_sm: Some(1 << 40), ..Knobs::NONE };
        assert!(text(large).contains("(1099511627776 > 4294967295)"));
        let both = Knobs { minthreads: Some([1; 3]), maxthreads: Some([1; 3]), ..Knobs::NONE };
        assert!(text(both).contains("exclude"));
        assert_eq!(Knobs { maxregs: Some(1), ..Knobs::NONE }.problem(), None);
    }
}
