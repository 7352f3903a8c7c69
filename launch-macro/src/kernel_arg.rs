//! `derive(KernelArg)`: a struct of the host that a launch converts, field by field, into a struct of
//! the kernel.
//!
//! The derive sees only the host's struct. rustc finds out the types of the fields of the kernel's struct:
//! the expansion refers to the fields by name and lets their types be inferred.

use crate::launch::PASS_TRAITS;
use crate::output::{Problem, path, report, source};
use crate::tokens::{
    after_angles, as_group, flat, is_ident, is_punct, parenthesised, span_of, split_types_at_commas,
};
use proc_macro::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};

const FORM: &str = "name the kernel's struct, whose fields have the same names: \
    `#[kernel_arg(MeshView<'a>)]` above `struct Mesh<'a> { .. }`";

pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = item.into_iter().collect();
    match Struct::parse(&tokens) {
        Ok(parsed) => parsed.expand(),
        Err(problem) => report(&[problem]),
    }
}

/// The host's struct.
struct Struct {
    /// The kernel's structs that it can become.
    targets: Vec<Vec<TokenTree>>,
    name: TokenTree,
    /// Between `<` and `>`, without defaults: as declared, and as used.
    parameters: Vec<(Vec<TokenTree>, Vec<TokenTree>)>,
    /// After `where`.
    conditions: Vec<TokenTree>,
    fields: Vec<Field>,
}

struct Field {
    /// A name or a number.
    name: TokenTree,
    kind: Vec<TokenTree>,
}

impl Struct {
    fn parse(tokens: &[TokenTree]) -> Result<Self, Problem> {
        let Some(at) = tokens.iter().position(|token| is_ident(Some(token), "struct")) else {
            let is_keyword = |token: &&TokenTree| {
                ["enum", "union"].iter().any(|word| is_ident(Some(token), word))
            };
            let keyword = tokens.iter().find(is_keyword);
            return Err(Problem::new(
                keyword.map_or_else(|| span_of(tokens, Span::call_site()), TokenTree::span),
                "KernelArg can only be derived for structs: a launch converts the struct field by field",
            ));
        };
        let targets = targets(&tokens[..at])?;
        let Some(name) = tokens.get(at + 1).cloned() else {
            return Err(Problem::new(Span::call_site(), "the struct has no name"));
        };
        if targets.is_empty() {
            return Err(Problem::new(name.span(), FORM));
        }
        let mut rest = &tokens[at + 2..];
        let mut parameters = Vec::new();
        if is_punct(rest.first(), '<')
            && let Some(after) = after_angles(rest, 0)
        {
            parameters =
                split_types_at_commas(&rest[1..after - 1]).into_iter().map(parameter).collect();
            rest = &rest[after..];
        }
        let tuple = as_group(rest.first(), Delimiter::Parenthesis);
        let braces = rest.iter().find_map(|token| as_group(Some(token), Delimiter::Brace));
        let fields = match (tuple, braces) {
            (Some(group), _) => fields(group.stream(), false),
            (None, Some(group)) => fields(group.stream(), true),
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
        Ok(Self { targets, name, parameters, conditions, fields })
    }

    fn expand(&self) -> TokenStream {
        let mut output = TokenStream::new();
        for marker in ["::ptyx::launch::HostArg", "::ptyx::launch::ViewArg"] {
            output.extend(self.head("impl", source(marker)));
            output.extend([braces(TokenStream::new())]);
        }
        for target in &self.targets {
            output.extend(self.kernel_arg(target));
            output.extend(self.unpack(target));
            output.extend(self.prepare(target));
        }
        output
    }

    /// `impl<parameters> of_trait for Name<parameters> where conditions`
    fn head(&self, keywords: &str, of_trait: TokenStream) -> TokenStream {
        let mut head = source("#[automatically_derived]");
        head.extend(source(keywords));
        head.extend(source("<"));
        for (declared, _) in &self.parameters {
            head.extend(declared.iter().cloned());
            head.extend(source(","));
        }
        head.extend(source(">"));
        head.extend(of_trait);
        head.extend(source("for"));
        head.extend([self.name.clone()]);
        head.extend(source("<"));
        for (_, used) in &self.parameters {
            head.extend(used.iter().cloned());
            head.extend(source(","));
        }
        head.extend(source("> where"));
        head.extend(self.conditions.iter().cloned());
        head
    }

    /// Each field is lowered by its own rules, to its place in the kernel's struct.
    fn kernel_arg(&self, target: &[TokenTree]) -> TokenStream {
        let mut statements = source(PASS_TRAITS);
        statements.extend(source("let mut view = "));
        statements.extend(of_type("::core::mem::MaybeUninit", target));
        statements.extend(source("::uninit(); let pointer = view.as_mut_ptr();"));
        let mut writes = TokenStream::new();
        for field in &self.fields {
            let mut arguments = place("&raw mut (*pointer).", field);
            arguments.extend(source(","));
            arguments.extend(pass(field, place("self.", field)));
            arguments.extend(source(", cx"));
            writes.extend(call("lower_field", field, arguments));
            writes.extend(source("?;"));
        }
        statements.extend(source("unsafe"));
        statements.extend([braces(writes)]);
        statements.extend(source("::ptyx::Result::Ok(view)"));

        let mut body = source("type Unpack = Self;");
        body.extend(source("fn lower(self, cx: &mut ::ptyx::launch::ArgContext<'_>) -> "));
        body.extend(source("::ptyx::Result<::core::mem::MaybeUninit<"));
        body.extend(target.iter().cloned());
        body.extend(source(">>"));
        body.extend([braces(statements)]);
        let mut item = self.head("unsafe impl", of_type("::ptyx::launch::KernelArg", target));
        item.extend([braces(body)]);
        item
    }

    /// The kernel's struct, from fields that are each read by their own rules, so that what these
    /// promise about memory is kept.
    fn unpack(&self, target: &[TokenTree]) -> TokenStream {
        let (mut values, mut references) = (TokenStream::new(), TokenStream::new());
        for field in &self.fields {
            let mut arguments = source("|field:");
            arguments.extend(field.kind.iter().cloned());
            arguments.extend(source("|"));
            arguments.extend(pass(field, source("field")));
            arguments.extend(source(","));
            arguments.extend(place("&raw const (*bytes).", field));
            values.extend([field.name.clone()]);
            values.extend(source(":"));
            values.extend(call("unpack_field", field, arguments));
            values.extend(source(","));
            references.extend(source("let _ ="));
            references.extend(place("&view.", field));
            references.extend(source(";"));
        }
        let mut statements = source(PASS_TRAITS);
        // rustc refuses references to the fields of a packed struct: they could not be read below.
        statements.extend(source("let _ = |view: &"));
        statements.extend(target.iter().cloned());
        statements.extend(source("|"));
        statements.extend([braces(references)]);
        statements.extend(source("; unsafe"));
        let generics = target.iter().position(|token| is_punct(Some(token), '<'));
        let mut literal: TokenStream =
            target[..generics.unwrap_or(target.len())].iter().cloned().collect();
        literal.extend([braces(values)]);
        statements.extend([braces(literal)]);

        let mut body = self.fingerprint(target);
        body.extend(source("#[inline(always)] unsafe fn unpack"));
        let mut parameters = source("bytes: *const");
        parameters.extend(target.iter().cloned());
        body.extend([TokenTree::from(Group::new(Delimiter::Parenthesis, parameters))]);
        body.extend(source("->"));
        body.extend(target.iter().cloned());
        body.extend([braces(statements)]);
        let mut item = self.head("impl", of_type("::ptyx::launch::Unpack", target));
        item.extend([braces(body)]);
        item
    }

    /// What both passes compare: the fingerprint of each field's argument.
    fn fingerprint(&self, target: &[TokenTree]) -> TokenStream {
        let mut statements = source(PASS_TRAITS);
        statements.extend(source("let hash = 0;"));
        for field in &self.fields {
            // Functions that are never called: rustc infers the types of both sides from them.
            let mut arguments = source("hash, &|view: *const");
            arguments.extend(target.iter().cloned());
            arguments.extend(source("| unsafe"));
            arguments.extend([braces(place("&raw const (*view).", field))]);
            arguments.extend(source(", &|field:"));
            arguments.extend(field.kind.iter().cloned());
            arguments.extend(source("|"));
            arguments.extend(pass(field, source("field")));
            statements.extend(source("let hash ="));
            statements.extend(call("field_fingerprint", field, arguments));
            statements.extend(source(";"));
        }
        statements.extend(source("hash"));
        let mut constant = source("const FINGERPRINT: ::core::primitive::u64 =");
        constant.extend([braces(statements)]);
        constant.extend(source(";"));
        constant
    }

    /// The argument of a prepared kernel: the same for a parameter whose lifetimes are `'static`.
    fn prepare(&self, target: &[TokenTree]) -> TokenStream {
        let lasting = with_static_lifetimes(target);
        let mut body = source("type Param =");
        body.extend(lasting.iter().cloned());
        body.extend(source(";"));
        let mut items = self.head("unsafe impl", of_type("::ptyx::launch::Prepare", target));
        items.extend([braces(body)]);

        let mut statements = source("let lowered = ");
        statements.extend(of_type("::ptyx::launch::KernelArg", target));
        statements.extend(source("::lower(self, cx)?;"));
        statements
            .extend(source("unsafe { ::ptyx::Result::Ok(::ptyx::launch::relifed(lowered)) }"));
        let mut body = source("fn lower_again(self, cx: &mut ::ptyx::launch::ArgContext<'_>) -> ");
        body.extend(source("::ptyx::Result<::core::mem::MaybeUninit<"));
        body.extend(lasting.iter().cloned());
        body.extend(source(">>"));
        body.extend([braces(statements)]);
        items.extend(self.head("unsafe impl", of_type("::ptyx::launch::PreparedArg", &lasting)));
        items.extend([braces(body)]);
        items
    }
}

/// A type with `'static` for each lifetime in it.
fn with_static_lifetimes(tokens: &[TokenTree]) -> Vec<TokenTree> {
    let is_lifetime = |at: usize| at > 0 && is_punct(tokens.get(at - 1), '\'');
    let token = |(at, token): (usize, &TokenTree)| match token {
        TokenTree::Ident(name) if is_lifetime(at) => Ident::new("static", name.span()).into(),
        TokenTree::Group(group) => {
            let inner: Vec<TokenTree> = group.stream().into_iter().collect();
            let inner = with_static_lifetimes(&inner).into_iter().collect();
            Group::new(group.delimiter(), inner).into()
        }
        other => other.clone(),
    };
    tokens.iter().enumerate().map(token).collect()
}

/// A field as a launch's argument of its own: see `launch::pass`.
fn pass(field: &Field, value: TokenStream) -> TokenStream {
    let span = Span::call_site().located_at(span_of(&field.kind, Span::call_site()));
    let mut slot = source("&&&&&");
    slot.extend(path(&["ptyx", "launch", "Slot", "new"], span));
    slot.extend([parenthesised(value, span)]);
    let mut passed: TokenStream = parenthesised(slot, span).into();
    passed.extend(source("."));
    passed.extend([
        TokenTree::from(Ident::new("pass", span)),
        parenthesised(TokenStream::new(), span),
    ]);
    passed
}

/// `::ptyx::launch::function(arguments)`, at the field's type.
fn call(function: &str, field: &Field, arguments: TokenStream) -> TokenStream {
    let span = Span::call_site().located_at(span_of(&field.kind, Span::call_site()));
    let mut call = path(&["ptyx", "launch", function], span);
    call.extend([parenthesised(arguments, span)]);
    call
}

/// `before` and the field's name.
fn place(before: &str, field: &Field) -> TokenStream {
    let mut place = source(before);
    place.extend([field.name.clone()]);
    place
}

/// `path::<target>`, which types and expressions may have.
fn of_type(path: &str, target: &[TokenTree]) -> TokenStream {
    let mut ty = source(path);
    ty.extend(source("::<"));
    ty.extend(target.iter().cloned());
    ty.extend(source(">"));
    ty
}

fn braces(stream: TokenStream) -> TokenTree {
    Group::new(Delimiter::Brace, stream).into()
}

/// What the `#[kernel_arg(..)]` attributes name.
fn targets(attributes: &[TokenTree]) -> Result<Vec<Vec<TokenTree>>, Problem> {
    let mut targets = Vec::new();
    for attribute in attributes.iter().filter_map(|token| as_group(Some(token), Delimiter::Bracket))
    {
        let tokens: Vec<TokenTree> = attribute.stream().into_iter().collect();
        if !is_ident(tokens.first(), "kernel_arg") {
            continue;
        }
        let named = as_group(tokens.get(1), Delimiter::Parenthesis).map(|group| {
            split_types_at_commas(&flat(&group.stream().into_iter().collect::<Vec<_>>()))
        });
        match named.as_deref() {
            Some([target]) if !target.is_empty() => targets.push(target.clone()),
            _ => return Err(Problem::new(span_of(&tokens, Span::call_site()), FORM)),
        }
    }
    Ok(targets)
}

/// A generic parameter as declared, without its default, and as used.
fn parameter(tokens: Vec<TokenTree>) -> (Vec<TokenTree>, Vec<TokenTree>) {
    let declared: Vec<TokenTree> =
        tokens.into_iter().take_while(|token| !is_punct(Some(token), '=')).collect();
    let used = match declared.first() {
        Some(first) if is_punct(Some(first), '\'') => &declared[..declared.len().min(2)],
        Some(first) if is_ident(Some(first), "const") => declared.get(1..2).unwrap_or_default(),
        _ => declared.get(..1).unwrap_or_default(),
    };
    let used = used.to_vec();
    (declared, used)
}

/// The fields of a struct, without attributes and visibilities.
fn fields(stream: TokenStream, named: bool) -> Vec<Field> {
    let parts = split_types_at_commas(&stream.into_iter().collect::<Vec<_>>());
    let fields = parts.iter().enumerate().filter_map(|(number, tokens)| {
        let mut rest = &tokens[..];
        while is_punct(rest.first(), '#') {
            rest = rest.get(2..)?;
        }
        if as_group(rest.first(), Delimiter::None).is_some_and(is_visibility) {
            rest = &rest[1..];
        } else if is_ident(rest.first(), "pub") {
            let restricted = as_group(rest.get(1), Delimiter::Parenthesis).is_some_and(|group| {
                let first = group.stream().into_iter().next();
                ["crate", "self", "super", "in"].iter().any(|word| is_ident(first.as_ref(), word))
            });
            rest = &rest[if restricted { 2 } else { 1 }..];
        }
        if named {
            let name = flat(rest.get(..1)?).pop()?;
            return Some(Field { name, kind: rest.get(2..)?.to_vec() });
        }
        let mut name = Literal::usize_unsuffixed(number);
        name.set_span(span_of(rest, Span::call_site()));
        Some(Field { name: name.into(), kind: rest.to_vec() })
    });
    fields.collect()
}

/// Whether a fragment of a `macro_rules!` macro is a visibility, perhaps that of private fields.
fn is_visibility(group: &Group) -> bool {
    let first = group.stream().into_iter().next();
    first.is_none() || is_ident(first.as_ref(), "pub")
}
