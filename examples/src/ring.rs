//! A sum over all devices by a ring of copies.

use ptyx::prelude::*;
use std::ops::Range;

const THREADS: usize = 128;

/// Adds what a neighbour has sent.
#[kernel]
fn add(sent: &[f32], mut to: Disjoint<f32>) {
    let i = thread::index_1d();
    if let Some(to) = to.get_mut(i) {
        *to += sent[i.get()];
    }
}

/// A device's place in the ring.
#[derive(Debug)]
pub struct Member {
    /// The stream of the device's work.
    pub stream: Stream,
    /// The device's numbers, as many on each device. [`all_reduce`] replaces them by the sums.
    pub values: DeviceBuffer<f32>,
    /// What the neighbour sends.
    inbox: DeviceBuffer<f32>,
}

impl Member {
    /// A device with its numbers.
    ///
    /// # Errors
    /// Those of the allocations and copies.
    pub fn new(device: &Device, values: &[f32]) -> ptyx::Result<Member> {
        device.with(|| {
            Ok(Member {
                stream: Stream::new()?,
                values: DeviceBuffer::from_slice(values)?,
                inbox: DeviceBuffer::zeroed(values.len())?,
            })
        })
    }
}

/// Replaces each member's numbers by the sums over all members, in two rounds along the ring. The numbers are divided
/// into as many parts as there are members. In each step, every member sends one part to the next: the first round adds
/// the parts (reduce-scatter), the second copies them (all-gather).
///
/// There are no events: Ptyx orders the streams by the buffers that they use.
///
/// # Errors
/// Those of the copies and launches.
pub fn all_reduce(members: &mut [&mut Member]) -> ptyx::Result<()> {
    let count = members.len();
    let len = members.first().map_or(0, |member| member.values.len());
    let part = |number: usize| -> Range<usize> {
        let number = number % count;
        number * len / count..(number + 1) * len / count
    };
    for step in 0..2 * count.saturating_sub(1) {
        let adds = step < count - 1;
        for from in 0..count {
            let to = (from + 1) % count;
            let range = part(from + 2 * count - step);
            let Ok([from, to]) = members.get_disjoint_mut([from, to]) else { continue };
            let Member { stream, values, inbox } = &mut **to;
            let sent = from.values.slice(range.clone());
            if !adds {
                values.slice_mut(range).copy_from_buffer_on(sent, stream)?;
                continue;
            }
            inbox.slice_mut(range.clone()).copy_from_buffer_on(sent, stream)?;
            let (blocks, stream) = (range.len().div_ceil(THREADS).max(1), &*stream);
            let (sent, mut sum) = (inbox.slice(range.clone()), values.slice_mut(range));
            launch!(add<<<blocks, THREADS, 0, stream>>>(&sent, &mut sum))?;
        }
    }
    Ok(())
}
