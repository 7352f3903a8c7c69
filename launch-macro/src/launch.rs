//! `launch!`, `cuda!` and `compile!`: two grammars, one [`Launch`], one expansion.

use crate::build;
use crate::output::{Problem, path, report_expression, source};
use crate::root;
use crate::tokens::{
    as_group, flat, ident_text, is_ident, is_joint, is_punct, parenthesised, span_of,
    split_at_commas,
};
use proc_macro::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};

/// The positional fields between `<<<` and `>>>`: (keyword of `cuda!`, method of `LaunchConfig`).
const FIELDS: [(&str, &str); 4] =
    [("blocks", "blocks"), ("threads", "threads"), ("shmem", "shared_bytes"), ("stream", "stream")];

/// What else belongs to a launch and has a value; the methods of `LaunchConfig` are called the same.
const ATTRIBUTES: [&str; 1] = ["cluster"];

/// Knobs that either macro takes by name; the methods of `LaunchConfig` are called the same.
const KNOBS: [&str; 5] = ["minthreads", "maxthreads", "blocks_per_sm", "maxregs", "alias"];

/// Keywords that either macro takes without a value; the methods of `LaunchConfig` are called the same.
const FLAGS: [&str; 2] = ["cooperative", PROGRAMMATIC];

/// The keyword of a launch that may start before earlier kernels have ended: only unsafe ones take it.
const PROGRAMMATIC: &str = "programmatic";

/// The most arguments that `ptyx::launch` takes one by one; more go in tuples: see [`grouped`].
const MAX_SINGLE: usize = 35;

/// The most elements of a tuple that `ptyx::launch` takes.
const MAX_IN_TUPLE: usize = 8;

const LAUNCH_FORM: &str =
    "launch!(kernel<<<blocks, threads, shared_bytes, stream>>>(arguments), maxregs = 32)";
const CUDA_FORM: &str = "cuda!(threads = 256, blocks = 64, kernel(arguments))";
const COMPILE_FORM: &str = "compile!(kernel(arguments), maxregs = 32)";

/// One launch, as either macro reads it.
#[derive(Default)]
struct Launch {
    /// The path of the kernel, with its generic arguments if given.
    kernel: Vec<TokenTree>,
    /// The `unsafe` in front of an unsafe kernel.
    unsafety: Option<TokenTree>,
    arguments: Vec<Vec<TokenTree>>,
    settings: Vec<Setting>,
    /// Something that a launching `macro_rules!` macro must have written itself: `<<<`, or the
    /// parentheses of the call.
    written: Option<Span>,
}

/// `.method(value)` on the launch's configuration.
struct Setting {
    method: &'static str,
    keyword: Span,
    value: Vec<TokenTree>,
}

pub(crate) fn expand_launch(input: TokenStream) -> TokenStream {
    finish(parse_launch(&input.into_iter().collect::<Vec<_>>()), "call")
}

pub(crate) fn expand_cuda(input: TokenStream) -> TokenStream {
    finish(parse_cuda(&input.into_iter().collect::<Vec<_>>(), CUDA_FORM), "call")
}

pub(crate) fn expand_compile(input: TokenStream) -> TokenStream {
    let parsed = parse_cuda(&input.into_iter().collect::<Vec<_>>(), COMPILE_FORM);
    finish(parsed.and_then(Launch::without_shape), "prepare")
}

/// `(a, b)` with each argument passed as a launch passes it.
pub(crate) fn expand_args(input: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = input.into_iter().collect();
    let (unsafety, tokens) = match &tokens[..] {
        [first, rest @ ..]
            if is_ident(Some(first), "unsafe")
                && as_group(rest.first(), Delimiter::Brace).is_none() =>
        {
            (Some(first), rest)
        }
        all => (None, all),
    };
    let mut launch = Launch::default();
    let mut problems = Vec::new();
    let group = Group::new(Delimiter::Parenthesis, tokens.iter().cloned().collect());
    launch.take_arguments(&group.into(), &mut problems);
    if !problems.is_empty() {
        return report_expression(&problems);
    }
    let argument = |argument: Vec<TokenTree>| Argument {
        name: TokenStream::new(),
        value: pass(argument, unsafety),
    };
    let mut tuple = TokenStream::new();
    for argument in grouped(launch.arguments.into_iter().map(argument).collect()) {
        tuple.extend(argument.value);
        tuple.extend(source(","));
    }
    let mut output = source(PASS_TRAITS);
    output.extend([parenthesised(tuple, Span::call_site())]);
    TokenTree::from(Group::new(Delimiter::Brace, output)).into()
}

/// What [`pass`] needs in scope.
pub(crate) const PASS_TRAITS: &str = "#[allow(unused_imports)] use ::ptyx::launch::{PassArg as _, \
    PassElement as _, PassByValue as _, PassToThreads as _, PassUnsupported as _};";

/// The name of the called function is `function` and the number of arguments.
fn finish(parsed: Result<Launch, Vec<Problem>>, function: &str) -> TokenStream {
    match parsed {
        Ok(launch) => launch.expand(function),
        Err(problems) => report_expression(&problems),
    }
}

/// `kernel<<<fields>>>(arguments), knob = value, ..`
fn parse_launch(tokens: &[TokenTree]) -> Result<Launch, Vec<Problem>> {
    let Some(open) = find_open(tokens) else {
        return Err(vec![Problem::new(
            span_of(tokens, Span::call_site()),
            format!("the launch shape is missing: write {LAUNCH_FORM}"),
        )]);
    };
    let Some(close) = find_close(tokens, open + 3) else {
        return Err(vec![not_closed(tokens, open)]);
    };
    let mut problems = Vec::new();
    let mut launch = Launch { written: Some(tokens[open].span()), ..Launch::default() };
    launch.take_kernel(&tokens[..open]);
    check_kernel(&launch.kernel, tokens[open].span(), LAUNCH_FORM, &mut problems);
    let fields = split_at_commas(&tokens[open + 3..close]);
    if let Some(extra) = fields.get(FIELDS.len()) {
        problems.push(Problem::new(
            span_of(extra, Span::call_site()),
            "`<<< >>>` holds at most blocks, threads, shared_bytes and stream; shapes of more \
             dimensions are tuples: `<<<(8, 8), (16, 16)>>>`",
        ));
    }
    for (value, (_, method)) in fields.into_iter().zip(FIELDS) {
        launch.set(method, span_of(&value, Span::call_site()), value, &mut problems);
    }
    launch.take_arguments(&tokens[close + 3], &mut problems);
    for part in split_at_commas(tokens.get(close + 5..).unwrap_or_default()) {
        if !launch.take_flag(&part, &mut problems) {
            launch.take_keyword(&part, &mut problems);
        }
    }
    launch.check_safety(&mut problems);
    if problems.is_empty() { Ok(launch) } else { Err(problems) }
}

/// `keyword = value, .., kernel(arguments), keyword = value, ..`
fn parse_cuda(tokens: &[TokenTree], form: &str) -> Result<Launch, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut launch = Launch::default();
    let mut found = false;
    for part in split_at_commas(tokens) {
        if is_assignment(&part) {
            launch.take_keyword(&part, &mut problems);
            continue;
        }
        if launch.take_flag(&part, &mut problems) {
            continue;
        }
        let span = span_of(&part, Span::call_site());
        let part = call_of(&part);
        let Some((arguments, kernel)) = part.split_last() else { continue };
        let is_call = as_group(Some(arguments), Delimiter::Parenthesis).is_some();
        if !is_call {
            problems.push(Problem::new(
                span,
                format!("neither `keyword = value` nor a call of a kernel: write {form}"),
            ));
            found = true;
        } else if found {
            problems.push(Problem::new(span, "one launch runs one kernel: this is a second call"));
        } else {
            found = true;
            launch.take_kernel(kernel);
            check_kernel(&launch.kernel, span, form, &mut problems);
            launch.take_arguments(arguments, &mut problems);
        }
    }
    if !found {
        problems.push(Problem::new(
            Span::call_site(),
            format!("the call of a kernel is missing: write {form}"),
        ));
    }
    launch.check_safety(&mut problems);
    if problems.is_empty() { Ok(launch) } else { Err(problems) }
}

/// Takes a call that a `macro_rules!` macro passed on as one expression out of its invisible group.
fn call_of(part: &[TokenTree]) -> Vec<TokenTree> {
    match part {
        [only] => match as_group(Some(only), Delimiter::None) {
            Some(group) => call_of(&group.stream().into_iter().collect::<Vec<_>>()),
            None => part.to_vec(),
        },
        _ => part.to_vec(),
    }
}

/// Whether this is `keyword = ..`, and not a comparison.
fn is_assignment(part: &[TokenTree]) -> bool {
    let operator =
        is_joint(part.get(1), '=') && (is_punct(part.get(2), '=') || is_punct(part.get(2), '>'));
    matches!(part.first(), Some(TokenTree::Ident(_))) && is_punct(part.get(1), '=') && !operator
}

/// The `<<<` that opens the fields; `::<<<T as A>::B as C>` is generics, so not after a colon.
///
/// Spacing is not looked at: tokens that come through a `macro_rules!` macro have lost it.
fn find_open(tokens: &[TokenTree]) -> Option<usize> {
    (0..tokens.len()).find(|&at| {
        is_punct(tokens.get(at), '<')
            && is_punct(tokens.get(at + 1), '<')
            && is_punct(tokens.get(at + 2), '<')
            && !(at > 0 && is_punct(tokens.get(at - 1), ':'))
    })
}

/// The `>>>` that closes them: the last one that parentheses and then a comma or nothing follow.
fn find_close(tokens: &[TokenTree], from: usize) -> Option<usize> {
    (from..tokens.len()).rev().find(|&at| {
        closes(tokens, at) && (tokens.get(at + 4).is_none() || is_punct(tokens.get(at + 4), ','))
    })
}

/// Whether `>>>` and parentheses start at `at`.
fn closes(tokens: &[TokenTree], at: usize) -> bool {
    is_punct(tokens.get(at), '>')
        && is_punct(tokens.get(at + 1), '>')
        && is_punct(tokens.get(at + 2), '>')
        && as_group(tokens.get(at + 3), Delimiter::Parenthesis).is_some()
}

/// What is wrong if [`find_close`] finds nothing.
fn not_closed(tokens: &[TokenTree], open: usize) -> Problem {
    let behind = (open + 3..tokens.len()).rev().find(|&at| closes(tokens, at));
    match behind.and_then(|at| tokens.get(at + 4)) {
        Some(token) if !is_punct(Some(token), ',') => Problem::new(
            token.span(),
            format!("a comma separates the knobs from the call: write {LAUNCH_FORM}"),
        ),
        _ => Problem::new(
            tokens[open].span(),
            format!("`<<<` needs its `>>>(arguments)`: write {LAUNCH_FORM}"),
        ),
    }
}

/// The kernel must be a path: anything else (a tuple, a method, a literal) says how to write it.
fn check_kernel(kernel: &[TokenTree], otherwise: Span, form: &str, problems: &mut Vec<Problem>) {
    let span = span_of(kernel, otherwise);
    let begins_path = match kernel.first() {
        Some(TokenTree::Ident(_)) => true,
        token => is_punct(token, ':') || is_punct(token, '<'),
    };
    if kernel.is_empty() && form != LAUNCH_FORM {
        problems.push(Problem::new(
            span,
            format!("a tuple is not a call: put the kernel's name before the parentheses, {form}"),
        ));
    } else if kernel.is_empty() {
        problems.push(Problem::new(span, format!("the kernel is missing: write {form}")));
    } else if !begins_path || kernel.iter().any(|token| is_punct(Some(token), '.')) {
        problems.push(Problem::new(
            span,
            format!("a launch names a `#[kernel]` function by its path: write {form}"),
        ));
    } else if is_punct(kernel.get(1), '!') || is_ident(kernel.first(), "move") {
        problems.push(Problem::new(
            span,
            "a launch names a `#[kernel]` function; a closure goes to one as an argument",
        ));
    }
}

impl Launch {
    /// Sets an option, once.
    fn set(
        &mut self,
        method: &'static str,
        keyword: Span,
        value: Vec<TokenTree>,
        problems: &mut Vec<Problem>,
    ) {
        if self.settings.iter().any(|setting| setting.method == method) {
            let name = FIELDS.iter().find(|(_, m)| *m == method).map_or(method, |(name, _)| name);
            problems.push(Problem::new(keyword, format!("`{name}` is given twice")));
        } else {
            self.settings.push(Setting { method, keyword, value });
        }
    }

    /// Reads `kernel` or `unsafe kernel`.
    fn take_kernel(&mut self, tokens: &[TokenTree]) {
        let (unsafety, kernel) = match tokens {
            [first, rest @ ..] if is_ident(Some(first), "unsafe") => (Some(first.clone()), rest),
            all => (None, all),
        };
        self.kernel = flat(kernel);
        self.unsafety = unsafety;
    }

    /// Reads a keyword without a value; `false` if it is none.
    fn take_flag(&mut self, part: &[TokenTree], problems: &mut Vec<Problem>) -> bool {
        let [word] = part else { return false };
        let Some(name) = ident_text(word) else { return false };
        let Some(flag) = FLAGS.into_iter().find(|flag| *flag == name) else { return false };
        self.set(flag, word.span(), Vec::new(), problems);
        true
    }

    /// Refuses what only unsafe launches may ask for.
    fn check_safety(&self, problems: &mut Vec<Problem>) {
        let programmatic = self.settings.iter().find(|setting| setting.method == PROGRAMMATIC);
        if let (Some(setting), None) = (programmatic, &self.unsafety) {
            problems.push(Problem::new(
                setting.keyword,
                "a kernel that starts before earlier ones have ended must wait for what they write, which \
                 nothing checks: write `unsafe` before the kernel",
            ));
        }
    }

    /// Reads `keyword = value`.
    fn take_keyword(&mut self, part: &[TokenTree], problems: &mut Vec<Problem>) {
        let span = span_of(part, Span::call_site());
        let name = part.first().and_then(ident_text);
        let (Some(name), true) = (name, is_assignment(part)) else {
            problems.push(Problem::new(
                span,
                format!(
                    "expected `keyword = value` after the call, with one of {}, or the word {}",
                    list(&[&KNOBS[..], &ATTRIBUTES].concat()),
                    alternatives(&FLAGS)
                ),
            ));
            return;
        };
        let fields = FIELDS.iter().map(|(keyword, method)| (*keyword, *method));
        let method = fields
            .chain(KNOBS.into_iter().chain(ATTRIBUTES).map(|name| (name, name)))
            .find_map(|(keyword, method)| (keyword == name).then_some(method));
        match (method, part.get(2..)) {
            (None, _) => {
                let known: Vec<&str> = FIELDS
                    .iter()
                    .map(|(keyword, _)| *keyword)
                    .chain(KNOBS)
                    .chain(ATTRIBUTES)
                    .collect();
                problems.push(Problem::new(
                    span,
                    format!("unknown keyword `{name}`: the keywords are {}", list(&known)),
                ));
            }
            (Some(_), None | Some([])) => {
                problems.push(Problem::new(span, format!("`{name} =` needs a value")));
            }
            (Some(method), Some(value)) => self.set(method, span, value.to_vec(), problems),
        }
    }

    fn take_arguments(&mut self, group: &TokenTree, problems: &mut Vec<Problem>) {
        let Some(group) = as_group(Some(group), Delimiter::Parenthesis) else { return };
        self.written.get_or_insert_with(|| group.span_open());
        self.arguments = split_at_commas(&group.stream().into_iter().collect::<Vec<_>>());
        for argument in self.arguments.iter().filter(|argument| argument.is_empty()) {
            let span = span_of(argument, group.span());
            problems.push(Problem::new(span, "an argument is missing between two commas"));
        }
    }

    /// Refuses the fields of a launch's shape, which a kernel that is only assembled does not have.
    fn without_shape(self) -> Result<Launch, Vec<Problem>> {
        let field = |setting: &Setting| {
            let others = FLAGS.into_iter().chain(ATTRIBUTES).map(|name| (name, name));
            let (name, _) =
                FIELDS.into_iter().chain(others).find(|(_, method)| *method == setting.method)?;
            (name != "stream").then(|| {
                Problem::new(
                    setting.keyword,
                    format!("`{name}` belongs to the launch: `compile!(..)?.launch(..)` takes it"),
                )
            })
        };
        let problems: Vec<Problem> = self.settings.iter().filter_map(field).collect();
        if problems.is_empty() { Ok(self) } else { Err(problems) }
    }

    fn expand(self, function: &str) -> TokenStream {
        let mut output = site(self.written.unwrap_or_else(Span::call_site), &self.kernel);
        let kernel_span = span_of(&self.kernel, root::site());
        let call_span = root::site().located_at(kernel_span);
        let unsafety = self.unsafety.clone();
        let arguments: Vec<Argument> = self
            .arguments
            .iter()
            .enumerate()
            .map(|(at, argument)| Argument {
                name: source(&format!("__ptyx_{at}")),
                value: pass(argument.clone(), unsafety.as_ref()),
            })
            .collect();
        let names: Vec<TokenStream> =
            arguments.iter().map(|argument| argument.name.clone()).collect();
        let is_early = self.settings.iter().any(|setting| setting.method == PROGRAMMATIC);
        let is_direct = unsafety.is_none() && arguments.len() <= MAX_SINGLE;
        let arguments = grouped(arguments);
        let prepares_unsafe = function == "prepare" && self.unsafety.is_some();
        let function = format!("{function}{}", arguments.len());
        let mut call = path(&["ptyx", "launch", &function], call_span);
        let mut passed = source("__PtyxSite,");
        passed.extend(match is_direct {
            true => self.kernel.into_iter().collect(),
            false => closure(self.unsafety, self.kernel, &arguments, &names, is_early),
        });
        passed.extend(source(","));
        passed.extend(configuration(self.settings, unsafety.as_ref()));
        for argument in arguments {
            passed.extend([TokenTree::from(Punct::new(',', Spacing::Alone))]);
            passed.extend(argument.value);
        }
        call.extend([parenthesised(passed, call_span)]);
        if prepares_unsafe {
            output.extend(source("::core::result::Result::map"));
            call.extend(source(", ::ptyx::launch::UnsafePreparedKernel::new"));
            call = TokenStream::from(parenthesised(call, call_span));
        }
        output.extend(call);
        TokenTree::from(Group::new(Delimiter::Brace, output)).into()
    }
}

/// The launch's configuration. What is unsafe about it is set first, so that the user's values stay outside of the
/// `unsafe` block.
fn configuration(settings: Vec<Setting>, unsafety: Option<&TokenTree>) -> TokenStream {
    let mut configuration = source("::ptyx::launch::LaunchConfig::new()");
    let (first, rest): (Vec<_>, Vec<_>) =
        settings.into_iter().partition(|setting| setting.method == PROGRAMMATIC);
    for setting in first {
        configuration.extend(setting.expand());
        let mut block = Group::new(Delimiter::Brace, configuration);
        let Some(keyword) = unsafety else { return block.stream() };
        block.set_span(keyword.span());
        let block = [keyword.clone(), block.into()].into_iter().collect();
        configuration = TokenStream::from(parenthesised(block, keyword.span()));
    }
    configuration.extend(rest.into_iter().map(Setting::expand));
    configuration
}

/// An argument: the pattern that takes it in a [`closure`], and the expression.
struct Argument {
    name: TokenStream,
    value: TokenStream,
}

/// At most as many arguments as `ptyx::launch` takes: if there are more, adjacent ones are passed as
/// tuples.
fn grouped(mut arguments: Vec<Argument>) -> Vec<Argument> {
    while arguments.len() > MAX_SINGLE {
        let mut rest = arguments.into_iter().peekable();
        let mut groups = Vec::new();
        while rest.peek().is_some() {
            let (mut name, mut value) = (TokenStream::new(), TokenStream::new());
            for argument in rest.by_ref().take(MAX_IN_TUPLE) {
                name.extend(argument.name);
                name.extend(source(","));
                value.extend(argument.value);
                value.extend(source(","));
            }
            let span = Span::call_site();
            let tuple = |stream| TokenStream::from(parenthesised(stream, span));
            groups.push(Argument { name: tuple(name), value: tuple(value) });
        }
        arguments = groups;
    }
    arguments
}

/// `|a0, a1| unsafe { kernel(a0, a1) }`: generic code can't call an unsafe function, a closure can.
///
/// An early launch is unsafe even if its kernel is not: then the compiler must not call the block unnecessary.
///
/// `|(a0, a1), (a2, a3)| kernel(a0, a1, a2, a3)`: too many arguments are passed in tuples.
fn closure(
    unsafety: Option<TokenTree>,
    kernel: Vec<TokenTree>,
    arguments: &[Argument],
    names: &[TokenStream],
    is_early: bool,
) -> TokenStream {
    let list = |items: &mut dyn Iterator<Item = &TokenStream>| {
        let mut list = TokenStream::new();
        for item in items {
            list.extend(item.clone());
            list.extend(source(","));
        }
        list
    };
    let span = root::site().located_at(span_of(&kernel, root::site()));
    let mut call: TokenStream = kernel.into_iter().collect();
    call.extend([parenthesised(list(&mut names.iter()), span)]);
    let mut closure = source("|");
    closure.extend(list(&mut arguments.iter().map(|argument| &argument.name)));
    closure.extend(source("|"));
    let mut block = Group::new(Delimiter::Brace, call);
    if let Some(keyword) = unsafety {
        block.set_span(keyword.span());
        if is_early {
            let mut body = source("#[allow(unused_unsafe)]");
            body.extend([keyword, block.into()]);
            body.extend(source(";"));
            closure.extend([TokenTree::from(Group::new(Delimiter::Brace, body))]);
            return closure;
        }
        closure.extend([keyword]);
    }
    closure.extend([TokenTree::from(block)]);
    closure
}

/// The type that names this launch in the source, the same in both passes.
///
/// The name is the outermost position, `module:line:column`. A launch that a `macro_rules!` macro
/// wrote shares that position with the macro's other launches, so its own position follows. It is not
/// known where such a macro was called, because `launch!` itself passes its input on to another macro. But
/// the tokens of a launch are on its first line or on the next lines. Crates with the same name (a library
/// and a program of one package, versions of a package) are distinguished by what cargo tells rustc about
/// each, the root source file included.
fn site(written: Span, kernel: &[TokenTree]) -> TokenStream {
    const LINES: usize = 2;
    let (line, column) = (written.line(), written.column());
    let file = written.file();
    let name = |suffix: &str| {
        format!(
            "::core::concat!(::core::module_path!(), \":\", ::core::line!(), \":\", ::core::column!(), {suffix:?})"
        )
    };
    let (plain, within) = (name(""), name(&format!("/{line}:{column}")));
    let crate_id = build::crate_id();
    let kernel: TokenStream = kernel.iter().cloned().collect();
    source(&format!(
        "struct __PtyxSite;
         impl ::ptyx::launch::Site for __PtyxSite {{
             const ID: &'static ::core::primitive::str = {{
                 const __IS_HERE: ::core::primitive::bool = {{
                     let (here, written) = (::core::file!().as_bytes(), {file:?}.as_bytes());
                     let mut at = 0;
                     while at < here.len() && at < written.len() && here[at] == written[at] {{
                         at += 1;
                     }}
                     at == here.len() && at == written.len()
                 }};
                 if __IS_HERE && ::core::line!() <= {line} && {line} <= ::core::line!() + {LINES}
                     {{ {plain} }} else {{ {within} }}
             }};
             const CRATE: ::core::primitive::u64 = {crate_id};
             const PLACE: &'static ::core::primitive::str =
                 ::core::concat!(::core::file!(), \":\", ::core::line!(), \":\", ::core::column!());
             const KERNEL: &'static ::core::primitive::str = {:?};
         }}
         {PASS_TRAITS}",
        kernel.to_string(),
    ))
}

impl Setting {
    fn expand(self) -> TokenStream {
        let span = root::site().located_at(self.keyword);
        let dot = TokenTree::from(Punct::new('.', Spacing::Alone));
        let method = TokenTree::from(Ident::new(self.method, span));
        let value_span = root::site().located_at(span_of(&self.value, self.keyword));
        let value = parenthesised(self.value.into_iter().collect(), value_span);
        [dot, method, value].into_iter().collect()
    }
}

/// `(&&&&&::ptyx::launch::Slot::new(argument)).pass()`: depending on how many references method lookup
/// removes, the argument is passed by its own rules, by value, or is an error with a reason.
///
/// In an unsafe launch it is `(&&&&&unsafe { ::ptyx::launch::Unchecked::new() }.slot(argument)).pass()`,
/// where the argument is outside of the block.
///
/// rustc marks everything between the first and the last token of an expression, so the first tokens
/// get the span of the argument's start, and the last that of its end. An argument that can't be passed
/// at all is an error of the method, which alone is marked.
fn pass(argument: Vec<TokenTree>, unsafety: Option<&TokenTree>) -> TokenStream {
    let site = root::site();
    let first = site.located_at(span_of(&argument, site));
    let last = site.located_at(argument.last().map_or(site, TokenTree::span));
    let at = |character, spacing, span| {
        let mut punct = Punct::new(character, spacing);
        punct.set_span(span);
        TokenTree::from(punct)
    };
    let mut slot: TokenStream = [Spacing::Joint; 4]
        .into_iter()
        .chain([Spacing::Alone])
        .map(|spacing| at('&', spacing, first))
        .collect();
    match unsafety {
        None => slot.extend(path(&["ptyx", "launch", "Slot", "new"], first)),
        Some(keyword) => {
            let mut make = path(&["ptyx", "launch", "Unchecked", "new"], first);
            make.extend([parenthesised(TokenStream::new(), first)]);
            let mut block = Group::new(Delimiter::Brace, make);
            block.set_span(keyword.span());
            slot.extend([
                keyword.clone(),
                block.into(),
                at('.', Spacing::Alone, first),
                Ident::new("slot", first).into(),
            ]);
        }
    }
    slot.extend([parenthesised(argument.into_iter().collect(), first)]);
    [
        parenthesised(slot, first),
        at('.', Spacing::Alone, first),
        Ident::new("pass", first).into(),
        parenthesised(TokenStream::new(), last),
    ]
    .into_iter()
    .collect()
}

/// "`a` or `b`"
fn alternatives(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" or ")
}

/// "`a`, `b` and `c`"
fn list(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}
