use super::*;
use core::cmp::{Ordering, Reverse};
use core::num::{NonZero, NonZeroU32, Saturating, Wrapping};
use core::time::Duration;
use std::vec::Vec;
use std::{format, vec};

/// What `make_valid` makes of these bytes, at a misaligned address.
fn value_of<T: DeviceCopy>(bytes: &[u8]) -> T {
    assert_eq!(bytes.len(), size_of::<T>(), "{}", core::any::type_name::<T>());
    let mut room = vec![0u8; size_of::<T>() + 64];
    let start = room.as_ptr().align_offset(32) + 1;
    room[start..][..bytes.len()].copy_from_slice(bytes);
    // SAFETY: in bounds and initialised; `make_valid` runs before the value is read as its type.
    unsafe {
        let place = room.as_mut_ptr().add(start).cast::<T>();
        T::make_valid(place);
        place.read_unaligned()
    }
}

/// The same, and what `is_valid` says before.
fn made<T: DeviceCopy>(bytes: &[u8]) -> (bool, T) {
    // SAFETY: in bounds and initialised.
    (unsafe { T::is_valid(bytes.as_ptr().cast()) }, value_of(bytes))
}

/// Values are valid.
fn valid<T: DeviceCopy + core::fmt::Debug>(values: &[T]) {
    for value in values {
        let mut place = MaybeUninit::<T>::zeroed();
        place.write(*value);
        // SAFETY: in bounds; bytes that the value leaves out are not looked at.
        assert!(unsafe { T::is_valid(place.as_ptr()) }, "{value:?}");
    }
}

/// Values stay as they are.
fn kept<T: DeviceCopy + core::fmt::Debug>(values: &[T]) {
    for value in values {
        let mut room = vec![0xEEu8; size_of::<T>() + 64];
        let start = room.as_ptr().align_offset(32) + 1;
        // SAFETY: as above.
        unsafe {
            let place = room.as_mut_ptr().add(start).cast::<T>();
            place.write_unaligned(*value);
            T::make_valid(place);
            // By text, for NaN is not equal to itself.
            assert_eq!(format!("{:?}", place.read_unaligned()), format!("{value:?}"));
        }
    }
}

/// Any bytes become a value, which can be looked at, and a value again.
fn any_bytes<T: DeviceCopy + core::fmt::Debug>() {
    let mut state = 0x2545_F491_4F6C_DD1Du64;
    for round in 0..200 {
        let bytes: Vec<u8> = (0..size_of::<T>())
            .map(|_| {
                state = layout_hash(state, 1);
                if round % 2 == 0 { (state % 4) as u8 } else { state as u8 }
            })
            .collect();
        let value = value_of::<T>(&bytes);
        let _ = format!("{value:?}");
        kept(&[value]);
    }
}

#[test]
fn invalid_bytes_become_values() {
    let mut value = MaybeUninit::<(bool, [char; 2], u16)>::zeroed();
    let pointer = value.as_mut_ptr();
    // SAFETY: in bounds, and `make_valid` runs before the value is read as its type.
    let value = unsafe {
        (&raw mut (*pointer).0).cast::<u8>().write(7);
        (&raw mut (*pointer).1).cast::<[u32; 2]>().write([0xD800, 'x' as u32]);
        (&raw mut (*pointer).2).write(9);
        DeviceCopy::make_valid(pointer);
        value.assume_init()
    };
    assert_eq!(value, (true, [char::REPLACEMENT_CHARACTER, 'x'], 9));
}

#[test]
fn layouts_tell_types_apart() {
    let layouts = [
        u32::LAYOUT,
        i32::LAYOUT,
        f32::LAYOUT,
        char::LAYOUT,
        <[u32; 1]>::LAYOUT,
        <[u32; 2]>::LAYOUT,
        u64::LAYOUT,
        usize::LAYOUT,
        <*const u32>::LAYOUT,
        <*mut u32>::LAYOUT,
        <(u32,)>::LAYOUT,
        <(u32, f32)>::LAYOUT,
        <(f32, u32)>::LAYOUT,
        <((u32, f32),)>::LAYOUT,
        <()>::LAYOUT,
        crate::vector::F32x2::LAYOUT,
        NonZeroU32::LAYOUT,
        Option::<u32>::LAYOUT,
        Option::<NonZeroU32>::LAYOUT,
        Wrapping::<u32>::LAYOUT,
        MaybeUninit::<u32>::LAYOUT,
        Ordering::LAYOUT,
    ];
    for (i, layout) in layouts.iter().enumerate() {
        assert!(!layouts[..i].contains(layout), "{i}");
    }
}

#[test]
fn zeroed_is_zero() {
    assert_eq!(<(u8, [f64; 3], bool)>::zeroed(), (0, [0.0; 3], false));
    assert_eq!(<[Option<u32>; 2]>::zeroed(), [None; 2]);
    assert_eq!(Option::<NonZeroU32>::zeroed(), None);
    assert_eq!(Option::<bool>::zeroed(), Some(false));
    assert_eq!(Duration::zeroed(), Duration::ZERO);
    assert_eq!(Ordering::zeroed(), Ordering::Equal);
}

#[test]
fn which_types_zeros_are_values_of() {
    const {
        assert!(!NonZeroU32::ZERO_IS_VALID);
        assert!(!<(u32, NonZeroU32)>::ZERO_IS_VALID);
        assert!(!<[NonZeroU32; 2]>::ZERO_IS_VALID && <[NonZeroU32; 0]>::ZERO_IS_VALID);
        assert!(!Wrapping::<NonZeroU32>::ZERO_IS_VALID);
        assert!(!Option::<(u32, NonZeroU32)>::ZERO_IS_VALID);
        assert!(!Result::<u32, u32>::ZERO_IS_VALID);
        assert!(MaybeUninit::<NonZeroU32>::ZERO_IS_VALID);
        assert!(Option::<Option<u32>>::ZERO_IS_VALID);
    }
}

#[test]
fn options_by_bytes() {
    assert_eq!(made::<Option<u32>>(&[1, 0, 0, 0, 5, 0, 0, 0]), (true, Some(5)));
    assert_eq!(made::<Option<u32>>(&[0, 0, 0, 0, 5, 0, 0, 0]), (true, None));
    assert_eq!(made::<Option<u32>>(&[1, 1, 0, 0, 5, 0, 0, 0]), (false, None));
    assert_eq!(made::<Option<[u8; 3]>>(&[1, 2, 3, 4]), (true, Some([2, 3, 4])));
    assert_eq!(made::<Option<[u8; 3]>>(&[7, 2, 3, 4]), (false, None));
    assert_eq!(made::<Option<bool>>(&[1]), (true, Some(true)));
    assert_eq!(made::<Option<bool>>(&[2]), (true, None));
    assert_eq!(made::<Option<bool>>(&[3]), (false, None));
    assert_eq!(made::<Option<Option<bool>>>(&[2]), (true, Some(None)));
    // The byte of the outer `None` depends on the compiler: 3 in Rust 1.95, 255 in 1.97.
    // SAFETY: an `Option<Option<bool>>` is one byte, which the niche makes initialised.
    let none: u8 = unsafe { core::mem::transmute(None::<Option<bool>>) };
    for byte in 3..=255 {
        assert_eq!(made::<Option<Option<bool>>>(&[byte]), (byte == none, None), "{byte}");
    }
    assert_eq!(made::<Option<NonZero<u16>>>(&[0, 0]), (true, None));
    assert_eq!(made::<Option<char>>(&[0, 0xD8, 0, 0]), (false, None));
    assert_eq!(
        made::<NonZero<i64>>(&[0; 8]),
        (false, NonZero::<i64>::MIN.saturating_abs().min(NonZero::new(1).unwrap()))
    );
    assert_eq!(made::<Ordering>(&[9]), (false, Ordering::Greater));
    assert_eq!(made::<Ordering>(&[255]), (true, Ordering::Less));
    let mut duration = [0; 16];
    duration[8..12].copy_from_slice(&1_000_000_005u32.to_ne_bytes());
    assert_eq!(made::<Duration>(&duration), (false, Duration::from_nanos(5)));
}

#[test]
fn values_stay_and_bytes_become_values() {
    macro_rules! check {
        ($($type:ty: $($value:expr),*;)*) => {$(
            valid::<$type>(&[$($value),*]);
            kept::<$type>(&[$($value),*]);
            any_bytes::<$type>();
        )*};
    }
    check! {
        bool: true, false;
        char: 'x', '\u{10FFFF}';
        Option<u8>: None, Some(0), Some(255);
        Option<i64>: None, Some(-1), Some(0);
        Option<u128>: None, Some(u128::MAX), Some(0);
        Option<f32>: None, Some(1.5);
        Option<()>: None, Some(());
        Option<bool>: None, Some(true), Some(false);
        Option<char>: None, Some('ß');
        Option<Ordering>: None, Some(Ordering::Less);
        Option<Option<bool>>: None, Some(None), Some(Some(true));
        Option<Option<Option<char>>>: None, Some(None), Some(Some(None)), Some(Some(Some('a')));
        Option<NonZeroU32>: None, NonZeroU32::new(3);
        Option<(u8, u32)>: None, Some((1, 2));
        Option<[u16; 3]>: None, Some([1, 2, 3]);
        Option<crate::vector::F32x4>: None, Some(crate::vector::F32x4::splat(2.0));
        Option<*const u8>: None, Some(core::ptr::null());
        (Option<u8>, bool, Option<f64>): (None, true, Some(2.5)), (Some(3), false, None);
        Wrapping<Saturating<NonZero<u8>>>: Wrapping(Saturating(NonZero::<u8>::MAX));
        Reverse<Option<char>>: Reverse(None), Reverse(Some('x'));
        (u8, u16, u32, u64, i8, i16, i32, i64, bool, char, f32, f64):
            (1, 2, 3, 4, 5, 6, 7, 8, true, 'x', 9.0, 10.0);
    }
    // Which of their bytes are `None` is not known, only which are no value.
    macro_rules! check_made {
        ($($type:ty: $($value:expr),*;)*) => {$(
            kept::<$type>(&[$($value),*]);
            any_bytes::<$type>();
        )*};
    }
    check_made! {
        Option<Option<u32>>: None, Some(None), Some(Some(7));
        Option<(bool, u32)>: None, Some((true, 2));
        Option<(u64, char)>: None, Some((1, 'x'));
        Option<[bool; 3]>: None, Some([true, false, true]);
        Option<Duration>: None, Some(Duration::from_millis(1500));
        [Option<NonZero<i128>>; 2]: [None, NonZero::new(-5)];
    }
}
