//! Modules, the assembler's options, the linker.

use super::device::{Device, driver};
use super::turn;
use ptyx_driver_api::*;
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::ptr::null_mut;

const HEAD: &str = ".version 7.0\n.target sm_70\n.address_size 64\n";
/// Calls `triple`, and adds `offset`, which others define. Its own `own` is not the other's.
const USER: &str = "
.extern .func (.param .b32 result) triple(.param .b32 x);
.extern .global .align 4 .u32 offset;
.global .align 4 .u32 own = 5;
.visible .entry run(.param .u64 address, .param .u32 value)
{
    .reg .b32 %r<8>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [address];
    ld.param.u32 %r1, [value];
    {
    .param .b32 x;
    .param .b32 result;
    st.param.b32 [x], %r1;
    call.uni (result), triple, (x);
    ld.param.b32 %r2, [result];
    }
    ld.global.u32 %r3, [offset];
    ld.global.u32 %r4, [own];
    add.u32 %r2, %r2, %r3;
    add.u32 %r2, %r2, %r4;
    st.global.u32 [%rd1], %r2;
    ret;
}";
const LIBRARY: &str = "
.visible .global .align 4 .u32 offset = 100;
.global .align 4 .u32 own = 3;
.visible .func (.param .b32 result) triple(.param .b32 x)
{
    .reg .b32 %r<4>;
    ld.param.b32 %r1, [x];
    ld.global.u32 %r2, [own];
    mul.lo.u32 %r1, %r1, %r2;
    st.param.b32 [result], %r1;
    ret;
}";

/// A linker, with buffers for its logs.
struct Linker {
    state: usize,
    log: Vec<u8>,
    _options: Box<([c_uint; 3], [*mut c_void; 3])>,
}

impl Linker {
    fn new(max_registers: usize) -> Linker {
        let mut log = vec![0u8; 4096];
        let options =
            [CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_MAX_REGISTERS];
        let values = [log.as_mut_ptr().cast(), 4096 as *mut c_void, max_registers as *mut c_void];
        let mut options = Box::new((options, values));
        let mut state = 0;
        let code = driver!(cuLinkCreate_v2(
            3 => c_uint,
            options.0.as_mut_ptr() => *mut c_uint,
            options.1.as_mut_ptr() => *mut *mut c_void,
            &mut state => *mut usize,
        ));
        assert_eq!(code, 0);
        Linker { state, log, _options: options }
    }

    fn add(&self, kind: CUjitInputType, data: &[u8]) -> c_int {
        driver!(cuLinkAddData_v2(
            self.state => usize,
            kind => c_uint,
            data.as_ptr().cast_mut().cast() => *mut c_void,
            data.len() => usize,
            c"part".as_ptr() => *const c_char,
            0 => c_uint,
            null_mut() => *mut c_uint,
            null_mut() => *mut *mut c_void,
        ))
    }

    fn add_text(&self, part: &str) -> c_int {
        self.add(CU_JIT_INPUT_PTX, format!("{HEAD}{part}\0").as_bytes())
    }

    fn complete(&self) -> Result<Vec<u8>, c_int> {
        let (mut image, mut bytes) = (null_mut::<c_void>(), 0usize);
        let code = driver!(cuLinkComplete(
            self.state => usize, &mut image => *mut *mut c_void, &mut bytes => *mut usize));
        if code != 0 {
            return Err(code);
        }
        // SAFETY: the result has as many bytes, and lives as long as the state.
        Ok(unsafe { std::slice::from_raw_parts(image.cast::<u8>(), bytes) }.to_vec())
    }

    fn log(&self) -> String {
        CStr::from_bytes_until_nul(&self.log).unwrap().to_str().unwrap().to_owned()
    }
}

impl Drop for Linker {
    fn drop(&mut self) {
        assert_eq!(driver!(cuLinkDestroy(self.state => usize)), 0);
    }
}

fn load(image: &[u8]) -> Result<usize, c_int> {
    let mut module = 0;
    let code = driver!(cuModuleLoadData(
        &mut module => *mut usize, image.as_ptr().cast() => *const c_void));
    if code == 0 { Ok(module) } else { Err(code) }
}

fn run(device: &Device, module: usize, value: u32) -> u32 {
    let address = device.upload(&[0; 4]);
    let function = device.function(module, "run").unwrap();
    let mut params = [address.to_le_bytes().to_vec(), value.to_le_bytes().to_vec()];
    assert_eq!(device.launch(function, [1; 3], [1; 3], 0, &mut params), 0);
    assert_eq!(device.synchronize(), 0);
    let found = device.download(address, 4);
    device.free(address);
    u32::from_le_bytes([found[0], found[1], found[2], found[3]])
}

fn registers(function: usize) -> c_int {
    let mut found = 0;
    let code = driver!(cuFuncGetAttribute(
        &mut found => *mut c_int, CU_FUNC_ATTRIBUTE_NUM_REGS => c_uint, function => usize));
    assert_eq!(code, 0);
    found
}

#[test]
fn texts_are_linked_in_any_order() {
    let _turn = turn();
    let device = Device::new();
    for parts in [[USER, LIBRARY], [LIBRARY, USER]] {
        let linker = Linker::new(0);
        for part in parts {
            assert_eq!(linker.add_text(part), 0, "{}", linker.log());
        }
        let image = linker.complete().unwrap();
        drop(linker);
        let module = load(&image).unwrap();
        assert_eq!(run(&device, module, 7), 7 * 3 + 100 + 5);
        // What was linked can be linked again.
        let again = Linker::new(0);
        assert_eq!(again.add(CU_JIT_INPUT_CUBIN, &image), 0);
        assert_eq!(load(&again.complete().unwrap()).map(|_| ()), Ok(()));
    }
}

#[test]
fn a_missing_or_double_definition_is_in_the_log() {
    let _turn = turn();
    let _device = Device::new();
    let linker = Linker::new(0);
    assert_eq!(linker.add_text(USER), 0);
    assert_eq!(linker.complete().unwrap_err(), CUDA_ERROR_INVALID_PTX as c_int);
    for name in ["triple", "offset"] {
        assert!(
            linker.log().contains(&format!("undefined reference to `{name}`")),
            "{}",
            linker.log()
        );
    }
    let linker = Linker::new(0);
    assert_eq!(linker.add_text(LIBRARY), 0);
    assert_eq!(linker.add_text(LIBRARY), 0);
    assert_eq!(linker.complete().unwrap_err(), CUDA_ERROR_INVALID_PTX as c_int);
    // It is about no line of one text.
    assert!(linker.log().contains("error: multiple definition of `triple`"), "{}", linker.log());
    assert_eq!(linker.add_text("nonsense"), CUDA_ERROR_INVALID_PTX as c_int);
    assert!(linker.log().starts_with("part: "), "{}", linker.log());
    assert_eq!(linker.add(17, b"x"), CUDA_ERROR_INVALID_VALUE as c_int);
    assert_eq!(linker.add(CU_JIT_INPUT_FATBINARY, b"x"), CUDA_ERROR_NO_BINARY_FOR_GPU as c_int);
}

#[test]
fn files_are_linked_too() {
    let _turn = turn();
    let _device = Device::new();
    let path = std::env::temp_dir().join(format!("ptyx-link-{}.ptx", std::process::id()));
    std::fs::write(&path, format!("{HEAD}{LIBRARY}")).unwrap();
    let linker = Linker::new(0);
    let add = |path: &std::path::Path| {
        let path = CString::new(path.to_str().unwrap()).unwrap();
        driver!(cuLinkAddFile_v2(
            linker.state => usize,
            CU_JIT_INPUT_PTX => c_uint,
            path.as_ptr() => *const c_char,
            0 => c_uint,
            null_mut() => *mut c_uint,
            null_mut() => *mut *mut c_void,
        ))
    };
    assert_eq!(add(&path), 0);
    std::fs::remove_file(&path).unwrap();
    assert_eq!(add(&path), CUDA_ERROR_FILE_NOT_FOUND as c_int);
    assert!(linker.complete().is_ok());
}

#[test]
fn options_limit_registers_and_fill_the_log() {
    let _turn = turn();
    let device = Device::new();
    let names: String =
        (0..60).map(|i| format!("ld.global.u32 %r{i}, [%rd1+{}];\n", 4 * i)).collect();
    // Each number is used twice, so that all are alive between.
    let sum = |i: u32| format!("mad.lo.u32 %r0, %r0, %r0, %r{i};\n");
    let sums: String = (1..60).chain((1..60).rev()).map(sum).collect();
    let body = format!(
        ".visible .entry run(.param .u64 address, .param .u32 value) {{ .reg .b32 %r<64>; .reg .b64 %rd<2>;\n\
         ld.param.u64 %rd1, [address];\n{names}{sums}\nst.global.u32 [%rd1], %r0;\nret;\n}}"
    );
    let text = CString::new(format!("{HEAD}{body}")).unwrap();
    let load_with = |registers: usize, level: usize| {
        let mut log = vec![0u8; 1024];
        let mut options = [
            CU_JIT_MAX_REGISTERS,
            CU_JIT_OPTIMIZATION_LEVEL,
            CU_JIT_LOG_VERBOSE,
            CU_JIT_INFO_LOG_BUFFER,
            CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
        ];
        let mut values = [registers, level, 1, log.as_mut_ptr().expose_provenance(), log.len()]
            .map(|value| value as *mut c_void);
        let mut module = 0;
        let code = driver!(cuModuleLoadDataEx(
            &mut module => *mut usize,
            text.as_ptr().cast() => *const c_void,
            5 => c_uint,
            options.as_mut_ptr() => *mut c_uint,
            values.as_mut_ptr() => *mut *mut c_void,
        ));
        let log = CStr::from_bytes_until_nul(&log).unwrap().to_str().unwrap().to_owned();
        (code, module, log)
    };
    let (code, free, log) = load_with(0, 4);
    assert_eq!(code, 0);
    let unlimited = registers(device.function(free, "run").unwrap());
    assert!(unlimited > 32, "{unlimited}");
    assert!(log.contains(&format!("entry `run`: {unlimited} registers")), "{log}");
    let (_, limited, log) = load_with(32, 0);
    assert_eq!(registers(device.function(limited, "run").unwrap()), 32);
    assert!(log.contains("entry `run`: 32 registers"), "{log}");
    assert_eq!(load_with(0, 5).0, CUDA_ERROR_INVALID_VALUE as c_int);
    // The linker takes the option for what it makes.
    let linker = Linker::new(24);
    assert_eq!(linker.add_text(&body), 0);
    let module = load(&linker.complete().unwrap()).unwrap();
    assert_eq!(registers(device.function(module, "run").unwrap()), 24);
}

#[test]
fn a_module_lists_its_kernels_and_their_parameters() {
    let _turn = turn();
    let device = Device::new();
    let text = "
        .func helper() { ret; }
        .visible .entry first(.param .u8 a, .param .u64 b, .param .align 4 .b8 c[12]) { ret; }
        .entry second() { ret; }";
    let module = device.load(&format!("{HEAD}{text}")).unwrap();
    let mut count = 0;
    assert_eq!(driver!(cuModuleGetFunctionCount(&mut count => *mut c_uint, module => usize)), 0);
    assert_eq!(count, 2);
    let mut functions = [0usize; 2];
    let code = driver!(cuModuleEnumerateFunctions(
        functions.as_mut_ptr() => *mut usize, 2 => c_uint, module => usize));
    assert_eq!(code, 0);
    let names = functions.map(|function| {
        let mut name = std::ptr::null::<c_char>();
        assert_eq!(driver!(cuFuncGetName(&mut name => *mut *const c_char, function => usize)), 0);
        // SAFETY: the driver's string ends with a zero byte.
        unsafe { CStr::from_ptr(name) }.to_str().unwrap().to_owned()
    });
    assert_eq!(names, ["first", "second"]);
    assert_eq!(device.function(module, "first"), Some(functions[0]));
    let param = |function: usize, index: usize| {
        let (mut offset, mut size) = (0usize, 0usize);
        let code = driver!(cuFuncGetParamInfo(
            function => usize, index => usize, &mut offset => *mut usize, &mut size => *mut usize));
        (code, offset, size)
    };
    let of_first = [0, 1, 2].map(|index| param(functions[0], index));
    assert_eq!(of_first, [(0, 0, 1), (0, 8, 8), (0, 16, 12)]);
    assert_eq!(param(functions[0], 3).0, CUDA_ERROR_INVALID_VALUE as c_int);
    assert_eq!(param(functions[1], 0).0, CUDA_ERROR_INVALID_VALUE as c_int);
    assert_eq!(param(1, 0).0, CUDA_ERROR_INVALID_HANDLE as c_int);
}
