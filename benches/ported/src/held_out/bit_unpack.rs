//! Numbers of a few bits each, from a stream of words, plus the least of their block (frame of reference): what
//! databases store columns as.

use crate::prelude::*;

forms! {
    /// As many numbers a thread as the grid's stride asks for. A block of the format has 128 numbers.
    #[kernel]
    pub fn bit_unpack(n: i32, bits: i32, words: &[u32], least: &[i32], mut numbers: Disjoint<i32>) {
        let mask = (1u32 << bits) - 1;
        for own in thread::grid_stride(n as usize) {
            let i = own.get() as i32;
            let first = i * bits;
            let (word, shift) = (first >> 5, first & 31);
            let mut value = at!(words, word) >> shift;
            if shift + bits > 32 {
                value |= at!(words, word + 1) << (32 - shift);
            }
            own!(numbers, own) = at!(least, i / 128) + (value & mask) as i32;
        }
    }
}

/// 2^26 numbers of 13 bits.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (n, bits, blocks) = (run.size(1 << 26, 5000), 13, run.size(2112, 3));
    let least = run.below(1 << 20, n.div_ceil(128));
    let packed = run.below(1 << bits, n);
    let mut words = Vec::new();
    let (mut stream, mut count) = (0u64, 0);
    for number in &packed {
        stream |= u64::from(number.cast_unsigned()) << count;
        count += bits;
        if count >= 32 {
            words.push(stream as u32);
            stream >>= 32;
            count -= 32;
        }
    }
    words.push(stream as u32);
    let want = packed.iter().enumerate().map(|(i, number)| least[i / 128] + number).collect();
    let numbers = Output::new(&vec![-1; n], want)?;
    let (words, least) = (DeviceBuffer::from_slice(&words)?, DeviceBuffer::from_slice(&least)?);
    compare!(
        run,
        [&numbers],
        bit_unpack,
        blocks,
        256,
        (n as i32, bits, &words, &least, &mut *numbers.buffer())
    )
}
