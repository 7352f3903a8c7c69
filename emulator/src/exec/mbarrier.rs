//! The mbarrier object: a barrier that lives in 8 bytes of shared memory (PTX ISA,
//! "Parallel Synchronization and Communication Instructions: mbarrier").
//!
//! What its bytes mean is nobody's business but the device's. Here, from bit 0 on: 20 bits of pending arrivals,
//! 20 bits of expected ones, 21 bits of the transaction count, the phase's parity, and [`TAG`], which memory
//! that is zero or was never written does not have.

use super::block::BlockState;
use super::fault::FaultKind;
use crate::ptx::types::Space;

/// The largest number of arrivals, and the largest transaction count.
pub(crate) const MAX_COUNT: u32 = (1 << 20) - 1;
/// Bytes of the object, and its alignment.
const SIZE: u64 = 8;
/// The two highest bits of an object that was initialised.
const TAG: u64 = 0b01;

/// An mbarrier object, or the state that an arrival returns, which is the object from before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mbarrier {
    /// Arrivals that the current phase still waits for.
    pub(crate) pending: u32,
    /// Arrivals of each phase.
    expected: u32,
    /// Transactions that the current phase still waits for; negative if they came before they were expected.
    transactions: i32,
    /// 0 for the first phase, 1 for the second, 0 for the third ..
    pub(crate) parity: u32,
}

/// A misuse of an mbarrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Misuse {
    /// The bytes are no mbarrier.
    Uninitialised,
    /// A count of arrivals, or of transactions, that does not exist.
    Count(u32),
    /// More arrivals than the phase waits for.
    Arrivals { count: u32, pending: u32 },
    /// The transaction count leaves its range.
    Transactions(i64),
    /// `.noComplete` of an arrival that completes the phase.
    Completes,
    /// A state that no arrival returned.
    State(u64),
    /// It is another block's, and the instruction is for the block's own.
    Foreign,
    /// A copy to another block than the mbarrier's.
    Elsewhere,
}

impl Misuse {
    pub(crate) fn at(self, address: u64) -> FaultKind {
        FaultKind::Mbarrier { address, misuse: self }
    }

    /// What happened, after "the mbarrier at ..".
    pub(crate) fn describe(self) -> String {
        match self {
            Misuse::Uninitialised => {
                "is used, but was not initialised by `mbarrier.init`, or was invalidated \
                 or overwritten since"
                    .to_owned()
            }
            Misuse::Count(count) => {
                format!("gets the count {count}, which must be 1 to {MAX_COUNT}")
            }
            Misuse::Arrivals { count, pending } => format!(
                "gets {count} arrivals, but its phase waits for {pending} only: more threads arrive than its \
                 count says"
            ),
            Misuse::Transactions(count) => format!(
                "has a transaction count of {count}, which must be -{MAX_COUNT} to {MAX_COUNT}"
            ),
            Misuse::Completes => {
                "gets an arrival with `.noComplete` that completes its phase".to_owned()
            }
            Misuse::State(state) => {
                format!("is asked about the state {state:#x}, which no arrival returned")
            }
            Misuse::Foreign => {
                "belongs to another block: only that block's threads may initialise, invalidate or wait for it"
                    .to_owned()
            }
            Misuse::Elsewhere => {
                "is not in the block whose shared memory the copy writes".to_owned()
            }
        }
    }
}

impl Mbarrier {
    /// A new object, in its first phase.
    pub(crate) fn new(count: u32) -> Result<Mbarrier, Misuse> {
        check(count)?;
        Ok(Mbarrier { pending: count, expected: count, transactions: 0, parity: 0 })
    }

    /// The object in a word of memory.
    pub(crate) fn of(word: u64) -> Option<Mbarrier> {
        let count = |shift: u32| (word >> shift) as u32 & MAX_COUNT;
        (word >> 62 == TAG).then(|| Mbarrier {
            pending: count(0),
            expected: count(20),
            // The highest bits of the 21 become the sign.
            transactions: ((word >> 40) as i32) << 11 >> 11,
            parity: (word >> 61) as u32 & 1,
        })
    }

    pub(crate) fn word(self) -> u64 {
        let transactions = u64::from(self.transactions as u32 & 0x1f_ffff);
        u64::from(self.pending)
            | u64::from(self.expected) << 20
            | transactions << 40
            | u64::from(self.parity) << 61
            | TAG << 62
    }

    /// `expect-tx`
    pub(crate) fn expect(&mut self, transactions: u32) -> Result<(), Misuse> {
        self.transact(i64::from(transactions))
    }

    /// `complete-tx`
    pub(crate) fn complete(&mut self, transactions: u32) -> Result<(), Misuse> {
        self.transact(-i64::from(transactions))?;
        self.settle();
        Ok(())
    }

    fn transact(&mut self, change: i64) -> Result<(), Misuse> {
        let count = i64::from(self.transactions) + change;
        if count.unsigned_abs() > u64::from(MAX_COUNT) {
            return Err(Misuse::Transactions(count));
        }
        self.transactions = count as i32;
        Ok(())
    }

    /// `arrive-on`
    pub(crate) fn arrive(&mut self, count: u32) -> Result<(), Misuse> {
        check(count)?;
        if count > self.pending {
            return Err(Misuse::Arrivals { count, pending: self.pending });
        }
        self.pending -= count;
        self.settle();
        Ok(())
    }

    /// `arrive-on` of threads that don't take part in later phases.
    pub(crate) fn arrive_and_drop(&mut self, count: u32) -> Result<(), Misuse> {
        check(count)?;
        let pending = self.pending;
        let rest = self.expected.checked_sub(count);
        self.expected = rest.ok_or(Misuse::Arrivals { count, pending })?;
        self.arrive(count)
    }

    /// An arrival more that the current phase waits for, and no later one.
    pub(crate) fn await_one_more(&mut self) -> Result<(), Misuse> {
        self.pending += 1;
        check(self.pending)
    }

    /// Completes the phase if nothing is missing.
    fn settle(&mut self) {
        if self.pending == 0 && self.transactions == 0 {
            self.parity ^= 1;
            self.pending = self.expected;
        }
    }
}

fn check(count: u32) -> Result<(), Misuse> {
    if (1..=MAX_COUNT).contains(&count) { Ok(()) } else { Err(Misuse::Count(count)) }
}

impl BlockState {
    /// The 8 bytes of the cluster's shared memory at a generic address.
    fn word(&mut self, address: u64) -> Result<*mut u64, FaultKind> {
        let size = SIZE as u32;
        let (space, write) = (Space::Shared, true);
        if !address.is_multiple_of(SIZE) {
            return Err(FaultKind::Misaligned { address, size, space, write });
        }
        let outside = FaultKind::Access { address, size, space, write };
        let Some((block, own)) = self.home(address) else { return Err(outside) };
        let span = block.shared();
        if !span.holds(own, SIZE) {
            return Err(outside);
        }
        Ok(span.data.wrapping_add((own - span.base) as usize).cast())
    }

    /// The mbarrier at an address of the cluster's shared memory.
    pub(crate) fn mbarrier(&mut self, address: u64) -> Result<Mbarrier, FaultKind> {
        let word = self.word(address)?;
        // SAFETY: eight aligned bytes of a block's memory, which only this thread accesses.
        Mbarrier::of(unsafe { word.read() }).ok_or_else(|| Misuse::Uninitialised.at(address))
    }

    /// Writes the bytes of an mbarrier.
    pub(crate) fn set_mbarrier(&mut self, address: u64, bits: u64) -> Result<(), FaultKind> {
        let word = self.word(address)?;
        // SAFETY: as above.
        unsafe { word.write(bits) };
        Ok(())
    }

    /// Changes the mbarrier at an address; returns it as it was before.
    pub(crate) fn change_mbarrier(
        &mut self,
        address: u64,
        change: impl FnOnce(&mut Mbarrier) -> Result<(), Misuse>,
    ) -> Result<Mbarrier, FaultKind> {
        let before = self.mbarrier(address)?;
        let mut object = before;
        change(&mut object).map_err(|misuse| misuse.at(address))?;
        if let Some((block, _)) = self.home(address) {
            block.timeouts = 0;
        }
        self.set_mbarrier(address, object.word())?;
        Ok(before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_survives_in_the_word() {
        for transactions in [0, 1, -1, MAX_COUNT as i32, -(MAX_COUNT as i32)] {
            for (pending, expected, parity) in [(1, 1, 0), (0, MAX_COUNT, 1), (77, 1 << 19, 0)] {
                let object = Mbarrier { pending, expected, transactions, parity };
                assert_eq!(Mbarrier::of(object.word()), Some(object));
            }
        }
        assert_eq!(Mbarrier::of(0), None);
        assert_eq!(Mbarrier::of(crate::memory::UNWRITTEN), None);
    }

    #[test]
    fn a_phase_needs_all_arrivals_and_transactions() {
        let mut object = Mbarrier::new(3).unwrap();
        object.arrive(2).unwrap();
        object.complete(64).unwrap();
        object.expect(96).unwrap();
        object.arrive(1).unwrap();
        assert_eq!((object.parity, object.pending), (0, 0));
        object.complete(32).unwrap();
        assert_eq!((object.parity, object.pending), (1, 3));
        object.arrive_and_drop(2).unwrap();
        object.arrive(1).unwrap();
        assert_eq!((object.parity, object.pending), (0, 1));
    }

    #[test]
    fn misuse_is_refused() {
        assert_eq!(Mbarrier::new(0), Err(Misuse::Count(0)));
        assert_eq!(Mbarrier::new(1 << 20), Err(Misuse::Count(1 << 20)));
        let mut object = Mbarrier::new(2).unwrap();
        assert_eq!(object.arrive(3), Err(Misuse::Arrivals { count: 3, pending: 2 }));
        assert_eq!(object.arrive(0), Err(Misuse::Count(0)));
        object.expect(MAX_COUNT).unwrap();
        assert_eq!(object.expect(1), Err(Misuse::Transactions(1 << 20)));
    }
}
