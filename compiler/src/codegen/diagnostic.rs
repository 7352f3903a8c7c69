//! Messages for the user, in rustc's form: what, where, the source line, why, the way out.

use std::fmt::{self, Write};
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::device_pass::is_local;
use crate::llvm::{LlvmError, Place};

/// A message for the user about some kernels or about the code generator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Diagnostic {
    /// The kernels that it is about; none if it is about all.
    kernels: Vec<String>,
    /// What is wrong; stands behind the first kernel's name.
    text: String,
    /// Where.
    place: Option<Box<Place>>,
    /// Explanations, in order. Further lines of one are indented like its first.
    notes: Vec<String>,
    /// The way out.
    help: Option<String>,
}

impl Diagnostic {
    /// A message about no kernel in particular.
    pub(crate) fn new(text: impl Into<String>) -> Diagnostic {
        Diagnostic {
            kernels: Vec::new(),
            text: text.into(),
            place: None,
            notes: Vec::new(),
            help: None,
        }
    }

    /// A message that starts with a kernel's name; `text` is what follows it, with its space.
    pub(super) fn of_kernel(kernel: &str, text: impl Into<String>) -> Diagnostic {
        Diagnostic { kernels: vec![kernel.to_owned()], ..Diagnostic::new(text) }
    }

    /// The same about `kernel`, unless a kernel is named already.
    pub(super) fn within(self, kernel: &str) -> Diagnostic {
        match self.kernels.is_empty() {
            true => Diagnostic { text: format!(": {}", self.text), ..self }.about(kernel),
            false => self,
        }
    }

    /// The same with a place, unless it has one.
    pub(super) fn or_at(self, place: Option<Place>) -> Diagnostic {
        if self.place.is_some() { self } else { self.at(place) }
    }

    fn about(mut self, kernel: &str) -> Diagnostic {
        self.kernels.push(kernel.to_owned());
        self
    }

    pub(super) fn at(self, place: Option<Place>) -> Diagnostic {
        Diagnostic { place: place.filter(|place| place.line != 0).map(Box::new), ..self }
    }

    pub(super) fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    pub(super) fn help(self, text: impl Into<String>) -> Diagnostic {
        Diagnostic { help: Some(text.into()), ..self }
    }

    /// Where it is.
    pub(super) fn place(&self) -> Option<&Place> {
        self.place.as_deref()
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

/// The way out of what is no mistake of the user's.
pub(super) const GAP: &str = "this is a gap in Ptyx: please report it, with the kernel's files that \
    `PTYX_DUMP=folder cargo build` writes";

impl From<LlvmError> for Diagnostic {
    fn from(error: LlvmError) -> Diagnostic {
        match error {
            LlvmError::Message(reason) => {
                let reason = reason.trim().replace('\n', "\n  ");
                let text = format!("LLVM can't compile it for the device:\n  {reason}");
                Diagnostic::new(text).help(GAP)
            }
            // The toolchain's errors say themselves what to do.
            other => Diagnostic::new(other.to_string()),
        }
    }
}

/// In the order of the source, each mistake once: kernels that share one share the message.
pub(super) fn in_order(found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut ordered: Vec<Diagnostic> = Vec::new();
    for diagnostic in found {
        let known = ordered
            .iter_mut()
            .find(|known| **known == diagnostic || known.says_the_same(&diagnostic));
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

/// `file:line:column`, without what is unknown. Files of a registry's crates are shown below the
/// crate's directory, `smallvec-1.16.5/src/lib.rs`.
pub(super) fn in_file(place: &Place) -> String {
    let directory = Path::new(&place.directory).file_name();
    let mut text = match directory.filter(|_| !is_local(&place.path())) {
        Some(krate) => format!("{}/{}", krate.display(), place.file),
        None => place.file.clone(),
    };
    for number in [place.line, place.column].into_iter().take_while(|number| *number != 0) {
        let _ = write!(text, ":{number}");
    }
    text
}

/// A line of the source and a place in it.
pub(super) struct SourceLine {
    text: String,
    /// The place, in bytes from the start; `None` if only the line is known.
    at: Option<usize>,
}

impl SourceLine {
    /// Reads it; `None` if the file is not there any more, or has changed beyond recognition.
    pub(super) fn read(place: &Place) -> Option<SourceLine> {
        const LONGEST: usize = 300;
        let file = fs::read(place.path()).ok()?;
        let index = usize::try_from(place.line).ok()?.checked_sub(1)?;
        let line = file.split(|&byte| byte == b'\n').nth(index)?;
        let text = std::str::from_utf8(line).ok()?.trim_end().to_owned();
        let at = usize::try_from(place.column).ok()?.checked_sub(1);
        let fits = at.is_none_or(|at| text.get(at..).is_some_and(|rest| !rest.is_empty()));
        (fits && text.len() <= LONGEST && !text.trim().is_empty())
            .then_some(SourceLine { text, at })
    }

    /// The macro that is called at the place, as it stands there: `println!`.
    pub(super) fn macro_call(&self) -> Option<&str> {
        let name = self.marked();
        name.ends_with('!').then_some(name)
    }

    /// What the place points to: a path, with `!` if it is a macro's; a signature if only the line
    /// is known.
    fn marked(&self) -> &str {
        let Some(at) = self.at else {
            let signature = self.text.split('{').next().unwrap_or(&self.text);
            return signature.trim();
        };
        let rest = &self.text[at..];
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        let path = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let path = rest[..path].trim_end_matches(':').len();
        let is_macro = rest[path..].starts_with('!') && !rest[path..].starts_with("!=");
        match path {
            0 => &rest[..rest.chars().next().map_or(0, char::len_utf8)],
            _ if is_macro => &rest[..=path],
            _ => &rest[..path],
        }
    }

    /// The line and what stands below it, tabs as four spaces.
    fn shown(&self) -> (String, String) {
        let marked = self.marked();
        let before = match self.at {
            Some(at) => &self.text[..at],
            None => &self.text[..self.text.len() - self.text.trim_start().len()],
        };
        let width = |text: &str| text.chars().map(|c| if c == '\t' { 4 } else { 1 }).sum();
        let underline = " ".repeat(width(before)) + &"^".repeat(width(marked).max(1));
        (self.text.replace('\t', "    "), underline)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str, column: usize) -> SourceLine {
        SourceLine { text: text.to_owned(), at: column.checked_sub(1) }
    }

    #[test]
    fn paths_and_macros_are_marked() {
        for (text, column, marked) in [
            ("    std::fs::read(path)", 5, "std::fs::read"),
            ("x.lock().unwrap()", 3, "lock"),
            ("println!(\"{n}\");", 1, "println!"),
            ("std::println!()", 1, "std::println!"),
            ("a != b", 1, "a"),
            ("Vec::<u32>::new()", 1, "Vec"),
            ("x + 1", 3, "+"),
            ("ä", 1, "ä"),
            ("  pub fn plain(n: u32) {", 0, "pub fn plain(n: u32)"),
        ] {
            assert_eq!(line(text, column).marked(), marked, "{text}");
        }
        assert_eq!(line("dbg!(n)", 1).macro_call(), Some("dbg!"));
        assert_eq!(line("dbg(n)", 1).macro_call(), None);
    }

    #[test]
    fn tabs_are_four_wide() {
        let (text, underline) = line("\tä = read(x)", 7).shown();
        assert_eq!((text.as_str(), underline.as_str()), ("    ä = read(x)", "        ^^^^"));
    }

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

    #[test]
    fn files_that_changed_are_not_quoted() {
        let file = std::env::temp_dir().join(format!("ptyx-source-{}", std::process::id()));
        fs::write(&file, "one\n\n\tthree\n").unwrap();
        let read = |line, column| {
            let file = file.display().to_string();
            SourceLine::read(&Place { file, line, column, ..Place::default() }).is_some()
        };
        assert!(read(1, 1) && read(3, 2) && read(3, 0));
        assert!(!read(0, 1) && !read(1, 9) && !read(2, 1) && !read(9, 1));
        fs::remove_file(&file).unwrap();
    }
}
