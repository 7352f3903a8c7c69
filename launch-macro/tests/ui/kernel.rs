//! Signatures that a kernel can't have, every mistake reported.
use ptyx::kernel;

#[kernel]
fn returns(x: &mut [f32]) -> f32 {
    0.0
}

#[kernel]
fn returns_where<T>(x: T) -> Result<(), T>
where
    T: Copy,
{
    Ok(())
}

#[kernel]
async fn slow() {}

#[kernel]
const extern "C" fn several(x: f32) -> u32 {
    0
}

#[kernel(unchecked)]
fn unchecked_is_unsafe() {}

#[kernel(minthreads = 32)]
fn knobs() {}

struct Grid;

impl Grid {
    #[kernel]
    fn method(&self, x: f32) {}
}

#[kernel]
struct NoFunction;
