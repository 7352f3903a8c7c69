//! The instructions: one text for each of the dimensions.

use super::dimension::{Cube, CubeLayered, D1, D1Layered, D2, D2Layered, D3};

/// What an instruction returns four of.
#[doc(hidden)]
pub trait Raw:
    Copy
    + Reads<D1>
    + Reads<D2>
    + Reads<D3>
    + Reads<D1Layered>
    + Reads<D2Layered>
    + Reads<Cube>
    + Reads<CubeLayered>
{
    /// `tex` of device memory.
    ///
    /// # Safety
    /// The object is a texture of device memory that gives such numbers.
    unsafe fn element(object: u64, index: i32) -> [Self; 4];

    /// `tld4` of channel 0 to 3, of two dimensions; so below.
    ///
    /// # Safety
    /// As [`Reads::fetch`].
    unsafe fn gather<const CHANNEL: usize>(object: u64, at: [f32; 3], layer: u32) -> [Self; 4];

    /// Layers of two dimensions.
    ///
    /// # Safety
    /// As [`Reads::fetch`].
    unsafe fn gather_layers<const CHANNEL: usize>(
        object: u64,
        at: [f32; 3],
        layer: u32,
    ) -> [Self; 4];

    /// A cube.
    ///
    /// # Safety
    /// As [`Reads::fetch`].
    unsafe fn gather_cube<const CHANNEL: usize>(object: u64, at: [f32; 3], layer: u32)
    -> [Self; 4];

    /// Cubes.
    ///
    /// # Safety
    /// As [`Reads::fetch`].
    unsafe fn gather_cubes<const CHANNEL: usize>(
        object: u64,
        at: [f32; 3],
        layer: u32,
    ) -> [Self; 4];

    /// The same with offsets.
    ///
    /// # Safety
    /// As [`Self::gather`].
    unsafe fn gather_near<const CHANNEL: usize, const X: i32, const Y: i32>(
        object: u64,
        x: f32,
        y: f32,
    ) -> [Self; 4];

    /// `tex` of one dimension with offsets; so below.
    ///
    /// # Safety
    /// As [`Reads::fetch`].
    unsafe fn near_1d<const X: i32, const Y: i32, const Z: i32>(
        object: u64,
        at: [f32; 3],
        layer: u32,
    ) -> [Self; 4];

    /// Two dimensions.
    ///
    /// # Safety
    /// As [`Reads::fetch`].
    unsafe fn near_2d<const X: i32, const Y: i32, const Z: i32>(
        object: u64,
        at: [f32; 3],
        layer: u32,
    ) -> [Self; 4];

    /// Three dimensions.
    ///
    /// # Safety
    /// As [`Reads::fetch`].
    unsafe fn near_3d<const X: i32, const Y: i32, const Z: i32>(
        object: u64,
        at: [f32; 3],
        layer: u32,
    ) -> [Self; 4];

    /// Layers of one dimension.
    ///
    /// # Safety
    /// As [`Reads::fetch`].
    unsafe fn near_layers_1d<const X: i32, const Y: i32, const Z: i32>(
        object: u64,
        at: [f32; 3],
        layer: u32,
    ) -> [Self; 4];

    /// Layers of two dimensions.
    ///
    /// # Safety
    /// As [`Reads::fetch`].
    unsafe fn near_layers_2d<const X: i32, const Y: i32, const Z: i32>(
        object: u64,
        at: [f32; 3],
        layer: u32,
    ) -> [Self; 4];
}

/// Whether the hardware takes an offset.
const fn is_near(offset: i32) -> bool {
    offset >= -8 && offset <= 7
}

/// The instructions for textures of dimensions `D`.
#[doc(hidden)]
pub trait Reads<D>: Sized {
    /// `tex`
    ///
    /// # Safety
    /// The object is a texture of these dimensions that gives such numbers; so below.
    unsafe fn fetch(object: u64, at: [f32; 3], layer: u32) -> [Self; 4];

    /// `tex.level`
    ///
    /// # Safety
    /// As [`Self::fetch`].
    unsafe fn level(object: u64, at: [f32; 3], layer: u32, level: f32) -> [Self; 4];

    /// `tex.grad`
    ///
    /// # Safety
    /// As [`Self::fetch`].
    unsafe fn gradient(
        object: u64,
        at: [f32; 3],
        layer: u32,
        along: [f32; 3],
        across: [f32; 3],
    ) -> [Self; 4];
}

/// One instruction that gives four numbers. It only computes: nothing writes the texture while the kernel runs.
macro_rules! read {
    ($zero:literal, $text:expr; $($name:ident = $value:expr,)* $(; $($constant:ident: $number:expr,)*)?) => {
        crate::__ptx! {
            device {
                let mut texel = [$zero; 4];
                // SAFETY: the caller's promise.
                unsafe {
                    core::arch::asm!(
                        "//__ptyx_ptx pure nomem",
                        $text,
                        r = lateout(reg) texel[0],
                        g = lateout(reg) texel[1],
                        b = lateout(reg) texel[2],
                        a = lateout(reg) texel[3],
                        $($name = in(reg) $value,)*
                        $($($constant = const $number,)*)?
                        options(pure, nomem, nostack, preserves_flags),
                    );
                }
                texel
            }
            host {
                let _ = ($($value,)*);
                crate::intrinsics::on_the_host()
            }
        }
    };
}

/// `dimensions: word, coordinates in the text, operands; distances in the text, operands`
macro_rules! reads {
    ($($d:ident: $word:literal, $place:literal;)*) => {$(
        reads!(@raw $d, $word, $place, f32, "f32", 0.0);
        reads!(@raw $d, $word, $place, u32, "u32", 0);
        reads!(@raw $d, $word, $place, i32, "s32", 0);
    )*};
    (@raw $d:ident, $word:literal, $place:literal, $raw:ty, $type:literal, $zero:literal) => {
        impl Reads<$d> for $raw {
            #[inline(always)]
            #[track_caller]
            unsafe fn fetch(object: u64, at: [f32; 3], layer: u32) -> [$raw; 4] {
                reads!(@one $d; $zero, "tex.", $word, $place, $type, ";"; object, at, layer;)
            }

            #[inline(always)]
            #[track_caller]
            unsafe fn level(object: u64, at: [f32; 3], layer: u32, level: f32) -> [$raw; 4] {
                reads!(@one $d; $zero, "tex.level.", $word, $place, $type, ", {level};"; object, at, layer; level = level,)
            }

            #[inline(always)]
            #[track_caller]
            unsafe fn gradient(
                object: u64,
                at: [f32; 3],
                layer: u32,
                along: [f32; 3],
                across: [f32; 3],
            ) -> [$raw; 4] {
                reads!(@gradient $d; $zero, $word, $place, $type; object, at, layer, along, across)
            }
        }
    };
    (@one D1; $zero:literal, $head:literal, $word:literal, $place:literal, $type:literal, $tail:literal; $o:ident, $at:ident, $layer:ident; $($rest:tt)*) => {{
        let _ = $layer;
        read!($zero, reads!(@text $head, $word, $place, $type, $tail); o = $o, x = $at[0], $($rest)*)
    }};
    (@one D1Layered; $zero:literal, $head:literal, $word:literal, $place:literal, $type:literal, $tail:literal; $o:ident, $at:ident, $layer:ident; $($rest:tt)*) => {
        read!($zero, reads!(@text $head, $word, $place, $type, $tail); o = $o, x = $at[0], l = $layer, $($rest)*)
    };
    (@one D2; $zero:literal, $head:literal, $word:literal, $place:literal, $type:literal, $tail:literal; $o:ident, $at:ident, $layer:ident; $($rest:tt)*) => {{
        let _ = $layer;
        read!($zero, reads!(@text $head, $word, $place, $type, $tail); o = $o, x = $at[0], y = $at[1], $($rest)*)
    }};
    (@one D2Layered; $zero:literal, $head:literal, $word:literal, $place:literal, $type:literal, $tail:literal; $o:ident, $at:ident, $layer:ident; $($rest:tt)*) => {
        read!($zero, reads!(@text $head, $word, $place, $type, $tail); o = $o, x = $at[0], y = $at[1], l = $layer, $($rest)*)
    };
    (@one CubeLayered; $zero:literal, $head:literal, $word:literal, $place:literal, $type:literal, $tail:literal; $o:ident, $at:ident, $layer:ident; $($rest:tt)*) => {
        read!($zero, reads!(@text $head, $word, $place, $type, $tail); o = $o, x = $at[0], y = $at[1], z = $at[2], l = $layer, $($rest)*)
    };
    (@one $three:ident; $zero:literal, $head:literal, $word:literal, $place:literal, $type:literal, $tail:literal; $o:ident, $at:ident, $layer:ident; $($rest:tt)*) => {{
        let _ = $layer;
        read!($zero, reads!(@text $head, $word, $place, $type, $tail); o = $o, x = $at[0], y = $at[1], z = $at[2], $($rest)*)
    }};
    (@gradient D1; $zero:literal, $word:literal, $place:literal, $type:literal; $o:ident, $at:ident, $layer:ident, $along:ident, $across:ident) => {
        reads!(@one D1; $zero, "tex.grad.", $word, $place, $type, ", {{{ax}}}, {{{bx}}};"; $o, $at, $layer;
            ax = $along[0], bx = $across[0],)
    };
    (@gradient D1Layered; $zero:literal, $word:literal, $place:literal, $type:literal; $o:ident, $at:ident, $layer:ident, $along:ident, $across:ident) => {
        reads!(@one D1Layered; $zero, "tex.grad.", $word, $place, $type, ", {{{ax}}}, {{{bx}}};"; $o, $at, $layer;
            ax = $along[0], bx = $across[0],)
    };
    (@gradient D2; $zero:literal, $word:literal, $place:literal, $type:literal; $o:ident, $at:ident, $layer:ident, $along:ident, $across:ident) => {
        reads!(@one D2; $zero, "tex.grad.", $word, $place, $type, ", {{{ax}, {ay}}}, {{{bx}, {by}}};"; $o, $at, $layer;
            ax = $along[0], ay = $along[1], bx = $across[0], by = $across[1],)
    };
    (@gradient D2Layered; $zero:literal, $word:literal, $place:literal, $type:literal; $o:ident, $at:ident, $layer:ident, $along:ident, $across:ident) => {
        reads!(@one D2Layered; $zero, "tex.grad.", $word, $place, $type, ", {{{ax}, {ay}}}, {{{bx}, {by}}};"; $o, $at, $layer;
            ax = $along[0], ay = $along[1], bx = $across[0], by = $across[1],)
    };
    (@gradient $three:ident; $zero:literal, $word:literal, $place:literal, $type:literal; $o:ident, $at:ident, $layer:ident, $along:ident, $across:ident) => {
        reads!(@one $three; $zero, "tex.grad.", $word, $place, $type, ", {{{ax}, {ay}, {az}, {az}}}, {{{bx}, {by}, {bz}, {bz}}};"; $o, $at, $layer;
            ax = $along[0], ay = $along[1], az = $along[2], bx = $across[0], by = $across[1], bz = $across[2],)
    };
    (@text $head:literal, $word:literal, $place:literal, $type:literal, $tail:literal) => {
        concat!($head, $word, ".v4.", $type, ".f32 {{{r}, {g}, {b}, {a}}}, [{o}, {{", $place, "}}]", $tail)
    };
}

reads! {
    D1: "1d", "{x}";
    D2: "2d", "{x}, {y}";
    D3: "3d", "{x}, {y}, {z}, {z}";
    D1Layered: "a1d", "{l}, {x}";
    D2Layered: "a2d", "{l}, {x}, {y}, {y}";
    Cube: "cube", "{x}, {y}, {z}, {z}";
    CubeLayered: "acube", "{l}, {x}, {y}, {z}";
}

/// A method that reads with offsets: `dimensions: word, coordinates in the text, offsets in the text, their constants`.
macro_rules! near {
    ($name:ident $d:ident: $word:literal, $place:literal, $offsets:literal, ($($constant:ident: $number:ident,)*), $raw:ty, $type:literal, $zero:literal) => {
        #[inline(always)]
        #[track_caller]
        unsafe fn $name<const X: i32, const Y: i32, const Z: i32>(
            object: u64,
            at: [f32; 3],
            layer: u32,
        ) -> [$raw; 4] {
            const {
                assert!(is_near(X) && is_near(Y) && is_near(Z), "an offset is from -8 to 7 texels");
            }
            reads!(@one $d; $zero, "tex.", $word, $place, $type, $offsets; object, at, layer; ; $($constant: $number,)*)
        }
    };
}

/// A method that gathers: `dimensions: word, coordinates in the text`.
macro_rules! gather {
    ($name:ident $d:ident: $word:literal, $place:literal, $raw:ty, $type:literal, $zero:literal) => {
        #[inline(always)]
        #[track_caller]
        unsafe fn $name<const CHANNEL: usize>(
            object: u64,
            at: [f32; 3],
            layer: u32,
        ) -> [$raw; 4] {
            const { assert!(CHANNEL < 4, "a texel has channels 0 to 3") };
            match CHANNEL {
                0 => reads!(@one $d; $zero, "tld4.r.", $word, $place, $type, ";"; object, at, layer;),
                1 => reads!(@one $d; $zero, "tld4.g.", $word, $place, $type, ";"; object, at, layer;),
                2 => reads!(@one $d; $zero, "tld4.b.", $word, $place, $type, ";"; object, at, layer;),
                _ => reads!(@one $d; $zero, "tld4.a.", $word, $place, $type, ";"; object, at, layer;),
            }
        }
    };
}

macro_rules! raw {
    ($($raw:ty, $type:literal, $zero:literal;)*) => {$(
        impl Raw for $raw {
            #[inline(always)]
            #[track_caller]
            unsafe fn element(object: u64, index: i32) -> [$raw; 4] {
                read!($zero, concat!("tex.1d.v4.", $type, ".s32 {{{r}, {g}, {b}, {a}}}, [{o}, {{{x}}}];"); o = object, x = index,)
            }

            gather! { gather D2: "2d", "{x}, {y}", $raw, $type, $zero }
            gather! { gather_layers D2Layered: "a2d", "{l}, {x}, {y}, {y}", $raw, $type, $zero }
            gather! { gather_cube Cube: "cube", "{x}, {y}, {z}, {z}", $raw, $type, $zero }
            gather! { gather_cubes CubeLayered: "acube", "{l}, {x}, {y}, {z}", $raw, $type, $zero }

            #[inline(always)]
            #[track_caller]
            unsafe fn gather_near<const CHANNEL: usize, const X: i32, const Y: i32>(
                object: u64,
                x: f32,
                y: f32,
            ) -> [$raw; 4] {
                const {
                    assert!(CHANNEL < 4, "a texel has channels 0 to 3");
                    assert!(is_near(X) && is_near(Y), "an offset is from -8 to 7 texels");
                }
                match CHANNEL {
                    0 => raw!(@near "r", $type, $zero, object, x, y),
                    1 => raw!(@near "g", $type, $zero, object, x, y),
                    2 => raw!(@near "b", $type, $zero, object, x, y),
                    _ => raw!(@near "a", $type, $zero, object, x, y),
                }
            }

            near! { near_1d D1: "1d", "{x}", ", {{{dx}}};", (dx: X,), $raw, $type, $zero }
            near! { near_2d D2: "2d", "{x}, {y}", ", {{{dx}, {dy}}};", (dx: X, dy: Y,), $raw, $type, $zero }
            near! { near_3d D3: "3d", "{x}, {y}, {z}, {z}", ", {{{dx}, {dy}, {dz}, 0}};", (dx: X, dy: Y, dz: Z,), $raw, $type, $zero }
            near! { near_layers_1d D1Layered: "a1d", "{l}, {x}", ", {{{dx}}};", (dx: X,), $raw, $type, $zero }
            near! { near_layers_2d D2Layered: "a2d", "{l}, {x}, {y}, {y}", ", {{{dx}, {dy}}};", (dx: X, dy: Y,), $raw, $type, $zero }
        }
    )*};
    (@near $channel:literal, $type:literal, $zero:literal, $o:ident, $x:ident, $y:ident) => {
        read!($zero, concat!("tld4.", $channel, ".2d.v4.", $type, ".f32 {{{r}, {g}, {b}, {a}}}, [{o}, {{{x}, {y}}}], {{{dx}, {dy}}};"); o = $o, x = $x, y = $y, ; dx: X, dy: Y,)
    };
}
raw! {
    f32, "f32", 0.0;
    u32, "u32", 0;
    i32, "s32", 0;
}
