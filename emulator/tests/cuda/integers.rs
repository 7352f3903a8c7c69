use super::*;

#[test]
fn divisions() {
    let (module, mut random) = (module!("integers"), Random::new());
    let mut words = || -> Vec<i64> {
        // Of all sizes, so that quotients are, too.
        (0..64).map(|_| ((random.word() as i64) >> random.int(0, 60)) | 1).collect()
    };
    let (a, b) = (words(), words());
    let (in_a, in_b, out) = (Buffer::new(&a), Buffer::new(&b), Buffer::new(&[0i64; 64 * 11]));
    module.run("divisions", 1, 64, args![in_a, in_b, out, 64i32]);
    assert_rows("divisions", &out.values(), 64, |row, at| {
        let (x, y) = (a[at], b[at]);
        let (ux, uy) = (x as u64, y as u64);
        let product = i128::from(x) * i128::from(y);
        match row {
            0 => x.wrapping_div(y),
            1 => x.wrapping_rem(y),
            2 => (ux / uy) as i64,
            3 => (ux % uy) as i64,
            4 => {
                let small = i32::from(x as i16).wrapping_rem(i32::from(y as i16) | 1);
                (x as i32).wrapping_div(y as i32 | 1).wrapping_add(small).into()
            }
            5 => {
                let small = u32::from(x as u8) % (u32::from(y as u8) | 1);
                (x as u32 / (y as u32 | 1)).wrapping_add(small).into()
            }
            6 => x / 1_000_000_007 + x % 10,
            7 => (product >> 64) as i64,
            8 => ((u128::from(ux) * u128::from(uy)) >> 64) as i64,
            9 => (product.wrapping_add(y.into()) >> 40) as i64,
            _ => (product.wrapping_add(y.into()) / 1_234_567) as i64,
        }
    });
}

/// The bytes of a word as signed and as unsigned numbers, and its halves.
fn bytes(word: u32) -> [i32; 4] {
    word.to_le_bytes().map(|byte| i32::from(byte as i8))
}
fn ubytes(word: u32) -> [i32; 4] {
    word.to_le_bytes().map(i32::from)
}
fn halves(word: u32) -> [i32; 2] {
    [word as i16, (word >> 16) as i16].map(i32::from)
}
fn uhalves(word: u32) -> [i32; 2] {
    [word as u16, (word >> 16) as u16].map(i32::from)
}

/// A word from what `f` makes of each pair of bytes, or of halves.
fn each<const N: usize>(a: [i32; N], b: [i32; N], f: impl Fn(i32, i32) -> i32) -> u32 {
    let bits = 32 / N;
    let mask = u32::MAX >> (32 - bits);
    (0..N).fold(0, |all, at| all | (f(a[at], b[at]) as u32 & mask) << (at * bits))
}

fn dot<const N: usize>(a: [i32; N], b: &[i32], start: u32) -> u32 {
    a.iter().zip(b).fold(start, |sum, (a, b)| sum.wrapping_add((a * b) as u32))
}

#[test]
fn bits() {
    let (module, mut random) = (module!("integers"), Random::new());
    let (a, b) = (random.words(64), random.words(64));
    let (in_a, in_b, out) = (Buffer::new(&a), Buffer::new(&b), Buffer::new(&[0u32; 64 * 11]));
    module.run("bits", 1, 64, args![in_a, in_b, out, 64i32]);
    assert_rows("bits", &out.values(), 64, |row, at| {
        let (x, y, i) = (a[at], b[at], at as u32);
        let (sx, sy) = (x as i32, y as i32);
        let both = u64::from(y) << 32 | u64::from(x);
        match row {
            0 => x.leading_zeros() * 1000 + x.count_ones() * 10 + y.trailing_zeros() + 1,
            1 => x.reverse_bits() ^ (u64::from(y) << 7).reverse_bits() as u32,
            2 => (0..4).fold(0, |all, byte| {
                let selector = ((i * 0x111) >> (4 * byte)) & 7;
                all | ((both >> (8 * selector)) as u32 & 0xff) << (8 * byte)
            }),
            3 => (both << (i % 32) >> 32) as u32 ^ (both >> (i + 20).min(32)) as u32,
            4 => {
                let signed = (i64::from(sx) * i64::from(sy)) >> 32;
                signed as u32 ^ ((u64::from(x) * u64::from(y)) >> 32) as u32
            }
            5 => {
                let signed = (sx << 8 >> 8).wrapping_mul(sy << 8 >> 8) as u32;
                signed.wrapping_add((x & 0xff_ffff).wrapping_mul(y & 0xff_ffff))
            }
            6 => sx.abs_diff(sy).wrapping_add(x) ^ x.abs_diff(y).wrapping_add(y),
            7 => {
                let rounded = (u64::from(x) + u64::from(y) + 1) >> 1;
                ((i64::from(sx) + i64::from(sy)) >> 1) as u32 ^ rounded as u32
            }
            8 => dot(bytes(x), &bytes(y), i) ^ dot(ubytes(x), &ubytes(y), x),
            9 => dot(halves(x), &bytes(y)[..2], i) ^ dot(uhalves(x), &ubytes(y)[2..], x),
            _ => {
                let zeros = (u64::from(x) << 20).leading_zeros();
                zeros + both.count_ones() + (i64::from(y) << 30).trailing_zeros() + 1
            }
        }
    });
}

#[test]
fn packed() {
    let (module, mut random) = (module!("integers"), Random::new());
    let (a, b) = (random.words(64), random.words(64));
    let (in_a, in_b, out) = (Buffer::new(&a), Buffer::new(&b), Buffer::new(&[0u32; 64 * 11]));
    module.run("packed", 1, 64, args![in_a, in_b, out, 64i32]);
    let (low, high) = (i32::from(i16::MIN), i32::from(i16::MAX));
    assert_rows("packed", &out.values(), 64, |row, at| {
        let (x, y) = (a[at], b[at]);
        let (b4, u4) = ((bytes(x), bytes(y)), (ubytes(x), ubytes(y)));
        let (h2, u2) = ((halves(x), halves(y)), (uhalves(x), uhalves(y)));
        match row {
            0 => each(u4.0, u4.1, |a, b| a + b) ^ each(u2.0, u2.1, |a, b| a + b),
            1 => each(u4.0, u4.1, |a, b| a - b) ^ each(u2.0, u2.1, |a, b| a - b),
            2 => {
                let sums = each(h2.0, h2.1, |a, b| (a + b).clamp(low, high));
                each(u4.0, u4.1, |a, b| (a + b).min(255)) ^ sums
            }
            3 => {
                let differences = each(h2.0, h2.1, |a, b| (a - b).abs());
                each(u4.0, u4.1, |a, b| (a - b).abs()) ^ differences
            }
            4 => {
                let sum = |a: &[i32], b: &[i32]| -> i32 {
                    a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum()
                };
                (sum(&u4.0, &u4.1) + sum(&h2.0, &h2.1)) as u32
            }
            5 => {
                each(u4.0, u4.1, |a, b| (a + b + 1) / 2) ^ each(u2.0, u2.1, |a, b| (a + b + 1) / 2)
            }
            6 => each(b4.0, b4.1, i32::max) ^ each(u2.0, u2.1, i32::min),
            7 => {
                let at_most = each(h2.0, h2.1, |a, b| i32::from(a <= b));
                each(u4.0, u4.1, |a, b| -i32::from(a > b)) ^ at_most
            }
            8 => {
                let most = each(h2.0, h2.0, |a, _| a.abs().min(high));
                each(b4.0, b4.0, |a, _| a.abs()) ^ each(h2.1, h2.1, |b, _| -b) ^ most
            }
            9 => {
                let largest = each(h2.0, h2.1, i32::max);
                let largest = each(halves(largest), halves(x ^ y), i32::max);
                let sums = each(u2.0, u2.1, |a, b| a + b);
                largest ^ each(uhalves(sums), u2.0, i32::min)
            }
            _ => {
                let sum = (x as i32).wrapping_add(y as i32).max(5) as u32;
                sum ^ each(h2.0, h2.1, |a, b| a.max(b).max(0))
            }
        }
    });
}
