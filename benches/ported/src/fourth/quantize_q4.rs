//! Quantises the weights of a language model to four bits: 32 numbers share a scale, and are packed into 16 bytes.

use crate::prelude::*;

forms! {
    /// One thread per group of 32. The largest by magnitude becomes -8; a byte has one number of each half.
    #[kernel]
    pub fn quantize_q4(
        groups: i32,
        x: &[f32],
        mut scale: Disjoint<f32>,
        mut packed: Parts<u8, by::Tile<by::Thread, 16>>,
    ) {
        let own = thread::index_1d();
        let group = own.get() as i32;
        if group >= groups {
            return;
        }
        let mut largest = 0.0f32;
        let mut magnitude = 0.0f32;
        for j in 0..32 {
            let value = at!(x, group * 32 + j);
            if magnitude < value.abs() {
                magnitude = value.abs();
                largest = value;
            }
        }
        let d = largest / -8.0;
        let inverse = if d != 0.0 { 1.0 / d } else { 0.0 };
        own!(scale, own) = d;
        let mut own = packed.part();
        for j in 0..16 {
            let low = ((at!(x, group * 32 + j) * inverse).round() as i32 + 8).min(15);
            let high = ((at!(x, group * 32 + 16 + j) * inverse).round() as i32 + 8).min(15);
            own!(own, [j as usize]) = (low | high << 4) as u8;
        }
    }
}

/// 2^25 numbers.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let groups = run.size(1 << 20, 300);
    let mut x = run.floats(32 * groups);
    // A group of zeros has no scale.
    x[64..96].fill(0.0);
    let (mut scales, mut bytes) = (Vec::with_capacity(groups), Vec::with_capacity(16 * groups));
    for group in x.chunks(32) {
        let largest = group.iter().copied().fold(0.0f32, |a, b| if b.abs() > a.abs() { b } else { a });
        let scale = -largest / 8.0;
        let digit = |x: f32| {
            let steps = if scale == 0.0 { 0.0 } else { (x * scale.recip()).round() };
            (steps + 8.0).clamp(0.0, 15.0) as u8
        };
        scales.push(scale);
        bytes.extend((0..16).map(|j| digit(group[j]) + 16 * digit(group[16 + j])));
    }
    let scale = Output::new(&vec![f32::NAN; groups], scales)?;
    let packed = Output::new(&vec![0; bytes.len()], bytes)?;
    let x = DeviceBuffer::from_slice(&x)?;
    compare!(
        run,
        [&scale, &packed],
        quantize_q4,
        groups.div_ceil(128),
        128,
        (groups as i32, &x, &mut *scale.buffer(), &mut *packed.buffer())
    )
}
