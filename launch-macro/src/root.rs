//! What the expansions call the crate `ptyx`.
//!
//! - `ptyx`'s own `macro_rules!` macros put `[$crate]` in front of their input, so that they work wherever
//!   they are re-exported.
//! - Attributes and derives accept the path: `#[kernel(crate = gpu::ptyx)]`, `#[ptyx(crate = gpu::ptyx)]`.
//! - Otherwise the manifest says whether the dependency is renamed: `gpu = { package = "ptyx" }`.

use crate::manifest;
use crate::tokens::{as_group, is_ident, is_punct, split_at_commas};
use proc_macro::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use std::cell::RefCell;

/// The name, unless another one is given.
const NAME: &str = "ptyx";

thread_local! {
    /// The path of the crate for the macro that is expanded now; empty: `::ptyx`.
    static ROOT: RefCell<Vec<TokenTree>> = const { RefCell::new(Vec::new()) };
}

/// Expands `input` without the `[$crate]` that may precede it.
pub(crate) fn of_macro(
    input: TokenStream,
    expand: impl FnOnce(TokenStream) -> TokenStream,
) -> TokenStream {
    let mut tokens = input.clone().into_iter();
    let given = tokens.next().and_then(|first| {
        let inner: Vec<TokenTree> =
            as_group(Some(&first), Delimiter::Bracket)?.stream().into_iter().collect();
        (inner.len() == 1 && is_ident(inner.first(), "$crate")).then_some(inner)
    });
    match given {
        Some(root) => with(Some(root), || expand(tokens.collect())),
        None => with(None, || expand(input)),
    }
}

/// Expands an attribute without the `crate = path` among its arguments.
pub(crate) fn of_attribute(
    attribute: TokenStream,
    expand: impl FnOnce(TokenStream) -> TokenStream,
) -> TokenStream {
    let tokens: Vec<TokenTree> = attribute.clone().into_iter().collect();
    let (mut root, mut rest) = (None, TokenStream::new());
    for option in split_at_commas(&tokens) {
        match path_in(&option) {
            Some(path) => root = Some(path),
            None => {
                rest.extend(option);
                rest.extend([TokenTree::from(Punct::new(',', Spacing::Alone))]);
            }
        }
    }
    match root {
        Some(root) => with(Some(root), || expand(rest)),
        None => with(None, || expand(attribute)),
    }
}

/// Expands a derive of an item that may have an attribute `#[ptyx(crate = path)]`.
pub(crate) fn of_derive(
    item: TokenStream,
    expand: impl FnOnce(TokenStream) -> TokenStream,
) -> TokenStream {
    let tokens: Vec<TokenTree> = item.clone().into_iter().collect();
    let in_attribute = |pair: &[TokenTree]| {
        let inner: Vec<TokenTree> =
            as_group(pair.get(1), Delimiter::Bracket)?.stream().into_iter().collect();
        let is_ours = is_punct(pair.first(), '#') && is_ident(inner.first(), NAME);
        let options = as_group(inner.get(1).filter(|_| is_ours), Delimiter::Parenthesis)?.stream();
        let options: Vec<TokenTree> = options.into_iter().collect();
        split_at_commas(&options).iter().find_map(|option| path_in(option))
    };
    let root = tokens.windows(2).find_map(in_attribute);
    with(root, || expand(item))
}

/// The path in `crate = path`.
fn path_in(option: &[TokenTree]) -> Option<Vec<TokenTree>> {
    let is_given =
        is_ident(option.first(), "crate") && is_punct(option.get(1), '=') && option.len() > 2;
    is_given.then(|| option[2..].to_vec())
}

/// Runs `expand` with the crate's path, or what the manifest says if that is not given.
fn with(root: Option<Vec<TokenTree>>, expand: impl FnOnce() -> TokenStream) -> TokenStream {
    let root = root.or_else(|| {
        let name = manifest::name_of(NAME)?;
        Some(absolute(&name, Span::call_site()))
    });
    ROOT.set(root.unwrap_or_default());
    let output = expand();
    // Tokens are invalid in the next expansion.
    ROOT.take();
    output
}

/// `::name`
pub(crate) fn absolute(name: &str, span: Span) -> Vec<TokenTree> {
    let colon = |spacing| {
        let mut punct = Punct::new(':', spacing);
        punct.set_span(span);
        TokenTree::from(punct)
    };
    vec![colon(Spacing::Joint), colon(Spacing::Alone), Ident::new(name, span).into()]
}

/// What the tokens of an expansion that an error may be about are resolved as: `$crate`'s own span if
/// that is given. rustc joins the spans of an expression only if all of them are of one macro; else the
/// whole `launch!` would be marked.
pub(crate) fn site() -> Span {
    let given =
        ROOT.with_borrow(|root| root.first().filter(|_| root.len() == 1).map(TokenTree::span));
    given.unwrap_or_else(Span::call_site)
}

/// `::name` at `span`; for `ptyx`, what it is called here.
pub(crate) fn path_of(name: &str, span: Span) -> Vec<TokenTree> {
    let root = ROOT.with_borrow(Vec::clone);
    if name != NAME || root.is_empty() {
        return absolute(name, span);
    }
    let place = |mut token: TokenTree| {
        // Names are still looked up as where they were written: `$crate` is one of a macro's.
        token.set_span(token.span().located_at(span));
        token
    };
    root.into_iter().map(place).collect()
}

/// Our own source with each `::ptyx` replaced by the crate's name here.
pub(crate) fn applied(stream: TokenStream) -> TokenStream {
    if ROOT.with_borrow(Vec::is_empty) {
        return stream;
    }
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    let mut output = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        let is_root = is_punct(tokens.get(at), ':')
            && is_punct(tokens.get(at + 1), ':')
            && is_ident(tokens.get(at + 2), NAME);
        if is_root {
            output.extend(path_of(NAME, tokens[at + 2].span()));
            at += 3;
            continue;
        }
        output.push(match &tokens[at] {
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), applied(group.stream()));
                inner.set_span(group.span());
                inner.into()
            }
            token => token.clone(),
        });
        at += 1;
    }
    output.into_iter().collect()
}
