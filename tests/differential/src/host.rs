//! The world of a program on the host: the threads of a block, one at a time.
//!
//! Threads of a program that never meet run one after the other. Those of a collective one are threads
//! of the operating system that pass a baton around: each runs until it waits for others. So nothing
//! depends on timing, and shared memory needs no synchronisation beyond the program's.

use crate::library::Trace;
use crate::world::{Cells, Out, Program, THREADS, World, reductions};
use ptyx::DeviceCopy;
use std::any::TypeId;
use std::cell::RefCell;
use std::collections::HashMap;
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Once, OnceLock, PoisonError};
use std::thread::{self, Thread};

/// A panic of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panic {
    /// Its line in the programs' source.
    pub line: u32,
    /// Its column.
    pub column: u32,
    /// What it says.
    pub message: String,
}

/// In which order the threads of a block run between meetings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// By their numbers.
    Up,
    /// The last one first.
    Down,
}

/// What a launch leaves behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// What each thread computed.
    pub threads: Vec<Result<Out, Panic>>,
    /// The launch's atomics, as words.
    pub cells: Vec<u64>,
}

/// Runs all threads of `blocks` blocks.
pub fn run<P: Program>(blocks: u32, input: &[u64], order: Order) -> Ended {
    let mut cells = vec![Cells::START; Cells::WORDS];
    // SAFETY: so many words, which nothing else is done with until all threads have ended.
    let grid = unsafe { Cells::at(cells.as_mut_ptr()) };
    let threads = (0..blocks).flat_map(|block| run_block::<P>(block, grid, input, order)).collect();
    Ended { threads, cells }
}

fn run_block<P: Program>(
    number: u32,
    grid: &Cells,
    input: &[u64],
    order: Order,
) -> Vec<Result<Out, Panic>> {
    let block = Block::new(number, grid, order);
    let thread = |thread: u32| {
        let world = Host { block: &block, thread };
        catching(|| {
            let trace = Trace::new();
            let mut out = Out::default();
            P::run(&world, P::arg(), input, &trace, &mut out);
            out[7] ^= trace.get();
            out
        })
    };
    if !P::COLLECTIVE {
        return (0..THREADS).map(thread).collect();
    }
    let thread = &thread;
    let block = &block;
    thread::scope(|scope| {
        let running: Vec<_> = (0..THREADS)
            .map(|number| {
                scope.spawn(move || {
                    block.wait_for_turn(number);
                    let result = thread(number);
                    block.end(number);
                    result
                })
            })
            .collect();
        let threads = running.iter().map(|thread| thread.thread().clone()).collect();
        block.start(threads);
        let lost = Panic { line: 0, column: 0, message: "a thread was lost".into() };
        running.into_iter().map(|t| t.join().unwrap_or_else(|_| Err(lost.clone()))).collect()
    })
}

// --- panics -----------------------------------------------------------------------------------

thread_local! {
    /// `None` outside of [`catching`].
    static CAUGHT: RefCell<Option<Panic>> = const { RefCell::new(None) };
}

/// What `work` gives, or its panic, of which nothing is printed.
fn catching<T>(work: impl FnOnce() -> T) -> Result<T, Panic> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let default = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let caught = CAUGHT.with_borrow_mut(|caught| match caught {
                Some(panic) => {
                    panic.message = info.payload_as_str().unwrap_or_default().to_owned();
                    if let Some(place) = info.location() {
                        (panic.line, panic.column) = (place.line(), place.column());
                    }
                    true
                }
                None => false,
            });
            if !caught {
                default(info);
            }
        }));
    });
    let empty = Panic { line: 0, column: 0, message: String::new() };
    CAUGHT.set(Some(empty.clone()));
    let result = catch_unwind(AssertUnwindSafe(work));
    let panic = CAUGHT.take().unwrap_or(empty);
    result.map_err(|_| panic)
}

// --- the block --------------------------------------------------------------------------------

/// A value on its way between threads.
#[derive(Clone, Copy)]
struct Parcel(MaybeUninit<[u64; 8]>);

impl Parcel {
    fn new<T: DeviceCopy>(value: T) -> Parcel {
        const { assert!(size_of::<T>() <= size_of::<Parcel>()) };
        let mut parcel = Parcel(MaybeUninit::zeroed());
        // SAFETY: the value fits, and nothing is assumed about its alignment.
        unsafe { parcel.0.as_mut_ptr().cast::<T>().write_unaligned(value) };
        parcel
    }

    /// # Safety
    /// The parcel was made from a `T`.
    unsafe fn open<T: DeviceCopy>(&self) -> T {
        // SAFETY: the caller's.
        unsafe { self.0.as_ptr().cast::<T>().read_unaligned() }
    }
}

/// Threads that wait for each other.
struct Meeting {
    /// Those that have come.
    arrived: u64,
    parcels: [Parcel; THREADS as usize],
    /// Meetings of these threads so far.
    held: u64,
    /// What they brought to the last one.
    brought: Arc<[Parcel; THREADS as usize]>,
}

/// What the threads of a block share.
struct Shared {
    meetings: HashMap<u64, Meeting>,
    memory: HashMap<TypeId, [Parcel; THREADS as usize]>,
    ended: u64,
    /// Turns since the last time that something happened.
    idle: u32,
}

struct Block<'a> {
    number: u32,
    cells: Cells,
    grid: &'a Cells,
    order: Order,
    shared: Mutex<Shared>,
    /// The thread whose turn it is.
    turn: AtomicUsize,
    threads: OnceLock<Vec<Thread>>,
}

/// Nobody's turn.
const NOBODY: usize = usize::MAX;

impl<'a> Block<'a> {
    fn new(number: u32, grid: &'a Cells, order: Order) -> Block<'a> {
        let shared = Shared { meetings: HashMap::new(), memory: HashMap::new(), ended: 0, idle: 0 };
        Block {
            number,
            cells: Cells::default(),
            grid,
            order,
            shared: Mutex::new(shared),
            turn: AtomicUsize::new(NOBODY),
            threads: OnceLock::new(),
        }
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn start(&self, threads: Vec<Thread>) {
        let threads = self.threads.get_or_init(|| threads);
        let first = if self.order == Order::Up { 0 } else { threads.len() - 1 };
        self.turn.store(first, Ordering::Release);
        threads[first].unpark();
    }

    fn wait_for_turn(&self, thread: u32) {
        while self.turn.load(Ordering::Acquire) != thread as usize {
            thread::park();
        }
    }

    /// Gives the turn to the next thread that has not ended.
    fn pass(&self, thread: u32) {
        let ended = self.shared().ended;
        let step = if self.order == Order::Up { 1 } else { THREADS - 1 };
        let mut next = thread;
        loop {
            next = (next + step) % THREADS;
            if ended >> next & 1 == 0 {
                break;
            }
            if next == thread {
                return;
            }
        }
        self.turn.store(next as usize, Ordering::Release);
        if let Some(threads) = self.threads.get() {
            threads[next as usize].unpark();
        }
    }

    fn end(&self, thread: u32) {
        {
            let mut shared = self.shared();
            shared.ended |= 1 << thread;
            shared.idle = 0;
        }
        self.pass(thread);
    }

    /// Waits until all threads of `members` have come with a value; gives what they brought.
    fn meet<T: DeviceCopy>(&self, members: u64, thread: u32, value: T) -> Brought {
        assert!(members >> thread & 1 == 1, "a thread waits where it has no place");
        let number = {
            let mut shared = self.shared();
            let meeting = shared.meetings.entry(members).or_insert_with(|| Meeting {
                arrived: 0,
                parcels: [Parcel::new(0u64); THREADS as usize],
                held: 0,
                brought: Arc::new([Parcel::new(0u64); THREADS as usize]),
            });
            meeting.arrived |= 1 << thread;
            meeting.parcels[thread as usize] = Parcel::new(value);
            let number = meeting.held;
            if meeting.arrived == members {
                meeting.arrived = 0;
                meeting.held += 1;
                meeting.brought = Arc::new(meeting.parcels);
                shared.idle = 0;
            }
            number
        };
        loop {
            {
                let mut shared = self.shared();
                let meeting = &shared.meetings[&members];
                if meeting.held > number {
                    return Brought { parcels: meeting.brought.clone() };
                }
                shared.idle += 1;
                assert!(shared.idle < 4 * THREADS, "threads wait for each other for ever");
            }
            self.pass(thread);
            self.wait_for_turn(thread);
        }
    }
}

/// What the threads of a meeting brought.
struct Brought {
    parcels: Arc<[Parcel; THREADS as usize]>,
}

impl Brought {
    /// # Safety
    /// `thread` brought a `T`.
    unsafe fn of<T: DeviceCopy>(&self, thread: u32) -> T {
        // SAFETY: the caller's.
        unsafe { self.parcels[thread as usize].open() }
    }
}

/// A thread of a block on the host.
#[derive(Clone, Copy)]
pub struct Host<'a> {
    block: &'a Block<'a>,
    thread: u32,
}

impl Host<'_> {
    /// What the lanes of `mask` bring, in the order of their numbers.
    fn warp<T: DeviceCopy>(&self, mask: u32, value: T) -> impl Iterator<Item = (u32, T)> + Clone {
        let first = self.thread & !31;
        let brought = Arc::new(self.block.meet(u64::from(mask) << first, self.thread, value));
        // SAFETY: the members of a meeting all bring a value, of one type.
        (0..32)
            .filter(move |lane| mask >> lane & 1 == 1)
            .map(move |lane| (lane, unsafe { brought.of(first + lane) }))
    }

    /// What lane `source` brings, or else the thread's own value.
    fn value_of<T: DeviceCopy>(&self, mask: u32, value: T, source: Option<u32>) -> T {
        let mut all = self.warp(mask, value);
        all.find(|(lane, _)| Some(*lane) == source).map_or(value, |(_, got)| got)
    }

    /// How many threads of the block bring `true`.
    fn count(&self, predicate: bool) -> u32 {
        let brought = self.block.meet(u64::MAX, self.thread, predicate);
        // SAFETY: all threads bring a `bool`.
        (0..THREADS).filter(|&thread| unsafe { brought.of::<bool>(thread) }).count() as u32
    }
}

macro_rules! define_reductions {
    ($($name:ident: $fold:expr;)*) => {
        $(
            fn $name(&self, mask: u32, value: u32) -> u32 {
                self.warp(mask, value).map(|(_, value)| value).reduce($fold).unwrap_or(value)
            }
        )*
    };
}

/// Sources of shuffles: PTX ISA, `shfl.sync`, with segments of `width` lanes.
impl World for Host<'_> {
    fn thread(&self) -> u32 {
        self.thread
    }

    fn block(&self) -> u32 {
        self.block.number
    }

    fn sync(&self) {
        self.count(false);
    }

    fn sync_count(&self, predicate: bool) -> u32 {
        self.count(predicate)
    }

    fn sync_and(&self, predicate: bool) -> bool {
        self.count(predicate) == THREADS
    }

    fn sync_or(&self, predicate: bool) -> bool {
        self.count(predicate) > 0
    }

    fn put<T: DeviceCopy>(&self, index: u32, value: T) {
        let mut shared = self.block.shared();
        let places = shared.memory.entry(TypeId::of::<T>());
        let places = places.or_insert_with(|| [Parcel::new(T::zeroed()); THREADS as usize]);
        places[index as usize] = Parcel::new(value);
    }

    fn get<T: DeviceCopy>(&self, index: u32) -> T {
        let shared = self.block.shared();
        // SAFETY: the places of a type hold values of it.
        unsafe { shared.memory[&TypeId::of::<T>()][index as usize].open() }
    }

    fn shuffle<T: DeviceCopy>(&self, mask: u32, width: u32, value: T, lane: u32) -> T {
        let first = self.lane() / width * width;
        self.value_of(mask, value, Some(first + lane % width))
    }

    fn shuffle_up<T: DeviceCopy>(&self, mask: u32, width: u32, value: T, delta: u32) -> T {
        let first = self.lane() / width * width;
        let source = self.lane().checked_sub(delta).filter(|source| *source >= first);
        self.value_of(mask, value, source)
    }

    fn shuffle_down<T: DeviceCopy>(&self, mask: u32, width: u32, value: T, delta: u32) -> T {
        let end = self.lane() / width * width + width;
        self.value_of(mask, value, Some(self.lane() + delta).filter(|source| *source < end))
    }

    fn shuffle_xor<T: DeviceCopy>(&self, mask: u32, width: u32, value: T, flip: u32) -> T {
        let end = self.lane() / width * width + width;
        self.value_of(mask, value, Some(self.lane() ^ flip).filter(|source| *source < end))
    }

    fn ballot(&self, mask: u32, predicate: bool) -> u32 {
        let all = self.warp(mask, predicate);
        all.fold(0, |found, (lane, holds)| found | u32::from(holds) << lane)
    }

    fn all(&self, mask: u32, predicate: bool) -> bool {
        self.ballot(mask, predicate) == mask
    }

    fn any(&self, mask: u32, predicate: bool) -> bool {
        self.ballot(mask, predicate) != 0
    }

    fn uniform(&self, mask: u32, predicate: bool) -> bool {
        let found = self.ballot(mask, predicate);
        found == mask || found == 0
    }

    fn match_any(&self, mask: u32, value: u32) -> u32 {
        self.match_any_64(mask, value.into())
    }

    fn match_any_64(&self, mask: u32, value: u64) -> u32 {
        let all = self.warp(mask, value);
        all.fold(0, |found, (lane, other)| found | u32::from(other == value) << lane)
    }

    reductions!(define_reductions);

    fn block_cells(&self) -> &Cells {
        &self.block.cells
    }

    fn grid_cells(&self) -> &Cells {
        self.block.grid
    }
}
