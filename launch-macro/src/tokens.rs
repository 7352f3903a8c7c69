//! Reading tokens: the little of `syn` that these macros need.

use proc_macro::{Delimiter, Group, Spacing, Span, TokenStream, TokenTree};

/// `(tokens)` at `span`.
pub(crate) fn parenthesised(tokens: TokenStream, span: Span) -> TokenTree {
    let mut group = Group::new(Delimiter::Parenthesis, tokens);
    group.set_span(span);
    group.into()
}

/// The text of an identifier.
pub(crate) fn ident_text(token: &TokenTree) -> Option<String> {
    match token {
        TokenTree::Ident(ident) => Some(ident.to_string()),
        _ => None,
    }
}

pub(crate) fn is_ident(token: Option<&TokenTree>, text: &str) -> bool {
    matches!(token, Some(TokenTree::Ident(ident)) if ident.to_string() == text)
}

pub(crate) fn is_punct(token: Option<&TokenTree>, character: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == character)
}

/// A punctuation character glued to the next one, as in the first two of `<<<`.
pub(crate) fn is_joint(token: Option<&TokenTree>, character: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct))
        if punct.as_char() == character && punct.spacing() == Spacing::Joint)
}

/// A group of the given kind.
pub(crate) fn as_group(token: Option<&TokenTree>, delimiter: Delimiter) -> Option<&Group> {
    match token {
        Some(TokenTree::Group(group)) if group.delimiter() == delimiter => Some(group),
        _ => None,
    }
}

/// The tokens without the invisible groups around what a `macro_rules!` macro passes on.
pub(crate) fn flat(tokens: &[TokenTree]) -> Vec<TokenTree> {
    let tokens = tokens.iter().flat_map(|token| match as_group(Some(token), Delimiter::None) {
        Some(group) => flat(&group.stream().into_iter().collect::<Vec<_>>()),
        None => vec![token.clone()],
    });
    tokens.collect()
}

/// The place of a list of tokens: its first one, or `otherwise` when it is empty.
pub(crate) fn span_of(tokens: &[TokenTree], otherwise: Span) -> Span {
    tokens.first().map_or(otherwise, TokenTree::span)
}

/// Splits at the commas outside of brackets, generic arguments and closure parameters.
///
/// Angle brackets count where they can only be generics: after `::`, and where an expression or a
/// type begins (`<T as Trait>::f`). A `|` begins the parameters of a closure where no operand
/// precedes it. A trailing comma makes no empty last part.
pub(crate) fn split_at_commas(tokens: &[TokenTree]) -> Vec<Vec<TokenTree>> {
    let mut parts = vec![Vec::new()];
    let mut depth = 0usize;
    let mut in_closure_parameters = false;
    for (at, token) in tokens.iter().enumerate() {
        let part = parts.last().map_or(&[][..], Vec::as_slice);
        if depth == 0 && is_punct(Some(token), '|') {
            in_closure_parameters = !in_closure_parameters && !ends_operand(part.last());
        } else if is_punct(Some(token), '<') {
            let after_colons = is_punct(part.last(), ':');
            if depth > 0 || after_colons || part.is_empty() {
                depth += 1;
            }
        } else if is_punct(Some(token), '>') && depth > 0 {
            let arrow =
                at > 0 && (is_joint(tokens.get(at - 1), '-') || is_joint(tokens.get(at - 1), '='));
            if !arrow {
                depth -= 1;
            }
        }
        if depth == 0 && !in_closure_parameters && is_punct(Some(token), ',') {
            parts.push(Vec::new());
        } else if let Some(part) = parts.last_mut() {
            part.push(token.clone());
        }
    }
    if parts.last().is_some_and(Vec::is_empty) {
        parts.pop();
    }
    parts
}

/// Splits a list of types, of fields or of parameters at its commas: there, every angle bracket
/// belongs to generics. A trailing comma makes no empty last part.
pub(crate) fn split_types_at_commas(tokens: &[TokenTree]) -> Vec<Vec<TokenTree>> {
    let mut parts = vec![Vec::new()];
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate() {
        if is_punct(Some(token), '<') {
            depth += 1;
        } else if is_punct(Some(token), '>') && !is_joint(tokens.get(at.wrapping_sub(1)), '-') {
            depth = depth.saturating_sub(1);
        }
        if depth == 0 && is_punct(Some(token), ',') {
            parts.push(Vec::new());
        } else if let Some(part) = parts.last_mut() {
            part.push(token.clone());
        }
    }
    if parts.last().is_some_and(Vec::is_empty) {
        parts.pop();
    }
    parts
}

/// Whether an operand can end with this token, so that a `|` after it is an operator.
fn ends_operand(token: Option<&TokenTree>) -> bool {
    match token {
        None => false,
        Some(TokenTree::Ident(ident)) => {
            !matches!(ident.to_string().as_str(), "move" | "async" | "static" | "return" | "break")
        }
        Some(TokenTree::Punct(punct)) => matches!(punct.as_char(), '?' | '>'),
        Some(TokenTree::Group(_) | TokenTree::Literal(_)) => true,
    }
}

/// The index just after the `>` that closes the `<` at `open`.
pub(crate) fn after_angles(tokens: &[TokenTree], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        if is_punct(Some(token), '<') {
            depth += 1;
        } else if is_punct(Some(token), '>') && !is_joint(tokens.get(at.wrapping_sub(1)), '-') {
            depth -= 1;
            if depth == 0 {
                return Some(at + 1);
            }
        }
    }
    None
}
