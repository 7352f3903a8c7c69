//! Registers of kernels: what a launch may ask for, and what the functions' attributes say. The numbers of a
//! kernel are estimates, the arithmetic is that of a multiprocessor of compute capability 9.0.

mod device;

use device::{Device, driver};
use std::ffi::c_int;

const INVALID_VALUE: c_int = 1;
const OUT_OF_RESOURCES: c_int = 701;
const THREADS: c_int = 0;
const REGISTERS: c_int = 4;

/// A kernel that keeps `values` numbers until its end.
fn kernel(name: &str, directives: &str, values: usize) -> String {
    let mut text = format!(
        ".visible .entry {name}(.param .u64 out) {directives}\n{{\n.reg .b32 %r<999>;\n\
         .reg .b64 %rd<4>;\nld.param.u64 %rd1, [out];\nmov.u32 %r0, %tid.x;\n"
    );
    for value in 1..=values {
        text += &format!("mad.lo.u32 %r{value}, %r{}, %r{}, 3;\n", value - 1, value / 2);
    }
    for value in 1..=values {
        text += &format!("st.global.u32 [%rd1], %r{value};\n");
    }
    text + "ret;\n}\n"
}

struct Kernels {
    device: Device,
    module: usize,
    out: u64,
}

impl Kernels {
    fn load(kernels: &[String]) -> Kernels {
        let device = Device::new();
        let head = ".version 7.0\n.target sm_70\n.address_size 64\n";
        let module = device.load(&format!("{head}{}", kernels.concat())).unwrap();
        let out = device.upload(&[0; 4]);
        Kernels { device, module, out }
    }

    fn function(&self, name: &str) -> usize {
        self.device.function(self.module, name).unwrap()
    }

    fn attribute(&self, name: &str, attribute: c_int) -> c_int {
        let mut value = -1;
        let code = driver!(cuFuncGetAttribute(
            &mut value => *mut c_int, attribute => c_int, self.function(name) => usize
        ));
        assert_eq!(code, 0);
        value
    }

    fn launch(&self, name: &str, threads: u32) -> c_int {
        let mut params = [self.out.to_le_bytes().to_vec()];
        self.device.launch(self.function(name), [1, 1, 1], [threads, 1, 1], 0, &mut params)
    }

    fn active_blocks(&self, name: &str, threads: c_int) -> c_int {
        let mut blocks = -1;
        let code = driver!(cuOccupancyMaxActiveBlocksPerMultiprocessor(
            &mut blocks => *mut c_int, self.function(name) => usize, threads => c_int, 0 => usize
        ));
        assert_eq!(code, 0);
        blocks
    }
}

#[test]
fn a_block_whose_registers_do_not_fit_is_refused() {
    let kernels =
        Kernels::load(&[kernel("few", "", 10), kernel("many", "", 90), kernel("most", "", 600)]);
    let few = kernels.attribute("few", REGISTERS);
    assert!((10..=24).contains(&few), "{few}");
    assert_eq!(kernels.attribute("few", THREADS), 1024);
    assert_eq!(kernels.launch("few", 1024), 0);

    let many = kernels.attribute("many", REGISTERS);
    assert!((90..=104).contains(&many), "{many}");
    // Up to 96 registers a warp takes 3072, five for each partition of 16384; more make that four.
    let threads = if many <= 96 { 640 } else { 512 };
    assert_eq!(kernels.attribute("many", THREADS), threads);
    assert_eq!(kernels.launch("many", threads as u32), 0);
    assert_eq!(kernels.launch("many", threads as u32 + 1), OUT_OF_RESOURCES);
    assert_eq!(kernels.launch("many", 1024), OUT_OF_RESOURCES);
    assert_eq!(kernels.launch("many", 1025), INVALID_VALUE);
    assert_eq!(kernels.active_blocks("many", threads), 1);
    assert_eq!(kernels.active_blocks("many", threads + 1), 0);
    assert_eq!(kernels.active_blocks("many", 32), if many <= 96 { 20 } else { 16 });

    // More than a thread can have would lie in local memory.
    assert_eq!(kernels.attribute("most", REGISTERS), 255);
    assert_eq!(kernels.attribute("most", THREADS), 256);
    assert_eq!(kernels.launch("most", 256), 0);
    assert_eq!(kernels.launch("most", 257), OUT_OF_RESOURCES);
    assert_eq!(kernels.device.synchronize(), 0);
}

#[test]
fn directives_limit_registers() {
    let cases = [
        ("none", "", 255, 256),
        ("maxnreg", ".maxnreg 42", 42, 1024),
        ("one", ".maxnreg 1", 16, 1024),
        ("maxntid", ".maxntid 1024, 1, 1", 64, 1024),
        // 28 warps are 2340 registers each, in units of 256: 2304.
        ("uneven", ".maxntid 896", 72, 896),
        ("small", ".maxntid 1, 1, 1", 255, 1),
        ("reqntid", ".reqntid 32, 4, 4", 128, 512),
        ("resident", ".maxntid 128 .minnctapersm 8", 64, 128),
        ("both", ".maxntid 128 .minnctapersm 2 .maxnreg 100", 100, 128),
        // Without a size of blocks this one says nothing.
        ("alone", ".minnctapersm 8", 255, 256),
    ];
    let kernels: Vec<String> = cases.iter().map(|case| kernel(case.0, case.1, 600)).collect();
    let kernels = Kernels::load(&kernels);
    for (name, directives, registers, threads) in cases {
        assert_eq!(kernels.attribute(name, REGISTERS), registers, "{directives}");
        assert_eq!(kernels.attribute(name, THREADS), threads, "{directives}");
    }
    assert_eq!(kernels.launch("maxntid", 1024), 0);
    assert_eq!(kernels.launch("maxnreg", 1024), 0);
    assert_eq!(kernels.launch("uneven", 897), INVALID_VALUE);
    assert_eq!(kernels.launch("small", 2), INVALID_VALUE);
    assert_eq!(kernels.active_blocks("resident", 128), 8);
    assert_eq!(kernels.device.synchronize(), 0);
}

#[test]
fn a_kernel_needs_what_its_callees_need() {
    let callee = ".func inner(.param .b64 out)\n{\n.reg .b32 %r<999>;\n.reg .b64 %rd<4>;\n\
                  ld.param.u64 %rd1, [out];\nmov.u32 %r0, %tid.x;\n";
    let mut callee = callee.to_owned();
    for value in 1..=100 {
        callee += &format!("add.u32 %r{value}, %r{}, 3;\n", value - 1);
    }
    for value in 1..=100 {
        callee += &format!("st.global.u32 [%rd1], %r{value};\n");
    }
    callee += "ret;\n}\n.visible .entry outer(.param .u64 out)\n{\n.reg .b64 %rd<4>;\n\
               ld.param.u64 %rd1, [out];\n{\n.param .b64 a;\nst.param.b64 [a], %rd1;\n\
               call.uni inner, (a);\n}\nret;\n}\n";
    let kernels = Kernels::load(&[callee]);
    let registers = kernels.attribute("outer", REGISTERS);
    assert!((100..=112).contains(&registers), "{registers}");
    assert_eq!(kernels.launch("outer", 1024), OUT_OF_RESOURCES);
}
