// What looks like an array and is none: the message says what to write.
use ptyx::device::Atomics;
use ptyx::prelude::*;

#[kernel]
fn counts(x: &[u32], counts: Atomics<u32>) {
    counts[0] += x[0];
}

#[kernel]
fn small(flags: Atomics<char>) {
    let _ = flags;
}

#[kernel]
fn cells() {
    let _ = shared!([char; 32]).cells('x');
    let tile = shared!([[f32; 32]; 32]).cells(0.0);
    tile.set(3, [0.0; 32]);
    let _ = shared!([char; 32]).atomics('a');
}

fn main() -> ptyx::Result<()> {
    let mut buffer = DeviceBuffer::from_slice(&[1u32, 2])?;
    buffer[0] = 3;
    assert_eq!(buffer[0], 3);
    assert_eq!(buffer.slice(1..)[0], 2);
    Ok(())
}
