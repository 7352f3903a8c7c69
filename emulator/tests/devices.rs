//! Several emulated devices, devices that stay lost after a fault, memory pools, and settings that make no
//! sense. Where the environment decides, a test runs in a process of its own.

#[path = "devices/later.rs"]
mod later;

mod device;

use device::{Device, driver, is_child, new_stream, run_child, symbol};
use std::ffi::{c_char, c_int, c_uint, c_void};

const INVALID_VALUE: c_int = 1;
const INVALID_DEVICE: c_int = 101;
const INVALID_HANDLE: c_int = 400;
const ILLEGAL_ADDRESS: c_int = 700;

const MODULE: &str = r#"
.version 7.0
.target sm_70
.address_size 64
.global .align 4 .u32 number = 42;
.visible .entry store(.param .u64 address)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [address];
    ld.global.u32 %r1, [number];
    st.global.u32 [%rd1], %r1;
    ret;
}
"#;

fn store(device: &Device, stream: usize, function: usize, address: u64) -> c_int {
    let mut params = [address.to_le_bytes().to_vec()];
    device.launch_on(stream, function, [1, 1, 1], [1, 1, 1], 0, &mut params)
}

fn synchronize(stream: usize) -> c_int {
    driver!(cuStreamSynchronize(stream => usize))
}

fn report() -> String {
    ptyx_emulator::driver::take_fault().unwrap()
}

// --- several devices ---

fn current_device() -> c_int {
    let mut ordinal = -1;
    assert_eq!(driver!(cuCtxGetDevice(&mut ordinal => *mut c_int)), 0);
    ordinal
}

#[test]
fn devices_have_contexts_memory_and_streams_of_their_own() {
    if !is_child() {
        let test = "devices_have_contexts_memory_and_streams_of_their_own";
        run_child(test, &[("PTYX_EMULATOR_DEVICES", "3")]);
        return;
    }
    let first = Device::number(0);
    let mut count = 0;
    assert_eq!(driver!(cuDeviceGetCount(&mut count => *mut c_int)), 0);
    assert_eq!(count, 3);
    let mut device = -1;
    assert_eq!(driver!(cuDeviceGet(&mut device => *mut c_int, 2 => c_int)), 0);
    assert_eq!(device, 2);
    assert_eq!(driver!(cuDeviceGet(&mut device => *mut c_int, 3 => c_int)), INVALID_DEVICE);
    assert_eq!(driver!(cuDeviceGet(&mut device => *mut c_int, -1 => c_int)), INVALID_DEVICE);
    let text = |device: c_int| {
        let (mut id, mut uuid) = ([0u8; 32], [0u8; 16]);
        let to = id.as_mut_ptr().cast();
        let code = driver!(cuDeviceGetPCIBusId(to => *mut c_char, 32 => c_int, device => c_int));
        assert_eq!(code, 0);
        let to = &raw mut uuid;
        assert_eq!(driver!(cuDeviceGetUuid_v2(to => *mut [u8; 16], device => c_int)), 0);
        (id, uuid)
    };
    assert!(text(0).0 != text(1).0 && text(0).1 != text(1).1 && text(1).1 != text(2).1);

    let module = first.load(MODULE).unwrap();
    let function = first.function(module, "store").unwrap();
    let stream = new_stream();
    let memory = first.upload(&[0; 4]);
    assert_eq!(current_device(), 0);
    let free = || {
        let (mut free, mut total) = (0usize, 0usize);
        let code = driver!(cuMemGetInfo_v2(&mut free => *mut usize, &mut total => *mut usize));
        assert_eq!(code, 0);
        free
    };
    let free_on_first = free();

    let second = Device::number(1);
    assert_eq!(current_device(), 1);
    let other_module = second.load(MODULE).unwrap();
    let other_function = second.function(other_module, "store").unwrap();
    let other_stream = new_stream();
    let other_memory = second.upload(&vec![1; 1 << 20]);
    let mut ordinal = -1;
    let attribute = |ordinal: &mut c_int, address: u64| {
        let to: *mut c_int = ordinal;
        let code = driver!(cuPointerGetAttribute(
            to.cast() => *mut c_void, 9 => c_int, address => u64
        ));
        assert_eq!(code, 0);
        *ordinal
    };
    assert_eq!(attribute(&mut ordinal, other_memory), 1);
    assert_eq!(attribute(&mut ordinal, memory), 0);

    // What belongs to another device's context is no handle here.
    assert_eq!(store(&second, other_stream, function, other_memory), INVALID_HANDLE);
    assert_eq!(store(&second, stream, other_function, other_memory), INVALID_HANDLE);
    assert_eq!(store(&second, other_stream, other_function, other_memory), 0);
    assert_eq!(second.download(other_memory, 4), 42u32.to_le_bytes());

    // Memory of another device is no memory for a kernel.
    assert_eq!(store(&second, other_stream, other_function, memory), 0);
    // Other devices and their streams have nothing to do with it.
    Device::number(0);
    assert_eq!((first.synchronize(), synchronize(stream)), (0, 0));
    Device::number(1);
    assert_eq!(synchronize(other_stream), ILLEGAL_ADDRESS);
    let text = report();
    assert!(
        text.contains(
            "memory of device 0, which kernels of device 1 can't reach without peer access"
        ),
        "{text}"
    );
    let mut can = -1;
    let code = driver!(cuDeviceCanAccessPeer(&mut can => *mut c_int, 1 => c_int, 0 => c_int));
    assert_eq!((code, can), (0, 1));

    // The host copies between them.
    assert_eq!(driver!(cuMemcpyDtoD_v2(memory => u64, other_memory => u64, 4 => usize)), 0);
    Device::number(0);
    assert_eq!(first.download(memory, 4), 42u32.to_le_bytes());
    assert_eq!(free(), free_on_first);

    // Mapped host memory can be reached by all, at an address for each.
    let mut host = std::ptr::null_mut::<c_void>();
    assert_eq!(driver!(cuMemHostAlloc(&mut host => *mut *mut c_void, 8 => usize, 3 => c_uint)), 0);
    for (ordinal, function) in [(0, function), (1, other_function)] {
        let device = Device::number(ordinal);
        let mut address = 0u64;
        let code = driver!(cuMemHostGetDevicePointer_v2(
            &mut address => *mut u64, host => *mut c_void, 0 => c_uint
        ));
        assert_eq!(code, 0);
        assert_eq!(store(&device, 0, function, address + 4 * ordinal as u64), 0);
        assert_eq!(device.synchronize(), 0);
    }
    // SAFETY: the memory has eight bytes and nothing runs.
    assert_eq!(unsafe { host.cast::<[u32; 2]>().read() }, [42, 42]);

    // One context ends, the others stay.
    assert_eq!(driver!(cuDevicePrimaryCtxReset_v2(1 => c_int)), 0);
    Device::number(0);
    assert_eq!(store(&first, stream, function, memory), 0);
    assert_eq!(synchronize(stream), 0);
    Device::number(1);
    assert_eq!(store(&second, 0, other_function, other_memory), INVALID_HANDLE);
}

// --- other devices' memory ---

#[test]
fn kernels_reach_other_devices_with_access_only() {
    if !is_child() {
        let test = "kernels_reach_other_devices_with_access_only";
        run_child(test, &[("PTYX_EMULATOR_DEVICES", "3")]);
        return;
    }
    const ALREADY_ENABLED: c_int = 704;
    const NOT_ENABLED: c_int = 705;
    const INVALID_CONTEXT: c_int = 201;
    let context = |ordinal: c_int| {
        let device = Device::number(ordinal);
        let mut context = 0usize;
        assert_eq!(driver!(cuCtxGetCurrent(&mut context => *mut usize)), 0);
        (device, context)
    };
    let (first, first_context) = context(0);
    let memory = first.upload(&[0; 4]);
    let (second, second_context) = context(1);
    let pooled = || {
        let mut address = 0;
        let code = driver!(cuMemAllocAsync(&mut address => *mut u64, 4 => usize, 0 => usize));
        assert_eq!(code, 0);
        address
    };
    let (pooled_on_second, own) = (pooled(), second.upload(&[7; 4]));
    Device::number(0);
    let pooled_on_first = pooled();
    Device::number(1);
    let module = second.load(MODULE).unwrap();
    let function = second.function(module, "store").unwrap();
    let run = |address| {
        assert_eq!(store(&second, 0, function, address), 0);
        second.synchronize()
    };
    let enable = |context: usize, flags: c_uint| driver!(cuCtxEnablePeerAccess(context => usize, flags => c_uint));
    let disable = |context: usize| driver!(cuCtxDisablePeerAccess(context => usize));

    assert_eq!(run(memory), ILLEGAL_ADDRESS);
    assert_eq!(disable(first_context), NOT_ENABLED);
    assert_eq!(enable(second_context, 0), INVALID_CONTEXT);
    assert_eq!(enable(0x1234, 0), INVALID_CONTEXT);
    assert_eq!(enable(first_context, 1), INVALID_VALUE);
    assert_eq!(enable(first_context, 0), 0);
    assert_eq!(enable(first_context, 0), ALREADY_ENABLED);
    assert_eq!(run(memory), 0);
    assert_eq!(first.download(memory, 4), 42u32.to_le_bytes());
    // Pools have accesses of their own.
    assert_eq!(run(pooled_on_first), ILLEGAL_ADDRESS);
    assert_eq!(disable(first_context), 0);
    let mut pool = 0usize;
    let code = driver!(cuDeviceGetDefaultMemPool(&mut pool => *mut usize, 0 => c_int));
    assert_eq!(code, 0);
    let set = |flags: u32| {
        let access = [1u32, 1, flags]; // a device, number 1
        driver!(cuMemPoolSetAccess(
            pool => usize, access.as_ptr().cast() => *const c_void, 1 => usize))
    };
    assert_eq!(set(3), 0);
    assert_eq!((run(pooled_on_first), run(memory)), (0, ILLEGAL_ADDRESS));
    assert_eq!(set(0), 0);
    assert_eq!(run(pooled_on_first), ILLEGAL_ADDRESS);
    // One way only.
    assert_eq!(enable(first_context, 0), 0);
    Device::number(0);
    let module = first.load(MODULE).unwrap();
    let function = first.function(module, "store").unwrap();
    assert_eq!(store(&first, 0, function, own), 0);
    assert_eq!(first.synchronize(), ILLEGAL_ADDRESS);

    // Copies need no access.
    for (asynchronous, from) in [(false, own), (true, pooled_on_second)] {
        let (to, bytes) = (memory, 4usize);
        let code = match asynchronous {
            false => driver!(cuMemcpyPeer(
                to => u64, first_context => usize, from => u64, second_context => usize, bytes => usize)),
            true => driver!(cuMemcpyPeerAsync(
                to => u64, first_context => usize, from => u64, second_context => usize, bytes => usize,
                0 => usize)),
        };
        assert_eq!(code, 0);
        let expected = if asynchronous { [0; 4] } else { [7; 4] };
        assert_eq!(first.download(memory, 4), expected);
    }
}

// --- calls that fail ---

#[test]
fn calls_fail_by_rules() {
    if !is_child() {
        let rules = "cuMemAlloc:2=CUDA_ERROR_OUT_OF_MEMORY,cuStreamQuery=CUDA_ERROR_UNKNOWN";
        run_child("calls_fail_by_rules", &[("PTYX_EMULATOR_FAIL", rules)]);
        return;
    }
    use ptyx_emulator::driver::{calls_made, fail_calls, live};
    let _device = Device::new();
    let allocate = || {
        let mut address = 0u64;
        (driver!(cuMemAlloc_v2(&mut address => *mut u64, 4 => usize)), address)
    };
    let before = live();
    let ((first, address), (second, _), (third, other)) = (allocate(), allocate(), allocate());
    assert_eq!((first, second, third), (0, 2, 0));
    assert_eq!(live().allocations, before.allocations + 2);
    let query = || driver!(cuStreamQuery(0 => usize));
    assert_eq!((query(), query(), synchronize(0)), (999, 999, 0));
    // From the program itself; the numbers begin again.
    fail_calls("*:3=CUDA_ERROR_INVALID_HANDLE").unwrap();
    assert_eq!([query(), query(), query(), query()], [0, 0, INVALID_HANDLE, 0]);
    assert_eq!(calls_made(), (vec!["cuStreamQuery"; 4], vec!["cuStreamQuery"]));
    assert!(fail_calls("cuMemAlloc:0=CUDA_ERROR_UNKNOWN").is_err());
    for address in [address, other] {
        assert_eq!(driver!(cuMemFree_v2(address => u64)), 0);
    }
    assert_eq!(live(), before);
}

// --- faults that stay ---

#[test]
fn a_device_can_be_lost_after_a_fault() {
    if !is_child() {
        let test = "a_device_can_be_lost_after_a_fault";
        let text = run_child(test, &[("PTYX_EMULATOR_STICKY_ERRORS", "0")]);
        assert!(text.contains("codes: [700, 0, 0, 0, 0]"), "{text}");
        let variables = [("PTYX_EMULATOR_STICKY_ERRORS", "1"), ("PTYX_EMULATOR_DEVICES", "2")];
        let text = run_child(test, &variables);
        assert!(text.contains("codes: [700, 700, 700, 700, 700]"), "{text}");
        assert!(text.contains("reports: 5"), "{text}");
        assert!(text.contains("device 1: 0"), "{text}");
        return;
    }
    let device = Device::new();
    let module = device.load(MODULE).unwrap();
    let function = device.function(module, "store").unwrap();
    let memory = device.upload(&[0; 8]);
    assert_eq!(store(&device, 0, function, 0), 0);
    let mut address = 0u64;
    let mut reports = 0;
    let calls: [&dyn Fn(&mut u64) -> c_int; 5] = [
        &|_| device.synchronize(),
        &|_| store(&device, 0, function, memory),
        &|address| driver!(cuMemAlloc_v2(address => *mut u64, 16 => usize)),
        &|_| synchronize(0),
        &|_| driver!(cuMemFree_v2(memory => u64)),
    ];
    let codes = calls.map(|call| {
        let code = call(&mut address);
        reports += usize::from(ptyx_emulator::driver::take_fault().is_some());
        code
    });
    println!("\ncodes: {codes:?}\nreports: {reports}");
    // What is no work of the context goes on.
    let mut name = [0u8; 99];
    let to = name.as_mut_ptr().cast();
    assert_eq!(driver!(cuDeviceGetName(to => *mut c_char, 99 => c_int, 0 => c_int)), 0);
    let mut count = 0;
    assert_eq!(driver!(cuDeviceGetCount(&mut count => *mut c_int)), 0);
    if count > 1 {
        println!("device 1: {}", Device::number(1).synchronize());
    }
}

// --- pools ---

fn pool_attribute(pool: usize, attribute: c_int) -> u64 {
    let mut value = u64::MAX;
    let code = driver!(cuMemPoolGetAttribute(
        pool => usize, attribute => c_int, (&raw mut value).cast() => *mut c_void
    ));
    assert_eq!(code, 0, "attribute {attribute}");
    if attribute < 4 { value & 0xffff_ffff } else { value }
}

fn set_pool_attribute(pool: usize, attribute: c_int, mut value: u64) -> c_int {
    driver!(cuMemPoolSetAttribute(
        pool => usize, attribute => c_int, (&raw mut value).cast() => *mut c_void
    ))
}

fn allocate_from(pool: usize, size: usize, stream: usize) -> Result<u64, c_int> {
    let mut address = 0u64;
    let code = driver!(cuMemAllocFromPoolAsync(
        &mut address => *mut u64, size => usize, pool => usize, stream => usize
    ));
    if code == 0 { Ok(address) } else { Err(code) }
}

fn allocate(size: usize, stream: usize) -> u64 {
    let mut address = 0u64;
    let code = driver!(cuMemAllocAsync(&mut address => *mut u64, size => usize, stream => usize));
    assert_eq!(code, 0);
    address
}

fn free(address: u64, stream: usize) -> c_int {
    driver!(cuMemFreeAsync(address => u64, stream => usize))
}

const THRESHOLD: c_int = 4;
const RESERVED: c_int = 5;
const RESERVED_HIGH: c_int = 6;
const USED: c_int = 7;
const USED_HIGH: c_int = 8;

fn new_pool(device: c_int) -> usize {
    let mut properties = [0i32; 22];
    // Pinned memory, no handles to share it, of a device.
    properties[..4].copy_from_slice(&[1, 0, 1, device]);
    let mut pool = 0usize;
    let from = properties.as_ptr().cast();
    assert_eq!(driver!(cuMemPoolCreate(&mut pool => *mut usize, from => *const c_void)), 0);
    pool
}

#[test]
fn pools_keep_accounts() {
    let device = Device::new();
    let stream = new_stream();
    let pool = new_pool(0);
    for reuse in 1..=3 {
        assert_eq!(pool_attribute(pool, reuse), 1);
        assert_eq!(set_pool_attribute(pool, reuse, 0), 0);
        assert_eq!(pool_attribute(pool, reuse), 0);
    }
    for attribute in THRESHOLD..=USED_HIGH {
        assert_eq!(pool_attribute(pool, attribute), 0);
    }
    let (a, b) =
        (allocate_from(pool, 1000, stream).unwrap(), allocate_from(pool, 24, stream).unwrap());
    assert_eq!((pool_attribute(pool, USED), pool_attribute(pool, USED_HIGH)), (1024, 1024));
    assert!(pool_attribute(pool, RESERVED) >= 1024);
    assert_eq!(free(a, stream), 0);
    assert_eq!((pool_attribute(pool, USED), pool_attribute(pool, USED_HIGH)), (24, 1024));
    assert_eq!(set_pool_attribute(pool, USED_HIGH, 1), INVALID_VALUE);
    assert_eq!(set_pool_attribute(pool, USED, 0), INVALID_VALUE);
    assert_eq!(set_pool_attribute(pool, USED_HIGH, 0), 0);
    assert_eq!(pool_attribute(pool, USED_HIGH), 24);
    // What was freed is kept until a synchronisation, and beyond it up to the threshold.
    assert_eq!(driver!(cuMemFree_v2(b => u64)), 0);
    let reserved = pool_attribute(pool, RESERVED);
    assert!(reserved > 0 && pool_attribute(pool, USED) == 0);
    assert_eq!(set_pool_attribute(pool, THRESHOLD, u64::MAX), 0);
    assert_eq!(synchronize(stream), 0);
    assert_eq!(pool_attribute(pool, RESERVED), reserved);
    assert_eq!(driver!(cuMemPoolTrimTo(pool => usize, 0 => usize)), 0);
    assert_eq!(pool_attribute(pool, RESERVED), 0);
    assert_eq!(pool_attribute(pool, RESERVED_HIGH), reserved);
    assert_eq!(set_pool_attribute(pool, THRESHOLD, 0), 0);
    let c = allocate_from(pool, 8, stream).unwrap();
    assert_eq!((free(c, stream), synchronize(stream)), (0, 0));
    assert_eq!(pool_attribute(pool, RESERVED), 0);
    // A pool that is destroyed gives no more, and goes with its last allocation.
    let d = allocate_from(pool, 8, stream).unwrap();
    assert_eq!(driver!(cuMemPoolDestroy(pool => usize)), 0);
    assert_eq!(allocate_from(pool, 8, stream), Err(INVALID_VALUE));
    assert_eq!(driver!(cuMemPoolDestroy(pool => usize)), INVALID_VALUE);
    assert_eq!(device.download(d, 8), [0; 8]);
    assert_eq!(free(d, stream), 0);
    assert_eq!(allocate_from(0xdead0, 8, stream), Err(INVALID_VALUE));
}

#[test]
fn a_device_has_a_pool_of_its_own() {
    // Other tests allocate from the device's pool.
    if !is_child() {
        run_child("a_device_has_a_pool_of_its_own", &[]);
        return;
    }
    Device::new();
    let stream = new_stream();
    let get = |name: &str, device: c_int| {
        let mut pool = 0usize;
        let pointer = symbol(name).unwrap();
        // SAFETY: both functions have this signature.
        let function: extern "C" fn(*mut usize, c_int) -> c_int =
            unsafe { std::mem::transmute(pointer) };
        (function(&mut pool, device), pool)
    };
    let (code, default) = get("cuDeviceGetDefaultMemPool", 0);
    assert!(code == 0 && default != 0);
    assert_eq!(get("cuDeviceGetMemPool", 0), (0, default));
    assert_eq!(get("cuDeviceGetMemPool", 1).0, INVALID_DEVICE);
    assert_eq!(driver!(cuMemPoolDestroy(default => usize)), INVALID_VALUE);
    let own = new_pool(0);
    assert_eq!(driver!(cuDeviceSetMemPool(0 => c_int, own => usize)), 0);
    assert_eq!(get("cuDeviceGetMemPool", 0), (0, own));
    let memory = allocate(100, stream);
    assert_eq!(pool_attribute(own, USED), 100);
    assert_eq!(free(memory, stream), 0);
    assert_eq!(driver!(cuMemPoolDestroy(own => usize)), 0);
    assert_eq!(get("cuDeviceGetMemPool", 0), (0, default));
}

#[test]
fn memory_of_a_pool_is_checked_as_any_other() {
    let device = Device::new();
    let module = device.load(MODULE).unwrap();
    let function = device.function(module, "store").unwrap();
    let stream = new_stream();
    let memory = allocate(8, stream);
    assert_eq!(store(&device, stream, function, memory + 4), 0);
    assert_eq!(synchronize(stream), 0);
    assert_eq!(store(&device, stream, function, memory + 8), 0);
    assert_eq!(synchronize(stream), ILLEGAL_ADDRESS);
    assert!(report().contains("0 bytes past the end of an allocation of 8 bytes"));
    assert_eq!(free(memory, stream), 0);
    assert_eq!(free(memory, stream), INVALID_VALUE);
    assert_eq!(store(&device, stream, function, memory), 0);
    assert_eq!(synchronize(stream), ILLEGAL_ADDRESS);
    assert!(report().contains("that was freed"));
    let from = [0u8; 4];
    let code = driver!(cuMemcpyHtoDAsync_v2(
        memory => u64, from.as_ptr().cast() => *const c_void, 4 => usize, stream => usize
    ));
    assert_eq!(code, INVALID_VALUE);
}

// --- settings ---

#[test]
fn settings_that_make_no_sense_are_named() {
    if is_child() {
        let code = driver!(cuInit(0 => c_uint));
        let error = ptyx_emulator::driver::check_settings().err();
        println!("\ncode {code}: {}", error.map_or("fine".to_owned(), |error| error.to_string()));
        println!("report: {:?}", ptyx_emulator::driver::take_fault());
        return;
    }
    for (name, value, choices) in [
        ("PTYX_EMULATOR_THREADS", "many", "a number of threads from 1 to 1024"),
        ("PTYX_EMULATOR_CAPABILITY", "9", "a compute capability from 1.0 to 99.9, such as `8.6`"),
        ("PTYX_EMULATOR_STEPS", "-1", "the number of instructions that the warps of a block"),
        ("PTYX_EMULATOR_DEVICES", "0", "a number of devices from 1 to 64"),
        ("PTYX_EMULATOR_STICKY_ERRORS", "on", "`1` (a device is lost after a fault"),
        ("PTYX_EMULATOR_VECTORS", "avx2", "`128`, `256` or `512`"),
    ] {
        let text = run_child("settings_that_make_no_sense_are_named", &[(name, value)]);
        let wanted = format!("{name} is `{value}`: it must be {choices}");
        assert!(text.contains(&format!("code 1: {wanted}")), "{text}");
        assert!(text.contains(&format!("report: Some(\"{wanted}")), "{text}");
    }
    let good = [("PTYX_EMULATOR_STEPS", "unlimited"), ("PTYX_EMULATOR_THREADS", "")];
    let text = run_child("settings_that_make_no_sense_are_named", &good);
    assert!(text.contains("code 0: fine"), "{text}");
}
