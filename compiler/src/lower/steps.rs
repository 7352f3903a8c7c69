//! The steps by name, each alone, for the files of `compiler/tests/passes/` (`optimise/file_tests.rs`).
//!
//! A step that needs more than a module finds it by name: the kernel's entry is `kernel`, the unpacking function
//! `unpack`. What a step tells its caller is text here, which the file expects after the module.

use std::fmt::Write as _;

use ptyx_image::{Arch, Layout, Static, StaticKind};

use super::place_statics::{is_constant_static, is_static_variable};
use super::*;

/// Runs a step; what it says besides the module is lines of text.
pub(crate) type RunStep = fn(&mut Module<'_>, &Target) -> Result<String, Diagnostic>;

/// What a step says that changes the module only.
pub(crate) const NOTHING: Result<String, Diagnostic> = Ok(String::new());

/// The architecture of the code that asks about it: a newer one than the oldest.
const ASKED: Goal = Goal::From(Arch::portable(90));

/// The oldest architecture.
const OLDEST: Goal = Goal::From(Arch::BASE);

/// A row of [`STEPS`] for a step that needs the module alone, and says nothing.
macro_rules! plain {
    ($step:ident) => {
        (stringify!($step), |module, _| {
            _ = $step(module);
            NOTHING
        })
    };
}

/// The same for one that can fail.
macro_rules! fallible {
    ($step:ident($($also:ident)?)) => {
        (stringify!($step), |module, _target| {
            _ = $step(module $(, { let $also = _target; $also })?)?;
            NOTHING
        })
    };
}

/// Every step, in the order in which they run.
pub(crate) const STEPS: [(&str, RunStep); 33] = [
    plain!(leave_out_checks),
    plain!(answer_features),
    fallible!(place_statics()),
    ("take_linked_ptx", |module, _| Ok(lines(take_linked_ptx(module)))),
    plain!(strip_attributes),
    fallible!(remove_exceptions(target)),
    ("take_marks", |module, _| Ok(lines([take_marks(module, function(module, "unpack")?)]))),
    plain!(redirect_runtime),
    plain!(redirect_x86),
    plain!(redirect_half),
    plain!(fix_hash_keys),
    plain!(redirect_heap),
    fallible!(redirect_panics(target)),
    ("redirect_prints", |module, target| Ok(lines(redirect_prints(module, target)?))),
    ("answer_architecture", |module, _| {
        answer_architecture(module, ASKED.arch())?;
        NOTHING
    }),
    ("lower_symbols", |module, _| {
        let facts = lower_symbols(module)?;
        let (bytes, MaxDims { grid, block }) = (facts.static_shared, facts.max_dims);
        Ok(format!(
            "{bytes} bytes of static shared memory\ngrids of at most {grid} dimensions, blocks of at most {block}\n"
        ))
    }),
    ("lower_intrinsics", |module, _| {
        lower_intrinsics(module, OLDEST, &[], &LaunchShape::up_to(1))?;
        NOTHING
    }),
    ("lower_inline_ptx", |module, _| {
        lower_inline_ptx(module, OLDEST, &[], &mut AllNeeds::default())?;
        NOTHING
    }),
    plain!(order_atomics),
    plain!(replace_foreign),
    ("make_entry", |module, target| {
        let unpack = function(module, "unpack")?;
        let layouts: Vec<Layout> = unpack.params().into_iter().filter_map(layout).collect();
        let (_, params, unpromised) = make_entry(module, target, unpack, &layouts, "kernel")?;
        Ok(lines(params) + &format!("unpromised: {unpromised:?}\n"))
    }),
    fallible!(mark_unrolled_loops()),
    ("internalise", |module, _| {
        internalise(module, function(module, "kernel")?);
        NOTHING
    }),
    fallible!(guard_private_atomics()),
    plain!(widen_narrow_atomics),
    plain!(widen_to_system),
    fallible!(hide_square_roots()),
    fallible!(inline_prints(target)),
    ("number_panics", |module, target| {
        let panics = number_panics(module, target)?;
        Ok(lines(panics.files) + &lines(panics.sites))
    }),
    ("bind_launch", |module, _| Ok(lines([bind_launch(module, function(module, "kernel")?)]))),
    ("move_large_arrays", |module, _| {
        let moved = move_large_arrays(module, function(module, "kernel")?)?;
        Ok(format!("{moved} bytes moved\n"))
    }),
    ("keep_used_statics", |module, _| {
        let statics: Vec<Static> =
            module.globals().into_iter().filter_map(|global| described(module, global)).collect();
        Ok(lines(keep_used_statics(module, &statics)?.into_iter().map(|one| one.name)))
    }),
    ("break_cycles", |module, _| {
        break_cycles(module, function(module, "kernel")?);
        NOTHING
    }),
];

/// A line for each.
fn lines(said: impl IntoIterator<Item = impl std::fmt::Debug>) -> String {
    said.into_iter().fold(String::new(), |mut lines, one| {
        _ = writeln!(lines, "{one:?}");
        lines
    })
}

fn function<'c>(module: &Module<'c>, name: &str) -> Result<Value<'c>, Diagnostic> {
    module.function(name).ok_or_else(|| Diagnostic::new(format!("the file defines no `{name}`")))
}

/// The layout that a parameter's name says: `name.size.alignment`.
fn layout(param: Value<'_>) -> Option<Layout> {
    let name = param.name();
    let mut parts = name.rsplit('.').map(|part| part.parse().ok());
    let (align, size) = (parts.next()??, parts.next()??);
    Some(Layout { size, align, fingerprint: 0 })
}

/// The device static that a variable belongs to, if it is one's.
fn described(module: &Module<'_>, variable: Value<'_>) -> Option<Static> {
    let kind = match is_constant_static(variable) {
        true => StaticKind::Constant,
        false => StaticKind::Global,
    };
    let size = module.size_of(variable.value_type()) as u32;
    is_static_variable(variable).then(|| Static {
        key: 1,
        name: variable.name(),
        kind,
        variable: variable.name(),
        layout: Layout { size, align: variable.alignment(), fingerprint: 0 },
        initial: None,
    })
}
