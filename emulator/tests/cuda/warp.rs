use super::*;

#[test]
fn shuffles() {
    let (module, mut random) = (module!("warp"), Random::new());
    let values = random.ints(64, -500, 500);
    let (input, out) = (Buffer::new(&values), Buffer::new(&[0i32; 64 * 7]));
    module.run("shuffles", 1, 64, args![input, out, 64i32]);
    assert_rows("shuffles", &out.values(), 64, |row, at| {
        let (warp, lane) = (&values[at / 32 * 32..][..32], at % 32);
        match row {
            0 => warp[(lane * 7) % 32],
            1 => warp[if lane < 3 { lane } else { lane - 3 }],
            2 => warp[if lane % 16 + 5 < 16 { lane + 5 } else { lane }],
            3 => warp[lane ^ 9],
            4 => warp[lane ^ 1],
            5 => warp[lane / 8 * 8 + (lane ^ 31) % 8],
            _ if lane < 19 => warp[lane + 1],
            // The last of the group gets what a thread has that takes no part: anything. It is not compared.
            _ if lane == 19 => out.values()[row * 64 + at],
            _ => 0,
        }
    });
}

#[test]
fn votes() {
    let (module, mut random) = (module!("warp"), Random::new());
    let values = random.ints(64, -500, 500);
    let (input, out) = (Buffer::new(&values), Buffer::new(&[0u32; 64 * 10]));
    module.run("votes", 1, 64, args![input, out, 64i32]);
    assert_rows("votes", &out.values(), 64, |row, at| {
        let (warp, value) = (&values[at / 32 * 32..][..32], values[at]);
        let mask = |holds: &dyn Fn(i32) -> bool| {
            warp.iter().enumerate().fold(0, |all, (at, &v)| all | u32::from(holds(v)) << at)
        };
        match row {
            0 => mask(&|v| v > 0),
            1 => {
                let (all, any) = (warp.iter().all(|&v| v > -500), warp.iter().any(|&v| v > 490));
                u32::from(all) * 2 + u32::from(any)
            }
            2 => mask(&|v| v % 4 == value % 4),
            3 => u32::MAX.wrapping_add(1),
            4 => warp.iter().sum::<i32>() as u32,
            5 => *warp.iter().min().unwrap() as u32,
            6 => warp.iter().map(|&v| v as u32).max().unwrap(),
            7 => warp.iter().fold(0, |all, &v| all ^ v as u32),
            8 => 1,
            _ => mask(&|v| v % 3 == value % 3),
        }
    });
}

#[test]
fn a_scan_by_shuffles() {
    let (module, mut random) = (module!("warp"), Random::new());
    let values = random.words(256);
    let (input, out) = (Buffer::new(&values), Buffer::new(&[0u32; 256]));
    module.run("scan", 1, 256, args![input, out]);
    assert_rows("scan", &out.values(), 256, |_, at| {
        values[..at].iter().fold(0u32, |sum, value| sum.wrapping_add(*value))
    });
}
