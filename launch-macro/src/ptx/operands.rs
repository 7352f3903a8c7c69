//! The operands of `ptx!`: `in(reg) x`, `sum = out(reg) y`, `inout(reg) a => b`, `const N`.

use crate::output::Problem;
use crate::tokens::{as_group, ident_text, is_ident, is_joint, is_punct, span_of};
use proc_macro::{Delimiter, Span, TokenStream, TokenTree};

/// An operand.
pub(super) struct Operand {
    pub(super) name: Option<(String, Span)>,
    /// Its value or its place, for messages.
    pub(super) span: Span,
    /// A `bool` in a predicate register.
    pub(super) is_predicate: bool,
    pub(super) what: What,
}

/// How it is used.
pub(super) enum What {
    /// A number in the text.
    Const(TokenStream),
    In(TokenStream),
    /// The place, and whether its register may be one of an input's.
    Out(TokenStream, bool),
    /// The value from before, the place, and whether its register may be another input's.
    InOut(TokenStream, TokenStream, bool),
}

impl What {
    pub(super) fn is_output(&self) -> bool {
        matches!(self, What::Out(..) | What::InOut(..))
    }
}

const FORMS: &str = "an operand is `in(reg) value`, `out(reg) place`, `inout(reg) place`, \
    `inout(reg) value => place` or `const value`, with `name =` in front if the instructions name it; \
    `pred` instead of `reg` is a predicate";

impl Operand {
    pub(super) fn read(part: &[TokenTree], problems: &mut Vec<Problem>) -> Option<Operand> {
        let mut rest = part;
        let mut name = None;
        if let (Some(TokenTree::Ident(ident)), true) = (rest.first(), is_punct(rest.get(1), '=')) {
            name = Some((ident.to_string(), ident.span()));
            rest = &rest[2..];
        }
        let place = span_of(rest, span_of(part, Span::call_site()));
        let mut wrong = |span: Span, why: &str| problems.push(Problem::new(span, why));
        let Some(kind) = rest.first().and_then(ident_text) else {
            wrong(place, FORMS);
            return None;
        };
        if kind == "const" && rest.len() > 1 {
            let value = rest[1..].iter().cloned().collect();
            let what = What::Const(value);
            return Some(Operand { name, span: rest[1].span(), is_predicate: false, what });
        }
        let class = as_group(rest.get(1), Delimiter::Parenthesis);
        let (Some(class), true) =
            (class, matches!(&kind[..], "in" | "out" | "lateout" | "inout" | "inlateout"))
        else {
            match &kind[..] {
                "sym" | "label" | "clobber_abi" => {
                    wrong(place, "ptx! has none of `sym`, `label` and `clobber_abi`");
                }
                _ => wrong(place, FORMS),
            }
            return None;
        };
        let class_tokens: Vec<TokenTree> = class.stream().into_iter().collect();
        let is_predicate = match &class_tokens[..] {
            [only] if is_ident(Some(only), "reg") => false,
            [only] if is_ident(Some(only), "pred") => true,
            _ => {
                wrong(
                    span_of(&class_tokens, class.span()),
                    "write `reg`, or `pred` for a predicate: the operand's type says which register",
                );
                return None;
            }
        };
        let value = &rest[2..];
        if value.is_empty() {
            wrong(class.span(), "the operand's value is missing");
            return None;
        }
        let span = value[0].span();
        let arrow = value
            .windows(2)
            .position(|pair| is_joint(pair.first(), '=') && is_punct(pair.get(1), '>'));
        let tokens = |part: &[TokenTree]| part.iter().cloned().collect::<TokenStream>();
        let is_ignored = |part: &[TokenTree]| matches!(part, [only] if is_ident(Some(only), "_"));
        let late = matches!(&kind[..], "lateout" | "inlateout");
        let what = match (&kind[..], arrow) {
            ("inout" | "inlateout", Some(at)) if at > 0 && at + 2 < value.len() => {
                What::InOut(tokens(&value[..at]), tokens(&value[at + 2..]), late)
            }
            ("inout" | "inlateout", None) => What::InOut(tokens(value), tokens(value), late),
            ("in", None) => What::In(tokens(value)),
            (_, None) => What::Out(tokens(value), late),
            _ => {
                wrong(span, FORMS);
                return None;
            }
        };
        let ignored = is_ignored(value) || arrow.is_some_and(|at| is_ignored(&value[at + 2..]));
        if ignored && what.is_output() && !is_predicate {
            wrong(
                value[value.len() - 1].span(),
                "`_` does not say how wide the register is: declare a variable, such as `let _x: u32;`",
            );
            return None;
        }
        Some(Operand { name, span, is_predicate, what })
    }

    pub(super) fn name_text(&self) -> Option<String> {
        self.name.as_ref().map(|(name, _)| name.clone())
    }
}

/// Reports duplicate names, and operands without a name after those with one.
pub(super) fn check_names(operands: &[Operand], problems: &mut Vec<Problem>) {
    let mut seen: Vec<&str> = Vec::new();
    for operand in operands {
        match &operand.name {
            Some((name, span)) if seen.contains(&&name[..]) => {
                problems.push(Problem::new(*span, format!("there are two operands `{name}`")));
            }
            Some((name, _)) => seen.push(name),
            None if !seen.is_empty() => problems
                .push(Problem::new(operand.span, "unnamed operands must come before named ones")),
            None => {}
        }
    }
}
