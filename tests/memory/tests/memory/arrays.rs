//! Boxes of CUDA arrays, copied from and to all kinds of memory.

use ptyx::device::texture::{CubeLayered, D1, D1Layered, D2, D2Layered, D3, Dimension};
use ptyx::prelude::*;
use ptyx::{CudaArray, Error, HostView, HostViewMut, PinnedBuffer, PitchedBuffer};
use ptyx_memory_tests::{Rng, rng};
use std::ops::Range;

/// The place of each element of a box, in the order of indices.
fn places<const N: usize>(shape: [usize; N], first: [usize; N], size: [usize; N]) -> Vec<usize> {
    let mut all = vec![0];
    for axis in 0..N {
        let range = first[axis]..first[axis] + size[axis];
        all = all.iter().flat_map(|at| range.clone().map(move |i| at * shape[axis] + i)).collect();
    }
    all
}

fn copies<D: Dimension<Shape = [usize; N]>, const N: usize>(
    rng: &mut Rng,
    shape: [usize; N],
) -> ptyx::Result<()> {
    let len = shape.iter().product();
    let random = |rng: &mut Rng| rng.vec(len, |rng| [rng.next_u32() as u16, rng.next_u32() as u16]);
    let mut models = [random(rng), random(rng)];
    let mut array = CudaArray::<[u16; 2], D>::from_slice(&models[0], shape)?;
    let mut other = CudaArray::<[u16; 2], D>::from_slice(&random(rng), shape)?;
    let mut pitched = PitchedBuffer::<[u16; 2], N>::from_slice(&models[1], shape)?;
    let stream = Stream::new()?;
    for _ in 0..20 {
        let size: [usize; N] = shape.map(|extent| 1 + rng.below(extent));
        let mut first = || core::array::from_fn(|axis| rng.below(shape[axis] - size[axis] + 1));
        let (to, from): ([usize; N], [usize; N]) = (first(), first());
        let part = |first: [usize; N]| -> [Range<usize>; N] {
            core::array::from_fn(|axis| first[axis]..first[axis] + size[axis])
        };
        let pairs = places(shape, to, size).into_iter().zip(places(shape, from, size));
        match rng.below(7) {
            0 => {
                let host = random(rng);
                array.copy_part_from_host(to, HostView::new(&host, shape)?.part(part(from))?)?;
                pairs.for_each(|(to, from)| models[0][to] = host[from]);
            }
            1 => {
                let mut host = random(rng);
                let mut expected = host.clone();
                let view = HostViewMut::new(&mut host, shape)?.part(part(to))?;
                array.copy_part_to_host(from, view)?;
                pairs.for_each(|(to, from)| expected[to] = models[0][from]);
                assert_eq!(host, expected);
            }
            2 => {
                array.copy_part_from_view_on(to, pitched.part(part(from))?, &stream)?;
                let source = models[1].clone();
                pairs.for_each(|(to, from)| models[0][to] = source[from]);
            }
            3 => {
                array.copy_part_to_view_on(from, pitched.part_mut(part(to))?, &stream)?;
                let source = models[0].clone();
                pairs.for_each(|(to, from)| models[1][to] = source[from]);
            }
            4 => {
                let host = random(rng);
                let mut pinned = PinnedBuffer::from_slice(&host)?;
                let view = pinned.view(shape)?.part(part(from))?;
                array.copy_part_from_pinned_on(to, view, &stream)?;
                // After the copy; or the memory is freed after it.
                if rng.next_u32() & 1 == 0 {
                    pinned.fill([0, 0]);
                }
                pairs.for_each(|(to, from)| models[0][to] = host[from]);
            }
            5 => {
                let host = random(rng);
                let mut expected = host.clone();
                let mut pinned = PinnedBuffer::from_slice(&host)?;
                let view = pinned.view_mut(shape)?.part(part(to))?;
                array.copy_part_to_pinned_on(from, view, &stream)?;
                pairs.for_each(|(to, from)| expected[to] = models[0][from]);
                assert_eq!(*pinned, expected[..]);
            }
            _ => {
                let host = random(rng);
                other.copy_from_slice(&host)?;
                array.copy_part_from_array_on(to, &other, part(from), &stream)?;
                pairs.for_each(|(to, from)| models[0][to] = host[from]);
            }
        }
    }
    assert_eq!(array.to_vec()?, models[0]);
    assert_eq!(pitched.to_vec()?, models[1]);
    Ok(())
}

#[test]
fn boxes_of_arrays_of_all_dimensions() -> ptyx::Result<()> {
    let mut rng = rng();
    for _ in 0..4 {
        let mut side = || 1 + rng.below(9);
        let (a, b, c) = (side(), side(), side());
        copies::<D1, 1>(&mut rng, [a])?;
        copies::<D2, 2>(&mut rng, [a, b])?;
        copies::<D3, 3>(&mut rng, [a, b, c])?;
        copies::<D1Layered, 2>(&mut rng, [a, b])?;
        copies::<D2Layered, 3>(&mut rng, [a, b, c])?;
        copies::<CubeLayered, 3>(&mut rng, [12, b, b])?;
    }
    Ok(())
}

#[test]
fn boxes_beyond_an_array_are_refused() -> ptyx::Result<()> {
    let mut array = CudaArray::<f32>::zeroed([3, 4])?;
    let host = [1.0; 4];
    let host = HostView::new(&host, [2, 2])?;
    let message = array.copy_part_from_host([2, 1], host).unwrap_err().to_string();
    assert!(message.contains("[2..4, 1..3]") && message.contains("[3, 4]"), "{message}");
    let wrong = array.copy_part_from_host([usize::MAX, 0], host);
    assert!(matches!(wrong, Err(Error::OutOfBounds { .. })), "{wrong:?}");
    let (other, stream) = (CudaArray::<f32>::zeroed([3, 4])?, Stream::new()?);
    #[allow(clippy::reversed_empty_ranges)]
    let wrong = array.copy_part_from_array_on([0, 0], &other, [2..1, 0..1], &stream);
    assert!(matches!(wrong, Err(Error::OutOfBounds { .. })), "{wrong:?}");
    array.copy_part_from_array_on([0, 0], &other, [1..1, 0..4], &stream)?;
    assert_eq!(array.to_vec()?, [0.0; 12]);
    Ok(())
}
