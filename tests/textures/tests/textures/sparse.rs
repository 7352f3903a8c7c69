//! Arrays that get their memory later, against a model of which texels have some.

use ptyx::device::texture::{D1, D2, D2Layered, D3, Surface2D, Texture2D};
use ptyx::prelude::*;
use ptyx::{
    ArrayUses, CudaArray, DeviceProperty, Error, HostView, PitchedBuffer, Surface, Texture,
    TextureRule, TilePool,
};
use ptyx_texture_tests::{Rng, rng};

/// Adds a number to every `step`-th texel of each row and column.
#[kernel]
fn add(x: Surface2D<u32>, step: u32, more: u32) {
    let [i, j] = [block::x() * 32 + thread::x(), block::y() * 8 + thread::y()];
    let (i, j) = (i * step, j * step);
    if i < x.width() && j < x.height() {
        x.write(i, j, x.read(i, j) + more);
    }
}

/// The texels at places.
#[kernel]
fn fetch(x: Texture2D<u32>, places: &[[f32; 2]], mut out: Disjoint<u32>) {
    let i = thread::index_1d();
    if let Some(out) = out.get_mut(i) {
        let [x_at, y_at] = places[i.get()];
        *out = x.fetch(x_at, y_at);
    }
}

/// Whether the device has such arrays. The emulated one must.
fn is_there() -> ptyx::Result<bool> {
    let device = Device::current()?;
    let attributes = [
        DeviceProperty::SparseCudaArraySupported,
        DeviceProperty::DeferredMappingCudaArraySupported,
    ];
    for attribute in attributes {
        if device.property(attribute)? == 0 {
            assert!(!device.is_emulated());
            println!("skipped: the device has no arrays that get their memory later");
            return Ok(false);
        }
    }
    Ok(true)
}

/// An array of some tiles, with a model: which tiles have memory, and all texels.
struct Modelled {
    array: CudaArray<u32>,
    texels: Vec<u32>,
    has_memory: Vec<bool>,
    /// Rows and columns: of tiles, and of texels in a tile.
    tiles: [usize; 2],
    tile: [usize; 2],
}

impl Modelled {
    fn new(tiles: [usize; 2]) -> ptyx::Result<Modelled> {
        let small = CudaArray::<u32>::sparse([8, 8])?;
        let [width, height, _] = small.sparse_properties()?.tile.map(|texels| texels as usize);
        // The last tiles have a part of their texels only.
        let shape = [tiles[0] * height - 16, tiles[1] * width - 32];
        // The driver of an H200 refuses sparse arrays for surfaces (`docs/hardware.md`).
        let array = match CudaArray::sparse_for(shape, None, ArrayUses::new().surfaces(true)) {
            Err(Error::Driver { .. }) if !Device::current()?.is_emulated() => {
                CudaArray::sparse(shape)?
            }
            made => made?,
        };
        let texels = vec![0; shape[0] * shape[1]];
        let has_memory = vec![false; tiles[0] * tiles[1]];
        Ok(Modelled { array, texels, has_memory, tiles, tile: [height, width] })
    }

    fn has_memory(&self, at: usize) -> bool {
        let columns = self.array.shape()[1];
        let [row, column] = [at / columns / self.tile[0], at % columns / self.tile[1]];
        self.has_memory[row * self.tiles[1] + column]
    }

    /// A tile gets memory, or loses it; in both cases it is zero then.
    fn remap(&mut self, tile: usize, pool: Option<&TilePool>, stream: &Stream) -> ptyx::Result<()> {
        let [row, column] = [tile / self.tiles[1], tile % self.tiles[1]];
        let part = [row..row + 1, column..column + 1];
        let is_new = self.has_memory[tile] != pool.is_some();
        match pool {
            Some(pool) => self.array.map_tiles_on(0, part, pool, stream)?,
            None => self.array.unmap_tiles_on(0, part, stream)?,
        }
        self.has_memory[tile] = pool.is_some();
        let [rows, columns] = self.array.shape();
        for row in row * self.tile[0]..((row + 1) * self.tile[0]).min(rows) {
            for column in column * self.tile[1]..((column + 1) * self.tile[1]).min(columns) {
                if is_new {
                    self.texels[row * columns + column] = 0;
                }
            }
        }
        Ok(())
    }

    /// Changes texels by a kernel, all with memory.
    fn add(&mut self, step: u32, more: u32, stream: &Stream) -> ptyx::Result<()> {
        let [rows, columns] = self.array.shape();
        let blocks = (columns.div_ceil(32), rows.div_ceil(8));
        let mut surface = Surface::new(&mut self.array)?;
        launch!(add<<<blocks, (32, 8), 0, stream>>>(&mut surface, step, more))?;
        drop(surface);
        for at in 0..self.texels.len() {
            let is_meant = (at / columns).is_multiple_of(step as usize)
                && (at % columns).is_multiple_of(step as usize);
            if is_meant && self.has_memory(at) {
                self.texels[at] += more;
            }
        }
        Ok(())
    }

    /// Copies a box from the host, or from device memory.
    fn write(&mut self, rng: &mut Rng) -> ptyx::Result<()> {
        let [rows, columns] = self.array.shape();
        let shape = [1 + rng.below(rows), 1 + rng.below(columns)];
        let first = [rng.below(rows - shape[0] + 1), rng.below(columns - shape[1] + 1)];
        let texels = rng.vec(shape[0] * shape[1], |rng| rng.below(1 << 20) as u32);
        match rng.below(2) {
            0 => self.array.copy_part_from_host(first, HostView::new(&texels, shape)?)?,
            _ => {
                let rows = PitchedBuffer::from_slice(&texels, shape)?;
                self.array.copy_part_from_view(first, &rows)?;
            }
        }
        for row in 0..shape[0] {
            for column in 0..shape[1] {
                let at = (first[0] + row) * columns + first[1] + column;
                if self.has_memory(at) {
                    self.texels[at] = texels[row * shape[1] + column];
                }
            }
        }
        Ok(())
    }

    /// Compares, by a copy and by fetches. What has no memory is compared on the emulated device only.
    fn check(&self, rng: &mut Rng, stream: &Stream) -> ptyx::Result<()> {
        let is_emulated = Device::current()?.is_emulated();
        let columns = self.array.shape()[1];
        let matters = |at: usize| is_emulated || self.has_memory(at);
        let found = match rng.below(2) {
            0 => self.array.to_vec()?,
            _ => {
                let mut rows = PitchedBuffer::filled(self.array.shape(), 7)?;
                self.array.copy_part_to_view([0, 0], rows.view_mut())?;
                rows.to_vec()?
            }
        };
        for at in (0..found.len()).filter(|&at| matters(at)) {
            assert_eq!(found[at], self.texels[at], "texel {at}");
        }
        let places = rng.vec(500, |rng| rng.below(found.len()));
        let at = |at: &usize| [(at % columns) as f32 + 0.5, (at / columns) as f32 + 0.5];
        let at = DeviceBuffer::from_slice(&places.iter().map(at).collect::<Vec<_>>())?;
        let mut out = DeviceBuffer::<u32>::zeroed(500)?;
        let texture = Texture::<u32>::new(&self.array)?;
        launch!(fetch<<<4, 128, 0, stream>>>(&texture, &at, &mut out))?;
        for (&place, found) in places.iter().zip(out.to_vec()?) {
            assert!(!matters(place) || found == self.texels[place], "texel {place}");
        }
        Ok(())
    }
}

/// Two arrays on two streams take tiles of one pool in turns, which is too small for both.
#[test]
fn tiles_come_and_go() -> ptyx::Result<()> {
    if !is_there()? {
        return Ok(());
    }
    let mut rng = rng();
    let streams = [Stream::new()?, Stream::new()?];
    let pool = TilePool::new(&Device::current()?, 1)?;
    let mut arrays = [Modelled::new([5, 4])?, Modelled::new([4, 6])?];
    for round in 0..200 {
        let own = rng.below(2);
        let (array, stream) = (&mut arrays[own], &streams[own]);
        let tile = rng.below(array.has_memory.len());
        match rng.below(6) {
            0 | 1 if pool.free_tiles() > 0 => array.remap(tile, Some(&pool), stream)?,
            2 => array.remap(tile, None, stream)?,
            3 if array.array.info()?.has_surfaces => {
                array.add(1 + rng.below(40) as u32, round, stream)?
            }
            3 | 4 => array.write(&mut rng)?,
            _ if round % 5 == 0 => array.check(&mut rng, stream)?,
            _ => {}
        }
        let taken: usize = arrays.iter().map(|array| array.array.mapped_tiles()).sum();
        assert_eq!(taken + pool.free_tiles(), pool.tiles());
        let modelled = |array: &Modelled| array.has_memory.iter().filter(|has| **has).count();
        assert_eq!(taken, arrays.iter().map(modelled).sum::<usize>());
    }
    for (array, stream) in arrays.iter().zip(&streams) {
        array.check(&mut rng, stream)?;
    }
    drop(arrays);
    assert_eq!(pool.free_tiles(), pool.tiles());
    Ok(())
}

/// Compares texels. A difference is told in a line.
#[track_caller]
fn expect_texels(found: &[u32], wanted: &[u32]) {
    assert_eq!(found.len(), wanted.len());
    let differ = |at: &usize| found[*at] != wanted[*at];
    let all: Vec<usize> = (0..found.len()).filter(differ).collect();
    if let (Some(&first), Some(&last)) = (all.first(), all.last()) {
        let zeros = all.iter().filter(|at| found[**at] == 0).count();
        let (count, [is, was]) = (all.len(), [found, wanted].map(|texels| texels[first]));
        panic!("{count} texels differ, {zeros} are 0; from {first} ({is}, not {was}) to {last}");
    }
}

/// Levels with tiles and the small ones; layers; planes.
#[test]
fn levels_layers_and_planes() -> ptyx::Result<()> {
    if !is_there()? {
        return Ok(());
    }
    let (mut rng, stream) = (rng(), Stream::new()?);
    let pool = TilePool::new(&Device::current()?, 64)?;
    let mut layers = CudaArray::<u32, D2Layered>::sparse_with_levels([3, 512, 256], 10)?;
    let tail = layers.sparse_properties()?.tail_level as usize;
    assert!((1..10).contains(&tail), "{tail}");
    let tile = layers.sparse_properties()?.tile.map(|texels| texels as usize);
    for level in 0..tail {
        let [layers_of, rows, columns] = layers.level_shape(level)?;
        let tiles = [0..layers_of, 0..rows.div_ceil(tile[1]), 0..columns.div_ceil(tile[0])];
        layers.map_tiles_on(level, tiles, &pool, &stream)?;
    }
    for layer in 0..3 {
        // Layers with one tail for all have no others.
        match layers.map_tail_on(layer, &pool, &stream) {
            Err(Error::OutOfBounds { shape, .. }) => assert!(layer > 0 && shape == [1]),
            other => other?,
        }
    }
    let mut all = Vec::new();
    for level in 0..10 {
        let len = layers.level_shape(level)?.iter().product();
        assert_eq!(layers.level_to_vec(level)?, vec![0; len]);
        let texels = rng.vec(len, |rng| rng.next_u32());
        layers.copy_level_from_slice(level, &texels)?;
        all.push(texels);
    }
    for (level, texels) in all.iter().enumerate() {
        expect_texels(&layers.level_to_vec(level)?, texels);
    }
    // A layer's tile goes, and comes back as zeros; the others stay.
    layers.unmap_tiles_on(0, [1..2, 0..1, 0..1], &stream)?;
    layers.map_tiles_on(0, [0..3, 0..1, 0..1], &pool, &stream)?;
    for layer in 0..3 {
        for row in 0..tile[1] {
            let first = (layer * 512 + row) * 256;
            if layer == 1 {
                all[0][first..first + tile[0]].fill(0);
            }
        }
    }
    expect_texels(&layers.level_to_vec(0)?, &all[0]);
    drop(layers);

    let mut volume = CudaArray::<f32, D3>::sparse([40, 40, 40])?;
    let [width, height, depth] = volume.sparse_properties()?.tile.map(|texels| texels as usize);
    let tiles =
        [0..40usize.div_ceil(depth), 0..40usize.div_ceil(height), 0..40usize.div_ceil(width)];
    let count = tiles.iter().map(|range| range.len()).product::<usize>();
    volume.map_tiles_on(0, tiles, &pool, &stream)?;
    assert_eq!(volume.mapped_tiles(), count);
    let texels = rng.vec(64_000, |rng| rng.next_u32() as f32);
    volume.copy_from_slice(&texels)?;
    assert_eq!(volume.to_vec()?, texels);
    Ok(())
}

/// Arrays that get all their memory at once can't be used before, and are like others after.
#[test]
fn memory_that_comes_at_once() -> ptyx::Result<()> {
    if !is_there()? {
        return Ok(());
    }
    let (mut rng, stream) = (rng(), Stream::new()?);
    let pool = TilePool::new(&Device::current()?, 32)?;
    let uses = ArrayUses::new().surfaces(true);
    let mut image = CudaArray::<u32>::deferred_for([300, 200], Some(4), uses)?;
    let is_refused = |done: ptyx::Result<()>| {
        assert!(matches!(done, Err(Error::Texture(TextureRule::NoMemory))), "{done:?}");
    };
    is_refused(image.to_vec().map(drop));
    is_refused(image.copy_level_from_slice(1, &[0; 15_000]));
    is_refused(Texture::<u32>::new(&image).map(drop));
    is_refused(Surface::new(&mut image).map(drop));
    let needed = image.memory_requirements()?;
    assert!(
        needed.bytes >= 4 * (60_000 + 15_000 + 3750 + 925) && needed.bytes.is_power_of_two()
            || needed.bytes % needed.alignment == 0
    );
    image.map_all_on(&pool, &stream)?;
    image.map_all_on(&pool, &stream)?;
    assert_eq!(pool.free_tiles(), pool.tiles() - needed.bytes.div_ceil(64 << 10));
    for level in 0..4 {
        let len = image.level_shape(level)?.iter().product();
        assert_eq!(image.level_to_vec(level)?, vec![0; len]);
        let texels = rng.vec(len, |rng| rng.next_u32());
        image.copy_level_from_slice(level, &texels)?;
        assert_eq!(image.level_to_vec(level)?, texels);
    }
    let mut layers = CudaArray::<u32, D2Layered>::deferred([3, 40, 50])?;
    layers.map_all_on(&pool, &stream)?;
    let texels = rng.vec(6000, |rng| rng.next_u32());
    layers.copy_from_slice(&texels)?;
    assert_eq!(layers.to_vec()?, texels);
    drop(pool);
    Surface::new(&mut image)?;
    Ok(())
}

#[test]
fn mistakes_are_errors() -> ptyx::Result<()> {
    if !is_there()? {
        return Ok(());
    }
    let stream = Stream::new()?;
    let pool = TilePool::new(&Device::current()?, 1)?;
    let is_sparse_rule = |done: ptyx::Result<()>| {
        assert!(matches!(done, Err(Error::Texture(TextureRule::Sparse))), "{done:?}");
    };
    is_sparse_rule(CudaArray::<f32, D1>::sparse([100]).map(drop));
    let mut plain = CudaArray::<f32, D2>::zeroed([300, 300])?;
    is_sparse_rule(plain.map_tiles_on(0, [0..1, 0..1], &pool, &stream));
    is_sparse_rule(plain.map_all_on(&pool, &stream));
    let mut plane = CudaArray::<f32>::sparse([1024, 1024])?;
    is_sparse_rule(plane.map_all_on(&pool, &stream));
    let outside = plane.map_tiles_on(0, [0..1, 0..1000], &pool, &stream);
    assert!(matches!(outside, Err(Error::OutOfBounds { .. })), "{outside:?}");
    let outside = plane.map_tail_on(0, &pool, &stream);
    assert!(matches!(outside, Err(Error::OutOfBounds { .. })), "{outside:?}");
    let tiles = pool.tiles();
    let most = 1024 * 1024 * 4 / (64 << 10);
    assert!(tiles < most);
    let all = plane.sparse_properties()?.tile.map(|texels| 1024 / texels as usize);
    match plane.map_tiles_on(0, [0..all[1], 0..all[0]], &pool, &stream) {
        Err(Error::Texture(TextureRule::Tiles { needed, free })) => {
            assert_eq!((needed, free), (most, tiles));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!((plane.mapped_tiles(), pool.free_tiles()), (0, tiles));
    let captured = stream.capture(|stream| {
        let done = plane.map_tiles_on(0, [0..1, 0..1], &pool, stream);
        assert!(matches!(done, Err(Error::Capture(_))), "{done:?}");
        Ok(())
    });
    // The capture has gone on.
    captured?.instantiate()?;
    assert_eq!(pool.free_tiles(), tiles);
    Ok(())
}
