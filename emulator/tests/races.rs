//! Kernels whose blocks race with each other, and with the host's copies, on bytes that several host
//! threads access at the same time. The results must be whole values that some thread wrote.
//! ThreadSanitizer checks that no two of these accesses are a data race in Rust's terms:
//! `scripts/emulator-tsan` runs this test with it.

mod device;

use device::{Device, driver};
use std::ffi::{c_uint, c_void};

/// Elements of each width in the memory that all blocks write.
const ELEMENTS: usize = 32;

/// Every block stores its own number, repeated to fill the width, loads what others stored meanwhile and
/// counts values that no block can have stored: halves that differ. `SAME` is one element for all lanes,
/// `ROW` one for each lane.
fn kernel(name: &str, width: usize, row: bool) -> String {
    let bits = width * 8;
    let half = bits / 2;
    let scale = if row { width } else { 0 };
    let register = if bits == 64 { "%rd" } else { "%r" };
    let register_bits = bits.max(32);
    format!(
        ".visible .entry {name}(.param .u64 memory, .param .u64 torn)\n{{\n\
         .reg .pred %p<4>;\n.reg .b32 %r<16>;\n.reg .b64 %rd<16>;\n\
         ld.param.u64 %rd1, [memory];\nld.param.u64 %rd2, [torn];\n\
         mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nand.b32 %r2, %r2, 15;\n\
         mad.wide.u32 %rd1, %r1, {scale}, %rd1;\ncvt.u64.u32 %rd3, %r2;\n\
         shl.b{register_bits} {register}4, {register}{own}, {half};\n\
         or.b{register_bits} {register}4, {register}4, {register}{own};\n\
         mov.u32 %r8, 50;\n\
         AGAIN:\nst.global.u{bits} [%rd1], {register}4;\nld.global.u{bits} {register}5, [%rd1];\n\
         shr.u{register_bits} {register}6, {register}5, {half};\n\
         and.b{register_bits} {register}5, {register}5, {low};\n\
         setp.ne.u{register_bits} %p1, {register}5, {register}6;\n\
         @%p1 red.global.add.u32 [%rd2], 1;\n\
         sub.u32 %r8, %r8, 1;\nsetp.ne.u32 %p2, %r8, 0;\n@%p2 bra AGAIN;\nret;\n}}\n",
        own = if bits == 64 { 3 } else { 2 },
        low = (1u64 << half) - 1,
    )
}

/// All blocks add to one word, load it and store vectors, and take turns with a lock.
const MIXED: &str = "\
.visible .entry mixed(.param .u64 memory, .param .u64 sums)
{
    .reg .pred %p<4>;
    .reg .b32 %r<16>;
    .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [memory];
    ld.param.u64 %rd2, [sums];
    mov.u32 %r1, %tid.x;
    mad.wide.u32 %rd3, %r1, 16, %rd1;
    st.global.v4.u32 [%rd3], {%r1, %r1, %r1, %r1};
    ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%rd3];
    red.global.add.u32 [%rd2], 1;
    ld.global.u32 %r8, [%rd2];
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra END;
LOCK:
    atom.global.cas.b32 %r9, [%rd2+4], 0, 1;
    setp.ne.u32 %p2, %r9, 0;
    @%p2 bra LOCK;
    membar.gl;
    ld.global.u32 %r10, [%rd2+8];
    add.u32 %r10, %r10, 1;
    st.global.u32 [%rd2+8], %r10;
    membar.gl;
    atom.global.exch.b32 %r9, [%rd2+4], 0;
END:
    ret;
}
";

fn launch(device: &Device, module: usize, name: &str, blocks: u32, arguments: [u64; 2]) {
    let function = device.function(module, name).expect(name);
    let mut params = arguments.map(|argument| argument.to_le_bytes().to_vec());
    let code = device.launch(function, [blocks, 1, 1], [32, 1, 1], 0, &mut params);
    assert_eq!(code, 0, "{name}");
}

/// Host threads that launch on memory that the others' kernels use, too, and that they copy.
#[test]
fn racing_blocks_and_copies_give_whole_values() {
    let device = Device::new();
    let cases: Vec<(String, usize, bool)> = [2usize, 4, 8]
        .into_iter()
        .flat_map(|width| [(width, false), (width, true)])
        .map(|(width, row)| (format!("race_{width}_{row}"), width, row))
        .collect();
    let mut text = ".version 7.0\n.target sm_70\n.address_size 64\n".to_owned();
    for (name, width, row) in &cases {
        text.push_str(&kernel(name, *width, *row));
    }
    text.push_str(MIXED);
    let module = device.load(&text).unwrap_or_else(|log| panic!("{log}\n{text}"));
    let torn = device.upload(&[0; 4]);
    let memories: Vec<u64> =
        cases.iter().map(|(_, width, _)| device.upload(&vec![0; ELEMENTS * width])).collect();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let device = Device::new();
                for ((name, width, _), &memory) in cases.iter().zip(&memories) {
                    launch(&device, module, name, 64, [memory, torn]);
                    let code = driver!(cuMemsetD8Async(
                        memory => u64, 7 => u8, ELEMENTS * width => usize, 0 => usize
                    ));
                    assert_eq!(code, 0);
                    let mut bytes = vec![0u8; ELEMENTS * width];
                    let to = bytes.as_mut_ptr().cast();
                    let code = driver!(cuMemcpyDtoHAsync_v2(
                        to => *mut c_void, memory => u64, bytes.len() => usize, 0 => usize
                    ));
                    assert_eq!((code, device.synchronize()), (0, 0));
                    for value in bytes.chunks(*width) {
                        let (low, high) = value.split_at(width / 2);
                        assert_eq!(low, high, "{name}");
                    }
                }
            });
        }
    });
    assert_eq!(device.download(torn, 4), [0; 4], "values that no thread stored");

    let (memory, sums) = (device.upload(&[0; 512]), device.upload(&[0; 12]));
    launch(&device, module, "mixed", 64, [memory, sums]);
    assert_eq!(device.synchronize(), 0);
    let words: Vec<u32> = device
        .download(sums, 12)
        .chunks(4)
        .map(|word| c_uint::from_le_bytes([word[0], word[1], word[2], word[3]]))
        .collect();
    assert_eq!(words, [64 * 32, 0, 64]);
    let lanes = device.download(memory, 512);
    for (lane, value) in lanes.chunks(4).enumerate() {
        assert_eq!(value, (lane as u32 / 4).to_le_bytes());
    }
    for address in memories.into_iter().chain([torn, memory, sums]) {
        device.free(address);
    }
}
