//! Which streams use which part of an allocation, so that no use comes too early.
//!
//! A kernel or copy that is submitted to a stream goes on after the call returns, when Rust's borrows
//! of its buffers have ended. So each allocation keeps a list of *uses*: a stream, a byte range, and
//! whether it was written there. A later use on another stream first makes that stream wait for the
//! earlier ones that it conflicts with; the host waits itself. The same stream again needs nothing, as
//! work in one stream runs in order.
//!
//! A use is noted before its work is submitted to the stream. No note can be seen too early: a
//! conflicting use needs a conflicting Rust borrow, so it can start only when the earlier call has
//! returned; and uses of disjoint ranges leave each other's notes alone.
//!
//! A stream that is idle needs no notes, unless a call is between its note and its work: streams
//! count those calls ([`Entry`]).
//!
//! A use that *stands* is one of many launches that come later: see [`Standing`].
//!
//! Invariants of the list:
//! 1. every use that may still run, and that a later use could conflict with, is covered by a note
//!    of its stream, range and kind;
//! 2. an `exact` note of stream `s` says that `s` has waited for all writes noted in its range by
//!    other streams (so `s` may read there, and write if no other stream's note overlaps).

use crate::driver::Failure;
use crate::driver::host_function::{Inside, inside};
use crate::driver::types::CUDA_ERROR_NOT_READY;
use crate::stream::{Entry, Standing, Stream};
use core::ops::Range;
use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a use does to the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    Write,
}

/// A stream's use of a byte range.
#[derive(Clone, Debug)]
struct Use {
    stream: Stream,
    start: usize,
    end: usize,
    write: bool,
    /// See the module's second invariant; false after merging.
    exact: bool,
    /// The numbers of the stream's first and last launch that may use it.
    first: u64,
    last: u64,
    /// How many host functions the stream had been given: see [`Stream::on_host`].
    functions: u64,
    /// It stands for launches that may still come, until this is over. Nothing removes the note before.
    standing: Option<Arc<Standing>>,
}

/// What an access conflicts with: the uses by a stream.
pub(crate) struct Conflict {
    pub(crate) stream: Stream,
    /// Whether one of them writes.
    pub(crate) write: bool,
    /// The numbers of the stream's first and last launch among them.
    pub(crate) first: u64,
    pub(crate) last: u64,
    /// How many host functions the stream had been given before the last of them.
    pub(crate) functions: u64,
}

impl Conflict {
    /// Whether the uses are done because they came before the host function that this is.
    fn is_before(&self, function: Inside) -> bool {
        self.stream.0.id == function.stream
            && function.number.is_some_and(|number| self.functions <= number)
    }
}

impl Use {
    fn overlaps(&self, range: &Range<usize>) -> bool {
        self.start < range.end && range.start < self.end
    }

    fn covers(&self, range: &Range<usize>) -> bool {
        self.start <= range.start && range.end <= self.end
    }

    fn stands(&self) -> bool {
        self.standing.is_some()
    }

    /// The number of the last launch, and how many host functions the stream had been given before.
    fn numbers(&self) -> (u64, u64) {
        match self.standing {
            None => (self.last, self.functions),
            // There may be more, behind every function.
            Some(_) => (self.last.max(self.stream.0.last_launch() + 1), u64::MAX),
        }
    }
}

/// The uses of one allocation.
///
/// Mostly one stream uses it again and again. Then `sole` names the stream, and such a use takes no lock: it
/// changes nothing but the numbers of the stream's last launch and host function. Whoever takes the lock first
/// clears `sole`. So who has cleared it sees that a use which has still seen the stream there has entered the stream
/// ([`Stream::enter`]), because both sides are sequentially consistent. `sole` never has the same value again soon, so a use
/// can't take a later publication for the one that it saw.
///
/// The number of the launch changes with each launch, so it is written by a plain store, and only by calls that are *alone*
/// in the stream ([`Entry::is_alone`]), of which there is one at a time: none can undo another's store. Others take the
/// lock. If a call is still in the stream when `sole` is cleared, its number may not be seen yet; if `sole` was cleared and
/// published meanwhile, a late store of an earlier stream's number may have replaced that of a later one, which the
/// publication's number beside it shows. Then the note gets the number of the stream's next launch, which is not below the
/// missing one. The number of host functions changes rarely, and is raised by an atomic operation. (If `sole` was published
/// meanwhile, a use may have raised a later stream's number. That is safe: it only says what a host function must not touch.)
#[derive(Default)]
pub(crate) struct Tracker {
    uses: Mutex<Uses>,
    /// How large the allocation is, if that is known.
    bytes: usize,
    /// A stream with an exact note that covers the whole allocation, and whether it may write, too, as this is the only
    /// note: see [`sole_of`]. 0 if there is no such stream.
    sole: AtomicU64,
    /// The number of the last launch of `sole`'s uses, and above it the number of the publication.
    sole_last: AtomicU64,
    /// How many host functions `sole` had been given before its last use.
    sole_functions: AtomicU64,
}

#[derive(Default)]
struct Uses {
    list: Vec<Use>,
    /// The list is tidied when it is longer than this.
    tidy_at: usize,
    /// How often [`Tracker::publish`] has named a stream.
    published: u16,
}

/// A stream and whether it may write, as one number other than 0.
#[inline]
fn sole_of(stream: &Stream, write: bool) -> u64 {
    (stream.0.id + 1) << 1 | u64::from(write)
}

/// Where `sole` has the number of the publication, above what [`sole_of`] gives.
const PUBLICATION: u32 = 48;

/// What [`sole_of`] gave; or a launch's number, beside the publication's.
#[inline]
fn named(sole: u64) -> u64 {
    sole & ((1 << PUBLICATION) - 1)
}

/// Whether both have the same number of the publication.
#[inline]
fn same_publication(one: u64, other: u64) -> bool {
    one >> PUBLICATION == other >> PUBLICATION
}

/// Raises a number to at least `to`.
#[inline]
fn raise(number: &AtomicU64, to: u64) {
    if number.load(Ordering::SeqCst) < to {
        number.fetch_max(to, Ordering::SeqCst);
    }
}

/// Waits until streams are done. After an error the driver can't say whether they are: their memory is not given back.
pub(super) fn settled(streams: &[Stream]) -> Result<(), Failure> {
    let (call, code) = ("cuStreamSynchronize", CUDA_ERROR_NOT_READY);
    match streams.iter().all(|stream| stream.0.settle()) {
        true => Ok(()),
        false => Err(Failure { call, code }),
    }
}

/// The list is never tidied below this length.
const TIDY_AT_LEAST: usize = 16;

impl Tracker {
    /// A tracker whose whole range was last written by `stream`.
    pub(crate) fn written_by(stream: &Stream, bytes: usize) -> Tracker {
        let tracker = Tracker { bytes, ..Tracker::default() };
        let (launch, functions) = (stream.0.last_launch() + 1, stream.0.host_functions());
        tracker.lock().insert(stream, 0..bytes, true, (launch, functions));
        tracker
    }

    /// Notes a use by work that was submitted to a stream before, which may be on another device.
    pub(crate) fn used_by(&self, stream: &Stream, range: Range<usize>, access: Access) {
        let at = (stream.0.last_launch() + 1, stream.0.host_functions());
        self.lock().insert(stream, range, access == Access::Write, at);
    }

    fn lock(&self) -> MutexGuard<'_, Uses> {
        let mut uses = self.uses.lock().unwrap_or_else(PoisonError::into_inner);
        let sole = self.sole.load(Ordering::Relaxed);
        if sole != 0 {
            self.sole.store(0, Ordering::SeqCst);
            let of_sole = |noted: &&mut Use| sole_of(&noted.stream, sole & 1 == 1) == named(sole);
            if let Some(noted) = uses.list.iter_mut().filter(of_sole).find(|u| self.is_whole(u)) {
                // In this order: a call that is not there any more has stored its number.
                let is_entered = noted.stream.is_entered();
                let last = self.sole_last.load(Ordering::SeqCst);
                let functions = self.sole_functions.load(Ordering::SeqCst);
                let last = match is_entered || !same_publication(last, sole) {
                    true => noted.stream.0.last_launch() + 1,
                    false => named(last),
                };
                noted.last = noted.last.max(last);
                noted.functions = noted.functions.max(functions);
            }
        }
        uses.settle_standing();
        uses
    }

    /// Whether a note says that its stream may read everything.
    fn is_whole(&self, noted: &Use) -> bool {
        noted.exact && self.bytes > 0 && noted.covers(&(0..self.bytes))
    }

    /// Names a stream, if it may use everything again without the lock.
    fn publish(&self, uses: &mut Uses, stream: &Stream) {
        let mut own = uses.list.iter().filter(|noted| noted.stream.is(stream));
        if let Some(noted) = own.find(|noted| self.is_whole(noted)) {
            // Others' notes keep it from writing, not from reading.
            let may_write = noted.write && uses.list.len() == 1;
            uses.published = uses.published.wrapping_add(1);
            let publication = u64::from(uses.published) << PUBLICATION;
            self.sole_last.store(publication | named(noted.last), Ordering::SeqCst);
            self.sole_functions.store(noted.functions, Ordering::SeqCst);
            self.sole.store(publication | named(sole_of(stream, may_write)), Ordering::SeqCst);
        }
    }

    /// Makes `stream` wait for what an access of `range` conflicts with, and notes the access. The
    /// caller then submits the work to the stream, while it still holds its borrow.
    #[inline]
    pub(crate) fn order(
        &self,
        entry: &Entry<'_>,
        range: Range<usize>,
        access: Access,
    ) -> Result<(), Failure> {
        if range.is_empty() {
            return Ok(());
        }
        let stream = entry.stream();
        if let Some(binding) = entry.binding() {
            binding.refuse_captures();
            return self.order_standing(entry, range, access, binding.standing());
        }
        if entry.is_captured() {
            // Memory that graphs can use is not ordered here: see `Allocation::order`.
            stream.0.refuse_capture("the use of pinned memory other than a `StagingBuffer`")?;
        }
        // The usual case: one stream uses the whole allocation again.
        let sole = self.sole.load(Ordering::SeqCst);
        let stream_named = named(sole);
        if (stream_named == sole_of(stream, true)
            || stream_named == sole_of(stream, false) && access == Access::Read)
            && self.note_quickly(entry, sole)
            // Still: then whoever clears it sees what was noted. Else the use is noted under the lock.
            && self.sole.load(Ordering::SeqCst) == sole
        {
            return Ok(());
        }
        self.order_noted(entry, range, access == Access::Write)
    }

    /// Notes a use by `sole` without the lock; false if it must have the lock.
    #[inline]
    fn note_quickly(&self, entry: &Entry<'_>, sole: u64) -> bool {
        let last = self.sole_last.load(Ordering::SeqCst);
        if !same_publication(last, sole) || named(last) < entry.launch() {
            if !entry.is_alone() {
                return false;
            }
            let publication = sole ^ named(sole);
            self.sole_last.store(publication | named(entry.launch()), Ordering::Release);
        }
        raise(&self.sole_functions, entry.functions());
        true
    }

    /// The same, under the lock.
    #[cold]
    fn order_noted(
        &self,
        entry: &Entry<'_>,
        range: Range<usize>,
        write: bool,
    ) -> Result<(), Failure> {
        let mut uses = self.lock();
        uses.order(entry, range, write)?;
        self.publish(&mut uses, entry.stream());
        Ok(())
    }

    /// The same for all launches of a handle, which keep others from accesses that conflict. The stream is not captured.
    #[cold]
    pub(crate) fn order_standing(
        &self,
        entry: &Entry<'_>,
        range: Range<usize>,
        access: Access,
        standing: &Arc<Standing>,
    ) -> Result<(), Failure> {
        let mut uses = self.lock();
        uses.order(entry, range.clone(), access == Access::Write)?;
        uses.stand(entry, range, access == Access::Write, standing);
        self.publish(&mut uses, entry.stream());
        Ok(())
    }

    /// Waits on the host for what an access of `range` conflicts with, and forgets it. Failures are
    /// left to whoever synchronises. False if the driver can't say whether that is done: then the memory must stay.
    ///
    /// # Panics
    /// In a host function that a stream calls, if it would have to wait: that could take forever. The
    /// function's panic is reported to the program.
    pub(crate) fn finish(&self, range: Range<usize>, access: Access) -> bool {
        let write = access == Access::Write;
        let streams = self.lock().conflicts(None, &range, write);
        if let Some(function) = inside() {
            assert!(
                streams.iter().all(|conflict| conflict.is_before(function)),
                "a function given to `Stream::on_host` used pinned memory that another stream, or later work of its \
                 own stream, is copying: make its stream wait for that work before it is given the function"
            );
            return true;
        }
        // Not under the lock: other ranges stay usable meanwhile.
        let settled = streams.iter().map(|conflict| conflict.stream.0.settle());
        // A driver of which all calls fail runs nothing any more, as far as the host can know. But the notes stay then, so
        // that the memory is not given back as long as the driver does not say so.
        let settled = settled.fold(true, |all, one| all & one);
        if settled {
            self.lock().forget(&range, write);
        }
        settled
    }

    /// Waits until no stream uses the memory. False if the driver can't say so: then it must stay.
    pub(crate) fn settle(&self) -> bool {
        self.streams().iter().all(|stream| stream.0.settle())
    }

    /// What an access of `range` conflicts with. The caller waits for that before its borrow ends.
    pub(crate) fn conflicts(&self, range: &Range<usize>, access: Access) -> Vec<Conflict> {
        self.lock().conflicts(None, range, access == Access::Write)
    }

    /// Forgets what an access of `range` conflicts with: the caller has waited for it.
    pub(crate) fn forget(&self, range: Range<usize>, access: Access) {
        self.lock().forget(&range, access == Access::Write);
    }

    /// How many notes there are.
    #[cfg(test)]
    pub(crate) fn note_count(&self) -> usize {
        self.lock().list.len()
    }

    /// Whether there is a note of `stream`.
    #[cfg(test)]
    pub(crate) fn has_note_of(&self, stream: &Stream) -> bool {
        self.lock().list.iter().any(|noted| noted.stream.is(stream))
    }

    /// How many streams an access by `stream` would wait for.
    #[cfg(test)]
    pub(crate) fn conflicts_of(
        &self,
        stream: &Stream,
        range: Range<usize>,
        access: Access,
    ) -> usize {
        self.lock().conflicts(Some(stream), &range, access == Access::Write).len()
    }

    /// Every stream with a note. From now on, each launch of a note that stands is ordered by itself.
    pub(crate) fn users(&self) -> Vec<Stream> {
        for noted in &self.lock().list {
            noted.standing.iter().for_each(|standing| standing.order_each());
        }
        self.streams()
    }

    /// Every stream with a note.
    pub(crate) fn streams(&self) -> Vec<Stream> {
        let all = self.lock().conflicts(None, &(0..usize::MAX), true);
        all.into_iter().map(|conflict| conflict.stream).collect()
    }
}

impl Uses {
    /// The notes of streams other than `except` that an access of `range` conflicts with.
    fn conflicts(
        &self,
        except: Option<&Stream>,
        range: &Range<usize>,
        write: bool,
    ) -> Vec<Conflict> {
        let mut found: Vec<Conflict> = Vec::new();
        for noted in &self.list {
            let &Use { ref stream, first, .. } = noted;
            if !(write || noted.write)
                || !noted.overlaps(range)
                || except.is_some_and(|except| stream.is(except))
            {
                continue;
            }
            let (last, functions) = noted.numbers();
            let last = stream.0.last_of(first, last);
            match found.iter_mut().find(|known| known.stream.is(stream)) {
                Some(known) => {
                    known.write |= noted.write;
                    known.first = known.first.min(first);
                    known.last = known.last.max(last);
                    known.functions = known.functions.max(functions);
                }
                None => {
                    found.push(Conflict {
                        stream: stream.clone(),
                        write: noted.write,
                        first,
                        last,
                        functions,
                    });
                }
            }
        }
        found
    }

    fn order(
        &mut self,
        entry: &Entry<'_>,
        range: Range<usize>,
        write: bool,
    ) -> Result<(), Failure> {
        let stream = entry.stream();
        let covering = self.list.iter_mut().find(|noted| {
            noted.exact
                && noted.stream.is(stream)
                && (noted.write || !write)
                && noted.covers(&range)
        });
        let covered = covering.is_some();
        if let Some(noted) = covering {
            noted.last = noted.last.max(entry.launch());
            noted.functions = noted.functions.max(entry.functions());
        }
        if covered && !write {
            return Ok(());
        }
        let conflicts = self.conflicts(Some(stream), &range, write);
        if covered && conflicts.is_empty() {
            return Ok(());
        }
        for earlier in &conflicts {
            stream.wait_for(&earlier.stream)?;
        }
        if write {
            self.forget(&range, true);
        }
        self.insert(stream, range, write, (entry.launch(), entry.functions()));
        if self.list.len() > self.tidy_at.max(TIDY_AT_LEAST) {
            self.tidy();
            self.tidy_at = 2 * self.list.len();
        }
        Ok(())
    }

    /// Adds a note with the numbers of the launch and of the host functions, merged with adjacent ones of the same kind.
    fn insert(
        &mut self,
        stream: &Stream,
        range: Range<usize>,
        write: bool,
        (launch, functions): (u64, u64),
    ) {
        for noted in &mut self.list {
            let touches = noted.start <= range.end && range.start <= noted.end;
            let is_same = noted.write == write && noted.stream.is(stream);
            if noted.exact && !noted.stands() && is_same && touches {
                noted.start = noted.start.min(range.start);
                noted.end = noted.end.max(range.end);
                noted.last = noted.last.max(launch);
                noted.functions = noted.functions.max(functions);
                return;
            }
        }
        let stream = stream.clone();
        let (start, end) = (range.start, range.end);
        let (exact, first, last) = (true, launch, launch);
        let standing = None;
        self.list.push(Use { stream, start, end, write, exact, first, last, functions, standing });
    }

    /// Adds a note that stands, for uses that have been ordered. It replaces what the stream's other notes say of the range.
    fn stand(
        &mut self,
        entry: &Entry<'_>,
        range: Range<usize>,
        write: bool,
        standing: &Arc<Standing>,
    ) {
        let (start, end, last) = (range.start, range.end, entry.launch());
        let (mut first, mut functions) = (last, entry.functions());
        self.list.retain(|noted| {
            let is_replaced = noted.stream.is(entry.stream())
                && !noted.stands()
                && start <= noted.start
                && noted.end <= end
                && (write || !noted.write);
            if is_replaced {
                first = first.min(noted.first);
                functions = functions.max(noted.functions);
            }
            !is_replaced
        });
        let (stream, standing) = (entry.stream().clone(), Some(standing.clone()));
        let exact = true;
        self.list.push(Use { stream, start, end, write, exact, first, last, functions, standing });
    }

    /// Makes notes that stood, and whose handles are gone, usual ones.
    fn settle_standing(&mut self) {
        let mut at = 0;
        while at < self.list.len() {
            let noted = &mut self.list[at];
            at += 1;
            let Some((last, functions)) = noted.standing.as_ref().and_then(|one| one.ended())
            else {
                continue;
            };
            noted.standing = None;
            noted.last = noted.last.max(last);
            noted.functions = noted.functions.max(functions);
            // A note of the same stream that says as much takes its numbers, so that the stream has one note again.
            let noted = self.list.swap_remove(at - 1);
            let says_as_much = |other: &&mut Use| {
                let range = noted.start..noted.end;
                other.exact
                    && !other.stands()
                    && other.stream.is(&noted.stream)
                    && (other.write || !noted.write)
                    && other.covers(&range)
            };
            match self.list.iter_mut().find(says_as_much) {
                Some(other) => {
                    other.first = other.first.min(noted.first);
                    other.last = other.last.max(noted.last);
                    other.functions = other.functions.max(noted.functions);
                    at -= 1;
                }
                None => {
                    self.list.push(noted);
                    let end = self.list.len() - 1;
                    self.list.swap(at - 1, end);
                }
            }
        }
    }

    /// Removes `range` from every note. If only writes are forgotten, their notes become notes of reads there: a use
    /// that the note covers, by another thread that only reads, may have been submitted after the caller has waited.
    fn forget(&mut self, range: &Range<usize>, reads_too: bool) {
        let mut rest = Vec::new();
        self.list.retain_mut(|noted| {
            if !noted.overlaps(range) || !(noted.write || reads_too) {
                return true;
            }
            if noted.stands() {
                // Its stream has not waited for a write that comes now.
                noted.exact &= !reads_too;
                return true;
            }
            if !reads_too {
                let (start, end) = (noted.start.max(range.start), noted.end.min(range.end));
                rest.push(Use { start, end, write: false, ..noted.clone() });
            }
            if noted.end > range.end {
                rest.push(Use { start: range.end, ..noted.clone() });
            }
            noted.end = range.start;
            noted.start < noted.end
        });
        self.list.append(&mut rest);
    }

    /// Drops the notes of streams that are done, and merges the others to at most two per stream.
    fn tidy(&mut self) {
        let mut idle: Vec<(Stream, bool)> = Vec::new();
        for Conflict { stream, .. } in self.conflicts(None, &(0..usize::MAX), true) {
            // In this order. A stream with an error, or with a kernel that has panicked, must stay,
            // because whoever waits for the memory gets the error.
            let idle_now = !stream.is_entered() && stream.0.is_idle().unwrap_or(false);
            let done = idle_now && !stream.0.has_report();
            idle.push((stream, done));
        }
        // Every thread that reads what a panicked kernel has written gets its error.
        let is_told = |noted: &Use| {
            let stream = &noted.stream.0;
            noted.write && stream.has_told(noted.first..=stream.last_of(noted.first, noted.last))
        };
        self.list.retain(|noted| {
            let is_done = idle.iter().any(|(s, done)| *done && noted.stream.is(s));
            noted.stands() || !is_done || is_told(noted)
        });
        if self.list.len() <= TIDY_AT_LEAST {
            return;
        }
        let mut merged: Vec<Use> = Vec::new();
        for noted in self.list.drain(..) {
            let is_same = |other: &&mut Use| {
                let is_kind = other.write == noted.write && other.stream.is(&noted.stream);
                is_kind && !other.stands() && !noted.stands()
            };
            match merged.iter_mut().find(is_same) {
                Some(other) => {
                    other.start = other.start.min(noted.start);
                    other.end = other.end.max(noted.end);
                    other.first = other.first.min(noted.first);
                    other.last = other.last.max(noted.last);
                    other.functions = other.functions.max(noted.functions);
                    other.exact = false;
                }
                None => merged.push(noted),
            }
        }
        self.list = merged;
    }
}
