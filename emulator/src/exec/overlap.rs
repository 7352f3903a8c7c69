//! Programmatic dependent launches: accesses that come before `griddepcontrol.wait`.
//!
//! Kernels of a stream run one after another here, so a dependent launch finds all that earlier ones wrote. On a GPU
//! it may begin while they still run. So the memory that they access is noted byte by byte, and an access that
//! conflicts with one of theirs is a fault until a thread of the block has waited.
//!
//! A kernel that its stream, an event or a wait of the host puts behind earlier ones is not reported. Two atomic accesses do not conflict, and a block that reads atomically what
//! an earlier kernel wrote atomically may have synchronised with that: it is not checked any further. Nor is one that
//! reads anything atomically once another block has waited. What textures and surfaces, tensor maps and `wmma`
//! access is not noted.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// Bytes of memory that one page of notes is about (log2).
const PAGE: u32 = 9;
/// Earlier kernels of a stream that are kept. Only those count that may all still run together.
const KEPT: usize = 8;

/// How a thread accesses memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    pub(crate) write: bool,
    /// Atomic, with an order, or volatile: a strong operation (PTX ISA, "Memory Consistency Model").
    pub(crate) strong: bool,
}

impl Way {
    /// The bit that stands for it.
    fn bit(self) -> u8 {
        1 << (u8::from(self.write) | u8::from(self.strong) << 1)
    }

    /// The ways of another kernel that this one conflicts with.
    fn conflicts(self) -> u8 {
        let ways = [(false, false), (true, false), (false, true), (true, true)];
        let conflicts = |way: &Way| (way.write || self.write) && !(way.strong && self.strong);
        let ways = ways.map(|(write, strong)| Way { write, strong });
        ways.iter().filter(|way| conflicts(way)).map(|way| way.bit()).sum()
    }
}

/// A strong write.
const SIGNAL: Way = Way { write: true, strong: true };
/// The bits of all writes.
const WRITES: u8 = 0b1010;

/// The ways in which each byte of a page was accessed.
type Page = Box<[u8; 1 << PAGE]>;

/// What a launch accesses.
pub(crate) struct Accesses {
    /// Name of the kernel.
    kernel: String,
    /// Whether it may have begun before earlier work has ended.
    programmatic: bool,
    /// Whether the next launch may begin before this one's own earlier work has ended: a block let it begin, or ended,
    /// before it had waited.
    passes: AtomicBool,
    pages: Mutex<HashMap<u64, Page>>,
}

impl Accesses {
    pub(crate) fn new(kernel: &str, programmatic: bool) -> Accesses {
        Accesses {
            kernel: kernel.to_owned(),
            programmatic,
            passes: AtomicBool::new(false),
            pages: Mutex::default(),
        }
    }

    fn pages(&self) -> MutexGuard<'_, HashMap<u64, Page>> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes an access to memory.
    fn note(&self, (address, size): (u64, u64), way: Way) {
        let mut pages = self.pages();
        for byte in address..address + size {
            let page = pages.entry(byte >> PAGE).or_insert_with(|| Box::new([0; 1 << PAGE]));
            page[byte as usize % (1 << PAGE)] |= way.bit();
        }
    }

    /// How these bytes were accessed.
    fn ways(&self, (address, size): (u64, u64)) -> u8 {
        let pages = self.pages();
        let of =
            |byte: u64| pages.get(&(byte >> PAGE)).map_or(0, |p| p[byte as usize % (1 << PAGE)]);
        (address..address + size).fold(0, |all, byte| all | of(byte))
    }
}

/// The last launches of a stream that may still run when the next one begins, oldest first.
#[derive(Clone, Default)]
pub(crate) struct Earlier(Vec<Arc<Accesses>>);

impl Earlier {
    /// Adds the next launch of the stream.
    pub(crate) fn push(&mut self, launch: Arc<Accesses>) {
        if !launch.programmatic {
            self.0.clear();
        } else if self.0.len() == KEPT {
            self.0.remove(0);
        }
        self.0.push(launch);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// References to its launches.
    pub(crate) fn launches(&self) -> impl Iterator<Item = Weak<Accesses>> {
        self.0.iter().map(Arc::downgrade)
    }

    /// Removes launches that have ended.
    pub(crate) fn remove(&mut self, ended: &[Weak<Accesses>]) {
        self.0.retain(|launch| !ended.iter().any(|ended| ended.as_ptr() == Arc::as_ptr(launch)));
    }

    /// Those that the next launch may overtake, latest first.
    fn running(&self) -> impl Iterator<Item = &Accesses> {
        let mut reached = true;
        let reaches = move |launch: &&Accesses| {
            std::mem::replace(&mut reached, launch.passes.load(Ordering::SeqCst))
        };
        self.0.iter().rev().map(|launch| &**launch).take_while(reaches)
    }
}

/// What a launch is checked against, and where its own accesses are noted.
#[derive(Default)]
pub(crate) struct Overlap {
    pub(crate) earlier: Earlier,
    pub(crate) own: Option<Arc<Accesses>>,
    /// A thread has waited.
    waited: AtomicBool,
}

impl Overlap {
    pub(crate) fn new(earlier: Earlier, own: Option<Arc<Accesses>>) -> Overlap {
        Overlap { earlier, own, waited: AtomicBool::new(false) }
    }

    /// Whether accesses have to be looked at: a launch that may overtake others notes its own, too.
    #[inline(always)]
    pub(crate) fn is_watched(&self) -> bool {
        self.own.is_some()
    }

    /// A thread has waited.
    pub(crate) fn wait(&self) {
        self.waited.store(true, Ordering::SeqCst);
    }

    /// Notes an access.
    pub(crate) fn note(&self, place: (u64, u64), way: Way) {
        if let Some(own) = &self.own {
            own.note(place, way);
        }
    }

    /// The name of an earlier kernel with which an access conflicts, and whether that one writes there.
    pub(crate) fn conflict(
        &self,
        block: &mut Order,
        place: (u64, u64),
        way: Way,
    ) -> Option<(&str, bool)> {
        block.unchecked |= way.strong && self.waited.load(Ordering::SeqCst);
        if block.unchecked {
            return None;
        }
        for earlier in self.earlier.running() {
            let ways = earlier.ways(place);
            if ways & way.conflicts() != 0 {
                return Some((&earlier.kernel, ways & WRITES != 0));
            }
            if way.strong && ways & SIGNAL.bit() != 0 {
                block.unchecked = true;
                return None;
            }
        }
        None
    }

    /// The block lets the next launch begin, or ends.
    pub(crate) fn let_next_begin(&self, block: Order) {
        if let Some(own) = self.own.as_ref().filter(|_| !block.waited) {
            own.passes.store(true, Ordering::SeqCst);
        }
    }
}

/// How far a block is ordered behind earlier launches.
#[derive(Clone, Copy, Default)]
pub(crate) struct Order {
    /// A thread has waited for them, or the block began after them.
    waited: bool,
    /// Its accesses are not checked.
    unchecked: bool,
}

impl Order {
    /// That of a block that begins.
    pub(crate) fn of(overlap: &Overlap) -> Order {
        let first = overlap.earlier.is_empty();
        Order { waited: first, unchecked: first }
    }

    pub(crate) fn wait(&mut self) {
        *self = Order { waited: true, unchecked: true };
    }
}

#[cfg(test)]
mod tests {
    use super::{Accesses, Earlier, Way};
    use std::sync::Arc;
    use std::sync::atomic::Ordering;

    const READ: Way = Way { write: false, strong: false };
    const WRITE: Way = Way { write: true, strong: false };
    const ATOMIC: Way = Way { write: true, strong: true };
    const LOAD: Way = Way { write: false, strong: true };

    #[test]
    fn two_ways_conflict_if_one_writes_and_one_is_weak() {
        let ways = [READ, WRITE, ATOMIC, LOAD];
        let conflicts = |a: Way, b: Way| a.conflicts() & b.bit() != 0;
        let all = ways.map(|a| ways.map(|b| conflicts(a, b)));
        let (yes, no) = (true, false);
        assert_eq!(
            all,
            [[no, yes, yes, no], [yes, yes, yes, yes], [yes, yes, no, no], [no, yes, no, no],]
        );
    }

    #[test]
    fn bytes_are_noted_one_by_one() {
        let accesses = Accesses::new("k", false);
        accesses.note((510, 4), WRITE);
        accesses.note((513, 1), READ);
        assert_eq!(accesses.ways((506, 4)), 0);
        assert_eq!(accesses.ways((512, 1)), WRITE.bit());
        assert_eq!(accesses.ways((513, 8)), WRITE.bit() | READ.bit());
        assert_eq!(accesses.ways((514, 1000)), 0);
    }

    #[test]
    fn a_launch_reaches_back_to_those_that_nobody_waited_for() {
        let mut earlier = Earlier::default();
        let names = |earlier: &Earlier| {
            earlier.running().map(|launch| launch.kernel.clone()).collect::<String>()
        };
        let push = |earlier: &mut Earlier, name: &str, programmatic: bool, passes: bool| {
            let launch = Arc::new(Accesses::new(name, programmatic));
            launch.passes.store(passes, Ordering::SeqCst);
            earlier.push(launch);
        };
        push(&mut earlier, "a", true, false);
        assert_eq!(names(&earlier), "a");
        push(&mut earlier, "b", false, false);
        assert_eq!(names(&earlier), "b");
        push(&mut earlier, "c", true, true);
        push(&mut earlier, "d", true, true);
        assert_eq!(names(&earlier), "dcb");
        push(&mut earlier, "e", true, false);
        assert_eq!(names(&earlier), "e");
        for name in ["f", "g", "h", "i", "j", "k", "l", "m", "n"] {
            push(&mut earlier, name, true, true);
        }
        assert_eq!(names(&earlier), "nmlkjihg");
    }
}
