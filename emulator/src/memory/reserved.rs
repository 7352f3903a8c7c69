//! Ranges of reserved addresses, into which memory is mapped, and memory of pages.

use super::pages::{Pages, Region};
use super::{Allocation, Kind, Memory, Owner, TOTAL};

/// Which devices may access memory, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Access {
    pub(crate) reads: u64,
    pub(crate) writes: u64,
}

impl Access {
    pub(crate) fn may_read(self, device: usize) -> bool {
        self.reads >> device & 1 == 1
    }

    pub(crate) fn may_write(self, device: usize) -> bool {
        self.writes >> device & 1 == 1
    }
}

/// Memory that lies side by side at reserved addresses, and who may access it.
pub(crate) struct Run {
    /// Bytes from the beginning of the range.
    pub(crate) offset: u64,
    pub(crate) size: u64,
    pub(crate) access: Access,
}

impl Memory {
    /// Reserves addresses.
    pub(crate) fn reserve(&self, size: u64, alignment: u64) -> u64 {
        let mut table = self.write();
        let base = table.addresses(size, alignment);
        table.reserved.insert(base, base + size);
        base
    }

    /// Says what of a reserved range is mapped now. `region` has the range's bytes, and outlives every use.
    pub(crate) fn set_runs(&self, base: u64, region: &Region, runs: &[Run]) {
        let mut table = self.write();
        let Some(&end) = table.reserved.get(&base) else { return };
        let old: Vec<u64> = table.live.range(base..end).map(|(&start, _)| start).collect();
        for start in old {
            table.live.remove(&start);
        }
        for run in runs {
            let (start, kind) = (base + run.offset, Kind::Mapped(run.access));
            let data = region.data.wrapping_add(run.offset as usize);
            let (size, owner) = (run.size, Owner::Other);
            table.live.insert(start, Allocation { base: start, size, kind, data, owner });
        }
    }

    /// Gives reserved addresses back, where nothing is mapped.
    pub(crate) fn release(&self, base: u64) {
        self.write().reserved.remove(&base);
    }

    /// Takes memory of the device for pages; whether there was enough.
    pub(crate) fn take(&self, size: u64) -> bool {
        let mut table = self.write();
        let fits = size <= TOTAL - table.used.min(TOTAL);
        if fits {
            table.used += size;
        }
        fits
    }

    /// Gives back what [`Memory::take`] took.
    pub(crate) fn give_back(&self, size: u64) {
        self.write().used -= size;
    }

    /// Allocates zeroed memory in pages, which other processes can map; `None` if there is not enough left.
    pub(crate) fn allocate_pages(&self, size: u64, kind: Kind) -> Option<u64> {
        // Before the pages are taken: the host may have less than the device should.
        if size > TOTAL - self.read().used().min(TOTAL) {
            return None;
        }
        self.add_pages(Pages::new(size.max(1))?, size, kind)
    }

    /// Gives pages an address on the device.
    pub(crate) fn add_pages(&self, pages: Pages, size: u64, kind: Kind) -> Option<u64> {
        let region = Region::of(&pages)?;
        let data = region.data;
        Some(self.write().insert(size, kind, data, Owner::Pages(pages, region)))
    }

    /// The pages of an allocation from [`Memory::allocate_pages`] that holds an address: their file's number in this
    /// process, the place there, and the allocation's size.
    pub(crate) fn pages_at(&self, address: u64) -> Option<(i32, u64, u64)> {
        use std::os::fd::AsRawFd;
        let table = self.read();
        let found = table.find(address)?;
        match &found.owner {
            Owner::Pages(pages, _) => Some((pages.file().as_raw_fd(), pages.offset, found.size)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::pages::PAGE;

    #[test]
    fn who_may_access_what_is_mapped() {
        let memory = Memory::of_device(0);
        let base = memory.reserve(8 * PAGE, PAGE);
        assert!(base.is_multiple_of(PAGE) && memory.span(base, 1).is_none());
        let text = memory.describe(base + 5, 4);
        assert_eq!(
            text,
            format!("5 bytes into 32768 reserved bytes at {base:#x}, where no memory is mapped")
        );
        let region = Region::reserve(8 * PAGE).unwrap();
        let access = Access { reads: 0b110, writes: 0b100 };
        memory.set_runs(base, &region, &[Run { offset: PAGE, size: 2 * PAGE, access }]);
        assert!(memory.span(base + PAGE - 1, 1).is_none());
        assert!(memory.span(base + PAGE, 2 * PAGE).is_some());
        assert!(memory.span(base + PAGE, 2 * PAGE + 1).is_none());
        let writable = |device| memory.span_for(Some(device), base + PAGE, 4).map(|s| s.writable);
        assert_eq!([0, 1, 2].map(writable), [None, Some(false), Some(true)]);
        memory.set_runs(base, &region, &[]);
        assert!(memory.span(base + PAGE, 1).is_none());
    }

    #[test]
    fn memory_in_pages_is_counted() {
        let memory = Memory::of_device(1);
        let address = memory.allocate_pages(100, Kind::Device).unwrap();
        assert_eq!(memory.read().used(), 100);
        assert!(memory.span(address + 99, 1).is_some() && memory.span(address + 99, 2).is_none());
        assert!(memory.free(address));
        assert_eq!(memory.read().used(), 0);
        assert!(memory.take(TOTAL) && !memory.take(1));
        memory.give_back(TOTAL);
        assert!(memory.allocate_pages(TOTAL + 1, Kind::Device).is_none());
    }
}
