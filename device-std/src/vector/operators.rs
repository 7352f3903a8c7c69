//! Operators of vectors: element by element, with another vector or with one number for all elements.

use super::*;
use core::ops::{
    Add, AddAssign, BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Div, DivAssign,
    Mul, MulAssign, Neg, Not, Rem, RemAssign, Shl, ShlAssign, Shr, ShrAssign, Sub, SubAssign,
};

/// Operators of some types, by what the elements are.
macro_rules! operators {
    (float: $($name:ident = [$element:ty; $count:literal];)*) => {$(
        operators! { @arithmetic $name $element, $count }
        operators! { @unary $name $count: Neg neg }
    )*};
    (signed: $($name:ident = [$element:ty; $count:literal];)*) => {$(
        operators! { @arithmetic $name $element, $count }
        operators! { @bits $name $element, $count }
        operators! { @unary $name $count: Neg neg }
    )*};
    (unsigned: $($name:ident = [$element:ty; $count:literal];)*) => {$(
        operators! { @arithmetic $name $element, $count }
        operators! { @bits $name $element, $count }
    )*};
    (@arithmetic $name:ident $element:ty, $count:literal) => {
        operators! { @binary $name $element, $count:
            Add add AddAssign add_assign;
            Sub sub SubAssign sub_assign;
            Mul mul MulAssign mul_assign;
            Div div DivAssign div_assign;
            Rem rem RemAssign rem_assign;
        }
    };
    (@bits $name:ident $element:ty, $count:literal) => {
        operators! { @binary $name $element, $count:
            BitAnd bitand BitAndAssign bitand_assign;
            BitOr bitor BitOrAssign bitor_assign;
            BitXor bitxor BitXorAssign bitxor_assign;
            Shl shl ShlAssign shl_assign;
            Shr shr ShrAssign shr_assign;
        }
        operators! { @unary $name $count: Not not }
    };
    (@unary $name:ident $count:literal: $trait:ident $method:ident) => {
        impl $trait for $name {
            type Output = Self;

            #[inline(always)]
            #[track_caller]
            fn $method(self) -> Self {
                let mut result = self.0;
                let mut i = 0;
                while i < $count {
                    result[i] = $trait::$method(result[i]);
                    i += 1;
                }
                Self(result)
            }
        }
    };
    (@binary $name:ident $element:ty, $count:literal:
        $($trait:ident $method:ident $assign:ident $assign_method:ident;)*) => {$(
        impl $trait for $name {
            type Output = Self;

            #[inline(always)]
            #[track_caller]
            fn $method(self, other: Self) -> Self {
                let mut result = self.0;
                let mut i = 0;
                while i < $count {
                    result[i] = $trait::$method(result[i], other.0[i]);
                    i += 1;
                }
                Self(result)
            }
        }

        impl $trait<$element> for $name {
            type Output = Self;

            #[inline(always)]
            #[track_caller]
            fn $method(self, other: $element) -> Self {
                $trait::$method(self, Self::splat(other))
            }
        }

        impl $assign for $name {
            #[inline(always)]
            #[track_caller]
            fn $assign_method(&mut self, other: Self) {
                *self = $trait::$method(*self, other);
            }
        }

        impl $assign<$element> for $name {
            #[inline(always)]
            #[track_caller]
            fn $assign_method(&mut self, other: $element) {
                *self = $trait::$method(*self, other);
            }
        }
    )*};
}

operators! { float:
    F32x2 = [f32; 2];
    F32x4 = [f32; 4];
    F64x2 = [f64; 2];
    F64x4 = [f64; 4];
}

operators! { signed:
    I8x2 = [i8; 2];
    I8x4 = [i8; 4];
    I16x2 = [i16; 2];
    I16x4 = [i16; 4];
    I32x2 = [i32; 2];
    I32x4 = [i32; 4];
    I64x2 = [i64; 2];
    I64x4 = [i64; 4];
}

operators! { unsigned:
    U8x2 = [u8; 2];
    U8x4 = [u8; 4];
    U16x2 = [u16; 2];
    U16x4 = [u16; 4];
    U32x2 = [u32; 2];
    U32x4 = [u32; 4];
    U64x2 = [u64; 2];
    U64x4 = [u64; 4];
}
