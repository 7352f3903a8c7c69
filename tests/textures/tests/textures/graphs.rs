//! Arrays, textures and surfaces in graphs, which keep what they use.

use ptyx::device::texture::{Surface2D, Texture2D};
use ptyx::prelude::*;
use ptyx::{CudaArray, Graph, HostView, PitchedBuffer, StagingBuffer, Surface, Texture};
use ptyx_texture_tests::rng;

/// Each texel plus its place, from an array to memory.
#[kernel]
fn fetch(x: Texture2D<u32>, mut out: DisjointArray<u32, 2>) {
    let place = thread::index_2d();
    if let Some(out) = out.get_mut(place) {
        *out = x.fetch(place.x() as f32 + 0.5, place.y() as f32 + 0.5) + 100 * place.y() as u32;
    }
}

/// Doubles each texel in place.
#[kernel]
fn double(x: Surface2D<u32>) {
    let (column, row) = (thread::x(), thread::y());
    if column < x.width() && row < x.height() {
        x.write(column, row, 2 * x.read(column, row));
    }
}

const SHAPE: [usize; 2] = [5, 7];

fn wanted(texels: &[u32], factor: u32) -> Vec<u32> {
    let at = |(i, &texel): (usize, &u32)| factor * texel + 100 * (i / SHAPE[1]) as u32;
    texels.iter().enumerate().map(at).collect()
}

/// Copies, a surface and a texture in one capture, whose objects are gone before the first launch.
#[test]
fn captures_keep_arrays_and_textures() -> ptyx::Result<()> {
    let (mut rng, stream) = (rng(), Stream::new()?);
    let mut staged = StagingBuffer::<u32>::zeroed(35)?;
    let mut out = DeviceBuffer::<u32>::zeroed(35)?;
    let mut copied = PitchedBuffer::<u32, 2>::zeroed(SHAPE)?;
    let graph = {
        let mut array = CudaArray::<u32>::zeroed(SHAPE)?;
        let mut other = CudaArray::<u32>::zeroed(SHAPE)?;
        stream.capture(|stream| {
            array.copy_part_from_pinned_on([0, 0], staged.view(SHAPE)?, stream)?;
            launch!(double<<<1, (8, 8), 0, stream>>>(&mut Surface::new(&mut array)?))?;
            other.copy_part_from_array_on([0, 0], &array, [0..5, 0..7], stream)?;
            let texture = Texture::<u32>::new(&other)?;
            launch!(fetch<<<1, (8, 8), 0, stream>>>(&texture, out.view_mut(SHAPE)))?;
            drop(texture);
            array.copy_part_to_view_on([0, 0], copied.view_mut(), stream)
        })?
    };
    let exec = graph.instantiate()?;
    drop(graph);
    for _ in 0..3 {
        let texels = rng.vec(35, |rng| rng.below(1000) as u32);
        staged.write().copy_from_slice(&texels);
        exec.launch(&stream)?;
        assert_eq!(out.to_vec()?, wanted(&texels, 2));
        assert_eq!(copied.to_vec()?, texels.iter().map(|texel| 2 * texel).collect::<Vec<_>>());
    }
    Ok(())
}

/// Launches of a graph are ordered with other uses of its arrays: of streams, of the host, and of a bound kernel.
#[test]
fn launches_are_ordered_with_other_uses() -> ptyx::Result<()> {
    let mut rng = rng();
    let streams = [Stream::new()?, Stream::new()?];
    let mut array = CudaArray::<u32>::zeroed(SHAPE)?;
    let graph = streams[0].capture(
        |stream| launch!(double<<<1, (8, 8), 0, stream>>>(&mut Surface::new(&mut array)?)),
    )?;
    let exec = graph.instantiate()?;
    let mut out = DeviceBuffer::<u32>::zeroed(35)?;
    for round in 0..20 {
        let texels = rng.vec(35, |rng| rng.below(1000) as u32);
        match round % 2 {
            0 => array.copy_part_from_host([0, 0], HostView::new(&texels, SHAPE)?)?,
            _ => {
                let buffer = DeviceBuffer::from_slice(&texels)?;
                array.copy_from_buffer_on(&buffer, &streams[1])?;
            }
        }
        exec.launch(&streams[0])?;
        let texture = Texture::<u32>::new(&array)?;
        let on = &streams[1];
        launch!(fetch<<<1, (8, 8), 0, on>>>(&texture, out.view_mut(SHAPE)))?;
        drop(texture);
        exec.launch(&streams[round % 2])?;
        assert_eq!(out.to_vec()?, wanted(&texels, 2));
        let four: Vec<u32> = texels.iter().map(|texel| 4 * texel).collect();
        assert_eq!(array.to_vec()?, four);
    }
    Ok(())
}

/// A node of a graph by hand, whose work is exchanged.
#[test]
fn nodes_by_hand() -> ptyx::Result<()> {
    let stream = Stream::new()?;
    let arrays = [1u32, 2].map(|first| {
        let texels: Vec<u32> = (first..first + 35).collect();
        CudaArray::<u32>::from_slice(&texels, SHAPE)
    });
    let [a, b] = arrays;
    let (a, b) = (a?, b?);
    let textures = (Texture::<u32>::new(&a)?, Texture::<u32>::new(&b)?);
    let mut out = DeviceBuffer::<u32>::zeroed(35)?;
    let mut graph = Graph::new()?;
    let node = graph.add_node(
        &[],
        |stream| launch!(fetch<<<1, (8, 8), 0, stream>>>(&textures.0, out.view_mut(SHAPE))),
    )?;
    let mut exec = graph.instantiate()?;
    exec.launch(&stream)?;
    assert_eq!(out.to_vec()?, wanted(&a.to_vec()?, 1));
    exec.set_node(
        node,
        |stream| launch!(fetch<<<1, (8, 8), 0, stream>>>(&textures.1, out.view_mut(SHAPE))),
    )?;
    let of_b = wanted(&b.to_vec()?, 1);
    drop(textures);
    drop((a, b));
    exec.launch(&stream)?;
    assert_eq!(out.to_vec()?, of_b);
    Ok(())
}

/// Bound launches, before a graph uses the same objects, after that, and in captures.
#[test]
fn bound_launches() -> ptyx::Result<()> {
    let (mut rng, stream) = (rng(), Stream::new()?);
    let mut array = CudaArray::<u32>::zeroed(SHAPE)?;
    let texels = rng.vec(35, |rng| rng.below(1000) as u32);
    array.copy_from_slice(&texels)?;
    let texture = Texture::<u32>::new(&array)?;
    let (mut out, mut other) = (DeviceBuffer::<u32>::zeroed(35)?, DeviceBuffer::<u32>::zeroed(35)?);
    let config = LaunchConfig::new().threads((8, 8)).stream(&stream);
    let prepared = compile!(fetch(&texture, out.view_mut(SHAPE)))?;
    let bound = prepared.bind(config, (&texture, out.view_mut(SHAPE)))?;
    bound.launch()?;
    let graph = stream.capture(|stream| {
        bound.launch()?;
        launch!(fetch<<<1, (8, 8), 0, stream>>>(&texture, other.view_mut(SHAPE)))
    })?;
    bound.launch()?;
    drop(bound);
    assert_eq!(out.to_vec()?, wanted(&texels, 1));
    out.zero()?;
    drop(texture);
    drop(array);
    graph.instantiate()?.launch(&stream)?;
    assert_eq!([out.to_vec()?, other.to_vec()?], [(); 2].map(|()| wanted(&texels, 1)));
    Ok(())
}
