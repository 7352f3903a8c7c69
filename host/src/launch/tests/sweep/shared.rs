//! Scenarios in which each driver call fails: memory and events of another process, and arrays of other crates.

use super::super::*;
use super::Scenario;
use crate::{Device, Event, EventHandle, EventOptions, ImportedPool, MemoryHandle};
use crate::{MemoryLimit, MemoryPool};
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// Set in the process that shares its memory.
const VARIABLE: &str = "PTYX_TEST_SHARES";

fn to_text(bytes: [u8; 64]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_text(text: &str) -> [u8; 64] {
    core::array::from_fn(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap())
}

/// Not a test: the process that shares memory and an event until its stdin is closed.
#[test]
fn shares_its_memory() {
    if std::env::var_os(VARIABLE).is_none() {
        return;
    }
    let mut buffer = DeviceBuffer::<u32>::zeroed_shareable(100).unwrap();
    buffer.fill(7).unwrap();
    let event = Event::with(&EventOptions::new().interprocess(true)).unwrap();
    event.record(&Stream::default().unwrap()).unwrap();
    let handles = [buffer.share().unwrap().to_bytes(), event.share().unwrap().to_bytes()];
    // In a line of its own.
    println!("\nSHARED {} {}", to_text(handles[0]), to_text(handles[1]));
    let _ = std::io::stdin().read(&mut [0]);
}

/// What the other process shares, which is started once and ends with this one.
fn shared() -> &'static (MemoryHandle, EventHandle) {
    static SHARED: OnceLock<(MemoryHandle, EventHandle)> = OnceLock::new();
    SHARED.get_or_init(|| {
        let mut other = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "launch::tests::sweep::shared::shares_its_memory", "--nocapture"])
            .env(VARIABLE, "1")
            .env_remove("PTYX_EMULATOR_FAIL")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(other.stdout.take().unwrap()).lines();
        let found = lines.map_while(Result::ok).find(|line| line.starts_with("SHARED"));
        let found = found.expect("the other process shares nothing");
        let [_, memory, event] = found.split(' ').collect::<Vec<_>>()[..] else { panic!() };
        // Its stdin stays open as long as this process lives.
        Box::leak(Box::new(other));
        let memory = MemoryHandle::from_bytes(from_text(memory));
        (memory, EventHandle::from_bytes(from_text(event)))
    })
}

pub(super) const SCENARIOS: &[Scenario] = &[
    ("memory and events of another process", || {
        let ((memory, event), stream) = (shared(), Stream::new()?);
        let event = Event::open(event)?;
        stream.wait(&event)?;
        // SAFETY: the other process does not use its memory meanwhile, and lives longer.
        let theirs = unsafe { DeviceBuffer::<u32>::open_on(memory, 100, &stream) }?;
        let mut own = DeviceBuffer::<u32>::zeroed(100)?;
        own.copy_from_buffer_on(&theirs, &stream)?;
        drop(theirs);
        assert_eq!(own.to_vec()?, [7; 100]);
        Ok(())
    }),
    ("memory and events for other processes", || {
        let (mut buffer, stream) = (DeviceBuffer::<u32>::zeroed_shareable(100)?, Stream::new()?);
        let event = Event::with(&EventOptions::new().interprocess(true))?;
        buffer.fill_on(5, &stream)?;
        event.record(&stream)?;
        buffer.share()?;
        event.share()?;
        assert_eq!(buffer.to_vec()?, [5; 100]);
        Ok(())
    }),
    ("pools of other processes", || {
        let (device, stream) = (Device::current()?, Stream::new()?);
        let pool = MemoryPool::shareable(&device, MemoryLimit::None)?;
        let mut buffer = DeviceBuffer::<u32>::zeroed_in(100, &pool, &stream)?;
        buffer.fill_on(6, &stream)?;
        drop(pool.export()?);
        buffer.share_in_pool()?;
        let imported = ImportedPool::import(pool.export()?, &device)?;
        assert_eq!(imported.device_index(), device.index());
        drop((pool, imported));
        assert_eq!(buffer.to_vec()?, [6; 100]);
        Ok(())
    }),
    #[cfg(feature = "ndarray")]
    ("arrays of ndarray", || {
        use crate::PitchedBuffer;
        let array =
            ndarray::Array2::from_shape_fn((5, 7), |(row, column)| (10 * row + column) as u32);
        let stream = Stream::new()?;
        // Its rows are not in order.
        let mut buffer = DeviceBuffer::from_array_on(&array.t(), &stream)?;
        assert_eq!(buffer.view([7, 5]).to_array()?, array.t());
        buffer.copy_from_array(&array)?;
        assert_eq!(buffer.view([5, 7]).to_array()?, array);
        let pitched = PitchedBuffer::from_slice(&buffer.to_vec()?, [5, 7])?;
        assert_eq!(pitched.to_vec()?, array.into_raw_vec_and_offset().0);
        Ok(())
    }),
    ("memory of captures", || {
        let (stream, side) = (Stream::new()?, Stream::new()?);
        let mut out = DeviceBuffer::<u32>::zeroed(100)?;
        let (fork, mut kept) = (Event::new()?, None);
        let graph = stream.capture(|stream| {
            fork.record(stream)?;
            side.wait(&fork)?;
            let scratch = DeviceBuffer::filled_on(100, 3u32, stream)?;
            out.slice_mut(..50).copy_from_buffer_on(scratch.slice(..50), &side)?;
            out.slice_mut(50..).copy_from_buffer_on(scratch.slice(50..), stream)?;
            drop(scratch);
            kept = Some(DeviceBuffer::filled_on(10, 4u32, stream)?);
            Ok(())
        })?;
        let exec = graph.instantiate()?;
        exec.launch(&stream)?;
        exec.launch(&side)?;
        assert_eq!(out.to_vec()?, [3; 100]);
        drop((exec, graph, kept));
        Ok(())
    }),
];
