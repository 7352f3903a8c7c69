//! All variants of one kernel: each of its forms, for each architecture that it is to be compiled for.

use super::dump::Dump;
use super::ptx;
use super::variant::{self, Source, Variant};
use crate::options::Options;
use crate::report::Diagnostic;

/// Compiles a kernel for all of its goals. The errors of all variants come together, each once.
pub(super) fn compile_variants(
    source: Source<'_>,
    options: &Options,
    dump: &Dump,
) -> Result<Vec<Variant>, Vec<Diagnostic>> {
    let (forms, goals) = (source.description.unchecked, &source.description.goals);
    let (mut variants, mut errors) = (Vec::new(), Vec::new());
    for &unchecked in forms {
        for &goal in goals {
            let form = if unchecked { "-unchecked" } else { "" };
            let dump = match goals.len() * forms.len() {
                1 => dump.clone(),
                _ => dump.of_variant(&format!("{}{form}", goal.arch())),
            };
            match variant::compile(&source, unchecked, goal, options, &dump) {
                Ok(Some(variant)) => add_variant(&mut variants, variant),
                Ok(None) => {}
                Err(found) => errors.extend(found),
            }
        }
    }
    errors.dedup();
    if errors.is_empty() { Ok(variants) } else { Err(errors) }
}

/// Adds a variant, unless an equivalent one runs wherever it does; drops variants that it makes
/// redundant.
fn add_variant(variants: &mut Vec<Variant>, new: Variant) {
    // Later goals know more of what the architecture has.
    let form = |variant: &Variant| (variant.code.arch, variant.code.unchecked);
    variants.retain(|known| form(known) != form(&new));
    let is_same = |known: &Variant| {
        let modules = || known.modules.iter().zip(&new.modules);
        new.code.unchecked == known.code.unchecked
            && new.code.arch.provides(known.code.arch)
            && new.code.proof == known.code.proof
            && known.modules.len() == new.modules.len()
            && known
                .code
                .with_proved()
                .map(|code| &code.limits)
                .eq(new.code.with_proved().map(|code| &code.limits))
            && modules().all(|(known, new)| {
                ptx::body(&known.ptx) == ptx::body(&new.ptx)
                    && known.panics == new.panics
                    && known.statics == new.statics
            })
    };
    if !variants.iter().any(is_same) {
        variants.push(new);
    }
}
