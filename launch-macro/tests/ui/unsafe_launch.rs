//! An unsafe kernel is launched with `unsafe`.
use ptyx::{cuda, kernel, launch};

/// # Safety
/// There are no rules.
#[kernel]
unsafe fn dangerous(x: f32) {}

fn launches() -> ptyx::Result<()> {
    launch!(dangerous<<<1, 1>>>(1.0))?;
    cuda!(threads = 2, dangerous(1.0))?;
    launch!(unsafe <<<1, 1>>>(1.0))?;
    Ok(())
}
