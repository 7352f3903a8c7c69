//! Structs and enums, as far as derives need them.

use crate::output::Problem;
use crate::tokens::{
    after_angles, as_group, ident_text, is_ident, is_joint, is_punct, span_of, split_at_commas,
};
use proc_macro::{Delimiter, Span, TokenStream, TokenTree};

/// A struct or an enum.
pub(super) struct Item {
    pub(super) name: TokenTree,
    /// Between `<` and `>`, without defaults.
    pub(super) parameters: Vec<Parameter>,
    /// After `where`.
    pub(super) conditions: Vec<TokenTree>,
    pub(super) body: Body,
}

pub(super) enum Body {
    Struct(Vec<Field>),
    Enum(Vec<Variant>, Representation),
}

/// Where an enum keeps its variant.
#[derive(Default)]
pub(super) struct Representation {
    /// `repr(C)`.
    pub(super) c: bool,
    /// The integer type of `repr(u8)` and the like.
    pub(super) integer: Option<String>,
}

pub(super) struct Variant {
    pub(super) name: String,
    pub(super) fields: Vec<Field>,
    /// After `=`.
    pub(super) discriminant: Option<TokenStream>,
}

pub(super) struct Parameter {
    /// As declared: `T: Bound`, `const N: usize`.
    pub(super) declared: Vec<TokenTree>,
    /// As used: `T`, `N`; a lifetime, which is an error: `'a`.
    pub(super) used: Vec<TokenTree>,
    pub(super) is_type: bool,
}

pub(super) struct Field {
    /// A name or a number.
    pub(super) name: String,
    pub(super) kind: TokenStream,
}

impl Item {
    pub(super) fn parse(tokens: &[TokenTree]) -> Result<Self, Problem> {
        let is_enum = |token: &TokenTree| is_ident(Some(token), "enum");
        let at = tokens.iter().position(|token| is_ident(Some(token), "struct") || is_enum(token));
        let Some(at) = at else {
            let keyword = tokens.iter().find(|token| is_ident(Some(token), "union"));
            return Err(Problem::new(
                keyword.map_or_else(|| span_of(tokens, Span::call_site()), TokenTree::span),
                "DeviceCopy can only be derived for structs and enums: only a union's author knows \
                 which bytes are valid values (write `unsafe impl DeviceCopy` with `is_valid` and \
                 `make_valid`)",
            ));
        };
        let Some(name) = tokens.get(at + 1).cloned() else {
            return Err(Problem::new(Span::call_site(), "the item has no name"));
        };
        let mut rest = &tokens[at + 2..];
        let mut parameters = Vec::new();
        if is_punct(rest.first(), '<')
            && let Some(after) = after_angles(rest, 0)
        {
            parameters =
                split_types(&rest[1..after - 1]).into_iter().map(Parameter::parse).collect();
            rest = &rest[after..];
        }
        let lifetime = parameters.iter().find(|parameter| is_punct(parameter.used.first(), '\''));
        if let Some(lifetime) = lifetime {
            return Err(Problem::new(
                span_of(&lifetime.used, Span::call_site()),
                "a DeviceCopy type can't borrow: the borrowed value would exist on the host or on the \
                 device, not on both; remove the lifetime",
            ));
        }
        let braces = rest.iter().find_map(|token| as_group(Some(token), Delimiter::Brace));
        let body = if is_enum(&tokens[at]) {
            let variants = braces.map(|group| variants(group.stream())).unwrap_or_default();
            if variants.is_empty() {
                return Err(Problem::new(
                    name.span(),
                    "an enum without variants has no value that could be stored in device memory",
                ));
            }
            Body::Enum(variants, Representation::read(&tokens[..at]))
        } else {
            let tuple = as_group(rest.first(), Delimiter::Parenthesis);
            Body::Struct(match (tuple, braces) {
                (Some(group), _) => unnamed_fields(group.stream()),
                (None, Some(group)) => named_fields(group.stream()),
                (None, None) => Vec::new(),
            })
        };
        let conditions = match rest.iter().position(|token| is_ident(Some(token), "where")) {
            Some(at) => rest[at + 1..]
                .iter()
                .take_while(|token| {
                    as_group(Some(token), Delimiter::Brace).is_none() && !is_punct(Some(token), ';')
                })
                .cloned()
                .collect(),
            None => Vec::new(),
        };
        Ok(Self { name, parameters, conditions, body })
    }
}

impl Parameter {
    fn parse(tokens: Vec<TokenTree>) -> Self {
        let mut declared: Vec<TokenTree> = Vec::new();
        for token in without_attributes(&tokens) {
            // An impl has no defaults such as `T = f32`.
            if is_punct(Some(token), '=') {
                break;
            }
            declared.push(token.clone());
        }
        let lifetime = is_punct(declared.first(), '\'');
        let constant = is_ident(declared.first(), "const");
        let used = match (lifetime, constant) {
            (true, _) => declared.iter().take(2).cloned().collect(),
            (false, true) => declared.iter().skip(1).take(1).cloned().collect(),
            (false, false) => declared.iter().take(1).cloned().collect(),
        };
        Self { declared, used, is_type: !lifetime && !constant }
    }
}

impl Representation {
    /// From the attributes before an enum.
    fn read(tokens: &[TokenTree]) -> Self {
        let mut found = Self::default();
        for token in tokens {
            let Some(attribute) = as_group(Some(token), Delimiter::Bracket) else { continue };
            let attribute = flattened(attribute.stream());
            if !is_ident(attribute.first(), "repr") {
                continue;
            }
            let Some(list) = as_group(attribute.get(1), Delimiter::Parenthesis) else { continue };
            for name in flattened(list.stream()).iter().filter_map(ident_text) {
                match &name[..] {
                    "C" => found.c = true,
                    "align" | "transparent" | "Rust" | "packed" => {}
                    _ => found.integer = Some(name),
                }
            }
        }
        found
    }
}

/// The tokens, including those in groups without delimiters, in which a macro passes on its fragments.
fn flattened(stream: TokenStream) -> Vec<TokenTree> {
    let mut tokens = Vec::new();
    for token in stream {
        match as_group(Some(&token), Delimiter::None) {
            Some(group) => tokens.extend(flattened(group.stream())),
            None => tokens.push(token),
        }
    }
    tokens
}

/// Splits types, fields or parameters at the commas outside of brackets and generic arguments. A
/// trailing comma makes no empty last part.
fn split_types(tokens: &[TokenTree]) -> Vec<Vec<TokenTree>> {
    let mut parts = vec![Vec::new()];
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        if is_punct(Some(token), '<') {
            depth += 1;
        } else if is_punct(Some(token), '>') && !is_joint(before, '-') {
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

/// What follows the attributes.
fn without_attributes(mut tokens: &[TokenTree]) -> &[TokenTree] {
    while is_punct(tokens.first(), '#') {
        tokens = tokens.get(2..).unwrap_or_default();
    }
    tokens
}

/// What follows the visibility, which may come from a macro: nothing, or `pub`, in a group.
fn without_visibility(mut tokens: &[TokenTree]) -> &[TokenTree] {
    if let Some(group) = as_group(tokens.first(), Delimiter::None) {
        let inside = flattened(group.stream());
        if inside.is_empty() || is_ident(inside.first(), "pub") {
            return &tokens[1..];
        }
    }
    if is_ident(tokens.first(), "pub") {
        tokens = &tokens[1..];
        let restricted = as_group(tokens.first(), Delimiter::Parenthesis).is_some_and(|group| {
            matches!(group.stream().into_iter().next(), Some(TokenTree::Ident(ident))
                if ["crate", "self", "super", "in"].contains(&ident.to_string().as_str()))
        });
        if restricted {
            tokens = &tokens[1..];
        }
    }
    tokens
}

fn named_fields(stream: TokenStream) -> Vec<Field> {
    let fields = split_types(&stream.into_iter().collect::<Vec<_>>());
    let fields = fields.iter().filter_map(|tokens| {
        let tokens = without_visibility(without_attributes(tokens));
        let colon = tokens.iter().position(|token| is_punct(Some(token), ':'))?;
        let name = flattened(tokens[..colon].iter().cloned().collect());
        let name = ident_text(name.last()?)?;
        Some(Field { name, kind: tokens[colon + 1..].iter().cloned().collect() })
    });
    fields.collect()
}

fn unnamed_fields(stream: TokenStream) -> Vec<Field> {
    let fields = split_types(&stream.into_iter().collect::<Vec<_>>());
    let fields = fields.iter().enumerate().map(|(number, tokens)| {
        let kind = without_visibility(without_attributes(tokens));
        Field { name: number.to_string(), kind: kind.iter().cloned().collect() }
    });
    fields.collect()
}

fn variants(stream: TokenStream) -> Vec<Variant> {
    let variants = split_at_commas(&stream.into_iter().collect::<Vec<_>>());
    let variants = variants.iter().filter_map(|tokens| {
        let tokens = without_visibility(without_attributes(tokens));
        let name = flattened(tokens.first()?.clone().into());
        let name = ident_text(name.first()?)?;
        let fields = match (
            as_group(tokens.get(1), Delimiter::Parenthesis),
            as_group(tokens.get(1), Delimiter::Brace),
        ) {
            (Some(group), _) => unnamed_fields(group.stream()),
            (None, Some(group)) => named_fields(group.stream()),
            (None, None) => Vec::new(),
        };
        let equals = tokens.iter().position(|token| is_punct(Some(token), '='));
        let discriminant = equals.map(|at| tokens[at + 1..].iter().cloned().collect());
        Some(Variant { name, fields, discriminant })
    });
    variants.collect()
}
