//! What a semantic function sees: the registers of the running lanes, their warp, block and launch.

use super::block::BlockState;
use super::fault::FaultKind;
use super::grid::Launch;
use super::program::{Function, IN_POOL, Inst, Line, NONE, SLACK};
use super::warp::Warp;

/// All 32 lanes.
pub(crate) const FULL: u32 = u32::MAX;

/// What happens after an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Flow {
    /// Go on at [`Context::pc`].
    Next,
    /// Leave the interpreter loop; [`Context::stop`] says why.
    Stop,
}

/// Why a warp's loop was left.
#[derive(Debug)]
pub(crate) enum Stop {
    /// No lanes of the warp can go on: they wait or have exited.
    Blocked,
    /// The time slice is over.
    Preempted,
    /// The program made a mistake, in this lane.
    Fault(FaultKind, u32),
}

/// The state of execution.
pub(crate) struct Context<'a> {
    /// Registers of the current frame; the current function's pool of constants, less [`IN_POOL`], which is part of its
    /// operands.
    bases: [*mut u8; 2],
    code: *const Inst,
    /// Index of the next instruction.
    pub(crate) pc: usize,
    /// The lanes that run.
    pub(crate) mask: u32,
    /// Instructions left in the time slice, counted at backward branches.
    pub(crate) fuel: i64,
    pub(crate) stop: Stop,
    pub(crate) warp: &'a mut Warp,
    pub(crate) block: &'a mut BlockState,
    pub(crate) launch: &'a Launch<'a>,
}

/// A type whose values a register holds, one in each lane.
pub(crate) trait Lane: Copy + Default + 'static {}
impl Lane for u8 {}
impl Lane for i8 {}
impl Lane for u16 {}
impl Lane for u32 {}
impl Lane for u64 {}
impl Lane for u128 {}
impl Lane for i16 {}
impl Lane for i32 {}
impl Lane for i64 {}
impl Lane for f32 {}
impl Lane for f64 {}

impl<'a> Context<'a> {
    pub(crate) fn new(
        warp: &'a mut Warp,
        block: &'a mut BlockState,
        launch: &'a Launch<'a>,
        fuel: i64,
    ) -> Self {
        let null = std::ptr::null_mut();
        let code = std::ptr::null();
        let stop = Stop::Blocked;
        Context { bases: [null, null], code, pc: 0, mask: 0, fuel, stop, warp, block, launch }
    }

    /// Runs the current lanes, and whichever of the warp's lanes become ready, until none can go on.
    pub(crate) fn run(&mut self) {
        loop {
            // SAFETY: `code` points at the current function's instructions and `pc` is one of them: every
            // function ends in `ret`, and targets of branches were checked when it was lowered.
            let inst = unsafe { &*self.code.add(self.pc) };
            self.pc += 1;
            let mut mask = self.mask;
            if inst.guard != NONE {
                mask &= self.predicate(inst.guard);
                if mask == 0 {
                    continue;
                }
            }
            debug_assert!(mask != 0, "lanes that run are not none");
            if (inst.exec)(self, inst, mask) == Flow::Stop {
                return;
            }
        }
    }

    /// Makes a frame and function current.
    pub(crate) fn enter(&mut self, function: u32, frame: *mut u8) {
        let function = &self.launch.program.functions[function as usize];
        let pool = function.pool.as_ptr() as *mut u8;
        self.bases = [frame, pool.wrapping_sub(IN_POOL as usize)];
        self.code = function.code.as_ptr();
    }

    /// The function that runs.
    pub(crate) fn function(&self) -> &'a Function {
        &self.launch.program.functions[self.warp.current.function as usize]
    }

    /// The instruction's operand as 32 lanes.
    #[inline(always)]
    pub(crate) fn slab<T: Lane>(&self, operand: u32) -> *mut [T; 32] {
        // Lowering only makes operands that begin within the frame or the pool, and behind both there is room for a
        // register of any size, see `SLACK`.
        self.bases[(operand >> 31) as usize].wrapping_add(operand as usize).cast()
    }

    /// As [`slab`](Self::slab), for destinations, which never lie in the pool.
    #[inline(always)]
    pub(crate) fn target<T: Lane>(&self, operand: u32) -> *mut [T; 32] {
        self.bases[0].wrapping_add(operand as usize).cast()
    }

    /// A spare register behind all others of the frame, as large as the largest, for values that are not a result yet.
    pub(crate) fn aside(&self) -> u32 {
        const { assert!(SLACK * size_of::<Line>() >= size_of::<[u128; 32]>()) };
        self.function().frame_size.next_multiple_of(size_of::<Line>() as u32)
    }

    /// The value of an operand in one lane.
    #[inline(always)]
    pub(crate) fn get<T: Lane>(&self, operand: u32, lane: u32) -> T {
        // SAFETY: see `slab`; the operand was lowered with the size of `T`, and `lane` is below 32.
        unsafe { self.slab::<T>(operand).cast::<T>().add((lane & 31) as usize).read() }
    }

    /// Sets an operand in one lane.
    #[inline(always)]
    pub(crate) fn set<T: Lane>(&mut self, operand: u32, lane: u32, value: T) {
        // SAFETY: as in `get`; a destination lies in the frame.
        unsafe { self.target::<T>(operand).cast::<T>().add((lane & 31) as usize).write(value) }
    }

    /// All lanes of an operand.
    #[inline(always)]
    pub(crate) fn load<T: Lane>(&self, operand: u32) -> [T; 32] {
        // SAFETY: as in `get`.
        unsafe { self.slab::<T>(operand).read() }
    }

    /// Sets the lanes of `mask`.
    #[inline(always)]
    pub(crate) fn store<T: Lane>(&mut self, operand: u32, mask: u32, values: &[T; 32]) {
        let to = self.target::<T>(operand);
        if mask == FULL {
            // SAFETY: as in `set`.
            unsafe { to.write(*values) };
            return;
        }
        for_lanes(mask, |lane| {
            // SAFETY: as in `set`.
            unsafe { to.cast::<T>().add(lane).write(values[lane]) }
        });
    }

    /// The mask of a predicate source, negated if it says so.
    #[inline(always)]
    pub(crate) fn predicate(&self, operand: u32) -> u32 {
        let at = self.bases[(operand >> 31) as usize].wrapping_add((operand & !1) as usize);
        // SAFETY: as in `get`; predicates take eight bytes each.
        let value = unsafe { at.cast::<u32>().read() };
        value ^ (operand & 1).wrapping_neg()
    }

    /// Sets a predicate in the lanes of `mask`.
    #[inline(always)]
    pub(crate) fn set_predicate(&mut self, operand: u32, mask: u32, value: u32) {
        let at = self.bases[0].wrapping_add(operand as usize).cast::<u32>();
        // SAFETY: as in `set`.
        unsafe {
            at.write((at.read() & !mask) | (value & mask));
        }
    }

    /// Ends the run with a fault of one lane. The program counter stays at the instruction.
    #[cold]
    #[inline(never)]
    pub(crate) fn fault(&mut self, kind: FaultKind, lane: u32) -> Flow {
        self.pc -= 1;
        self.stop = Stop::Fault(kind, lane);
        Flow::Stop
    }
}

/// Calls `f` with each lane of a mask, in order.
#[inline(always)]
pub(crate) fn for_lanes(mut mask: u32, mut f: impl FnMut(usize)) {
    while mask != 0 {
        f(mask.trailing_zeros() as usize);
        mask &= mask - 1;
    }
}
