//! `#[unroll]` on loops: in kernels and in `unroll!`.
//!
//! Rust has no attributes on expressions that a crate could define. `#[kernel]` and `unroll!` own
//! their tokens, so they take the attribute away and put a mark into the loop's body.

use crate::output::{Problem, report, source};
use crate::tokens::{as_group, ident_text, is_ident, is_punct, span_of};
use proc_macro::{Delimiter, Group, Span, TokenStream, TokenTree};

const FORMS: &str = "write `#[unroll]` (all of it), `#[unroll(4)]` or `#[unroll(never)]`";

/// `unroll!(for ..)`, `unroll!(4, for ..)`, `unroll!(never, for ..)`.
pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = input.into_iter().collect();
    let mut problems = Vec::new();
    let (how, from) = match (tokens.first(), tokens.get(1)) {
        (Some(first), Some(_)) if is_punct(tokens.get(1), ',') => {
            (mark(std::slice::from_ref(first), first.span(), &mut problems), 2)
        }
        _ => (Some(mark_source("full")), 0),
    };
    let rest = &tokens[from.min(tokens.len())..];
    let mut output = Vec::new();
    match (how, loop_body(rest)) {
        (Some(how), Some(body)) => {
            output.extend(rest[..body].iter().cloned());
            output.extend(marked(&rest[body], how));
            output.extend(rest[body + 1..].iter().cloned());
        }
        (_, None) => problems.push(Problem::new(
            span_of(rest, Span::call_site()),
            "unroll! takes a loop: `unroll!(for i in 0..8 { .. })`, `unroll!(4, for ..)` or \
             `unroll!(never, for ..)`",
        )),
        (None, _) => {}
    }
    let rewritten = rewrite(output.into_iter().collect(), &mut problems);
    let mut stream = report(&problems);
    stream.extend(rewritten);
    stream
}

/// The same tokens with each `#[unroll]` turned into a mark in its loop.
pub(crate) fn rewrite(stream: TokenStream, problems: &mut Vec<Problem>) -> TokenStream {
    // New groups have less precise spans than the user's.
    if !mentions_unroll(&stream) {
        return stream;
    }
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    let mut output: Vec<TokenTree> = Vec::with_capacity(tokens.len());
    // Marks of loops whose bodies come later, by the body's place.
    let mut pending: Vec<(usize, TokenStream)> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if let Some((attribute, arguments)) = attribute(&tokens[at..]) {
            let how = mark(&arguments, attribute, problems);
            match loop_body(&tokens[at + 2..]) {
                Some(body) => pending.extend(how.map(|how| (at + 2 + body, how))),
                None => problems.push(Problem::new(
                    attribute,
                    format!("#[unroll] goes on a `for`, `while` or `loop`; {FORMS}"),
                )),
            }
            at += 2;
            continue;
        }
        let token = match pending.iter().position(|(body, _)| *body == at) {
            Some(found) => marked(&tokens[at], pending.swap_remove(found).1),
            None => vec![tokens[at].clone()],
        };
        output.extend(token.into_iter().map(|token| match token {
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), rewrite(group.stream(), problems));
                inner.set_span(group.span());
                TokenTree::Group(inner)
            }
            other => other,
        }));
        at += 1;
    }
    output.into_iter().collect()
}

fn mentions_unroll(stream: &TokenStream) -> bool {
    stream.clone().into_iter().any(|token| match &token {
        TokenTree::Group(group) => mentions_unroll(&group.stream()),
        token => is_ident(Some(token), "unroll"),
    })
}

/// The place of the `#[unroll..]` that `tokens` begin with, and what is in its parentheses.
fn attribute(tokens: &[TokenTree]) -> Option<(Span, Vec<TokenTree>)> {
    if !is_punct(tokens.first(), '#') {
        return None;
    }
    let inner: Vec<TokenTree> =
        as_group(tokens.get(1), Delimiter::Bracket)?.stream().into_iter().collect();
    if !is_ident(inner.first(), "unroll") {
        return None;
    }
    let arguments = match as_group(inner.get(1), Delimiter::Parenthesis) {
        Some(group) => group.stream().into_iter().collect(),
        None => inner[1..].to_vec(),
    };
    Some((inner[0].span(), arguments))
}

/// The mark for the arguments of an attribute.
fn mark(arguments: &[TokenTree], place: Span, problems: &mut Vec<Problem>) -> Option<TokenStream> {
    let text: String = arguments.iter().map(ToString::to_string).collect();
    let count: Option<u32> = text.parse().ok();
    match (&text[..], count) {
        ("", _) => Some(mark_source("full")),
        ("never", _) | (_, Some(1)) => Some(mark_source("never")),
        (_, Some(count)) if count > 1 => Some(mark_source(&format!("times::<{count}>"))),
        _ => {
            problems.push(Problem::new(span_of(arguments, place), FORMS));
            None
        }
    }
}

fn mark_source(call: &str) -> TokenStream {
    source(&format!("::ptyx::device::unroll::{call}();"))
}

/// A loop's body with the mark as its first statement.
fn marked(body: &TokenTree, mark: TokenStream) -> Vec<TokenTree> {
    let TokenTree::Group(group) = body else { return vec![body.clone()] };
    let mut stream = mark;
    stream.extend(group.stream());
    let mut group = Group::new(Delimiter::Brace, stream);
    group.set_span(body.span());
    vec![group.into()]
}

/// The index of the body of the loop that `tokens` begin with, after a label.
///
/// What a `for` iterates over and the condition of a `while` may have braces, too: those of blocks,
/// `match`, `if` and closures.
fn loop_body(tokens: &[TokenTree]) -> Option<usize> {
    let labelled = is_punct(tokens.first(), '\'') && is_punct(tokens.get(2), ':');
    let mut at = if labelled { 3 } else { 0 };
    let keyword = ident_text(tokens.get(at)?)?;
    if !matches!(&keyword[..], "for" | "while" | "loop") {
        return None;
    }
    at += 1;
    // Braces of `match` and `if` that are still to come.
    let mut foreign = 0;
    // Between `for` and `in`, between `let` and `=`.
    let mut in_pattern = keyword == "for";
    let mut before = keyword;
    while let Some(token) = tokens.get(at) {
        if as_group(Some(token), Delimiter::Brace).is_some() {
            let starts = matches!(
                &before[..],
                "in" | "while" | "unsafe" | "const" | "else" | "|" | "!" | "="
            );
            let is_loop = before == "loop" && at == 1 + if labelled { 3 } else { 0 };
            if is_loop || (!starts && !in_pattern && foreign == 0) {
                return Some(at);
            }
            if !starts && !in_pattern {
                foreign -= 1;
            }
            before = "}".into();
        } else {
            before = token.to_string();
            in_pattern = (in_pattern || before == "let") && !matches!(&before[..], "in" | "=");
            // `while let` and `if let` have no braces of their own; `else if` counts as one `if`.
            foreign += usize::from(matches!(&before[..], "match" | "if"));
        }
        at += 1;
    }
    None
}
