//! The text of `ptx!`: where its operands are, and mistakes that can be found without knowing any
//! instruction.

use crate::output::Problem;
use proc_macro::Span;

/// A string literal of the template.
pub(super) struct Line {
    pub(super) pieces: Vec<Piece>,
    pub(super) span: Span,
}

#[derive(Debug, PartialEq)]
pub(super) enum Piece {
    /// Text, with PTX's own braces.
    Text(String),
    /// The operand of this number.
    Operand(usize),
}

/// Reads the literals. `names` are those of the operands, in order.
pub(super) fn parse(
    texts: &[(String, Span)],
    names: &[Option<String>],
    problems: &mut Vec<Problem>,
) -> Vec<Line> {
    let mut next = 0;
    let mut lines = Vec::new();
    for (text, span) in texts {
        let pieces = pieces(text, names, &mut next).unwrap_or_else(|messages| {
            problems.extend(messages.into_iter().map(|message| Problem::new(*span, message)));
            Vec::new()
        });
        lines.push(Line { pieces, span: *span });
    }
    if problems.is_empty() {
        let mut scan = Scan::default();
        for (at, line) in lines.iter().enumerate() {
            scan.line(at, &text_of(line));
        }
        let wrong = scan.finish();
        problems.extend(wrong.into_iter().map(|(at, message)| Problem::new(texts[at].1, message)));
    }
    lines
}

/// The pieces of a literal; `next` is the operand that `{}` means.
fn pieces(
    text: &str,
    names: &[Option<String>],
    next: &mut usize,
) -> Result<Vec<Piece>, Vec<String>> {
    let mut pieces = vec![Piece::Text(String::new())];
    let mut wrong = Vec::new();
    let mut rest = text;
    let mut add = |piece: Piece| match (pieces.last_mut(), piece) {
        (Some(Piece::Text(last)), Piece::Text(more)) => last.push_str(&more),
        (_, piece) => pieces.push(piece),
    };
    while let Some(at) = rest.find(['{', '}']) {
        add(Piece::Text(rest[..at].to_owned()));
        let brace = &rest[at..at + 1];
        rest = &rest[at + 1..];
        if let Some(behind) = rest.strip_prefix(brace) {
            add(Piece::Text(brace.to_owned()));
            rest = behind;
            continue;
        }
        let Some((name, behind)) = rest.split_once('}').filter(|_| brace == "{") else {
            wrong.push(format!("a `{brace}` of PTX itself is written `{brace}{brace}`"));
            break;
        };
        rest = behind;
        match operand(name.trim(), names, next) {
            Ok(at) => add(Piece::Operand(at)),
            Err(message) => wrong.push(message),
        }
    }
    add(Piece::Text(rest.to_owned()));
    if wrong.is_empty() { Ok(pieces) } else { Err(wrong) }
}

/// The operand that a placeholder means.
fn operand(name: &str, names: &[Option<String>], next: &mut usize) -> Result<usize, String> {
    let place = match name {
        "" => {
            *next += 1;
            Some(*next - 1)
        }
        _ => name.parse().ok(),
    };
    if let Some(place) = place {
        return (place < names.len()).then_some(place).ok_or_else(|| {
            format!("there is no operand {place}: they are {}, counted from 0", names.len())
        });
    }
    let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if !is_name {
        return Err(match name.contains(':') {
            true => format!("`{{{name}}}`: operands of PTX have no modifiers"),
            false => {
                format!("`{{{name}}}` names no operand; PTX's own braces are `{{{{` and `}}}}`")
            }
        });
    }
    names.iter().position(|known| known.as_deref() == Some(name)).ok_or_else(|| {
        format!("there is no operand `{name}`; PTX's own braces are written `{{{{` and `}}}}`")
    })
}

/// The text of a line, with a word in place of each operand.
fn text_of(line: &Line) -> String {
    let pieces = line.pieces.iter().map(|piece| match piece {
        Piece::Text(text) => text,
        Piece::Operand(_) => "%operand",
    });
    pieces.collect()
}

/// Whether the template declares something, so that it needs a scope of its own: a copy of it, which
/// inlining makes, would declare the same again.
pub(super) fn needs_scope(lines: &[Line]) -> bool {
    let mut scan = Scan::default();
    for (at, line) in lines.iter().enumerate() {
        scan.line(at, &text_of(line));
    }
    scan.declares
}

/// Reads PTX as far as its punctuation goes.
#[derive(Default)]
struct Scan {
    /// Open brackets, each with its line, and for braces whether they are a scope.
    open: Vec<(char, usize, bool)>,
    /// The statement so far, and where it began.
    statement: String,
    start: usize,
    in_comment: bool,
    declares: bool,
    wrong: Vec<(usize, String)>,
}

impl Scan {
    fn line(&mut self, at: usize, text: &str) {
        for text in text.lines() {
            let mut rest = text;
            while let Some(character) = rest.chars().next() {
                if self.in_comment {
                    match rest.split_once("*/") {
                        Some((_, behind)) => {
                            self.in_comment = false;
                            rest = behind;
                            continue;
                        }
                        None => break,
                    }
                }
                if rest.starts_with("//") {
                    break;
                }
                if let Some(behind) = rest.strip_prefix("/*") {
                    self.in_comment = true;
                    rest = behind;
                    continue;
                }
                let behind = &rest[character.len_utf8()..];
                let is_colon = character == ':' && !behind.starts_with(':');
                self.character(at, character, is_colon && !self.statement.ends_with(':'));
                rest = behind;
            }
            self.character(at, ' ', false);
        }
    }

    fn character(&mut self, at: usize, character: char, ends_label: bool) {
        let is_blank = self.statement.trim().is_empty();
        match character {
            '{' | '[' | '(' => {
                let is_scope = character == '{' && is_blank;
                self.open.push((character, at, is_scope));
                if is_scope {
                    self.statement.clear();
                    return;
                }
            }
            '}' | ']' | ')' => {
                let opening = match character {
                    '}' => '{',
                    ']' => '[',
                    _ => '(',
                };
                match self.open.pop() {
                    Some((open, _, true)) if open == opening => {
                        self.end_scope();
                        return;
                    }
                    Some((open, ..)) if open == opening => {}
                    Some((open, line, _)) => {
                        self.wrong.push((line, format!("`{open}` is closed by `{character}`")));
                    }
                    None => {
                        self.wrong.push((at, format!("`{character}` closes nothing")));
                        return;
                    }
                }
            }
            ';' => {
                while let Some((open, line, false)) = self.open.last().copied() {
                    self.wrong.push((line, format!("`{open}` is not closed before the `;`")));
                    self.open.pop();
                }
                self.end_statement();
                return;
            }
            ':' if ends_label && !self.open.iter().any(|(.., is_scope)| !is_scope) => {
                self.declares = true;
                self.statement.clear();
                return;
            }
            _ => {}
        }
        if is_blank && !character.is_whitespace() {
            self.start = at;
        }
        self.statement.push(character);
    }

    fn end_statement(&mut self) {
        self.declares |= self.statement.trim().starts_with('.');
        self.statement.clear();
    }

    fn end_scope(&mut self) {
        if !self.statement.trim().is_empty() {
            self.not_ended();
        }
        self.statement.clear();
    }

    fn not_ended(&mut self) {
        let statement = self.statement.replace("%operand", "{..}");
        let text = format!("the instruction `{}` does not end with `;`", statement.trim());
        self.wrong.push((self.start, text));
    }

    fn finish(mut self) -> Vec<(usize, String)> {
        let open = std::mem::take(&mut self.open);
        // Text inside an unclosed bracket is not reported again.
        if open.is_empty() && !self.statement.trim().is_empty() {
            self.not_ended();
        }
        for (open, line, _) in open {
            self.wrong.push((line, format!("`{open}` is never closed")));
        }
        self.wrong
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(lines: &[&str]) -> Vec<(usize, String)> {
        let mut scan = Scan::default();
        lines.iter().enumerate().for_each(|(at, line)| scan.line(at, line));
        scan.finish()
    }

    fn declares(text: &str) -> bool {
        let mut scan = Scan::default();
        scan.line(0, text);
        scan.declares
    }

    #[test]
    fn fine_ptx() {
        for text in [
            "",
            "add.u32 %r1, %r2, 5;",
            "{ .reg .pred %p; setp.ne.u32 %p, %r1, 0; @%p bra L; L: }",
            "ld.global.v2.u32 {%r1, %r2}, [%rd1+8]; // done; {",
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], 4, [%r2];",
            "/* one\ntwo { */ exit;",
            "call (%r1), f, (%r2);",
        ] {
            assert_eq!(messages(&[text]), [], "{text}");
        }
    }

    #[test]
    fn mistakes() {
        let first = |lines: &[&str]| messages(lines).remove(0);
        assert_eq!(first(&["exit;", "add.u32 %operand, 1"]).0, 1);
        assert!(first(&["add.u32 %operand, 1"]).1.contains("`add.u32 {..}, 1` does not end"));
        assert!(first(&["{ add }"]).1.contains("does not end"));
        assert!(first(&["ld.u32 %r, [%rd;"]).1.contains("not closed before"));
        assert!(first(&["{ exit;"]).1.contains("never closed"));
        assert!(first(&["exit; }"]).1.contains("closes nothing"));
        assert!(first(&["ld [%r);"]).1.contains("is closed by"));
    }

    #[test]
    fn what_declares() {
        assert!(declares(".reg .b32 %t; mov.u32 %t, 0;") && declares("L1: exit;"));
        assert!(declares("{ .reg .b32 %t; }"));
        assert!(!declares("a.b::c %r1, [%r2];") && !declares("exit;"));
    }

    #[test]
    fn placeholders() {
        let names = [None, Some("b".to_owned())];
        let parse = |text: &str| pieces(text, &names, &mut 0);
        let text = |text: &str| Piece::Text(text.to_owned());
        assert_eq!(
            parse("a {} {b} {{{0}}}").unwrap(),
            [
                text("a "),
                Piece::Operand(0),
                text(" "),
                Piece::Operand(1),
                text(" {"),
                Piece::Operand(0),
                text("}")
            ]
        );
        for wrong in ["{2}", "{c}", "{b:e}", "{ a, }", "{", "}", "{} {} {}"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
