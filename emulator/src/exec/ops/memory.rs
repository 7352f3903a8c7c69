//! Loads and stores (PTX ISA, section 9.7.9). Their checks are always on.
//!
//! A kernel that races with itself gets any of the racing values, as on hardware: see
//! [`crate::memory::relaxed`].

use super::span::{read, read_row, write, write_row};
use crate::exec::block::SHARED_START;
use crate::exec::cluster::{rank_of, without_rank};
use crate::exec::context::{Context, FULL, Flow, Lane, for_lanes};
use crate::exec::fault::FaultKind;
use crate::exec::program::{Inst, NONE};
use crate::memory::relaxed::Element;
use crate::memory::{LOCAL_WINDOW, PARAM_WINDOW, SHARED_WINDOW, Span, WINDOW_SIZE, WORD};
use crate::ptx::types::{Kind, Space, Type};

/// How an access finds its memory, packed into an instruction's `c`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mode {
    pub(crate) space: Space,
    /// The address register has 64 bits.
    pub(crate) wide: bool,
    /// Bytes of one element.
    pub(crate) size: u32,
    /// Elements.
    pub(crate) count: u32,
    /// Sign-extend a load into a wider register.
    pub(crate) signed: bool,
    /// An atomic operation, or a load or store with an order: not of local memory.
    pub(crate) ordered: bool,
    /// A strong operation: one with an order, or a volatile one.
    pub(crate) strong: bool,
    /// Bytes of the data registers.
    pub(crate) register: u32,
}

impl Mode {
    /// A weak access to one element without a sign.
    pub(crate) fn plain(space: Space, wide: bool, size: u32, register: u32) -> Mode {
        let (count, signed, ordered, strong) = (1, false, false, false);
        Mode { space, wide, size, count, signed, ordered, strong, register }
    }

    pub(crate) fn pack(self) -> u32 {
        let space = match self.space {
            Space::Generic => 0,
            Space::Global => 1,
            Space::Const => 2,
            Space::Shared => 3,
            Space::Local => 4,
            Space::Param => 5,
            Space::Cluster => 6,
        };
        space
            | u32::from(self.wide) << 3
            | u32::from(self.signed) << 4
            | u32::from(self.ordered) << 5
            | u32::from(self.strong) << 6
            | self.size.trailing_zeros() << 8
            | self.register.trailing_zeros() << 12
            | self.count << 16
    }

    pub(crate) fn unpack(bits: u32) -> Mode {
        let space = match bits & 7 {
            0 => Space::Generic,
            1 => Space::Global,
            2 => Space::Const,
            3 => Space::Shared,
            4 => Space::Local,
            5 => Space::Param,
            _ => Space::Cluster,
        };
        Mode {
            space,
            wide: bits & 8 != 0,
            signed: bits & 16 != 0,
            ordered: bits & 32 != 0,
            strong: bits & 64 != 0,
            size: 1 << (bits >> 8 & 7),
            register: 1 << (bits >> 12 & 7),
            count: bits >> 16,
        }
    }
}

/// Generic addresses of the lanes.
pub(crate) type Addresses = [u64; 32];

/// Where accesses of a warp go.
#[derive(Clone, Copy)]
pub(crate) enum Target {
    /// All into one span of bytes.
    Span(Span),
    /// All lanes side by side into one span of bytes.
    Adjacent(Span),
    /// Into the threads' own local memory.
    Local,
}

impl Context<'_> {
    /// The generic addresses an instruction's lanes use.
    #[inline(always)]
    pub(crate) fn addresses(&self, inst: &Inst, mode: Mode) -> Addresses {
        let window = window(mode.space);
        if mode.wide {
            let offset = (inst.imm as u64).wrapping_add(window);
            let mut addresses = self.load::<u64>(inst.a);
            for address in &mut addresses {
                *address = address.wrapping_add(offset);
            }
            addresses
        } else {
            let registers = self.load::<u32>(inst.a);
            let mut addresses = [0; 32];
            for lane in 0..32 {
                let address = registers[lane].wrapping_add(inst.imm as u32);
                addresses[lane] = u64::from(address) + window;
            }
            addresses
        }
    }

    /// Finds the memory of `mask`'s lanes; `None` if they do not all go to one place.
    #[inline(always)]
    fn locate(&mut self, mode: Mode, at: &Addresses, mask: u32, write: bool) -> Option<Target> {
        let bytes = u64::from(mode.size * mode.count);
        let first = at[mask.trailing_zeros() as usize];
        let adjacent = mask == FULL && contiguous(at, bytes);
        if mode.space == Space::Shared {
            let span = self.block.shared();
            return within(span, at, mask, bytes, adjacent);
        }
        let slot = self.cache_slot();
        let span = self.block.cache[slot];
        if (span.writable || !write)
            && let Some(target) = within(span, at, mask, bytes, adjacent)
        {
            return Some(target);
        }
        self.locate_slowly(slot, mode, at, mask, first, write)
    }

    /// Where the memory that the running instruction used last is kept.
    #[inline(always)]
    pub(super) fn cache_slot(&self) -> usize {
        self.pc & (self.block.cache.len() - 1)
    }

    #[cold]
    #[inline(never)]
    fn locate_slowly(
        &mut self,
        slot: usize,
        mode: Mode,
        at: &Addresses,
        mask: u32,
        first: u64,
        write: bool,
    ) -> Option<Target> {
        let bytes = u64::from(mode.size * mode.count);
        if is_local(first) {
            if mode.ordered {
                return None;
            }
            let start = u64::from(crate::exec::warp::LOCAL_START);
            let end = u64::from(self.local_end());
            let size = end - start;
            let data = std::ptr::null_mut();
            let base = LOCAL_WINDOW + start;
            let span = Span { base, size, data, writable: true, private: true };
            return inside(&span, at, mask, bytes).then_some(Target::Local);
        }
        let span = self.find(first, bytes, write)?;
        // Another block of the cluster may end.
        if rank_of(first).is_none() {
            self.block.cache[slot] = span;
        }
        inside(&span, at, mask, bytes).then_some(Target::Span(span))
    }

    /// The memory around one address that is not local.
    pub(crate) fn find(&mut self, address: u64, bytes: u64, write: bool) -> Option<Span> {
        self.block.find(self.launch, address, bytes, write)
    }

    /// Whether the lanes access shared memory that an asynchronous copy still uses: then it is a fault.
    #[cold]
    #[inline(never)]
    fn meets_copy(&mut self, at: &Addresses, mask: u32, mode: Mode, write: bool) -> Option<Flow> {
        let size = mode.size * mode.count;
        if mode.strong || mode.ordered {
            // It may tell the warp of what others did.
            self.block.synchronise(self.warp.index);
        }
        for lane in (0..32).filter(|lane| mask >> lane & 1 == 1) {
            let address = at[lane as usize];
            let home = self.block.home(address);
            let met = home.and_then(|(block, own)| block.copies.meets(own, size.into(), write));
            if let Some((issue, written)) = met {
                let kind = FaultKind::Copying { address, size, write, issue, written };
                return Some(self.fault(kind, lane));
            }
            if let Some(kind) = self.block.too_early(self.warp.index, address, size, write) {
                return Some(self.fault(kind, lane));
            }
        }
        None
    }

    /// Notes writes to this block's shared memory, which asynchronous operations can't see before a fence. An access
    /// with an order may tell the warp of what others wrote.
    #[cold]
    #[inline(never)]
    fn note(&mut self, at: &Addresses, mask: u32, mode: Mode, write: bool) {
        if mode.ordered {
            self.block.synchronise(self.warp.index);
        }
        if !write {
            return;
        }
        for_lanes(mask, |lane| self.note_write(lane as u32, at[lane], mode.size * mode.count));
    }

    /// Notes a lane's write.
    pub(crate) fn note_write(&mut self, lane: u32, address: u64, bytes: u32) {
        if self.block.owns(address) {
            let issue = self.issue(lane);
            self.block.note_write(issue, without_rank(address), bytes.into());
        }
    }

    /// Runs `access` for the lanes of `mask`, once for all when they go to one place, else one by one.
    #[inline(always)]
    pub(crate) fn access(
        &mut self,
        inst: &Inst,
        mask: u32,
        write: bool,
        mut access: impl FnMut(&mut Self, Target, &Addresses, u32, Mode),
    ) -> Flow {
        let mode = Mode::unpack(inst.c);
        let at = self.addresses(inst, mode);
        let align = u64::from(mode.size * mode.count - 1);
        let mut all = 0;
        if mask == FULL {
            all = at.iter().fold(0, |all, address| all | address);
        } else {
            for_lanes(mask, |lane| all |= at[lane]);
        }
        if all & align != 0 {
            return self.misaligned(&at, mask, mode, write);
        }
        if self.block.any_copies()
            && let Some(flow) = self.meets_copy(&at, mask, mode, write)
        {
            return flow;
        }
        if self.launch.overlap.is_watched()
            && let Some(flow) = self.overlaps(&at, mask, mode, write)
        {
            return flow;
        }
        if self.block.unfenced.is_watched() {
            self.note(&at, mask, mode, write);
        }
        if let Some(target) = self.locate(mode, &at, mask, write) {
            access(self, target, &at, mask, mode);
            return Flow::Next;
        }
        // Check all lanes before any has an effect, so that a report does not depend on the order.
        let mut targets = [Target::Local; 32];
        for lane in 0..32 {
            if mask >> lane & 1 == 0 {
                continue;
            }
            match self.locate(mode, &at, 1 << lane, write) {
                Some(target) => targets[lane] = target,
                None => {
                    let (address, size) = (at[lane], mode.size * mode.count);
                    let kind = match mode.ordered && is_local(address) {
                        true => FaultKind::OrderedLocal { address },
                        false => FaultKind::Access { address, size, space: mode.space, write },
                    };
                    return self.fault(kind, lane as u32);
                }
            }
        }
        for_lanes(mask, |lane| access(self, targets[lane], &at, 1 << lane, mode));
        Flow::Next
    }

    /// The lanes whose aligned word begins inside an allocation that ends within the word.
    #[inline(always)]
    pub(crate) fn cut_words(&mut self, inst: &Inst, mask: u32) -> u32 {
        let mode = Mode::unpack(inst.c);
        let at = self.addresses(inst, mode);
        if self.locate(mode, &at, mask, true).is_some() { 0 } else { self.cut_of(&at, mask) }
    }

    #[cold]
    #[inline(never)]
    fn cut_of(&mut self, at: &Addresses, mask: u32) -> u32 {
        let mut cut = 0;
        for_lanes(mask, |lane| {
            let address = at[lane];
            let is_cut = address.is_multiple_of(WORD)
                && self.find(address, WORD, true).is_none()
                && self.block.find_word(self.launch, address).is_some()
                && self.block.copies.meets(address, WORD, true).is_none();
            cut |= u32::from(is_cut) << lane;
        });
        cut
    }

    /// How many bytes of memory there are at an address.
    pub(crate) fn bytes_left(&mut self, address: u64) -> u64 {
        self.find(address, 1, true).map_or(0, |span| span.size - (address - span.base))
    }

    #[cold]
    #[inline(never)]
    fn misaligned(&mut self, at: &Addresses, mask: u32, mode: Mode, write: bool) -> Flow {
        let size = mode.size * mode.count;
        let bad = |lane: &u32| {
            mask >> lane & 1 == 1 && !at[*lane as usize].is_multiple_of(u64::from(size))
        };
        let lane = (0..32).find(bad).unwrap_or(0);
        let address = at[lane as usize];
        self.fault(FaultKind::Misaligned { address, size, space: mode.space, write }, lane)
    }
}

/// Where the addresses of a space begin among the generic ones.
#[inline(always)]
pub(super) fn window(space: Space) -> u64 {
    match space {
        Space::Generic | Space::Global | Space::Const => 0,
        Space::Shared | Space::Cluster => SHARED_WINDOW,
        Space::Local => LOCAL_WINDOW,
        Space::Param => PARAM_WINDOW,
    }
}

fn is_local(address: u64) -> bool {
    address.wrapping_sub(LOCAL_WINDOW) < WINDOW_SIZE
}

/// Whether the accesses of all lanes lie in a span.
#[inline(always)]
fn inside(span: &Span, at: &Addresses, mask: u32, bytes: u64) -> bool {
    if span.size < bytes {
        return false;
    }
    let last = span.size - bytes;
    let mut outside = false;
    if mask == FULL {
        for address in at {
            outside |= address.wrapping_sub(span.base) > last;
        }
    } else {
        for_lanes(mask, |lane| outside |= at[lane].wrapping_sub(span.base) > last);
    }
    !outside
}

/// Whether the elements of a full warp lie side by side.
#[inline(always)]
fn contiguous(at: &Addresses, stride: u64) -> bool {
    let mut differ = 0;
    for lane in 0..31 {
        differ |= at[lane + 1].wrapping_sub(at[lane]) ^ stride;
    }
    differ == 0
}

/// The span as the target of all lanes, if they lie in it.
#[inline(always)]
fn within(span: Span, at: &Addresses, mask: u32, bytes: u64, adjacent: bool) -> Option<Target> {
    if adjacent {
        return span.holds(at[0], 32 * bytes).then_some(Target::Adjacent(span));
    }
    inside(&span, at, mask, bytes).then_some(Target::Span(span))
}

/// Whether elements of `size` bytes, whose lanes lie side by side, do so themselves: they are not parts
/// of vectors.
#[inline(always)]
fn dense(at: &Addresses, size: usize) -> bool {
    at[1].wrapping_sub(at[0]) == size as u64
}

/// The lanes' elements at `at + offset`.
#[inline(always)]
pub(crate) fn gather<T: Lane + Element>(
    context: &Context<'_>,
    target: Target,
    at: &Addresses,
    mask: u32,
    offset: u64,
) -> [T; 32] {
    let mut out = [T::default(); 32];
    match target {
        Target::Adjacent(span) if dense(at, size_of::<T>()) => {
            // SAFETY: `locate` found all lanes' elements inside the span, one after another.
            unsafe { read_row(&span, at[0], &raw mut out) };
        }
        Target::Span(span) | Target::Adjacent(span) => {
            let mut one = |lane: usize| {
                // SAFETY: as above; `access` checked that the address is a multiple of the size.
                out[lane] = unsafe { read(&span, at[lane].wrapping_add(offset)) };
            };
            if mask == FULL { (0..32).for_each(one) } else { for_lanes(mask, &mut one) }
        }
        Target::Local => {
            for_lanes(mask, |lane| {
                out[lane] = local_read(context, (at[lane] + offset - LOCAL_WINDOW) as usize, lane);
            });
        }
    }
    out
}

/// Stores the lanes' elements at `at + offset`.
#[inline(always)]
pub(crate) fn scatter<T: Lane + Element>(
    context: &mut Context<'_>,
    target: Target,
    at: &Addresses,
    mask: u32,
    offset: u64,
    values: &[T; 32],
) {
    match target {
        Target::Adjacent(span) if dense(at, size_of::<T>()) => {
            // SAFETY: as in `gather`, and `locate` found the span writable.
            unsafe { write_row(&span, at[0], values) };
        }
        Target::Span(span) | Target::Adjacent(span) => {
            let one = |lane: usize| {
                // SAFETY: as above.
                unsafe { write(&span, at[lane].wrapping_add(offset), values[lane]) };
            };
            if mask == FULL { (0..32).for_each(one) } else { for_lanes(mask, one) }
        }
        Target::Local => for_lanes(mask, |lane| {
            local_write(context, (at[lane] + offset - LOCAL_WINDOW) as usize, lane, values[lane]);
        }),
    }
}

/// Byte `offset` of one lane's local memory and those after it. Words of all lanes lie side by side.
#[inline(always)]
pub(crate) fn local_read<T: Lane>(context: &Context<'_>, offset: usize, lane: usize) -> T {
    let mut bytes = [0u8; 16];
    let word = |index: usize| context.warp.local.get(index).map_or(0, |words| words[lane]);
    for part in 0..size_of::<T>().div_ceil(4) {
        bytes[part * 4..part * 4 + 4].copy_from_slice(&word(offset / 4 + part).to_le_bytes());
    }
    // SAFETY: elements smaller than a word are aligned, so they end within the first word; every bit
    // pattern is a value of a lane's type.
    unsafe { bytes.as_ptr().add(offset % 4).cast::<T>().read_unaligned() }
}

/// The inverse of [`local_read`].
#[inline(always)]
pub(crate) fn local_write<T: Lane>(
    context: &mut Context<'_>,
    offset: usize,
    lane: usize,
    value: T,
) {
    let size = size_of::<T>();
    if size < 4 {
        let Some(word) = context.warp.local.get_mut(offset / 4) else { return };
        let mut bytes = word[lane].to_le_bytes();
        // SAFETY: the element is aligned, so it ends within the word.
        unsafe { bytes.as_mut_ptr().add(offset % 4).cast::<T>().write_unaligned(value) };
        word[lane] = u32::from_le_bytes(bytes);
        return;
    }
    for part in 0..size / 4 {
        // SAFETY: `part` counts the words of `value`.
        let word = unsafe { std::ptr::from_ref(&value).cast::<u32>().add(part).read_unaligned() };
        if let Some(words) = context.warp.local.get_mut(offset / 4 + part) {
            words[lane] = word;
        }
    }
}

/// Writes loaded elements to a register that may be wider.
#[inline(always)]
pub(crate) fn extend<T: Lane + Into<u64>>(
    context: &mut Context<'_>,
    register: u32,
    mask: u32,
    mode: Mode,
    values: &[T; 32],
) {
    if register == NONE {
        return;
    }
    if mode.register == size_of::<T>() as u32 {
        context.store(register, mask, values);
        return;
    }
    let shift = 64 - 8 * size_of::<T>() as u32;
    for_lanes(mask, |lane| {
        let raw: u64 = values[lane].into();
        let value = if mode.signed { ((raw << shift) as i64 >> shift) as u64 } else { raw };
        match mode.register {
            2 => context.set(register, lane as u32, value as u16),
            4 => context.set(register, lane as u32, value as u32),
            _ => context.set(register, lane as u32, value),
        }
    });
}

/// Reads elements to be stored from a register that may be wider.
#[inline(always)]
pub(crate) fn narrow<T: Lane + Truncate>(
    context: &Context<'_>,
    register: u32,
    mode: Mode,
) -> [T; 32] {
    if mode.register == size_of::<T>() as u32 {
        return context.load(register);
    }
    let mut out = [T::default(); 32];
    for lane in 0..32 {
        let value = match mode.register {
            2 => context.get::<u16>(register, lane).into(),
            4 => context.get::<u32>(register, lane).into(),
            _ => context.get::<u64>(register, lane),
        };
        out[lane as usize] = T::truncate(value);
    }
    out
}

/// The low bits of a value.
pub(crate) trait Truncate {
    fn truncate(value: u64) -> Self;
}

macro_rules! truncate {
    ($($ty:ty)*) => { $(impl Truncate for $ty {
        #[inline(always)]
        fn truncate(value: u64) -> Self { value as $ty }
    })* };
}
truncate!(u8 u16 u32 u64);

/// A load through an address register.
#[inline(never)]
pub(super) fn load<T: Lane + Element + Into<u64>>(
    context: &mut Context<'_>,
    inst: &Inst,
    mask: u32,
) -> Flow {
    context.access(inst, mask, false, |context, target, at, mask, mode| {
        if inst.x == NONE {
            let values = gather::<T>(context, target, at, mask, 0);
            extend(context, inst.d, mask, mode, &values);
            return;
        }
        // The destinations may hold the address, which has been read already.
        for index in 0..mode.count as usize {
            let values = gather::<T>(context, target, at, mask, (index * size_of::<T>()) as u64);
            let register = context.function().lists[inst.x as usize][index];
            extend(context, register, mask, mode, &values);
        }
    })
}

/// A store through an address register.
#[inline(never)]
pub(super) fn store<T: Lane + Element + Truncate>(
    context: &mut Context<'_>,
    inst: &Inst,
    mask: u32,
) -> Flow {
    context.access(inst, mask, true, |context, target, at, mask, mode| {
        if inst.x == NONE {
            let values = narrow::<T>(context, inst.b, mode);
            scatter(context, target, at, mask, 0, &values);
            return;
        }
        for index in 0..mode.count as usize {
            let register = context.function().lists[inst.x as usize][index];
            let values = narrow::<T>(context, register, mode);
            scatter(context, target, at, mask, (index * size_of::<T>()) as u64, &values);
        }
    })
}

pub(super) fn load_128(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    context.access(inst, mask, false, |context, target, at, mask, _| {
        let values = gather::<u128>(context, target, at, mask, 0);
        context.store(inst.d, mask, &values);
    })
}

pub(super) fn store_128(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    context.access(inst, mask, true, |context, target, at, mask, _| {
        let values = context.load::<u128>(inst.b);
        scatter(context, target, at, mask, 0, &values);
    })
}

/// A load from, or a store to, a fixed place in the frame's local memory: parameters and results.
pub(super) fn load_frame<T: Lane + Into<u64>>(
    context: &mut Context<'_>,
    inst: &Inst,
    mask: u32,
) -> Flow {
    let mode = Mode::unpack(inst.c);
    for index in 0..mode.count as usize {
        let offset =
            context.warp.current.local as usize + inst.imm as usize + index * size_of::<T>();
        let mut values = [T::default(); 32];
        for_lanes(mask, |lane| values[lane] = local_read(context, offset, lane));
        let register = list_entry(context, inst, index, inst.d);
        extend(context, register, mask, mode, &values);
    }
    Flow::Next
}

pub(super) fn store_frame<T: Lane + Truncate>(
    context: &mut Context<'_>,
    inst: &Inst,
    mask: u32,
) -> Flow {
    let mode = Mode::unpack(inst.c);
    for index in 0..mode.count as usize {
        let offset =
            context.warp.current.local as usize + inst.imm as usize + index * size_of::<T>();
        let register = list_entry(context, inst, index, inst.b);
        let values = narrow::<T>(context, register, mode);
        for_lanes(mask, |lane| local_write(context, offset, lane, values[lane]));
    }
    Flow::Next
}

/// A load of a kernel's parameter: the same for all lanes.
pub(super) fn load_param<T: Lane + Into<u64>>(
    context: &mut Context<'_>,
    inst: &Inst,
    mask: u32,
) -> Flow {
    let mode = Mode::unpack(inst.c);
    for index in 0..mode.count as usize {
        let offset = inst.imm as usize + index * size_of::<T>();
        // SAFETY: lowering checked that the access lies within the parameter bank.
        let value =
            unsafe { context.launch.params.as_ptr().add(offset).cast::<T>().read_unaligned() };
        let register = list_entry(context, inst, index, inst.d);
        extend(context, register, mask, mode, &[value; 32]);
    }
    Flow::Next
}

fn list_entry(context: &Context<'_>, inst: &Inst, index: usize, single: u32) -> u32 {
    if inst.x == NONE { single } else { context.function().lists[inst.x as usize][index] }
}

/// Whether a load of this type extends the sign.
pub(crate) fn is_signed(ty: Type) -> bool {
    ty.kind() == Kind::Signed
}

/// `mov d, x` of an address that differs from block to block or thread to thread; `imm` is the offset.
pub(crate) fn address_of(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    let base = match inst.a {
        LOCAL_ADDRESS => context.warp.current.local,
        _ => SHARED_START + context.launch.dynamic_start(),
    };
    let address = u64::from(base).wrapping_add(inst.imm as u64);
    if inst.b == 4 {
        context.store(inst.d, mask, &[address as u32; 32]);
    } else {
        context.store(inst.d, mask, &[address; 32]);
    }
    Flow::Next
}

/// Operand `a` of [`address_of`]: an offset in the frame's local memory.
pub(crate) const LOCAL_ADDRESS: u32 = 0;
/// Operand `a` of [`address_of`]: an offset in dynamic shared memory.
pub(crate) const DYNAMIC_SHARED: u32 = 1;
