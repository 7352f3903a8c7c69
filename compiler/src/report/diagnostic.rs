//! Messages for the user, in rustc's form: what, where, the source line, why, the way out.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::source::{SourceLine, in_file};
use crate::llvm::{LlvmError, Place};

/// A message for the user about some kernels or about the code generator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Diagnostic {
    /// The kernels that it is about; none if it is about all.
    kernels: Vec<String>,
    /// What is wrong; follows the first kernel's name.
    text: String,
    /// Where.
    place: Option<Box<Place>>,
    /// The launch of the kernel, if it is about one.
    launch: Option<Box<Launched>>,
    /// Explanations, in order. Further lines of one are indented like its first.
    notes: Vec<String>,
    /// The way out.
    help: Option<String>,
}

/// Where a kernel is launched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Launched {
    /// The launch.
    pub(crate) place: Place,
    /// The name of the crate that it is in.
    pub(crate) crate_name: String,
}

impl Diagnostic {
    /// A message about no kernel in particular.
    pub(crate) fn new(text: impl Into<String>) -> Diagnostic {
        Diagnostic {
            kernels: Vec::new(),
            text: text.into(),
            place: None,
            launch: None,
            notes: Vec::new(),
            help: None,
        }
    }

    /// A message that starts with a kernel's name; `text` is what follows it, with its space.
    pub(crate) fn of_kernel(kernel: &str, text: impl Into<String>) -> Diagnostic {
        Diagnostic { kernels: vec![kernel.to_owned()], ..Diagnostic::new(text) }
    }

    /// The same about `kernel`, unless a kernel is named already.
    pub(crate) fn within(self, kernel: &str) -> Diagnostic {
        match self.kernels.is_empty() {
            true => Diagnostic { text: format!(": {}", self.text), ..self }.about(kernel),
            false => self,
        }
    }

    /// The same with a place, unless it has one.
    pub(crate) fn or_at(self, place: Option<Place>) -> Diagnostic {
        if self.place.is_some() { self } else { self.at(place) }
    }

    fn about(mut self, kernel: &str) -> Diagnostic {
        self.kernels.push(kernel.to_owned());
        self
    }

    pub(crate) fn at(self, place: Option<Place>) -> Diagnostic {
        Diagnostic { place: place.filter(|place| place.line != 0).map(Box::new), ..self }
    }

    pub(crate) fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    pub(crate) fn help(self, text: impl Into<String>) -> Diagnostic {
        Diagnostic { help: Some(text.into()), ..self }
    }

    /// Where it is.
    pub(crate) fn place(&self) -> Option<&Place> {
        self.place.as_deref()
    }

    /// The same about a kernel that is launched there.
    pub(crate) fn launched(self, place: &Place, crate_name: &str) -> Diagnostic {
        let (place, crate_name) = (place.clone(), crate_name.to_owned());
        let launch = (place.line != 0).then(|| Box::new(Launched { place, crate_name }));
        Diagnostic { launch, ..self }
    }

    /// The launch of the kernel.
    pub(crate) fn launch(&self) -> Option<&Launched> {
        self.launch.as_deref()
    }

    /// Whether two messages read the same.
    fn reads_the_same(&self, other: &Diagnostic) -> bool {
        let Diagnostic { kernels, text, place, launch: _, notes, help } = self;
        *kernels == other.kernels
            && *text == other.text
            && *place == other.place
            && *notes == other.notes
            && *help == other.help
    }

    /// Whether two messages say the same of the same place.
    fn says_the_same(&self, other: &Diagnostic) -> bool {
        self.text == other.text
            && self.place.as_deref().map(position) == other.place.as_deref().map(position)
            && self.place.is_some()
    }
}

fn position(place: &Place) -> (&str, u32, u32) {
    (&place.file, place.line, place.column)
}

/// The help for what is not the user's mistake.
pub(crate) const GAP: &str = "this is a gap in Ptyx: please report it, with the kernel's files that \
    `PTYX_DUMP=folder cargo build` writes";

impl From<LlvmError> for Diagnostic {
    fn from(error: LlvmError) -> Diagnostic {
        match error {
            LlvmError::Message(reason) => {
                let reason = reason.trim().replace('\n', "\n  ");
                let text = format!("LLVM can't compile it for the device:\n  {reason}");
                Diagnostic::new(text).help(GAP)
            }
            // The toolchain's errors say what to do.
            other => Diagnostic::new(other.to_string()),
        }
    }
}

/// In the order of the source, each mistake once: kernels that share one share the message.
pub(crate) fn in_order(found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut ordered: Vec<Diagnostic> = Vec::new();
    for diagnostic in found {
        let known = ordered
            .iter_mut()
            .find(|known| known.reads_the_same(&diagnostic) || known.says_the_same(&diagnostic));
        let Some(known) = known else {
            ordered.push(diagnostic);
            continue;
        };
        for kernel in diagnostic.kernels {
            if !known.kernels.contains(&kernel) {
                known.kernels.push(kernel);
            }
        }
    }
    // What has no place comes last.
    ordered.sort_by(|a, b| {
        let key = |d: &Diagnostic| {
            let (file, line, column) = d.place.as_deref().map_or(("", 0, 0), position);
            (d.place.is_none(), file.to_owned(), line, column)
        };
        key(a).cmp(&key(b))
    });
    ordered
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(kernel) = self.kernels.first() {
            write!(f, "kernel `{kernel}`")?;
        }
        f.write_str(&self.text)?;
        let line = self.place.as_ref().map_or_else(String::new, |place| place.line.to_string());
        let margin = " ".repeat(line.len());
        if let Some(place) = &self.place {
            write!(f, "\n{margin}--> {}", in_file(place))?;
            if let Some(source) = SourceLine::read(place) {
                let (text, underline) = source.shown();
                write!(f, "\n{margin} |\n{line} | {text}\n{margin} | {underline}\n{margin} |")?;
            }
        }
        let others = self.kernels.get(1..).unwrap_or_default();
        let shared = match others {
            [] => None,
            [one] => Some(format!("the same in kernel `{one}`")),
            [one, rest @ ..] => Some(format!("the same in kernel `{one}` and {} more", rest.len())),
        };
        for note in self.notes.iter().chain(&shared) {
            let indented = note.replace('\n', &format!("\n{margin}         "));
            write!(f, "\n{margin} = note: {indented}")?;
        }
        if let Some(help) = &self.help {
            write!(f, "\n{margin} = help: {help}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(kernel: &str, line: u32) -> Diagnostic {
        let place = Place { file: "/no/file.rs".into(), line, column: 3, ..Place::default() };
        Diagnostic::of_kernel(kernel, " is wrong").at(Some(place)).help("write it right")
    }

    #[test]
    fn a_message_without_its_source() {
        assert_eq!(
            found("a::k", 12).note("one\ntwo").to_string(),
            "kernel `a::k` is wrong\n  --> /no/file.rs:12:3\n   = note: one\n           two\n   = \
             help: write it right"
        );
        assert_eq!(Diagnostic::new("lost").within("k").to_string(), "kernel `k`: lost");
    }

    #[test]
    fn kernels_share_messages_in_the_order_of_the_source() {
        let all = vec![found("c", 9), Diagnostic::new("last"), found("a", 3), found("b", 9)];
        let texts: Vec<String> = in_order(all).iter().map(ToString::to_string).collect();
        assert_eq!(texts.len(), 3);
        assert!(texts[0].starts_with("kernel `a` is wrong"));
        assert!(texts[1].starts_with("kernel `c` is wrong"));
        assert!(texts[1].contains("= note: the same in kernel `b`\n"), "{}", texts[1]);
        assert_eq!(texts[2], "last");
    }
}
