//! Pools of tiles, and which tiles an array has.

use super::uses::ArrayUses;
use crate::context::{Context, after_host_function};
use crate::device_api::Device;
use crate::driver::types::*;
use crate::error::{Error, Result};
use crate::memory::allocate_apart;
use crate::memory::tracker::Tracker;
use crate::runtime::current;
use core::fmt;
use core::ops::Range;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Bytes of a tile.
pub(super) const TILE: usize = 64 << 10;

/// Memory for arrays that get theirs later: tiles of 64 KiB
/// ([`cuMemCreate`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__VA.html) with
/// `CU_MEM_CREATE_USAGE_TILE_POOL`).
///
/// An array that is dropped gives its tiles back. A clone is the same pool. The memory is freed when the pool and all
/// arrays that have tiles of it have been dropped.
///
/// ```
/// use ptyx::{CudaArray, Device, Stream, TilePool};
/// let (stream, pool) = (Stream::new()?, TilePool::new(&Device::current()?, 8)?);
/// // A plane of 256 MiB, of which one tile has memory.
/// let mut plane = CudaArray::<f32>::sparse([8192, 8192])?;
/// plane.map_tiles_on(0, [3..4, 5..6], &pool, &stream)?;
/// assert_eq!(plane.mapped_tiles(), 1);
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone)]
pub struct TilePool(pub(super) Arc<Pool>);

pub(super) struct Pool {
    pub(super) context: &'static Context,
    pub(super) memory: CUmemGenericAllocationHandle,
    tiles: usize,
    free: Mutex<BTreeSet<usize>>,
    /// The streams that have mapped and unmapped tiles.
    pub(super) uses: Tracker,
}

impl Pool {
    pub(super) fn free(&self) -> MutexGuard<'_, BTreeSet<usize>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes so many tiles that lie side by side; the first one's number.
pub(super) fn take(free: &mut BTreeSet<usize>, count: usize) -> Option<usize> {
    let is_run = |first: &usize| (*first..*first + count).all(|tile| free.contains(&tile));
    let first = free.iter().copied().find(is_run)?;
    (first..first + count).for_each(|tile| _ = free.remove(&tile));
    Some(first)
}

impl Drop for Pool {
    fn drop(&mut self) {
        let (context, memory) = (self.context, self.memory);
        after_host_function(move || {
            let _relaxed = context.driver.relaxed();
            // SAFETY: its only owner; the driver keeps the memory for as long as an array has it.
            let _ = unsafe { context.driver.cuMemRelease(memory) };
        });
    }
}

impl TilePool {
    /// A pool of at least `tiles` tiles on a device. Its size is rounded up to the driver's granularity, which is 2 MiB
    /// on current devices.
    ///
    /// ```
    /// use ptyx::{Device, TilePool};
    /// let pool = TilePool::new(&Device::current()?, 10)?;
    /// assert!(pool.tiles() >= 10);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfMemory`]; [`Error::Driver`] if the device does not support such memory.
    #[doc(alias = "CU_MEM_CREATE_USAGE_TILE_POOL")]
    pub fn new(device: &Device, tiles: usize) -> Result<TilePool> {
        let context = device.with(current)?;
        context.bind()?;
        let mut flags = [0; 8];
        flags[2] = CU_MEM_CREATE_USAGE_TILE_POOL as u8;
        let wanted = CUmemAllocationProp {
            kind: CU_MEM_ALLOCATION_TYPE_PINNED,
            handle_types: CU_MEM_HANDLE_TYPE_NONE,
            location: CUmemLocation { kind: CU_MEM_LOCATION_TYPE_DEVICE, id: context.device },
            metadata: core::ptr::null(),
            flags,
        };
        let (mut step, mut memory, driver) = (0, 0, context.driver);
        let option = CU_MEM_ALLOC_GRANULARITY_MINIMUM;
        // SAFETY: a valid place, and such a structure; so below.
        unsafe { driver.cuMemGetAllocationGranularity(&mut step, &wanted, option) }?;
        let bytes = tiles
            .max(1)
            .checked_mul(TILE)
            .and_then(|bytes| bytes.checked_next_multiple_of(step.max(TILE)));
        let bytes = bytes.ok_or(Error::TooLarge { len: tiles, size: TILE })?;
        // SAFETY: as above.
        allocate_apart(context, bytes, || unsafe {
            driver.cuMemCreate(&mut memory, bytes, &wanted, 0)
        })?;
        let tiles = bytes / TILE;
        let (free, uses) = (Mutex::new((0..tiles).collect()), Tracker::default());
        Ok(TilePool(Arc::new(Pool { context, memory, tiles, free, uses })))
    }

    /// How many tiles it has.
    ///
    /// ```
    /// let pool = ptyx::TilePool::new(&ptyx::Device::current()?, 1)?;
    /// assert_eq!(pool.free_tiles(), pool.tiles());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn tiles(&self) -> usize {
        self.0.tiles
    }

    /// How many of its tiles are in no array.
    ///
    /// ```
    /// use ptyx::{CudaArray, Device, Stream, TilePool};
    /// let (stream, pool) = (Stream::new()?, TilePool::new(&Device::current()?, 2)?);
    /// let mut plane = CudaArray::<f32>::sparse([1024, 1024])?;
    /// plane.map_tiles_on(0, [0..1, 0..2], &pool, &stream)?;
    /// assert_eq!(pool.free_tiles(), pool.tiles() - 2);
    /// drop(plane);
    /// assert_eq!(pool.free_tiles(), pool.tiles());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn free_tiles(&self) -> usize {
        self.0.free().len()
    }
}

impl fmt::Debug for TilePool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (device, tiles) = (self.0.context.ordinal, self.0.tiles);
        write!(f, "TilePool(device {device}, {tiles} tiles)")
    }
}

/// A part of an array that gets memory at once.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Part {
    /// A tile of a level, by its place among the level's tiles: x, y, z or layer.
    Tile(usize, [usize; 3]),
    /// The small levels of a layer.
    Tail(usize),
    Everything,
}

/// Tiles of a pool, which get back there when this is dropped.
pub(super) struct Held {
    pub(super) pool: Arc<Pool>,
    pub(super) tiles: Range<usize>,
}

impl Drop for Held {
    fn drop(&mut self) {
        self.pool.free().extend(self.tiles.clone());
    }
}

/// What an array has that gets its memory later.
pub(super) struct Sparse {
    /// All memory comes at once.
    pub(super) is_deferred: bool,
    /// Texels of a tile: x, y, z.
    pub(super) tile: [usize; 3],
    /// The first level without tiles of its own, and the bytes of what replaces them.
    pub(super) tail: (usize, usize),
    /// All layers have one tail.
    pub(super) has_one_tail: bool,
    pub(super) mapped: HashMap<Part, Held>,
    /// What it is for besides copies and textures.
    pub(super) uses: ArrayUses,
}

impl Sparse {
    pub(super) fn has_no_memory(&self) -> bool {
        self.is_deferred && self.mapped.is_empty()
    }
}
