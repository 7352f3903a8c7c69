use super::*;

const BLOCKS: u32 = 4;
const THREADS: u32 = 64;
const COUNT: usize = (BLOCKS * THREADS) as usize;

#[test]
fn integers() {
    let (module, mut random) = (module!("atomics"), Random::new());
    let values: Vec<i32> = random.words(COUNT).iter().map(|&word| word as i32).collect();
    let starts = (random.words(7), random.words(5));
    let mut starts: (Vec<i32>, Vec<u32>) =
        (starts.0.iter().map(|&word| word as i32).collect(), starts.1);
    (starts.1[3], starts.1[4]) = (90, 30);
    let (a, b) = (Buffer::new(&starts.0), Buffer::new(&starts.1));
    let (c, d) = (Buffer::new(&[0i64; 2]), Buffer::new(&[5u64, u64::MAX, 0, u64::MAX, 0, 3]));
    let input = Buffer::new(&values);
    module.run("integers", BLOCKS, THREADS, args![input, a, b, c, d]);
    let (mut i32s, mut u32s) = starts;
    let (mut i64s, mut u64s) = ([0i64; 2], [5u64, u64::MAX, 0, u64::MAX, 0, 3]);
    for &v in &values {
        let wide = i64::from(v) as u64;
        i32s[0] = i32s[0].wrapping_add(v);
        i32s[1] = i32s[1].wrapping_sub(v);
        i32s[2] = i32s[2].min(v);
        i32s[3] = i32s[3].max(v);
        i32s[4] &= v | 0xff;
        i32s[5] |= v & 0xf0f;
        i32s[6] ^= v;
        u32s[0] = u32s[0].wrapping_add(v as u32);
        u32s[1] = u32s[1].min(v as u32);
        u32s[2] = u32s[2].max(v as u32);
        u32s[3] = if u32s[3] >= 100 { 0 } else { u32s[3] + 1 };
        u32s[4] = if u32s[4] == 0 || u32s[4] > 100 { 100 } else { u32s[4] - 1 };
        i64s[0] = i64s[0].min(i64::from(v) << 33);
        i64s[1] = i64s[1].max(i64::from(v) << 33);
        u64s[0] = u64s[0].wrapping_add(wide);
        u64s[1] = u64s[1].min(wide);
        u64s[2] = u64s[2].max(u64::from(v as u32) << 20);
        u64s[3] &= !(wide << 8);
        u64s[4] |= wide << 4;
        u64s[5] ^= wide.wrapping_mul(0x1_0000_0001);
    }
    assert_eq!((a.values(), b.values()), (i32s, u32s));
    assert_eq!((c.values(), d.values()), (i64s.to_vec(), u64s.to_vec()));
}

#[test]
fn floats() {
    let (module, mut random) = (module!("atomics"), Random::new());
    let values = random.ints(COUNT, 0, 4);
    let (input, f, d) = (Buffer::new(&values), Buffer::new(&[0f32]), Buffer::new(&[0f64]));
    let (h2, b2, h) = (Buffer::new(&[0u16; 2]), Buffer::new(&[0u16; 2]), Buffer::new(&[0u16; 2]));
    module.run("floats", BLOCKS, THREADS, args![input, f, d, h2, b2, h]);
    let sum: i32 = values.iter().sum();
    let odd = values.iter().filter(|&&value| value & 1 == 1).count() as f64;
    assert_eq!((f.values(), d.values()), (vec![sum as f32], vec![f64::from(sum) * 0.25]));
    let half = |value: f64| halves::bits(value, 10, 5) as u16;
    assert_eq!(h2.values(), [half(COUNT as f64), half(sum.into())]);
    assert_eq!(h.values(), [half(sum.into()), 0]);
    let brain = |value: f64| halves::bits(value, 7, 8) as u16;
    assert_eq!(b2.values(), [brain(odd), brain(odd * 0.5)]);
}

#[test]
fn exchanges() {
    let module = module!("atomics");
    let mut start = [0u32; 16];
    start[8] = 1;
    let (slots, sum) = (Buffer::new(&start), Buffer::new(&[0u64]));
    let small = Buffer::new(&[7u16, 9]);
    module.run("exchanges", BLOCKS, THREADS, args![slots, sum, small]);
    let got = slots.values();
    let left: u64 = got[..4].iter().map(|&value| u64::from(value)).sum();
    assert_eq!(sum.values()[0] + left, (1..=COUNT as u64).sum());
    assert_eq!(got[8], (0..COUNT).fold(1, |value, _| value * 2 % 1_000_003));
    assert_eq!(got[9..14], [COUNT as u32, THREADS, THREADS, THREADS, THREADS]);
    assert_eq!(small.values(), [7 + 3 * COUNT as u16, 9]);
}

#[test]
fn shared_memory() {
    let (module, mut random) = (module!("atomics"), Random::new());
    let values: Vec<u8> = random.ints(5000, 0, 256).iter().map(|&value| value as u8).collect();
    let (input, bins) = (Buffer::new(&values), Buffer::new(&[0u32; 65]));
    module.run("in_shared", BLOCKS, THREADS, args![input, bins, 5000i32]);
    let mut want = [0u32; 65];
    values.iter().for_each(|value| want[usize::from(value & 63)] += 1);
    want[64] = 5000;
    assert_eq!(bins.values(), want);
}

#[test]
fn messages() {
    let module = module!("atomics");
    let (data, flag, out) = (Buffer::new(&[0i32]), Buffer::new(&[0i32]), Buffer::new(&[0i32; 9]));
    module.run("messages", BLOCKS, 32, args![data, flag, out]);
    assert_eq!(out.values(), [0, 42, 42, 42, 0, 0, 0, 0, 3]);
    assert_eq!(flag.values(), [4]);
}
