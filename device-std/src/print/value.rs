//! Values that a kernel can print.

use super::float::{self, Parts};
use super::{Format, Spec, spec_of};
use core::mem::MaybeUninit;

/// What a value is to `printf`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A signed integer.
    Signed,
    /// An unsigned integer.
    Unsigned,
    /// A float.
    Float,
    /// Text that ends with a zero.
    Text,
    /// One character, as text.
    Character,
    /// `true` or `false`, as text.
    Bool,
    /// An address.
    Pointer,
}

/// A value that a kernel can print.
#[diagnostic::on_unimplemented(
    message = "a kernel can't print `{Self}`",
    note = "kernels print integers of up to 64 bits, floats, `bool`, `char`, `&str` and raw pointers"
)]
pub trait Value {
    #[doc(hidden)]
    const KIND: Kind;
    /// Room for text made of the value, until it is printed.
    #[doc(hidden)]
    type Room;
    #[doc(hidden)]
    const ROOM: Self::Room;
    /// The 64 bits for `printf`.
    #[doc(hidden)]
    fn slot(&self, room: &mut Self::Room, spec: Spec) -> u64;
}

macro_rules! values {
    ($($type:ty: $kind:ident, $value:ident, $bits:ident => $slot:expr;)*) => {$(
        impl Value for $type {
            const KIND: Kind = Kind::$kind;
            type Room = ();
            const ROOM: () = ();

            #[inline(always)]
            fn slot(&self, _: &mut (), spec: Spec) -> u64 {
                // A negative number shows the bits of its own width.
                let $bits = spec.style.shows_bits();
                let $value = *self;
                $slot
            }
        }
    )*};
}

values! {
    u8: Unsigned, value, _bits => value.into();
    u16: Unsigned, value, _bits => value.into();
    u32: Unsigned, value, _bits => value.into();
    u64: Unsigned, value, _bits => value;
    usize: Unsigned, value, _bits => value as u64;
    i8: Signed, value, bits => if bits { value.cast_unsigned().into() } else { value as u64 };
    i16: Signed, value, bits => if bits { value.cast_unsigned().into() } else { value as u64 };
    i32: Signed, value, bits => if bits { value.cast_unsigned().into() } else { value as u64 };
    i64: Signed, value, _bits => value as u64;
    isize: Signed, value, _bits => value as u64;
    bool: Bool, value, _bits => {
        if value { c"true".as_ptr() as u64 } else { c"false".as_ptr() as u64 }
    };
}

macro_rules! floats {
    ($($type:ty, $mantissa:literal, $exponent:literal, $room:literal;)*) => {$(
        impl Value for $type {
            const KIND: Kind = Kind::Float;
            type Room = MaybeUninit<[u8; $room]>;
            const ROOM: Self::Room = MaybeUninit::uninit();

            #[inline(always)]
            fn slot(&self, room: &mut Self::Room, spec: Spec) -> u64 {
                if !spec.makes_text_of_floats() {
                    return f64::from(*self).to_bits();
                }
                let room = room.write([0; $room]);
                float::write(Parts::new(self.to_bits().into(), $mantissa, $exponent), spec, room);
                room.as_ptr() as u64
            }
        }
    )*};
}

// The rooms hold a sign, the digits before the point of the greatest number or the zeros behind that of
// the least, the most precision, and the end.
floats! {
    f32, 23, 8, 72;
    f64, 52, 11, 352;
}

impl<T> Value for *const T {
    const KIND: Kind = Kind::Pointer;
    type Room = ();
    const ROOM: () = ();

    #[inline(always)]
    fn slot(&self, _: &mut (), _: Spec) -> u64 {
        *self as u64
    }
}

impl<T> Value for *mut T {
    const KIND: Kind = Kind::Pointer;
    type Room = ();
    const ROOM: () = ();

    #[inline(always)]
    fn slot(&self, _: &mut (), _: Spec) -> u64 {
        *self as u64
    }
}

impl Value for char {
    const KIND: Kind = Kind::Character;
    /// The longest character in UTF-8 and a zero.
    type Room = [u8; 5];
    const ROOM: [u8; 5] = [0; 5];

    #[inline(always)]
    fn slot(&self, room: &mut [u8; 5], _: Spec) -> u64 {
        self.encode_utf8(&mut room[..4]);
        room.as_ptr() as u64
    }
}

/// Bytes of text that a kernel prints, with the zero at the end.
const TEXT_BYTES: usize = 128;

impl Value for str {
    const KIND: Kind = Kind::Text;
    type Room = MaybeUninit<[u8; TEXT_BYTES]>;
    const ROOM: Self::Room = MaybeUninit::uninit();

    /// Copies the text, since it has no zero at its end, up to the last character that fits.
    #[inline]
    fn slot(&self, room: &mut Self::Room, _: Spec) -> u64 {
        let mut len = self.len();
        if len >= TEXT_BYTES {
            len = TEXT_BYTES - 1;
            while !self.is_char_boundary(len) {
                len -= 1;
            }
        }
        let to = room.as_mut_ptr().cast::<u8>();
        // SAFETY: the text is as long, and the room is longer.
        unsafe {
            to.copy_from_nonoverlapping(self.as_ptr(), len);
            to.add(len).write(0);
        }
        to as u64
    }
}

impl<T: Value + ?Sized> Value for &T {
    const KIND: Kind = T::KIND;
    type Room = T::Room;
    const ROOM: T::Room = T::ROOM;

    #[inline(always)]
    fn slot(&self, room: &mut T::Room, spec: Spec) -> u64 {
        T::slot(self, room, spec)
    }
}

/// The values of one print: a tuple of references.
pub trait Values {
    #[doc(hidden)]
    const KINDS: &'static [Kind];
    /// Gives what `vprintf` takes to `consume`: the values, 64 bits each.
    #[doc(hidden)]
    fn with_slots<F: Format, R>(self, consume: impl FnOnce(&[u64]) -> R) -> R;
}

macro_rules! tuple {
    ($($name:ident $field:tt)*) => {
        impl<$($name: Value),*> Values for ($(&$name,)*) {
            const KINDS: &'static [Kind] = &[$($name::KIND),*];

            #[inline(always)]
            fn with_slots<Z: Format, R>(self, consume: impl FnOnce(&[u64]) -> R) -> R {
                let mut rooms = ($($name::ROOM,)*);
                let _ = &mut rooms;
                consume(&[$({
                    let spec = const { spec_of::<Z>($field) };
                    self.$field.slot(&mut rooms.$field, spec)
                }),*])
            }
        }
    };
}

/// A tuple of the first names, of one more, and so on.
macro_rules! tuples {
    ([$($taken:tt)*]) => { tuple! { $($taken)* } };
    ([$($taken:tt)*] $name:ident $field:tt $($rest:tt)*) => {
        tuple! { $($taken)* }
        tuples! { [$($taken)* $name $field] $($rest)* }
    };
}

tuples! { []
    V0 0 V1 1 V2 2 V3 3 V4 4 V5 5 V6 6 V7 7 V8 8 V9 9 V10 10 V11 11 V12 12 V13 13 V14 14 V15 15
    V16 16 V17 17 V18 18 V19 19 V20 20 V21 21 V22 22 V23 23 V24 24 V25 25 V26 26 V27 27 V28 28
    V29 29 V30 30 V31 31
}
