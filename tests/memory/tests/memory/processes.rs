//! Memory and events that two processes share: each test starts its own program again, as the other process.

use ptyx::prelude::*;
use ptyx::{
    Error, EventHandle, EventOptions, GrowableBuffer, ImportedPool, MemoryHandle, MemoryLimit,
    MemoryPool, PoolHandle, SharedPart,
};
use ptyx_memory_tests::rng;
use std::os::fd::AsFd;
use std::process::{Command, Stdio};

/// Has the handles and the length, in the other process.
const VARIABLE: &str = "PTYX_TEST_OTHER_PROCESS";

#[kernel]
fn triple(mut numbers: Disjoint<u32>) {
    for i in thread::grid_stride(numbers.len()) {
        numbers[i] = numbers[i].wrapping_mul(3);
    }
}

fn to_text(bytes: [u8; 64]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_text(text: &str) -> [u8; 64] {
    core::array::from_fn(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap())
}

/// In the other process, what it was given.
fn given() -> Option<Vec<String>> {
    Some(std::env::var(VARIABLE).ok()?.split(',').map(str::to_owned).collect())
}

/// Runs a test in another process, and waits for its success.
fn run_other(test: &str, input: Stdio, parts: &[String]) {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env(VARIABLE, parts.join(","))
        .stdin(input)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("1 passed"), "{text}{}", String::from_utf8_lossy(&output.stderr));
}

fn code_of<T: core::fmt::Debug>(result: ptyx::Result<T>) -> String {
    match result {
        Err(Error::Driver { name, .. }) => name,
        other => panic!("{other:?}"),
    }
}

#[test]
fn another_process_uses_memory_and_an_event() -> ptyx::Result<()> {
    let test = "processes::another_process_uses_memory_and_an_event";
    let stream = Stream::new()?;
    if let Some(given) = given() {
        let (memory, event) = (from_text(&given[0]), from_text(&given[1]));
        let (memory, event) = (MemoryHandle::from_bytes(memory), EventHandle::from_bytes(event));
        let len = given[2].parse().unwrap();
        // SAFETY: the other process waits for this one, which has two buffers, of which it uses one at a time.
        let open = |len| unsafe { DeviceBuffer::<u32>::open_on(&memory, len, &stream) };
        let mut buffer = open(len)?;
        let second = open(1)?;
        let too_long = open(len + 1);
        assert!(matches!(too_long, Err(Error::Length { .. })), "{too_long:?}");
        drop(second);
        let event = Event::open(&event)?;
        stream.wait(&event)?;
        launch!(triple<<<4, 64, 0, &stream>>>(&mut buffer))?;
        event.record(&stream)?;
        return Ok(());
    }
    let mut rng = rng();
    let len = 100 + rng.below(5000);
    let numbers = rng.vec(len, |rng| rng.next_u32());
    let mut buffer = DeviceBuffer::<u32>::zeroed_shareable(len)?;
    let (memory, event) = (buffer.share()?, Event::with(&EventOptions::new().interprocess(true))?);
    let staged = DeviceBuffer::from_slice(&numbers)?;
    buffer.copy_from_buffer_on(&staged, &stream)?;
    event.record(&stream)?;
    let handles = [to_text(memory.to_bytes()), to_text(event.share()?.to_bytes())];
    run_other(test, Stdio::null(), &[handles[0].clone(), handles[1].clone(), len.to_string()]);
    event.synchronize()?;
    let expected: Vec<u32> = numbers.iter().map(|number| number.wrapping_mul(3)).collect();
    assert_eq!(buffer.to_vec()?, expected);

    // What can't be shared, and what can't be opened.
    let own = DeviceBuffer::<u32>::zeroed(10)?;
    assert!(matches!(own.share(), Err(Error::NotShareable)), "{:?}", own.share());
    assert!(matches!(Event::new()?.share(), Err(Error::NotShareable)));
    // SAFETY: nothing is opened.
    let opened = unsafe { DeviceBuffer::<u32>::open_on(&memory, len, &stream) };
    assert_eq!(code_of(opened), "CUDA_ERROR_INVALID_CONTEXT");
    Ok(())
}

/// A handle of nothing, and that of a process that has ended.
#[test]
fn handles_that_lead_nowhere() -> ptyx::Result<()> {
    let test = "processes::handles_that_lead_nowhere";
    if given().is_some() {
        let buffer = DeviceBuffer::<u32>::zeroed_shareable(10)?;
        let handle = to_text(buffer.share()?.to_bytes());
        std::fs::write(&given().unwrap()[0], handle).unwrap();
        return Ok(());
    }
    let stream = Stream::new()?;
    let file = std::env::temp_dir().join(format!("ptyx-test-handle-{}", std::process::id()));
    run_other(test, Stdio::null(), &[file.to_str().unwrap().to_owned()]);
    let old = from_text(&std::fs::read_to_string(&file).unwrap());
    let _ = std::fs::remove_file(&file);
    for bytes in [[0; 64], [0xff; 64], old] {
        let handle = MemoryHandle::from_bytes(bytes);
        // SAFETY: nothing is opened.
        let opened = unsafe { DeviceBuffer::<u32>::open_on(&handle, 10, &stream) };
        assert!(matches!(opened, Err(Error::Driver { .. })), "{opened:?}");
    }
    if Device::current()?.is_emulated() {
        assert!(Event::open(&EventHandle::from_bytes([1; 64])).is_err());
    }
    Ok(())
}

#[test]
fn another_process_uses_memory_of_a_pool() -> ptyx::Result<()> {
    let test = "processes::another_process_uses_memory_of_a_pool";
    let (device, stream) = (Device::current()?, Stream::new()?);
    if let Some(given) = given() {
        // The file descriptor is this process's input.
        let pool = ImportedPool::import(std::io::stdin(), &device)?;
        let len = given[1].parse().unwrap();
        let handle = PoolHandle::from_bytes(from_text(&given[0]));
        // SAFETY: the other process waits for this one.
        let mut buffer = unsafe { DeviceBuffer::<u32>::open_in(&pool, &handle, len, &stream)? };
        // The buffer keeps it.
        drop(pool);
        launch!(triple<<<4, 64, 0, &stream>>>(&mut buffer))?;
        return Ok(());
    }
    let mut rng = rng();
    let len = 100 + rng.below(5000);
    let numbers = rng.vec(len, |rng| rng.next_u32());
    let pool = MemoryPool::shareable(&device, MemoryLimit::None)?;
    let _first = DeviceBuffer::<u32>::zeroed_in(77, &pool, &stream)?;
    let mut buffer = DeviceBuffer::<u32>::zeroed_in(len, &pool, &stream)?;
    buffer.copy_from_slice(&numbers)?;
    let handle = to_text(buffer.share_in_pool()?.to_bytes());
    run_other(test, pool.export()?.into(), &[handle, len.to_string()]);
    let expected: Vec<u32> = numbers.iter().map(|number| number.wrapping_mul(3)).collect();
    assert_eq!(buffer.to_vec()?, expected);

    // Other pools can't be exported, nor their buffers.
    let own = MemoryPool::new(&device, MemoryLimit::None)?;
    assert_eq!(code_of(own.export()), "CUDA_ERROR_INVALID_VALUE");
    let inside = DeviceBuffer::<u32>::zeroed_in(10, &own, &stream)?;
    assert_eq!(code_of(inside.share_in_pool()), "CUDA_ERROR_INVALID_VALUE");
    Ok(())
}

/// Another process maps the memory of a growable buffer, by a file that is its input.
#[test]
fn another_process_maps_a_growable_buffer() -> ptyx::Result<()> {
    let test = "processes::another_process_maps_a_growable_buffer";
    if let Some(given) = given() {
        let [bytes, len] = [0, 1].map(|at| given[at].parse().unwrap());
        let file = std::io::stdin().as_fd().try_clone_to_owned().unwrap();
        // SAFETY: the other process waits for this one.
        let mut buffer =
            unsafe { GrowableBuffer::<u32>::import(&[SharedPart { file, bytes }], len)? };
        assert!(4 * buffer.mapped() == bytes && buffer.reserve(bytes).is_err());
        launch!(triple<<<4, 64>>>(&mut *buffer))?;
        return ptyx::synchronize();
    }
    let mut rng = rng();
    let len = 100 + rng.below(5000);
    let numbers = rng.vec(len, |rng| rng.next_u32());
    let mut buffer = match GrowableBuffer::<u32>::shareable(1 << 24) {
        Err(Error::NoVirtualMemory { .. }) => return Ok(()),
        buffer => buffer?,
    };
    buffer.extend_from_slice(&numbers)?;
    let [SharedPart { file, bytes }] = <[_; 1]>::try_from(buffer.export()?).unwrap();
    // SAFETY: nothing is opened.
    let too_long = unsafe { GrowableBuffer::<u32>::import(&buffer.export()?, bytes) };
    assert!(matches!(too_long, Err(Error::Length { .. })));
    run_other(test, file.into(), &[bytes.to_string(), len.to_string()]);
    let expected: Vec<u32> = numbers.iter().map(|number| number.wrapping_mul(3)).collect();
    assert_eq!(buffer.to_vec()?, expected);
    // A second mapping of this process, of several parts, which outlives the buffer.
    buffer.resize(buffer.mapped() + 5, 7)?;
    let parts = buffer.export()?;
    assert!(parts.len() > 1);
    // SAFETY: the buffer is dropped first.
    let second = unsafe { GrowableBuffer::<u32>::import(&parts, len + 5) }?;
    drop((buffer, parts));
    assert_eq!(second.to_vec()?, [&expected[..], &[7; 5]].concat());
    Ok(())
}
