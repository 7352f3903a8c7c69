//! The emulated device's memory: allocations at made-up addresses, and where each state space lies.
//!
//! No address is ever handed out twice and allocations lie far apart, so an access that misses its
//! allocation hits nothing, and one to freed memory is recognised.

mod device;
pub(crate) mod pages;
pub(crate) mod relaxed;
mod reserved;
#[cfg(target_arch = "x86_64")]
pub(crate) mod vectors;
pub(crate) mod wide;

pub(crate) use reserved::{Access, Run};

use pages::{Pages, Region};
use std::alloc::Layout;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Generic addresses of shared memory begin here.
pub(crate) const SHARED_WINDOW: u64 = 0x6000_0000_0000;
/// Generic addresses of local memory begin here.
pub(crate) const LOCAL_WINDOW: u64 = 0x6100_0000_0000;
/// Generic addresses of kernel parameters begin here.
pub(crate) const PARAM_WINDOW: u64 = 0x6200_0000_0000;
/// Addresses of functions begin here.
pub(crate) const CODE_WINDOW: u64 = 0x6300_0000_0000;
/// Size of each of these windows.
pub(crate) const WINDOW_SIZE: u64 = 1 << 32;
/// Addresses of device memory begin here.
const DEVICE_WINDOW: u64 = 0x7000_0000_0000;
/// Unused addresses between allocations.
const GAP: u64 = 1 << 20;
/// Alignment of allocations, that of `cuMemAlloc`.
const ALIGNMENT: u64 = 512;
/// The most bytes that one instruction reads or writes.
const MAX_ACCESS: usize = 16;
/// The bytes of a word: an allocation's last one exists as a whole, see [`Memory::word`].
pub(crate) const WORD: u64 = 4;
/// Alignment of what `malloc` returns (CUDA Programming Guide, "Dynamic Global Memory Allocation").
const HEAP_ALIGNMENT: u64 = 16;
/// The content of uninitialised shared and local memory and of what `malloc` returns, where a GPU's content
/// is undefined. A NaN for floats of 16, 32 and 64 bits, a large number for other types.
pub(crate) const UNWRITTEN: u64 = 0xfffa_fffa_fffa_fffa;
/// Freed allocations that are remembered for reports.
const REMEMBERED: usize = 1 << 14;
/// Size of the emulated device's memory.
pub(crate) const TOTAL: u64 = 16 << 30;

/// What an allocation is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// From `cuMemAlloc`.
    Device,
    /// From a pool, which says which other devices have access.
    Pooled(PoolAccess),
    /// A CUDA array, whose texels kernels reach by textures and surfaces.
    Array,
    /// From `cuMemAllocManaged`: at the host's own addresses, for all devices.
    Managed,
    /// Mapped into a range of reserved addresses: which devices may access it.
    Mapped(Access),
    /// From another process or another library.
    Imported,
    /// From another process, by a handle of its `cuIpcGetMemHandle`.
    Opened,
    /// Host memory that kernels may access.
    Host,
    /// From `malloc` in a kernel.
    Heap,
    /// A `.global` variable.
    Variable(String),
    /// A `.const` variable.
    Constant(String),
}

/// Which other devices may access the memory of a pool, as bits. All of its memory shares it.
#[derive(Clone, Debug, Default)]
pub(crate) struct PoolAccess(Arc<AtomicU64>);

impl PoolAccess {
    pub(crate) fn allows(&self, device: usize) -> bool {
        self.0.load(Ordering::Relaxed) >> device & 1 == 1
    }

    pub(crate) fn set(&self, device: usize, allowed: bool) {
        match allowed {
            true => self.0.fetch_or(1 << device, Ordering::Relaxed),
            false => self.0.fetch_and(!(1 << device), Ordering::Relaxed),
        };
    }
}

/// Whether both are of one pool.
impl PartialEq for PoolAccess {
    fn eq(&self, other: &PoolAccess) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for PoolAccess {}

/// Memory that exists.
pub(crate) struct Allocation {
    pub(crate) base: u64,
    pub(crate) size: u64,
    pub(crate) kind: Kind,
    /// Where its bytes are.
    data: *mut u8,
    owner: Owner,
}

/// Who has an allocation's bytes.
enum Owner {
    /// The allocation: from the host's allocator.
    Heap(Layout),
    /// The allocation: pages, which other processes may map, too.
    Pages(Pages, #[allow(dead_code)] Region),
    /// Another one.
    Other,
}

// SAFETY: the bytes are owned by the allocation (or by a host allocation that outlives it) and are
// only reached through raw pointers.
unsafe impl Send for Allocation {}
// SAFETY: as above.
unsafe impl Sync for Allocation {}

impl Drop for Allocation {
    fn drop(&mut self) {
        if let Owner::Heap(layout) = self.owner {
            // SAFETY: `data` came from `alloc_zeroed` with this layout, in `Memory::allocate`.
            unsafe { std::alloc::dealloc(self.data, layout) };
        }
    }
}

/// Bytes at consecutive addresses, as the interpreter sees them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) base: u64,
    pub(crate) size: u64,
    pub(crate) data: *mut u8,
    pub(crate) writable: bool,
    /// No other host thread writes the bytes: they need no atomic accesses.
    pub(crate) private: bool,
}

impl Span {
    /// No address at all.
    pub(crate) const EMPTY: Span =
        Span { base: 0, size: 0, data: std::ptr::null_mut(), writable: false, private: true };

    /// Whether `size` bytes from `address` lie in it.
    pub(crate) fn holds(&self, address: u64, size: u64) -> bool {
        let offset = address.wrapping_sub(self.base);
        offset < self.size && size <= self.size - offset
    }
}

/// An allocation that was freed.
#[derive(Clone, Debug)]
struct Freed {
    size: u64,
    kind: Kind,
}

/// All allocations.
pub(crate) struct Table {
    live: BTreeMap<u64, Allocation>,
    freed: BTreeMap<u64, Freed>,
    /// Freed while kernels run: kept until none does, since blocks may still look at the bytes.
    doomed: Vec<Allocation>,
    /// Launches that run, see [`Memory::hold`].
    holds: u32,
    next: u64,
    used: u64,
    /// The same for the heap alone, as [`heap_bytes`] counts.
    heap_used: u64,
    /// Ranges of reserved addresses, for reports: where they begin and end.
    reserved: BTreeMap<u64, u64>,
}

/// Whether an allocation's bytes are the device's.
fn is_counted(kind: &Kind, owner: &Owner) -> bool {
    !matches!(owner, Owner::Other) && !matches!(kind, Kind::Imported | Kind::Opened)
}

/// What an allocation takes from the heap: whole units, and one before them for the allocator.
fn heap_bytes(size: u64) -> u64 {
    size.div_ceil(HEAP_ALIGNMENT).saturating_add(1).saturating_mul(HEAP_ALIGNMENT)
}

impl Table {
    /// The allocation that holds an address.
    pub(crate) fn find(&self, address: u64) -> Option<&Allocation> {
        let (_, allocation) = self.live.range(..=address).next_back()?;
        (address - allocation.base < allocation.size.max(1)).then_some(allocation)
    }

    /// The allocation that begins at an address.
    pub(crate) fn at(&self, base: u64) -> Option<&Allocation> {
        self.live.get(&base)
    }

    /// Where allocations of `cuMemAlloc`, managed memory, arrays, allocations of kernels, and memory of others begin.
    pub(crate) fn device_allocations(&self) -> Vec<u64> {
        let owned = |kind: &Kind| {
            let not_ours = matches!(kind, Kind::Host | Kind::Mapped(_));
            !not_ours && !matches!(kind, Kind::Variable(_) | Kind::Constant(_))
        };
        self.live.values().filter(|a| owned(&a.kind)).map(|a| a.base).collect()
    }

    /// Bytes in use.
    pub(crate) fn used(&self) -> u64 {
        self.used
    }

    /// So many addresses that were never given out, at a multiple of `alignment`.
    fn addresses(&mut self, size: u64, alignment: u64) -> u64 {
        let base = self.next.next_multiple_of(alignment);
        self.next = (base + size + GAP).next_multiple_of(ALIGNMENT);
        base
    }

    fn insert(&mut self, size: u64, kind: Kind, data: *mut u8, owner: Owner) -> u64 {
        // `malloc` promises no more than its own alignment: nothing may rely on more.
        let shift = if kind == Kind::Heap { HEAP_ALIGNMENT } else { 0 };
        let base = self.addresses(size + shift, ALIGNMENT) + shift;
        if is_counted(&kind, &owner) {
            self.used += size;
        }
        if kind == Kind::Heap {
            self.heap_used += heap_bytes(size);
        }
        self.live.insert(base, Allocation { base, size, kind, data, owner });
        base
    }

    fn remove(&mut self, base: u64) -> Option<Allocation> {
        let allocation = self.live.remove(&base)?;
        if is_counted(&allocation.kind, &allocation.owner) {
            self.used -= allocation.size;
        }
        if allocation.kind == Kind::Heap {
            self.heap_used -= heap_bytes(allocation.size);
        }
        if self.freed.len() >= REMEMBERED {
            self.freed.pop_first();
        }
        let (size, kind) = (allocation.size, allocation.kind.clone());
        self.freed.insert(base, Freed { size, kind });
        Some(allocation)
    }
}

/// The memory of the device.
pub(crate) struct Memory {
    table: RwLock<Table>,
}

impl Memory {
    pub(crate) const fn new() -> Self {
        Memory {
            table: RwLock::new(Table {
                live: BTreeMap::new(),
                freed: BTreeMap::new(),
                doomed: Vec::new(),
                holds: 0,
                next: DEVICE_WINDOW,
                used: 0,
                heap_used: 0,
                reserved: BTreeMap::new(),
            }),
        }
    }

    pub(crate) fn read(&self) -> RwLockReadGuard<'_, Table> {
        self.table.read().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn write(&self) -> RwLockWriteGuard<'_, Table> {
        self.table.write().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Allocates zeroed memory; `None` if there is not enough left.
    pub(crate) fn allocate(&self, size: u64, kind: Kind) -> Option<u64> {
        Self::allocate_in(&mut self.write(), size, kind)
    }

    /// Allocates for a kernel; `None` if the heap of `limit` bytes does not have enough left.
    pub(crate) fn allocate_on_heap(&self, size: u64, limit: u64) -> Option<u64> {
        let mut table = self.write();
        let fits = heap_bytes(size) <= limit.saturating_sub(table.heap_used);
        let base = fits.then(|| Self::allocate_in(&mut table, size, Kind::Heap)).flatten()?;
        if let Some(allocation) = table.at(base) {
            let count = allocation.size as usize / 8;
            // SAFETY: an allocation has as many bytes as its size says, aligned for words.
            unsafe { relaxed::fill(allocation.data, UNWRITTEN, count) };
        }
        Some(base)
    }

    fn allocate_in(table: &mut Table, size: u64, kind: Kind) -> Option<u64> {
        if size > TOTAL - table.used.min(TOTAL) {
            return None;
        }
        // The alignment is that of the largest access. A larger one would make the host's allocator
        // write the zeroes, where the operating system gives pages of them when they are needed.
        let bytes = size.max(1).next_multiple_of(WORD) as usize;
        let layout = Layout::from_size_align(bytes, MAX_ACCESS).ok()?;
        // SAFETY: the layout's size is not zero.
        let data = unsafe { std::alloc::alloc_zeroed(layout) };
        if data.is_null() {
            return None;
        }
        Some(table.insert(size, kind, data, Owner::Heap(layout)))
    }

    /// Gives host memory an address on the device. It must outlive the entry, and consist of whole words.
    pub(crate) fn map_host(&self, data: *mut u8, size: u64) -> u64 {
        self.write().insert(size, Kind::Host, data, Owner::Other)
    }

    /// Makes memory of the host accessible at its own address. It must outlive the entry, and consist of whole words.
    pub(crate) fn map_managed(&self, data: *mut u8, size: u64) -> u64 {
        let base = data.expose_provenance() as u64;
        let owner = Owner::Other;
        let allocation = Allocation { base, size, kind: Kind::Managed, data, owner };
        self.write().live.insert(base, allocation);
        base
    }

    /// Frees the allocation that begins at `base`; `false` if there is none.
    pub(crate) fn free(&self, base: u64) -> bool {
        let mut table = self.write();
        let gone = table.remove(base);
        let found = gone.is_some();
        if table.holds > 0 {
            table.doomed.extend(gone);
        }
        found
    }

    /// Frees heap memory while kernels run.
    pub(crate) fn free_from_kernel(&self, base: u64) -> bool {
        let mut table = self.write();
        if table.at(base).is_none_or(|allocation| allocation.kind != Kind::Heap) {
            return false;
        }
        let gone = table.remove(base);
        table.doomed.extend(gone);
        true
    }

    /// The bytes around an address, if `size` bytes from there exist.
    pub(crate) fn span(&self, address: u64, size: u64) -> Option<Span> {
        self.span_for(None, address, size)
    }

    /// The same for a kernel of device number `device`, if it may access them; the memory is its own, or reserved
    /// addresses.
    pub(crate) fn span_for(&self, device: Option<usize>, address: u64, size: u64) -> Option<Span> {
        let table = self.read();
        let found = table.find(address)?;
        let writable = match (&found.kind, device) {
            (Kind::Mapped(access), Some(device)) if !access.may_read(device) => return None,
            (Kind::Mapped(access), Some(device)) => access.may_write(device),
            (kind, _) => !matches!(kind, Kind::Constant(_)),
        };
        let span =
            Span { base: found.base, size: found.size, data: found.data, writable, private: false };
        span.holds(address, size).then_some(span)
    }

    /// [`Memory::span`] for a kernel of another device, whose context has access to this one's if `enabled`.
    pub(crate) fn peer_span(
        &self,
        device: usize,
        enabled: bool,
        address: u64,
        size: u64,
    ) -> Option<Span> {
        let reached = match &self.read().find(address)?.kind {
            Kind::Mapped(_) => return self.span_for(Some(device), address, size),
            Kind::Device | Kind::Variable(_) | Kind::Imported | Kind::Opened => enabled,
            Kind::Managed => true,
            Kind::Pooled(access) => access.allows(device),
            Kind::Array | Kind::Host | Kind::Heap | Kind::Constant(_) => false,
        };
        self.span(address, size).filter(|_| reached)
    }

    /// A pointer to `size` bytes at an address, for the host's copies. Any pointer when `size` is 0.
    pub(crate) fn host_pointer(&self, address: u64, size: u64) -> Option<*mut u8> {
        if size == 0 {
            return Some(std::ptr::NonNull::dangling().as_ptr());
        }
        let span = self.span(address, size)?;
        Some(span.data.wrapping_add((address - span.base) as usize))
    }

    /// What lies at or near an address, in words.
    pub(crate) fn describe(&self, address: u64, size: u64) -> String {
        let table = self.read();
        if address < 1 << 16 {
            return "the address is null, or next to it".to_owned();
        }
        let before = table.live.range(..=address).next_back().map(|(_, a)| a);
        let after = table.live.range(address..).next().map(|(_, a)| a);
        let freed = table.freed.range(..=address).next_back();
        if let Some((base, gone)) = freed
            && address - base < gone.size
        {
            let what = name(&gone.kind, gone.size);
            return format!("{} bytes into {what} at {base:#x} that was freed", address - base);
        }
        if let Some(a) = before
            && address - a.base < a.size
        {
            let what = name(&a.kind, a.size);
            let into = address - a.base;
            if size > a.size - into {
                let left = a.size - into;
                return format!("it begins {left} bytes before the end of {what} at {:#x}", a.base);
            }
            return format!("{into} bytes into {what} at {:#x}", a.base);
        }
        if crate::host::has(address) {
            return crate::host::EXPLANATION.to_owned();
        }
        let reserved = table.reserved.range(..=address).next_back();
        if let Some((&base, &end)) = reserved.filter(|&(_, &end)| address < end) {
            let (into, bytes) = (address - base, end - base);
            return format!(
                "{into} bytes into {bytes} reserved bytes at {base:#x}, where no memory is mapped"
            );
        }
        let past = before.map(|a| (address - (a.base + a.size), a));
        let short = after.map(|a| (a.base - address, a));
        match (past, short) {
            (Some((distance, a)), short) if short.is_none_or(|(other, _)| distance <= other) => {
                let what = name(&a.kind, a.size);
                format!("{distance} bytes past the end of {what} at {:#x}", a.base)
            }
            (_, Some((distance, a))) => {
                let what = name(&a.kind, a.size);
                format!("{distance} bytes before {what} at {:#x}", a.base)
            }
            _ => "no memory is allocated".to_owned(),
        }
    }
}

fn name(kind: &Kind, size: u64) -> String {
    match kind {
        Kind::Device | Kind::Pooled(_) => format!("an allocation of {size} bytes"),
        Kind::Managed => format!("managed memory of {size} bytes"),
        Kind::Mapped(_) => format!("mapped memory of {size} bytes"),
        Kind::Imported | Kind::Opened => format!("memory of others of {size} bytes"),
        Kind::Array => format!("an array of {size} bytes"),
        Kind::Host => format!("mapped host memory of {size} bytes"),
        Kind::Heap => format!("heap memory of {size} bytes"),
        Kind::Variable(name) => format!("variable `{name}` of {size} bytes"),
        Kind::Constant(name) => format!("constant `{name}` of {size} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_never_used_twice() {
        let memory = Memory::new();
        let first = memory.allocate(100, Kind::Device).unwrap();
        assert!(memory.free(first));
        assert!(!memory.free(first));
        let second = memory.allocate(100, Kind::Device).unwrap();
        assert_ne!(first, second);
        assert!(memory.span(first, 1).is_none());
        assert!(memory.span(second + 99, 1).is_some());
        assert!(memory.span(second + 99, 2).is_none());
        assert_eq!(memory.read().used(), 100);
    }

    #[test]
    fn descriptions_name_the_nearest_allocation() {
        let memory = Memory::new();
        let base = memory.allocate(64, Kind::Device).unwrap();
        let at = format!("an allocation of 64 bytes at {base:#x}");
        assert_eq!(memory.describe(base + 64, 4), format!("0 bytes past the end of {at}"));
        assert_eq!(memory.describe(base - 8, 4), format!("8 bytes before {at}"));
        assert_eq!(
            memory.describe(base + 62, 4),
            format!("it begins 2 bytes before the end of {at}")
        );
        memory.free(base);
        assert_eq!(memory.describe(base + 4, 4), format!("4 bytes into {at} that was freed"));
        assert_eq!(memory.describe(0, 4), "the address is null, or next to it");
    }

    #[test]
    fn more_than_the_device_has_is_refused() {
        let memory = Memory::new();
        assert!(memory.allocate(TOTAL + 1, Kind::Device).is_none());
    }
}
