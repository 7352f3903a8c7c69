//! As many operands as the instructions of tensor cores take.

use ptyx::prelude::*;
use ptyx_inline_ptx_tests::images::{assemble_for, assembler, count, module};

/// `d = a * b + d` of a 64x256x16 matrix product, 128 numbers of `d` in each thread's registers.
macro_rules! multiply {
    ($d:ident, $a:expr, $b:expr; $($index:literal)*) => {
        // SAFETY: the whole warpgroup comes here, and nothing else uses the registers before it waits.
        unsafe {
            ptx!(
                "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {{",
                "{}, {}, {}, {}, {}, {}, {}, {},",
                "{}, {}, {}, {}, {}, {}, {}, {},",
                "{}, {}, {}, {}, {}, {}, {}, {},",
                "{}, {}, {}, {}, {}, {}, {}, {},",
                "{}, {}, {}, {}, {}, {}, {}, {},",
                "{}, {}, {}, {}, {}, {}, {}, {},",
                "{}, {}, {}, {}, {}, {}, {}, {},",
                "{}, {}, {}, {}, {}, {}, {}, {},",
                "{}, {}, {}, {}, {}, {}, {}, {},",
                "{}, {}, {}, {}, {}, {}, {}, {},",
                "{}, {}, {}, {}, {}, {}, {}, {},",
                "{}, {}, {}, {}, {}, {}, {}, {},",
                "{}, {}, {}, {}, {}, {}, {}, {},",
                "{}, {}, {}, {}, {}, {}, {}, {},",
                "{}, {}, {}, {}, {}, {}, {}, {},",
                "{}, {}, {}, {}, {}, {}, {}, {}",
                "}}, {a}, {b}, 1, 1, 1, 0, 0;",
                $(inout(reg) $d[$index],)*
                a = in(reg) $a,
                b = in(reg) $b,
                arch = "sm_90a",
                ptx = 8.0,
            );
        }
    };
}

fn multiply(d: &mut [f32; 128], a: u64, b: u64) {
    multiply!(d, a, b;
        0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
        16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
        32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47
        48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63
        64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79
        80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95
        96 97 98 99 100 101 102 103 104 105 106 107 108 109 110 111
        112 113 114 115 116 117 118 119 120 121 122 123 124 125 126 127
    );
}

/// Four products in a row: compiled and assembled, but not run, since the emulated device has no
/// `wgmma`.
#[kernel]
fn product(a: u64, b: u64, run: bool, mut y: Disjoint<f32>) {
    let i = thread::index_1d();
    if !run {
        return;
    }
    let mut d = [0.0f32; 128];
    // SAFETY: orders the registers' use.
    unsafe { ptx!("wgmma.fence.sync.aligned;", arch = "sm_90a", ptx = 8.0) };
    for step in 0..4 {
        multiply(&mut d, a + 2 * step, b + 2 * step);
    }
    // SAFETY: as above.
    unsafe {
        ptx!(
            "wgmma.commit_group.sync.aligned;",
            "wgmma.wait_group.sync.aligned 0;",
            arch = "sm_90a"
        );
    }
    y[i] = d.iter().sum();
}

#[test]
fn a_hundred_and_twenty_eight_registers() {
    // Never run: the launch is what makes the kernel.
    if std::env::args().count() == 0 {
        let mut y = DeviceBuffer::zeroed(128).unwrap();
        launch!(product<<<1, 128>>>(0, 0, false, &mut y)).unwrap();
    }
    let ptx = module("many_operands::product");
    assert!(ptx.contains(".target sm_90a"), "{ptx}");
    assert_eq!(count(&ptx, "wgmma.mma_async"), 4, "{ptx}");
    assert!(!ptx.contains(".local"), "{ptx}");
    let instruction = |number: usize| {
        let start = ptx.match_indices("wgmma.mma_async").nth(number).expect("an instruction").0;
        let list = &ptx[start..start + ptx[start..].find('}').expect("the end of its registers")];
        list.split(['{', ',']).skip(1).map(|name| name.trim().to_owned()).collect::<Vec<_>>()
    };
    let first = instruction(0);
    assert_eq!(first.len(), 128);
    for number in 1..4 {
        assert_eq!(instruction(number), first, "registers are copied between products");
    }
    if let Some(ptxas) = assembler() {
        assert_eq!(assemble_for(&ptxas, &ptx, "sm_90a"), None, "{ptx}");
    }
}
