//! `print!` and `println!` for kernels: takes the format string apart at compile time.
//!
//! What comes out is a list of pieces (`ptyx::device::print::Piece`), from which the device library
//! builds one C format string per types of the arguments, also at compile time.

mod spec;

use crate::output::{Problem, report_expression, source};
use crate::tokens::{ident_text, is_punct, parenthesised, span_of, split_at_commas};
use proc_macro::{Delimiter, Ident, Span, TokenStream, TokenTree};
use spec::{Name, Piece};

/// What CUDA's printf takes besides the format.
const MOST_ARGUMENTS: usize = 32;

pub(crate) fn expand(input: TokenStream, newline: bool) -> TokenStream {
    let tokens: Vec<TokenTree> = input.into_iter().collect();
    match parse(&tokens, newline) {
        Ok(print) => print.expand(),
        Err(problems) => report_expression(&problems),
    }
}

/// A print, with every argument given a place in the list of values.
struct Print {
    pieces: Vec<Piece>,
    /// The arguments as the user wrote them, then the captured identifiers.
    values: Vec<TokenStream>,
    /// For each piece that prints a value, in order: which one.
    order: Vec<usize>,
}

fn parse(tokens: &[TokenTree], newline: bool) -> Result<Print, Vec<Problem>> {
    let parts = split_at_commas(tokens);
    let (text, span) = match parts.split_first() {
        None => (String::new(), Span::call_site()),
        Some((first, _)) => format_text(first)?,
    };
    let text = if newline { text + "\n" } else { text };
    let mut problems = Vec::new();
    let mut arguments = Arguments::read(parts.get(1..).unwrap_or_default(), &mut problems);
    let pieces = spec::parse(&text).unwrap_or_else(|messages| {
        problems.extend(messages.into_iter().map(|message| Problem::new(span, message)));
        Vec::new()
    });
    let mut order = Vec::new();
    for piece in &pieces {
        if let Piece::Value(name, _) = piece {
            match arguments.resolve(name, span) {
                Ok(place) => order.push(place),
                Err(message) => problems.push(Problem::new(span, message)),
            }
        }
    }
    if problems.is_empty() {
        problems.extend(arguments.unused());
    }
    if order.len() > MOST_ARGUMENTS {
        problems.push(Problem::new(
            span,
            format!(
                "a kernel prints at most {MOST_ARGUMENTS} values at once, these are {}",
                order.len()
            ),
        ));
    }
    if problems.is_empty() {
        Ok(Print { pieces, values: arguments.values, order })
    } else {
        Err(problems)
    }
}

/// The text of the literal that an argument list begins with.
fn format_text(tokens: &[TokenTree]) -> Result<(String, Span), Vec<Problem>> {
    let span = span_of(tokens, Span::call_site());
    match tokens {
        [TokenTree::Literal(literal)] => {
            if let Some(text) = crate::unescape::string(&literal.to_string()) {
                return Ok((text, span));
            }
        }
        // As a `macro_rules!` macro hands on a fragment.
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::None => {
            return format_text(&group.stream().into_iter().collect::<Vec<_>>());
        }
        _ => {}
    }
    Err(vec![Problem::new(span, "the format must be a string literal: it is read at compile time")])
}

/// The arguments after the format.
struct Arguments {
    values: Vec<TokenStream>,
    /// Name, place and position of each named one; captured identifiers join as they come.
    names: Vec<(String, usize)>,
    spans: Vec<Span>,
    used: Vec<bool>,
    /// How many were given without a name.
    positional: usize,
    /// The next one that `{}` takes.
    next: usize,
}

impl Arguments {
    fn read(parts: &[Vec<TokenTree>], problems: &mut Vec<Problem>) -> Self {
        let mut arguments = Self {
            values: Vec::new(),
            names: Vec::new(),
            spans: Vec::new(),
            used: Vec::new(),
            positional: 0,
            next: 0,
        };
        for part in parts {
            let span = span_of(part, Span::call_site());
            let mut value = &part[..];
            let named = part
                .first()
                .and_then(ident_text)
                .filter(|_| is_punct(part.get(1), '=') && !is_punct(part.get(2), '='));
            if let Some(name) = named {
                arguments.names.push((name, arguments.values.len()));
                value = &part[2..];
            } else if arguments.names.is_empty() {
                arguments.positional += 1;
            } else {
                problems.push(Problem::new(
                    span,
                    "arguments without a name come before those with one",
                ));
            }
            if value.is_empty() {
                problems.push(Problem::new(span, "an argument is missing"));
            }
            arguments.spans.push(span);
            arguments.used.push(false);
            arguments.values.push(value.iter().cloned().collect());
        }
        arguments
    }

    /// The place of the value that a piece names; an unknown name captures a variable.
    fn resolve(&mut self, name: &Name, span: Span) -> Result<usize, String> {
        let place = match name {
            Name::Next => {
                self.next += 1;
                self.next - 1
            }
            Name::Place(place) => *place,
            Name::Named(name) => match self.names.iter().find(|(known, _)| known == name) {
                Some(&(_, place)) => place,
                None => {
                    self.names.push((name.clone(), self.values.len()));
                    self.values.push(TokenTree::from(Ident::new(name, span)).into());
                    self.spans.push(span);
                    self.used.push(false);
                    self.values.len() - 1
                }
            },
        };
        if !matches!(name, Name::Named(_)) && place >= self.positional {
            return Err(format!(
                "the format names argument {place}, but there are {} without a name (counted from 0)",
                self.positional
            ));
        }
        self.used[place] = true;
        Ok(place)
    }

    fn unused(&self) -> Vec<Problem> {
        let unused = self.used.iter().zip(&self.spans).filter(|(used, _)| !**used);
        unused
            .map(|(_, span)| Problem::new(*span, "the format does not use this argument"))
            .collect()
    }
}

impl Print {
    /// ```text
    /// match (&(a), &(b),) { __values => {
    ///     struct __PtyxFormat;
    ///     impl ::ptyx::device::print::Format for __PtyxFormat { const PIECES: .. = &[..]; }
    ///     ::ptyx::device::print::emit::<__PtyxFormat, _, CAPACITY>((__values.0, __values.1,))
    /// } }
    /// ```
    fn expand(self) -> TokenStream {
        let pieces: Vec<String> = self.pieces.iter().map(Piece::to_rust).collect();
        let capacity: usize = self.pieces.iter().map(Piece::capacity).sum::<usize>() + 1;
        let order: Vec<String> =
            self.order.iter().map(|place| format!("__values.{place},")).collect();
        let mut values = TokenStream::new();
        for value in self.values {
            let span =
                value.clone().into_iter().next().map_or_else(Span::call_site, |token| token.span());
            values.extend(source("&"));
            values.extend([parenthesised(value, Span::call_site().located_at(span))]);
            values.extend(source(","));
        }
        let body = source(&format!(
            "{{
                __values => {{
                    struct __PtyxFormat;
                    impl ::ptyx::device::print::Format for __PtyxFormat {{
                        const PIECES: &'static [::ptyx::device::print::Piece] = &[{}];
                    }}
                    ::ptyx::device::print::emit::<__PtyxFormat, _, {capacity}>(({}))
                }}
            }}",
            pieces.concat(),
            order.concat(),
        ));
        let mut output = source("match");
        output.extend([parenthesised(values, Span::call_site())]);
        output.extend(body);
        output
    }
}
