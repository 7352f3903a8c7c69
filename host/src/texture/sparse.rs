//! CUDA arrays that get their memory later: sparse ones tile by tile, others all at once.
//!
//! A tile of a pool is in one array at a time. Whoever maps or unmaps has the pool's lock until the work is submitted, and
//! the pool's tracker orders the streams. So whoever gets a tile comes after all work of the array that had it.

use super::array::{CudaArray, EMPTY, end};
use super::owned::{Handle, WHOLE};
use super::shape::{extents, level_shape};
use super::tiles::{Held, Part, Pool, Sparse, TILE, TilePool, take};
use super::uses::ArrayUses;
use crate::driver::types::*;
use crate::error::{Error, Result, TextureRule};
use crate::memory::PinnedBuffer;
use crate::memory::tracker::Access;
use crate::runtime::current;
use crate::stream::{Entry, Stream};
use core::ops::Range;
use ptyx_device::texture::{Dimension, Properties, Texel, properties};
use std::collections::HashMap;

impl<T: Texel, D: Dimension> CudaArray<T, D> {
    fn later(
        shape: D::Shape,
        levels: Option<usize>,
        flag: CUarray3D_flags,
        uses: ArrayUses,
    ) -> Result<Self> {
        let attribute = match flag {
            CUDA_ARRAY3D_SPARSE => CU_DEVICE_ATTRIBUTE_SPARSE_CUDA_ARRAY_SUPPORTED,
            _ => CU_DEVICE_ATTRIBUTE_DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED,
        };
        let context = current()?;
        let Properties { has_rows, is_cube, .. } = properties::<D>();
        if !has_rows || is_cube || context.attribute(attribute)? == 0 {
            return Err(Error::Texture(TextureRule::Sparse));
        }
        let mut this = Self::allocate_for(shape, levels, context, flag, uses)?;
        let is_deferred = flag == CUDA_ARRAY3D_DEFERRED_MAPPING;
        let mapped = HashMap::new();
        let (mut tile, mut tail, mut has_one_tail) = ([0; 3], (this.levels.len(), 0), false);
        if !is_deferred {
            let found = this.sparse_properties()?;
            tile = found.tile.map(|texels| (texels as usize).max(1));
            if levels.is_some() {
                tail = (found.tail_level as usize, found.tail_bytes as usize);
                has_one_tail = found.has_one_tail;
            }
        }
        this.sparse = Some(Sparse { is_deferred, tile, tail, has_one_tail, mapped, uses });
        Ok(this)
    }

    /// A sparse array on the thread's device, without memory (`CUDA_ARRAY3D_SPARSE`): [`CudaArray::map_tiles_on`] gives
    /// tiles memory. It is for copies and textures; [`CudaArray::sparse_for`] makes one for surfaces, too. On the
    /// emulated device, and on an H200, texels without memory read as zeros, and writes to them do nothing. The driver's
    /// documentation promises neither.
    ///
    /// If the array has several levels, or extents that are not multiples of a tile's, copies between it and device memory or
    /// another array go through the host, which waits for them: the driver of an H200 (580) gets them wrong.
    ///
    /// ```
    /// use ptyx::CudaArray;
    /// let plane = CudaArray::<f32>::sparse([8192, 8192])?;
    /// // x, y, z: 64 KiB in all.
    /// assert_eq!(plane.sparse_properties()?.tile.iter().product::<u32>(), 16384);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Texture`]: the kind is not `D2`, `D2Layered` or `D3`, or the device does not support such arrays;
    /// others as for [`CudaArray::zeroed`].
    #[doc(alias("cudaArraySparse", "CUDA_ARRAY3D_SPARSE"))]
    pub fn sparse(shape: D::Shape) -> Result<Self> {
        Self::later(shape, None, CUDA_ARRAY3D_SPARSE, ArrayUses::new())
    }

    /// The same with levels. Those that are smaller than a tile along any axis share memory, the mip tail:
    /// [`CudaArray::map_tail_on`].
    ///
    /// ```
    /// use ptyx::CudaArray;
    /// let plane = CudaArray::<f32>::sparse_with_levels([1024, 1024], 11)?;
    /// assert!(plane.sparse_properties()?.tail_level < 11);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`CudaArray::sparse`].
    pub fn sparse_with_levels(shape: D::Shape, levels: usize) -> Result<Self> {
        Self::later(shape, Some(levels), CUDA_ARRAY3D_SPARSE, ArrayUses::new())
    }

    /// [`CudaArray::sparse`] for more uses; with a number of levels, [`CudaArray::sparse_with_levels`].
    ///
    /// ```
    /// use ptyx::{ArrayUses, CudaArray};
    /// let uses = ArrayUses::new().surfaces(true);
    /// let plane = CudaArray::<f32>::sparse_for([1024, 1024], Some(11), uses)?;
    /// assert!(plane.info()?.has_surfaces);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`CudaArray::sparse`]; [`Error::Driver`] if the driver can't make such an array for these uses.
    pub fn sparse_for(shape: D::Shape, levels: Option<usize>, uses: ArrayUses) -> Result<Self> {
        Self::later(shape, levels, CUDA_ARRAY3D_SPARSE, uses)
    }

    /// [`CudaArray::deferred`] for more uses; with a number of levels, [`CudaArray::deferred_with_levels`].
    ///
    /// ```
    /// use ptyx::{ArrayUses, CudaArray};
    /// let image = CudaArray::<f32>::deferred_for([100, 200], None, ArrayUses::new().surfaces(true))?;
    /// assert_eq!(image.levels(), 1);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`CudaArray::sparse_for`].
    pub fn deferred_for(shape: D::Shape, levels: Option<usize>, uses: ArrayUses) -> Result<Self> {
        Self::later(shape, levels, CUDA_ARRAY3D_DEFERRED_MAPPING, uses)
    }

    /// An array on the thread's device that gets all its memory later (`CUDA_ARRAY3D_DEFERRED_MAPPING`), by
    /// [`CudaArray::map_all_on`]. It can't be used before. It is for copies and textures; [`CudaArray::deferred_for`] makes one
    /// for surfaces, too.
    ///
    /// ```
    /// use ptyx::{CudaArray, Error, TextureRule};
    /// let image = CudaArray::<f32>::deferred([100, 200])?;
    /// assert!(image.memory_requirements()?.bytes >= 80_000);
    /// assert!(matches!(image.to_vec(), Err(Error::Texture(TextureRule::NoMemory))));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`CudaArray::sparse`].
    #[doc(alias("cudaArrayDeferredMapping", "CUDA_ARRAY3D_DEFERRED_MAPPING"))]
    pub fn deferred(shape: D::Shape) -> Result<Self> {
        Self::later(shape, None, CUDA_ARRAY3D_DEFERRED_MAPPING, ArrayUses::new())
    }

    /// The same with levels.
    ///
    /// ```
    /// let image = ptyx::CudaArray::<f32>::deferred_with_levels([100, 200], 3)?;
    /// assert_eq!(image.levels(), 3);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`CudaArray::sparse`].
    pub fn deferred_with_levels(shape: D::Shape, levels: usize) -> Result<Self> {
        Self::later(shape, Some(levels), CUDA_ARRAY3D_DEFERRED_MAPPING, ArrayUses::new())
    }

    /// Gives an array from [`CudaArray::deferred`] all its memory, filled with zeros, unless it has it already.
    ///
    /// ```
    /// use ptyx::{CudaArray, Device, Stream, TilePool};
    /// let (stream, pool) = (Stream::new()?, TilePool::new(&Device::current()?, 4)?);
    /// let mut image = CudaArray::<f32>::deferred([100, 200])?;
    /// image.map_all_on(&pool, &stream)?;
    /// image.copy_from_slice(&[1.5; 20_000])?;
    /// assert_eq!(image.to_vec()?[19_999], 1.5);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Texture`]: another kind of array, or the pool has too few tiles side by side; [`Error::WrongDevice`];
    /// [`Error::Capture`].
    #[doc(alias = "cuMemMapArrayAsync")]
    pub fn map_all_on(&mut self, pool: &TilePool, stream: &Stream) -> Result<()> {
        self.expect_sparse(true)?;
        self.map_parts(&[Part::Everything], pool, stream)
    }

    /// Gives memory, filled with zeros, to a layer's levels that are smaller than a tile (its mip tail), unless they
    /// have it already. Arrays without layers have only layer 0, and so have those whose layers share one tail.
    ///
    /// ```
    /// use ptyx::{CudaArray, Device, Stream, TilePool};
    /// let (stream, pool) = (Stream::new()?, TilePool::new(&Device::current()?, 4)?);
    /// let mut plane = CudaArray::<f32>::sparse_with_levels([1024, 1024], 11)?;
    /// plane.map_tail_on(0, &pool, &stream)?;
    /// plane.copy_level_from_slice(10, &[7.0])?;
    /// assert_eq!(plane.level_to_vec(10)?, [7.0]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`CudaArray::map_tiles_on`]; [`Error::OutOfBounds`] if there is no such layer, or no such levels.
    #[doc(alias = "cuMemMapArrayAsync")]
    pub fn map_tail_on(&mut self, layer: usize, pool: &TilePool, stream: &Stream) -> Result<()> {
        let part = self.tail_of(layer)?;
        self.map_parts(&[part], pool, stream)
    }

    /// Takes away the memory of a layer's mip tail: it goes back to its pool.
    ///
    /// ```
    /// use ptyx::{CudaArray, Device, Stream, TilePool};
    /// let (stream, pool) = (Stream::new()?, TilePool::new(&Device::current()?, 4)?);
    /// let mut plane = CudaArray::<f32>::sparse_with_levels([1024, 1024], 11)?;
    /// plane.map_tail_on(0, &pool, &stream)?;
    /// plane.unmap_tail_on(0, &stream)?;
    /// assert_eq!(plane.mapped_tiles(), 0);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`CudaArray::map_tail_on`].
    #[doc(alias = "cuMemMapArrayAsync")]
    pub fn unmap_tail_on(&mut self, layer: usize, stream: &Stream) -> Result<()> {
        let part = self.tail_of(layer)?;
        self.unmap_parts(&[part], stream)
    }

    /// How many tiles of memory the array has.
    ///
    /// ```
    /// assert_eq!(ptyx::CudaArray::<f32>::sparse([1024, 1024])?.mapped_tiles(), 0);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn mapped_tiles(&self) -> usize {
        let held = self.sparse.iter().flat_map(|sparse| sparse.mapped.values());
        held.map(|held| held.tiles.len()).sum()
    }

    fn expect_sparse(&self, is_deferred: bool) -> Result<&Sparse> {
        let sparse = self.sparse.as_ref().filter(|sparse| sparse.is_deferred == is_deferred);
        sparse.ok_or(Error::Texture(TextureRule::Sparse))
    }

    fn tail_of(&self, layer: usize) -> Result<Part> {
        let Sparse { tail: (level, _), has_one_tail, .. } = *self.expect_sparse(false)?;
        let layers = match properties::<D>().is_layered && !has_one_tail {
            true => extents::<D>(&self.shape())[2],
            false => 1,
        };
        let layers = if level < self.levels.len() { layers } else { 0 };
        if layer >= layers {
            let part = Vec::from([Range { start: layer, end: layer.saturating_add(1) }]);
            return Err(Error::OutOfBounds { part, shape: vec![layers], argument: None });
        }
        Ok(Part::Tail(layer))
    }

    /// The extents of a level, in tiles: x, y, z or layers.
    fn tiles_of(&self, level: usize) -> Result<[usize; 3]> {
        let sparse = self.expect_sparse(false)?;
        let (levels, rule) = (sparse.tail.0, |levels| TextureRule::Level { level, levels });
        if level >= levels {
            return Err(Error::Texture(rule(levels)));
        }
        let texels = extents::<D>(&level_shape::<D>(&self.shape(), level));
        let tile = self.tile();
        Ok([0, 1, 2].map(|axis| texels[axis].div_ceil(tile[axis])))
    }

    /// Texels of a tile; a tile has one layer.
    fn tile(&self) -> [usize; 3] {
        let [x, y, z] = self.sparse.as_ref().map_or([1; 3], |sparse| sparse.tile);
        [x, y, if properties::<D>().is_layered { 1 } else { z }]
    }

    /// A tile's first texel, and how many texels it has: fewer at the edges. The driver of an H200 refuses to map more.
    fn texels_of(&self, level: usize, at: [usize; 3]) -> ([usize; 3], [usize; 3]) {
        let (tile, level) = (self.tile(), extents::<D>(&level_shape::<D>(&self.shape(), level)));
        let first = [0, 1, 2].map(|axis| at[axis] * tile[axis]);
        (first, [0, 1, 2].map(|axis| tile[axis].min(level[axis] - first[axis])))
    }

    /// How many tiles of a pool a part takes.
    fn count_of(&self, part: Part) -> Result<usize> {
        let bytes = match part {
            Part::Tile(..) => self.tile().iter().product::<usize>() * size_of::<T>(),
            Part::Tail(_) => self.expect_sparse(false)?.tail.1,
            Part::Everything => self.memory_requirements()?.bytes,
        };
        Ok(bytes.div_ceil(TILE).max(1))
    }

    /// What the driver is told of a part.
    fn info_of(&self, part: Part, memory: Option<(&Pool, usize)>) -> CUarrayMapInfo {
        let is_layered = properties::<D>().is_layered;
        let (resource_type, resource) = match self.handle {
            Handle::Array(array) => (CU_RESOURCE_TYPE_ARRAY, array.0),
            Handle::Mipmapped(array) => (CU_RESOURCE_TYPE_MIPMAPPED_ARRAY, array.0),
        };
        let (kind, place) = match part {
            Part::Tile(level, at) => {
                let (first, shape) = self.texels_of(level, at);
                let ([x, y, z], [w, h, d]) = (first.map(|at| at as u32), shape.map(|n| n as u32));
                let (layer, z) = if is_layered { (z, 0) } else { (0, z) };
                let place = CUarrayPlace::tiles(level as u32, layer, [x, y, z, w, h, d]);
                (CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_SPARSE_LEVEL, place)
            }
            Part::Tail(layer) => {
                let bytes = self.sparse.as_ref().map_or(0, |sparse| sparse.tail.1);
                let place = CUarrayPlace::tail(layer as u32, 0, bytes as u64);
                (CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_MIPTAIL, place)
            }
            Part::Everything => {
                (CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_SPARSE_LEVEL, CUarrayPlace([0; 8]))
            }
        };
        let (operation, memory, offset) = match memory {
            Some((pool, tile)) => (CU_MEM_OPERATION_TYPE_MAP, pool.memory, (tile * TILE) as u64),
            None => (CU_MEM_OPERATION_TYPE_UNMAP, 0, 0),
        };
        let (devices, handle_type) = (1 << self.context.device, 0);
        let (flags, reserved) = (0, [0; 2]);
        CUarrayMapInfo {
            resource_type,
            resource,
            part: kind,
            place,
            operation,
            handle_type,
            memory,
            offset,
            devices,
            flags,
            reserved,
        }
    }

    /// Orders a change of what is mapped, with the pool locked.
    fn order_mapping(&self, pool: &Pool, entry: &Entry<'_>) -> Result<()> {
        self.order(entry, Access::Write)?;
        pool.uses.order(entry, WHOLE, Access::Write)?;
        // What it waits for may have been on other threads' contexts.
        Ok(self.context.bind()?)
    }

    fn map_parts(&mut self, parts: &[Part], pool: &TilePool, stream: &Stream) -> Result<()> {
        let pool = &pool.0;
        stream.expect_on(self.context)?;
        self.context.expect("the tile pool", pool.context)?;
        self.context.bind()?;
        let mapped = &self.expect_sparse(matches!(parts, [Part::Everything]))?.mapped;
        let parts: Vec<Part> =
            parts.iter().copied().filter(|part| !mapped.contains_key(part)).collect();
        let Some(&first) = parts.first() else { return Ok(()) };
        let count = self.count_of(first)?;
        let entry = stream.enter();
        stream.0.refuse_capture("mapping memory to a CUDA array")?;
        let mut free = pool.free();
        let mut held: Vec<(Part, Range<usize>)> = Vec::new();
        for &part in &parts {
            let Some(tile) = take(&mut free, count) else {
                held.into_iter().for_each(|(_, tiles)| free.extend(tiles));
                let (needed, free) = (parts.len() * count, free.len());
                return Err(Error::Texture(TextureRule::Tiles { needed, free }));
            };
            held.push((part, tile..tile + count));
        }
        let info =
            |(part, tiles): &(Part, Range<usize>)| self.info_of(*part, Some((pool, tiles.start)));
        let mut infos: Vec<CUarrayMapInfo> = held.iter().map(info).collect();
        let done = self.order_mapping(pool, &entry).and_then(|()| {
            let (list, count) = (infos.as_mut_ptr(), infos.len() as u32);
            // SAFETY: the list has so many entries; array, memory and stream are alive, and no array has these tiles: those that
            // had them come before, in the order of streams.
            Ok(unsafe { self.context.driver.cuMemMapArrayAsync(list, count, stream.handle()) }?)
        });
        if let Err(error) = done {
            held.into_iter().for_each(|(_, tiles)| free.extend(tiles));
            return Err(error);
        }
        drop(free);
        drop(entry);
        if let Some(sparse) = &mut self.sparse {
            for (part, tiles) in held {
                sparse.mapped.insert(part, Held { pool: pool.clone(), tiles });
            }
        }
        self.zero_parts(&parts, stream)
    }

    fn unmap_parts(&mut self, parts: &[Part], stream: &Stream) -> Result<()> {
        stream.expect_on(self.context)?;
        self.expect_sparse(false)?;
        self.context.bind()?;
        for part in parts {
            let Some(sparse) = &mut self.sparse else { continue };
            let Some(held) = sparse.mapped.remove(part) else { continue };
            let entry = stream.enter();
            let pool = held.pool.clone();
            let lock = pool.free();
            let mut info = self.info_of(*part, None);
            let refused = stream.0.refuse_capture("unmapping memory of a CUDA array");
            let ordered = refused.map_err(Error::from);
            let done = ordered.and_then(|()| self.order_mapping(&pool, &entry)).and_then(|()| {
                // SAFETY: one entry; array and stream are alive, and the array's work comes before.
                Ok(unsafe {
                    self.context.driver.cuMemMapArrayAsync(&mut info, 1, stream.handle())
                }?)
            });
            drop(lock);
            match (done, &mut self.sparse) {
                (Err(error), Some(sparse)) => {
                    sparse.mapped.insert(*part, held);
                    return Err(error);
                }
                (done, _) => done?,
            }
        }
        Ok(())
    }

    /// Whether copies between the array and device memory have to go through the host. The driver of an H200 (580) takes the
    /// array's texels to be laid out without the padding of the last tiles, and so reads and writes the wrong ones, unless all
    /// tiles are whole and there is one level. Copies from and to the host, and textures, are right (`docs/textures.md`).
    pub(super) fn copies_by_host(&self) -> bool {
        let has_whole_tiles = || {
            let (texels, tile) = (extents::<D>(&self.shape()), self.tile());
            self.levels.len() == 1 && (0..3).all(|axis| texels[axis].is_multiple_of(tile[axis]))
        };
        self.sparse.as_ref().is_some_and(|sparse| !sparse.is_deferred) && !has_whole_tiles()
    }

    /// Makes a copy between arrays or device memory in two steps, by way of the host, and waits for it.
    pub(super) fn submit_by_host(&self, copy: &CUmemcpy3D, stream: &Stream) -> Result<()> {
        let CUmemcpy3D { from, to, width, height, depth } = *copy;
        let mut between = PinnedBuffer::<u8>::zeroed(width * height * depth)?;
        let host = between.as_mut_ptr().cast();
        let end = CUmemcpyEnd3D { kind: CU_MEMORYTYPE_HOST, host, pitch: width, height, ..EMPTY };
        let steps = [CUmemcpy3D { from, to: end, ..*copy }, CUmemcpy3D { from: end, to, ..*copy }];
        self.context.bind()?;
        let driver = &self.context.driver;
        let done = steps.iter().try_for_each(|step| {
            // SAFETY: the caller has checked and ordered both ends; the host's memory has the box's size, and outlives the copies.
            unsafe { driver.cuMemcpy3DAsync(step, stream.handle()) }
        });
        // SAFETY: the stream is alive.
        let waited = unsafe { driver.cuStreamSynchronize(stream.handle()) };
        if waited.is_err() {
            // A copy may still use it.
            core::mem::forget(between);
        }
        Ok(done.and(waited)?)
    }

    /// Fills parts with zeros, which have just got memory.
    fn zero_parts(&self, parts: &[Part], stream: &Stream) -> Result<()> {
        let is_layered = properties::<D>().is_layered;
        let mut boxes = Vec::new();
        for &part in parts {
            let (first, levels) = match part {
                Part::Tile(level, _) => (level, level..level + 1),
                Part::Tail(_) => (0, self.expect_sparse(false)?.tail.0..self.levels.len()),
                Part::Everything => (0, 0..self.levels.len()),
            };
            debug_assert!(first <= levels.start);
            for level in levels {
                let texels = extents::<D>(&level_shape::<D>(&self.shape(), level));
                let has_one_tail = self.sparse.as_ref().is_some_and(|sparse| sparse.has_one_tail);
                let (first, shape) = match part {
                    Part::Tile(level, at) => self.texels_of(level, at),
                    Part::Tail(layer) if is_layered && !has_one_tail => {
                        ([0, 0, layer], [texels[0], texels[1], 1])
                    }
                    _ => ([0; 3], texels),
                };
                boxes.push((self.level(level)?, first, shape));
            }
        }
        let bytes = |shape: &[usize; 3]| shape.iter().product::<usize>() * size_of::<T>();
        let most = boxes.iter().map(|(_, _, shape)| bytes(shape)).max().unwrap_or(0);
        // From the host: see `copies_by_host`.
        let mut zeros = PinnedBuffer::<u8>::zeroed(most)?;
        let host = zeros.as_mut_ptr().cast();
        let entry = stream.enter();
        zeros.order(&entry, Access::Read)?;
        self.order(&entry, Access::Write)?;
        for (array, [x, y, z], [columns, height, depth]) in boxes {
            let width = columns * size_of::<T>();
            let (kind, pitch) = (CU_MEMORYTYPE_HOST, width);
            let from = CUmemcpyEnd3D { kind, host, pitch, height, ..EMPTY };
            let to = CUmemcpyEnd3D { x: x * size_of::<T>(), y, z, ..end(array) };
            self.submit(&CUmemcpy3D { from, to, width, height, depth }, stream)?;
        }
        Ok(())
    }
}

impl<T: Texel, D: Dimension<Shape = [usize; N]>, const N: usize> CudaArray<T, D> {
    /// Gives tiles of a level memory, filled with zeros; those that have memory already keep it
    /// ([`cuMemMapArrayAsync`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__VA.html)). The ranges count
    /// tiles, in the order of the array's shape; each layer has tiles of its own. [`CudaArray::sparse_properties`] says
    /// how many texels a tile has.
    ///
    /// ```
    /// use ptyx::{CudaArray, Device, HostView, Stream, TilePool};
    /// let (stream, pool) = (Stream::new()?, TilePool::new(&Device::current()?, 8)?);
    /// let mut plane = CudaArray::<f32>::sparse([8192, 8192])?;
    /// let [width, height, _] = plane.sparse_properties()?.tile.map(|texels| texels as usize);
    /// plane.map_tiles_on(0, [2..3, 5..6], &pool, &stream)?;
    /// let texels = [1.0, 2.0];
    /// let place = [2 * height, 5 * width];
    /// plane.copy_part_from_host(place, HostView::new(&texels, [1, 2])?)?;
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Texture`]: the array is not sparse, the level is in the mip tail, or the pool has too few tiles;
    /// [`Error::OutOfBounds`], in tiles; [`Error::WrongDevice`]; [`Error::Capture`].
    #[doc(alias = "cuMemMapArrayAsync")]
    pub fn map_tiles_on(
        &mut self,
        level: usize,
        tiles: [Range<usize>; N],
        pool: &TilePool,
        stream: &Stream,
    ) -> Result<()> {
        let parts = self.parts_of(level, tiles)?;
        self.map_parts(&parts, pool, stream)
    }

    /// Takes away the memory of tiles: it goes back to its pool. Tiles without memory stay as they are.
    ///
    /// ```
    /// use ptyx::{CudaArray, Device, Stream, TilePool};
    /// let (stream, pool) = (Stream::new()?, TilePool::new(&Device::current()?, 8)?);
    /// let mut plane = CudaArray::<f32>::sparse([8192, 8192])?;
    /// plane.map_tiles_on(0, [0..2, 0..2], &pool, &stream)?;
    /// plane.unmap_tiles_on(0, [0..2, 1..20], &stream)?;
    /// assert_eq!(plane.mapped_tiles(), 2);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`CudaArray::map_tiles_on`].
    #[doc(alias = "cuMemMapArrayAsync")]
    pub fn unmap_tiles_on(
        &mut self,
        level: usize,
        tiles: [Range<usize>; N],
        stream: &Stream,
    ) -> Result<()> {
        let parts = self.parts_of(level, tiles)?;
        self.unmap_parts(&parts, stream)
    }

    fn parts_of(&self, level: usize, tiles: [Range<usize>; N]) -> Result<Vec<Part>> {
        let [columns, rows, planes] = self.tiles_of(level)?;
        let shape: Vec<usize> = match N {
            2 => vec![rows, columns],
            _ => vec![planes, rows, columns],
        };
        let is_inside =
            |(range, &most): (&Range<usize>, &usize)| range.start <= range.end && range.end <= most;
        if !tiles.iter().zip(&shape).all(is_inside) {
            return Err(Error::OutOfBounds { part: tiles.to_vec(), shape, argument: None });
        }
        let along = |axis: usize| match axis {
            2 if N == 2 => 0..1,
            axis => tiles[N - 1 - axis].clone(),
        };
        let mut parts = Vec::new();
        for z in along(2) {
            for y in along(1) {
                parts.extend(along(0).map(|x| Part::Tile(level, [x, y, z])));
            }
        }
        Ok(parts)
    }
}
