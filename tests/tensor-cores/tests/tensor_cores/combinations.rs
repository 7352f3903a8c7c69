//! Every type and size of products that has no test of its own elsewhere; and products of zeros, subnormal numbers,
//! infinities and NaN.

use crate::products::product;
use crate::sparse::compressed;
use half::{bf16, f16};
use ptyx::device::mma::{
    A, Accumulator, B, E4m3, E5m2, Fragment, Layout, Plain, Product, S4, Saturating, Shape, Sparse,
    SparseShape, Tf32, U4,
};
use ptyx::prelude::*;
use ptyx_tensor_tests::{Case, Number, Rng, capability, pack, rng};

/// Products with 8 and 16 rows and the small K, and with 16 rows and the large K, each with and without saturation; then of
/// sparse matrices with the large K and twice that. All are added to `c`, and begin at row 0 and column 0.
#[kernel]
fn integers<TA, TB, const SMALL: usize, const LARGE: usize, const DOUBLE: usize>(
    a: &[TA::Unit],
    b: &[TB::Unit],
    kept: &[TA::Unit],
    metadata: &[u16],
    c: &[i32],
    d: SliceMut<i32>,
) where
    TA: Shape<A, 8, SMALL> + Shape<A, 16, SMALL> + Shape<A, 16, LARGE>,
    TA: SparseShape<LARGE, Values = Fragment<A, TA, 16, SMALL>>,
    TA: SparseShape<DOUBLE, Values = Fragment<A, TA, 16, LARGE>>,
    TB: Shape<B, SMALL, 8> + Shape<B, LARGE, 8> + Shape<B, DOUBLE, 8>,
    Fragment<A, TA, 8, SMALL>: Product<Fragment<B, TB, SMALL, 8>, Fragment<Accumulator, i32, 8, 8>, Plain>
        + Product<Fragment<B, TB, SMALL, 8>, Fragment<Accumulator, i32, 8, 8>, Saturating>,
    Fragment<A, TA, 16, SMALL>: Product<Fragment<B, TB, SMALL, 8>, Fragment<Accumulator, i32, 16, 8>, Plain>
        + Product<Fragment<B, TB, SMALL, 8>, Fragment<Accumulator, i32, 16, 8>, Saturating>,
    Fragment<A, TA, 16, LARGE>: Product<Fragment<B, TB, LARGE, 8>, Fragment<Accumulator, i32, 16, 8>, Plain>
        + Product<Fragment<B, TB, LARGE, 8>, Fragment<Accumulator, i32, 16, 8>, Saturating>,
    Sparse<TA, LARGE>: Product<Fragment<B, TB, LARGE, 8>, Fragment<Accumulator, i32, 16, 8>, Plain>
        + Product<Fragment<B, TB, LARGE, 8>, Fragment<Accumulator, i32, 16, 8>, Saturating>,
    Sparse<TA, DOUBLE>: Product<Fragment<B, TB, DOUBLE, 8>, Fragment<Accumulator, i32, 16, 8>, Plain>
        + Product<Fragment<B, TB, DOUBLE, 8>, Fragment<Accumulator, i32, 16, 8>, Saturating>,
{
    let (of_a, of_b) = (Layout::row_major(LARGE), Layout::column_major(DOUBLE));
    let result = |number: usize| Layout::row_major(8).from(128 * number);
    let eight = Fragment::<Accumulator, i32, 8, 8>::load(c, Layout::row_major(8));
    let sixteen = Fragment::<Accumulator, i32, 16, 8>::load(c, Layout::row_major(8));

    let factor = Fragment::<A, TA, 8, SMALL>::load(a, of_a);
    let columns = Fragment::<B, TB, SMALL, 8>::load(b, of_b);
    let plain = Product::<_, _, Plain>::multiply(factor, columns, eight);
    let limited = Product::<_, _, Saturating>::multiply(factor, columns, eight);
    // SAFETY: the only warp, here and below.
    unsafe {
        plain.store(d, result(0));
        limited.store(d, result(1));
    }
    let factor = Fragment::<A, TA, 16, SMALL>::load(a, of_a);
    let plain = Product::<_, _, Plain>::multiply(factor, columns, sixteen);
    let limited = Product::<_, _, Saturating>::multiply(factor, columns, sixteen);
    // SAFETY: as above.
    unsafe {
        plain.store(d, result(2));
        limited.store(d, result(3));
    }
    let factor = Fragment::<A, TA, 16, LARGE>::load(a, of_a);
    let columns = Fragment::<B, TB, LARGE, 8>::load(b, of_b);
    let plain = Product::<_, _, Plain>::multiply(factor, columns, sixteen);
    let limited = Product::<_, _, Saturating>::multiply(factor, columns, sixteen);
    // SAFETY: as above.
    unsafe {
        plain.store(d, result(4));
        limited.store(d, result(5));
    }
    let words = Layout::row_major(metadata.len() / 16);
    let factor = Fragment::<A, TA, 16, SMALL>::load(kept, of_a);
    let factor = Sparse::<TA, LARGE>::new(factor, metadata, words);
    let plain = Product::<_, _, Plain>::multiply(factor, columns, sixteen);
    let limited = Product::<_, _, Saturating>::multiply(factor, columns, sixteen);
    // SAFETY: as above.
    unsafe {
        plain.store(d, result(6));
        limited.store(d, result(7));
    }
    let factor = Fragment::<A, TA, 16, LARGE>::load(kept, of_a);
    let factor = Sparse::<TA, DOUBLE>::new(factor, metadata, words);
    let columns = Fragment::<B, TB, DOUBLE, 8>::load(b, of_b);
    let plain = Product::<_, _, Plain>::multiply(factor, columns, sixteen);
    let limited = Product::<_, _, Saturating>::multiply(factor, columns, sixteen);
    // SAFETY: as above.
    unsafe {
        plain.store(d, result(8));
        limited.store(d, result(9));
    }
}

/// Elements of all values that the type has.
fn any<T: Number>(rng: &mut Rng, count: usize) -> Vec<u64> {
    rng.vec(count, |rng| rng.next_u64() & (u64::MAX >> (64 - T::BITS)))
}

macro_rules! every_size_of_integers {
    ($($name:ident: $a:ty, $b:ty, $small:literal $large:literal $double:literal;)*) => {$(
        #[test]
        fn $name() {
            ptyx_test_support::part!($name);
            if capability() < 80 {
                println!("skipped: the device has no such instruction");
                return;
            }
            let mut rng = rng();
            for _ in 0..4 {
                let a = any::<$a>(&mut rng, 16 * $large);
                let (sparse, kept, metadata) = compressed::<$a>(&mut rng, $double);
                let sparse = sparse.concat();
                let b = any::<$b>(&mut rng, 8 * $double);
                // Some next to the limits.
                let c: Vec<i32> = rng.vec(128, |rng| match rng.below(3) {
                    0 => i32::MAX - rng.below(100) as i32,
                    1 => i32::MIN + rng.below(100) as i32,
                    _ => rng.next_u32().cast_signed(),
                });
                let device_a = DeviceBuffer::from_slice(&pack::<$a>(&a)).unwrap();
                let device_b = DeviceBuffer::from_slice(&pack::<$b>(&b)).unwrap();
                let device_kept = DeviceBuffer::from_slice(&kept).unwrap();
                let device_metadata = DeviceBuffer::from_slice(&metadata).unwrap();
                let device_c = DeviceBuffer::from_slice(&c).unwrap();
                let mut d = DeviceBuffer::zeroed(1280).unwrap();
                launch!(integers::<$a, $b, $small, $large, $double><<<1, 32>>>(
                    &device_a, &device_b, &device_kept, &device_metadata, &device_c, &mut d
                ))
                .unwrap();
                let d = d.to_vec().unwrap();
                let products =
                    [(8, $small, false), (16, $small, false), (16, $large, false), (16, $large, true), (16, $double, true)];
                for (number, (rows, depth, is_sparse)) in products.into_iter().enumerate() {
                    for at in 0..8 * rows {
                        let (row, column) = (at / 8, at % 8);
                        let exact = (0..depth).fold(i64::from(c[at]), |sum, k| {
                            let a = if is_sparse { sparse[row * $double + k] } else { a[row * $large + k] };
                            sum + (<$a>::number(a) * <$b>::number(b[column * $double + k])) as i64
                        });
                        let place = format!("product {number}, row {row}, column {column}");
                        assert_eq!(d[256 * number + at], exact as i32, "{place}");
                        let limited = exact.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
                        assert_eq!(d[256 * number + 128 + at], limited, "{place}, with limits");
                    }
                }
            }
        }
    )*};
}

every_size_of_integers! {
    s8_s8: i8, i8, 16 32 64;
    s8_u8: i8, u8, 16 32 64;
    u8_s8: u8, i8, 16 32 64;
    u8_u8: u8, u8, 16 32 64;
    s4_s4: S4, S4, 32 64 128;
    s4_u4: S4, U4, 32 64 128;
    u4_s4: U4, S4, 32 64 128;
    u4_u4: U4, U4, 32 64 128;
}

/// Products of 8-bit floats of both sizes with both types of sums, and a sparse one.
#[kernel]
fn floats<TA, TB>(
    a: &[u8],
    b: &[u8],
    kept: &[u8],
    metadata: &[u16],
    [wide, half]: [SliceMut<f32>; 2],
    narrow: SliceMut<f16>,
) where
    TA: Shape<A, 16, 16, Unit = u8> + Shape<A, 16, 32>,
    TA: SparseShape<64, Values = Fragment<A, TA, 16, 32>>,
    TB: Shape<B, 16, 8, Unit = u8> + Shape<B, 32, 8> + Shape<B, 64, 8>,
    Fragment<A, TA, 16, 16>: Product<Fragment<B, TB, 16, 8>, Fragment<Accumulator, f32, 16, 8>, Plain>
        + Product<Fragment<B, TB, 16, 8>, Fragment<Accumulator, f16, 16, 8>, Plain>,
    Fragment<A, TA, 16, 32>: Product<Fragment<B, TB, 32, 8>, Fragment<Accumulator, f32, 16, 8>, Plain>
        + Product<Fragment<B, TB, 32, 8>, Fragment<Accumulator, f16, 16, 8>, Plain>,
    Sparse<TA, 64>: Product<Fragment<B, TB, 64, 8>, Fragment<Accumulator, f32, 16, 8>, Plain>,
{
    let (of_a, of_b, of_sums) =
        (Layout::row_major(32), Layout::column_major(64), Layout::row_major(8));
    let zeros = Fragment::<Accumulator, f32, 16, 8>::filled(0.0);
    let narrow_zeros = Fragment::<Accumulator, f16, 16, 8>::filled(f16::ZERO);
    let (factor, columns) =
        (Fragment::<A, TA, 16, 16>::load(a, of_a), Fragment::<B, TB, 16, 8>::load(b, of_b));
    // SAFETY: the only warp, here and below.
    unsafe {
        factor.multiply(columns, zeros).store(half, of_sums);
        factor.multiply(columns, narrow_zeros).store(narrow, of_sums);
    }
    let (factor, columns) =
        (Fragment::<A, TA, 16, 32>::load(a, of_a), Fragment::<B, TB, 32, 8>::load(b, of_b));
    // SAFETY: as above.
    unsafe {
        factor.multiply(columns, zeros).store(wide, of_sums);
        factor.multiply(columns, narrow_zeros).store(narrow, of_sums.from(128));
    }
    let factor = Fragment::<A, TA, 16, 32>::load(kept, of_a);
    let factor = Sparse::<TA, 64>::new(factor, metadata, Layout::row_major(4));
    let columns = Fragment::<B, TB, 64, 8>::load(b, of_b);
    // SAFETY: as above.
    unsafe { factor.multiply(columns, zeros).store(wide, of_sums.from(128)) };
}

macro_rules! every_size_of_floats {
    ($($name:ident: $a:ty, $b:ty;)*) => {$(
        #[test]
        fn $name() {
            ptyx_test_support::part!($name);
            if capability() < 89 {
                println!("skipped: the device has no such instruction");
                return;
            }
            let mut rng = rng();
            for _ in 0..4 {
                let integer = |rng: &mut Rng| rng.below(17) as f64 - 8.0;
                let a: Vec<u64> = rng.vec(16 * 32, |rng| <$a>::bits(integer(rng)));
                let (sparse, kept, metadata) = compressed::<$a>(&mut rng, 64);
                let sparse = sparse.concat();
                let b: Vec<u64> = rng.vec(8 * 64, |rng| <$b>::bits(integer(rng)));
                let [device_a, device_b, device_kept] = [pack::<$a>(&a), pack::<$b>(&b), kept]
                    .map(|bytes| DeviceBuffer::from_slice(&bytes).unwrap());
                let device_metadata = DeviceBuffer::from_slice(&metadata).unwrap();
                let [mut wide, mut half] = [256, 128].map(|len| DeviceBuffer::zeroed(len).unwrap());
                let mut narrow = DeviceBuffer::filled(256, f16::NAN).unwrap();
                launch!(floats::<$a, $b><<<1, 32>>>(
                    &device_a, &device_b, &device_kept, &device_metadata, [&mut wide, &mut half], &mut narrow
                ))
                .unwrap();
                let (wide, half) = (wide.to_vec().unwrap(), half.to_vec().unwrap());
                let narrow = narrow.to_vec().unwrap();
                for at in 0..128 {
                    let (row, column) = (at / 8, at % 8);
                    let sum = |a: &[u64], stride: usize, depth: usize| -> f64 {
                        let product = |k| <$a>::number(a[row * stride + k]) * <$b>::number(b[column * 64 + k]);
                        (0..depth).map(product).sum()
                    };
                    // Integers below 2^12: exact, as f16 up to 2^11.
                    let [small, large] = [16, 32].map(|depth| sum(&a, 32, depth));
                    assert_eq!(f64::from(half[at]), small, "16, {at}");
                    assert_eq!(f64::from(wide[at]), large, "32, {at}");
                    assert_eq!(narrow[at], f16::from_f64(small), "16 as f16, {at}");
                    assert_eq!(narrow[128 + at], f16::from_f64(large), "32 as f16, {at}");
                    assert_eq!(f64::from(wide[128 + at]), sum(&sparse, 64, 64), "sparse, {at}");
                }
            }
        }
    )*};
}

every_size_of_floats! {
    e4m3_e4m3: E4m3, E4m3;
    e4m3_e5m2: E4m3, E5m2;
    e5m2_e4m3: E5m2, E4m3;
    e5m2_e5m2: E5m2, E5m2;
}

/// A format: its bits of exponent and significand, the unused bits below them, and whether it has infinities.
#[derive(Clone, Copy)]
struct Format {
    exponent: u32,
    stored: u32,
    unused: u32,
    infinities: bool,
}

impl Format {
    fn sign(self) -> u64 {
        1 << (self.exponent + self.stored)
    }

    /// By `kind`: a zero, a subnormal number, infinity if the format has one, or NaN.
    fn unusual(self, rng: &mut Rng, kind: usize) -> u64 {
        let sign = if rng.below(2) == 0 { 0 } else { self.sign() };
        let fraction = rng.next_u64() & ((1 << self.stored) - 1);
        let infinity = ((1 << self.exponent) - 1) << self.stored;
        let magnitude = match (kind, self.infinities) {
            (0, _) => 0,
            (1, _) => fraction,
            (2, true) => infinity,
            (2, false) => 0,
            (_, true) => infinity | fraction | 1,
            (_, false) => infinity | ((1 << self.stored) - 1),
        };
        (sign | magnitude) << self.unused
    }

    /// The number, and its magnitude: unless it is zero, at least that of the smallest normal number.
    fn value(self, bits: u64) -> (f64, f64) {
        let bits = bits >> self.unused;
        let magnitude = bits & (self.sign() - 1);
        let (biased, fraction) = (magnitude >> self.stored, magnitude & ((1 << self.stored) - 1));
        let largest = (1 << self.exponent) - 1;
        let bias = (1i32 << (self.exponent - 1)) - 1;
        let smallest = 2f64.powi(1 - bias);
        let all_ones = fraction == (1 << self.stored) - 1;
        let value = match (biased == largest, self.infinities) {
            (true, true) if fraction == 0 => f64::INFINITY,
            (true, true) => f64::NAN,
            (true, false) if all_ones => f64::NAN,
            _ => {
                let hidden = if biased == 0 { 0 } else { 1 << self.stored };
                let power = biased.max(1) as i32 - bias - self.stored as i32;
                (fraction | hidden) as f64 * 2f64.powi(power)
            }
        };
        let weight = if value == 0.0 { 0.0 } else { value.max(smallest) };
        (if bits & self.sign() == 0 { value } else { -value }, weight)
    }
}

macro_rules! unusual_numbers {
    ($($name:ident: $type:ty, $k:literal, $least:literal, [$exponent:literal $stored:literal $unused:literal $infinities:literal];)*) => {$(
        #[test]
        fn $name() {
            ptyx_test_support::part!($name);
            if capability() < $least {
                println!("skipped: the device has no such instruction");
                return;
            }
            let format = Format { exponent: $exponent, stored: $stored, unused: $unused, infinities: $infinities };
            let mut rng = rng();
            let mut seen = [0; 3];
            for round in 0..16 {
                let mut case = Case::integers::<$type, $type, f32>(&mut rng, [16, 8, $k]);
                for element in case.a.elements.iter_mut().chain(&mut case.b.elements) {
                    // In even rounds only finite numbers; in odd rounds a few others, too.
                    match rng.below(if round % 2 == 0 { 3 } else { 96 }) {
                        kind @ 0..2 => *element = format.unusual(&mut rng, kind),
                        kind @ 2..4 if round % 2 == 1 => *element = format.unusual(&mut rng, kind),
                        _ => {}
                    }
                }
                for element in &mut case.c.elements {
                    let unusual = [0.0, -0.0, 1e-40, -1e-45, f32::INFINITY, f32::NEG_INFINITY, f32::NAN];
                    let kinds = if round % 2 == 0 { 4 } else { unusual.len() };
                    // In some rounds, all are zeros, so that small products count.
                    let kind = if round % 4 < 2 { rng.below(2) } else { rng.below(3 * kinds) };
                    if let Some(number) = unusual[..kinds].get(kind) {
                        *element = number.to_bits().into();
                    }
                }
                let got = case.run::<$type, $type, f32>(|a, b, c, d, layouts| {
                    launch!(product::<$type, $type, f32, Plain, 16, 8, $k><<<1, 32>>>(a, b, c, d, layouts)).unwrap();
                });
                for (at, got) in got.into_iter().enumerate() {
                    let (row, column) = (at / 8, at % 8);
                    let start = f64::from(f32::from_bits(case.c.elements[at] as u32));
                    let (mut want, mut weight) = (start, start.abs());
                    for k in 0..$k {
                        let (a, of_a) = format.value(case.a.elements[row * $k + k]);
                        let (b, of_b) = format.value(case.b.elements[k * 8 + column]);
                        want += a * b;
                        weight += of_a * of_b;
                    }
                    let place = format!("round {round}, row {row}, column {column}: {got} {want}: {case:?}");
                    if want.is_nan() {
                        assert!(got.is_nan(), "{place}");
                        seen[0] += 1;
                    } else if want.is_infinite() {
                        assert_eq!(f64::from(got), want, "{place}");
                        seen[1] += 1;
                    } else {
                        // As docs/tensor-cores.md has it, and the last place of a subnormal sum.
                        let bound = ($k as f64 + 2.0) * weight * f64::from(f32::EPSILON) + 2f64.powi(-149);
                        assert!((f64::from(got) - want).abs() <= bound, "{place}");
                        if weight == 0.0 {
                            assert_eq!(got.to_bits(), 0, "{place}");
                            seen[2] += 1;
                        }
                    }
                }
            }
            println!("NaN, infinite, zero: {seen:?}");
            assert!(seen[0] > 0 && seen[1] > 0, "NaN, infinite, zero: {seen:?}");
        }
    )*};
}

unusual_numbers! {
    unusual_f16: f16, 16, 80, [5 10 0 true];
    unusual_bf16: bf16, 16, 80, [8 7 0 true];
    unusual_tf32: Tf32, 8, 80, [8 10 13 true];
    unusual_e4m3: E4m3, 32, 89, [4 3 0 false];
    unusual_e5m2: E5m2, 32, 89, [5 2 0 true];
}

#[test]
fn unusual_f64() {
    if capability() < 90 {
        println!("skipped: the device has no such instruction");
        return;
    }
    let unusual =
        [0.0, -0.0, 5e-324, -1e-310, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, f64::MAX];
    let mut rng = rng();
    let mut seen = [0; 2];
    for round in 0..16 {
        let mut case = Case::integers::<f64, f64, f64>(&mut rng, [16, 8, 16]);
        let all = case.a.elements.iter_mut().chain(&mut case.b.elements);
        for element in all.chain(&mut case.c.elements) {
            let kinds = if round % 2 == 0 { 4 } else { unusual.len() };
            if let Some(number) =
                unusual[..kinds].get(rng.below(if round % 2 == 0 { 8 } else { 200 }))
            {
                *element = number.to_bits();
            }
        }
        let got = case.run::<f64, f64, f64>(|a, b, c, d, layouts| {
            launch!(product::<f64, f64, f64, Plain, 16, 8, 16><<<1, 32>>>(a, b, c, d, layouts))
                .unwrap();
        });
        for (at, got) in got.into_iter().enumerate() {
            let start = f64::from_bits(case.c.elements[at]);
            // One after another, each rounded once.
            let want = (0..16).fold(start, |sum, k| {
                let [a, b] = [case.a.elements[at / 8 * 16 + k], case.b.elements[k * 8 + at % 8]];
                f64::from_bits(a).mul_add(f64::from_bits(b), sum)
            });
            let same = got.to_bits() == want.to_bits() || (got.is_nan() && want.is_nan());
            assert!(same, "round {round}, {at}: {got} {want}: {case:?}");
            seen[0] += usize::from(want.is_nan());
            seen[1] += usize::from(want.is_infinite());
        }
    }
    assert!(seen[0] > 0 && seen[1] > 0, "NaN, infinite: {seen:?}");
}
