// Parameters that no launch could pass are refused where they stand.
use ptyx::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;

#[kernel]
fn owners(a: String, b: std::vec::Vec<u32>, c: Arc<[f32]>, d: HashMap<u32, u32>) {
    assert!(a.len() + b.len() + c.len() + d.len() > 0);
}

#[kernel]
fn references(a: &u32, b: &[f32; 4], c: &mut u32, d: &mut [f32], e: &str) {
    *c = *a + b.len() as u32 + d.len() as u32 + e.len() as u32;
}

#[kernel]
fn functions(f: fn(u32) -> u32, g: &dyn Fn(u32) -> u32) {
    assert!(f(1) < g(1));
}

/// Types of the user's own may have such names.
#[derive(Clone, Copy)]
struct Box {
    low: f32,
}

#[kernel]
fn fine(a: Box, b: &[u8], c: [f32; 4]) {
    assert!(a.low < c[0] + b.len() as f32);
}

fn main() -> ptyx::Result<()> {
    let text = DeviceBuffer::from_slice(b"text")?;
    launch!(fine<<<1, 8>>>(Box { low: 1.0 }, &text, [2.0; 4]))
}
