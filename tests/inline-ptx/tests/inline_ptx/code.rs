//! What the optimiser does with inline PTX.

use ptyx::prelude::*;
use ptyx_inline_ptx_tests::images::{assemble_modules, assembler, count, entry};

fn half(x: u32) -> u32 {
    let y: u32;
    // SAFETY: the instruction only computes.
    unsafe { ptx!("shr.u32 {0}, {1}, 1;", lateout(reg) y, in(reg) x, options(pure, nomem)) }
    y
}

fn ticks() -> u32 {
    let y: u32;
    // SAFETY: reads a special register.
    unsafe { ptx!("mov.u32 {0}, %clock;", out(reg) y, options(nomem)) }
    y
}

/// Two equal pure ones, and one whose output nobody uses.
#[kernel]
fn pure_ones(x: u32, mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    half(x + 3);
    if let Some(y) = y.get_mut(i) {
        *y = half(x) + half(x);
    }
}

#[test]
fn pure_instructions_are_shared() {
    let mut y = DeviceBuffer::zeroed(4).unwrap();
    launch!(pure_ones<<<1, 4>>>(11, &mut y)).unwrap();
    assert_eq!(y.to_vec().unwrap(), [10; 4]);
    let ptx = entry("code::pure_ones");
    assert_eq!(count(&ptx, "shr.u32"), 1, "{ptx}");
}

/// A pure one in a loop, which is the same in each round, beside one that is not pure.
#[kernel]
fn in_a_loop(x: u32, n: u32, mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        let start = ticks();
        let mut last = start;
        for _ in 0..n {
            *y += half(x);
            last = ticks();
        }
        *y += u32::from(last.wrapping_sub(start) > 1 << 30);
    }
}

#[test]
fn loops_keep_what_has_effects() {
    let mut y = DeviceBuffer::zeroed(4).unwrap();
    launch!(in_a_loop<<<1, 4>>>(8, 5, &mut y)).unwrap();
    assert_eq!(y.to_vec().unwrap(), [20; 4]);
    let ptx = entry("code::in_a_loop");
    // In front of the loop and in it: neither hoisted nor unrolled.
    assert_eq!(ptx.matches("%clock").count(), 2, "{ptx}");
    assert_eq!(count(&ptx, "shr.u32"), 1, "{ptx}");
}

/// One on each side of a branch, which are not to become one behind it.
#[kernel]
fn on_both_sides(x: &[u32], mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        let value: u32;
        let x = x[i.get()];
        if x.is_multiple_of(2) {
            // SAFETY: the instruction only asks.
            unsafe { ptx!("activemask.b32 {0};", out(reg) value) }
        } else {
            // SAFETY: as above.
            unsafe { ptx!("activemask.b32 {0};", out(reg) value) }
        }
        *y = value;
    }
}

#[test]
fn convergent_instructions_stay_on_their_side() {
    let x: Vec<u32> = (0..32).collect();
    let mut y = DeviceBuffer::zeroed(32).unwrap();
    launch!(on_both_sides<<<1, 32>>>(&DeviceBuffer::from_slice(&x).unwrap(), &mut y)).unwrap();
    let want = |i: usize| if i.is_multiple_of(2) { 0x5555_5555 } else { 0xaaaa_aaaau32 };
    assert_eq!(y.to_vec().unwrap(), (0..32).map(want).collect::<Vec<_>>());
    let ptx = entry("code::on_both_sides");
    assert_eq!(count(&ptx, "activemask"), 2, "{ptx}");
}

/// No comment of the compiler's is left, and constants are operands where the instruction allows it.
#[test]
fn text_is_what_was_written() {
    let ptx = entry("code::pure_ones");
    assert!(!ptx.contains("//") && !ptx.contains("__ptyx_ptx"), "{ptx}");
}

/// The vendor's assembler takes all kernels of these tests.
#[test]
fn the_assembler_takes_everything() {
    if let Some(ptxas) = assembler() {
        assert!(assemble_modules(&ptxas) > 10);
    }
}
