//! Memory pools, which are only bookkeeping here.

use super::code::Code;
use super::handle::Handle;
use crate::memory::PoolAccess;
use std::collections::HashMap;
use std::ffi::c_int;
use std::fs::File;
use std::sync::Arc;

/// A pool takes memory from the device in pieces of this size.
const PIECE: u64 = 32 << 20;
/// A memory pool.
pub(super) struct Pool {
    pub(super) device: usize,
    /// Who else may access its memory.
    pub(super) access: PoolAccess,
    /// The device's own, which stays.
    pub(super) default: bool,
    /// It disappears with its last allocation.
    pub(super) destroyed: bool,
    /// Other processes can have its memory.
    pub(super) is_shareable: bool,
    /// Its allocations can be exported: it was exported itself.
    pub(super) is_exported: bool,
    /// Where the memory of another process's pool is; nothing is allocated from it here.
    pub(super) imported: Option<Arc<File>>,
    /// The most bytes that may be allocated from it.
    pub(super) limit: Option<u64>,
    /// `CU_MEMPOOL_ATTR_REUSE_*`: stored only; memory is never reused.
    pub(super) reuse: [c_int; 3],
    /// Reserved bytes that a synchronisation keeps.
    pub(super) threshold: u64,
    pub(super) reserved: u64,
    pub(super) reserved_high: u64,
    pub(super) used: u64,
    pub(super) used_high: u64,
}

impl Pool {
    fn new(device: usize, default: bool) -> Pool {
        Pool {
            device,
            access: PoolAccess::default(),
            default,
            destroyed: false,
            is_shareable: false,
            is_exported: false,
            imported: None,
            limit: None,
            reuse: [1; 3],
            threshold: 0,
            reserved: 0,
            reserved_high: 0,
            used: 0,
            used_high: 0,
        }
    }

    /// An allocation was made from it.
    pub(super) fn take(&mut self, size: u64) {
        self.used += size;
        self.used_high = self.used_high.max(self.used);
        self.reserved = self.reserved.max(self.used.next_multiple_of(PIECE));
        self.reserved_high = self.reserved_high.max(self.reserved);
    }

    /// Releases reserved bytes down to `bytes`, or to what is used if that is more.
    pub(super) fn trim(&mut self, bytes: u64) {
        let bytes = bytes.checked_next_multiple_of(PIECE).unwrap_or(u64::MAX);
        self.reserved = self.reserved.min(bytes.max(self.used.next_multiple_of(PIECE)));
    }
}

/// The handle of a device's default pool: no other handle is so small.
pub(super) fn default_pool(device: usize) -> Handle {
    0x100 + device
}

/// All pools, and what was allocated from them.
pub(super) struct Pools {
    all: HashMap<Handle, Pool>,
    /// Memory of pools: its pool and size.
    allocated: HashMap<u64, (Handle, u64)>,
}

impl Pools {
    /// The default pools of this many devices.
    pub(super) fn new(devices: usize) -> Pools {
        let all = (0..devices).map(|device| (default_pool(device), Pool::new(device, true)));
        Pools { all: all.collect(), allocated: HashMap::new() }
    }

    /// Forgets the pools of a device and what was allocated from them.
    pub(super) fn reset(&mut self, device: usize) {
        let Pools { all, allocated } = self;
        all.retain(|_, pool| pool.device != device);
        all.insert(default_pool(device), Pool::new(device, true));
        allocated.retain(|_, (pool, _)| all.get(pool).is_some_and(|pool| pool.device != device));
    }

    /// A pool that was not destroyed.
    pub(super) fn get(&mut self, pool: Handle) -> Result<&mut Pool, Code> {
        let found = self.all.get_mut(&pool).filter(|pool| !pool.destroyed);
        found.ok_or(Code::INVALID_VALUE)
    }

    /// A new pool of a device, with a limit unless it is 0.
    pub(super) fn create(&mut self, pool: Handle, device: usize, limit: u64, is_shareable: bool) {
        let limit = (limit > 0).then_some(limit);
        self.all.insert(pool, Pool { limit, is_shareable, ..Pool::new(device, false) });
    }

    /// The pool of another process.
    pub(super) fn import(&mut self, pool: Handle, device: usize, file: Arc<File>) {
        self.all.insert(pool, Pool { imported: Some(file), ..Pool::new(device, false) });
    }

    /// Forgets a pool.
    pub(super) fn remove(&mut self, pool: Handle) {
        self.all.remove(&pool);
    }

    /// How many were made and not destroyed.
    pub(super) fn count(&self) -> usize {
        self.all.values().filter(|pool| !pool.default && !pool.destroyed).count()
    }

    /// Whether an allocation of a pool that was exported starts at an address.
    pub(super) fn is_exported(&self, address: u64) -> bool {
        let pool = self.allocated.get(&address).and_then(|(pool, _)| self.all.get(pool));
        pool.is_some_and(|pool| pool.is_exported)
    }

    /// Memory was allocated from a pool.
    pub(super) fn give(&mut self, pool: Handle, address: u64, size: u64) -> Result<(), Code> {
        self.get(pool)?.take(size);
        self.allocated.insert(address, (pool, size));
        Ok(())
    }

    /// Memory was freed: it no longer belongs to a pool.
    pub(super) fn give_back(&mut self, address: u64) {
        let Some((handle, size)) = self.allocated.remove(&address) else { return };
        let Some(pool) = self.all.get_mut(&handle) else { return };
        pool.used = pool.used.saturating_sub(size);
        if pool.destroyed && pool.used == 0 {
            self.all.remove(&handle);
        }
    }

    /// A synchronisation with a device: its pools give back what they need not keep.
    pub(super) fn release(&mut self, device: usize) {
        for pool in self.all.values_mut().filter(|pool| pool.device == device) {
            pool.trim(pool.threshold);
        }
    }
}
