//! Ranges of reserved addresses, and what is mapped there: what the driver keeps of it.

use super::code::Code;
use super::handle::Handle;
use crate::memory::pages::{Pages, Region};
use crate::memory::{Access, Memory, Run};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// All of it.
#[derive(Default)]
pub(super) struct VirtualMemory {
    pub(super) ranges: BTreeMap<u64, Reserved>,
    pub(super) memories: HashMap<Handle, Physical>,
    pub(super) reserved: u64,
    /// Addresses that were given back while kernels ran, which may still use what was there.
    pub(super) old_regions: Vec<Region>,
}

/// A range of reserved addresses.
pub(super) struct Reserved {
    pub(super) size: u64,
    pub(super) region: Region,
    /// By their offset.
    pub(super) mappings: BTreeMap<u64, Mapping>,
}

/// Memory in such a range.
pub(super) struct Mapping {
    pub(super) size: u64,
    pub(super) memory: Handle,
    pub(super) access: Access,
}

/// Memory from `cuMemCreate`.
pub(super) struct Physical {
    pub(super) device: usize,
    pub(super) pages: Pages,
    pub(super) size: u64,
    /// How often `cuMemRelease` is still to be called.
    pub(super) owners: u32,
    /// Other processes can have it: its pages have a file of their own.
    pub(super) is_shareable: bool,
    pub(super) mappings: u32,
    /// It is for sparse arrays only: which of its tiles are mapped, by their offset, and what the others hold that were.
    pub(super) tiles: Option<HashMap<u64, TileState>>,
}

/// A tile of such memory.
pub(super) enum TileState {
    Mapped,
    Holds(Vec<u8>),
}

impl VirtualMemory {
    /// Ranges of addresses, and memories.
    pub(super) fn count(&self) -> usize {
        self.ranges.len() + self.memories.len()
    }

    /// Forgets old addresses, once no kernel runs.
    pub(super) fn clean_up(&mut self) {
        self.old_regions.clear();
    }

    /// Whether [`VirtualMemory::clean_up`] has anything to do.
    pub(super) fn has_old(&self) -> bool {
        !self.old_regions.is_empty()
    }

    /// The range that holds all these bytes: where it begins, and which bytes of it they are.
    pub(super) fn find(
        &mut self,
        address: u64,
        size: u64,
    ) -> Result<(u64, &mut Reserved, Range<u64>), Code> {
        let (&base, range) =
            self.ranges.range_mut(..=address).next_back().ok_or(Code::INVALID_VALUE)?;
        let start = address - base;
        let end = start.checked_add(size).filter(|&end| size > 0 && end <= range.size);
        Ok((base, range, start..end.ok_or(Code::INVALID_VALUE)?))
    }

    /// Memory that nobody has any more.
    pub(super) fn take_unused(&mut self, handle: Handle) -> Option<Physical> {
        let memory = self.memories.get(&handle)?;
        let is_unused = memory.owners == 0 && memory.mappings == 0;
        if is_unused { self.memories.remove(&handle) } else { None }
    }
}

impl Reserved {
    /// The offsets of the mappings that are exactly these bytes.
    pub(super) fn exactly(&self, bytes: Range<u64>) -> Result<Vec<u64>, Code> {
        let mut end = bytes.start;
        let mut offsets = Vec::new();
        for (&offset, mapping) in self.mappings.range(bytes.clone()) {
            if offset != end {
                return Err(Code::INVALID_VALUE);
            }
            end += mapping.size;
            offsets.push(offset);
        }
        if end == bytes.end { Ok(offsets) } else { Err(Code::INVALID_VALUE) }
    }

    /// Tells the table of addresses what is accessible now.
    pub(super) fn publish(&self, base: u64, addresses: &Memory) {
        let mut runs: Vec<Run> = Vec::new();
        for (&offset, &Mapping { size, access, .. }) in &self.mappings {
            match runs.last_mut() {
                _ if access == Access::default() => {}
                Some(last) if last.offset + last.size == offset && last.access == access => {
                    last.size += size;
                }
                _ => runs.push(Run { offset, size, access }),
            }
        }
        addresses.set_runs(base, &self.region, &runs);
    }
}
