//! The PTX front end: text to a syntax tree.

pub(crate) mod ast;
mod body;
pub(crate) mod form;
pub(crate) mod lexer;
pub(crate) mod link;
pub(crate) mod parser;
pub(crate) mod types;

use crate::error::Diagnostic;

/// Parses a module.
///
/// # Errors
/// Every mistake found, each with its line.
pub(crate) fn parse(source: &str) -> Result<ast::Module<'_>, Vec<Diagnostic>> {
    let mut parser = parser::Parser::new(source);
    let module = parser.module();
    if parser.errors.is_empty() { Ok(module) } else { Err(parser.errors) }
}
