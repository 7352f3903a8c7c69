//! Logic of predicates, `lop3`, and tests of addresses (PTX ISA, sections 9.7.8 and 9.7.9).

use crate::exec::context::{Context, Flow};
use crate::exec::program::{Exec, Inst};
use crate::memory::{LOCAL_WINDOW, PARAM_WINDOW, SHARED_WINDOW, WINDOW_SIZE};
use crate::ptx::form::Form;
use crate::ptx::types::Space;

/// `d = a` of predicates.
pub(crate) fn copy(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    let value = context.predicate(inst.a);
    context.set_predicate(inst.d, mask, value);
    Flow::Next
}

fn both(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    let value = context.predicate(inst.a) & context.predicate(inst.b);
    context.set_predicate(inst.d, mask, value);
    Flow::Next
}

fn either(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    let value = context.predicate(inst.a) | context.predicate(inst.b);
    context.set_predicate(inst.d, mask, value);
    Flow::Next
}

fn differ(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    let value = context.predicate(inst.a) ^ context.predicate(inst.b);
    context.set_predicate(inst.d, mask, value);
    Flow::Next
}

/// How `setp.CMP.BOOL` combines its result with a predicate.
pub(crate) fn combination(word: &str) -> Option<Exec> {
    match word {
        "and" => Some(both),
        "or" => Some(either),
        "xor" => Some(differ),
        _ => None,
    }
}

/// `mov.pred`
pub(crate) fn mov(_: &Form<'_>) -> Option<Exec> {
    Some(copy)
}

/// `and.pred`
pub(crate) fn and(_: &Form<'_>) -> Option<Exec> {
    Some(both)
}

/// `or.pred`
pub(crate) fn or(_: &Form<'_>) -> Option<Exec> {
    Some(either)
}

/// `xor.pred`
pub(crate) fn xor(_: &Form<'_>) -> Option<Exec> {
    Some(differ)
}

/// `not.pred`
pub(crate) fn not(_: &Form<'_>) -> Option<Exec> {
    Some(|context, inst, mask| {
        let value = !context.predicate(inst.a);
        context.set_predicate(inst.d, mask, value);
        Flow::Next
    })
}

/// `lop3.b32 d, a, b, c, table`: any function of three bits.
pub(crate) fn lop3(_: &Form<'_>) -> Option<Exec> {
    Some(|context, inst, mask| {
        let (a, b) = (context.load::<u32>(inst.a), context.load::<u32>(inst.b));
        let c = context.load::<u32>(inst.c);
        let table = context.get::<u32>(inst.imm as u32, 0);
        let mut out = [0; 32];
        for row in 0..8 {
            if table >> row & 1 == 0 {
                continue;
            }
            let flip = |bit: u32| if row >> bit & 1 == 1 { 0 } else { u32::MAX };
            for lane in 0..32 {
                out[lane] |= (a[lane] ^ flip(2)) & (b[lane] ^ flip(1)) & (c[lane] ^ flip(0));
            }
        }
        context.store(inst.d, mask, &out);
        Flow::Next
    })
}

/// Whether a register is not zero, as a predicate.
pub(crate) fn not_zero(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    let result = super::lanes::test_mask::<u32>(context, inst.a, |value| value != 0);
    context.set_predicate(inst.d, mask, result);
    Flow::Next
}

/// `istypep`: NVIDIA's assembler looks at one bit of the address for each type (seen in its code for `sm_90`).
pub(crate) fn istypep(form: &Form<'_>) -> Option<Exec> {
    fn has_bit<const BIT: u32>(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
        let result =
            super::lanes::test_mask::<u64>(context, inst.a, |address| address >> BIT & 1 == 1);
        context.set_predicate(inst.d, mask, result);
        Flow::Next
    }
    Some(match form.words() {
        ["texref"] => has_bit::<61>,
        ["samplerref"] => has_bit::<62>,
        ["surfref"] => has_bit::<63>,
        _ => return None,
    })
}

/// `isspacep`
pub(crate) fn isspacep(form: &Form<'_>) -> Option<Exec> {
    fn inside(context: &mut Context<'_>, inst: &Inst, mask: u32, window: u64) -> Flow {
        let result = super::lanes::test_mask::<u64>(context, inst.a, |address| {
            address.wrapping_sub(window) < WINDOW_SIZE
        });
        context.set_predicate(inst.d, mask, result);
        Flow::Next
    }
    Some(match Space::from_name(form.words().first()?)? {
        Space::Shared => |context, inst, mask| {
            let block = &context.block;
            let result = super::lanes::test_mask::<u64>(context, inst.a, |address| {
                address.wrapping_sub(SHARED_WINDOW) < WINDOW_SIZE && block.owns(address)
            });
            context.set_predicate(inst.d, mask, result);
            Flow::Next
        },
        Space::Cluster => |context, inst, mask| inside(context, inst, mask, SHARED_WINDOW),
        Space::Local => |context, inst, mask| inside(context, inst, mask, LOCAL_WINDOW),
        Space::Param => |context, inst, mask| inside(context, inst, mask, PARAM_WINDOW),
        Space::Const => |context, inst, mask| {
            let launch = context.launch;
            let result = super::lanes::test_mask::<u64>(context, inst.a, |address| {
                launch.span(address, 1).is_some_and(|span| !span.writable)
            });
            context.set_predicate(inst.d, mask, result);
            Flow::Next
        },
        _ => |context, inst, mask| {
            let launch = context.launch;
            let result = super::lanes::test_mask::<u64>(context, inst.a, |address| {
                launch.span(address, 1).is_some_and(|span| span.writable)
            });
            context.set_predicate(inst.d, mask, result);
            Flow::Next
        },
    })
}
