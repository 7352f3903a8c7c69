//! Everything that the grammar of launches allows.
use ptyx::{cuda, kernel, launch};

mod inner {
    #[ptyx::kernel]
    pub fn generic<T, const N: usize>(x: [T; N]) {}
}

#[kernel]
fn none() {}

#[kernel]
fn one(x: f32) {}

#[kernel]
unsafe fn dangerous<T>(x: T, y: u32) {}

trait Make {
    fn make() -> u32;
}

impl Make for u8 {
    fn make() -> u32 {
        1
    }
}

macro_rules! through_a_macro {
    ($blocks:expr, $value:expr) => {
        launch!(one<<<$blocks, 2>>>($value))?
    };
}

fn launches(n: usize) -> ptyx::Result<()> {
    launch!(none<<<>>>())?;
    launch!(none<<<1>>>())?;
    launch!(none<<<1, (2, 2),>>>(),)?;
    launch!(one<<<n >> 1, n.div_ceil(8), n * size_of::<Vec<Vec<Vec<u8>>>>(), &()>>>(1.0), maxregs=!0 >> 27, alias = "x",)?;
    launch!(inner::generic::<i32, 2><<<(1, 2, 3), 64>>>([1, 2]))?;
    launch!(one<<<<u8 as Make>::make(), 1>>>(2.0))?;
    // SAFETY: it does nothing.
    launch!(unsafe dangerous::<f32><<<1, 32>>>(1.0f32, 2), maxregs = 32)?;
    // SAFETY: as above.
    cuda!(threads = 2, unsafe dangerous::<u8>(1, 2))?;
    // SAFETY: as above.
    launch!(unsafe dangerous::<u8><<<n, 32>>>(1, 2), programmatic, cluster = (n, 1))?;
    // SAFETY: as above.
    cuda!(programmatic, unsafe one(2.0))?;
    through_a_macro!(3, 1.5);
    cuda!(none())?;
    cuda!(threads = 5, inner::generic::<f32, 1>([1.0]), blocks = (2, <u8 as Make>::make()))?;
    cuda!(shmem = 64, stream = &(), alias = "y", maxregs = 32, ::core::convert::identity(one)(1.0))?;
    Ok(())
}
