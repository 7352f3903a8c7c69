//! The grammar of format strings, that part of std's which C's printf can do.

use std::fmt::Write as _;

/// Text, or a value and how to print it.
#[derive(Debug, PartialEq)]
pub(super) enum Piece {
    Text(String),
    Value(Name, Spec),
}

/// Which value.
#[derive(Debug, PartialEq)]
pub(super) enum Name {
    /// `{}`
    Next,
    /// `{0}`
    Place(usize),
    /// `{name}`
    Named(String),
}

/// How to print it: the fields of `ptyx::device::print::Spec`.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Spec {
    /// `<`: true, `>`: false.
    left: Option<bool>,
    plus: bool,
    alternate: bool,
    zero: bool,
    width: Option<u32>,
    precision: Option<u32>,
    style: Style,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Style {
    #[default]
    Display,
    Debug,
    LowerHex,
    UpperHex,
    Octal,
    LowerExp,
    UpperExp,
    Pointer,
}

/// Takes a format apart; every mistake in it is reported.
pub(super) fn parse(text: &str) -> Result<Vec<Piece>, Vec<String>> {
    let mut pieces = Vec::new();
    let mut problems = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        let (before, brace) = (&rest[..at], &rest[at..]);
        plain.push_str(before);
        if brace.starts_with("{{") || brace.starts_with("}}") {
            plain.push_str(&brace[..1]);
            rest = &brace[2..];
        } else if let Some(after) = brace.strip_prefix('}') {
            problems.push("a single `}` in the format: write `}}`".to_owned());
            rest = after;
        } else if let Some(end) = brace.find('}') {
            if !plain.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut plain)));
            }
            match value(&brace[1..end]) {
                Ok((name, spec)) => pieces.push(Piece::Value(name, spec)),
                Err(message) => problems.push(format!("`{}`: {message}", &brace[..=end])),
            }
            rest = &brace[end + 1..];
        } else {
            problems
                .push("a `{` in the format has no `}`: write `{{` for the character".to_owned());
            rest = "";
        }
    }
    plain.push_str(rest);
    if plain.contains('\0') {
        problems.push("a format for C's printf can't hold the character \\0".to_owned());
    }
    if !plain.is_empty() {
        pieces.push(Piece::Text(plain));
    }
    if problems.is_empty() { Ok(pieces) } else { Err(problems) }
}

/// `name:spec`, what stands between the braces.
fn value(inside: &str) -> Result<(Name, Spec), String> {
    let (name, spec) = inside.split_once(':').unwrap_or((inside, ""));
    let name = match name.trim() {
        "" => Name::Next,
        name if name.bytes().all(|byte| byte.is_ascii_digit()) => {
            Name::Place(name.parse().map_err(|_| "the argument's number is too large")?)
        }
        name if is_identifier(name) => Name::Named(name.to_owned()),
        _ => {
            return Err(
                "only a variable's name can stand here: pass the value as an argument".to_owned()
            );
        }
    };
    Ok((name, parse_spec(spec.trim_end())?))
}

fn is_identifier(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next().is_some_and(|c| c == '_' || c.is_alphabetic())
        && characters.all(|c| c == '_' || c.is_alphanumeric())
        && name != "_"
}

/// `[[fill]align][sign]['#']['0'][width]['.' precision]type`
fn parse_spec(spec: &str) -> Result<Spec, String> {
    let mut parsed = Spec::default();
    let mut rest = spec;
    let mut characters = rest.chars();
    let (first, second) = (characters.next(), characters.next());
    if let Some(fill) = first
        && matches!(second, Some('<' | '>' | '^'))
    {
        if fill != ' ' {
            return Err(format!(
                "C's printf can't fill with `{fill}`, only with spaces or, by `0`, zeros"
            ));
        }
        rest = &rest[fill.len_utf8()..];
    }
    if let Some(after) = rest.strip_prefix(['<', '>', '^']) {
        if rest.starts_with('^') {
            return Err("C's printf can't centre: use `<` or `>`".to_owned());
        }
        parsed.left = Some(rest.starts_with('<'));
        rest = after;
    }
    for (character, flag) in
        [('+', &mut parsed.plus), ('#', &mut parsed.alternate), ('0', &mut parsed.zero)]
    {
        if let Some(after) = rest.strip_prefix(character) {
            *flag = true;
            rest = after;
        }
    }
    parsed.width = number(&mut rest)?;
    if let Some(after) = rest.strip_prefix('.') {
        rest = after;
        parsed.precision = number(&mut rest)?;
        if parsed.precision.is_none() && !rest.contains('$') {
            return Err("a precision is a number: write `.3`".to_owned());
        }
    }
    if rest.contains('$') || rest.starts_with('*') {
        return Err("a width or precision must be a number in the format".to_owned());
    }
    parsed.style = match rest {
        "" => Style::Display,
        "?" => Style::Debug,
        "x" => Style::LowerHex,
        "X" => Style::UpperHex,
        "o" => Style::Octal,
        "e" => Style::LowerExp,
        "E" => Style::UpperExp,
        "p" => Style::Pointer,
        "b" => return Err("C's printf can't print binary: use `{:x}`".to_owned()),
        _ => {
            return Err(format!(
                "unknown format `{rest}`: kernels print `?`, `x`, `X`, `o`, `e`, `E`, `p` and nothing"
            ));
        }
    };
    if parsed.alternate && parsed.style == Style::Octal {
        return Err("C's printf has no `0o` before octal numbers: leave out `#`".to_owned());
    }
    Ok(parsed)
}

/// The number that `rest` begins with.
fn number(rest: &mut &str) -> Result<Option<u32>, String> {
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if digits == 0 || rest[digits..].starts_with('$') {
        return Ok(None);
    }
    let value = rest[..digits].parse().ok().filter(|&value| value < 1000);
    *rest = &rest[digits..];
    value.map(Some).ok_or_else(|| "widths and precisions are below 1000".to_owned())
}

impl Piece {
    /// The piece as the constructor of `ptyx::device::print::Piece`, with a comma.
    pub(super) fn to_rust(&self) -> String {
        match self {
            Piece::Text(text) => format!("::ptyx::device::print::Piece::Text({text:?}),"),
            Piece::Value(_, spec) => {
                let mut fields = String::new();
                let Spec { left, plus, alternate, zero, width, precision, style } = spec;
                let optional = |value: Option<String>| match value {
                    Some(value) => format!("::core::option::Option::Some({value})"),
                    None => "::core::option::Option::None".to_owned(),
                };
                let _ = write!(
                    fields,
                    "left: {}, plus: {plus}, alternate: {alternate}, zero: {zero}, width: {}, precision: {}, \
                     style: ::ptyx::device::print::Style::{style:?}",
                    optional(left.map(|left| left.to_string())),
                    optional(width.map(|width| width.to_string())),
                    optional(precision.map(|precision| precision.to_string())),
                );
                format!(
                    "::ptyx::device::print::Piece::Value(::ptyx::device::print::Spec {{ {fields} }}),"
                )
            }
        }
    }

    /// The most bytes that the piece takes in the C format: `%` doubled; `"0x%-+#0999.999lls"`.
    pub(super) fn capacity(&self) -> usize {
        match self {
            Piece::Text(text) => text.len() + text.matches('%').count(),
            Piece::Value(..) => 20,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(text: &str) -> Spec {
        match parse(text).unwrap().remove(0) {
            Piece::Value(_, spec) => spec,
            piece => panic!("{piece:?}"),
        }
    }

    #[test]
    fn text_and_names() {
        let pieces = parse("a {{{}}} {0} {name:?}!").unwrap();
        let expected = [
            Piece::Text("a {".into()),
            Piece::Value(Name::Next, Spec::default()),
            Piece::Text("} ".into()),
            Piece::Value(Name::Place(0), Spec::default()),
            Piece::Text(" ".into()),
            Piece::Value(
                Name::Named("name".into()),
                Spec { style: Style::Debug, ..Spec::default() },
            ),
            Piece::Text("!".into()),
        ];
        assert_eq!(pieces, expected);
    }

    #[test]
    fn specs() {
        assert_eq!(spec("{:5}"), Spec { width: Some(5), ..Spec::default() });
        assert_eq!(spec("{:<5}"), Spec { left: Some(true), width: Some(5), ..Spec::default() });
        assert_eq!(
            spec("{: >+8.3e}"),
            Spec {
                left: Some(false),
                plus: true,
                width: Some(8),
                precision: Some(3),
                style: Style::LowerExp,
                ..Spec::default()
            }
        );
        assert_eq!(
            spec("{:#010x}"),
            Spec {
                alternate: true,
                zero: true,
                width: Some(10),
                style: Style::LowerHex,
                ..Spec::default()
            }
        );
        assert_eq!(spec("{:0}"), Spec { zero: true, ..Spec::default() });
    }

    #[test]
    fn every_mistake_is_reported() {
        let problems = parse("{:b} {:^5} } {:*<3} {:1$} {:.*} {a.b} {:y} {:#o} {").unwrap_err();
        assert_eq!(
            problems,
            [
                "`{:b}`: C's printf can't print binary: use `{:x}`",
                "`{:^5}`: C's printf can't centre: use `<` or `>`",
                "a single `}` in the format: write `}}`",
                "`{:*<3}`: C's printf can't fill with `*`, only with spaces or, by `0`, zeros",
                "`{:1$}`: a width or precision must be a number in the format",
                "`{:.*}`: a precision is a number: write `.3`",
                "`{a.b}`: only a variable's name can stand here: pass the value as an argument",
                "`{:y}`: unknown format `y`: kernels print `?`, `x`, `X`, `o`, `e`, `E`, `p` and nothing",
                "`{:#o}`: C's printf has no `0o` before octal numbers: leave out `#`",
                "a `{` in the format has no `}`: write `{{` for the character",
            ]
        );
    }
}
