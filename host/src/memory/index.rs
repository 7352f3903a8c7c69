//! Makes `buffer[0]` on the host a compile error with an explanation: device memory is copied, not indexed.

use super::{DeviceBuffer, DeviceSlice, DeviceSliceMut};
use core::ops::{Index, IndexMut};

/// Device memory whose elements the host can access in place. No type implements this.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the host can't index device memory",
    label = "its elements are on the device",
    note = "to read, copy: `buffer.to_vec()?[i]`, or `buffer.slice(i..i + 1).to_vec()?[0]` for one element",
    note = "to write, copy: `buffer.slice_mut(i..i + 1).copy_from_slice(&[value])?`",
    note = "a kernel can index it: pass `&buffer` or `&mut buffer`"
)]
pub trait IndexedOnTheHost {}

macro_rules! refused {
    ($(($($life:lifetime)?) $type:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($life,)? T, I> Index<I> for $type
        where
            $type: IndexedOnTheHost,
        {
            type Output = T;

            fn index(&self, _: I) -> &T {
                unreachable!("no type is `IndexedOnTheHost`")
            }
        }

        #[diagnostic::do_not_recommend]
        impl<$($life,)? T, I> IndexMut<I> for $type
        where
            $type: IndexedOnTheHost,
        {
            fn index_mut(&mut self, _: I) -> &mut T {
                unreachable!("no type is `IndexedOnTheHost`")
            }
        }
    )*};
}

refused! {
    () DeviceBuffer<T>;
    ('a) DeviceSlice<'a, T>;
    ('a) DeviceSliceMut<'a, T>;
}
