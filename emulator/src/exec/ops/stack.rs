//! The stack (PTX ISA, "Stack Manipulation Instructions"). It grows upwards here, on hardware downwards.
//!
//! Each lane has a stack pointer of its own, behind its function's local memory. What a lane allocates lies above all
//! that other lanes of the frame have, since their local memory has the same offsets.

use crate::exec::context::{Context, Flow, Lane, for_lanes};
use crate::exec::fault::FaultKind;
use crate::exec::program::{Exec, Inst, NONE};
use crate::exec::warp::{LOCAL_LIMIT, LOCAL_START};
use crate::ptx::form::Form;

/// The least alignment.
const ALIGNMENT: u64 = 8;

/// Makes a semantic function of one for addresses of 32 and of 64 bits.
macro_rules! by_width {
    ($form:expr, $function:ident) => {
        Some(match $form.ty().size() {
            4 => |context, inst, mask| $function::<u32>(context, inst, mask),
            _ => |context, inst, mask| $function::<u64>(context, inst, mask),
        })
    };
}

/// An address in local memory.
trait Address: Lane + Into<u64> {
    fn new(address: u32) -> Self;
}

impl Address for u32 {
    fn new(address: u32) -> Self {
        address
    }
}

impl Address for u64 {
    fn new(address: u32) -> Self {
        address.into()
    }
}

/// `alloca d, size{, alignment}`
pub(crate) fn alloca(form: &Form<'_>) -> Option<Exec> {
    by_width!(form, allocate)
}

fn allocate<T: Address>(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    let sizes = context.load::<T>(inst.a);
    let first = mask.trailing_zeros();
    let asked = if inst.b == NONE { 1 } else { context.get::<u32>(inst.b, first).into() };
    let start = u64::from(context.local_end()).next_multiple_of(asked.max(ALIGNMENT));
    let largest = (0..32).filter(|lane| mask >> lane & 1 == 1).map(|lane| sizes[lane].into()).max();
    let end = start.saturating_add(largest.unwrap_or(0));
    let bytes = end - u64::from(LOCAL_START);
    if bytes > context.launch.stack.into() || end > LOCAL_LIMIT.into() {
        let (bytes, depth) = (bytes.min(u32::MAX.into()) as u32, context.warp.depth);
        return context.fault(FaultKind::StackOverflow { bytes, depth }, first);
    }
    context.warp.grow_local(end as u32);
    let tops = context.stack_pointers();
    for_lanes(mask, |lane| tops[lane] = start as u32 + sizes[lane].into() as u32);
    context.store(inst.d, mask, &[T::new(start as u32); 32]);
    Flow::Next
}

/// `stacksave d`
pub(crate) fn save(form: &Form<'_>) -> Option<Exec> {
    fn save<T: Address>(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
        let tops = context.stack_pointers().map(T::new);
        context.store(inst.d, mask, &tops);
        Flow::Next
    }
    by_width!(form, save)
}

/// `stackrestore a`: an address that `stacksave` did not give means the nearest one that it could.
pub(crate) fn restore(form: &Form<'_>) -> Option<Exec> {
    fn restore<T: Address>(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
        let addresses = context.load::<T>(inst.a);
        let least = context.warp.current.local + context.function().local_size;
        let tops = context.stack_pointers();
        for_lanes(mask, |lane| {
            tops[lane] = addresses[lane].into().clamp(least.into(), tops[lane].into()) as u32;
        });
        Flow::Next
    }
    by_width!(form, restore)
}
