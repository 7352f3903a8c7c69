//! `#[kernel]`: checks the signature, marks the body.

use crate::output::{Problem, path, report, source};
use crate::tokens::{
    after_angles, as_group, ident_text, is_ident, is_joint, is_punct, parenthesised, span_of,
    split_at_commas, split_types_at_commas,
};
use crate::unroll;
use proc_macro::{Delimiter, Group, Punct, Spacing, Span, TokenStream, TokenTree};

/// What the compiler looks for in a launched function; it is lowered to nothing.
const MARKER: &str = "::ptyx::device::marker::kernel();";
/// The same for `#[kernel(heap)]`.
const HEAP_MARKER: &str = "::ptyx::device::marker::heap();";
/// The same for `#[kernel(wide)]`.
const WIDE_MARKER: &str = "::ptyx::device::marker::knob::<4, 1, 1, 1>();";
/// The same for `#[kernel(unsafe(unchecked))]`: debug builds keep their checks.
const UNCHECKED_MARKER: &str = "#[cfg(not(debug_assertions))] \
     unsafe { ::ptyx::device::marker::unchecked() };";

pub(crate) fn expand(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = item.into_iter().collect();
    let mut problems = Vec::new();
    let mut markers = source(&markers(attribute, &mut problems));
    check(&tokens, &mut problems);
    markers.extend(checks_of_divisions(&tokens));
    let tokens = with_unrolled_loops(tokens, &mut problems);
    let mut output = report(&problems);
    if tokens.iter().any(|token| is_ident(Some(token), "fn")) {
        // So that its marks stay in it, and are not taken for those of a function that calls it.
        output.extend(source("#[inline(never)]"));
    }
    output.extend(marked(without_inline(without_const(tokens)), markers));
    output
}

/// The marks for what the attribute's arguments ask for.
fn markers(attribute: TokenStream, problems: &mut Vec<Problem>) -> String {
    let mut markers = MARKER.to_owned();
    for option in split_at_commas(&attribute.into_iter().collect::<Vec<_>>()) {
        match &option[..] {
            [] => {}
            [token] if is_ident(Some(token), "heap") => markers.push_str(HEAP_MARKER),
            [token, group] if is_ident(Some(token), "unsafe") && is_unchecked(group) => {
                markers.push_str(UNCHECKED_MARKER);
            }
            [token] if is_ident(Some(token), "wide") => markers.push_str(WIDE_MARKER),
            [token] if is_ident(Some(token), "unchecked") => problems.push(Problem::new(
                token.span(),
                "leaving checks out is unsafe: write `#[kernel(unsafe(unchecked))]`",
            )),
            [name, equals, value @ ..]
                if is_punct(Some(equals), '=')
                    && knob_kind(name).is_some()
                    && !value.is_empty() =>
            {
                markers.push_str(&knob(knob_kind(name).unwrap_or_default(), value));
            }
            other => problems.push(Problem::new(
                span_of(other, Span::call_site()),
                "#[kernel] takes `heap`, which lets the kernel use `Box`, `Vec` and `String`; \
                 `unsafe(unchecked)`, which leaves checks out of release builds; `wide`, which allows 2^31 or more \
                 threads along an axis; and the knobs \
                 `threads = (16, 16)`, `maxthreads = 256`, `blocks_per_sm = 2`, `maxregs = 32`, `cluster = (2, 1, 1)`",
            )),
        }
    }
    markers
}

/// The knobs with their numbers (`device::marker::knob`).
const KNOBS: [(&str, usize); 5] =
    [("threads", 0), ("maxthreads", 1), ("blocks_per_sm", 2), ("maxregs", 3), ("cluster", 5)];

fn knob_kind(name: &TokenTree) -> Option<usize> {
    KNOBS.iter().find(|(knob, _)| is_ident(Some(name), knob)).map(|&(_, kind)| kind)
}

/// The mark of a knob. Values are constants of any integer type.
fn knob(kind: usize, value: &[TokenTree]) -> String {
    let of_tuple = match value {
        [only] => as_group(Some(only), Delimiter::Parenthesis),
        _ => None,
    };
    let tokens: Vec<TokenTree> = match of_tuple {
        Some(group) => group.stream().into_iter().collect(),
        None => value.to_vec(),
    };
    let extents = split_at_commas(&tokens).into_iter().filter(|extent| !extent.is_empty());
    let mut extents: Vec<String> = extents
        .map(|extent| {
            let text = TokenStream::from_iter(extent).to_string();
            format!("{{ ({text}) as u32 }}")
        })
        .collect();
    extents.resize(extents.len().max(3), "1".to_owned());
    let extents = extents.join(", ");
    format!(
        "#[allow(clippy::unnecessary_cast, clippy::cast_possible_truncation, clippy::cast_sign_loss, \
         unused_parens)] ::ptyx::device::marker::knob::<{kind}, {extents}>();"
    )
}

/// Whether this is `(unchecked)`.
fn is_unchecked(group: &TokenTree) -> bool {
    let group = as_group(Some(group), Delimiter::Parenthesis);
    let tokens: Vec<TokenTree> =
        group.map(|group| group.stream().into_iter().collect()).unwrap_or_default();
    matches!(&tokens[..], [token] if is_ident(Some(token), "unchecked"))
}

/// The item without `const` before `fn`: that is reported, and the marker is not a `const fn`.
fn without_const(tokens: Vec<TokenTree>) -> Vec<TokenTree> {
    let fn_at = tokens.iter().position(|token| is_ident(Some(token), "fn")).unwrap_or(0);
    let kept = tokens.into_iter().enumerate();
    kept.filter(|(at, token)| *at >= fn_at || !is_ident(Some(token), "const"))
        .map(|(_, token)| token)
        .collect()
}

/// The item without its own `#[inline]`.
fn without_inline(tokens: Vec<TokenTree>) -> Vec<TokenTree> {
    let is_inline = |group: &TokenTree| {
        let group = as_group(Some(group), Delimiter::Bracket);
        group.is_some_and(|group| is_ident(group.stream().into_iter().next().as_ref(), "inline"))
    };
    let mut kept: Vec<TokenTree> = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match is_punct(Some(&token), '#') && tokens.peek().is_some_and(is_inline) {
            true => drop(tokens.next()),
            false => kept.push(token),
        }
    }
    kept
}

/// The item with its body's `#[unroll]` attributes turned into marks.
fn with_unrolled_loops(mut tokens: Vec<TokenTree>, problems: &mut Vec<Problem>) -> Vec<TokenTree> {
    if let Some(TokenTree::Group(body)) = tokens.last()
        && body.delimiter() == Delimiter::Brace
    {
        let mut group = Group::new(Delimiter::Brace, unroll::rewrite(body.stream(), problems));
        group.set_span(body.span());
        if let Some(last) = tokens.last_mut() {
            *last = group.into();
        }
    }
    tokens
}

/// The item with the markers as the first statements of its body.
fn marked(mut tokens: Vec<TokenTree>, markers: TokenStream) -> TokenStream {
    // An item that is not a function has been reported; its braces hold no statements.
    if tokens.iter().any(|token| is_ident(Some(token), "fn"))
        && let Some(TokenTree::Group(body)) = tokens.last()
        && body.delimiter() == Delimiter::Brace
    {
        let statements: Vec<TokenTree> = body.stream().into_iter().collect();
        let mut first = 0;
        // Inner attributes `#![..]` must stay first.
        while is_punct(statements.get(first), '#') && is_punct(statements.get(first + 1), '!') {
            first += 3;
        }
        let first = first.min(statements.len());
        let mut stream: TokenStream = statements[..first].iter().cloned().collect();
        stream.extend(markers);
        stream.extend(statements[first..].iter().cloned());
        let mut group = Group::new(Delimiter::Brace, stream);
        group.set_span(body.span());
        if let Some(last) = tokens.last_mut() {
            *last = group.into();
        }
    }
    tokens.into_iter().collect()
}

/// Reports everything in the signature that a kernel can't have.
fn check(tokens: &[TokenTree], problems: &mut Vec<Problem>) {
    let Some(fn_at) = tokens.iter().position(|token| is_ident(Some(token), "fn")) else {
        problems.push(Problem::new(
            span_of(tokens, Span::call_site()),
            "#[kernel] goes on a function: `#[kernel] fn name(arguments) { .. }`",
        ));
        return;
    };
    for token in &tokens[..fn_at] {
        let reason = match ident_text(token).as_deref() {
            Some("async") => {
                "a kernel can't be async: remove `async`; launches are already asynchronous"
            }
            Some("const") => "a kernel can't be const: remove `const`",
            Some("extern") => "a kernel has Rust's calling convention: remove `extern`",
            _ => continue,
        };
        problems.push(Problem::new(token.span(), reason));
    }
    let mut at = fn_at + 2;
    if is_punct(tokens.get(at), '<') {
        let Some(after) = after_angles(tokens, at) else { return };
        at = after;
    }
    let Some(parameters) = as_group(tokens.get(at), Delimiter::Parenthesis) else { return };
    check_parameters(&parameters.stream().into_iter().collect::<Vec<_>>(), problems);
    check_return_type(&tokens[at + 1..], problems);
}

/// Views with a division, which must tell all threads apart.
const DIVIDED: [&str; 3] = ["Parts", "Pivoted", "Diagonal"];

/// Constants in the kernel's body that check the type of each parameter with a division; an error is at the parameter. A
/// constant can't use the generics of the function around it, so generic kernels have none: of those, only the instances are
/// checked.
fn checks_of_divisions(tokens: &[TokenTree]) -> TokenStream {
    let at = tokens.iter().position(|token| is_ident(Some(token), "fn")).map_or(0, |at| at + 2);
    let Some(parameters) = as_group(tokens.get(at), Delimiter::Parenthesis) else {
        return TokenStream::new();
    };
    let parameters: Vec<TokenTree> = parameters.stream().into_iter().collect();
    let checks = split_types_at_commas(&parameters).into_iter().filter_map(|parameter| {
        let colon = parameter.iter().position(|token| is_punct(Some(token), ':'))?;
        let ty = parameter.get(colon + 1..)?;
        let open = ty.iter().position(|token| is_punct(Some(token), '<'))?;
        let name = ident_text(ty.get(open.checked_sub(1)?)?)?;
        let is_generic = ty.iter().any(|token| is_ident(Some(token), "impl"));
        (DIVIDED.contains(&name.as_str()) && !is_generic).then(|| check_of_division(ty))
    });
    checks.collect()
}

/// `const _: () = { use ::ptyx::device::view::checked::Other as _; require_apart(Parameter::<ty>::IS_APART) };`
fn check_of_division(ty: &[TokenTree]) -> TokenStream {
    let span = span_of(ty, Span::call_site());
    let mut argument = source("::ptyx::device::view::checked::Parameter::<");
    argument.extend(ty.iter().cloned());
    argument.extend(source(">::IS_APART"));
    let mut check =
        source("#[allow(unused_imports)] use ::ptyx::device::view::checked::Other as _;");
    check.extend(path(&["ptyx", "device", "view", "checked", "require_apart"], span));
    check.extend([parenthesised(argument, span)]);
    let mut constant = source("const _: () =");
    constant.extend([
        TokenTree::from(Group::new(Delimiter::Brace, check)),
        TokenTree::from(Punct::new(';', Spacing::Alone)),
    ]);
    constant
}

fn check_parameters(tokens: &[TokenTree], problems: &mut Vec<Problem>) {
    for parameter in split_types_at_commas(tokens) {
        let receiver = parameter.iter().take_while(|token| !is_punct(Some(token), ':'));
        if let Some(token) = receiver.into_iter().find(|token| is_ident(Some(token), "self")) {
            problems.push(Problem::new(
                token.span(),
                "a kernel is a free function: pass what `self` would hold as an argument of its own",
            ));
        }
    }
    for parameter in split_types_at_commas(tokens) {
        let colon = parameter.iter().position(|token| is_punct(Some(token), ':'));
        let ty = colon.and_then(|colon| parameter.get(colon + 1..)).unwrap_or_default();
        if let Some((token, reason)) = unfit_type(ty) {
            problems.push(Problem::new(token.span(), reason));
        }
    }
    for (at, token) in tokens.iter().enumerate() {
        let dots = is_joint(Some(token), '.')
            && is_joint(tokens.get(at + 1), '.')
            && is_punct(tokens.get(at + 2), '.');
        if dots {
            problems.push(Problem::new(
                token.span(),
                "a kernel can't be variadic: list its parameters",
            ));
        }
    }
}

const OWNS_HOST_MEMORY: &str =
    "a kernel can't take what owns host memory: take `&[T]`, and pass a `DeviceBuffer`";
const MUTABLE: &str = "all threads of a launch would have this `&mut` at once: take `Disjoint<T>`, \
    where each thread writes its own elements, `SliceMut<T>` or `Atomics<T>`";
const TEXT: &str = "a `&str` would be the host's memory: take `&[u8]`, and pass a `DeviceBuffer` of \
    the text's bytes";
const TRAIT_OBJECT: &str = "a trait object would point to host memory and functions: take a \
    generic `f: F` where `F: Fn(..) -> ..`, or another trait, and pass the value itself";
const REFERENCE: &str = "this reference would point to host memory: take the value itself, or \
    `&[T]`, and pass a `DeviceBuffer`";
const FUNCTION_POINTER: &str = "a host function pointer can't be called on a device: take a \
    generic `f: F` where `F: Fn(..) -> ..`, and pass the function's name";

/// Types of std, with generics where they have some, that own memory of the host.
const OWNERS: [&str; 12] = [
    "Vec",
    "Box",
    "Rc",
    "Arc",
    "Cow",
    "HashMap",
    "HashSet",
    "BTreeMap",
    "BTreeSet",
    "VecDeque",
    "BinaryHeap",
    "LinkedList",
];
const PRIMITIVES: [&str; 16] = [
    "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32",
    "f64", "bool", "char",
];

/// Why no launch could pass a parameter of this type, as far as its name says, and where it says so.
fn unfit_type(ty: &[TokenTree]) -> Option<(&TokenTree, &'static str)> {
    let first = ty.first()?;
    if is_punct(Some(first), '&') {
        // `&T`, `&'a T`
        let at = if is_punct(ty.get(1), '\'') { 3 } else { 1 };
        return unfit_reference(ty.get(at..)?);
    }
    let is_function = ["fn", "unsafe", "extern"].iter().any(|word| is_ident(Some(first), word));
    if is_function {
        return Some((first, FUNCTION_POINTER));
    }
    // A type of the user's own may have the same name, but neither its generics nor its path.
    let ty = of_std(ty);
    let name = ident_text(ty.first()?)?;
    let owns_host_memory = match is_punct(ty.get(1), '<') {
        true => OWNERS.contains(&name.as_str()),
        false => name == "String" && ty.len() == 1,
    };
    owns_host_memory.then_some((first, OWNS_HOST_MEMORY))
}

/// The same for what follows `&`. A name may be an alias of a slice, which a launch can pass.
fn unfit_reference(target: &[TokenTree]) -> Option<(&TokenTree, &'static str)> {
    let first = target.first()?;
    if is_ident(Some(first), "mut") {
        return Some((target.get(1)?, MUTABLE));
    }
    if is_ident(Some(first), "dyn") {
        return Some((first, TRAIT_OBJECT));
    }
    let is_array = as_group(Some(first), Delimiter::Bracket)
        .is_some_and(|group| group.stream().into_iter().any(|token| is_punct(Some(&token), ';')));
    let name = ident_text(first).filter(|_| target.len() == 1);
    match name.as_deref() {
        Some("str") => Some((first, TEXT)),
        Some(name) if PRIMITIVES.contains(&name) => Some((first, REFERENCE)),
        _ if is_array => Some((first, REFERENCE)),
        _ => None,
    }
}

/// A type without the modules of a path that starts with `std::`, `alloc::` or `core::`.
fn of_std(ty: &[TokenTree]) -> &[TokenTree] {
    let starts = ["std", "alloc", "core"].iter().any(|krate| is_ident(ty.first(), krate));
    let mut rest = ty;
    while starts && is_punct(rest.get(1), ':') && is_punct(rest.get(2), ':') {
        rest = &rest[3..];
    }
    rest
}

/// `rest` follows the parameters: `-> type where .. { .. }`.
fn check_return_type(rest: &[TokenTree], problems: &mut Vec<Problem>) {
    if !(is_punct(rest.first(), '-') && is_punct(rest.get(1), '>')) {
        return;
    }
    let end = rest
        .iter()
        .position(|token| is_ident(Some(token), "where"))
        .unwrap_or(rest.len().saturating_sub(1));
    let returned = rest.get(2..end).unwrap_or_default();
    let unit = matches!(returned, [token] if as_group(Some(token), Delimiter::Parenthesis)
        .is_some_and(|group| group.stream().is_empty()));
    if !unit {
        problems.push(Problem::new(
            span_of(returned, Span::call_site()),
            "a kernel returns nothing: write results through a view argument such as `Disjoint<T>`",
        ));
    }
}
