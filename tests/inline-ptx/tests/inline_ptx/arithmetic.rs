//! Instructions that only compute.

use ptyx::prelude::*;
use ptyx_inline_ptx_tests::rng;

const LEN: usize = 1000;

/// `a * b + c` of 128 bits, in steps of 32 bits with carries.
fn multiply_add(a: [u32; 2], b: u32, c: [u32; 3]) -> [u32; 3] {
    let (low, middle, high): (u32, u32, u32);
    // SAFETY: the instructions only compute.
    unsafe {
        ptx!(
            "mad.lo.cc.u32 {low}, {a0}, {b}, {c0};",
            "madc.lo.cc.u32 {middle}, {a1}, {b}, {c1};",
            "madc.hi.u32 {high}, {a1}, {b}, {c2};",
            "mad.hi.cc.u32 {middle}, {a0}, {b}, {middle};",
            "addc.u32 {high}, {high}, 0;",
            low = out(reg) low,
            middle = out(reg) middle,
            high = out(reg) high,
            a0 = in(reg) a[0],
            a1 = in(reg) a[1],
            b = in(reg) b,
            c0 = in(reg) c[0],
            c1 = in(reg) c[1],
            c2 = in(reg) c[2],
            options(pure, nomem),
        );
    }
    [low, middle, high]
}

#[kernel]
fn carries(a: &[[u32; 2]], b: &[u32], c: &[[u32; 3]], mut y: Disjoint<[u32; 3]>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = multiply_add(a[i.get()], b[i.get()], c[i.get()]);
    }
}

#[test]
fn carries_reach_the_next_word() {
    let mut rng = rng();
    // Words of ones carry.
    let word = |rng: &mut ptyx_inline_ptx_tests::Rng| match rng.below(3) {
        0 => u32::MAX,
        1 => 0,
        _ => rng.next_u32(),
    };
    let a = rng.vec(LEN, |rng| [word(rng), word(rng)]);
    let b = rng.vec(LEN, word);
    let c = rng.vec(LEN, |rng| [word(rng), word(rng), word(rng)]);
    let mut y = DeviceBuffer::zeroed(LEN).unwrap();
    launch!(carries<<<10, 100>>>(
        &DeviceBuffer::from_slice(&a).unwrap(),
        &DeviceBuffer::from_slice(&b).unwrap(),
        &DeviceBuffer::from_slice(&c).unwrap(),
        &mut y
    ))
    .unwrap();
    let wide = |words: &[u32]| words.iter().rev().fold(0u128, |sum, &w| sum << 32 | u128::from(w));
    for (i, y) in y.to_vec().unwrap().iter().enumerate() {
        let want = wide(&a[i]).wrapping_mul(u128::from(b[i])).wrapping_add(wide(&c[i]));
        assert_eq!(wide(y), want & ((1 << 96) - 1), "{:x?} * {:x} + {:x?}", a[i], b[i], c[i]);
    }
}

/// Bits, with constants of generic code.
fn bits<const TABLE: u32, const START: i32>(a: u32, b: u32, c: u32) -> [u32; 3] {
    let (permuted, logic, field): (u32, u32, u32);
    // SAFETY: the instructions only compute.
    unsafe {
        ptx!("prmt.b32 {}, {}, {}, {};", out(reg) permuted, in(reg) a, in(reg) b, in(reg) c,
            options(pure, nomem));
        ptx!("lop3.b32 {0}, {1}, {2}, {3}, {4};",
            lateout(reg) logic, in(reg) a, in(reg) b, in(reg) c, const TABLE, options(pure, nomem));
        ptx!("bfe.u32 {0}, {1}, {2}, {3};",
            lateout(reg) field, in(reg) a, const START - 2, const 2 * 6, options(pure, nomem));
    }
    [permuted, logic, field]
}

#[kernel]
fn all_bits(x: &[[u32; 3]], mut y: Disjoint<[u32; 3]>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        let [a, b, c] = x[i.get()];
        *y = bits::<0x6a, 9>(a, b, c);
    }
}

#[test]
fn bits_and_constants() {
    let mut rng = rng();
    let x = rng.vec(LEN, |rng| [rng.next_u32(), rng.next_u32(), rng.next_u32()]);
    let mut y = DeviceBuffer::zeroed(LEN).unwrap();
    launch!(all_bits<<<10, 100>>>(&DeviceBuffer::from_slice(&x).unwrap(), &mut y)).unwrap();
    for (&[a, b, c], y) in x.iter().zip(y.to_vec().unwrap()) {
        let bytes = [a.to_le_bytes(), b.to_le_bytes()].concat();
        let byte = |at: u32| {
            let selector = c >> (4 * at) & 15;
            let byte = bytes[selector as usize & 7];
            if selector & 8 == 0 { byte } else { (byte as i8 >> 7) as u8 }
        };
        let permuted = u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)]);
        let logic = (0..32).fold(0, |sum, bit| {
            let index = (a >> bit & 1) << 2 | (b >> bit & 1) << 1 | (c >> bit & 1);
            sum | (0x6a >> index & 1) << bit
        });
        assert_eq!(y, [permuted, logic, a >> 7 & 0xfff]);
    }
}

/// Every type of operand.
fn types(h: i16, r: i32, l: u64, f: f32, d: f64) -> (i16, i32, u64, f32, f64) {
    let (ho, ro, lo, fo, mut dd): (i16, i32, u64, f32, f64);
    dd = d;
    // SAFETY: the instructions only compute.
    unsafe {
        ptx!(
            "add.s16 {ho}, {h}, {h};",
            "mul.lo.s32 {ro}, {r}, {r};",
            "xor.b64 {lo}, {l}, {l}; not.b64 {lo}, {lo};",
            "fma.rn.f32 {fo}, {f}, {f}, {f};",
            "add.rn.f64 {dd}, {dd}, {dd};",
            ho = out(reg) ho,
            ro = out(reg) ro,
            lo = out(reg) lo,
            fo = out(reg) fo,
            dd = inout(reg) dd,
            h = in(reg) h,
            r = in(reg) r,
            l = in(reg) l,
            f = in(reg) f,
        );
    }
    (ho, ro, lo, fo, dd)
}

#[kernel]
fn all_types(x: &[u64], mut y: Disjoint<[u64; 5]>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        let x = x[i.get()];
        let (h, r, l, f, d) = types(x as i16, x as i32, x, x as f32, x as f64);
        *y = [h as u16 as u64, r as u32 as u64, l, f.to_bits() as u64, d.to_bits()];
    }
}

#[test]
fn operands_of_every_type() {
    let x = rng().vec(LEN, |rng| rng.next_u64());
    let mut y = DeviceBuffer::zeroed(LEN).unwrap();
    launch!(all_types<<<10, 100>>>(&DeviceBuffer::from_slice(&x).unwrap(), &mut y)).unwrap();
    for (&x, y) in x.iter().zip(y.to_vec().unwrap()) {
        let (h, r, f) = (x as i16, x as i32, x as f32);
        let want = [
            u64::from(h.wrapping_mul(2) as u16),
            u64::from(r.wrapping_mul(r) as u32),
            u64::MAX,
            u64::from(f.mul_add(f, f).to_bits()),
            (2.0 * x as f64).to_bits(),
        ];
        assert_eq!(y, want, "{x:x}");
    }
}

/// Predicates in both directions.
fn clamp(x: i32, limit: i32, enabled: bool) -> (i32, bool) {
    let clamped: i32;
    let changed: bool;
    let mut decided = enabled;
    // SAFETY: the instructions only compute.
    unsafe {
        ptx!(
            "setp.gt.and.s32 {changed}, {x}, {limit}, {decided};",
            "mov.b32 {clamped}, {x};",
            "@{changed} mov.b32 {clamped}, {limit};",
            "not.pred {decided}, {decided};",
            "@{decided} add.s32 {clamped}, {clamped}, 1;",
            changed = out(pred) changed,
            clamped = out(reg) clamped,
            decided = inout(pred) decided,
            x = in(reg) x,
            limit = in(reg) limit,
            options(pure, nomem),
        );
    }
    (clamped, changed == decided)
}

#[kernel]
fn predicates(x: &[i32], enabled: &[bool], limit: i32, mut y: Disjoint<(i32, bool)>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = clamp(x[i.get()], limit, enabled[i.get()]);
    }
}

#[test]
fn predicates_are_bools() {
    let mut rng = rng();
    let x = rng.vec(LEN, |rng| rng.next_u32() as i32);
    let enabled = rng.vec(LEN, |rng| rng.below(2) == 0);
    let limit = rng.next_u32() as i32;
    let mut y = DeviceBuffer::filled(LEN, (0, false)).unwrap();
    let x_on_device = DeviceBuffer::from_slice(&x).unwrap();
    let enabled_on_device = DeviceBuffer::from_slice(&enabled).unwrap();
    launch!(predicates<<<10, 100>>>(&x_on_device, &enabled_on_device, limit, &mut y)).unwrap();
    for (i, y) in y.to_vec().unwrap().into_iter().enumerate() {
        let want = match enabled[i] {
            true => (x[i].min(limit), x[i] <= limit),
            false => (x[i].wrapping_add(1), false),
        };
        assert_eq!(y, want, "{} {limit} {}", x[i], enabled[i]);
    }
}

/// An instruction that a library publishes, and one behind its generic function.
#[kernel]
fn from_a_library(x: &[u32], mut y: Disjoint<[u32; 2]>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        let x = x[i.get()];
        *y = [ptyx_test_library::reversed(x), ptyx_test_library::field::<5, _>(&x)];
    }
}

#[test]
fn instructions_of_a_library() {
    let x = rng().vec(LEN, |rng| rng.next_u32());
    let mut y = DeviceBuffer::zeroed(LEN).unwrap();
    launch!(from_a_library<<<10, 100>>>(&DeviceBuffer::from_slice(&x).unwrap(), &mut y)).unwrap();
    for (x, y) in x.iter().zip(y.to_vec().unwrap()) {
        assert_eq!(y, [x.reverse_bits(), x >> 5 & 0xff]);
    }
}
