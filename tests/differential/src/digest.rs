//! Digests of values: what two sides compare.

use crate::library::canonical;

/// A value that can be mixed into a word.
pub trait Digest {
    /// Mixes the value into `h`; every bit of the value matters, but for the NaNs, which are one.
    fn digest(&self, h: &mut u64);
}

/// Mixes a word into another.
fn mix(h: &mut u64, word: u64) {
    *h = (*h ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29) ^ (word >> 7);
}

macro_rules! digests {
    ($($type:ty: $words:expr;)*) => {$(
        impl Digest for $type {
            fn digest(&self, h: &mut u64) {
                let words: fn($type) -> _ = $words;
                for word in words(*self) {
                    mix(h, word);
                }
            }
        }
    )*};
}

digests! {
    u8: |x| [x.into()];
    i8: |x| [x as u64];
    u16: |x| [x.into()];
    i16: |x| [x as u64];
    u32: |x| [x.into()];
    i32: |x| [x as u64];
    u64: |x| [x];
    i64: |x| [x as u64];
    usize: |x| [x as u64];
    isize: |x| [x as u64];
    u128: |x| [x as u64, (x >> 64) as u64];
    i128: |x| [x as u64, (x >> 64) as u64];
    f32: |x| [canonical(x).to_bits().into()];
    f64: |x| [canonical(x).to_bits()];
    bool: |x| [x.into()];
    char: |x| [x.into()];
}

impl<T: Digest + ?Sized> Digest for &T {
    fn digest(&self, h: &mut u64) {
        (**self).digest(h);
    }
}

impl<T: Digest> Digest for [T] {
    fn digest(&self, h: &mut u64) {
        self.iter().for_each(|element| element.digest(h));
    }
}

impl<T: Digest, const N: usize> Digest for [T; N] {
    fn digest(&self, h: &mut u64) {
        self[..].digest(h);
    }
}

impl<T: Digest> Digest for Option<T> {
    fn digest(&self, h: &mut u64) {
        match self {
            Some(value) => {
                mix(h, 1);
                value.digest(h);
            }
            None => mix(h, 2),
        }
    }
}

impl<T: Digest, E: Digest> Digest for Result<T, E> {
    fn digest(&self, h: &mut u64) {
        match self {
            Ok(value) => {
                mix(h, 4);
                value.digest(h);
            }
            Err(error) => {
                mix(h, 5);
                error.digest(h);
            }
        }
    }
}

macro_rules! tuples {
    ($(($($name:ident $field:tt),*))*) => {$(
        impl<$($name: Digest),*> Digest for ($($name,)*) {
            fn digest(&self, h: &mut u64) {
                mix(h, 3);
                $(self.$field.digest(h);)*
            }
        }
    )*};
}

tuples! {
    ()
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
}
