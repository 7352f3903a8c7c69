// What can't stand in a buffer, and how a struct can.
use ptyx::prelude::*;

#[derive(Clone, Copy)]
struct Particle {
    x: f32,
    alive: bool,
}

fn main() -> ptyx::Result<()> {
    let _particles = DeviceBuffer::from_slice(&[Particle { x: 1.0, alive: true }])?;
    let _names = DeviceBuffer::from_slice(&[String::new()])?;
    Ok(())
}
