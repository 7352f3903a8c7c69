//! The other scenarios in which each driver call fails: host functions and times, launches of all kinds, what belongs to
//! other libraries, settings and reports.

use super::super::super::prepare3;
use super::super::*;
use super::Scenario;
use crate::device::texture::D2;
use crate::{
    CachePreference, Device, DeviceFlags, Event, EventOptions, ExternalMemory, ExternalSemaphore,
    Finished, Graph, Limit, SemaphoreKind, Texture,
};
use core::future::Future;
use core::pin::Pin;
use core::sync::atomic::{AtomicU32, Ordering};
use core::task::{Context, Poll, Waker};
use std::fs::File;
use std::sync::Arc;

/// The simplest executor.
fn block_on(mut work: Finished) -> crate::Result<()> {
    let mut context = Context::from_waker(Waker::noop());
    loop {
        match Future::poll(Pin::new(&mut work), &mut context) {
            Poll::Ready(result) => return result,
            Poll::Pending => std::thread::yield_now(),
        }
    }
}

/// A file of zeros that is gone when it is closed: what other libraries export, as the emulated device has it.
fn exported(bytes: u64) -> File {
    let path = std::env::temp_dir().join(format!("ptyx-sweep-{}", std::process::id()));
    let file = File::options().read(true).write(true).create_new(true).open(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    file.set_len(bytes).unwrap();
    file
}

pub(super) const SCENARIOS: &[Scenario] = &[
    ("host functions and futures", || {
        let stream = Stream::new()?;
        let mut buffer = DeviceBuffer::<u32>::zeroed(100)?;
        buffer.fill_on(7, &stream)?;
        let calls = Arc::new(AtomicU32::new(0));
        let [first, second] = [calls.clone(), calls.clone()];
        stream.on_host(move || {
            first.fetch_add(1, Ordering::Relaxed);
        })?;
        stream.on_done(move |result| {
            second.fetch_add(if result.is_ok() { 10 } else { 100 }, Ordering::Relaxed);
        })?;
        block_on(stream.finished())?;
        let event = Event::new()?;
        event.record(&stream)?;
        block_on(event.finished())?;
        assert_eq!((calls.load(Ordering::Relaxed), buffer.to_vec()?), (11, vec![7; 100]));
        stream.on_host(move || drop(buffer))?;
        stream.synchronize()
    }),
    ("times", || {
        let stream = Stream::new()?;
        let [start, end] = [Event::new()?, Event::with(&EventOptions::new())?];
        let mut buffer = DeviceBuffer::<u32>::zeroed(100)?;
        start.record(&stream)?;
        buffer.fill_on(7, &stream)?;
        end.record(&stream)?;
        end.synchronize()?;
        let elapsed = Event::elapsed(&start, &end)?;
        assert!(end.is_done()? && elapsed.as_secs() < 60, "{elapsed:?}");
        let (numbers, _) = Event::time(|| buffer.to_vec())?;
        assert_eq!(numbers, [7; 100]);
        Ok(())
    }),
    ("cooperative launches and clusters", || {
        let x = DeviceBuffer::filled(32, 1.0f32)?;
        let mut y = DeviceBuffer::filled(32, 2.0f32)?;
        let config = || LaunchConfig::new().blocks(2).threads(16);
        run_saxpy(config().cooperative(), 3.0, &x, &mut y)?;
        run_saxpy(config().cluster(2), 5.0, &x, &mut y)?;
        assert_eq!(y.to_vec()?, [10.0; 32]);
        Ok(())
    }),
    ("prepared kernels", || {
        kernels();
        let x = DeviceBuffer::filled(32, 1.0f32)?;
        let mut y = DeviceBuffer::filled(32, 2.0f32)?;
        let config = || LaunchConfig::new().threads(32);
        let prepared = prepare3(Here, saxpy, config(), 0.0f32, &x, &mut y)?;
        assert!(prepared.active_blocks(32, 0)? > 0 && prepared.available_shared(2, 32)? > 0);
        assert!(prepared.occupancy(|_| 0, Some(64))?.threads <= 64);
        prepared.set_shared_carveout(Some(50))?;
        prepared.set_shared_carveout(None)?;
        prepared.set_cache_preference(CachePreference::None)?;
        prepared.launch(config(), (2.0f32, &x, &mut y))?;
        prepared.clone().launch(config(), (3.0f32, &x, &mut y))?;
        assert_eq!(y.to_vec()?, [7.0; 32]);
        let bound = prepared.bind(config(), (1.0f32, &x, &mut y))?;
        bound.launch()?;
        bound.launch()?;
        drop(bound);
        assert_eq!(y.to_vec()?, [9.0; 32]);
        Ok(())
    }),
    ("graphs in graphs, and nodes that are switched off", || {
        let stream = Stream::new()?;
        let (mut a, mut b) = (DeviceBuffer::<u32>::zeroed(10)?, DeviceBuffer::<u32>::zeroed(10)?);
        let mut graph = Graph::new()?;
        let child = stream.capture(|s| a.fill_on(1, s))?;
        let filled = graph.add(&child, &[])?;
        drop(child);
        let copied = graph.add_node(&[filled], |s| b.copy_from_buffer_on(&a, s))?;
        let spoiled = graph.add_node(&[copied], |s| b.fill_on(9, s))?;
        graph.add_empty(&[spoiled])?;
        let copy = graph.try_clone()?;
        assert_eq!((copy.nodes()?.len(), copy.edges()?.len()), (4, 3));
        let mut exec = graph.instantiate()?;
        exec.set_enabled(spoiled, false)?;
        assert!(!exec.is_enabled(spoiled)?);
        exec.upload(&stream)?;
        exec.launch(&stream)?;
        assert_eq!(b.to_vec()?, [1; 10]);
        exec.set_enabled(spoiled, true)?;
        exec.launch(&stream)?;
        assert_eq!(b.to_vec()?, [9; 10]);
        Ok(())
    }),
    ("copies with progress", || {
        // Two steps.
        let host = vec![5u8; (16 << 20) + 1];
        let mut buffer = DeviceBuffer::<u8>::zeroed(host.len())?;
        let (mut there, mut back) = (0, 0);
        buffer.as_slice_mut().copy_from_slice_with_progress(&host, |done| there += done)?;
        let mut copy = vec![0u8; host.len()];
        buffer.as_slice().copy_to_slice_with_progress(&mut copy, |done| back += done)?;
        assert_eq!((there, back), ((32 << 20) + 1, (32 << 20) + 1));
        assert!(copy == host);
        Ok(())
    }),
    ("memory and semaphores of other libraries", || {
        let (device, stream) = (Device::current()?, Stream::new()?);
        // SAFETY: files of these sizes, which nobody else uses.
        let (memory, semaphore) = unsafe {
            let memory = ExternalMemory::import(exported(8192).into(), 8192, false, &device)?;
            let kind = SemaphoreKind::Timeline;
            (memory, ExternalSemaphore::import(exported(8).into(), kind, &device)?)
        };
        // SAFETY: nothing else uses that memory.
        let (mut buffer, array) = unsafe {
            let buffer = memory.buffer_on::<u32>(0, 100, &stream)?;
            (buffer, memory.array::<f32, D2>(4096, [8, 8], 1)?)
        };
        drop(memory);
        stream.signal_semaphore(&semaphore, 3)?;
        stream.wait_semaphore(&semaphore, 3)?;
        buffer.fill_on(7, &stream)?;
        drop(Texture::<f32>::new(&array)?);
        assert_eq!((buffer.to_vec()?, array.to_vec()?), (vec![7; 100], vec![0.0; 64]));
        Ok(())
    }),
    #[cfg(feature = "dlpack")]
    ("tensors of other libraries", || {
        let stream = Stream::new()?;
        let tensor = DeviceBuffer::filled(6, 0.5f32)?.into_dlpack_on(&[2, 3], &stream)?;
        // SAFETY: it is ready in the order of the stream, and nobody else uses it.
        let (buffer, shape) = unsafe { DeviceBuffer::<f32>::from_dlpack_on(tensor, &stream)? };
        assert_eq!((buffer.to_vec()?, &shape[..]), (vec![0.5; 6], &[2, 3][..]));
        Ok(())
    }),
    ("settings of a device", || {
        let device = Device::current()?;
        device.set_stack_limit(device.stack_limit()?)?;
        device.set_limit(Limit::PersistingL2Cache, device.limit(Limit::PersistingL2Cache)?)?;
        assert!(device.heap_limit()? > 0 && device.print_buffer()? > 0);
        let flags: DeviceFlags = device.flags()?;
        device.set_flags(&flags)?;
        assert_eq!(device.flags()?, flags);
        let preference = device.cache_preference()?;
        device.set_cache_preference(preference)?;
        device.set_shared_banks(device.shared_banks()?)?;
        device.reset_persisting_l2()?;
        assert!(device.stream_priorities()?.contains(&0));
        assert!(device.free_memory()? <= device.total_memory()?);
        assert!(device.attributes()?.multiprocessors > 0);
        device.synchronize()
    }),
    ("reports", || {
        assert!(!crate::info()?.is_empty());
        // It never fails: what does is a problem that it tells.
        drop(crate::doctor());
        DeviceBuffer::filled(10, 1u8)?.to_vec().map(drop)
    }),
    ("a device that is reset", || {
        let device = Device::get(1)?;
        let filled = device.with(|| DeviceBuffer::filled(10, 7u32))?;
        assert_eq!(filled.to_vec()?, [7; 10]);
        // SAFETY: no other thread uses it, and what was made there is only dropped from now on.
        let device = unsafe { device.reset()? };
        drop(filled);
        let filled = device.with(|| DeviceBuffer::filled(10, 8u32))?;
        assert_eq!(filled.to_vec()?, [8; 10]);
        Ok(())
    }),
];
