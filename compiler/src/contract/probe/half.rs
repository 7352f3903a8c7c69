//! The functions of the crate `half` that are replaced by name, with its modules and its types, but without its code: they
//! show how rustc names such functions. It is compiled to bitcode, and never run: `contract/of_std.rs` looks for the names.

#![allow(dead_code, non_camel_case_types, clippy::all)]

macro_rules! functions {
    ($($name:ident($($param:ty),*) -> $result:ty;)*) => {$(
        #[inline(never)]
        pub fn $name($(_: $param),*) -> $result {
            Default::default()
        }
    )*};
}

macro_rules! compares {
    ($float:ident) => {
        #[derive(Clone, Copy, Default)]
        #[repr(transparent)]
        pub struct $float(u16);

        impl PartialEq for $float {
            #[inline(never)]
            fn eq(&self, other: &$float) -> bool {
                self.0 == other.0
            }
        }

        impl PartialOrd for $float {
            #[inline(never)]
            fn partial_cmp(&self, other: &$float) -> Option<std::cmp::Ordering> {
                self.0.partial_cmp(&other.0)
            }
            #[inline(never)]
            fn lt(&self, other: &$float) -> bool {
                self.0 < other.0
            }
            #[inline(never)]
            fn le(&self, other: &$float) -> bool {
                self.0 <= other.0
            }
            #[inline(never)]
            fn gt(&self, other: &$float) -> bool {
                self.0 > other.0
            }
            #[inline(never)]
            fn ge(&self, other: &$float) -> bool {
                self.0 >= other.0
            }
        }
    };
}

macro_rules! computes {
    ($float:ident: $($operator:ident $method:ident),*) => {$(
        impl std::ops::$operator for $float {
            type Output = $float;
            #[inline(never)]
            fn $method(self, other: $float) -> $float {
                $float(self.0.wrapping_add(other.0))
            }
        }
    )*};
}

pub mod binary16 {
    pub mod arch {
        use super::f16;

        functions! {
            f32_to_f16_fallback(f32) -> u16;
            f64_to_f16_fallback(f64) -> u16;
            f16_to_f32_fallback(u16) -> f32;
            f16_to_f64_fallback(u16) -> f64;
            add_f16_fallback(f16, f16) -> f16;
            subtract_f16_fallback(f16, f16) -> f16;
            multiply_f16_fallback(f16, f16) -> f16;
            divide_f16_fallback(f16, f16) -> f16;
        }

        pub mod x86 {
            functions! {
                f32_to_f16_x86_f16c(f32) -> u16;
                f16_to_f32_x86_f16c(u16) -> f32;
            }
        }
    }

    compares!(f16);
}

pub mod bfloat {
    pub mod convert {
        functions! {
            f32_to_bf16(f32) -> u16;
            f64_to_bf16(f64) -> u16;
            bf16_to_f32(u16) -> f32;
            bf16_to_f64(u16) -> f64;
        }
    }

    compares!(bf16);
    computes!(bf16: Add add, Sub sub, Mul mul, Div div);
}
