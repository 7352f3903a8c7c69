use super::*;

/// The nearest number with so many bits behind the point and of the exponent, ties to even.
fn round(value: f64, fraction: i32, exponent: i32) -> f64 {
    let smallest = 2 - (1 << (exponent - 1));
    let own = (value.to_bits() >> 52 & 0x7ff) as i32 - 1023;
    let unit = 2f64.powi(own.max(smallest) - fraction);
    (value / unit).round_ties_even() * unit
}

/// The bits of a positive number of such a format.
pub(crate) fn bits(value: f64, fraction: i32, exponent: i32) -> u32 {
    let value = round(value, fraction, exponent);
    let own = (value.to_bits() >> 52 & 0x7ff) as i32 - 1023;
    let biased = own + (1 << (exponent - 1)) - 1;
    if value == 0.0 {
        return 0;
    }
    (biased as u32) << fraction
        | (value.to_bits() >> (52 - fraction)) as u32 & ((1 << fraction) - 1)
}

fn half(value: f64) -> f64 {
    round(value, 10, 5)
}

fn brain(value: f64) -> f64 {
    round(value, 7, 8)
}

const COUNT: usize = 128;

#[test]
fn one_at_a_time() {
    let (module, mut random) = (module!("halves"), Random::new());
    let (a, b) = (random.reals(COUNT, -8.0, 8.0), random.reals(COUNT, 0.5, 8.0));
    let (in_a, in_b, out) = (Buffer::new(&a), Buffer::new(&b), Buffer::new(&[0f32; COUNT * 9]));
    module.run("halves", 1, COUNT as u32, args![in_a, in_b, out, COUNT as i32]);
    let got = out.values();
    for (index, got) in got.into_iter().enumerate() {
        let (row, at) = (index / COUNT, index % COUNT);
        let (x, y) = (half(a[at].into()), half(b[at].into()));
        let want = match row {
            0 => half(x + y),
            1 => half(x * y),
            2 => half(x * y + x),
            3 => half(x / y),
            4 => half(x.abs().sqrt()),
            5 => f64::from(u8::from(x > y) * 4 + 2),
            6 => x.max(y) - x.min(y),
            7 => x.round_ties_even() + half(at as f64 * 1000.0).min(f64::INFINITY),
            _ => half((x + y).clamp(0.0, 1.0)) + x.floor(),
        };
        // Division and square roots may be off in the last place. Beyond 65504 lies infinity.
        let tolerance = if matches!(row, 3 | 4) { want.abs() / 1024.0 } else { 0.0 };
        if row == 7 && at * 1000 > 65504 {
            assert_eq!(got, f32::INFINITY, "thread {at}");
            continue;
        }
        let error = (f64::from(got) - want).abs();
        assert!(error <= tolerance, "row {row}, thread {at}: {x} {y}: {got}, not {want}");
    }
}

/// Runs a kernel on pairs and compares row after row with what `want` makes of each part of the pairs.
fn pairs(
    kernel: &str,
    rows: usize,
    to: fn(f64) -> f64,
    want: impl Fn(usize, [[f64; 2]; 2]) -> [f64; 2],
) {
    let (module, mut random) = (module!("halves"), Random::new());
    let mut reals = || -> Vec<f32> {
        // A few are alike, so that comparisons are not always the same.
        (0..COUNT * 2)
            .map(|_| random.int(-64, 64) as f32 / 8.0 + random.real(-0.01, 0.01) as f32)
            .collect()
    };
    let (a, mut b) = (reals(), reals());
    b[..32].copy_from_slice(&a[..32]);
    let out = Buffer::new(&vec![0f32; COUNT * 2 * rows]);
    let (in_a, in_b) = (Buffer::new(&a), Buffer::new(&b));
    match kernel {
        "eighths" => module.run(kernel, 1, COUNT as u32, args![in_a, out, COUNT as i32]),
        _ => module.run(kernel, 1, COUNT as u32, args![in_a, in_b, out, COUNT as i32]),
    }
    assert_rows(kernel, &out.values(), COUNT * 2, |row, at| {
        let pair = |of: &[f32]| [to(of[at / 2 * 2].into()), to(of[at / 2 * 2 + 1].into())];
        want(row, [pair(&a), pair(&b)])[at % 2] as f32
    });
}

#[test]
fn two_at_a_time() {
    pairs("pairs", 7, half, |row, [x, y]| {
        let each = |f: &dyn Fn(f64, f64) -> f64| [f(x[0], y[0]), f(x[1], y[1])];
        match row {
            0 => each(&|x, y| half(x + y)),
            1 => each(&|x, y| half(x * y + y)),
            2 => [half(x[1] * y[1]), half(x[0] * y[0])],
            3 => [half(x[1] - y[0]); 2],
            4 => each(&|x, y| f64::from(u8::from(x > y))),
            5 => [x == y, x[0] <= y[0] && x[1] <= y[1]].map(|holds| f64::from(u8::from(holds))),
            _ => each(&|x, y| half(x * y + x).max(0.0)),
        }
    });
}

#[test]
fn bfloat16() {
    pairs(
        "brain",
        6,
        |value| value,
        |row, [a, b]| {
            let (x, y) = (a.map(brain), b.map(brain));
            let each = |f: &dyn Fn(f64, f64) -> f64| [f(x[0], y[0]), f(x[1], y[1])];
            match row {
                0 => each(&|x, y| brain(x + y)),
                1 => each(&|x, y| brain(x * y + x)),
                2 => each(&|x, y| brain(x * y)),
                3 => each(&f64::max),
                4 => {
                    let towards_zero = f32::from_bits((a[0] as f32).to_bits() & 0xffff_0000);
                    [towards_zero.into(), x[1].trunc()]
                }
                _ => x.map(|x| -x.abs()),
            }
        },
    );
}

#[test]
fn eight_bits() {
    let e4m3 = |value| round(value, 3, 4).clamp(-448.0, 448.0);
    let e5m2 = |value| round(value, 2, 5);
    pairs(
        "eighths",
        3,
        |value| value,
        |row, [x, _]| match row {
            0 => x.map(e4m3),
            1 => x.map(e5m2),
            _ => [e4m3(x[0]), e5m2(x[1])],
        },
    );
}
