//! Atomic intrinsics: their last argument is a constant that says the memory order and the scope.
//!
//! ```text
//! bits 0..4   0 relaxed, 1 acquire, 2 release, 3 both, 4 sequentially consistent
//! bits 4..    0 block, 1 cluster, 2 device, 3 system, 4 device, which the program has not chosen
//! ```
//!
//! `device-std/src/atomic/order.rs` makes these numbers.

use std::borrow::Cow;

use super::Goal;
use super::intrinsics::AtomicOperation;
use crate::llvm::{Builder, Context, TypeKind, Value, ordering, update};
use crate::symbols::UNCHOSEN_SCOPE;

/// The place of order and scope in the template of inline PTX.
const PLACE: &str = ".ORDER.SCOPE";

/// The architecture with clusters. Where there are none, a cluster's scope is the device: a block alone
/// would be wrong if a newer device runs the code.
const CLUSTERS: u32 = 90;

/// An order: LLVM's number, the one of a compare-exchange that fails, and PTX's word, if it is one of an
/// instruction.
const ORDERS: [(i32, i32, Option<&str>); 5] = [
    (ordering::MONOTONIC, ordering::MONOTONIC, Some("relaxed")),
    (ordering::ACQUIRE, ordering::ACQUIRE, Some("acquire")),
    (ordering::RELEASE, ordering::MONOTONIC, Some("release")),
    (ordering::ACQUIRE_RELEASE, ordering::ACQUIRE, Some("acq_rel")),
    (ordering::SEQUENTIALLY_CONSISTENT, ordering::SEQUENTIALLY_CONSISTENT, None),
];

/// A scope: LLVM's word and PTX's.
const SCOPES: [(&str, &str); 5] =
    [("block", "cta"), ("cluster", "cluster"), ("device", "gpu"), ("", "sys"), ("device", "gpu")];

/// The scope that a program gets without choosing one. Loads of that scope are marked.
const UNCHOSEN: usize = 4;

/// Order and scope, as indices of the tables.
fn read(argument: Value<'_>, goal: Goal) -> Result<(usize, usize), String> {
    let number = argument.as_int().ok_or("its order and scope are not constant")?;
    let (order, mut scope) = ((number & 15) as usize, (number >> 4) as usize);
    if order >= ORDERS.len() || scope >= SCOPES.len() {
        return Err(format!("{number} is no order and scope"));
    }
    if SCOPES[scope].0 == "cluster" && goal.arch().sm < CLUSTERS {
        scope += 1;
    }
    Ok((order, scope))
}

/// The instruction of a call, before it.
pub(super) fn lower<'c>(
    context: &'c Context,
    builder: &Builder<'c>,
    call: Value<'c>,
    operation: AtomicOperation,
    goal: Goal,
) -> Result<Value<'c>, String> {
    const WRONG: &str = "the operation does not take these arguments";
    let arguments = call.arguments();
    let (how, arguments) = arguments.split_last().ok_or(WRONG)?;
    let (order, scope) = read(*how, goal)?;
    let (order, on_failure, _) = ORDERS[order];
    let is_unchosen = scope == UNCHOSEN;
    let scope = context.sync_scope(SCOPES[scope].0);
    if arguments.first().is_some_and(|pointer| pointer.ty().kind() != TypeKind::Pointer) {
        return Err(WRONG.to_owned());
    }
    let refused = |wrong: &[i32]| match wrong.contains(&order) {
        true => Err("the operation can't have this order".to_owned()),
        false => Ok(()),
    };
    let ordered = |instruction: Value<'c>| {
        instruction.set_memory_ordering(order);
        instruction.set_sync_scope(scope);
        instruction
    };
    match (operation, arguments) {
        (AtomicOperation::Load, [pointer]) => {
            refused(&[ordering::RELEASE, ordering::ACQUIRE_RELEASE])?;
            let bytes = bytes(call).ok_or(WRONG)?;
            let load = ordered(builder.load_aligned(call.ty(), *pointer, bytes));
            if is_unchosen {
                let kind = context.metadata_kind(UNCHOSEN_SCOPE);
                load.set_metadata(kind, context.metadata_node(&[]));
            }
            Ok(load)
        }
        (AtomicOperation::Store, [pointer, value]) => {
            refused(&[ordering::ACQUIRE, ordering::ACQUIRE_RELEASE])?;
            let bytes = bytes(*value).ok_or(WRONG)?;
            Ok(ordered(builder.store_aligned(*value, *pointer, bytes)))
        }
        (AtomicOperation::CompareExchange, [pointer, current, new])
            if bytes(*new).is_some() && current.ty() == new.ty() =>
        {
            let orders = [order, on_failure];
            let pair = builder.compare_exchange(*pointer, [*current, *new], orders, scope);
            Ok(builder.extract(pair, 0))
        }
        (AtomicOperation::Update(operation), [pointer, value]) if is_for(operation, *value) => {
            Ok(builder.atomic_rmw(operation, *pointer, *value, order, scope))
        }
        (AtomicOperation::Fence, []) => {
            refused(&[ordering::MONOTONIC])?;
            Ok(builder.fence(order, scope))
        }
        _ => Err(WRONG.to_owned()),
    }
}

/// The size of an integer.
fn bytes(value: Value<'_>) -> Option<u32> {
    match value.ty().kind() {
        TypeKind::Int(bits @ (8 | 16 | 32 | 64)) => Some(bits / 8),
        _ => None,
    }
}

/// Whether an `atomicrmw` computes with such a number.
fn is_for(operation: i32, value: Value<'_>) -> bool {
    let is_of_floats = [update::FLOAT_ADD, update::FLOAT_SUB].contains(&operation);
    match value.ty().kind() {
        TypeKind::Int(_) => !is_of_floats && bytes(value).is_some(),
        TypeKind::F32 | TypeKind::F64 => is_of_floats,
        _ => false,
    }
}

/// Inline PTX with its order and scope, and the arguments without these.
pub(super) fn ordered<'t, 'c>(
    template: &'t str,
    mut arguments: Vec<Value<'c>>,
    goal: Goal,
) -> Result<(Cow<'t, str>, Vec<Value<'c>>), String> {
    if !template.contains(PLACE) {
        return Ok((template.into(), arguments));
    }
    let how = arguments.pop().ok_or("its order and scope are missing")?;
    let (order, scope) = read(how, goal)?;
    let order = ORDERS[order].2.ok_or("inline PTX can't have this order")?;
    let modifiers = format!(".{order}.{}", SCOPES[scope].1);
    Ok((template.replace(PLACE, &modifiers).into(), arguments))
}
