//! SHA-1 of messages of one block (FIPS 180-4), with a ring of 16 words in a local array.

use crate::prelude::*;

forms! {
    /// One thread a message of 16 words, padding included. The digest of message `i` is `5 * i..` of `digest`.
    #[kernel]
    pub fn sha1_block(messages: i32, message: &[u32], mut digest: Parts<u32, by::Tile<by::Thread, 5>>) {
        let m = (block::x() * block::dim_x() + thread::x()) as i32;
        if m >= messages {
            return;
        }
        let mut w = [0u32; 16];
        for t in 0..16 {
            put!(w, t, at!(message, m * 16 + t));
        }
        let (mut a, mut b, mut c) = (0x67452301u32, 0xefcdab89u32, 0x98badcfeu32);
        let (mut d, mut e) = (0x10325476u32, 0xc3d2e1f0u32);
        for t in 0..80 {
            let s = t & 15;
            if t >= 16 {
                let x = at!(w, (s + 13) & 15) ^ at!(w, (s + 8) & 15) ^ at!(w, (s + 2) & 15) ^ at!(w, s);
                put!(w, s, x.rotate_left(1));
            }
            let (f, k) = if t < 20 {
                ((b & c) | (!b & d), 0x5a827999u32)
            } else if t < 40 {
                (b ^ c ^ d, 0x6ed9eba1)
            } else if t < 60 {
                ((b & c) | (b & d) | (c & d), 0x8f1bbcdc)
            } else {
                (b ^ c ^ d, 0xca62c1d6)
            };
            let sum = a.rotate_left(5).wrapping_add(f).wrapping_add(e).wrapping_add(k);
            let sum = sum.wrapping_add(at!(w, s));
            e = d;
            d = c;
            c = b.rotate_left(30);
            b = a;
            a = sum;
        }
        let mut digest = digest.part();
        own!(digest, [0]) = a.wrapping_add(0x67452301);
        own!(digest, [1]) = b.wrapping_add(0xefcdab89);
        own!(digest, [2]) = c.wrapping_add(0x98badcfe);
        own!(digest, [3]) = d.wrapping_add(0x10325476);
        own!(digest, [4]) = e.wrapping_add(0xc3d2e1f0);
    }
}

/// The digest of one block, from a list of all 80 words.
fn reference(message: &[u32]) -> [u32; 5] {
    let initial = [0x67452301u32, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
    let mut words = message.to_vec();
    for t in 16..80 {
        let mixed = [3, 8, 14, 16].map(|back| words[t - back]).iter().fold(0, |x, y| x ^ y);
        words.push(mixed.rotate_left(1));
    }
    let mut state = initial;
    for (t, word) in words.into_iter().enumerate() {
        let [a, b, c, d, e] = state;
        let (mixed, constant) = match t / 20 {
            0 => (d ^ (b & (c ^ d)), 0x5a827999),
            1 => (b ^ c ^ d, 0x6ed9eba1),
            2 => ((b & c) ^ (b & d) ^ (c & d), 0x8f1bbcdc),
            _ => (b ^ c ^ d, 0xca62c1d6),
        };
        let sum = [mixed, e, constant, word].into_iter().fold(a.rotate_left(5), u32::wrapping_add);
        state = [sum, a, b.rotate_left(30), c, d];
    }
    std::array::from_fn(|k| state[k].wrapping_add(initial[k]))
}

/// 2^21 messages.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let n = run.size(1 << 21, 500);
    let mut abc = [0u32; 16];
    (abc[0], abc[15]) = (0x61626380, 24);
    // FIPS 180's example.
    if reference(&abc) != [0xa9993e36, 0x4706816a, 0xba3e2571, 0x7850c26c, 0x9cd0d89d] {
        return Err("the host's digest of abc is wrong".into());
    }
    let message: Vec<u32> = (0..16 * n).map(|_| run.rng.next_u64() as u32).collect();
    let want = message.chunks(16).flat_map(reference).collect();
    let digest = Output::new(&vec![0; 5 * n], want)?;
    let message = DeviceBuffer::from_slice(&message)?;
    compare!(
        run,
        [&digest],
        sha1_block,
        n.div_ceil(256),
        256,
        (n as i32, &message, &mut *digest.buffer())
    )
}
