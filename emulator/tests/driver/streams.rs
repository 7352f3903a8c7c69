//! Options and attributes of streams and events, functions of the host, and what a context prefers.

use super::*;
use ptyx_driver_api::CUstreamAttrValue as Value;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};

const UNSUPPORTED_LIMIT: c_int = 215;
const NOT_PERMITTED: c_int = 800;
const INVALID_DEVICE: c_int = 101;

fn stream() -> usize {
    let mut stream = 0usize;
    assert_eq!(driver!(cuStreamCreate(&mut stream => *mut usize, 1 => c_uint)), 0);
    stream
}

fn destroy(stream: usize) {
    assert_eq!(driver!(cuStreamDestroy_v2(stream => usize)), 0);
}

type HostFunction = extern "C" fn(*mut c_void);

fn host_function(stream: usize, function: Option<HostFunction>, data: *mut c_void) -> c_int {
    driver!(cuLaunchHostFunc(
        stream => usize, function => Option<HostFunction>, data => *mut c_void,
    ))
}

#[test]
fn functions_of_the_host_run_in_order_and_cannot_call_the_driver() {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    static CODE: AtomicI32 = AtomicI32::new(-1);
    extern "C" fn function(data: *mut c_void) {
        let address = data.addr() as u64;
        let mut seen = 0u32;
        let to = (&raw mut seen).cast::<c_void>();
        CODE.store(
            driver!(cuMemcpyDtoH_v2(to => *mut c_void, address => u64, 4 => usize)),
            Ordering::Relaxed,
        );
        CALLS.fetch_add(1, Ordering::Relaxed);
    }
    let _turn = turn();
    let device = Device::new();
    let stream = stream();
    let buffer = device.upload(&[0; 8]);
    let data = std::ptr::without_provenance_mut(buffer as usize);
    assert_eq!(host_function(stream, Some(function), data), 0);
    assert_eq!(driver!(cuStreamSynchronize(stream => usize)), 0);
    assert_eq!(CALLS.load(Ordering::Relaxed), 1);
    // A GPU's driver may also say nothing; it never runs the call.
    assert_eq!(CODE.load(Ordering::Relaxed), NOT_PERMITTED);
    assert_eq!(device.synchronize(), 0, "this thread may call again");
    assert_eq!(host_function(stream, None, null_mut()), INVALID_VALUE);
    assert_eq!(host_function(12345, Some(function), null_mut()), INVALID_HANDLE);
    destroy(stream);
}

#[test]
fn no_function_of_the_host_is_called_behind_a_fault() {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    extern "C" fn function(_: *mut c_void) {
        CALLS.fetch_add(1, Ordering::Relaxed);
    }
    let _turn = turn();
    let device = Device::new();
    let module = device.load(MODULE).unwrap();
    let buffer = device.upload(&[0; 8]);
    assert_eq!(store(&device, module, buffer + 8, 1), 0);
    let legacy = 0;
    assert_eq!(host_function(legacy, Some(function), null_mut()), 0);
    assert_eq!(CALLS.load(Ordering::Relaxed), 0);
    assert_eq!(device.synchronize(), 700, "the failure is left for who waits");
    assert_eq!(host_function(legacy, Some(function), null_mut()), 0);
    assert_eq!(device.synchronize(), 0);
    assert_eq!(CALLS.load(Ordering::Relaxed), 1);
}

fn get(stream: usize, attribute: c_int) -> (c_int, Value) {
    let mut value = Value { words: [7; 16] };
    let code = driver!(cuStreamGetAttribute(
        stream => usize, attribute => c_int, &mut value => *mut Value,
    ));
    (code, value)
}

fn set(stream: usize, attribute: c_int, first: &[u32]) -> c_int {
    let mut value = Value { words: [0; 16] };
    value.words[..first.len()].copy_from_slice(first);
    driver!(cuStreamSetAttribute(
        stream => usize, attribute => c_int, &value => *const Value,
    ))
}

#[test]
fn attributes_of_streams() {
    const WINDOW: c_int = 1;
    const POLICY: c_int = 3;
    let _turn = turn();
    let _device = Device::new();
    let (first, second) = (stream(), stream());
    assert_eq!(get(first, POLICY).1.words[0], CU_SYNC_POLICY_AUTO);
    assert_eq!(get(first, WINDOW).1.words, [0; 16]);
    assert_eq!(set(first, POLICY, &[CU_SYNC_POLICY_YIELD]), 0);
    let window = [0x1000, 0, 64, 0, 0.5f32.to_bits(), 2, 1];
    assert_eq!(set(first, WINDOW, &window), 0);
    assert_eq!(driver!(cuStreamCopyAttributes(second => usize, first => usize)), 0);
    assert_eq!(get(second, POLICY).1.words[0], CU_SYNC_POLICY_YIELD);
    assert_eq!(get(second, WINDOW).1.words[..7], window);

    for (attribute, words) in [
        (POLICY, &[0][..]),
        (POLICY, &[5]),
        (WINDOW, &[0, 0, 0, 0, 1.5f32.to_bits(), 0, 0]),
        (WINDOW, &[0, 0, 0, 0, f32::NAN.to_bits(), 0, 0]),
        (WINDOW, &[0, 0, 0, 0, 0, 3, 0]),
        (WINDOW, &[0, 0, 0, 0, 0, 0, 2]), // a miss can't persist
        (99, &[]),
    ] {
        assert_eq!(set(first, attribute, words), INVALID_VALUE, "{attribute} {words:?}");
    }
    assert_eq!(get(first, POLICY).1.words[0], CU_SYNC_POLICY_YIELD, "as before");
    assert_eq!(get(12345, POLICY).0, INVALID_HANDLE);
    destroy(first);
    destroy(second);
    assert_eq!(get(first, POLICY).0, INVALID_HANDLE);
}

#[test]
fn flags_of_events() {
    let _turn = turn();
    let _device = Device::new();
    let mut event = 0usize;
    let mut create =
        |flags: c_uint| driver!(cuEventCreate(&mut event => *mut usize, flags => c_uint));
    for flags in [0, CU_EVENT_BLOCKING_SYNC, CU_EVENT_DISABLE_TIMING, 3, 6, 7] {
        assert_eq!(create(flags), 0, "{flags}");
    }
    // Between processes there is no timing.
    for flags in [CU_EVENT_INTERPROCESS, 5, 8] {
        assert_eq!(create(flags), INVALID_VALUE, "{flags}");
    }
}

#[test]
fn what_a_context_prefers() {
    let _turn = turn();
    let _device = Device::new();
    let get = || {
        let mut config = -1;
        assert_eq!(driver!(cuCtxGetCacheConfig(&mut config => *mut c_int)), 0);
        config
    };
    assert_eq!(get(), 0);
    assert_eq!(driver!(cuCtxSetCacheConfig(2 => c_int)), 0);
    assert_eq!(get(), 2);
    assert_eq!(driver!(cuCtxSetCacheConfig(4 => c_int)), INVALID_VALUE);
    assert_eq!(driver!(cuCtxSetCacheConfig(0 => c_int)), 0);

    let mut banks = -1;
    assert_eq!(driver!(cuCtxSetSharedMemConfig(2 => c_int)), 0);
    assert_eq!(driver!(cuCtxGetSharedMemConfig(&mut banks => *mut c_int)), 0);
    assert_eq!(banks, 1, "4 bytes, whatever was asked for");
    assert_eq!(driver!(cuCtxSetSharedMemConfig(3 => c_int)), INVALID_VALUE);

    assert_eq!(driver!(cuCtxResetPersistingL2Cache()), 0);
    assert_eq!(driver!(cuProfilerStart()), 0);
    assert_eq!(driver!(cuProfilerStart()), 0, "no effect if it is on");
    assert_eq!(driver!(cuProfilerStop()), 0);

    let flags = |flags: c_uint| {
        let code = driver!(cuDevicePrimaryCtxSetFlags_v2(0 => c_int, flags => c_uint));
        let (mut set, mut active) = (0u32, 0);
        driver!(cuDevicePrimaryCtxGetState(
            0 => c_int, &mut set => *mut c_uint, &mut active => *mut c_int,
        ));
        (code, set, active)
    };
    assert_eq!(flags(4 | 8 | 16), (0, 28, 1));
    assert_eq!(flags(1 | 4), (INVALID_VALUE, 28, 1), "two ways to wait");
    assert_eq!(flags(0), (0, 0, 1));
}

#[test]
fn limits_besides_stack_and_heap() {
    let _turn = turn();
    let _device = Device::new();
    let get = |limit: c_uint| {
        let mut value = 77usize;
        (driver!(cuCtxGetLimit(&mut value => *mut usize, limit => c_uint)), value)
    };
    let set = |limit: c_uint, value: usize| driver!(cuCtxSetLimit(limit => c_uint, value => usize));
    // The values that `cudart.md` names.
    assert_eq!(get(CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH), (0, 2));
    assert_eq!(get(CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT), (0, 2048));
    assert_eq!(set(CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH, 24), 0);
    assert_eq!(set(CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH, 25), INVALID_VALUE);
    assert_eq!(get(CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH), (0, 24));
    assert_eq!(set(CU_LIMIT_MAX_L2_FETCH_GRANULARITY, 128), 0);
    assert_eq!(set(CU_LIMIT_MAX_L2_FETCH_GRANULARITY, 129), INVALID_VALUE);
    assert_eq!(set(CU_LIMIT_PERSISTING_L2_CACHE_SIZE, 1 << 20), 0, "a hint");
    assert_eq!(set(99, 1), UNSUPPORTED_LIMIT);
    assert_eq!(get(99), (UNSUPPORTED_LIMIT, 77));
}

#[test]
fn devices_by_address() {
    let _turn = turn();
    let _device = Device::new();
    let find = |text: &CStr| {
        let mut device = -1;
        let code = driver!(cuDeviceGetByPCIBusId(&mut device => *mut c_int, text.as_ptr() => *const c_char));
        (code, device)
    };
    for text in [c"0000:00:00.0", c"0000:00:00", c"00:00.0", c"00:00"] {
        assert_eq!(find(text), (0, 0), "{text:?}");
    }
    for text in [c"", c"here", c"0:0:0:0", c"00:00.x"] {
        assert_eq!(find(text).0, INVALID_VALUE, "{text:?}");
    }
    assert_eq!(find(c"0000:63:00.0").0, INVALID_DEVICE);
    let mut value = 0;
    let mut link = |peer: c_int| {
        driver!(cuDeviceGetP2PAttribute(
            &mut value => *mut c_int, 1 => c_int, 0 => c_int, peer => c_int,
        ))
    };
    assert_eq!(link(0), INVALID_DEVICE, "the same device twice");
    assert_eq!(link(63), INVALID_DEVICE, "no such device");
}
