//! Element types people have: in buffers, by-value arguments, shared memory and shuffles.

use core::cmp::{Ordering, Reverse};
use core::fmt::Debug;
use core::mem::MaybeUninit;
use core::num::{NonZero, NonZeroU32, Saturating, Wrapping};
use core::time::Duration;
use ptyx::prelude::*;

/// Reverses a block through shared memory, and hands each value round its warp, between.
#[kernel]
fn travels<T: DeviceCopy>(x: &[T], odd: T, mut y: Disjoint<T>) {
    let tile = shared!([T; 64]);
    let t = thread::x() as usize;
    let i = thread::index_1d();
    // SAFETY: each thread writes its own element, and reads another's behind the barrier.
    let value = unsafe {
        tile.at(t).write(x[i.get()]);
        block::sync();
        tile.at(63 - t).read()
    };
    let value = warp::shuffle_xor(warp::FULL, value, 5);
    y[i] = if t % 7 == 3 { odd } else { value };
}

/// Of any type; what the host makes of the same, byte for byte as far as `Debug` shows.
fn check<T: DeviceCopy + Send + Debug>(values: &[T]) {
    let x: Vec<T> = (0..64).map(|i| values[i * 7 % values.len()]).collect();
    let odd = values[values.len() - 1];
    let device = DeviceBuffer::from_slice(&x).unwrap();
    let mut y = DeviceBuffer::filled(64, values[0]).unwrap();
    launch!(travels::<T><<<1, 64>>>(&device, odd, &mut y)).unwrap();
    let want: Vec<T> = (0..64).map(|t| if t % 7 == 3 { odd } else { x[63 - (t ^ 5)] }).collect();
    let name = core::any::type_name::<T>();
    assert_eq!(format!("{:?}", y.to_vec().unwrap()), format!("{want:?}"), "{name}");
}

#[test]
fn types_of_core() {
    check(&[None, Some(1u32), Some(0)]);
    check(&[None, Some(1.5f64)]);
    check(&[None, Some(true), Some(false)]);
    check(&[None, Some('x')]);
    check(&[None, Some((1u8, 2u32))]);
    check(&[[None, NonZeroU32::new(3)], [NonZeroU32::new(1), None]]);
    check(&[NonZero::<i64>::MIN, NonZero::<i64>::MAX]);
    check(&[Wrapping(3u8), Wrapping(200)]);
    check(&[Saturating(-3i16), Saturating(i16::MAX)]);
    check(&[Ordering::Less, Ordering::Equal, Ordering::Greater]);
    check(&[Reverse(1u8), Reverse(2)]);
    check(&[Duration::from_nanos(1_500_000_001), Duration::MAX]);
    check(&[(1u8, 2u16, 3u32, 4u64, 5i8, 6i16, 7i32, 8i64, true, 'x', 1.5f32, 2.5f64)]);
}

#[test]
fn maybe_uninit() {
    let x =
        DeviceBuffer::from_slice(&[MaybeUninit::new([1u32, 2]), MaybeUninit::uninit()]).unwrap();
    // SAFETY: the first was written.
    assert_eq!(unsafe { x.to_vec().unwrap()[0].assume_init() }, [1, 2]);
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
enum Plain {
    First,
    Second = 7,
    Third,
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
#[repr(i16)]
enum Negative {
    Below = -300,
    Above {} = 2,
    Behind(),
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
enum Lone {
    Only,
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
#[repr(u8)]
enum Shape<T: DeviceCopy> {
    Circle { radius: T } = 3,
    Square(T, bool),
    Nothing = 0,
    Text([char; 2], Plain),
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
#[repr(C)]
enum AsInC {
    Small(u8),
    Large(u8, f64),
    Empty,
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
#[repr(C, u16)]
enum InCWithTag {
    Flag(bool) = 500,
    Pair(u8, Option<NonZeroU32>),
}

/// Rust does not say how it lies in memory, so it can be anywhere but in a shuffle.
#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
enum Secret {
    Nothing,
    Number(u32),
    Letter(char),
}

#[derive(Clone, Copy, DeviceCopy)]
#[repr(Rust, packed)]
struct Packed<T: DeviceCopy>(u8, T, bool, char);

impl<T: DeviceCopy + Debug> Debug for Packed<T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self(a, b, c, d) = *self;
        (a, b, c, d).fmt(f)
    }
}

#[derive(Clone, Copy, Debug, DeviceCopy)]
#[repr(align(64))]
struct Aligned<const N: usize = 2> {
    pair: [Option<bool>; N],
    generic: Twice<char, u8>,
}

#[derive(Clone, Copy, Debug, DeviceCopy)]
#[repr(transparent)]
struct Only<T>(T);

#[derive(Clone, Copy, Debug, DeviceCopy)]
struct Unit;

#[derive(Clone, Copy, Debug, DeviceCopy)]
pub(crate) struct Twice<A, B>
where
    A: Debug,
{
    a: A,
    b: B,
}

/// Structs and enums as macros make them: fragments come in groups.
macro_rules! made {
    ($(#[$meta:meta])* $visible:vis $name:ident($($field_visible:vis $field:ty),*) $inner:vis $named:ident $member:ident: $type:ty, $repr:ident $choice:ident $variant:ident $data:ty) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, DeviceCopy)]
        $visible struct $name($($field_visible $field),*);

        #[derive(Clone, Copy, Debug, DeviceCopy)]
        $visible struct $named {
            $inner $member: $type,
        }

        #[derive(Clone, Copy, Debug, DeviceCopy)]
        #[repr($repr)]
        #[allow(dead_code)]
        $visible enum $choice {
            Other,
            $variant($data),
        }
    };
}

made! { #[repr(C)] pub(crate) MadeTuple(pub f32, u32, pub(crate) (u8, u8), (bool, char)) pub MadeStruct x: Twice<u8, char>, u32 MadeEnum Full [Twice<u8, char>; 2] }

#[test]
fn derived_types() {
    check(&[Plain::First, Plain::Second, Plain::Third]);
    check(&[Negative::Below, Negative::Above {}, Negative::Behind()]);
    check(&[Lone::Only]);
    check(&[
        Shape::Circle { radius: 1.5f32 },
        Shape::Square(2.5, true),
        Shape::Nothing,
        Shape::Text(['a', 'b'], Plain::Third),
    ]);
    check(&[AsInC::Small(1), AsInC::Large(2, 3.5), AsInC::Empty]);
    check(&[
        InCWithTag::Flag(true),
        InCWithTag::Pair(1, None),
        InCWithTag::Pair(2, NonZero::new(3)),
    ]);
    check(&[Packed(1, 2u64, true, 'x'), Packed(3, 4, false, 'y')]);
    check(&[Aligned { pair: [None, Some(true)], generic: Twice { a: 'x', b: 1 } }]);
    check(&[Only(None), Only(Some(Plain::Second))]);
    check(&[Some(Shape::Square(1u8, false)), None, Some(Shape::Nothing)]);
    check(&[Unit]);
    check(&[MadeTuple(1.5, 2, (3, 4), (true, 'x'))]);
    check(&[MadeStruct { x: Twice { a: 1, b: 'x' } }]);
    check(&[MadeEnum::Other, MadeEnum::Full([Twice { a: 1, b: 'x' }; 2])]);
}

#[kernel]
fn counts_numbers(x: &[Secret], one: Secret, mut y: Disjoint<Secret>) {
    let tile = shared!([Secret; 32]);
    let i = thread::index_1d();
    // SAFETY: each thread its own element.
    let value = unsafe {
        tile.at(i.get()).write(x[i.get()]);
        tile.at(i.get()).read()
    };
    y[i] = match (value, one) {
        (Secret::Number(number), Secret::Number(one)) => Secret::Number(number + one),
        (Secret::Nothing, _) => Secret::Letter('n'),
        (other, _) => other,
    };
}

#[test]
fn enums_of_unknown_layout() {
    let x: Vec<Secret> = (0..32)
        .map(|i| match i % 3 {
            0 => Secret::Nothing,
            1 => Secret::Number(i),
            _ => Secret::Letter('x'),
        })
        .collect();
    let device = DeviceBuffer::from_slice(&x).unwrap();
    let mut y = DeviceBuffer::filled(32, Secret::Nothing).unwrap();
    launch!(counts_numbers<<<1, 32>>>(&device, Secret::Number(100), &mut y)).unwrap();
    for (i, got) in y.to_vec().unwrap().into_iter().enumerate() {
        let want = match i % 3 {
            0 => Secret::Letter('n'),
            1 => Secret::Number(i as u32 + 100),
            _ => Secret::Letter('x'),
        };
        assert_eq!(got, want);
    }
}

/// What `make_valid` makes of bytes at a misaligned address.
fn made<T: DeviceCopy>(bytes: &[u8]) -> T {
    assert_eq!(bytes.len(), size_of::<T>());
    let mut room = vec![0u8; size_of::<T>() + 64];
    let start = room.as_ptr().align_offset(32) + 1;
    room[start..][..bytes.len()].copy_from_slice(bytes);
    // SAFETY: in bounds and initialised; `make_valid` runs before the value is read as its type.
    unsafe {
        let place = room.as_mut_ptr().add(start).cast::<T>();
        T::make_valid(place);
        assert!(T::is_valid(place));
        place.read_unaligned()
    }
}

#[test]
fn bytes_become_values_of_derived_types() {
    assert_eq!(made::<Plain>(&[8]), Plain::Third);
    assert_eq!(made::<Plain>(&[1]), Plain::First);
    assert_eq!(made::<Negative>(&3i16.to_ne_bytes()), Negative::Behind());
    assert_eq!(made::<Negative>(&4i16.to_ne_bytes()), Negative::Below);
    let mut shape = [0; size_of::<Shape<f32>>()];
    assert_eq!(made::<Shape<f32>>(&shape), Shape::Nothing);
    (shape[0], shape[1]) = (4, 9);
    shape[4..8].copy_from_slice(&2.5f32.to_ne_bytes());
    let Shape::Square(2.5, _) = made::<Shape<f32>>(&shape) else { panic!() };
    shape[0] = 77;
    assert_eq!(made::<Shape<f32>>(&shape), Shape::Circle { radius: 2.5 });
    let mut random = random_numbers();
    for _ in 0..300 {
        let bytes: Vec<u8> = (0..64).map(|_| random() as u8 % 9).collect();
        let shown = format!(
            "{:?} {:?} {:?} {:?} {:?} {:?}",
            made::<Shape<u64>>(&bytes[..size_of::<Shape<u64>>()]),
            made::<AsInC>(&bytes[..size_of::<AsInC>()]),
            made::<InCWithTag>(&bytes[..size_of::<InCWithTag>()]),
            made::<Packed<Option<char>>>(&bytes[..size_of::<Packed<Option<char>>>()]),
            made::<Aligned<3>>(&bytes[..size_of::<Aligned<3>>()]),
            made::<MadeTuple>(&bytes[..size_of::<MadeTuple>()]),
        );
        assert!(shown.len() > 20);
    }
}

/// The same numbers each time.
fn random_numbers() -> impl FnMut() -> u32 {
    let mut state = 1u64;
    move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as u32
    }
}

#[test]
fn zeroed_buffers() {
    let plain = DeviceBuffer::<Plain>::zeroed(3).unwrap();
    assert_eq!(plain.to_vec().unwrap(), [Plain::First; 3]);
    let shapes = DeviceBuffer::<Shape<u32>>::zeroed(2).unwrap();
    assert_eq!(shapes.to_vec().unwrap(), [Shape::Nothing; 2]);
    let options = DeviceBuffer::<Option<NonZeroU32>>::zeroed(2).unwrap();
    assert_eq!(options.to_vec().unwrap(), [None; 2]);
    let pinned = PinnedBuffer::from_slice(&[NonZeroU32::MAX; 2]).unwrap();
    assert_eq!(pinned[..], [NonZeroU32::MAX; 2]);
    const {
        assert!(!Negative::ZERO_IS_VALID && !InCWithTag::ZERO_IS_VALID && !Secret::ZERO_IS_VALID);
        assert!(AsInC::ZERO_IS_VALID && Lone::ZERO_IS_VALID);
    }
}
