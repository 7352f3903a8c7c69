//! Measures the emulated device: thread-instructions per second, for kernels that use mainly one kind
//! of instruction, and products of matrices. Seconds are the process's time on all cores, so that other programs matter
//! less, and so that the figures are those of one core. `PTYX_EMULATOR_THREADS=1 cargo run --release --example speed`;
//! arguments are the names of the kernels to run, and `matrices` (default: all).

#[path = "../tests/device/mod.rs"]
mod device;

use device::Device;

unsafe extern "C" {
    fn clock_gettime(clock: i32, time: *mut [i64; 2]) -> i32;
}

/// Seconds that this process has run, on all cores together.
fn busy() -> f64 {
    /// `CLOCK_PROCESS_CPUTIME_ID`
    const OF_PROCESS: i32 = 2;
    let mut time = [0; 2];
    // SAFETY: the two words are a `timespec`.
    assert_eq!(unsafe { clock_gettime(OF_PROCESS, &mut time) }, 0);
    time[0] as f64 + time[1] as f64 * 1e-9
}

/// A kernel that runs `body` in a loop; registers `%r10`.. and `%rd10`.. start as the thread's number.
fn kernel(name: &str, body: &[&str]) -> String {
    format!(
        ".version 7.8\n.target sm_80\n.address_size 64\n\
         .visible .entry {name}(.param .u64 out, .param .u32 count)\n{{\n\
         .reg .pred %p<8>;\n.reg .b32 %r<40>;\n.reg .b64 %rd<40>;\n\
         .shared .align 16 .b8 memory[4096];\n\
         ld.param.u64 %rd1, [out];\nld.param.u32 %r1, [count];\nmov.u32 %r10, %tid.x;\n\
         mov.u32 %r3, %ctaid.x;\nmad.lo.u32 %r2, %r3, 256, %r10;\n\
         mov.u32 %r11, %r10;\nmov.u32 %r12, %r10;\nmov.u32 %r13, %r10;\n\
         cvt.u64.u32 %rd10, %r2;\nmov.u64 %rd11, %rd10;\nmul.wide.u32 %rd2, %r2, 4;\n\
         add.u64 %rd2, %rd1, %rd2;\nshl.b32 %r4, %r10, 2;\nmov.u32 %r5, memory;\nadd.u32 %r5, %r5, %r4;\n\
         LOOP:\n{}\nsub.u32 %r1, %r1, 1;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra LOOP;\n\
         add.u32 %r10, %r10, %r11;\nst.global.u32 [%rd2], %r10;\nret;\n}}\n",
        body.join("\n")
    )
}

/// Whether the arguments ask for a kernel.
fn is_wanted(name: &str) -> bool {
    std::env::args().len() == 1 || std::env::args().skip(1).any(|argument| argument == name)
}

fn main() {
    let device = Device::new();
    let out = device.upload(&vec![0; 64 * 256 * 4]);
    let cases: &[(&str, &[&str])] = &[
        (
            "int32",
            &[
                "add.u32 %r10, %r10, %r11;",
                "xor.b32 %r11, %r11, %r12;",
                "mul.lo.u32 %r12, %r12, %r10;",
                "shl.b32 %r13, %r10, 3;",
            ],
        ),
        (
            "int64",
            &[
                "add.u64 %rd10, %rd10, %rd11;",
                "xor.b64 %rd11, %rd11, %rd10;",
                "add.u64 %rd12, %rd10, 5;",
                "shl.b64 %rd11, %rd12, 1;",
            ],
        ),
        (
            "f32",
            &[
                "fma.rn.f32 %r10, %r10, %r11, %r12;",
                "add.f32 %r11, %r10, %r12;",
                "mul.f32 %r12, %r11, %r13;",
                "fma.rn.f32 %r13, %r12, %r11, %r10;",
            ],
        ),
        (
            "f64",
            &[
                "mov.b64 %rd11, 0d3FF0000000000001;",
                "fma.rn.f64 %rd10, %rd11, %rd11, %rd11;",
                "add.f64 %rd12, %rd10, %rd11;",
                "mul.f64 %rd13, %rd12, %rd10;",
            ],
        ),
        (
            "mixed",
            &[
                "mad.lo.u32 %r10, %r10, %r11, 7;",
                "cvt.u64.u32 %rd10, %r10;",
                "mul.wide.u32 %rd11, %r10, 4;",
                "setp.lt.u32 %p2, %r10, %r11;",
                "selp.b32 %r12, %r10, %r11, %p2;",
            ],
        ),
        (
            "global",
            &[
                "ld.global.u32 %r10, [%rd2];",
                "add.u32 %r10, %r10, 1;",
                "st.global.u32 [%rd2], %r10;",
            ],
        ),
        ("generic", &["ld.u32 %r10, [%rd2];", "add.u32 %r10, %r10, 1;", "st.u32 [%rd2], %r10;"]),
        (
            "shared",
            &["ld.shared.u32 %r10, [%r5];", "add.u32 %r10, %r10, 1;", "st.shared.u32 [%r5], %r10;"],
        ),
        (
            "vector",
            &["ld.shared.v4.u32 {%r10, %r11, %r12, %r13}, [memory+64];", "add.u32 %r10, %r10, 1;"],
        ),
        ("barrier", &["bar.sync 0;", "add.u32 %r10, %r10, 1;"]),
        ("shuffle", &["shfl.sync.down.b32 %r11, %r10, 1, 31, -1;", "add.u32 %r10, %r10, %r11;"]),
        (
            "diverge",
            &[
                "and.b32 %r11, %r10, 1;",
                "setp.eq.u32 %p2, %r11, 0;",
                "@%p2 bra ELSE;",
                "add.u32 %r10, %r10, 3;",
                "bra.uni BOTH;",
                "ELSE:",
                "add.u32 %r10, %r10, 5;",
                "BOTH:",
            ],
        ),
        ("atomic", &["red.global.add.u32 [%rd2], 1;"]),
    ];
    println!("{:10} {:>12}", "kernel", "G instr/s");
    for (name, body) in cases.iter().filter(|(name, _)| is_wanted(name)) {
        let module = device.load(&kernel(name, body)).unwrap_or_else(|log| panic!("{log}"));
        let function = device.function(module, name).expect("the kernel");
        let count = 4000u32;
        let instructions = body.iter().filter(|line| !line.ends_with(':')).count() as u64 + 3;
        let mut params = [out.to_le_bytes().to_vec(), count.to_le_bytes().to_vec()];
        let start = busy();
        assert_eq!(device.launch(function, [16, 1, 1], [256, 1, 1], 0, &mut params), 0);
        assert_eq!(device.synchronize(), 0, "{:?}", ptyx_emulator::driver::take_fault());
        let seconds = busy() - start;
        let total = instructions * u64::from(count) * 16 * 256;
        println!("{name:10} {:12.2}", total as f64 / seconds / 1e9);
    }
    if is_wanted("saxpy") {
        small_blocks(&device);
    }
    if is_wanted("matrices") {
        matrices(&device);
    }
}

/// Products of matrices, which the emulated device computes as a whole: additions and multiplications per second.
fn matrices(device: &Device) {
    println!("{:36} {:>12} {:>12}", "matrices", "M instr/s", "G op/s");
    for (name, [m, n, k], [d, a, b]) in [
        ("m16n8k16.row.col.f32.f16.f16.f32", [16, 8, 16], [4, 4, 2]),
        ("m16n8k16.row.col.f16.f16.f16.f16", [16, 8, 16], [2, 4, 2]),
        ("m16n8k32.row.col.f32.e4m3.e4m3.f32", [16, 8, 32], [4, 4, 2]),
        ("m16n8k8.row.col.f32.tf32.tf32.f32", [16, 8, 8], [4, 4, 2]),
        ("m16n8k32.row.col.s32.s8.s8.s32", [16, 8, 32], [4, 4, 2]),
        ("m8n8k4.row.col.f64.f64.f64.f64", [8, 8, 4], [2, 1, 1]),
    ] {
        let width = if name.contains("f64") { "fd" } else { "r" };
        let list = |first: usize, count: usize| {
            let registers: Vec<_> =
                (first..first + count).map(|number| format!("%{width}{number}")).collect();
            format!("{{{}}}", registers.join(", "))
        };
        let (d, a, b) = (list(10, d), list(20, a), list(30, b));
        let body = format!("mma.sync.aligned.{name} {d}, {a}, {b}, {d};");
        let warps = 16 * 8;
        time_matrices(device, &format!("mma {name}"), "", &body, warps, 2 * m * n * k);
    }
    for (types, n, k) in [
        ("f32.f16.f16", 128, 16),
        ("f32.e4m3.e4m3", 128, 32),
        ("s32.s8.s8", 128, 32),
        ("f32.tf32.tf32", 128, 8),
    ] {
        let sums: Vec<_> = (0..n / 2).map(|number| format!("%s{number}")).collect();
        let sums = sums.join(", ");
        let tail = match types {
            "f32.f16.f16" => "1, 1, 1, 0, 0",
            "s32.s8.s8" => "1",
            _ => "1, 1, 1",
        };
        let body = format!(
            "wgmma.fence.sync.aligned;\n\
             wgmma.mma_async.sync.aligned.m64n{n}k{k}.{types} {{{sums}}}, %rd5, %rd6, {tail};\n\
             wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;"
        );
        // A tile without swizzling: 16 bytes of K, then the next 8 rows.
        let before = "mov.u32 %r4, memory;\nshr.u32 %r4, %r4, 4;\ncvt.u64.u32 %rd5, %r4;\n\
             or.b64 %rd5, %rd5, 0x0000001000080000;\nadd.u64 %rd6, %rd5, 128;";
        let warpgroups = 16 * 2;
        let name = format!("wgmma m64n{n}k{k}.{types}");
        time_matrices(device, &name, before, &body, warpgroups, 2 * 64 * n * k);
    }
}

/// Times a kernel of 16 blocks of 256 threads that repeats a product of matrices.
fn time_matrices(
    device: &Device,
    name: &str,
    before: &str,
    body: &str,
    instructions: u64,
    operations: u64,
) {
    let text = format!(
        ".version 8.7\n.target sm_90a\n.address_size 64\n\
         .visible .entry product(.param .u32 count)\n{{\n.reg .pred %p<2>;\n.reg .b32 %r<40>;\n.reg .b32 %s<64>;\n\
         .reg .b64 %rd<8>;\n.reg .f64 %fd<40>;\n.shared .align 1024 .b8 memory[8192];\n\
         ld.param.u32 %r1, [count];\nmov.u32 %r2, %tid.x;\nshl.b32 %r3, %r2, 5;\nmov.u32 %r4, memory;\n\
         add.u32 %r3, %r3, %r4;\n{}fence.proxy.async;\nbar.sync 0;\n{}{}{}{before}\n\
         LOOP:\n{body}\nsub.u32 %r1, %r1, 1;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra LOOP;\nret;\n}}\n",
        (0..8)
            .map(|word| format!("st.shared.u32 [%r3+{}], 0x3c003c00;\n", 4 * word))
            .collect::<String>(),
        (10..40).map(|register| format!("mov.u32 %r{register}, 0x38003800;\n")).collect::<String>(),
        (0..64).map(|register| format!("mov.u32 %s{register}, 0;\n")).collect::<String>(),
        (10..40)
            .map(|register| format!("mov.f64 %fd{register}, 0d3FF0000000000000;\n"))
            .collect::<String>(),
    );
    let module = device.load(&text).unwrap_or_else(|log| panic!("{log}"));
    let function = device.function(module, "product").expect("the kernel");
    // About 10^9 operations.
    let count = (1_000_000_000 / (instructions * operations)) as u32;
    let start = busy();
    let mut params = [count.to_le_bytes().to_vec()];
    assert_eq!(device.launch(function, [16, 1, 1], [256, 1, 1], 0, &mut params), 0);
    assert_eq!(device.synchronize(), 0, "{:?}", ptyx_emulator::driver::take_fault());
    let seconds = busy() - start;
    let per_second = (instructions * u64::from(count)) as f64 / seconds;
    println!("{name:36} {:12.3} {:12.2}", per_second / 1e6, per_second * operations as f64 / 1e9);
}

/// Many blocks of few instructions: what starting a block costs.
fn small_blocks(device: &Device) {
    let text = ".version 7.0\n.target sm_70\n.address_size 64\n\
        .visible .entry saxpy(.param .u64 x, .param .u64 y, .param .u32 n)\n{\n\
        .reg .pred %p<2>;\n.reg .b32 %r<16>;\n.reg .b64 %rd<8>;\n\
        ld.param.u64 %rd1, [x];\nld.param.u64 %rd2, [y];\nld.param.u32 %r1, [n];\n\
        cvta.to.global.u64 %rd1, %rd1;\ncvta.to.global.u64 %rd2, %rd2;\n\
        mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmov.u32 %r4, %tid.x;\n\
        mad.lo.u32 %r5, %r2, %r3, %r4;\nsetp.ge.u32 %p1, %r5, %r1;\n@%p1 bra END;\n\
        mad.wide.u32 %rd3, %r5, 4, %rd1;\nld.global.f32 %r6, [%rd3];\n\
        mad.wide.u32 %rd4, %r5, 4, %rd2;\nld.global.f32 %r7, [%rd4];\n\
        fma.rn.f32 %r8, %r6, 2.0, %r7;\nst.global.f32 [%rd4], %r8;\nEND:\nret;\n}\n";
    let module = device.load(text).unwrap_or_else(|log| panic!("{log}"));
    let function = device.function(module, "saxpy").expect("the kernel");
    let n = 1u32 << 22;
    let (x, y) = (device.upload(&vec![0; n as usize * 4]), device.upload(&vec![0; n as usize * 4]));
    let mut params = [x.to_le_bytes().to_vec(), y.to_le_bytes().to_vec(), n.to_le_bytes().to_vec()];
    let start = busy();
    assert_eq!(device.launch(function, [n / 256, 1, 1], [256, 1, 1], 0, &mut params), 0);
    assert_eq!(device.synchronize(), 0);
    let seconds = busy() - start;
    println!("{:10} {:12.2}", "saxpy", 18.0 * f64::from(n) / seconds / 1e9);
}
