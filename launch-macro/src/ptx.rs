//! `ptx!`: inline PTX, in the syntax of `asm!`.
//!
//! In the device pass it becomes rustc's own `asm!`, whose first line tells the compiler that this is PTX
//! (`compiler/src/lower/lower_inline_ptx.rs`). On the host, it checks the operands' types and panics.

mod operands;
mod template;

use crate::output::{Problem, report, source};
use crate::root;
use crate::tokens::{flat, ident_text, is_punct, parenthesised, span_of, split_at_commas};
use operands::{Operand, What};
use proc_macro::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};
use template::{Line, Piece};

/// What the first line of the assembly says to the compiler; its `symbols.rs` knows it.
const HEAD: &str = "//__ptyx_ptx";

pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = input.into_iter().collect();
    match parse(&tokens) {
        Ok(assembly) => assembly.expand(),
        Err(problems) => {
            let mut output = TokenStream::new();
            for problem in &problems {
                output.extend(report(std::slice::from_ref(problem)));
                output.extend(source(";"));
            }
            TokenTree::from(Group::new(Delimiter::Brace, output)).into()
        }
    }
}

/// A parsed `ptx!`.
struct Assembly {
    lines: Vec<Line>,
    operands: Vec<Operand>,
    settings: Settings,
}

/// Everything except template and operands.
#[derive(Default)]
struct Settings {
    pure: bool,
    nomem: bool,
    readonly: bool,
    convergent: bool,
    noreturn: bool,
    /// Such as `sm_90a`.
    arch: Option<String>,
    /// The version of PTX, times ten.
    version: Option<u32>,
}

fn parse(tokens: &[TokenTree]) -> Result<Assembly, Vec<Problem>> {
    let parts = split_at_commas(tokens);
    let mut problems = Vec::new();
    let texts = parts.iter().map_while(|part| text(part)).collect::<Vec<_>>();
    let mut operands = Vec::new();
    let mut settings = Settings::default();
    for part in &parts[texts.len()..] {
        if !settings.read(part, &mut problems) {
            operands.extend(Operand::read(part, &mut problems));
        }
    }
    if texts.is_empty() {
        let span = parts.first().map_or(Span::call_site(), |p| span_of(p, Span::call_site()));
        problems.push(Problem::new(
            span,
            "ptx! begins with its instructions: a string literal, or several, one for each line",
        ));
        return Err(problems);
    }
    settings.check(&operands, parts.last().map_or(&[], Vec::as_slice), &mut problems);
    operands::check_names(&operands, &mut problems);
    let names: Vec<Option<String>> = operands.iter().map(Operand::name_text).collect();
    // An operand that could not be read would shift the numbers of those that the text names.
    let is_complete = problems.is_empty();
    let mut of_text = Vec::new();
    let lines = template::parse(&texts, &names, &mut of_text);
    if is_complete {
        problems.extend(of_text);
    }
    if problems.is_empty() {
        let uses = |at: usize| {
            lines.iter().flat_map(|line| &line.pieces).any(|piece| *piece == Piece::Operand(at))
        };
        let unused = operands.iter().enumerate().filter(|(at, _)| !uses(*at));
        problems
            .extend(unused.map(|(_, operand)| {
                Problem::new(operand.span, "no instruction uses this operand")
            }));
    }
    match problems.is_empty() {
        true => Ok(Assembly { lines, operands, settings }),
        false => Err(problems),
    }
}

/// The text of a part that is one string literal.
fn text(part: &[TokenTree]) -> Option<(String, Span)> {
    match &flat(part)[..] {
        [TokenTree::Literal(literal)] => {
            let text = crate::unescape::string(&literal.to_string())?;
            Some((text, literal.span()))
        }
        _ => None,
    }
}

impl Settings {
    /// Whether `part` is `options(..)`, `arch = ..` or `ptx = ..`, which is then read.
    fn read(&mut self, part: &[TokenTree], problems: &mut Vec<Problem>) -> bool {
        let first = part.first().and_then(ident_text).unwrap_or_default();
        if let (3, true, Some(TokenTree::Literal(value))) =
            (part.len(), is_punct(part.get(1), '='), part.get(2))
        {
            let text = value.to_string();
            let text = text.trim_matches('"');
            let known = match &first[..] {
                "arch" => {
                    self.arch = arch(text);
                    self.arch.is_some()
                }
                "ptx" => {
                    self.version = version(text);
                    self.version.is_some()
                }
                _ => return false,
            };
            if !known {
                problems.push(Problem::new(
                    value.span(),
                    match &first[..] {
                        "arch" => {
                            "an architecture is a number such as 90, or a name such as \"sm_90a\""
                        }
                        _ => "a version of PTX is a number such as 8.0",
                    },
                ));
            }
            return true;
        }
        let Some(TokenTree::Group(group)) = part.get(1).filter(|_| first == "options") else {
            return false;
        };
        let inner: Vec<TokenTree> = group.stream().into_iter().collect();
        for option in split_at_commas(&inner) {
            let name: String = option.iter().map(ToString::to_string).collect();
            match &name[..] {
                "pure" => self.pure = true,
                "nomem" => self.nomem = true,
                "readonly" => self.readonly = true,
                "convergent" => self.convergent = true,
                "noreturn" => self.noreturn = true,
                _ => problems.push(Problem::new(
                    span_of(&option, group.span()),
                    "the options of ptx! are `pure`, `nomem`, `readonly`, `convergent` and \
                     `noreturn`",
                )),
            }
        }
        true
    }

    /// Reports options that contradict each other or the operands.
    fn check(&self, operands: &[Operand], last: &[TokenTree], problems: &mut Vec<Problem>) {
        let outputs = operands.iter().any(|operand| operand.what.is_output());
        let wrong = [
            (self.pure && !self.nomem && !self.readonly, "`pure` comes with `nomem` or `readonly`"),
            (self.nomem && self.readonly, "`nomem` and `readonly` exclude each other"),
            (self.pure && !outputs, "`pure` instructions without an output have no effect at all"),
            (self.noreturn && outputs, "instructions that never return have no output"),
            (self.noreturn && self.pure, "`pure` instructions return"),
        ];
        for (_, why) in wrong.iter().filter(|(is_wrong, _)| *is_wrong) {
            problems.push(Problem::new(span_of(last, Span::call_site()), *why));
        }
    }

    /// The first line of the assembly.
    fn head(&self) -> String {
        let mut head = HEAD.to_owned();
        if let Some(arch) = &self.arch {
            head += &format!(" arch={arch}");
        }
        if let Some(version) = self.version {
            head += &format!(" ptx={version}");
        }
        let words =
            [(self.pure, " pure"), (self.nomem, " nomem"), (self.convergent, " convergent")];
        words.iter().filter(|(is_set, _)| *is_set).for_each(|(_, word)| head += word);
        head
    }

    /// The options for rustc's `asm!`.
    fn options(&self) -> String {
        let mut options = "nostack, preserves_flags".to_owned();
        let words = [
            (self.pure, ", pure"),
            (self.nomem, ", nomem"),
            (self.readonly, ", readonly"),
            (self.noreturn, ", noreturn"),
        ];
        words.iter().filter(|(is_set, _)| *is_set).for_each(|(_, word)| options += word);
        options
    }
}

/// `sm_90a` for `90`, `sm_90a` and the like.
fn arch(text: &str) -> Option<String> {
    let (number, suffix) = match text.strip_prefix("sm_") {
        Some(rest) => rest.split_at(rest.find(['a', 'f']).unwrap_or(rest.len())),
        None => (text, ""),
    };
    let is_number = (2..=3).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit());
    (is_number && matches!(suffix, "" | "a" | "f")).then(|| format!("sm_{number}{suffix}"))
}

/// 80 for `8.0`.
fn version(text: &str) -> Option<u32> {
    let (major, minor) = text.split_once('.').unwrap_or((text, "0"));
    let (major, minor): (u32, u32) = (major.parse().ok()?, minor.parse().ok()?);
    (major < 100 && minor < 10).then_some(major * 10 + minor)
}

impl Assembly {
    /// ```text
    /// ::ptyx::device::__ptx! {
    ///     device {
    ///         let __ptyx_1: u32;
    ///         ::core::arch::asm!("//__ptyx_ptx", "..", in(reg) .., out(reg) __ptyx_1, options(..));
    ///         flag = __ptyx_1 != 0;
    ///     }
    ///     host {
    ///         ::ptyx::device::ptx::call();
    ///         ::ptyx::device::ptx::input(a);
    ///         b = ::ptyx::device::ptx::output();
    ///     }
    /// }
    /// ```
    fn expand(self) -> TokenStream {
        let mut output = source("::ptyx::device::__ptx!");
        let mut arms = source("device");
        arms.extend([braces(self.device())]);
        arms.extend(source("host"));
        arms.extend([braces(self.host())]);
        output.extend([braces(arms)]);
        output
    }

    /// The template's lines as string literals.
    fn template(&self) -> TokenStream {
        let mut output = TokenStream::new();
        let mut push = |text: &str, span: Span| {
            let mut literal = Literal::string(text);
            literal.set_span(span);
            output.extend([TokenTree::from(literal)]);
            output.extend(source(","));
        };
        push(&self.settings.head(), Span::call_site());
        let scope = template::needs_scope(&self.lines);
        if scope {
            push("{{", Span::call_site());
        }
        for line in &self.lines {
            let pieces = line.pieces.iter().map(|piece| match piece {
                Piece::Text(text) => text.replace('{', "{{").replace('}', "}}"),
                Piece::Operand(at) if self.operands[*at].is_predicate => format!("{{{at}:l}}"),
                Piece::Operand(at) => format!("{{{at}}}"),
            });
            push(&pieces.collect::<String>(), line.span);
        }
        if scope {
            push("}}", Span::call_site());
        }
        output
    }

    fn device(&self) -> TokenStream {
        let (mut before, mut after) = (TokenStream::new(), TokenStream::new());
        let mut inside = self.template();
        for (at, operand) in self.operands.iter().enumerate() {
            let convert = if operand.is_predicate { "predicate" } else { "input" };
            let input = |value: &TokenStream| {
                let mut call = source(&format!("::ptyx::device::ptx::{convert}"));
                call.extend([parenthesised(value.clone(), operand.span)]);
                call
            };
            // A predicate is passed through a variable of its own.
            let temporary =
                TokenTree::from(Ident::new(&format!("__ptyx_{at}"), Span::mixed_site()));
            let mut place = |place: &TokenStream| {
                if !operand.is_predicate {
                    return place.clone();
                }
                before.extend(source("let"));
                before.extend([temporary.clone()]);
                before.extend(source(": u32;"));
                after.extend(place.clone());
                after.extend(source("="));
                after.extend([temporary.clone()]);
                after.extend(source("!= 0;"));
                temporary.clone().into()
            };
            match &operand.what {
                What::Const(value) => {
                    inside.extend(source("const"));
                    inside.extend(value.clone());
                }
                What::In(value) => {
                    inside.extend(source("in(reg)"));
                    inside.extend(input(value));
                }
                What::Out(to, late) => {
                    inside.extend(source(if *late { "lateout(reg)" } else { "out(reg)" }));
                    inside.extend(place(to));
                }
                What::InOut(from, to, late) => {
                    inside.extend(source(if *late { "inlateout(reg)" } else { "inout(reg)" }));
                    inside.extend(input(from));
                    inside.extend(source("=>"));
                    inside.extend(place(to));
                }
            }
            inside.extend(source(","));
        }
        inside.extend(source(&format!("options({})", self.settings.options())));
        let mut asm = source("::core::arch::asm!");
        asm.extend([parenthesised(inside, Span::call_site())]);
        if self.settings.noreturn {
            return asm;
        }
        asm.extend(source(";"));
        before.extend(source("#[allow(asm_sub_register, named_asm_labels)]"));
        before.extend([braces(asm)]);
        before.extend(after);
        before
    }

    fn host(&self) -> TokenStream {
        let mut output = source("::ptyx::device::ptx::call();");
        let check = |name: &str, value: &TokenStream, span: Span| {
            let mut call = source(&format!("::ptyx::device::ptx::{name}"));
            // A wrong type is reported at the operand.
            call = call
                .into_iter()
                .map(|mut token| {
                    token.set_span(token.span().located_at(span));
                    token
                })
                .collect();
            call.extend([parenthesised(value.clone(), span)]);
            call
        };
        for operand in &self.operands {
            let (input, result, through) = match operand.is_predicate {
                true => ("predicate", "predicate_output", "predicate_through"),
                false => ("input", "output", "through"),
            };
            let mut assign = |to: &TokenStream, value: TokenStream| {
                output.extend(to.clone());
                output.extend(source("="));
                output.extend(value);
            };
            match &operand.what {
                What::Const(value) => {
                    let mut constant = source("const");
                    constant.extend([braces(value.clone())]);
                    output.extend(check("constant", &constant, operand.span));
                }
                What::In(value) => output.extend(check(input, value, operand.span)),
                What::Out(to, _) => {
                    assign(to, check(result, &TokenStream::new(), operand.span));
                }
                What::InOut(from, to, _) => {
                    assign(to, check(through, from, operand.span));
                }
            }
            output.extend(source(";"));
        }
        if self.settings.noreturn {
            output.extend(source("::ptyx::device::ptx::never()"));
        }
        output
    }
}

fn braces(tokens: TokenStream) -> TokenTree {
    let mut group = Group::new(Delimiter::Brace, tokens);
    group.set_span(root::site());
    group.into()
}
