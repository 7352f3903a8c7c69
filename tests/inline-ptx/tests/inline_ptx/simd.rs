//! Four or two numbers in a word, against the host and against the instructions for video.

use ptyx::device::math::simd;
use ptyx::prelude::*;
use ptyx_inline_ptx_tests::rng;

/// Functions of three words, each written once, for host and device.
macro_rules! functions {
    ($count:literal: $($function:expr;)*) => {
        const COUNT: usize = $count;

        /// What each of them gives.
        fn all(a: u32, b: u32, c: u32) -> [u32; COUNT] {
            [$(($function)(a, b, c)),*]
        }
    };
}

functions! { 29:
    |a, b, _| simd::vadd4(a, b);
    |a, b, _| simd::vaddss4(a, b);
    |a, b, _| simd::vaddus2(a, b);
    |a, b, _| simd::vsub2(a, b);
    |a, b, _| simd::vsubss2(a, b);
    |a, b, _| simd::vsubus4(a, b);
    |a, b, _| simd::vabsdiffs4(a, b);
    |a, b, _| simd::vabsdiffu2(a, b);
    |a, b, _| simd::vavgs2(a, b);
    |a, b, _| simd::vavgu4(a, b);
    |a, b, _| simd::vhaddu4(a, b);
    |a, b, _| simd::vmaxs4(a, b);
    |a, b, _| simd::vminu2(a, b);
    |a, b, _| simd::vcmpeq4(a, b);
    |a, b, _| simd::vcmpgts2(a, b);
    |a, b, _| simd::vsetleu4(a, b);
    |a, b, _| simd::vsads4(a, b);
    |a, b, _| simd::vsadu2(a, b);
    |a, _, _| simd::vabsss4(a);
    |a, _, _| simd::vneg2(a);
    simd::vimax3_s16x2;
    simd::viaddmax_s16x2_relu;
    simd::viaddmin_u16x2;
    |a, b, c| simd::viaddmax_s32(a as i32, b as i32, c as i32) as u32;
    |a, b, c| simd::viaddmax_s32_relu(a as i32, b as i32, c as i32) as u32;
    |a, b, c| simd::vimin3_s32(a as i32, b as i32, c as i32) as u32;
    simd::viaddmin_u32;
    |a, b, _| simd::vibmax_s32(a as i32, b as i32).0 as u32;
    |a, b, _| { let (x, high, low) = simd::vibmin_s16x2(a, b); x ^ u32::from(high) << 7 ^ u32::from(low) };
}

#[kernel]
fn on_the_device(x: &[[u32; 3]], mut y: Disjoint<[u32; COUNT]>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        let [a, b, c] = x[i.get()];
        *y = all(a, b, c);
    }
}

/// By the instructions that compute the same.
macro_rules! instructions {
    ($($name:ident = $text:literal;)*) => {
        const INSTRUCTIONS: usize = [$($text),*].len();
        const NAMES: [&str; INSTRUCTIONS] = [$(stringify!($name)),*];

        #[kernel]
        fn by_instructions(x: &[[u32; 3]], mut y: Disjoint<[[u32; 2]; INSTRUCTIONS]>) {
            let i = thread::index_1d();
            if let Some(y) = y.get_mut(i) {
                let [a, b, _] = x[i.get()];
                *y = [$({
                    let wanted: u32;
                    // SAFETY: only computes.
                    unsafe {
                        ptx!(
                            $text,
                            out(reg) wanted, in(reg) a, in(reg) b, in(reg) 0u32,
                            options(pure, nomem),
                        );
                    }
                    [simd::$name(a, b), wanted]
                }),*];
            }
        }
    };
}

instructions! {
    vadd4 = "vadd4.u32.u32.u32 {}, {}, {}, {};";
    vaddss4 = "vadd4.s32.s32.s32.sat {}, {}, {}, {};";
    vaddus4 = "vadd4.u32.u32.u32.sat {}, {}, {}, {};";
    vsub2 = "vsub2.u32.u32.u32 {}, {}, {}, {};";
    vsubss2 = "vsub2.s32.s32.s32.sat {}, {}, {}, {};";
    vavgs4 = "vavrg4.s32.s32.s32 {}, {}, {}, {};";
    vavgu2 = "vavrg2.u32.u32.u32 {}, {}, {}, {};";
    vabsdiffu4 = "vabsdiff4.u32.u32.u32 {}, {}, {}, {};";
    vsadu4 = "vabsdiff4.u32.u32.u32.add {}, {}, {}, {};";
    vmaxs2 = "vmax2.s32.s32.s32 {}, {}, {}, {};";
    vminu4 = "vmin4.u32.u32.u32 {}, {}, {}, {};";
    vseteq4 = "vset4.u32.u32.eq {}, {}, {}, {};";
    vsetgts2 = "vset2.s32.s32.gt {}, {}, {}, {};";
}

#[test]
fn lanes_of_words_agree_with_host_and_instructions() {
    let mut rng = rng();
    // Many lanes with numbers next to the limits, and some that are equal.
    let special = [0, 1, 0x7f, 0x80, 0x81, 0xff];
    let mut word = || {
        let bytes = core::array::from_fn(|_| match rng.below(3) {
            0 => special[rng.below(6)],
            _ => rng.next_u32() as u8,
        });
        u32::from_le_bytes(bytes)
    };
    let mut x: Vec<[u32; 3]> = (0..4000).map(|_| [word(), word(), word()]).collect();
    x[..100].iter_mut().for_each(|x| x[1] = x[0]);
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let mut y = DeviceBuffer::filled(x.len(), [0; COUNT]).unwrap();
    launch!(on_the_device<<<32, 128>>>(&device_x, &mut y)).unwrap();
    for ([a, b, c], got) in x.iter().zip(y.to_vec().unwrap()) {
        assert_eq!(got, all(*a, *b, *c), "{a:#x}, {b:#x}, {c:#x}");
    }
    let mut y = DeviceBuffer::filled(x.len(), [[0; 2]; INSTRUCTIONS]).unwrap();
    launch!(by_instructions<<<32, 128>>>(&device_x, &mut y)).unwrap();
    for ([a, b, _], got) in x.iter().zip(y.to_vec().unwrap()) {
        for (name, [got, want]) in NAMES.iter().zip(got) {
            assert_eq!(got, want, "{name} of {a:#x}, {b:#x}");
        }
    }
}
