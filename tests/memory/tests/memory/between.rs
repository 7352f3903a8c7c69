//! Copies between every two kinds of memory: with conversion, of parts, and of boxes that extend beyond the source.
//!
//! Each pair of kinds is copied with one of the pairs of types, so that each kind meets all of these. With
//! `PTYX_TEST_ALL` set while this is compiled, each pair of kinds is copied with all of them: four times the code.

use half::f16;
use ptyx::device::texture::{D1, Texel};
use ptyx::prelude::*;
use ptyx::{
    ConvertTo, CopySource, CudaArray, DeviceArray, Error, GrowableBuffer, HostView, HostViewMut,
    ManagedBuffer, PitchedBuffer, TexelBox, copy, copy_as, copy_as_or, copy_or,
};
use ptyx_memory_tests::{Rng, rng};
use std::fmt::Debug;

/// What is copied: a box of rows of `columns` elements, which begins at `first` and has the shape `[rows, columns]`.
struct Case<'a, U, T> {
    elements: &'a [U],
    columns: usize,
    first: [isize; 2],
    shape: [usize; 2],
    outside: T,
}

impl<U: ConvertTo<T>, T: Copy> Case<'_, U, T> {
    fn wanted(&self) -> Vec<T> {
        let at = |i: usize| {
            let [row, column] = [i / self.shape[1], i % self.shape[1]];
            let row = usize::try_from(row as isize + self.first[0]).ok()?;
            let column = usize::try_from(column as isize + self.first[1]).ok()?;
            let element = self.elements.get(row * self.columns + column)?;
            (column < self.columns).then(|| element.convert())
        };
        (0..self.shape[0] * self.shape[1]).map(|i| at(i).unwrap_or(self.outside)).collect()
    }
}

/// Which of the kinds of memory is the source, and which of the pairs of types is copied.
struct Choice<const SOURCE: usize, const TYPES: usize>;

impl<const SOURCE: usize, const TYPES: usize> Choice<SOURCE, TYPES> {
    /// Whether this is copied to the destination of this number.
    const fn has(destination: usize) -> bool {
        option_env!("PTYX_TEST_ALL").is_some()
            || (SOURCE + destination + TYPES).is_multiple_of(PAIRS_OF_TYPES)
    }
}

/// What [`every_pair_of_kinds`] checks.
const PAIRS_OF_TYPES: usize = 4;

/// Copies to the destination of this number, and compares what it has then.
macro_rules! into {
    ($number:literal, $from:ident, $case:ident, $name:literal: $make:expr, |$memory:ident| $to:expr, $read:expr) => {
        if const { Choice::<SOURCE, TYPES>::has($number) } {
            let (source, (from, first)) = &$from;
            let first = *first;
            let mut $memory = $make;
            copy_as_or(from.clone(), first, $to, $case.outside).unwrap();
            assert_eq!($read, $case.wanted(), "{source} to {}", $name);
            // A box that is all of the source needs no value for what lies outside.
            let is_all =
                $case.first == [0, 0] && $case.elements.len() == $case.shape[0] * $case.shape[1];
            if is_all && $case.columns == $case.shape[1] {
                let mut $memory = $make;
                copy_as(from.clone(), $to).unwrap();
                assert_eq!($read, $case.wanted(), "all of {source} to {}", $name);
            }
        }
    };
}

fn to_each_of_two_axes<const SOURCE: usize, const TYPES: usize, U, T>(
    from: (&str, (impl CopySource<U, 2> + Clone, [isize; 2])),
    case: &Case<'_, U, T>,
) where
    U: ConvertTo<T>,
    T: Texel + PartialEq + Debug,
{
    let Case { shape: [rows, columns], outside, .. } = *case;
    let len = rows * columns;
    let buffer = || DeviceBuffer::filled(len, outside).unwrap();
    into!(0, from, case, "a box of the host": vec![outside; (rows + 2) * (columns + 1)],
        |memory| HostViewMut::new(&mut memory, [rows + 2, columns + 1]).unwrap().part([1..rows + 1, 1..columns + 1]).unwrap(),
        (0..len).map(|i| memory[(1 + i / columns) * (columns + 1) + 1 + i % columns]).collect::<Vec<_>>());
    into!(1, from, case, "a buffer": buffer(), |memory| memory.view_mut([rows, columns]), memory.to_vec().unwrap());
    into!(2, from, case, "managed memory": ManagedBuffer::filled(len, outside).unwrap(),
        |memory| memory.view_mut([rows, columns]), memory.to_vec());
    into!(3, from, case, "an array": DeviceArray::filled([rows, columns], outside).unwrap(),
        |memory| &mut memory, memory.to_vec().unwrap());
    into!(4, from, case, "a pitched array": PitchedBuffer::filled([rows, columns], outside).unwrap(),
        |memory| &mut memory, memory.to_vec().unwrap());
    into!(5, from, case, "a part of one": PitchedBuffer::filled([rows + 1, columns + 2], outside).unwrap(),
        |memory| memory.part_mut([1..rows + 1, 2..columns + 2]).unwrap(),
        memory.part([1..rows + 1, 2..columns + 2]).unwrap().to_vec().unwrap());
    into!(6, from, case, "a CUDA array": CudaArray::<T>::zeroed([rows, columns]).unwrap(),
        |memory| &mut memory, memory.to_vec().unwrap());
    let level = || TexelBox::in_level(1, [1..rows + 1, 0..columns]);
    into!(7, from, case, "a box of a level": CudaArray::<T>::zeroed_with_levels([2 * rows + 2, 2 * columns], 2).unwrap(),
        |memory| (&mut memory, level()), memory.level_to_vec(1).unwrap()[columns..].to_vec());
}

fn from_each_of_two_axes<const TYPES: usize, U, T>(case: &Case<'_, U, T>)
where
    U: Texel + ConvertTo<T>,
    T: Texel + PartialEq + Debug,
{
    let Case { elements, columns, first, .. } = *case;
    let shape = [elements.len() / columns, columns];
    let [all, more] = [[0..shape[0], 0..columns], [0..shape[0], 0..columns + 1]];
    let host = HostView::new(elements, shape).unwrap();
    to_each_of_two_axes::<0, TYPES, _, _>(("host memory", (host, first)), case);
    // One more column, which is no part of the source.
    let rows = elements.chunks(columns);
    let wide: Vec<U> = rows.flat_map(|row| row.iter().chain(&row[..1]).copied()).collect();
    let part = HostView::new(&wide, [shape[0], columns + 1]).unwrap().part(all.clone()).unwrap();
    to_each_of_two_axes::<1, TYPES, _, _>(("a box of the host", (part, first)), case);
    let buffer = DeviceBuffer::from_slice(elements).unwrap();
    to_each_of_two_axes::<2, TYPES, _, _>(("a buffer", (buffer.view(shape), first)), case);
    let managed = ManagedBuffer::from_slice(elements).unwrap();
    to_each_of_two_axes::<3, TYPES, _, _>(("managed memory", (managed.view(shape), first)), case);
    let array = DeviceArray::from_slice(elements, shape).unwrap();
    to_each_of_two_axes::<4, TYPES, _, _>(("an array", (&array, first)), case);
    let pitched = PitchedBuffer::from_slice(&wide, [shape[0], columns + 1]).unwrap();
    to_each_of_two_axes::<5, TYPES, _, _>(
        ("a part of a pitched array", (pitched.part(all.clone()).unwrap(), first)),
        case,
    );
    let texels = CudaArray::<U>::from_slice(elements, shape).unwrap();
    to_each_of_two_axes::<6, TYPES, _, _>(("a CUDA array", (&texels, first)), case);
    let mut levels =
        CudaArray::<U>::zeroed_with_levels([2 * shape[0], 2 * columns + 2], 2).unwrap();
    copy(
        HostView::new(&wide, [shape[0], columns + 1]).unwrap(),
        (&mut levels, TexelBox::in_level(1, more)),
    )
    .unwrap();
    to_each_of_two_axes::<7, TYPES, _, _>(
        ("a box of a level", ((&levels, TexelBox::in_level(1, all)), first)),
        case,
    );
}

fn to_each_of_one_axis<const SOURCE: usize, const TYPES: usize, U, T>(
    from: (&str, (impl CopySource<U, 1> + Clone, [isize; 1])),
    case: &Case<'_, U, T>,
) where
    U: ConvertTo<T>,
    T: Texel + PartialEq + Debug,
{
    let Case { shape: [_, len], outside, .. } = *case;
    into!(0, from, case, "a slice": vec![outside; len], |memory| &mut memory[..], memory);
    into!(1, from, case, "a vector": vec![outside; len], |memory| &mut memory, memory);
    into!(2, from, case, "pinned memory": PinnedBuffer::from_slice(&vec![outside; len]).unwrap(), |memory| &mut memory, memory.to_vec());
    into!(3, from, case, "a buffer": DeviceBuffer::filled(len, outside).unwrap(), |memory| &mut memory, memory.to_vec().unwrap());
    into!(4, from, case, "a part of one": DeviceBuffer::filled(len + 3, outside).unwrap(),
        |memory| memory.slice_mut(1..len + 1), memory.slice(1..len + 1).to_vec().unwrap());
    into!(5, from, case, "managed memory": ManagedBuffer::filled(len, outside).unwrap(), |memory| &mut memory, memory.to_vec());
    into!(6, from, case, "growable memory": growable(&vec![outside; len]), |memory| &mut memory, memory.to_vec().unwrap());
    into!(7, from, case, "a CUDA array": CudaArray::<T, D1>::zeroed([len]).unwrap(), |memory| &mut memory, memory.to_vec().unwrap());
}

fn growable<T: Texel>(elements: &[T]) -> GrowableBuffer<T> {
    let mut buffer = GrowableBuffer::with_capacity(1000).unwrap();
    buffer.extend_from_slice(elements).unwrap();
    buffer
}

fn from_each_of_one_axis<const TYPES: usize, U, T>(case: &Case<'_, U, T>)
where
    U: Texel + ConvertTo<T>,
    T: Texel + PartialEq + Debug,
{
    let (elements, first) = (case.elements, [case.first[1]]);
    to_each_of_one_axis::<0, TYPES, _, _>(("a slice", (elements, first)), case);
    to_each_of_one_axis::<1, TYPES, _, _>(("a vector", (&elements.to_vec(), first)), case);
    let pinned = PinnedBuffer::from_slice(elements).unwrap();
    to_each_of_one_axis::<2, TYPES, _, _>(("pinned memory", (&pinned, first)), case);
    let buffer = DeviceBuffer::from_slice(elements).unwrap();
    to_each_of_one_axis::<3, TYPES, _, _>(("a buffer", (&buffer, first)), case);
    to_each_of_one_axis::<4, TYPES, _, _>(("a part of one", (buffer.as_slice(), first)), case);
    let managed = ManagedBuffer::from_slice(elements).unwrap();
    to_each_of_one_axis::<5, TYPES, _, _>(("managed memory", (&managed, first)), case);
    to_each_of_one_axis::<6, TYPES, _, _>(("growable memory", (&growable(elements), first)), case);
    let texels = CudaArray::<U, D1>::from_slice(elements, [elements.len()]).unwrap();
    to_each_of_one_axis::<7, TYPES, _, _>(("a CUDA array", (&texels, first)), case);
}

/// Every pair, of boxes at random places and of the whole source.
fn check<const TYPES: usize, U, T>(rng: &mut Rng, mut make: impl FnMut(&mut Rng) -> U, outside: T)
where
    U: Texel + ConvertTo<T>,
    T: Texel + PartialEq + Debug,
{
    for round in 0..3 {
        let of = [1 + rng.below(7), 1 + rng.below(20)];
        let elements = rng.vec(of[0] * of[1], &mut make);
        let mut first = [(); 2].map(|()| rng.below(16) as isize - 8);
        let mut shape = [1 + rng.below(9), 1 + rng.below(25)];
        if round == 0 {
            (first, shape) = ([0, 0], of);
        }
        let case = Case { elements: &elements, columns: of[1], first, shape, outside };
        from_each_of_two_axes::<TYPES, _, _>(&case);
        let case =
            Case { columns: elements.len(), first: [0, first[1]], shape: [1, shape[1]], ..case };
        from_each_of_one_axis::<TYPES, _, _>(&case);
        let case = Case { first: [0, 0], shape: [1, elements.len()], ..case };
        from_each_of_one_axis::<TYPES, _, _>(&case);
    }
}

#[test]
fn every_pair_of_kinds() {
    let mut rng = rng();
    check::<0, _, _>(&mut rng, |rng| rng.next_u32() as u8, -1.5f32);
    check::<1, _, _>(&mut rng, |rng| (rng.next_f32() - 0.5) * 1e5, 7i16);
    check::<2, _, _>(&mut rng, |rng| f16::from_f32(rng.next_f32() * 1000.0), 9u32);
    check::<3, _, _>(&mut rng, |rng| rng.next_u32() as i32, 1i32);
}

#[test]
fn other_types_and_mistakes() {
    // No numbers, and nothing to convert.
    let pairs = DeviceBuffer::from_slice(&[(1u8, true), (2, false)]).unwrap();
    let mut around = [(0, false); 4];
    copy_or(&pairs, [-1], &mut around, (9, true)).unwrap();
    assert_eq!(around, [(9, true), (1, true), (2, false), (9, true)]);
    let mut other = DeviceBuffer::filled(2, (0u8, false)).unwrap();
    copy(&around[1..3], &mut other).unwrap();
    assert_eq!(other.to_vec().unwrap(), [(1, true), (2, false)]);

    let error = copy(&around, &mut other).unwrap_err();
    assert!(matches!(error, Error::Shapes { .. }), "{error}");
    let array = CudaArray::<u8>::zeroed([4, 4]).unwrap();
    let mut host = [1u8; 8];
    let target = HostViewMut::new(&mut host, [2, 4]).unwrap();
    let error = copy((&array, [3..5, 0..4]), target).unwrap_err();
    assert!(matches!(error, Error::OutOfBounds { .. }), "{error}");
    let target = HostViewMut::new(&mut host, [2, 4]).unwrap();
    let error = copy((&array, TexelBox::in_level(1, [0..2, 0..4])), target).unwrap_err();
    assert!(matches!(error, Error::Texture(_)), "{error}");
    assert_eq!(host, [1; 8]);
    // A view that is larger than its buffer.
    let buffer = DeviceBuffer::<u8>::zeroed(7).unwrap();
    let target = HostViewMut::new(&mut host, [2, 4]).unwrap();
    let error = copy(buffer.view([2, 4]), target).unwrap_err();
    assert!(matches!(error, Error::Shape { .. }), "{error}");
    // All of it lies outside.
    copy_or(&buffer, [100], &mut host, 3).unwrap();
    assert_eq!(host, [3; 8]);
}
