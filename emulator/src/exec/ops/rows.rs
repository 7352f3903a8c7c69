//! The most common loads and stores: those of full warps whose elements lie side by side in memory (a row), or are one element for
//! all lanes. `memory` does all others, and whatever must be checked lane by lane.

use super::memory::{
    Mode, Truncate, load, load_128, load_frame, load_param, store, store_128, store_frame, window,
};
#[cfg(target_arch = "x86_64")]
use super::span::place;
use super::span::{read, read_row, write, write_row};
use super::width::{Code, signs, widest};
use crate::exec::context::{Context, FULL, Flow, Lane};
use crate::exec::program::{Exec, Inst, NONE};
use crate::memory::relaxed::Element;
#[cfg(target_arch = "x86_64")]
use crate::memory::vectors;
use crate::memory::{Span, wide};
use crate::ptx::types::{Space, Type};
use std::marker::PhantomData;

/// The semantic function of a load through an address register.
fn load_row<T: Lane + Element + Into<u64>>() -> Exec {
    struct Load<T>(PhantomData<T>);
    impl<T: Lane + Element + Into<u64>> Code for Load<T> {
        #[inline(always)]
        fn run<const CHUNK: usize>(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
            if inst.x != NONE {
                return load_vectors::<T>(context, inst, mask);
            }
            if mask != FULL || inst.d == NONE {
                return load::<T>(context, inst, mask);
            }
            let Some(row) = row::<T, CHUNK>(context, inst, size_of::<T>()) else {
                return load::<T>(context, inst, mask);
            };
            let to = context.target::<T>(inst.d);
            match row.find(context, false) {
                // SAFETY: the elements lie in the span, and their addresses are multiples of their size; a destination
                // is a register of the frame.
                Some(span) if row.bytes == size_of::<T>() as u64 => unsafe {
                    to.write([read(&span, row.first); 32]);
                },
                // SAFETY: as above.
                Some(span) => unsafe { fetch::<T, CHUNK>(&span, row.first, to) },
                None => return load::<T>(context, inst, mask),
            }
            Flow::Next
        }
    }
    widest::<Load<T>>()
}

/// The semantic function of a store through an address register.
fn store_row<T: Lane + Element + Truncate>() -> Exec {
    struct Store<T>(PhantomData<T>);
    impl<T: Lane + Element + Truncate> Code for Store<T> {
        #[inline(always)]
        fn run<const CHUNK: usize>(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
            if inst.x != NONE {
                return store_vectors::<T>(context, inst, mask);
            }
            if mask == FULL
                && let Some(row) = row::<T, CHUNK>(context, inst, size_of::<T>())
                && row.bytes > size_of::<T>() as u64
                && let Some(span) = row.find(context, true)
            {
                // SAFETY: as in `load_row`, and `find` found the span writable.
                unsafe { put::<T, CHUNK>(&span, row.first, context.slab(inst.b)) };
                return Flow::Next;
            }
            store::<T>(context, inst, mask)
        }
    }
    widest::<Store<T>>()
}

/// A load of vectors: at once if they lie side by side or are one vector for all lanes.
#[inline(never)]
fn load_vectors<T: Lane + Element + Into<u64>>(
    context: &mut Context<'_>,
    inst: &Inst,
    mask: u32,
) -> Flow {
    let registers = &context.function().lists[inst.x as usize];
    let size = size_of::<T>() * registers.len();
    let row = if mask == FULL { row::<T, 4>(context, inst, size) } else { None };
    let Some((row, span)) = row.and_then(|row| Some((row, row.find(context, false)?))) else {
        return load::<T>(context, inst, mask);
    };
    let is_one = row.bytes == size as u64;
    for (index, &register) in registers.iter().enumerate().filter(|(_, r)| **r != NONE) {
        let first = row.first + (index * size_of::<T>()) as u64;
        let to = context.target::<T>(register);
        // SAFETY: as in `load_row`.
        unsafe {
            if is_one {
                to.write([read(&span, first); 32]);
                continue;
            }
            for lane in 0..32 {
                to.cast::<T>().add(lane).write(read(&span, first + (lane * size) as u64));
            }
        }
    }
    Flow::Next
}

/// A store of vectors: at once if they lie side by side.
#[inline(never)]
fn store_vectors<T: Lane + Element + Truncate>(
    context: &mut Context<'_>,
    inst: &Inst,
    mask: u32,
) -> Flow {
    let registers = &context.function().lists[inst.x as usize];
    let size = size_of::<T>() * registers.len();
    let row = if mask == FULL { row::<T, 4>(context, inst, size) } else { None };
    let row = row.filter(|row| row.bytes > size as u64);
    let Some((row, span)) = row.and_then(|row| Some((row, row.find(context, true)?))) else {
        return store::<T>(context, inst, mask);
    };
    for (index, &register) in registers.iter().enumerate() {
        let first = row.first + (index * size_of::<T>()) as u64;
        for (lane, value) in context.load::<T>(register).into_iter().enumerate() {
            // SAFETY: as in `store_row`.
            unsafe { write(&span, first + (lane * size) as u64, value) };
        }
    }
    Flow::Next
}

/// As [`read_row`], by vectors where the host can.
///
/// # Safety
/// As [`read_row`].
#[inline(always)]
unsafe fn fetch<T: Lane + Element, const CHUNK: usize>(span: &Span, first: u64, to: *mut [T; 32]) {
    #[cfg(target_arch = "x86_64")]
    {
        let at = place(span, first);
        if CHUNK >= 8 && !span.private && at.addr().is_multiple_of(16) {
            // SAFETY: promised by the caller; vectors of this length are for hosts that have them.
            return unsafe { vectors::read_row::<T, CHUNK>(at, to) };
        }
    }
    // SAFETY: promised by the caller.
    unsafe { read_row(span, first, to) }
}

/// As [`write_row`], by vectors where the host can.
///
/// # Safety
/// As [`write_row`].
#[inline(always)]
unsafe fn put<T: Lane + Element, const CHUNK: usize>(
    span: &Span,
    first: u64,
    values: *const [T; 32],
) {
    #[cfg(target_arch = "x86_64")]
    {
        let at = place(span, first);
        if CHUNK >= 8 && !span.private && at.addr().is_multiple_of(16) {
            // SAFETY: as in `fetch`.
            return unsafe { vectors::write_row(at, values) };
        }
    }
    // SAFETY: promised by the caller; `values` is a register.
    unsafe { write_row(span, first, &values.read()) }
}

/// Where the lanes' elements are.
#[derive(Clone, Copy)]
struct Row {
    space: Space,
    /// The generic address of the first lane's element, a multiple of its size.
    first: u64,
    /// Bytes of all lanes' elements: those of one element if it is the same for all lanes.
    bytes: u64,
}

/// The row that a full warp accesses, `size` bytes for each lane, if its elements are as large as their registers.
#[inline(always)]
fn row<T: Lane, const CHUNK: usize>(
    context: &Context<'_>,
    inst: &Inst,
    size: usize,
) -> Option<Row> {
    let mode = Mode::unpack(inst.c);
    if mode.register as usize != size_of::<T>() {
        return None;
    }
    let (first, bytes) = if mode.wide {
        let bytes = extent::<u64, CHUNK>(context, inst.a, size)?;
        (context.get::<u64>(inst.a, 0).wrapping_add(inst.imm as u64), bytes)
    } else {
        let bytes = extent::<u32, CHUNK>(context, inst.a, size)?;
        let first = context.get::<u32>(inst.a, 0).wrapping_add(inst.imm as u32);
        // An address of 32 bits may wrap around.
        first.checked_add(bytes as u32)?;
        (first.into(), bytes)
    };
    let first = first.wrapping_add(window(mode.space));
    let is_aligned = first & (size as u64 - 1) == 0;
    is_aligned.then_some(Row { space: mode.space, first, bytes })
}

/// Whether each lane's address is `step` bytes behind that of the lane before it.
#[inline(always)]
fn are_in_step<A: Address, const CHUNK: usize>(
    context: &Context<'_>,
    addresses: u32,
    step: usize,
) -> bool {
    let all = context.load::<A>(addresses);
    // Volatile, and after the others, lest LLVM know that the first lane's distance is 0, and compare the rest in pieces.
    // SAFETY: the operand was lowered with the size of `A`; see `Context::slab`.
    let first = unsafe { context.slab::<A>(addresses).cast::<A>().read_volatile() };
    let mut differ = 0;
    for (index, x) in all.as_chunks::<CHUNK>().0.iter().enumerate() {
        let mut wrong = [0; CHUNK];
        for lane in 0..CHUNK {
            let distance = A::of((index * CHUNK + lane) * step);
            wrong[lane] = -i32::from(x[lane].distance(first) != distance);
        }
        differ |= signs(&wrong);
    }
    differ == 0
}

/// How many bytes the lanes' elements take, if they are a row or one element.
#[inline(always)]
fn extent<A: Address, const CHUNK: usize>(
    context: &Context<'_>,
    addresses: u32,
    size: usize,
) -> Option<u64> {
    if are_in_step::<A, CHUNK>(context, addresses, size) {
        return Some(32 * size as u64);
    }
    are_in_step::<A, CHUNK>(context, addresses, 0).then_some(size as u64)
}

/// What an address register holds.
trait Address: Lane + PartialEq {
    fn of(distance: usize) -> Self;
    fn distance(self, first: Self) -> Self;
}

macro_rules! addresses {
    ($($ty:ty)*) => { $(impl Address for $ty {
        #[inline(always)]
        fn of(distance: usize) -> Self { distance as $ty }
        #[inline(always)]
        fn distance(self, first: Self) -> Self { self.wrapping_sub(first) }
    })* };
}
addresses!(u32 u64);

impl Row {
    /// The memory that contains the row, if the instruction has used it before and nothing watches accesses to it.
    #[inline(always)]
    fn find(&self, context: &mut Context<'_>, write: bool) -> Option<Span> {
        if context.block.any_copies()
            || context.launch.overlap.is_watched()
            || context.block.unfenced.is_watched()
        {
            return None;
        }
        let span = match self.space {
            Space::Shared => context.block.shared(),
            _ => context.block.cache[context.cache_slot()],
        };
        ((span.writable || !write) && span.holds(self.first, self.bytes)).then_some(span)
    }
}

macro_rules! by_size {
    ($size:expr, |$t:ident| $exec:expr) => {
        by_size!($size, $t, $exec, 1 => u8, 2 => u16, 4 => u32, 8 => u64)
    };
    ($size:expr, $t:ident, $exec:expr, $($bytes:literal => $type:ty),+) => {
        match $size {
            $($bytes => {
                type $t = $type;
                Some($exec)
            })+
            _ => None,
        }
    };
}

/// How a load or store is done.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Place {
    /// Through an address register.
    Address,
    /// At a fixed offset in the frame's local memory.
    Frame,
    /// At a fixed offset in the kernel's parameters.
    Bank,
}

/// The semantic function of `ld`.
pub(crate) fn load_of(ty: Type, place: Place) -> Option<Exec> {
    match place {
        Place::Address if ty == Type::B128 => wide::is_supported().then_some(load_128 as Exec),
        Place::Address => by_size!(ty.size(), |T| load_row::<T>()),
        Place::Frame => by_size!(ty.size(), |T| load_frame::<T> as Exec),
        Place::Bank => by_size!(ty.size(), |T| load_param::<T> as Exec),
    }
}

/// The semantic function of `st`.
pub(crate) fn store_of(ty: Type, place: Place) -> Option<Exec> {
    match place {
        Place::Address if ty == Type::B128 => wide::is_supported().then_some(store_128 as Exec),
        Place::Address => by_size!(ty.size(), |T| store_row::<T>()),
        Place::Frame => by_size!(ty.size(), |T| store_frame::<T> as Exec),
        Place::Bank => None,
    }
}
