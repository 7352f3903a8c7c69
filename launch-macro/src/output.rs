//! Writing tokens, errors among them: the little of `quote` that these macros need.

use crate::root;
use proc_macro::{Delimiter, Group, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

/// An error in a macro's input: where, and what to write instead.
pub(crate) struct Problem {
    span: Span,
    message: String,
}

impl Problem {
    pub(crate) fn new(span: Span, message: impl Into<String>) -> Self {
        Self { span, message: message.into() }
    }

    /// `::core::compile_error! { "message" }`, placed where the problem is.
    pub(crate) fn to_tokens(&self) -> TokenStream {
        let mut literal = Literal::string(&self.message);
        literal.set_span(self.span);
        let mut group = Group::new(Delimiter::Brace, TokenTree::from(literal).into());
        group.set_span(self.span);
        let mut bang = Punct::new('!', Spacing::Alone);
        bang.set_span(self.span);
        let mut tokens = path(&["core", "compile_error"], self.span);
        tokens.extend([TokenTree::from(bang), TokenTree::from(group)]);
        tokens
    }
}

/// All problems as compile errors, one after the other.
pub(crate) fn report(problems: &[Problem]) -> TokenStream {
    problems.iter().map(Problem::to_tokens).collect()
}

/// The same as an expression, for macros in expression position.
pub(crate) fn report_expression(problems: &[Problem]) -> TokenStream {
    let mut statements = TokenStream::new();
    for problem in problems {
        statements.extend(problem.to_tokens());
        statements.extend([TokenTree::from(Punct::new(';', Spacing::Alone))]);
    }
    // The value has the type of a launch, so that the errors above stay the only ones.
    statements.extend(source("::ptyx::Result::<()>::Ok(())"));
    TokenTree::from(Group::new(Delimiter::Brace, statements)).into()
}

/// Parses text of our own (never the user's) into tokens with the span of the macro's call.
pub(crate) fn source(text: &str) -> TokenStream {
    let parsed = text.parse().map(root::applied);
    parsed.unwrap_or_else(|_| {
        Problem::new(Span::call_site(), format!("ptyx-macros wrote bad Rust: {text}")).to_tokens()
    })
}

/// `::a::b::c`, all of it at `span`; `ptyx` is what that crate is called here.
pub(crate) fn path(names: &[&str], span: Span) -> TokenStream {
    let Some((first, rest)) = names.split_first() else { return TokenStream::new() };
    let mut path = root::path_of(first, span);
    path.extend(rest.iter().flat_map(|name| root::absolute(name, span)));
    path.into_iter().collect()
}
