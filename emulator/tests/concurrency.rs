//! Several host threads at once, kernels that never end, and what stops them.
//!
//! These are tests of the emulated device alone: a GPU would have to be reset.

mod device;

use device::{Device, child, driver, is_child, new_stream, run_child};
use std::ffi::{c_int, c_uint, c_void};
use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::{Duration, Instant};

const NOT_READY: c_int = 600;
const TIMEOUT: c_int = 702;

const MODULE: &str = r#"
.version 7.0
.target sm_70
.address_size 64
.extern .func (.param .b32 result) vprintf(.param .b64 format, .param .b64 arguments);
.global .align 1 .b8 text[8] = {37, 57, 57, 57, 57, 100, 10, 0};
// Waits until the first number is not 0, then writes 7 to the second.
.visible .entry wait(.param .u64 address)
{
    .reg .pred %p<2>;
    .reg .b32 %r<4>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [address];
WAIT:
    ld.relaxed.gpu.global.u32 %r1, [%rd1];
    setp.eq.u32 %p1, %r1, 0;
    @%p1 bra WAIT;
    mov.u32 %r2, 7;
    st.global.u32 [%rd1+4], %r2;
    ret;
}
.visible .entry set(.param .u64 address)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [address];
    mov.u32 %r1, 1;
    st.relaxed.gpu.global.u32 [%rd1], %r1;
    ret;
}
.visible .entry endless()
{
LOOP:
    bra.uni LOOP;
}
// One block of many waits for ever.
.visible .entry endless_in_one(.param .u32 which)
{
    .reg .pred %p<2>;
    .reg .b32 %r<4>;
    ld.param.u32 %r1, [which];
    mov.u32 %r2, %ctaid.x;
    setp.ne.u32 %p1, %r1, %r2;
    @%p1 bra END;
LOOP:
    bra.uni LOOP;
END:
    ret;
}
.func (.param .b32 out) descend(.param .b32 depth)
{
    .reg .pred %p<2>;
    .reg .b32 %r<8>;
    ld.param.b32 %r1, [depth];
    setp.eq.u32 %p1, %r1, 0;
    @%p1 bra END;
    sub.u32 %r2, %r1, 1;
    {
    .param .b32 a;
    .param .b32 b;
    st.param.b32 [a], %r2;
    call.uni (b), descend, (a);
    ld.param.b32 %r3, [b];
    }
    {
    .param .b32 a;
    .param .b32 b;
    st.param.b32 [a], %r2;
    call.uni (b), descend, (a);
    ld.param.b32 %r4, [b];
    }
END:
    st.param.b32 [out], %r1;
    ret;
}
// Calls itself 2^20 times without any loop.
.visible .entry recursion()
{
    .reg .b32 %r<4>;
    mov.u32 %r1, 20;
    {
    .param .b32 a;
    .param .b32 b;
    st.param.b32 [a], %r1;
    call.uni (b), descend, (a);
    ld.param.b32 %r2, [b];
    }
    ret;
}
// `%9999d`, again and again.
.visible .entry print_for_ever()
{
    .local .align 8 .b8 depot[8];
    .reg .b32 %r<8>;
    .reg .b64 %rd<8>;
    mov.u64 %rd1, depot;
    cvta.local.u64 %rd2, %rd1;
    mov.u64 %rd3, text;
LOOP:
    {
    .param .b64 format;
    .param .b64 arguments;
    .param .b32 result;
    st.param.b64 [format], %rd3;
    st.param.b64 [arguments], %rd2;
    call.uni (result), vprintf, (format, arguments);
    ld.param.b32 %r3, [result];
    }
    bra.uni LOOP;
}
"#;

fn launch(device: &Device, stream: usize, function: usize, address: u64) -> c_int {
    let mut params = [address.to_le_bytes().to_vec()];
    device.launch_on(stream, function, [1, 1, 1], [1, 1, 1], 0, &mut params)
}

fn free_async(address: u64, stream: usize) -> c_int {
    driver!(cuMemFreeAsync(address => u64, stream => usize))
}

/// While one thread's kernel waits for a flag, another thread does everything else, and then sets it.
#[test]
fn other_host_threads_go_on_while_a_kernel_runs() {
    let device = Device::new();
    let module = device.load(MODULE).unwrap();
    let function = |name| device.function(module, name).unwrap();
    let (wait, set) = (function("wait"), function("set"));
    for by_copy in [false, true] {
        let flags = device.upload(&[0; 8]);
        let (busy, other) = (new_stream(), new_stream());
        let mut event = 0usize;
        assert_eq!(driver!(cuEventCreate(&mut event => *mut usize, 0 => c_uint)), 0);
        std::thread::scope(|scope| {
            let spinning = scope.spawn(|| {
                let device = Device::new();
                assert_eq!(launch(&device, busy, wait, flags), 0);
            });
            while driver!(cuStreamQuery(busy => usize)) != NOT_READY {
                std::thread::yield_now();
            }
            // Events and other streams behind the kernel are as busy as it is, and nobody waits here.
            assert_eq!(driver!(cuEventRecord(event => usize, busy => usize)), 0);
            assert_eq!(driver!(cuEventQuery(event => usize)), NOT_READY);
            let third = new_stream();
            assert_eq!(driver!(cuStreamWaitEvent(third => usize, event => usize, 0 => c_uint)), 0);
            assert_eq!(driver!(cuStreamQuery(third => usize)), NOT_READY);
            assert_eq!(driver!(cuStreamQuery(other => usize)), 0);
            assert_eq!(driver!(cuStreamSynchronize(other => usize)), 0);
            // Memory comes and goes, modules, too; the default stream is not the busy one.
            let module = device.load(MODULE).unwrap();
            let memory = device.upload(&[1, 2, 3, 4, 0, 0, 0, 0]);
            let own = device.function(module, "wait").unwrap();
            assert_eq!(launch(&device, other, own, memory), 0);
            assert_eq!(device.download(memory, 8), [1, 2, 3, 4, 7, 0, 0, 0]);
            device.free(memory);
            let mut pooled = 0u64;
            let code = driver!(cuMemAllocAsync(
                &mut pooled => *mut u64, 100 => usize, other => usize
            ));
            assert_eq!(code, 0);
            assert_eq!(free_async(pooled, other), 0);
            assert_eq!(driver!(cuModuleUnload(module => usize)), 0);
            assert_eq!(driver!(cuStreamQuery(busy => usize)), NOT_READY);
            if by_copy {
                let one = [1u8, 0, 0, 0];
                let code = driver!(cuMemcpyHtoDAsync_v2(
                    flags => u64, one.as_ptr().cast() => *const c_void, 4 => usize, other => usize
                ));
                assert_eq!(code, 0);
            } else {
                assert_eq!(launch(&device, other, set, flags), 0);
            }
            assert_eq!(driver!(cuEventSynchronize(event => usize)), 0);
            assert_eq!(driver!(cuStreamQuery(third => usize)), 0);
            assert_eq!(device.download(flags, 8), [1, 0, 0, 0, 7, 0, 0, 0]);
            spinning.join().unwrap();
        });
        device.free(flags);
    }
}

/// Work on the stream of a kernel that another thread launched comes after it.
#[test]
fn a_stream_keeps_its_order_whoever_uses_it() {
    let device = Device::new();
    let module = device.load(MODULE).unwrap();
    let function = |name| device.function(module, name).unwrap();
    let (wait, set) = (function("wait"), function("set"));
    let flags = device.upload(&[0; 8]);
    let (busy, other) = (new_stream(), new_stream());
    std::thread::scope(|scope| {
        scope.spawn(|| assert_eq!(launch(&Device::new(), busy, wait, flags), 0));
        while driver!(cuStreamQuery(busy => usize)) != NOT_READY {
            std::thread::yield_now();
        }
        let reader = scope.spawn(|| {
            Device::new();
            let mut read = [0u8; 8];
            let to = read.as_mut_ptr().cast();
            let code = driver!(cuMemcpyDtoHAsync_v2(
                to => *mut c_void, flags => u64, 8 => usize, busy => usize
            ));
            assert_eq!((code, driver!(cuStreamSynchronize(busy => usize))), (0, 0));
            read
        });
        std::thread::sleep(Duration::from_millis(20));
        assert_eq!(launch(&device, other, set, flags), 0);
        assert_eq!(reader.join().unwrap(), [1, 0, 0, 0, 7, 0, 0, 0]);
    });
    assert_eq!(free_async(flags, busy), 0);
    assert_eq!(driver!(cuStreamSynchronize(busy => usize)), 0);
}

/// Memory that a running kernel uses can be freed by another thread without harm to the process.
#[test]
fn memory_freed_under_a_running_kernel_does_no_harm() {
    if !is_child() {
        let test = "memory_freed_under_a_running_kernel_does_no_harm";
        run_child(test, &[("PTYX_EMULATOR_STEPS", "5000000")]);
        return;
    }
    let device = Device::new();
    let module = device.load(MODULE).unwrap();
    let wait = device.function(module, "wait").unwrap();
    let flags = device.upload(&vec![0; 1 << 20]);
    let mut host = std::ptr::null_mut::<c_void>();
    let size = 1usize << 20;
    assert_eq!(driver!(cuMemAllocHost_v2(&mut host => *mut *mut c_void, size => usize)), 0);
    let mut mapped = 0u64;
    let code = driver!(cuMemHostGetDevicePointer_v2(
        &mut mapped => *mut u64, host => *mut c_void, 0 => c_uint
    ));
    assert_eq!(code, 0);
    let (first, second) = (new_stream(), new_stream());
    std::thread::scope(|scope| {
        for (stream, address) in [(first, flags), (second, mapped)] {
            scope.spawn(move || {
                assert_eq!(launch(&Device::new(), stream, wait, address), 0);
            });
        }
        for stream in [first, second] {
            while driver!(cuStreamQuery(stream => usize)) != NOT_READY {
                std::thread::yield_now();
            }
        }
        device.free(flags);
        assert_eq!(driver!(cuMemFreeHost(host => *mut c_void)), 0);
        assert_eq!(driver!(cuModuleUnload(module => usize)), 0);
    });
    // Whether a kernel still saw the memory, or that it was gone, depends on when it looked.
    for stream in [first, second] {
        let code = driver!(cuStreamSynchronize(stream => usize));
        assert!([TIMEOUT, 700].contains(&code), "{code}");
    }
}

/// Each thread is told of its own kernel's fault, once, with its report.
#[test]
fn a_fault_comes_to_whoever_waits_for_it() {
    let device = Device::new();
    let module = device.load(MODULE).unwrap();
    let set = device.function(module, "set").unwrap();
    std::thread::scope(|scope| {
        for number in 0..8u64 {
            scope.spawn(move || {
                let device = Device::new();
                let stream = new_stream();
                let good = device.upload(&[0; 4]);
                for round in 0..50 {
                    // An address that tells threads and rounds apart.
                    let bad = 0x100_0000 * (number + 1) + 4 * round;
                    let fails = (number + round).is_multiple_of(2);
                    assert_eq!(launch(&device, stream, set, if fails { bad } else { good }), 0);
                    let code = driver!(cuStreamSynchronize(stream => usize));
                    assert_eq!(code, if fails { 700 } else { 0 });
                    if fails {
                        let report = ptyx_emulator::driver::take_fault().unwrap();
                        assert!(report.contains(&format!("address {bad:#x}:")), "{report}");
                    }
                    assert_eq!(driver!(cuStreamSynchronize(stream => usize)), 0);
                }
            });
        }
    });
}

/// A fault goes with events, to streams that wait for them.
#[test]
fn a_fault_follows_the_order_of_work() {
    let device = Device::new();
    let module = device.load(MODULE).unwrap();
    let set = device.function(module, "set").unwrap();
    let (first, second, third) = (new_stream(), new_stream(), new_stream());
    let mut event = 0usize;
    assert_eq!(driver!(cuEventCreate(&mut event => *mut usize, 2 => c_uint)), 0);
    for ask in 0..3 {
        assert_eq!(launch(&device, first, set, 0x200_0000), 0);
        assert_eq!(driver!(cuEventRecord(event => usize, first => usize)), 0);
        assert_eq!(driver!(cuStreamWaitEvent(second => usize, event => usize, 0 => c_uint)), 0);
        assert_eq!(driver!(cuStreamSynchronize(third => usize)), 0);
        let code = match ask {
            0 => driver!(cuStreamSynchronize(second => usize)),
            1 => driver!(cuEventSynchronize(event => usize)),
            _ => driver!(cuStreamQuery(first => usize)),
        };
        assert_eq!(code, 700);
        if ask == 2 {
            // Who asks is told, and leaves it to who waits.
            assert_eq!(driver!(cuEventQuery(event => usize)), 700);
            assert_eq!(driver!(cuStreamSynchronize(first => usize)), 700);
        }
        for stream in [first, second, third] {
            assert_eq!(driver!(cuStreamSynchronize(stream => usize)), 0);
        }
        assert_eq!(driver!(cuEventSynchronize(event => usize)), 0);
    }
}

/// What a kernel of `MODULE` ends with, in a process with these settings.
fn ended(test: &str, kernel: &str, variables: &[(&str, &str)]) -> Option<String> {
    if !is_child() {
        return Some(run_child(test, variables));
    }
    let device = Device::new();
    let module = device.load(MODULE).unwrap();
    let function = device.function(module, kernel).unwrap();
    let mut which = [3u32.to_le_bytes().to_vec()];
    assert_eq!(device.launch(function, [40, 1, 1], [64, 1, 1], 0, &mut which), 0);
    let code = device.synchronize();
    let report = ptyx_emulator::driver::take_fault().unwrap_or_default();
    println!("\ncode {code}\n{report}");
    None
}

/// Many blocks that never end take the time of a few, and the report is always the same.
#[test]
fn endless_blocks_side_by_side_are_found_out() {
    let test = "endless_blocks_side_by_side_are_found_out";
    for threads in ["1", "3"] {
        let limit = "5000000";
        let variables = [("PTYX_EMULATOR_STEPS", limit), ("PTYX_EMULATOR_THREADS", threads)];
        let Some(text) = ended(test, "endless", &variables) else { return };
        assert!(text.contains("code 702"), "{text}");
        let what = format!("a block's warps ran more than {limit} instructions and did not end");
        for part in [&*what, "PTYX_EMULATOR_STEPS", "`unlimited`", "bra.uni LOOP"] {
            assert!(text.contains(part), "{text}");
        }
        assert!(text.contains("kernel `endless`, block (0, 0, 0), thread (0, 0, 0)"), "{text}");
    }
}

#[test]
fn one_endless_block_of_many_is_found_out() {
    let test = "one_endless_block_of_many_is_found_out";
    let Some(text) = ended(test, "endless_in_one", &[("PTYX_EMULATOR_STEPS", "5000000")]) else {
        return;
    };
    assert!(text.contains("code 702") && text.contains("block (3, 0, 0)"), "{text}");
}

#[test]
fn calls_count_as_well_as_loops() {
    let test = "calls_count_as_well_as_loops";
    let Some(text) = ended(test, "recursion", &[("PTYX_EMULATOR_STEPS", "100000")]) else { return };
    assert!(text.contains("code 702") && text.contains("in function `descend`"), "{text}");
}

#[test]
fn an_endless_print_does_not_take_all_memory() {
    let test = "an_endless_print_does_not_take_all_memory";
    let Some(text) = ended(test, "print_for_ever", &[]) else { return };
    let (_, end) = text.split_at(text.len() - 1000);
    assert!(end.contains("code 719"), "{end}");
    assert!(end.contains("printed more than 64 MiB"), "{end}");
}

/// Ctrl-C ends a process whose kernel runs.
#[test]
fn an_interrupt_ends_an_endless_kernel() {
    unsafe extern "C" {
        fn kill(process: c_int, signal: c_int) -> c_int;
        fn signal(signal: c_int, handler: usize) -> usize;
    }
    const SIGINT: c_int = 2;
    const SIG_DFL: usize = 0;
    if is_child() {
        // A shell lets what it starts in the background ignore this signal.
        // SAFETY: the handler is none of this program's code.
        unsafe { signal(SIGINT, SIG_DFL) };
        let device = Device::new();
        let module = device.load(MODULE).unwrap();
        let function = device.function(module, "endless").unwrap();
        println!("\nready");
        device.launch(function, [300, 1, 1], [64, 1, 1], 0, &mut []);
        return;
    }
    let test = "an_interrupt_ends_an_endless_kernel";
    let variables = [("PTYX_EMULATOR_STEPS", "unlimited"), ("PTYX_EMULATOR_THREADS", "2")];
    let mut child = child(test, &variables).stdout(Stdio::piped()).spawn().unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    assert!(output.lines().any(|line| line.is_ok_and(|line| line == "ready")));
    std::thread::sleep(Duration::from_millis(50));
    assert!(child.try_wait().unwrap().is_none(), "the kernel ended");
    // SAFETY: the process is our child and was not waited for.
    assert_eq!(unsafe { kill(child.id() as c_int, SIGINT) }, 0);
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > Duration::from_secs(10) {
            child.kill().unwrap();
            panic!("an interrupt does not end the process");
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(SIGINT));
}
