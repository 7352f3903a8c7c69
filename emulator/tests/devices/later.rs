//! Work that is put off (`PTYX_EMULATOR_ASYNC=1`): it keeps CUDA's order, and no other.

use super::device::{Device, driver, is_child, new_stream, run_child};
use ptyx_driver_api::{CUresult, CUstream};
use std::ffi::{c_int, c_uint, c_void};
use std::sync::mpsc;
use std::time::{Duration, Instant};

const NOT_READY: c_int = 600;
const ILLEGAL_ADDRESS: c_int = 700;
/// What takes so long never ends.
const PATIENCE: Duration = Duration::from_secs(60);

/// `add`: *address = *address * 10 + digit.
const MODULE: &str = r#"
.version 7.0
.target sm_70
.address_size 64
.visible .entry add(.param .u64 address, .param .u32 digit)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [address];
    ld.param.u32 %r1, [digit];
    ld.global.u32 %r2, [%rd1];
    mad.lo.u32 %r2, %r2, 10, %r1;
    st.global.u32 [%rd1], %r2;
    ret;
}
"#;

/// Runs a test in processes of its own with several seeds; the texts that it printed.
fn with_seeds(test: &str, seeds: std::ops::Range<u32>) -> Option<Vec<String>> {
    if is_child() {
        return None;
    }
    let run = |seed: u32| {
        let seed = seed.to_string();
        let variables = [
            ("PTYX_EMULATOR_ASYNC", "1"),
            ("PTYX_EMULATOR_SEED", seed.as_str()),
            ("PTYX_EMULATOR_DEVICES", "2"),
        ];
        run_child(&format!("later::{test}"), &variables)
    };
    Some(seeds.map(run).collect())
}

struct Program {
    device: Device,
    add: usize,
    address: u64,
}

impl Program {
    fn new() -> Program {
        let device = Device::new();
        let module = device.load(MODULE).unwrap();
        let add = device.function(module, "add").unwrap();
        let address = device.upload(&[0; 4]);
        Program { device, add, address }
    }

    fn add_at(&self, stream: usize, address: u64, digit: u32) {
        let mut params = [address.to_le_bytes().to_vec(), digit.to_le_bytes().to_vec()];
        let code = self.device.launch_on(stream, self.add, [1; 3], [1; 3], 0, &mut params);
        assert_eq!(code, 0);
    }

    fn add(&self, stream: usize, digit: u32) {
        self.add_at(stream, self.address, digit);
    }

    fn value(&self) -> u32 {
        let bytes = self.device.download(self.address, 4);
        u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
    }
}

fn synchronize(stream: usize) -> c_int {
    driver!(cuStreamSynchronize(stream => usize))
}

fn record(stream: usize) -> usize {
    let mut event = 0;
    assert_eq!(driver!(cuEventCreate(&mut event => *mut usize, 2 => c_uint)), 0);
    assert_eq!(driver!(cuEventRecord(event => usize, stream => usize)), 0);
    event
}

fn wait(stream: usize, event: usize) {
    let code = driver!(cuStreamWaitEvent(stream => usize, event => usize, 0 => c_uint));
    assert_eq!(code, 0);
}

/// Keeps the thread that runs what nobody waits for from doing so, until the result is dropped: on a busy machine,
/// it could be faster than a test's next line. Its callback is in a stream that no other work waits for, only what
/// waits for everything.
fn hold_thread() -> mpsc::Sender<()> {
    type Gate = (mpsc::Sender<()>, mpsc::Receiver<()>);
    extern "C" fn stay(_: CUstream, _: CUresult, data: *mut c_void) {
        // SAFETY: made below, for this call.
        let gate = unsafe { Box::from_raw(data.cast::<Gate>()) };
        gate.0.send(()).unwrap();
        // An error once the sender is dropped.
        let _ = gate.1.recv();
    }
    let mut stream = 0;
    let non_blocking = 1;
    assert_eq!(driver!(cuStreamCreate(&mut stream => *mut usize, non_blocking => c_uint)), 0);
    let ((arrived, has_arrived), (open, is_open)) = (mpsc::channel(), mpsc::channel());
    let data = Box::into_raw(Box::<Gate>::new((arrived, is_open))).cast();
    let callback: extern "C" fn(CUstream, CUresult, *mut c_void) = stay;
    let code = driver!(cuStreamAddCallback(
        stream => usize,
        callback => extern "C" fn(CUstream, CUresult, *mut c_void),
        data => *mut c_void,
        0 => c_uint,
    ));
    assert_eq!(code, 0);
    assert_eq!(has_arrived.recv_timeout(PATIENCE), Ok(()));
    open
}

/// Streams whose work nothing orders overtake each other, with some seed; those with events never do.
#[test]
fn only_what_is_ordered_stays_in_order() {
    if let Some(texts) = with_seeds("only_what_is_ordered_stays_in_order", 0..8) {
        assert!(texts.iter().all(|text| text.contains("ordered: 1234")), "{texts:?}");
        let first_is_late = |text: &&String| text.contains("unordered: 21");
        let late = texts.iter().filter(first_is_late).count();
        assert!((1..8).contains(&late), "{late} of 8: {texts:?}");
        // The same seed gives the same order.
        let again = with_seeds("only_what_is_ordered_stays_in_order", 0..8).unwrap();
        assert_eq!(again.iter().filter(first_is_late).count(), late);
        return;
    }
    let program = Program::new();
    let _held = hold_thread();
    let (a, b) = (new_stream(), new_stream());
    program.add(a, 1);
    wait(b, record(a));
    program.add(b, 2);
    program.add(b, 3);
    wait(a, record(b));
    program.add(a, 4);
    assert_eq!(synchronize(a), 0);
    println!("ordered: {}", program.value());

    assert_eq!(
        driver!(cuMemsetD32Async(program.address => u64, 0 => c_uint, 1 => usize, a => usize)),
        0
    );
    assert_eq!(synchronize(a), 0);
    program.add(a, 1);
    program.add(b, 2);
    assert_eq!((synchronize(a), synchronize(b)), (0, 0));
    println!("unordered: {}", program.value());
}

/// Work is not done when the call returns; whoever asks again and again sees the end, and so does who only waits for
/// a callback.
#[test]
fn work_is_late_but_not_for_ever() {
    if with_seeds("work_is_late_but_not_for_ever", 0..3).is_some() {
        return;
    }
    let program = Program::new();
    let stream = new_stream();
    let held = hold_thread();
    program.add(stream, 7);
    let event = record(stream);
    assert_eq!(driver!(cuStreamQuery(stream => usize)), NOT_READY);
    // Each question starts something that was put off; on a busy machine, that takes more than one question's time.
    let started = Instant::now();
    while driver!(cuEventQuery(event => usize)) == NOT_READY {
        assert!(started.elapsed() < PATIENCE);
    }
    assert_eq!(program.value(), 7);
    drop(held);

    extern "C" fn tell(_: CUstream, result: CUresult, data: *mut c_void) {
        // SAFETY: the test's sender, which outlives the call.
        let sender = unsafe { &*data.cast::<mpsc::Sender<(CUresult, bool)>>() };
        let own = std::thread::current().name() == Some("ptyx-emulator");
        sender.send((result, own)).unwrap();
    }
    let (sender, receiver) = mpsc::channel::<(CUresult, bool)>();
    program.add(stream, 8);
    let data = (&raw const sender).cast_mut().cast();
    let callback: extern "C" fn(CUstream, CUresult, *mut c_void) = tell;
    let code = driver!(cuStreamAddCallback(
        stream => usize,
        callback => extern "C" fn(CUstream, CUresult, *mut c_void),
        data => *mut c_void,
        0 => c_uint,
    ));
    assert_eq!(code, 0);
    // Without calling the driver.
    assert_eq!(receiver.recv_timeout(PATIENCE), Ok((0, true)));
    // The callback may still be sending; its sender must outlive that.
    assert_eq!(synchronize(stream), 0);
    assert_eq!(program.value(), 78);
}

/// A copy from pageable memory reads it at once, one from pinned memory when its turn comes; one to pageable memory
/// is done when the call returns.
#[test]
fn copies_read_the_host_when_cuda_does() {
    if with_seeds("copies_read_the_host_when_cuda_does", 0..3).is_some() {
        return;
    }
    let program = Program::new();
    let stream = new_stream();
    let upload = |from: *const u32| {
        let (to, from) = (program.address, from.cast::<c_void>());
        let code = driver!(cuMemcpyHtoDAsync_v2(
            to => u64, from => *const c_void, 4 => usize, stream => usize));
        assert_eq!(code, 0);
    };
    let mut pageable = 5u32;
    upload(&raw const pageable);
    // SAFETY: a local variable; the copy has read it.
    unsafe { (&raw mut pageable).write_volatile(6) };
    assert_eq!(synchronize(stream), 0);
    assert_eq!(program.value(), 5);
    let mut pinned = std::ptr::null_mut::<c_void>();
    assert_eq!(
        driver!(cuMemHostAlloc(&mut pinned => *mut *mut c_void, 4 => usize, 0 => c_uint)),
        0
    );
    let pinned = pinned.cast::<u32>();
    // SAFETY: four bytes. The second write is the mistake that a program may make.
    unsafe {
        pinned.write_volatile(8);
        upload(pinned);
        pinned.write_volatile(9);
    }
    assert_eq!(synchronize(stream), 0);
    assert_eq!(program.value(), 9);
    program.add(stream, 1);
    let mut found = 0u32;
    let to = (&raw mut found).cast::<c_void>();
    let code = driver!(cuMemcpyDtoHAsync_v2(
        to => *mut c_void, program.address => u64, 4 => usize, stream => usize));
    assert_eq!((code, found), (0, 91));
}

/// What frees memory at once waits for all work; what frees it in a stream's order does not, and who uses it
/// afterwards in another stream gets a fault.
#[test]
fn memory_is_freed_in_order() {
    if let Some(texts) = with_seeds("memory_is_freed_in_order", 0..6) {
        let faults = texts.iter().filter(|text| text.contains("after the free: 700")).count();
        assert!((1..6).contains(&faults), "{faults} of 6: {texts:?}");
        return;
    }
    let program = Program::new();
    let (a, b) = (new_stream(), new_stream());
    let memory = program.device.upload(&[0; 4]);
    program.add_at(a, memory, 1);
    program.device.free(memory); // waits
    assert_eq!(synchronize(a), 0);
    let held = hold_thread();
    let mut pooled = 0;
    assert_eq!(driver!(cuMemAllocAsync(&mut pooled => *mut u64, 4 => usize, a => usize)), 0);
    assert_eq!(driver!(cuMemFreeAsync(pooled => u64, a => usize)), 0);
    // Nothing orders this before or after the free.
    program.add_at(b, pooled, 1);
    drop(held);
    let code = program.device.synchronize();
    assert!(code == 0 || code == ILLEGAL_ADDRESS, "{code}");
    println!("after the free: {code}");
}

/// Another device's work goes on by itself, and is ordered by events.
#[test]
fn devices_overtake_each_other() {
    if with_seeds("devices_overtake_each_other", 0..4).is_some() {
        return;
    }
    let program = Program::new();
    let stream = new_stream();
    program.add(stream, 3);
    let event = record(stream);
    let second = Device::number(1);
    let other = new_stream();
    let memory = second.upload(&[0; 4]);
    wait(other, event);
    let code = driver!(cuMemcpyDtoDAsync_v2(
        memory => u64, program.address => u64, 4 => usize, other => usize));
    assert_eq!(code, 0);
    assert_eq!(synchronize(other), 0);
    assert_eq!(second.download(memory, 4), 3u32.to_le_bytes());
    Device::number(0);
    assert_eq!(driver!(cuStreamQuery(stream => usize)), 0);
}

/// An event that a graph records is reached when its node's turn has come: not with the launch, and not only with the
/// graph's end. Who waits for it in another stream sees what came before the node.
#[test]
fn events_that_graphs_record_are_late() {
    if with_seeds("events_that_graphs_record_are_late", 0..6).is_some() {
        return;
    }
    let program = Program::new();
    let (stream, other) = (new_stream(), new_stream());
    let (mut event, mut graph, mut exec) = (0, 0, 0);
    assert_eq!(driver!(cuEventCreate(&mut event => *mut usize, 2 => c_uint)), 0);
    // Never recorded: it counts as reached.
    assert_eq!(driver!(cuEventQuery(event => usize)), 0);
    let (relaxed, external) = (2, 1);
    assert_eq!(driver!(cuStreamBeginCapture_v2(stream => usize, relaxed => c_uint)), 0);
    program.add(stream, 1);
    let code = driver!(
        cuEventRecordWithFlags(event => usize, stream => usize, external => c_uint)
    );
    assert_eq!(code, 0);
    assert_eq!(driver!(cuStreamEndCapture(stream => usize, &mut graph => *mut usize)), 0);
    let place = &mut exec;
    let code = driver!(cuGraphInstantiateWithFlags(place => *mut usize, graph => usize, 0 => u64));
    assert_eq!(code, 0);
    for round in 0..4 {
        let cleared = driver!(
            cuMemsetD32Async(program.address => u64, 0 => c_uint, 1 => usize, stream => usize)
        );
        assert_eq!((cleared, synchronize(stream)), (0, 0));
        let held = hold_thread();
        assert_eq!(driver!(cuGraphLaunch(exec => usize, stream => usize)), 0);
        // Nothing has run yet.
        assert_eq!(driver!(cuEventQuery(event => usize)), NOT_READY, "round {round}");
        wait(other, event);
        program.add(other, 2);
        assert_eq!(synchronize(other), 0);
        assert_eq!((program.value(), driver!(cuEventQuery(event => usize))), (12, 0));
        assert_eq!(synchronize(stream), 0);
        // The next launch records it again.
        assert_eq!(driver!(cuGraphLaunch(exec => usize, stream => usize)), 0);
        assert_eq!(driver!(cuEventSynchronize(event => usize)), 0);
        assert_eq!(program.value(), 121);
        drop(held);
    }
}
