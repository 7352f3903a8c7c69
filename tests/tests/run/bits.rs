//! D7: single instructions on bits and bytes, against their meaning on the host.

use ptyx::device::math::bits::*;
use ptyx::prelude::*;
use ptyx_tests::rng;

/// What every function makes of two numbers and a small one: the same code on the device and on the host.
fn every(x: u32, y: u32, small: u32) -> [u32; 25] {
    let wide = u64::from(x) << 32 | u64::from(y);
    let (signed, wide_signed) = (x.cast_signed(), wide.cast_signed() >> (small % 64));
    let place = |found: Option<u32>| found.unwrap_or(1000);
    [
        prmt_f4e(x, y, small),
        prmt_b4e(x, y, small),
        prmt_rc8(x, small),
        prmt_ecl(x, small),
        prmt_ecr(x, small),
        prmt_rc16(x, small),
        bmsk_clamp(y % 40, small),
        bmsk_wrap(y % 40, small),
        bmsk_clamp(small, y),
        bmsk_wrap(small, y),
        szext_clamp(signed, small).cast_unsigned(),
        uszext_clamp(x, small),
        szext_wrap(signed, small).cast_unsigned(),
        uszext_wrap(x, small),
        szext_clamp(signed, y).cast_unsigned(),
        place(bfind(signed >> (small % 32))),
        place(ubfind(x >> (small % 32))),
        place(bfind64(wide_signed)),
        place(ubfind64(wide >> (small % 64))),
        place(bfind_shift(signed >> (small % 32))),
        place(ubfind_shift(x >> (small % 32))),
        place(bfind64_shift(wide_signed)),
        place(ubfind64_shift(wide >> (small % 64))),
        place(fns(x, y % 32, small.cast_signed() - 33)),
        place(fns(x & y, small % 32, y.cast_signed() >> 29)),
    ]
}

#[kernel]
fn all(numbers: &[[u32; 3]], mut out: Disjoint<[u32; 25]>) {
    if let Some(out) = out.get_mut(thread::index_1d()) {
        let [x, y, small] = numbers[thread::index_1d().get()];
        *out = every(x, y, small);
    }
}

#[test]
fn bits_and_bytes() {
    let mut rng = rng();
    let edges = [0, 1, 0x8000_0000, u32::MAX, 0x7fff_ffff, 31, 32, 33];
    let mut numbers: Vec<[u32; 3]> = Vec::new();
    for x in edges {
        for y in edges {
            numbers.extend((0..67).map(|small| [x, y, small]));
        }
    }
    numbers.extend(
        rng.vec(2000, |rng| {
            [rng.next_u32() >> rng.below(32), rng.next_u32(), rng.below(67) as u32]
        }),
    );
    let mut out = DeviceBuffer::zeroed(numbers.len()).unwrap();
    let on_device = DeviceBuffer::from_slice(&numbers).unwrap();
    launch!(all<<<numbers.len().div_ceil(128), 128>>>(&on_device, &mut out)).unwrap();
    for ([x, y, small], got) in numbers.into_iter().zip(out.to_vec().unwrap()) {
        assert_eq!(got, every(x, y, small), "{x:#x}, {y:#x}, {small}");
    }
}
