//! The driver's functions: codes, limits, memory, deferred errors. Each expectation comes from the CUDA
//! driver's documentation or from an H200.

#[path = "driver/behaviours.rs"]
mod behaviours;
mod device;
#[path = "driver/graphs.rs"]
mod graphs;
#[path = "driver/memory.rs"]
mod memory;
#[path = "driver/modules.rs"]
mod modules;
#[path = "driver/others.rs"]
mod others;
#[path = "driver/shared.rs"]
mod shared;
#[path = "driver/streams.rs"]
mod streams;
#[path = "driver/virtual_memory.rs"]
mod virtual_memory;

use device::{Device, LaunchConfig, driver, symbol};
use ptyx_driver_api::*;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::sync::{Mutex, MutexGuard};

const INVALID_VALUE: c_int = 1;
const INVALID_HANDLE: c_int = 400;
const NOT_FOUND: c_int = 500;

const MODULE: &str = r#"
.version 7.0
.target sm_70
.address_size 64
.global .align 4 .u32 number = 42;
.extern .shared .align 4 .b8 dynamic[];
.extern .func (.param .b32 result) vprintf(.param .b64 format, .param .b64 arguments);
.global .align 1 .b8 text[24] = {98, 108, 111, 99, 107, 32, 37, 100, 32, 116, 104, 114, 101, 97, 100, 32, 37, 100, 58, 32, 37, 103, 10, 0};
.visible .entry store(.param .u64 address, .param .u32 value)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [address];
    ld.param.u32 %r1, [value];
    st.global.u32 [%rd1], %r1;
    ret;
}
.visible .entry add_number(.param .u64 address)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [address];
    ld.global.u32 %r1, [number];
    red.global.add.u32 [%rd1], %r1;
    ret;
}
.visible .entry limited() .maxntid 64, 1, 1 { ret; }
.visible .entry required() .reqntid 32, 2, 1 { ret; }
.visible .entry dynamic_shared()
{
    .reg .b32 %r<4>;
    mov.u32 %r1, %dynamic_smem_size;
    mov.u32 %r2, dynamic;
    add.u32 %r2, %r2, %r1;
    st.shared.u32 [%r2+-4], %r1;
    ret;
}
.visible .entry print()
{
    .local .align 8 .b8 depot[16];
    .reg .b32 %r<8>;
    .reg .b64 %rd<8>;
    mov.u64 %rd1, depot;
    cvta.local.u64 %rd2, %rd1;
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %tid.x;
    st.local.v2.u32 [%rd1], {%r1, %r2};
    cvt.rn.f64.u32 %rd3, %r2;
    mul.f64 %rd3, %rd3, 0d3FE0000000000000;
    st.local.f64 [%rd1+8], %rd3;
    mov.u64 %rd4, text;
    {
    .param .b64 format;
    .param .b64 arguments;
    .param .b32 result;
    st.param.b64 [format], %rd4;
    st.param.b64 [arguments], %rd2;
    call.uni (result), vprintf, (format, arguments);
    ld.param.b32 %r3, [result];
    }
    ret;
}
"#;

/// A fault goes to whoever synchronises next, so tests of this file run one after another.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn launch(device: &Device, function: usize, grid: [u32; 3], block: [u32; 3], shared: u32) -> c_int {
    device.launch(function, grid, block, shared, &mut [])
}

fn store(device: &Device, module: usize, address: u64, value: u32) -> c_int {
    let function = device.function(module, "store").expect("the kernel");
    let mut params = [address.to_le_bytes().to_vec(), value.to_le_bytes().to_vec()];
    device.launch(function, [1, 1, 1], [1, 1, 1], 0, &mut params)
}

#[test]
fn every_function_of_the_list_is_there() {
    let names = "cuInit cuDriverGetVersion cuDeviceGetCount cuDeviceGet cuDeviceGetName \
        cuDeviceGetAttribute cuDeviceTotalMem_v2 cuDeviceGetUuid_v2 cuDeviceGetPCIBusId \
        cuDevicePrimaryCtxRetain cuDevicePrimaryCtxRelease_v2 cuDevicePrimaryCtxReset_v2 \
        cuDevicePrimaryCtxGetState cuDevicePrimaryCtxSetFlags_v2 cuCtxSetCurrent cuCtxGetCurrent \
        cuCtxPushCurrent_v2 cuCtxPopCurrent_v2 cuCtxGetDevice cuCtxSynchronize cuCtxGetLimit \
        cuCtxSetLimit cuStreamCreate cuStreamCreateWithPriority cuStreamDestroy_v2 \
        cuStreamSynchronize cuStreamQuery cuStreamWaitEvent cuStreamAddCallback cuEventCreate cuEventRecord \
        cuEventSynchronize cuEventQuery cuEventElapsedTime cuEventElapsedTime_v2 \
        cuEventDestroy_v2 cuMemAlloc_v2 cuMemFree_v2 cuMemAllocAsync cuMemFreeAsync \
        cuMemGetInfo_v2 cuMemcpyHtoD_v2 cuMemcpyDtoH_v2 cuMemcpyDtoD_v2 cuMemcpy \
        cuMemcpyHtoDAsync_v2 cuMemcpyDtoHAsync_v2 cuMemcpyDtoDAsync_v2 cuMemcpyAsync \
        cuMemsetD8_v2 cuMemsetD16_v2 cuMemsetD32_v2 cuMemsetD8Async cuMemsetD16Async \
        cuMemsetD32Async cuMemHostAlloc cuMemAllocHost_v2 cuMemFreeHost \
        cuMemHostGetDevicePointer_v2 cuPointerGetAttribute cuModuleLoadData cuModuleLoadDataEx \
        cuModuleUnload cuModuleGetFunction cuModuleGetGlobal_v2 cuFuncGetAttribute \
        cuFuncSetAttribute cuFuncGetName cuLaunchKernel cuLaunchKernelEx \
        cuLaunchCooperativeKernel cuOccupancyMaxActiveClusters \
        cuOccupancyMaxActiveBlocksPerMultiprocessor cuOccupancyMaxPotentialBlockSize \
        cuArrayCreate_v2 cuArray3DCreate_v2 cuArrayDestroy cuArrayGetDescriptor_v2 \
        cuArray3DGetDescriptor_v2 cuMipmappedArrayCreate cuMipmappedArrayGetLevel \
        cuMipmappedArrayDestroy cuMemcpy2D_v2 cuMemcpy2DUnaligned_v2 cuMemcpy2DAsync_v2 \
        cuMemcpy3D_v2 cuMemcpy3DAsync_v2 cuMemcpyHtoA_v2 cuMemcpyAtoH_v2 cuTexObjectCreate \
        cuTexObjectDestroy cuTexObjectGetResourceDesc cuTexObjectGetTextureDesc cuSurfObjectCreate \
        cuSurfObjectDestroy cuSurfObjectGetResourceDesc cuGetErrorName cuGetErrorString";
    for name in names.split_whitespace() {
        assert!(symbol(name).is_some(), "{name}");
    }
    assert!(symbol("cuNothing").is_none());
    assert!(symbol("cuMemAlloc").is_none(), "only the versioned name exists");
}

#[test]
fn launches_beyond_the_limits_are_refused() {
    let _turn = turn();
    let device = Device::new();
    let module = device.load(MODULE).unwrap();
    let function = |name| device.function(module, name).unwrap();
    let limited = function("limited");
    assert_eq!(launch(&device, limited, [1, 1, 1], [64, 1, 1], 0), 0);
    for (grid, block) in [
        ([0, 1, 1], [1, 1, 1]),
        ([1, 65536, 1], [1, 1, 1]),
        ([1, 1, 1], [0, 1, 1]),
        ([1, 1, 1], [65, 1, 1]),
        ([1, 1, 1], [1, 1, 65]),
        ([1, 1, 1], [1025, 1, 1]),
    ] {
        assert_eq!(launch(&device, limited, grid, block, 0), INVALID_VALUE, "{grid:?} {block:?}");
    }
    let required = function("required");
    assert_eq!(launch(&device, required, [1, 1, 1], [32, 2, 1], 0), 0);
    assert_eq!(launch(&device, required, [1, 1, 1], [32, 1, 1], 0), INVALID_VALUE);
    let shared = function("dynamic_shared");
    assert_eq!(launch(&device, shared, [1, 1, 1], [1, 1, 1], 48 << 10), 0);
    assert_eq!(launch(&device, shared, [1, 1, 1], [1, 1, 1], (48 << 10) + 4), INVALID_VALUE);
    let set =
        |bytes: c_int| driver!(cuFuncSetAttribute(shared => usize, 8 => c_int, bytes => c_int));
    assert_eq!(set(228 << 10), INVALID_VALUE);
    assert_eq!(set(227 << 10), 0);
    assert_eq!(launch(&device, shared, [1, 1, 1], [1, 1, 1], 227 << 10), 0);
    assert_eq!(device.synchronize(), 0);
    assert_eq!(launch(&device, 12345, [1, 1, 1], [1, 1, 1], 0), INVALID_HANDLE);
    assert!(device.function(module, "missing").is_none());
}

#[test]
fn a_fault_comes_with_the_next_synchronisation_and_is_over_then() {
    let _turn = turn();
    let device = Device::new();
    let module = device.load(MODULE).unwrap();
    let buffer = device.upload(&[0; 8]);
    assert_eq!(store(&device, module, buffer + 8, 1), 0);
    assert_eq!(device.synchronize(), 700);
    let report = ptyx_emulator::driver::take_fault().unwrap();
    assert!(report.starts_with("invalid write of 4 bytes at global address"), "{report}");
    assert!(report.contains("0 bytes past the end of an allocation of 8 bytes"), "{report}");
    assert!(report.contains("kernel `store`, block (0, 0, 0), thread (0, 0, 0)"), "{report}");
    assert_eq!(device.synchronize(), 0);
    assert_eq!(store(&device, module, buffer + 2, 1), 0);
    assert_eq!(store(&device, module, buffer, 1), 716, "the launch returns the code");
    assert_eq!(store(&device, module, buffer, 7), 0);
    assert_eq!(device.synchronize(), 0);
    assert_eq!(device.download(buffer, 4), [7, 0, 0, 0]);
    device.free(buffer);
    assert_eq!(store(&device, module, buffer, 7), 0);
    assert_eq!(device.synchronize(), 700);
    let report = ptyx_emulator::driver::take_fault().unwrap();
    assert!(report.contains("0 bytes into an allocation of 8 bytes at"), "{report}");
    assert!(report.contains("that was freed"), "{report}");
}

/// A stream calls back with the result of the work before, which stays for the next synchronisation.
#[test]
fn streams_call_back() {
    type Callback = extern "C" fn(*mut c_void, c_int, *mut c_void);
    extern "C" fn called(stream: *mut c_void, result: c_int, data: *mut c_void) {
        assert!(stream.is_null());
        // SAFETY: the test's vector, which nobody else uses meanwhile.
        unsafe { data.cast::<Vec<c_int>>().as_mut() }.unwrap().push(result);
    }
    let _turn = turn();
    let device = Device::new();
    let module = device.load(MODULE).unwrap();
    let buffer = device.upload(&[0; 8]);
    let mut results: Vec<c_int> = Vec::new();
    let data: *mut Vec<c_int> = &raw mut results;
    let add = |callback: Option<Callback>, flags: c_uint| {
        driver!(cuStreamAddCallback(
            0 => usize,
            callback => Option<Callback>,
            data.cast() => *mut c_void,
            flags => c_uint,
        ))
    };
    assert_eq!(store(&device, module, buffer, 7), 0);
    assert_eq!(add(Some(called), 0), 0);
    assert_eq!(store(&device, module, buffer + 8, 7), 0);
    assert_eq!(add(Some(called), 0), 0);
    assert_eq!(add(None, 0), INVALID_VALUE);
    assert_eq!(add(Some(called), 1), INVALID_VALUE);
    assert_eq!(results, [0, 700]);
    assert_eq!(device.synchronize(), 700);
    assert!(ptyx_emulator::driver::take_fault().is_some());
}

#[test]
fn mapped_host_memory_is_shared() {
    let _turn = turn();
    let device = Device::new();
    let module = device.load(MODULE).unwrap();
    let mut host = std::ptr::null_mut::<c_void>();
    assert_eq!(driver!(cuMemHostAlloc(&mut host => *mut *mut c_void, 64 => usize, 2 => c_uint)), 0);
    let mut address = 0u64;
    let code = driver!(cuMemHostGetDevicePointer_v2(
        &mut address => *mut u64,
        host => *mut c_void,
        0 => c_uint,
    ));
    assert_eq!(code, 0);
    assert_ne!(address, host as u64, "device addresses are not the host's");
    assert_eq!(store(&device, module, address + 4, 77), 0);
    assert_eq!(device.synchronize(), 0);
    // SAFETY: the allocation has 64 bytes, and nothing runs.
    assert_eq!(unsafe { host.cast::<u32>().add(1).read() }, 77);
    assert_eq!(driver!(cuMemFreeHost(host => *mut c_void)), 0);
    assert_eq!(driver!(cuMemFreeHost(host => *mut c_void)), INVALID_VALUE);
}

#[test]
fn copies_and_fills_are_checked() {
    let _turn = turn();
    let device = Device::new();
    let bytes: Vec<u8> = (0..64).collect();
    let (a, b) = (device.upload(&bytes), device.upload(&[0; 64]));
    assert_eq!(driver!(cuMemcpyDtoD_v2(b + 8 => u64, a => u64, 16 => usize)), 0);
    assert_eq!(driver!(cuMemsetD32_v2(b + 32 => u64, 0x0102_0304 => c_uint, 4 => usize)), 0);
    assert_eq!(driver!(cuMemsetD8_v2(b + 63 => u64, 9 => u8, 1 => usize)), 0);
    let mut wanted = vec![0; 64];
    wanted[8..24].copy_from_slice(&bytes[..16]);
    wanted[32..48].copy_from_slice(&[4, 3, 2, 1].repeat(4));
    wanted[63] = 9;
    assert_eq!(device.download(b, 64), wanted);
    assert_eq!(driver!(cuMemcpyDtoD_v2(b => u64, a => u64, 65 => usize)), INVALID_VALUE);
    assert_eq!(driver!(cuMemsetD32_v2(b + 2 => u64, 0 => c_uint, 1 => usize)), INVALID_VALUE);
    assert_eq!(driver!(cuMemsetD8_v2(b => u64, 0 => u8, 65 => usize)), INVALID_VALUE);
    assert_eq!(driver!(cuMemFree_v2(a + 8 => u64)), INVALID_VALUE);
    device.free(a);
    assert_eq!(driver!(cuMemFree_v2(a => u64)), INVALID_VALUE);
    device.free(b);
}

#[test]
fn variables_are_found_by_name() {
    let _turn = turn();
    let device = Device::new();
    let module = device.load(MODULE).unwrap();
    let (mut address, mut size) = (0u64, 0usize);
    let mut find = |name: &CStr| {
        driver!(cuModuleGetGlobal_v2(
            &mut address => *mut u64,
            &mut size => *mut usize,
            module => usize,
            name.as_ptr() => *const c_char,
        ))
    };
    assert_eq!(find(c"missing"), NOT_FOUND);
    assert_eq!(find(c"number"), 0);
    assert_eq!(size, 4);
    assert_eq!(device.download(address, 4), 42u32.to_le_bytes());
    let five = 5u32.to_le_bytes();
    let code =
        driver!(cuMemcpyHtoD_v2(address => u64, five.as_ptr().cast() => *const c_void, 4 => usize));
    assert_eq!(code, 0);
    let sum = device.upload(&[0; 4]);
    let function = device.function(module, "add_number").unwrap();
    let mut params = [sum.to_le_bytes().to_vec()];
    assert_eq!(device.launch(function, [10, 1, 1], [100, 1, 1], 0, &mut params), 0);
    assert_eq!(device.download(sum, 4), 5000u32.to_le_bytes());
    assert_eq!(driver!(cuModuleUnload(module => usize)), 0);
    assert_eq!(driver!(cuModuleUnload(module => usize)), INVALID_HANDLE);
}

#[test]
fn modules_that_cannot_run_say_why() {
    let _turn = turn();
    let device = Device::new();
    for target in ["sm_100", "sm_100a", "sm_90f"] {
        let text = format!(".version 7.0\n.target {target}, debug\n.address_size 64\n");
        match (target, device.load(&text)) {
            ("sm_90f", result) => assert!(result.is_ok()),
            (_, result) => assert_eq!(
                result.unwrap_err(),
                format!(
                    "ptx error: line 2: the module is for {target}; the emulated device has \
                     compute capability 9.0\n"
                )
            ),
        }
    }
    let log = device.load("").unwrap_err();
    assert_eq!(log, "ptx error: line 1: PTX must begin with `.version`\n");
    let head = ".version 7.0\n.target sm_70\n.address_size 64\n";
    let large = format!("{head}.visible .entry k() {{ .shared .b8 a[49156]; ret; }}\n");
    assert_eq!(
        device.load(&large).unwrap_err(),
        "ptx error: line 4: kernel `k` has 49156 bytes of static shared memory, more than 49152\n"
    );
    let mut module = 0usize;
    let elf = b"\x7fELF\x02\x01\x01";
    let image = elf.as_ptr().cast();
    assert_eq!(driver!(cuModuleLoadData(&mut module => *mut usize, image => *const c_void)), 209);
}

#[test]
fn a_small_log_buffer_is_not_overrun() {
    let _turn = turn();
    Device::new();
    let mut log = [0xffu8; 32];
    let (mut options, mut module): ([c_int; 2], usize) = ([6, 5], 0);
    let mut values = [16 as *mut c_void, log.as_mut_ptr().cast()];
    let code = driver!(cuModuleLoadDataEx(
        &mut module => *mut usize,
        c"nonsense".as_ptr().cast() => *const c_void,
        2 => c_uint,
        options.as_mut_ptr() => *mut c_int,
        values.as_mut_ptr() => *mut *mut c_void,
    ));
    assert_eq!(code, 218);
    assert_eq!(&log[..16], b"ptx error: line\0");
    assert!(log[16..].iter().all(|&byte| byte == 0xff));
}

#[test]
fn occupancy_is_that_of_compute_capability_9_0() {
    let _turn = turn();
    let device = Device::new();
    let module = device.load(MODULE).unwrap();
    let function = device.function(module, "dynamic_shared").unwrap();
    let active = |threads: c_int, shared: usize| {
        let mut blocks = -1;
        let code = driver!(cuOccupancyMaxActiveBlocksPerMultiprocessor(
            &mut blocks => *mut c_int,
            function => usize,
            threads => c_int,
            shared => usize,
        ));
        assert_eq!(code, 0);
        blocks
    };
    assert_eq!(active(256, 0), 8);
    assert_eq!(active(1024, 0), 2);
    assert_eq!(active(32, 0), 32);
    // More than launches may ask for, and once they may.
    assert_eq!(active(128, 100 << 10), 0);
    let set =
        |bytes: c_int| driver!(cuFuncSetAttribute(function => usize, 8 => c_int, bytes => c_int));
    assert_eq!(set(100 << 10), 0);
    assert_eq!(active(128, 100 << 10), 2);
    assert_eq!(active(2000, 0), 0);
}

#[test]
fn several_host_threads_at_once() {
    let _turn = turn();
    let device = Device::new();
    let module = device.load(MODULE).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let device = Device::new();
                let buffer = device.upload(&[0; 4]);
                let function = device.function(module, "add_number").unwrap();
                for _ in 0..20 {
                    let mut params = [buffer.to_le_bytes().to_vec()];
                    assert_eq!(device.launch(function, [4, 1, 1], [64, 1, 1], 0, &mut params), 0);
                }
                assert_eq!(device.download(buffer, 4), (20u32 * 256 * 42).to_le_bytes());
            });
        }
    });
}

#[test]
fn printed_text_comes_in_the_order_of_threads() {
    let _turn = turn();
    if std::env::var_os("PTYX_TEST_PRINTS").is_some() {
        let device = Device::new();
        let module = device.load(MODULE).unwrap();
        let function = device.function(module, "print").unwrap();
        assert_eq!(launch(&device, function, [5, 1, 1], [40, 1, 1], 0), 0);
        assert_eq!(device.synchronize(), 0);
        return;
    }
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "printed_text_comes_in_the_order_of_threads", "--nocapture"])
        .env("PTYX_TEST_PRINTS", "1")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let found: Vec<&str> = text.lines().filter(|line| line.contains("thread ")).collect();
    let wanted: Vec<String> = (0..5)
        .flat_map(|block| (0..40).map(move |thread| (block, thread)))
        .map(|(block, thread)| format!("block {block} thread {thread}: {}", thread as f64 * 0.5))
        .collect();
    assert_eq!(found, wanted);
}

/// Runs a kernel of `RUNAWAY` in a child of this process with these settings; its code and report.
fn in_child(kernel: &str, settings: &[(&str, &str)]) -> String {
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "runaway_child", "--nocapture"])
        .env("PTYX_TEST_KERNEL", kernel)
        .envs(settings.iter().copied())
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

const RUNAWAY: &str = r#"
.version 7.0
.target sm_70
.address_size 64
.visible .entry endless()
{
    .reg .pred %p<2>;
    .reg .b32 %r<2>;
    mov.u32 %r1, 0;
LOOP:
    add.u32 %r1, %r1, 0;
    setp.eq.u32 %p1, %r1, 0;
    @%p1 bra LOOP;
    ret;
}
.visible .entry late()
{
    .reg .pred %p<2>;
    .reg .b32 %r<4>;
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, 3000;
    setp.lt.u32 %p1, %r1, 700;
    @%p1 bra END;
WAIT:
    sub.u32 %r2, %r2, 1;
    setp.gt.u32 %p1, %r2, %r1;
    @%p1 bra WAIT;
    trap;
END:
    ret;
}
"#;

/// Not a test by itself: what [`in_child`] runs.
#[test]
fn runaway_child() {
    let Ok(kernel) = std::env::var("PTYX_TEST_KERNEL") else { return };
    let device = Device::new();
    let module = device.load(RUNAWAY).unwrap();
    let function = device.function(module, &kernel).unwrap();
    assert_eq!(launch(&device, function, [1000, 1, 1], [32, 1, 1], 0), 0);
    let code = device.synchronize();
    println!("code {code}\n{}", ptyx_emulator::driver::take_fault().unwrap());
}

#[test]
fn an_endless_loop_can_be_bounded() {
    let text = in_child("endless", &[("PTYX_EMULATOR_STEPS", "1000000")]);
    assert!(text.contains("code 702"), "{text}");
    assert!(text.contains("a block's warps ran more than 1000000 instructions"), "{text}");
    assert!(text.contains("kernel `endless`, block ("), "{text}");
}

#[test]
fn the_first_block_that_fails_is_reported_whatever_runs_when() {
    // Blocks from 700 on fail, the later ones sooner.
    for threads in ["1", "2", "7"] {
        let text = in_child("late", &[("PTYX_EMULATOR_THREADS", threads)]);
        assert!(text.contains("code 719"), "{text}");
        assert!(text.contains("kernel `late`, block (700, 0, 0), thread (0, 0, 0)"), "{text}");
    }
}

/// What `cuLaunchKernelEx` and the functions of occupancy say about clusters.
#[test]
fn clusters_are_checked() {
    let _turn = turn();
    let device = Device::new();
    let source = ".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry none() { ret; }\n\
                  .visible .entry two() .reqnctapercluster 2, 1, 1 { ret; }\n";
    let module = device.load(source).unwrap();
    let [none, two] = ["none", "two"].map(|name| device.function(module, name).unwrap());
    let of = |grid, cluster| LaunchConfig { grid, cluster: Some(cluster), ..LaunchConfig::ONE };
    let launch = |function, config: &LaunchConfig| device.launch_as(config, function, &mut []);
    for (function, config, code) in [
        (none, of([4, 6, 1], [2, 3, 1]), CUDA_SUCCESS),
        (none, of([8, 1, 1], [8, 1, 1]), CUDA_SUCCESS),
        (none, of([6, 1, 1], [4, 1, 1]), CUDA_ERROR_INVALID_VALUE),
        (none, of([6, 1, 1], [0, 1, 1]), CUDA_ERROR_INVALID_VALUE),
        (none, of([16, 1, 1], [16, 1, 1]), CUDA_ERROR_INVALID_CLUSTER_SIZE),
        (two, of([4, 1, 1], [2, 1, 1]), CUDA_SUCCESS),
        (two, of([4, 1, 1], [4, 1, 1]), CUDA_ERROR_INVALID_CLUSTER_SIZE),
        (two, LaunchConfig { grid: [3, 1, 1], ..LaunchConfig::ONE }, CUDA_ERROR_INVALID_VALUE),
        (none, LaunchConfig { programmatic: true, ..LaunchConfig::ONE }, CUDA_SUCCESS),
    ] {
        assert_eq!(launch(function, &config), code as c_int, "{config:?}");
        assert_eq!(device.synchronize(), 0);
    }
    // Sixteen blocks only where the function allows it.
    let large = of([32, 1, 1], [16, 1, 1]);
    let allow = CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED;
    assert_eq!(driver!(cuFuncSetAttribute(none => usize, allow => c_uint, 1 => c_int)), 0);
    assert_eq!(launch(none, &large), 0);
    assert_eq!(device.synchronize(), 0);

    let mut count = 0;
    let mut ask = |config: &LaunchConfig| {
        let attributes = config.attributes();
        let config = config.with(&attributes);
        let code = driver!(cuOccupancyMaxActiveClusters(
            &mut count => *mut c_int, none => usize, &raw const config => *const CUlaunchConfig));
        assert_eq!(code, 0);
        count
    };
    let some = ask(&LaunchConfig { block: [1024, 1, 1], ..large });
    assert!((1..=132 * 2 / 16).contains(&some), "{some}");
    // A multiprocessor holds one such block, so each cluster takes sixteen multiprocessors.
    let opt_in = CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
    let most = 200 << 10;
    assert_eq!(driver!(cuFuncSetAttribute(none => usize, opt_in => c_uint, most => c_int)), 0);
    let few = ask(&LaunchConfig { shared: most as u32, ..large });
    assert!((1..=132 / 16).contains(&few), "{few}");
    let mut size = 0;
    let config = LaunchConfig { shared: most as u32, ..LaunchConfig::ONE };
    let config = config.with(&[]);
    let code = driver!(cuOccupancyMaxPotentialClusterSize(
        &mut size => *mut c_int, none => usize, &raw const config => *const CUlaunchConfig));
    assert_eq!((code, size), (0, 16));
}
