//! `#[device_static]`: gives a static the name by which host and device know it.

use crate::build;
use crate::output::{Problem, report, source};
use crate::tokens::{is_ident, is_joint, is_punct, parenthesised, span_of};
use proc_macro::{Span, TokenStream, TokenTree};

/// The parts of a static.
struct Static {
    /// Everything up to the `=`, including it.
    head: Vec<TokenTree>,
    name: TokenTree,
    ty: Vec<TokenTree>,
    /// The initial value.
    value: Vec<TokenTree>,
}

pub(crate) fn expand(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = item.into_iter().collect();
    let parsed = match attribute.into_iter().next() {
        Some(token) => Err(Problem::new(
            token.span(),
            "#[device_static] takes no arguments but `crate = path`",
        )),
        None => parse(tokens.clone()),
    };
    match parsed {
        Ok(parsed) => named(parsed),
        Err(problem) => {
            let mut output = report(&[problem]);
            output.extend(tokens);
            output
        }
    }
}

/// Takes a static apart: `pub static NAME: Type = value;`
fn parse(tokens: Vec<TokenTree>) -> Result<Static, Problem> {
    let wrong = |at: usize, message: &str| {
        Problem::new(span_of(&tokens[at.min(tokens.len())..], Span::call_site()), message)
    };
    let Some(keyword) = tokens.iter().position(|token| is_ident(Some(token), "static")) else {
        return Err(wrong(
            0,
            "#[device_static] stands above a static: `static TABLE: Constant<f32> = ..;`",
        ));
    };
    if is_ident(tokens.get(keyword + 1), "mut") {
        return Err(wrong(
            keyword + 1,
            "a device static is not `mut`: a `Constant` is set by the host, a `Global` holds atomics or is \
             written through `as_ptr`",
        ));
    }
    let Some(name) = tokens.get(keyword + 1).cloned() else {
        return Err(wrong(keyword, "a static has a name"));
    };
    let Some(equals) = equals_after(&tokens, keyword + 2) else {
        return Err(wrong(
            keyword,
            "a device static has an initial value: `Constant::new(..)`, `Global::zeroed()`",
        ));
    };
    let ty = tokens[keyword + 3..equals].to_vec();
    let mut head = tokens;
    let mut value = head.split_off(equals + 1);
    if is_punct(value.last(), ';') {
        value.pop();
    }
    Ok(Static { head, name, ty, value })
}

/// The `=` behind a type: none of those inside of its angle brackets.
fn equals_after(tokens: &[TokenTree], from: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().skip(from) {
        if is_punct(Some(token), '<') {
            depth += 1;
        } else if is_punct(Some(token), '>') && !is_joint(tokens.get(at - 1), '-') {
            depth = depth.saturating_sub(1);
        } else if depth == 0 && is_punct(Some(token), '=') {
            return Some(at);
        }
    }
    None
}

/// `head <Type>::named(value, key, name);`
fn named(Static { head, name, ty, value }: Static) -> TokenStream {
    let (line, column) = (name.span().line(), name.span().column());
    // Without the `r#` of a raw identifier, which `core::stringify!` would keep.
    let name = name.to_string();
    let value_span = span_of(&value, Span::call_site());
    let mut output: TokenStream = head.into_iter().collect();
    output.extend(source("<"));
    output.extend(ty);
    output.extend(source(">::named"));
    let mut arguments: TokenStream = value.into_iter().collect();
    arguments.extend(source(&format!(
        ", ::ptyx::statics::key(
             ::core::module_path!(),
             {name:?},
             {crate_id},
             [::core::line!(), ::core::column!(), {line}, {column}],
         ),
         ::core::concat!(::core::module_path!(), \"::\", {name:?})",
        crate_id = build::crate_id(),
    )));
    output.extend([parenthesised(arguments, value_span)]);
    output.extend(source(";"));
    output
}
