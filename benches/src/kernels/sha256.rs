//! SHA-256 (FIPS 180-4) of one 64-byte block per thread: rotations, logic, additions, two small arrays
//! with known indices.

use crate::{Error, Run};
use ptyx::prelude::*;

const ROUND: [u32; 64] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
];

const START: [u32; 8] = [
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];

/// The state after one block of a message.
fn compress(block: &[u32; 16]) -> [u32; 8] {
    let mut w = *block;
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = START;
    unroll!(
        for i in 0..64 {
            if i >= 16 {
                let (w15, w2) = (w[(i + 1) % 16], w[(i + 14) % 16]);
                let s0 = w15.rotate_right(7) ^ w15.rotate_right(18) ^ (w15 >> 3);
                let s1 = w2.rotate_right(17) ^ w2.rotate_right(19) ^ (w2 >> 10);
                w[i % 16] =
                    w[i % 16].wrapping_add(s0).wrapping_add(w[(i + 9) % 16]).wrapping_add(s1);
            }
            let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let choice = (e & f) ^ (!e & g);
            let t1 = h
                .wrapping_add(s1)
                .wrapping_add(choice)
                .wrapping_add(ROUND[i])
                .wrapping_add(w[i % 16]);
            let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let t2 = s0.wrapping_add((a & b) ^ (a & c) ^ (b & c));
            (h, g, f, e, d, c, b, a) =
                (g, f, e, d.wrapping_add(t1), c, b, a, t1.wrapping_add(t2));
        }
    );
    let end = [a, b, c, d, e, f, g, h];
    core::array::from_fn(|i| START[i].wrapping_add(end[i]))
}

/// The hash of each block; both are big-endian words.
#[kernel]
pub fn sha256(blocks: &[[u32; 16]], mut hashes: Disjoint<[u32; 8]>) {
    let i = thread::index_1d();
    if let Some(hash) = hashes.get_mut(i) {
        *hash = compress(&blocks[i.get()]);
    }
}

/// 2^22 blocks.
pub fn run(run: &mut Run) -> Result<(), Error> {
    // The hash of `abc`, FIPS 180-4's example.
    let mut abc = [0u32; 16];
    (abc[0], abc[15]) = (0x6162_6380, 24);
    let mut blocks = vec![abc];
    let n = run.size(1 << 22, 300);
    blocks.resize_with(n, || core::array::from_fn(|_| run.rng.next_u64() as u32));
    let input = DeviceBuffer::from_slice(&blocks)?;
    let mut hashes = DeviceBuffer::zeroed(n)?;
    launch!(sha256<<<n.div_ceil(256), 256>>>(&input, &mut hashes))?;
    let got = hashes.to_vec()?;
    let of_abc = [
        0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223, 0xb00361a3, 0x96177a9c, 0xb410ff61,
        0xf20015ad,
    ];
    if got[0] != of_abc {
        return Err(format!("the hash of `abc` is {:08x?}", got[0]).into());
    }
    if (0..n).step_by(n / 100).any(|i| got[i] != compress(&blocks[i])) {
        return Err("a hash differs from the host's".into());
    }
    run.time("sha256", n, 64.0 * n as f64, "GB/s", &mut || {
        launch!(sha256<<<n.div_ceil(256), 256>>>(&input, &mut hashes))
    })
}
