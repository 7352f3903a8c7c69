// Types that nothing tells, names that nothing has, and shapes that are no numbers.
use ptyx::prelude::*;

#[kernel]
fn sized<T: Default>(n: u32) {
    assert!(size_of::<T>() as u32 <= n);
}

fn main() -> ptyx::Result<()> {
    launch!(sized<<<1, 8>>>(4))?;
    launch!(seized::<u32><<<1, 8>>>(4))?;
    launch!(sized::<u32><<<1, 8.0>>>(4))
}
