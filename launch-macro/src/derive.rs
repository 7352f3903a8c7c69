//! `derive(DeviceCopy)`: every field must be `DeviceCopy`, and is made valid by its own type.

use crate::tokens::{
    Problem, after_angles, as_group, ident_text, is_ident, is_punct, report, source, span_of,
    split_at_commas,
};
use proc_macro::{Delimiter, Span, TokenStream, TokenTree};

pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = item.into_iter().collect();
    match Struct::parse(&tokens) {
        Ok(parsed) => parsed.expand(),
        Err(problem) => report(&[problem]),
    }
}

/// A struct, as far as the derive needs it.
struct Struct {
    name: TokenTree,
    /// Between `<` and `>`, without defaults.
    parameters: Vec<Parameter>,
    /// After `where`.
    conditions: Vec<TokenTree>,
    fields: Vec<Field>,
}

struct Parameter {
    /// As declared: `T: Bound`, `const N: usize`.
    declared: Vec<TokenTree>,
    /// As used: `T`, `N`; a lifetime, which is an error: `'a`.
    used: Vec<TokenTree>,
    is_type: bool,
}

struct Field {
    /// A name or a number.
    name: String,
    kind: Vec<TokenTree>,
}

impl Struct {
    fn parse(tokens: &[TokenTree]) -> Result<Self, Problem> {
        let Some(at) = tokens.iter().position(|token| is_ident(Some(token), "struct")) else {
            let keyword = tokens
                .iter()
                .find(|token| is_ident(Some(token), "enum") || is_ident(Some(token), "union"));
            return Err(Problem::new(
                keyword.map_or_else(|| span_of(tokens, Span::call_site()), TokenTree::span),
                "DeviceCopy can only be derived for structs: which bytes are values of an enum or a \
                 union only its author knows (`unsafe impl DeviceCopy` with `make_valid`)",
            ));
        };
        let Some(name) = tokens.get(at + 1).cloned() else {
            return Err(Problem::new(Span::call_site(), "the struct has no name"));
        };
        let mut rest = &tokens[at + 2..];
        let mut parameters = Vec::new();
        if is_punct(rest.first(), '<')
            && let Some(after) = after_angles(rest, 0)
        {
            parameters =
                split_at_commas(&rest[1..after - 1]).into_iter().map(Parameter::parse).collect();
            rest = &rest[after..];
        }
        let lifetime = parameters.iter().find(|parameter| is_punct(parameter.used.first(), '\''));
        if let Some(lifetime) = lifetime {
            return Err(Problem::new(
                span_of(&lifetime.used, Span::call_site()),
                "a DeviceCopy type borrows nothing, since only one side has what it would borrow: \
                 remove the lifetime",
            ));
        }
        let body = rest.iter().position(|token| as_group(Some(token), Delimiter::Brace).is_some());
        let tuple = as_group(rest.first(), Delimiter::Parenthesis);
        let fields = match (tuple, body) {
            (Some(group), _) => unnamed_fields(group.stream()),
            (None, Some(at)) => match &rest[at] {
                TokenTree::Group(group) => named_fields(group.stream()),
                _ => Vec::new(),
            },
            (None, None) => Vec::new(),
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
        Ok(Self { name, parameters, conditions, fields })
    }

    fn expand(self) -> TokenStream {
        let mut output = source("#[automatically_derived] unsafe impl <");
        // `source` can't hold an open bracket of this kind alone, so nothing is lost by appending.
        for parameter in &self.parameters {
            output.extend(parameter.declared.iter().cloned());
            output.extend(source(","));
        }
        output.extend(source("> ::ptyx::device::DeviceCopy for"));
        output.extend([self.name]);
        output.extend(source("<"));
        for parameter in &self.parameters {
            output.extend(parameter.used.iter().cloned());
            output.extend(source(","));
        }
        output.extend(source("> where"));
        let has_conditions = !self.conditions.is_empty();
        let ends_with_comma = is_punct(self.conditions.last(), ',');
        output.extend(self.conditions);
        if has_conditions && !ends_with_comma {
            output.extend(source(","));
        }
        for parameter in self.parameters.iter().filter(|parameter| parameter.is_type) {
            output.extend(parameter.used.iter().cloned());
            output.extend(source(": ::ptyx::device::DeviceCopy,"));
        }
        let mut statements = source("let _ = this;");
        for field in self.fields {
            let kind: TokenStream = field.kind.into_iter().collect();
            statements.extend(source("unsafe"));
            let mut call = source("<");
            call.extend(kind);
            call.extend(source(&format!(
                "as ::ptyx::device::DeviceCopy>::make_valid(&raw mut (*this).{})",
                field.name
            )));
            statements.extend([TokenTree::from(proc_macro::Group::new(Delimiter::Brace, call))]);
        }
        let mut function = source("#[inline(always)] unsafe fn make_valid(this: *mut Self)");
        function.extend([TokenTree::from(proc_macro::Group::new(Delimiter::Brace, statements))]);
        output.extend([TokenTree::from(proc_macro::Group::new(Delimiter::Brace, function))]);
        output
    }
}

impl Parameter {
    fn parse(tokens: Vec<TokenTree>) -> Self {
        let mut declared: Vec<TokenTree> = Vec::new();
        for token in tokens {
            // A default, `T = f32`, stands in no impl.
            if is_punct(Some(&token), '=') {
                break;
            }
            declared.push(token);
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

fn named_fields(stream: TokenStream) -> Vec<Field> {
    let fields = split_at_commas(&stream.into_iter().collect::<Vec<_>>());
    let fields = fields.iter().filter_map(|tokens| {
        let colon = tokens.iter().position(|token| is_punct(Some(token), ':'))?;
        let name = ident_text(tokens.get(colon.checked_sub(1)?)?)?;
        Some(Field { name, kind: tokens[colon + 1..].to_vec() })
    });
    fields.collect()
}

fn unnamed_fields(stream: TokenStream) -> Vec<Field> {
    let fields = split_at_commas(&stream.into_iter().collect::<Vec<_>>());
    let fields = fields.iter().enumerate().map(|(number, tokens)| {
        let mut kind = &tokens[..];
        while is_punct(kind.first(), '#') {
            kind = kind.get(2..).unwrap_or_default();
        }
        if is_ident(kind.first(), "pub") {
            kind = &kind[1..];
            let restricted = as_group(kind.first(), Delimiter::Parenthesis).is_some_and(|group| {
                matches!(group.stream().into_iter().next(), Some(TokenTree::Ident(ident))
                    if ["crate", "self", "super", "in"].contains(&ident.to_string().as_str()))
            });
            if restricted {
                kind = &kind[1..];
            }
        }
        Field { name: number.to_string(), kind: kind.to_vec() }
    });
    fields.collect()
}
