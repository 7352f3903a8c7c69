//! Lowers calls of device intrinsics by the rows of [`super::intrinsics`].

use std::collections::HashMap;

use ptyx_image::Arch;

use super::Goal;
use super::intrinsics::{INTRINSICS, Lowering, RmwOp};
use super::needs::AllNeeds;
use crate::llvm::{Builder, Module, Place, TypeKind, Value, calls_of, ordering};
use crate::report::Diagnostic;
use crate::symbols::{self, PREFIX};

/// The largest values of special registers: PTX ISA 10, CUDA Programming Guide "Compute
/// Capabilities". The optimiser narrows index arithmetic with them. The upper end is exclusive.
const RANGES: [(&str, u64, u64); 13] = [
    ("tid_x", 0, 1024),
    ("tid_y", 0, 1024),
    ("tid_z", 0, 64),
    ("ntid_x", 1, 1025),
    ("ntid_y", 1, 1025),
    ("ntid_z", 1, 65),
    ("ctaid_x", 0, 0x7fff_ffff),
    ("ctaid_y", 0, 0xffff),
    ("ctaid_z", 0, 0xffff),
    ("nctaid_x", 1, 0x8000_0000),
    ("nctaid_y", 1, 0x1_0000),
    ("nctaid_z", 1, 0x1_0000),
    ("laneid", 0, 32),
];

/// Special registers of the second and third dimension: the dimension, and what they hold in a launch
/// that has one thread and one block along it.
const FLAT: [(&str, u8, u64); 8] = [
    ("tid_y", 2, 0),
    ("tid_z", 3, 0),
    ("ntid_y", 2, 1),
    ("ntid_z", 3, 1),
    ("ctaid_y", 2, 0),
    ("ctaid_z", 3, 0),
    ("nctaid_y", 2, 1),
    ("nctaid_z", 3, 1),
];

/// Barriers that every thread of a warp must reach at one instruction, and the same without that
/// condition.
const ALIGNED: [(&str, &str); 5] = [
    ("llvm.nvvm.barrier.cta.sync.aligned.all", "llvm.nvvm.barrier.cta.sync.all"),
    ("llvm.nvvm.barrier.cta.sync.aligned.count", "llvm.nvvm.barrier.cta.sync.count"),
    ("llvm.nvvm.barrier.cta.red.popc.aligned.all", "llvm.nvvm.barrier.cta.red.popc.all"),
    ("llvm.nvvm.barrier.cta.red.and.aligned.all", "llvm.nvvm.barrier.cta.red.and.all"),
    ("llvm.nvvm.barrier.cta.red.or.aligned.all", "llvm.nvvm.barrier.cta.red.or.all"),
];

/// Makes constants of the special registers of dimensions beyond `max_dims`, in which the host launches
/// nothing: so a thread's rank in its block is `%tid.x` in a kernel of one dimension.
pub(super) fn flatten_dimensions(module: &Module<'_>, max_dims: u8) {
    for (register, _, value) in FLAT.into_iter().filter(|(_, dimension, _)| *dimension > max_dims) {
        let Some(function) = module.function(&format!("{PREFIX}{register}")) else { continue };
        for call in calls_of(function) {
            call.replace_all_uses_with(call.ty().constant(value));
            call.erase();
        }
    }
}

/// Lowers every intrinsic call and says what the module needs for them. Those that need more than
/// was asked for become calls of functions that do not exist, which `reject` explains if they are
/// still there after optimisation.
pub(super) fn lower_intrinsics(
    module: &Module<'_>,
    goal: Goal,
    targets: &[Arch],
) -> Result<AllNeeds, Diagnostic> {
    let mut needs = AllNeeds::default();
    for (symbol, lowering) in INTRINSICS {
        let Some(function) = module.function(symbol) else { continue };
        let calls = calls_of(function);
        let duplicated = duplicated_places(module, &calls);
        for (call, duplicated) in calls.into_iter().zip(duplicated) {
            let builder = Builder::before(module.context(), call);
            let args = call.arguments();
            let result = match *lowering {
                Lowering::Nvvm(name) => {
                    let name = match ALIGNED.iter().find(|(aligned, _)| *aligned == name) {
                        Some((_, unaligned)) if duplicated => unaligned,
                        _ => name,
                    };
                    Some(call_nvvm(module, &builder, call, name, &args)?)
                }
                Lowering::Asm { template, needs: of_row, .. }
                | Lowering::Pure { template, needs: of_row, .. }
                    if of_row.exceed(goal) =>
                {
                    let name = symbols::too_new(template, of_row.arch, targets);
                    let stand_in = module.declare(&name, call.called_type());
                    Some(builder.call(call.called_type(), stand_in, &args))
                }
                Lowering::Asm { template, constraints, needs: of_row }
                | Lowering::Pure { template, constraints, needs: of_row } => {
                    needs.raise(of_row);
                    let ty = call.called_type();
                    let effects = matches!(lowering, Lowering::Asm { .. });
                    let template = of_row.noted(template);
                    let asm = module.context().inline_asm(ty, &template, constraints, effects);
                    let new = builder.call(ty, asm, &args);
                    let attributes: &[&str] = match effects {
                        true => &["convergent"],
                        // `memory` with value 0: it touches none.
                        false => &["memory", "nounwind", "willreturn"],
                    };
                    for name in attributes {
                        new.add_call_attribute(module.context().attribute(name, 0));
                    }
                    Some(new)
                }
                Lowering::Rmw(operation) => {
                    Some(builder.atomic_rmw(number(operation), args[0], args[1], "device"))
                }
                Lowering::Fence(scope) => {
                    builder.fence(ordering::SEQUENTIALLY_CONSISTENT, scope);
                    None
                }
            };
            if let Some(result) = result {
                add_range(module, symbol, result);
                if result.ty().kind() != TypeKind::Void && !call.users().is_empty() {
                    let result = convert(&builder, result, call.ty());
                    call.replace_all_uses_with(result);
                }
            }
            call.erase();
        }
    }
    Ok(needs)
}

/// Calls an LLVM intrinsic, its `i1` parameters made of integers (non-zero is true).
fn call_nvvm<'c>(
    module: &Module<'c>,
    builder: &Builder<'c>,
    call: Value<'c>,
    name: &str,
    args: &[Value<'c>],
) -> Result<Value<'c>, Diagnostic> {
    let (function, ty) = module.intrinsic(name).ok_or_else(|| {
        Diagnostic::new(format!("rustc's LLVM does not have the intrinsic `{name}`"))
    })?;
    let mut args = args.to_vec();
    let params = ty.params();
    // A barrier without a number is barrier 0.
    if args.len() + 1 == params.len() && name.contains(".barrier.") {
        args.insert(0, module.context().int(32).constant(0));
    }
    if args.len() != params.len() {
        return Err(Diagnostic::new(format!(
            "`{}` is declared with {} parameters, but `{name}` has {}",
            call.callee().name(),
            args.len(),
            params.len()
        )));
    }
    let args: Vec<_> =
        args.into_iter().zip(params).map(|(arg, param)| convert(builder, arg, param)).collect();
    let new = builder.call(ty, function, &args);
    Ok(new)
}

/// Fits an integer to another width; to one bit by comparing with zero is not needed, since the
/// declarations give 0 or 1.
fn convert<'c>(builder: &Builder<'c>, value: Value<'c>, ty: crate::llvm::Type<'c>) -> Value<'c> {
    match (value.ty().kind(), ty.kind()) {
        (TypeKind::Int(from), TypeKind::Int(1)) if from > 1 => builder.is_not_zero(value),
        (TypeKind::Int(from), TypeKind::Int(to)) if from != to => builder.int_cast(value, ty),
        _ => value,
    }
}

/// For each call, whether another call of the same function comes from the same source place.
///
/// One barrier in the source that became several calls was copied on the way here (std's generic
/// functions were jump-threaded when std was built): threads of one warp may wait at different
/// copies, which an aligned barrier does not allow (PTX ISA 9.7.13.1).
fn duplicated_places(module: &Module<'_>, calls: &[Value<'_>]) -> Vec<bool> {
    let key = |call: &Value<'_>| -> (String, Vec<Place>) {
        (call.parent_function().name(), call.places(module.context()))
    };
    let mut count: HashMap<(String, Vec<Place>), u32> = HashMap::new();
    let keys: Vec<_> = calls.iter().map(key).collect();
    for key in &keys {
        *count.entry(key.clone()).or_default() += 1;
    }
    keys.iter().map(|key| !key.1.is_empty() && count[key] > 1).collect()
}

fn add_range<'c>(module: &Module<'c>, symbol: &str, result: Value<'c>) {
    let Some((_, low, high)) =
        RANGES.iter().find(|(name, ..)| symbol.strip_prefix(PREFIX) == Some(name))
    else {
        return;
    };
    let context = module.context();
    let word = context.int(32);
    let node = context.metadata_node(&[word.constant(*low), word.constant(*high)]);
    result.set_metadata(context.metadata_kind("range"), node);
}

/// LLVM-C's number of an `atomicrmw` operation (`LLVMAtomicRMWBinOp`).
fn number(operation: RmwOp) -> i32 {
    match operation {
        RmwOp::Exchange => 0,
        RmwOp::Add => 1,
        RmwOp::Sub => 2,
        RmwOp::And => 3,
        RmwOp::Or => 5,
        RmwOp::Xor => 6,
        RmwOp::Max => 7,
        RmwOp::Min => 8,
        RmwOp::UMax => 9,
        RmwOp::UMin => 10,
        RmwOp::FAdd => 11,
        RmwOp::IncrementWrap => 15,
        RmwOp::DecrementWrap => 16,
    }
}
