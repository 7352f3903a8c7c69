//! Copies and fills of boxes, compared with arrays on the host.

use ptyx::prelude::*;
use ptyx::{Error, HostView, HostViewMut, PinnedBuffer, PitchedBuffer};
use ptyx_memory_tests::{Rng, rng};
use std::ops::Range;

/// An array on the host, row after row.
#[derive(Clone, Debug, PartialEq)]
struct Model<const N: usize> {
    shape: [usize; N],
    elements: Vec<u16>,
}

impl<const N: usize> Model<N> {
    fn random(rng: &mut Rng, shape: [usize; N]) -> Model<N> {
        let elements = rng.vec(shape.iter().product(), |rng| rng.next_u32() as u16);
        Model { shape, elements }
    }

    /// The place of each element of a box, in the order of indices.
    fn places(&self, ranges: &[Range<usize>; N]) -> Vec<usize> {
        let mut all = vec![0];
        for (range, extent) in ranges.iter().zip(self.shape) {
            all = all.iter().flat_map(|at| range.clone().map(move |i| at * extent + i)).collect();
        }
        all
    }

    fn copy(&mut self, to: &[Range<usize>; N], from: &Model<N>, ranges: &[Range<usize>; N]) {
        for (to, at) in self.places(to).into_iter().zip(from.places(ranges)) {
            self.elements[to] = from.elements[at];
        }
    }
}

/// A box of a shape at a random place in an array.
fn place<const N: usize>(rng: &mut Rng, shape: [usize; N], array: [usize; N]) -> [Range<usize>; N] {
    core::array::from_fn(|axis| {
        let start = rng.below(array[axis] - shape[axis] + 1);
        start..start + shape[axis]
    })
}

/// Random copies between arrays of all kinds, on random streams.
fn copies<const N: usize>(rng: &mut Rng) -> ptyx::Result<()> {
    let streams = [Stream::new()?, Stream::new()?, Stream::default()?];
    let mut shape = || core::array::from_fn(|_| 2 + rng.below(6));
    let shapes: [[usize; N]; 4] = [shape(), shape(), shape(), shape()];
    let mut models = shapes.map(|shape| Model::random(rng, shape));
    let mut first = PitchedBuffer::from_slice(&models[0].elements, shapes[0])?;
    let mut second = PitchedBuffer::from_slice(&models[1].elements, shapes[1])?;
    let mut flat = DeviceBuffer::from_slice(&models[2].elements)?;
    let mut pinned = PinnedBuffer::from_slice(&models[3].elements)?;
    for _ in 0..60 {
        let (to, from) = (rng.below(4), rng.below(4));
        let size: [usize; N] =
            core::array::from_fn(|axis| 1 + rng.below(shapes[to][axis].min(shapes[from][axis])));
        let (there, here) = (place(rng, size, shapes[to]), place(rng, size, shapes[from]));
        let stream = &streams[rng.below(3)];
        let (p, q) = (there.clone(), here.clone());
        match (to, from) {
            (0, 1) => first.part_mut(p)?.copy_from_view_on(second.part(q)?, stream)?,
            (1, 0) => second.part_mut(p)?.copy_from_view(first.part(q)?)?,
            (0, 2) => {
                let from = flat.view(shapes[2]).part(q)?;
                first.part_mut(p)?.copy_from_view_on(from, stream)?;
            }
            (2, 1) => {
                let mut to = flat.view_mut(shapes[2]).part_mut(p)?;
                to.copy_from_view_on(second.part(q)?, stream)?;
            }
            (1, 3) => {
                let from = pinned.view(shapes[3])?.part(q)?;
                second.part_mut(p)?.copy_from_pinned_on(from, stream)?;
            }
            (3, 0) => {
                let to = pinned.view_mut(shapes[3])?.part(p)?;
                first.part(q)?.copy_to_pinned_on(to, stream)?;
            }
            (3, 2) => {
                let to = pinned.view_mut(shapes[3])?.part(p)?;
                flat.view(shapes[2]).part(q)?.copy_to_pinned(to)?;
            }
            (2, 2) => {
                let value = rng.next_u32() as u16;
                flat.view_mut(shapes[2]).part_mut(p.clone())?.fill_on(value, stream)?;
                for at in models[2].places(&p) {
                    models[2].elements[at] = value;
                }
                continue;
            }
            (1, 1) => {
                let fresh = Model::random(rng, shapes[0]);
                let q = place(rng, size.map(|_| 1), shapes[0]);
                let p = place(rng, size.map(|_| 1), shapes[1]);
                let host = HostView::new(&fresh.elements, shapes[0])?.part(q.clone())?;
                second.part_mut(p.clone())?.copy_from_host(host)?;
                models[1].copy(&p, &fresh, &q);
                continue;
            }
            (0, 0) => {
                let mut host = Model::random(rng, shapes[0]);
                let mut expected = host.clone();
                let view = HostViewMut::new(&mut host.elements, shapes[0])?.part(p.clone())?;
                first.part(q.clone())?.copy_to_host(view)?;
                expected.copy(&p, &models[0], &q);
                assert_eq!(host, expected);
                continue;
            }
            _ => continue,
        }
        let source = models[from].clone();
        models[to].copy(&there, &source, &here);
    }
    assert_eq!(first.to_vec()?, models[0].elements);
    assert_eq!(second.try_clone()?.to_vec()?, models[1].elements);
    assert_eq!(flat.to_vec()?, models[2].elements);
    assert_eq!(*pinned, models[3].elements);
    Ok(())
}

#[test]
fn random_copies_of_boxes() -> ptyx::Result<()> {
    let mut rng = rng();
    for _ in 0..6 {
        copies::<1>(&mut rng)?;
        copies::<2>(&mut rng)?;
        copies::<3>(&mut rng)?;
        copies::<4>(&mut rng)?;
    }
    Ok(())
}

/// Values of all sizes, in boxes of up to four dimensions.
fn fills<T: ptyx::DeviceCopy + PartialEq + core::fmt::Debug>(
    rng: &mut Rng,
    [before, value]: [T; 2],
) -> ptyx::Result<()> {
    let shape: [usize; 4] = core::array::from_fn(|_| 1 + rng.below(6));
    let size = shape.map(|extent| rng.below(extent + 1));
    let ranges = place(rng, size, shape);
    let mut array = PitchedBuffer::filled(shape, before)?;
    array.part_mut(ranges.clone())?.fill_on(value, &Stream::new()?)?;
    let model = Model::random(rng, shape);
    let mut expected = vec![before; model.elements.len()];
    for at in model.places(&ranges) {
        expected[at] = value;
    }
    assert_eq!(array.to_vec()?, expected, "{shape:?} {ranges:?}");
    Ok(())
}

#[test]
fn fills_of_boxes() -> ptyx::Result<()> {
    let mut rng = rng();
    for _ in 0..20 {
        fills(&mut rng, [1u8, 200])?;
        fills(&mut rng, [-7i16, 1234])?;
        fills(&mut rng, [0.5f32, -3.25])?;
        fills(&mut rng, [0.5f64, -3.25])?;
        fills(&mut rng, [[1.0f32, 2.0, 3.0], [4.0, 5.0, 6.0]])?;
        fills(&mut rng, [u128::MAX, 7])?;
    }
    let mut image = PitchedBuffer::filled([3, 5], 9u64)?;
    image.part_mut([1..3, 0..2])?.zero()?;
    assert_eq!(image.to_vec()?, [9, 9, 9, 9, 9, 0, 0, 9, 9, 9, 0, 0, 9, 9, 9]);
    image.part_mut([0..2, 3..5])?.zero_on(&Stream::new()?)?;
    assert_eq!(image.to_vec()?, [9, 9, 9, 0, 0, 0, 0, 9, 0, 0, 0, 0, 9, 9, 9]);
    image.view_mut().fill(4)?;
    assert_eq!(image.to_vec()?, [4; 15]);
    Ok(())
}

/// Arrays that start uninitialised: what is written is what is read.
#[test]
fn uninitialised_arrays() -> ptyx::Result<()> {
    let mut rng = rng();
    for _ in 0..10 {
        let shape: [usize; 3] = core::array::from_fn(|_| 1 + rng.below(9));
        let (first, second) = (Model::random(&mut rng, shape), Model::random(&mut rng, shape));
        let stream = Stream::new()?;
        // SAFETY: the copies write all elements before they are read.
        let (mut now, mut later) = unsafe {
            (PitchedBuffer::uninitialized(shape)?, PitchedBuffer::uninitialized_on(shape, &stream)?)
        };
        now.view_mut().copy_from_slice(&first.elements)?;
        let pinned = ptyx::PinnedBuffer::from_slice(&second.elements)?;
        later.view_mut().copy_from_pinned_on(pinned.view(shape)?, &stream)?;
        assert_eq!(
            (now.to_vec()?, later.to_vec()?),
            (first.elements, second.elements),
            "{shape:?}"
        );
        let mut back = ptyx::PinnedBuffer::zeroed(pinned.len())?;
        later.view().copy_to_pinned_on(back.view_mut(shape)?, &stream)?;
        assert_eq!(*back, *pinned);
    }
    Ok(())
}

/// Julia's `get!`: what lies outside is a default value.
#[test]
fn copies_with_a_default_outside() -> ptyx::Result<()> {
    let mut rng = rng();
    for _ in 0..30 {
        let shape: [usize; 3] = core::array::from_fn(|_| 1 + rng.below(5));
        let model = Model::random(&mut rng, shape);
        let array = PitchedBuffer::from_slice(&model.elements, shape)?;
        let ranges: [Range<isize>; 3] = core::array::from_fn(|_| {
            let start = rng.below(12) as isize - 6;
            start..start + rng.below(9) as isize
        });
        let mut expected = Vec::new();
        let [planes, rows, columns] = ranges.clone();
        for z in planes.clone() {
            for y in rows.clone() {
                for x in columns.clone() {
                    let at = [z, y, x].map(|i| usize::try_from(i).unwrap_or(usize::MAX));
                    let inside = at.iter().zip(shape).all(|(&at, extent)| at < extent);
                    let place = || (at[0] * shape[1] + at[1]) * shape[2] + at[2];
                    expected.push(if inside { model.elements[place()] } else { 4321 });
                }
            }
        }
        assert_eq!(array.view().to_vec_or(ranges.clone(), 4321)?, expected, "{shape:?} {ranges:?}");
        let size = ranges.clone().map(|range| range.len());
        let mut host = vec![0; expected.len()];
        let view = HostViewMut::new(&mut host, size)?;
        array.view().copy_to_host_or(view, ranges.map(|range| range.start), 4321)?;
        assert_eq!(host, expected);
    }
    let far = PitchedBuffer::<u16>::zeroed([2, 2])?;
    let outside =
        far.view().to_vec_or([isize::MAX - 1..isize::MAX, isize::MIN..isize::MIN + 2], 3)?;
    assert_eq!(outside, [3, 3]);
    let huge = far.view().to_vec_or([isize::MIN..isize::MAX, 0..1 << 40], 3);
    assert!(matches!(huge, Err(Error::TooLarge { .. })), "{huge:?}");
    Ok(())
}

#[test]
fn what_does_not_fit_is_named() -> ptyx::Result<()> {
    let mut image = PitchedBuffer::<u32>::zeroed([3, 4])?;
    let other = PitchedBuffer::<u32>::zeroed([4, 3])?;
    let message = image.view_mut().copy_from_view(&other).unwrap_err().to_string();
    assert!(message.contains("[4, 3]") && message.contains("[3, 4]"), "{message}");
    let message = image.part([1..3, 2..5]).unwrap_err().to_string();
    assert!(message.contains("[1..3, 2..5]") && message.contains("[3, 4]"), "{message}");
    #[allow(clippy::reversed_empty_ranges)]
    let reversed = image.part([2..1, 0..1]);
    assert!(matches!(reversed, Err(Error::OutOfBounds { .. })), "{reversed:?}");
    let host = [0u32; 12];
    assert!(matches!(HostView::new(&host, [3, 5]), Err(Error::Shape { len: 12, .. })));
    let host = HostView::new(&host, [2, 6])?;
    assert!(matches!(image.view_mut().copy_from_host(host), Err(Error::Shapes { .. })));
    let wrong = image.view_mut().copy_from_slice(&[0; 11]);
    assert!(matches!(wrong, Err(Error::Length { expected: 12, found: 11, .. })), "{wrong:?}");
    let flat = DeviceBuffer::<u32>::zeroed(12)?;
    assert!(matches!(flat.view([5, 3]).part([0..1, 0..1]), Err(Error::Shape { .. })));
    let large = PitchedBuffer::<u32>::zeroed([1 << 40, 1 << 40]);
    assert!(matches!(large, Err(Error::TooLarge { .. })), "{large:?}");
    let large = PitchedBuffer::<u32>::from_slice(&[], [usize::MAX, 2]);
    assert!(matches!(large, Err(Error::TooLarge { .. })), "{large:?}");
    let many = PitchedBuffer::<u8>::zeroed([1 << 20, 1 << 20]);
    assert!(matches!(many, Err(Error::OutOfMemory { .. })), "{many:?}");
    Ok(())
}

#[test]
fn empty_and_odd_arrays() -> ptyx::Result<()> {
    let mut empty = PitchedBuffer::<u32, 3>::zeroed([2, 0, 5])?;
    assert!(empty.is_empty() && empty.to_vec()?.is_empty());
    empty.view_mut().fill(1)?;
    empty.view_mut().copy_from_slice(&[])?;
    let same = empty.try_clone()?;
    assert_eq!(same.shape(), [2, 0, 5]);
    assert_eq!(same.view().to_vec_or([0..1, 0..1, 0..2], 7)?, [7, 7]);
    // Elements whose size no power of two is a multiple of.
    let pixels: Vec<[u8; 3]> = (0..35u8).map(|i| [i, i + 1, i + 2]).collect();
    let image = PitchedBuffer::from_slice(&pixels, [5, 7])?;
    assert!(image.pitch().is_multiple_of(3) && image.pitch() >= 21);
    assert_eq!(image.part([1..3, 6..7])?.to_vec()?, [pixels[13], pixels[20]]);
    let line = PitchedBuffer::from_slice(&[1u8, 2, 3], [3])?;
    assert_eq!((line.pitch(), line.to_vec()?), (3, vec![1, 2, 3]));
    Ok(())
}

/// Copies and fills of boxes can be captured.
#[test]
fn boxes_in_graphs() -> ptyx::Result<()> {
    let stream = Stream::new()?;
    let source = PitchedBuffer::from_slice(&[1u32, 2, 3, 4, 5, 6], [2, 3])?;
    let mut target = PitchedBuffer::<u32>::zeroed([3, 3])?;
    let graph = stream.capture(|stream| {
        target.part_mut([0..3, 0..1])?.fill_on(9, stream)?;
        target.part_mut([1..3, 1..3])?.copy_from_view_on(source.part([0..2, 0..2])?, stream)
    })?;
    let exec = graph.instantiate()?;
    exec.launch(&stream)?;
    assert_eq!(target.to_vec()?, [9, 0, 0, 9, 1, 2, 9, 4, 5]);
    Ok(())
}
