use super::*;

/// A product: the kernel, its shape, the types of factors and sums, and whether A and B lie row after row.
type Case = (&'static str, [usize; 3], &'static str, &'static str, bool, bool);

const CASES: &[Case] = &[
    ("half_16_16_rr", [16, 16, 16], "f16", "f32", true, true),
    ("half_16_16_rc", [16, 16, 16], "f16", "f32", true, false),
    ("half_16_16_cr", [16, 16, 16], "f16", "f16", false, true),
    ("half_32_8_cc", [32, 8, 16], "f16", "f16", false, false),
    ("half_8_32_rr", [8, 32, 16], "f16", "f32", true, true),
    ("bf16_16_16_rc", [16, 16, 16], "bf16", "f32", true, false),
    ("bf16_32_8_cr", [32, 8, 16], "bf16", "f32", false, true),
    ("bf16_8_32_rr", [8, 32, 16], "bf16", "f32", true, true),
    ("tf32_rc", [16, 16, 8], "f32", "f32", true, false),
    ("tf32_cr", [16, 16, 8], "f32", "f32", false, true),
    ("s8_16_16_rr", [16, 16, 16], "s8", "s32", true, true),
    ("u8_32_8_rc", [32, 8, 16], "u8", "s32", true, false),
    ("s8_8_32_cc", [8, 32, 16], "s8", "s32", false, false),
    ("f64_rc", [8, 8, 4], "f64", "f64", true, false),
    ("f64_cr", [8, 8, 4], "f64", "f64", false, true),
];

/// A number as bytes of that type, in which it is exact.
fn encode(ty: &str, value: f64) -> Vec<u8> {
    match ty {
        "f16" => half(value).to_le_bytes().to_vec(),
        "bf16" => ((value as f32).to_bits() >> 16).to_le_bytes()[..2].to_vec(),
        "f32" => (value as f32).to_le_bytes().to_vec(),
        "f64" => value.to_le_bytes().to_vec(),
        "s32" => (value as i32).to_le_bytes().to_vec(),
        _ => vec![value as i32 as u8],
    }
}

fn decode(ty: &str, bytes: &[u8]) -> f64 {
    match ty {
        "f16" => {
            let bits = u16::of(bytes);
            let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
            let magnitude = match exponent {
                0 => fraction * 2f64.powi(-24),
                _ => (1024.0 + fraction) * 2f64.powi(exponent - 25),
            };
            if bits >> 15 == 1 { -magnitude } else { magnitude }
        }
        "f32" => f32::of(bytes).into(),
        "f64" => f64::of(bytes),
        _ => i32::of(bytes).into(),
    }
}

/// The bits of an `f16` that is exact.
fn half(value: f64) -> u16 {
    let bits = value.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32 - 1023;
    let sign = (bits >> 48) as u16 & 0x8000;
    if value == 0.0 {
        sign
    } else {
        sign | ((exponent + 15) as u16) << 10 | (bits >> 42 & 1023) as u16
    }
}

/// A matrix in memory, row after row or column after column.
fn laid_out<T: Copy>(values: &[T], rows: usize, columns: usize, row_major: bool) -> Vec<T> {
    let at = |index: usize| match row_major {
        true => index,
        false => index % rows * columns + index / rows,
    };
    (0..rows * columns).map(|index| values[at(index)]).collect()
}

#[test]
fn products_of_all_types() {
    let (module, mut random) = (module!("wmma"), Random::new());
    for &(kernel, [m, n, k], ty, sum, a_rows, b_rows) in CASES {
        let (low, high) = match ty {
            "s8" => (-128, 128),
            "u8" => (0, 256),
            _ => (-8, 9),
        };
        // Eighths, so that all sums are exact.
        let unit = if sum == "s32" { 1.0 } else { 0.125 };
        let mut matrix = |count: usize, low: i32, high: i32| -> Vec<f64> {
            (0..count).map(|_| f64::from(random.int(low, high)) * unit).collect()
        };
        let (a, b) = (matrix(m * k, low, high), matrix(k * n, low, high));
        let c = matrix(m * n, -8, 9);
        let upload = |ty: &str, values: Vec<f64>| {
            let bytes: Vec<u8> = values.iter().flat_map(|&value| encode(ty, value)).collect();
            Buffer::new(&bytes)
        };
        let size = encode(sum, 0.0).len();
        for by_columns in [false, true] {
            let in_a = upload(ty, laid_out(&a, m, k, a_rows));
            let in_b = upload(ty, laid_out(&b, k, n, b_rows));
            let in_c = upload(sum, laid_out(&c, m, n, !by_columns));
            let out = Buffer::new(&vec![0u8; m * n * size]);
            module.run(kernel, 1, 32, args![in_a, in_b, in_c, out, i32::from(by_columns)]);
            let got: Vec<f64> =
                out.values().chunks_exact(size).map(|bytes| decode(sum, bytes)).collect();
            let want: Vec<f64> = (0..m * n)
                .map(|index| {
                    let (row, column) = (index / n, index % n);
                    let product: f64 = (0..k).map(|i| a[row * k + i] * b[i * n + column]).sum();
                    product + 2.0 * c[index]
                })
                .collect();
            assert_eq!(got, laid_out(&want, m, n, !by_columns), "{kernel} {by_columns}");
        }
    }
}

#[test]
fn half_bytes() {
    let (module, mut random) = (module!("wmma"), Random::new());
    let (a, b) = (random.words(8 * 4), random.words(8 * 4));
    let (in_a, in_b, out) = (Buffer::new(&a), Buffer::new(&b), Buffer::new(&[0i32; 64]));
    module.run("s4", 1, 32, args![in_a, in_b, out]);
    let nibble = |words: &[u32], line: usize, at: usize| {
        ((words[line * 4 + at / 8] >> (at % 8 * 4)) as i32) << 28 >> 28
    };
    assert_rows("s4", &out.values(), 8, |row, column| {
        7 + (0..32).map(|i| nibble(&a, row, i) * nibble(&b, column, i)).sum::<i32>()
    });
}

#[test]
fn single_bits() {
    let (module, mut random) = (module!("wmma"), Random::new());
    let (a, b) = (random.words(8 * 4), random.words(8 * 4));
    let (in_a, in_b, out) = (Buffer::new(&a), Buffer::new(&b), Buffer::new(&[0i32; 128]));
    module.run("bits", 1, 32, args![in_a, in_b, out]);
    let count = |row: usize, column: usize, combine: fn(u32, u32) -> u32| {
        let pairs = a[row * 4..][..4].iter().zip(&b[column * 4..][..4]);
        pairs.map(|(&a, &b)| combine(a, b).count_ones() as i32).sum::<i32>()
    };
    let got = out.values();
    assert_rows("xor", &got[..64], 8, |row, column| count(row, column, |a, b| a ^ b) - 5);
    assert_rows("and", &got[64..], 8, |column, row| count(row, column, |a, b| a & b) + 11);
}

#[test]
fn a_product_of_tiles() {
    let (module, mut random) = (module!("wmma"), Random::new());
    let (m, n, k) = (64, 128, 96);
    let mut matrix = |count| -> Vec<f64> {
        random.ints(count, -8, 9).iter().map(|&value| f64::from(value) * 0.125).collect()
    };
    let (a, b) = (matrix(m * k), matrix(k * n));
    let upload =
        |values: &[f64]| Buffer::new(&values.iter().map(|&value| half(value)).collect::<Vec<_>>());
    let (in_a, in_b, out) = (upload(&a), upload(&b), Buffer::new(&vec![0f32; m * n]));
    let sizes = [m, n, k].map(|size| size as i32);
    let args = args![in_a, in_b, out, sizes[0], sizes[1], sizes[2], 0.5f32];
    module.run_2d("tiled", [2, 4], [128, 1], args);
    assert_rows("tiled", &out.values(), n, |row, column| {
        (0.5 * (0..k).map(|i| a[row * k + i] * b[i * n + column]).sum::<f64>()) as f32
    });
}
