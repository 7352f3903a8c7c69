//! Puts the user's PTX (`lower/take_linked_ptx.rs`) into a kernel's module: in the place of the declarations that the
//! backend printed.

use crate::lower::{LinkedPtx, PtxParam as Param, Signature, signature};
use crate::report::Diagnostic;

/// The last line of a module's head.
const HEAD_END: &str = ".address_size 64\n";

/// What the backend's declarations begin with.
const DECLARATION: &str = ".extern .func";

/// The text of a kernel with what it calls.
///
/// # Errors
/// A function takes or returns something else in Rust than in PTX.
pub(super) fn link_ptx(ptx: String, linked: &[&LinkedPtx]) -> Result<String, Diagnostic> {
    if linked.is_empty() {
        return Ok(ptx);
    }
    let mut text = ptx;
    let mut from = 0;
    while let Some(at) = text[from..].find(DECLARATION).map(|at| from + at) {
        let end = text[at..].find(';').map_or(text.len(), |len| at + len + 1);
        let declared = signature(&text[at + DECLARATION.len()..end]);
        let defined = declared
            .as_ref()
            .and_then(|(name, _)| linked.iter().find_map(|linked| linked.functions.get(name)));
        match (declared, defined) {
            (Some((name, declared)), Some(defined)) => {
                if declared != *defined {
                    return Err(refuse(&name, &declared, defined));
                }
                text.replace_range(at..end, "");
                from = at;
            }
            _ => from = end,
        }
    }
    let Some(at) = text.find(HEAD_END).map(|at| at + HEAD_END.len()) else {
        return Err(Diagnostic::new("the head of the PTX can't be found: this is a bug in Ptyx"));
    };
    let bodies: String = linked.iter().map(|linked| linked.text.as_str()).collect();
    text.insert_str(at, &bodies);
    Ok(super::ptx::tidy(&text))
}

fn refuse(name: &str, declared: &Signature, defined: &Signature) -> Diagnostic {
    let list = |params: &[Param]| match params {
        [] => "nothing".to_owned(),
        _ => params.iter().map(Param::to_string).collect::<Vec<_>>().join(", "),
    };
    let both = |signature: &Signature| {
        format!("takes {} and returns {}", list(&signature.params), list(&signature.results))
    };
    Diagnostic::new(format!(
        "the linked PTX defines `{name}` with other parameters than Rust declares"
    ))
    .note(format!("in Rust it {}", both(declared)))
    .note(format!("in PTX it {}", both(defined)))
    .help("numbers and pointers can be passed; pass a struct by a pointer to it")
}
