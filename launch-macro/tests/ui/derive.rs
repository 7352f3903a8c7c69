//! Types that `DeviceCopy` can't be derived for.
use ptyx::DeviceCopy;

#[derive(Clone, Copy, DeviceCopy)]
enum Nothing {}

#[derive(Clone, Copy, DeviceCopy)]
union Either {
    a: u32,
    b: f32,
}

#[derive(Clone, Copy, DeviceCopy)]
struct Borrows<'a> {
    text: &'a str,
}

#[derive(Clone, Copy, DeviceCopy)]
struct Inner {
    text: &'static str,
}
