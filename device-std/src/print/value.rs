//! Values that a kernel can print.

use super::{Format, style_of};

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
    /// The 64 bits for `printf`; `bits`: a negative number shows the bits of its own width.
    #[doc(hidden)]
    fn slot(&self, room: &mut Self::Room, bits: bool) -> u64;
}

macro_rules! values {
    ($($type:ty: $kind:ident, $value:ident, $bits:ident => $slot:expr;)*) => {$(
        impl Value for $type {
            const KIND: Kind = Kind::$kind;
            type Room = ();
            const ROOM: () = ();

            #[inline(always)]
            fn slot(&self, _: &mut (), $bits: bool) -> u64 {
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
    f32: Float, value, _bits => f64::from(value).to_bits();
    f64: Float, value, _bits => value.to_bits();
    bool: Bool, value, _bits => {
        if value { c"true".as_ptr() as u64 } else { c"false".as_ptr() as u64 }
    };
}

impl<T> Value for *const T {
    const KIND: Kind = Kind::Pointer;
    type Room = ();
    const ROOM: () = ();

    #[inline(always)]
    fn slot(&self, _: &mut (), _: bool) -> u64 {
        *self as u64
    }
}

impl<T> Value for *mut T {
    const KIND: Kind = Kind::Pointer;
    type Room = ();
    const ROOM: () = ();

    #[inline(always)]
    fn slot(&self, _: &mut (), _: bool) -> u64 {
        *self as u64
    }
}

impl Value for char {
    const KIND: Kind = Kind::Character;
    /// The longest character in UTF-8 and a zero.
    type Room = [u8; 5];
    const ROOM: [u8; 5] = [0; 5];

    #[inline(always)]
    fn slot(&self, room: &mut [u8; 5], _: bool) -> u64 {
        self.encode_utf8(&mut room[..4]);
        room.as_ptr() as u64
    }
}

/// Bytes of text that a kernel prints, with the zero at the end.
const TEXT_BYTES: usize = 128;

impl Value for str {
    const KIND: Kind = Kind::Text;
    type Room = [u8; TEXT_BYTES];
    const ROOM: [u8; TEXT_BYTES] = [0; TEXT_BYTES];

    /// Copies the text, since it has no zero at its end.
    #[inline]
    fn slot(&self, room: &mut [u8; TEXT_BYTES], _: bool) -> u64 {
        for (to, &from) in room[..TEXT_BYTES - 1].iter_mut().zip(self.as_bytes()) {
            *to = from;
        }
        // A character that did not fit whole goes.
        let mut end = TEXT_BYTES - 1;
        while self.len() > end && !self.is_char_boundary(end) {
            end -= 1;
            room[end] = 0;
        }
        room.as_ptr() as u64
    }
}

impl<T: Value + ?Sized> Value for &T {
    const KIND: Kind = T::KIND;
    type Room = T::Room;
    const ROOM: T::Room = T::ROOM;

    #[inline(always)]
    fn slot(&self, room: &mut T::Room, bits: bool) -> u64 {
        T::slot(self, room, bits)
    }
}

/// The values of one print: a tuple of references.
pub trait Values {
    #[doc(hidden)]
    const KINDS: &'static [Kind];
    /// Gives what `vprintf` takes to `consume`: the values, 64 bits each.
    #[doc(hidden)]
    fn with_slots<F: Format, R>(self, consume: impl FnOnce(&[u64]) -> R) -> R;
    /// Prints in a C format.
    #[doc(hidden)]
    fn print<F: Format>(self, format: *const u8);
}

macro_rules! tuples {
    ($(($($name:ident $field:tt),*))*) => {$(
        impl<$($name: Value),*> Values for ($(&$name,)*) {
            const KINDS: &'static [Kind] = &[$($name::KIND),*];

            #[inline(always)]
            fn with_slots<Z: Format, R>(self, consume: impl FnOnce(&[u64]) -> R) -> R {
                let mut rooms = ($($name::ROOM,)*);
                let _ = &mut rooms;
                consume(&[$(self.$field.slot(&mut rooms.$field, const { style_of::<Z>($field).shows_bits() })),*])
            }

            #[inline(always)]
            fn print<Z: Format>(self, format: *const u8) {
                self.with_slots::<Z, _>(|slots| {
                    // SAFETY: the format was made for the kinds of the values, which lie one after
                    // the other; text in them ends with a zero and lives until the call returns.
                    unsafe { crate::intrinsics::vprintf(format, slots.as_ptr().cast()) };
                });
            }
        }
    )*};
}

tuples! {
    ()
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13, O 14)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13, O 14, P 15)
}
