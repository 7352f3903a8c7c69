//! MD5 of messages of one block (RFC 1321): the words are in a local array, shifts and constants in tables.

use crate::prelude::*;

/// How far each round's steps rotate.
const SHIFT: [u32; 16] = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21];

forms! {
    /// One thread a message of 16 words, padding included. The digest of message `i` is `4 * i..` of `digest`.
    #[kernel]
    pub fn md5(messages: i32, constant: &[u32], message: &[u32], mut digest: Parts<u32, by::Tile<by::Thread, 4>>) {
        let m = (block::x() * block::dim_x() + thread::x()) as i32;
        if m >= messages {
            return;
        }
        let mut word = [0u32; 16];
        for k in 0..16 {
            put!(word, k, at!(message, m * 16 + k));
        }
        let (mut a, mut b) = (0x67452301u32, 0xefcdab89u32);
        let (mut c, mut d) = (0x98badcfeu32, 0x10325476u32);
        for i in 0..64 {
            let (mixed, g) = if i < 16 {
                ((b & c) | (!b & d), i)
            } else if i < 32 {
                ((d & b) | (!d & c), (5 * i + 1) % 16)
            } else if i < 48 {
                (b ^ c ^ d, (3 * i + 5) % 16)
            } else {
                (c ^ (b | !d), 7 * i % 16)
            };
            let sum = a.wrapping_add(mixed).wrapping_add(at!(constant, i));
            let sum = sum.wrapping_add(at!(word, g));
            a = d;
            d = c;
            c = b;
            b = b.wrapping_add(sum.rotate_left(at!(SHIFT, i / 16 * 4 + i % 4)));
        }
        let mut digest = digest.part();
        own!(digest, [0]) = a.wrapping_add(0x67452301);
        own!(digest, [1]) = b.wrapping_add(0xefcdab89);
        own!(digest, [2]) = c.wrapping_add(0x98badcfe);
        own!(digest, [3]) = d.wrapping_add(0x10325476);
    }
}

/// The digest of one block, in the RFC's terms.
fn reference(constant: &[u32], word: &[u32]) -> [u32; 4] {
    let initial = [0x67452301u32, 0xefcdab89, 0x98badcfe, 0x10325476];
    let mut state = initial;
    for i in 0..64usize {
        let [a, b, c, d] = state;
        let (mixed, g) = match i / 16 {
            0 => (d ^ (b & (c ^ d)), i),
            1 => (c ^ (d & (b ^ c)), (5 * i + 1) % 16),
            2 => (b ^ c ^ d, (3 * i + 5) % 16),
            _ => (c ^ (b | !d), (7 * i) % 16),
        };
        let sum = [mixed, constant[i], word[g]].into_iter().fold(a, u32::wrapping_add);
        state = [d, b.wrapping_add(sum.rotate_left(SHIFT[i / 16 * 4 + i % 4])), b, c];
    }
    std::array::from_fn(|k| state[k].wrapping_add(initial[k]))
}

/// 2^21 messages.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let n = run.size(1 << 21, 500);
    let constant: Vec<u32> =
        (1..=64).map(|i| (f64::from(i).sin().abs() * 4294967296.0) as u32).collect();
    let mut empty = vec![0u32; 16];
    empty[0] = 0x80;
    // RFC 1321, A.5: d41d8cd98f00b204e9800998ecf8427e.
    if reference(&constant, &empty) != [0xd98c1dd4, 0x04b2008f, 0x980980e9, 0x7e42f8ec] {
        return Err("the host's digest of nothing is wrong".into());
    }
    let message: Vec<u32> = (0..16 * n).map(|_| run.rng.next_u64() as u32).collect();
    let want = message.chunks(16).flat_map(|word| reference(&constant, word)).collect();
    let digest = Output::new(&vec![0; 4 * n], want)?;
    let (constant, message) =
        (DeviceBuffer::from_slice(&constant)?, DeviceBuffer::from_slice(&message)?);
    compare!(
        run,
        [&digest],
        md5,
        n.div_ceil(256),
        256,
        (n as i32, &constant, &message, &mut *digest.buffer())
    )
}
