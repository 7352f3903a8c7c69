// Shapes and knobs that are no numbers, and a stream that is none.
use ptyx::prelude::*;

#[kernel]
fn count(n: u32) {
    assert!(n > 0);
}

fn main() -> ptyx::Result<()> {
    launch!(count<<<1.0, 8>>>(1))?;
    launch!(count<<<1, "8">>>(1))?;
    launch!(count<<<(1, 2, 3, 4), 8>>>(1))?;
    launch!(count<<<(1, 2.5), 8>>>(1))?;
    launch!(count<<<1, 8, 0, 3>>>(1))?;
    launch!(count<<<1, 8>>>(1), maxregs = "32")?;
    launch!(count<<<1, 8>>>(1), maxregs = 3.5)
}
