//! Makes `counts[i] += 1` a compile error that names the method to use instead.
//!
//! rustc shows no custom message for an operator, but it shows the name of the missing trait.

use super::number::Atomic;
use super::types::AtomicValue;
use core::ops::{AddAssign, BitAndAssign, BitOrAssign, BitXorAssign, SubAssign};

macro_rules! refused {
    ($($operator:ident $method:ident $instead:ident $text:literal;)*) => {$(
        #[doc = $text]
        #[doc(hidden)]
        pub trait $instead {}

        impl<T: AtomicValue, V> $operator<V> for Atomic<T>
        where
            Atomic<T>: $instead,
        {
            fn $method(&mut self, _: V) {}
        }
    )*};
}

refused! {
    AddAssign add_assign UseFetchAdd "No type implements it: write `a[i].fetch_add(x)` for `a[i] += x`.";
    SubAssign sub_assign UseFetchSub "No type implements it: write `a[i].fetch_sub(x)` for `a[i] -= x`.";
    BitAndAssign bitand_assign UseFetchAnd "No type implements it: write `a[i].fetch_and(x)` for `a[i] &= x`.";
    BitOrAssign bitor_assign UseFetchOr "No type implements it: write `a[i].fetch_or(x)` for `a[i] |= x`.";
    BitXorAssign bitxor_assign UseFetchXor "No type implements it: write `a[i].fetch_xor(x)` for `a[i] ^= x`.";
}
