//! Types that `DeviceCopy` can be derived for.
use ptyx::DeviceCopy;

#[derive(Clone, Copy, DeviceCopy)]
struct Unit;

#[derive(Clone, Copy, DeviceCopy)]
struct Tuple(pub f32, pub(crate) [f32; 3], #[allow(unused)] f32);

/// Documented.
#[derive(Clone, Copy, DeviceCopy)]
#[repr(C)]
pub struct Generic<T: Clone = f32, const N: usize = 4>
where
    T: 'static,
{
    /// A field.
    #[allow(unused)]
    pub x: [T; N],
    y: T,
    nested: Tuple,
}

#[derive(Clone, Copy, DeviceCopy)]
#[repr(C, packed)]
struct Packed<A, const N: usize>(f32, Two<A, [f32; N]>)
where
    A: Into<f32>;

#[derive(Clone, Copy, DeviceCopy)]
struct Two<A: Sized, B: Sized> {
    a: A,
    b: B,
}

#[derive(Clone, Copy, DeviceCopy)]
enum Plain {
    A,
    B(),
    C {},
}

#[derive(Clone, Copy, DeviceCopy)]
#[repr(u8)]
enum WithData<T> {
    /// Documented.
    A(Two<f32, T>, #[allow(unused)] T) = 3,
    #[allow(unused)]
    B {
        x: T,
        y: [f32; 2],
    },
    C = 1 << 4,
}

#[derive(Clone, Copy, DeviceCopy)]
enum WithoutLayout {
    A(f32),
    B { r#type: Two<f32, f32> },
}

macro_rules! made {
    ($(#[$meta:meta])* $vis:vis struct $name:ident($($inner:vis $field:ty),* $(,)?);) => {
        $(#[$meta])*
        #[derive(Clone, Copy, DeviceCopy)]
        $vis struct $name($($inner $field),*);
    };
    ($(#[$meta:meta])* $vis:vis struct $name:ident { $($inner:vis $field:ident: $type:ty),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, DeviceCopy)]
        $vis struct $name { $($inner $field: $type),* }
    };
    ($(#[$meta:meta])* enum $name:ident { $($variant:ident($field:ty) = $number:expr),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, DeviceCopy)]
        enum $name { $($variant($field) = $number),* }
    };
}

made! { #[repr(C)] pub struct Made(pub f32, f32, pub(crate) Two<f32, f32>); }
made! { pub(crate) struct MadeNamed { pub a: f32, b: Two<f32, f32>, pub(crate) c: [f32; 2] } }
made! { #[repr(i16)] enum MadeEnum { A(f32) = -1, B(Two<f32, f32>) = 2 + 3 } }

fn takes<T: ptyx::device::DeviceCopy>(_: T) {}

fn uses() {
    takes(Unit);
    takes(Packed(1.0, Two { a: 1.0f32, b: [1.0; 2] }));
    takes([Plain::A, Plain::B(), Plain::C {}]);
    takes([WithData::A(Two { a: 1.0, b: 1.0f32 }, 2.0), WithData::B { x: 1.0, y: [2.0; 2] }, WithData::C]);
    takes([WithoutLayout::A(1.0), WithoutLayout::B { r#type: Two { a: 1.0, b: 2.0 } }]);
    takes(Made(1.0, 2.0, Two { a: 1.0, b: 2.0 }));
    takes(MadeNamed { a: 1.0, b: Two { a: 1.0, b: 2.0 }, c: [1.0; 2] });
    takes([MadeEnum::A(1.0), MadeEnum::B(Two { a: 1.0, b: 2.0 })]);
    takes(Generic { x: [1.0; 2], y: 2.0, nested: Tuple(1.0, [2.0; 3], 3.0) });
}
