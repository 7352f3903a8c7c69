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

fn takes<T: ptyx::device::DeviceCopy>(_: T) {}

fn uses() {
    takes(Unit);
    takes(Generic { x: [1.0; 2], y: 2.0, nested: Tuple(1.0, [2.0; 3], 3.0) });
}
