// What can't be a kernel.
use ptyx::prelude::*;

struct Model;

impl Model {
    #[kernel]
    fn step(&self, n: u32) {
        assert!(n > 0);
    }
}

#[kernel]
async fn later(n: u32) {
    assert!(n > 0);
}

#[kernel]
fn fills(y: &mut [f32], name: String, scratch: Vec<f32>) {
    y.fill((scratch.len() + name.len()) as f32);
}

#[kernel]
static COUNT: u32 = 0;

fn main() -> ptyx::Result<()> {
    launch!((|n: u32| assert!(n > 0))<<<1, 8>>>(1))
}
