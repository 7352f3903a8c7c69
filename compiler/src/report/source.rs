//! Lines of the user's source, for messages.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use super::is_local;
use crate::llvm::Place;

/// `file:line:column`, without what is unknown. Files of a registry's crates are shown below the
/// crate's directory, `smallvec-1.16.5/src/lib.rs`.
pub(crate) fn in_file(place: &Place) -> String {
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
pub(crate) struct SourceLine {
    text: String,
    /// The place, in bytes from the start; `None` if only the line is known.
    at: Option<usize>,
}

impl SourceLine {
    /// Reads it; `None` if the file is not there any more, or has changed beyond recognition.
    pub(crate) fn read(place: &Place) -> Option<SourceLine> {
        const MAX_CHARS: usize = 300;
        let file = fs::read(place.path()).ok()?;
        let index = usize::try_from(place.line).ok()?.checked_sub(1)?;
        let line = file.split(|&byte| byte == b'\n').nth(index)?;
        let text = std::str::from_utf8(line).ok()?.trim_end().to_owned();
        let at = usize::try_from(place.column).ok()?.checked_sub(1);
        let fits = at.is_none_or(|at| text.get(at..).is_some_and(|rest| !rest.is_empty()));
        (fits && text.len() <= MAX_CHARS && !text.trim().is_empty())
            .then_some(SourceLine { text, at })
    }

    /// The macro that is called at the place, as written there: `println!`.
    pub(crate) fn macro_call(&self) -> Option<&str> {
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

    /// The line and the marker below it, with tabs as four spaces.
    pub(super) fn shown(&self) -> (String, String) {
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
