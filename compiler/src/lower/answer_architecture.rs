//! `arch_at_least!` and `arch_is!`: questions about the architecture, answered for each compiled
//! variant of a kernel by a constant, so that branches on them disappear.

use std::collections::BTreeSet;

use ptyx_image::{Arch, Features};

use crate::llvm::{Module, Value, calls_of};
use crate::report::Diagnostic;
use crate::symbols::ARCH_PROVIDES;

/// The architectures that the module's code asks about.
pub(crate) fn asked_archs(module: &Module<'_>) -> Result<BTreeSet<Arch>, Diagnostic> {
    let Some(function) = module.function(ARCH_PROVIDES) else { return Ok(BTreeSet::new()) };
    calls_of(function).into_iter().map(|call| question(module, call)).collect()
}

/// Answers the questions for code that is compiled for `arch`.
pub(super) fn answer_architecture(module: &Module<'_>, arch: Arch) -> Result<(), Diagnostic> {
    let Some(function) = module.function(ARCH_PROVIDES) else { return Ok(()) };
    for call in calls_of(function) {
        let answer = arch.provides(question(module, call)?);
        call.replace_all_uses_with(call.ty().constant(u64::from(answer)));
        call.erase();
    }
    Ok(())
}

/// The architecture that a call asks about. A number between two architectures means the newer one.
fn question(module: &Module<'_>, call: Value<'_>) -> Result<Arch, Diagnostic> {
    let wrong = |why: &str| {
        let place = call.places(module.context()).pop().unwrap_or_default();
        let question = "arch_at_least! or arch_is!";
        Diagnostic::new(format!("{question} at {}:{}: {why}", place.file, place.line))
    };
    let args = call.arguments();
    let (Some(sm), Some(features)) =
        (args.first().and_then(|arg| arg.as_int()), args.get(1).and_then(|arg| arg.as_int()))
    else {
        return Err(wrong("its argument is not constant"));
    };
    let sm = u32::try_from(sm).unwrap_or(u32::MAX);
    let arch = match features {
        0 => Arch::at_least(sm),
        1 => Some(Arch { features: Features::Family, sm }).filter(|arch| arch.is_known()),
        _ => Some(Arch { features: Features::Exact, sm }).filter(|arch| arch.is_known()),
    };
    arch.ok_or_else(|| {
        let known: Vec<String> = Arch::all().map(|arch| arch.to_string()).collect();
        wrong(&format!("no such architecture is known; they are {}", known.join(", ")))
    })
}
