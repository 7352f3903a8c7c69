//! `shfl.sync` in all modes, for all widths and any operand, against the pseudo-code of the PTX ISA
//! (section 9.7.9.6).

mod device;

use device::Device;

const MODES: [&str; 4] = ["up", "down", "bfly", "idx"];

fn module() -> String {
    let mut text = ".version 7.0\n.target sm_70\n.address_size 64\n".to_owned();
    for mode in MODES {
        text.push_str(&format!(
            ".visible .entry {mode}(.param .u64 out, .param .u32 b, .param .u32 c)\n{{\n\
             .reg .pred %p<2>;\n.reg .b32 %r<8>;\n.reg .b64 %rd<2>;\n\
             ld.param.u64 %rd1, [out];\nld.param.u32 %r1, [b];\nld.param.u32 %r2, [c];\n\
             mov.u32 %r3, %tid.x;\nmad.wide.u32 %rd1, %r3, 8, %rd1;\nadd.u32 %r4, %r3, 100;\n\
             shfl.sync.{mode}.b32 %r5|%p1, %r4, %r1, %r2, -1;\nselp.u32 %r6, 1, 0, %p1;\n\
             st.global.v2.u32 [%rd1], {{%r5, %r6}};\nret;\n}}\n"
        ));
    }
    text
}

/// The pseudo-code, line by line: the lane that `lane` takes from, and the predicate.
fn model(mode: &str, lane: i32, b: u32, c: u32) -> (i32, bool) {
    let bval = (b & 0x1f) as i32;
    let cval = (c & 0x1f) as i32;
    let mask = ((c >> 8) & 0x1f) as i32;
    let max_lane = (lane & mask) | (cval & !mask);
    let min_lane = lane & mask;
    let (j, in_range) = match mode {
        "up" => (lane - bval, lane - bval >= max_lane),
        "down" => (lane + bval, lane + bval <= max_lane),
        "bfly" => (lane ^ bval, lane ^ bval <= max_lane),
        _ => {
            let j = min_lane | (bval & !mask);
            (j, j <= max_lane)
        }
    };
    (if in_range { j } else { lane }, in_range)
}

#[test]
fn every_mode_width_and_operand() {
    let device = Device::new();
    let module = device.load(&module()).unwrap_or_else(|log| panic!("{log}"));
    let out = device.upload(&[0; 32 * 8]);
    let check = |mode: &str, b: u32, c: u32| {
        let function = device.function(module, mode).expect(mode);
        let mut params =
            [out.to_le_bytes().to_vec(), b.to_le_bytes().to_vec(), c.to_le_bytes().to_vec()];
        assert_eq!(device.launch(function, [1, 1, 1], [32, 1, 1], 0, &mut params), 0);
        assert_eq!(device.synchronize(), 0);
        let found = device.download(out, 32 * 8);
        for (lane, pair) in found.chunks(8).enumerate() {
            let (from, in_range) = model(mode, lane as i32, b, c);
            let wanted = [from as u32 + 100, u32::from(in_range)];
            let pair = [&pair[..4], &pair[4..]]
                .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
            assert_eq!(pair, wanted, "shfl.{mode}, lane {lane}, b {b:#x}, c {c:#x}");
        }
    };
    for mode in MODES {
        // As CUDA C++ and the device library encode them.
        for width in [1u32, 2, 4, 8, 16, 32] {
            let clamp = if mode == "up" { 0 } else { 31 };
            for b in (0..33).chain([63, 64, u32::MAX]) {
                check(mode, b, (32 - width) << 8 | clamp);
            }
        }
    }
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    for _ in 0..200 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        check(MODES[(state >> 60) as usize & 3], state as u32, (state >> 20) as u32);
    }
    device.free(out);
}
