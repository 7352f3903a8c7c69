//! What users of the runtime API rely on: sizes of 0, null, limits that are fixed at some point, pending work.

use super::*;
use crate::device::on_gpu;
use std::fs::File;
use std::os::fd::{AsRawFd, IntoRawFd};
use std::os::unix::fs::FileExt;
use std::ptr::null_mut;
use std::time::{Duration, Instant};

const NOT_READY: c_int = 600;
const UNSUPPORTED: c_int = 801;

#[test]
fn nothing_is_freed_and_nothing_is_allocated() {
    let _turn = turn();
    let _device = Device::new();
    let mut address = 77u64;
    let mut allocate =
        |bytes: usize| driver!(cuMemAlloc_v2(&mut address => *mut u64, bytes => usize));
    assert_eq!(allocate(0), INVALID_VALUE);
    assert_eq!(allocate(16), 0);
    let free = |address: u64| driver!(cuMemFree_v2(address => u64));
    assert_eq!(free(0), 0, "null");
    assert_eq!(free(address), 0);
    assert_eq!(free(address), INVALID_VALUE, "twice");
}

#[test]
fn mapped_memory_takes_no_flags() {
    let _turn = turn();
    let _device = Device::new();
    let mut host: *mut c_void = null_mut();
    let code = driver!(cuMemHostAlloc(
        &mut host => *mut *mut c_void, 64 => usize, CU_MEMHOSTALLOC_DEVICEMAP => c_uint,
    ));
    assert_eq!(code, 0);
    let mut address = 0u64;
    let mut mapped = |flags: c_uint| {
        driver!(cuMemHostGetDevicePointer_v2(
            &mut address => *mut u64, host => *mut c_void, flags => c_uint,
        ))
    };
    assert_eq!([mapped(1), mapped(2), mapped(u32::MAX)], [INVALID_VALUE; 3]);
    assert_eq!(mapped(0), 0);
    assert_ne!(address, 0);
    assert_eq!(driver!(cuMemFreeHost(host => *mut c_void)), 0);
}

#[test]
fn too_many_levels_are_as_many_as_there_can_be() {
    let _turn = turn();
    let _device = Device::new();
    let mut array = 0usize;
    let descriptor = CUarray3DDescriptor {
        width: 6,
        height: 4,
        depth: 0,
        format: CU_AD_FORMAT_FLOAT,
        channels: 1,
        flags: 0,
    };
    let code = driver!(cuMipmappedArrayCreate(
        &mut array => *mut usize, &descriptor => *const CUarray3DDescriptor, 100 => c_uint,
    ));
    assert_eq!(code, 0);
    let level = |array: usize, index: c_uint| {
        let mut level = 0usize;
        driver!(cuMipmappedArrayGetLevel(
            &mut level => *mut usize, array => usize, index => c_uint,
        ))
    };
    // 6, 3 and 1 texels wide: 1 + floor(log2(6)).
    assert_eq!([0, 1, 2].map(|index| level(array, index)), [0; 3]);
    assert_eq!(level(array, 3), INVALID_VALUE);
    assert_eq!(level(0, 0), INVALID_HANDLE);
    assert_eq!(driver!(cuMipmappedArrayDestroy(array => usize)), 0);
}

#[test]
fn a_pool_that_has_less_than_it_may_keep_is_not_trimmed() {
    let _turn = turn();
    let device = Device::new();
    let mut pool = 0usize;
    assert_eq!(driver!(cuDeviceGetDefaultMemPool(&mut pool => *mut usize, 0 => c_int)), 0);
    let reserved = || {
        let mut bytes = 0u64;
        let code = driver!(cuMemPoolGetAttribute(
            pool => usize, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT => c_uint,
            (&raw mut bytes).cast() => *mut c_void,
        ));
        (code, bytes)
    };
    let trim = |keep: usize| driver!(cuMemPoolTrimTo(pool => usize, keep => usize));
    let mut threshold = u64::MAX;
    let code = driver!(cuMemPoolSetAttribute(
        pool => usize, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD => c_uint,
        (&raw mut threshold).cast() => *mut c_void,
    ));
    assert_eq!(code, 0);
    let mut address = 0u64;
    let code = driver!(cuMemAllocAsync(
        &mut address => *mut u64, 1 << 20 => usize, 0 => usize,
    ));
    assert_eq!(code, 0);
    assert_eq!(driver!(cuMemFreeAsync(address => u64, 0 => usize)), 0);
    assert_eq!(device.synchronize(), 0);
    let (code, before) = reserved();
    assert!(code == 0 && before >= 1 << 20, "{before}");
    assert_eq!(trim(before as usize + 1), 0);
    assert_eq!(trim(usize::MAX), 0);
    assert_eq!(reserved(), (0, before), "nothing to do");
    assert_eq!(trim(0), 0);
    assert!(reserved().1 < before);
    assert_eq!(trim(0), 0, "nothing is there any more");
}

#[test]
fn unknown_codes_have_no_name() {
    let _turn = turn();
    let _device = Device::new();
    let mut text: *const c_char = c"before".as_ptr();
    assert_eq!(driver!(cuGetErrorName(12345 => c_uint, &mut text => *mut *const c_char)), 1);
    assert!(text.is_null());
    assert_eq!(driver!(cuGetErrorString(12345 => c_uint, &mut text => *mut *const c_char)), 1);
    assert!(text.is_null());
}

const USES_HEAP: &str = "
.version 7.0
.target sm_70
.address_size 64
.extern .func (.param .b64 result) malloc(.param .b64 size);
.extern .func free(.param .b64 pointer);
.visible .entry uses_heap()
{
    .reg .b64 %rd<4>;
    mov.u64 %rd1, 16;
    {
    .param .b64 size;
    .param .b64 result;
    st.param.b64 [size], %rd1;
    call.uni (result), malloc, (size);
    ld.param.b64 %rd2, [result];
    }
    {
    .param .b64 pointer;
    st.param.b64 [pointer], %rd2;
    call.uni free, (pointer);
    }
    ret;
}
.visible .entry uses_nothing() { ret; }
";

/// A reset of the device makes both limits free again.
#[test]
fn limits_are_fixed_by_the_first_kernel_that_needs_them() {
    let _turn = turn();
    let _before = Device::new();
    assert_eq!(driver!(cuDevicePrimaryCtxReset_v2(0 => c_int)), 0);
    let device = Device::new();
    let set =
        |limit: CUlimit, bytes: usize| driver!(cuCtxSetLimit(limit => c_uint, bytes => usize));
    let [heap, printf] = [CU_LIMIT_MALLOC_HEAP_SIZE, CU_LIMIT_PRINTF_FIFO_SIZE];
    let load = |text: &str, name: &str| {
        let module = device.load(text).expect("it is right");
        device.function(module, name).expect("the kernel")
    };
    assert_eq!([set(heap, 16 << 20), set(printf, 2 << 20)], [0; 2]);
    let function = load(MODULE, "print");
    assert_eq!(set(printf, 3 << 20), 0, "it is only loaded");
    assert_eq!(launch(&device, function, [1; 3], [1; 3], 0), 0);
    assert_eq!(device.synchronize(), 0);
    assert_eq!(set(printf, 4 << 20), INVALID_VALUE);
    assert_eq!(set(heap, 24 << 20), 0, "that is the other one");
    let function = load(USES_HEAP, "uses_heap");
    assert_eq!(launch(&device, function, [1; 3], [1; 3], 0), 0);
    assert_eq!(device.synchronize(), 0);
    assert_eq!(set(heap, 32 << 20), INVALID_VALUE);
    let mut bytes = 0usize;
    assert_eq!(driver!(cuCtxGetLimit(&mut bytes => *mut usize, heap => c_uint)), 0);
    assert!(bytes >= 24 << 20, "{bytes}");
    assert_eq!(set(CU_LIMIT_STACK_SIZE, 2048), 0, "this one is not fixed");
    assert_eq!(set(CU_LIMIT_STACK_SIZE, 1024), 0);
    assert_eq!(driver!(cuDevicePrimaryCtxReset_v2(0 => c_int)), 0);
    let _device = Device::new();
    assert_eq!([set(heap, 8 << 20), set(printf, 1 << 20)], [0; 2]);
}

/// A semaphore of the emulated device: a file that is gone when it is closed, and the same file for the test.
fn semaphore(kind: CUexternalSemaphoreHandleType) -> (usize, File) {
    let file = number_file(0);
    let copy = file.try_clone().unwrap();
    let (code, semaphore) = import(kind, file.into_raw_fd());
    assert_eq!(code, 0);
    (semaphore, copy)
}

fn number_file(number: u64) -> File {
    let path = std::env::temp_dir().join(format!("ptyx-semaphore-{}", std::process::id()));
    std::fs::write(&path, number.to_le_bytes()).unwrap();
    let file = File::options().read(true).write(true).open(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    file
}

fn import(kind: CUexternalSemaphoreHandleType, file: c_int) -> (c_int, usize) {
    let descriptor = CUexternalSemaphoreHandleDesc {
        kind,
        padding: 0,
        handle: CUexternalHandle::of_file(file),
        flags: 0,
        reserved: [0; 16],
    };
    let mut semaphore = 0usize;
    let code = driver!(cuImportExternalSemaphore(
        &mut semaphore => *mut usize, &descriptor => *const CUexternalSemaphoreHandleDesc,
    ));
    (code, semaphore)
}

fn parameters(value: u64) -> CUexternalSemaphoreParams {
    CUexternalSemaphoreParams { value, others: [0; 8], flags: 0, reserved: [0; 16] }
}

fn wait(stream: usize, semaphore: usize, value: u64) -> c_int {
    driver!(cuWaitExternalSemaphoresAsync(
        &semaphore => *const usize, &parameters(value) => *const CUexternalSemaphoreParams,
        1 => c_uint, stream => usize,
    ))
}

fn signal(stream: usize, semaphore: usize, value: u64) -> c_int {
    driver!(cuSignalExternalSemaphoresAsync(
        &semaphore => *const usize, &parameters(value) => *const CUexternalSemaphoreParams,
        1 => c_uint, stream => usize,
    ))
}

fn value(file: &File) -> u64 {
    let mut bytes = [0; 8];
    file.read_exact_at(&mut bytes, 0).unwrap();
    u64::from_le_bytes(bytes)
}

fn set_value(file: &File, value: u64) {
    file.write_all_at(&value.to_le_bytes(), 0).unwrap();
}

fn new_stream() -> usize {
    let mut stream = 0usize;
    assert_eq!(driver!(cuStreamCreate(&mut stream => *mut usize, 1 => c_uint)), 0);
    stream
}

fn new_event(flags: c_uint) -> usize {
    let mut event = 0usize;
    assert_eq!(driver!(cuEventCreate(&mut event => *mut usize, flags => c_uint)), 0);
    event
}

const BINARY: CUexternalSemaphoreHandleType = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD;
const TIMELINE: CUexternalSemaphoreHandleType =
    CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD;

#[test]
fn semaphores_order_streams_and_others() {
    if on_gpu() {
        // Files are semaphores of the emulated device only.
        return;
    }
    let _turn = turn();
    let _device = Device::new();
    let (first, second) = (new_stream(), new_stream());
    let query = |stream: usize| driver!(cuStreamQuery(stream => usize));
    let synchronize = |stream: usize| driver!(cuStreamSynchronize(stream => usize));
    // A timeline: the second stream waits for the first, which waits for somebody else.
    let (timeline, file) = semaphore(TIMELINE);
    assert_eq!([wait(second, timeline, 3), wait(first, timeline, 1)], [0; 2]);
    assert_eq!(signal(first, timeline, 3), 0);
    assert_eq!([query(first), query(second)], [NOT_READY; 2]);
    std::thread::sleep(Duration::from_millis(20));
    assert_eq!(value(&file), 0, "nobody has signalled");
    set_value(&file, 1);
    assert_eq!([synchronize(second), synchronize(first)], [0; 2]);
    assert_eq!(value(&file), 3);
    assert_eq!(wait(second, timeline, 2), 0);
    assert_eq!(synchronize(second), 0, "it is beyond");
    // A binary one: each wait takes a signal.
    let (binary, file) = semaphore(BINARY);
    for _ in 0..3 {
        assert_eq!([wait(second, binary, 0), signal(first, binary, 0)], [0; 2]);
        assert_eq!(synchronize(second), 0);
        assert_eq!(value(&file), 0, "taken back");
    }
    let destroy = |semaphore: usize| driver!(cuDestroyExternalSemaphore(semaphore => usize));
    assert_eq!([destroy(binary), destroy(timeline)], [0; 2]);
    assert_eq!([destroy(binary), wait(first, binary, 0), signal(first, 7, 0)], [INVALID_HANDLE; 3]);
}

/// If the import succeeds, the file is the driver's, who closes it; otherwise it stays the caller's.
#[test]
fn the_file_of_a_semaphore_changes_its_owner() {
    if on_gpu() {
        return;
    }
    let _turn = turn();
    let _device = Device::new();
    let target = |number: c_int| std::fs::read_link(format!("/proc/self/fd/{number}")).ok();
    let file = number_file(0);
    let (number, was) = (file.as_raw_fd(), target(file.as_raw_fd()));
    assert!(was.is_some());
    assert_eq!(import(99, number).0, UNSUPPORTED, "no kind of Linux");
    assert_eq!(target(number), was, "still the caller's");
    let (code, semaphore) = import(TIMELINE, file.into_raw_fd());
    assert_eq!(code, 0);
    assert_ne!(target(number), was, "closed");
    assert_eq!(driver!(cuDestroyExternalSemaphore(semaphore => usize)), 0);
    assert_eq!(import(BINARY, -1).0, INVALID_VALUE);
    // Shorter than a number.
    let short = number_file(0);
    short.set_len(3).unwrap();
    assert_eq!(import(BINARY, short.as_raw_fd()).0, INVALID_HANDLE);
    assert_eq!(short.metadata().unwrap().len(), 3, "still the caller's");
}

#[test]
fn what_is_pending_is_not_ready() {
    if on_gpu() {
        return;
    }
    let _turn = turn();
    let device = Device::new();
    let stream = new_stream();
    let (timeline, file) = semaphore(TIMELINE);
    let (start, end) = (new_event(0), new_event(0));
    let record = |event: usize| driver!(cuEventRecord(event => usize, stream => usize));
    let mut milliseconds = -1f32;
    let mut elapsed = || {
        let code = driver!(cuEventElapsedTime_v2(
            &mut milliseconds => *mut f32, start => usize, end => usize,
        ));
        (code, milliseconds)
    };
    assert_eq!(record(start), 0);
    assert_eq!(elapsed().0, INVALID_HANDLE, "the end was never recorded");
    assert_eq!(wait(stream, timeline, 1), 0);
    assert_eq!(record(end), 0);
    assert_eq!(elapsed().0, NOT_READY);
    assert_eq!(driver!(cuEventQuery(start => usize)), 0);
    assert_eq!(driver!(cuEventQuery(end => usize)), NOT_READY);
    assert_eq!(driver!(cuStreamQuery(stream => usize)), NOT_READY);
    std::thread::sleep(Duration::from_millis(30));
    set_value(&file, 1);
    assert_eq!(driver!(cuEventSynchronize(end => usize)), 0);
    let (code, time) = elapsed();
    assert!(code == 0 && time >= 30.0, "{code} {time}");
    assert_eq!(device.synchronize(), 0);
}

/// A thread that waits asleep wakes when the work is done, for each way to say so.
#[test]
fn waits_that_sleep_end() {
    if on_gpu() {
        return;
    }
    let _turn = turn();
    let _device = Device::new();
    let (stream, event) = (new_stream(), new_event(CU_EVENT_BLOCKING_SYNC));
    let mut policy = CUstreamAttrValue { words: [0; 16] };
    policy.words[0] = CU_SYNC_POLICY_BLOCKING_SYNC;
    let code = driver!(cuStreamSetAttribute(
        stream => usize, 3 => c_int, &policy => *const CUstreamAttrValue,
    ));
    assert_eq!(code, 0);
    let (timeline, file) = semaphore(TIMELINE);
    for round in 1..=4u64 {
        assert_eq!(wait(stream, timeline, round), 0);
        assert_eq!(driver!(cuEventRecord(event => usize, stream => usize)), 0);
        let file = file.try_clone().unwrap();
        let start = Instant::now();
        let other = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(30));
            set_value(&file, round);
        });
        let code = match round % 2 {
            0 => driver!(cuStreamSynchronize(stream => usize)),
            _ => driver!(cuEventSynchronize(event => usize)),
        };
        assert_eq!(code, 0);
        assert!(start.elapsed() >= Duration::from_millis(30));
        other.join().unwrap();
    }
}

/// The work of a destroyed stream goes on, and what was recorded in it can be waited for.
#[test]
fn a_stream_is_destroyed_before_its_work_is_done() {
    if on_gpu() {
        return;
    }
    let _turn = turn();
    let device = Device::new();
    let (stream, other, event) = (new_stream(), new_stream(), new_event(0));
    let ((timeline, file), (done, told)) = (semaphore(TIMELINE), semaphore(TIMELINE));
    assert_eq!([wait(stream, timeline, 1), signal(stream, done, 5)], [0; 2]);
    assert_eq!(driver!(cuEventRecord(event => usize, stream => usize)), 0);
    let start = Instant::now();
    assert_eq!(driver!(cuStreamDestroy_v2(stream => usize)), 0);
    assert!(start.elapsed() < Duration::from_secs(5), "it does not wait");
    assert_eq!(driver!(cuStreamQuery(stream => usize)), INVALID_HANDLE);
    assert_eq!(driver!(cuStreamDestroy_v2(stream => usize)), INVALID_HANDLE);
    assert_eq!(driver!(cuEventQuery(event => usize)), NOT_READY);
    let code = driver!(cuStreamWaitEvent(other => usize, event => usize, 0 => c_uint));
    assert_eq!(code, 0);
    assert_eq!(value(&told), 0);
    set_value(&file, 1);
    assert_eq!(driver!(cuStreamSynchronize(other => usize)), 0);
    assert_eq!(value(&told), 5, "the work went on");
    assert_eq!(driver!(cuEventQuery(event => usize)), 0);
    assert_eq!(device.synchronize(), 0);
}

#[test]
fn nvsci_is_for_other_machines() {
    let _turn = turn();
    let _device = Device::new();
    let ask = |device: c_int| {
        driver!(cuDeviceGetNvSciSyncAttributes(
            null_mut() => *mut c_void, device => c_int, 1 => c_int,
        ))
    };
    let code = ask(0);
    assert!(code == UNSUPPORTED || on_gpu() && code == INVALID_VALUE, "{code}");
    assert_ne!(ask(1000), 0);
}
