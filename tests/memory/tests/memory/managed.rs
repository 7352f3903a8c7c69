//! Managed memory: the host and kernels use it in turns; advice, prefetches, attachment.

use ptyx::prelude::*;
use ptyx::{
    Error, ManagedBuffer, ManagedUse, MemoryAdvice, MemoryKind, MemoryLocation, PinnedBuffer,
    PitchedBuffer, PointerAttributes,
};
use ptyx_memory_tests::{alone_with, rng};

#[kernel]
fn mix(a: u32, x: &[u32], mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = y.wrapping_mul(a).wrapping_add(x[i.get()]);
    }
}

#[kernel]
fn histogram(x: Array<u32, 2>, counts: Atomics<u32>) {
    let [row, column] = thread::index_2d().get();
    if let Some(&x) = x.get([row, column]) {
        counts[x as usize % 8].fetch_add(1);
    }
}

/// # Safety
/// `to` leads to `len` numbers that nothing else uses.
#[kernel]
unsafe fn fill_raw(to: *mut u32, len: u32, value: u32) {
    let i = thread::index_1d().get();
    if i < len as usize {
        // SAFETY: the caller's promise, and each thread has an element of its own.
        unsafe { to.add(i).write(value) };
    }
}

fn mixed(a: u32, x: &[u32], y: &mut [u32]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y = y.wrapping_mul(a).wrapping_add(*x);
    }
}

/// Random uses by kernels, copies and the host, on several streams.
#[test]
fn the_host_and_kernels_take_turns() -> ptyx::Result<()> {
    let mut rng = rng();
    let streams = [Stream::new()?, Stream::new()?, Stream::default()?];
    let len = 1 + rng.below(3000);
    let grid = len.div_ceil(128) as u32;
    let mut models = [rng.vec(len, |rng| rng.next_u32()), vec![0; len]];
    let mut first = ManagedBuffer::from_slice(&models[0])?;
    let mut second = ManagedBuffer::<u32>::zeroed_on(len, &streams[0])?;
    let mut device = DeviceBuffer::<u32>::zeroed(len)?;
    let place = MemoryLocation::Device(Device::current()?);
    for _ in 0..100 {
        let stream = &streams[rng.below(3)];
        let a = rng.next_u32();
        let range = rng.below(len)..len;
        match rng.below(8) {
            0 => {
                launch!(mix<<<grid, 128, 0, stream>>>(a, &first, &mut second))?;
                let [x, y] = &mut models;
                mixed(a, x, y);
            }
            1 => {
                launch!(mix<<<grid, 128, 0, stream>>>(a, &second, &mut first))?;
                let [y, x] = &mut models;
                mixed(a, x, y);
            }
            2 => {
                first[range.start] = a;
                models[0][range.start] = a;
            }
            3 => assert_eq!(*second, models[1]),
            4 => {
                let mut part = second.as_slice_mut().slice_mut(range.clone());
                part.copy_from_buffer_on(first.as_slice().slice(range.clone()), stream)?;
                let copied = models[0][range.clone()].to_vec();
                models[1][range].copy_from_slice(&copied);
            }
            5 => {
                device.copy_from_buffer_on(&second, stream)?;
                first.as_slice_mut().copy_from_buffer_on(&device, stream)?;
                models[0] = models[1].clone();
            }
            6 => {
                first.as_slice_mut().slice_mut(range.clone()).fill_on(a, stream)?;
                models[0][range].fill(a);
            }
            _ => {
                let to = if a.is_multiple_of(2) { MemoryLocation::Host } else { place };
                second.prefetch_on(range, to, stream)?;
            }
        }
    }
    assert_eq!(*first, models[0]);
    assert_eq!(second.as_slice().to_vec()?, models[1]);
    Ok(())
}

#[test]
fn views_boxes_and_other_kinds() -> ptyx::Result<()> {
    let mut rng = rng();
    let numbers = rng.vec(30 * 50, |rng| rng.next_u32());
    let managed = ManagedBuffer::from_slice(&numbers)?;
    let mut counts = ManagedBuffer::filled(8, 100u32)?;
    launch!(histogram<<<(7, 4), (8, 8)>>>(managed.view([30, 50]), &mut counts))?;
    let mut expected = [100; 8];
    numbers.iter().for_each(|&x| expected[x as usize % 8] += 1);
    assert_eq!(*counts, expected);

    let mut inner = PitchedBuffer::<u32>::zeroed([10, 20])?;
    inner.view_mut().copy_from_view(managed.view([30, 50]).part([5..15, 30..50])?)?;
    let rows = numbers.chunks(50).skip(5).take(10);
    assert_eq!(inner.to_vec()?, rows.flat_map(|row| row[30..].to_vec()).collect::<Vec<_>>());
    let mut pinned = PinnedBuffer::<u32>::zeroed(30 * 50)?;
    managed.as_slice().copy_to_pinned_on(&mut pinned, &Stream::new()?)?;
    assert_eq!(*pinned, *numbers);
    let doubles = ManagedBuffer::filled(5, 0.25f64)?;
    assert_eq!(*doubles, [0.25; 5]);

    let empty = ManagedBuffer::<u32>::zeroed(0)?;
    assert!(empty.is_empty() && empty.to_vec().is_empty());
    empty.prefetch(.., MemoryLocation::Host)?;
    empty.advise(.., MemoryAdvice::ReadMostly)?;
    assert!(empty.attributes(..)?.accessed_by.is_empty());
    let large = ManagedBuffer::<u64>::zeroed(usize::MAX / 4);
    assert!(matches!(large, Err(Error::TooLarge { .. })), "{:?}", large.err());
    Ok(())
}

/// Advice is kept page by page.
#[test]
fn advice_and_prefetches() -> ptyx::Result<()> {
    // More than a page of any kind.
    const LEN: usize = 4 << 20;
    let mut managed = ManagedBuffer::<u32>::zeroed(LEN)?;
    let device = MemoryLocation::Device(Device::current()?);
    let none = managed.attributes(..)?;
    assert!(!none.read_mostly && none.accessed_by.is_empty());
    assert_eq!((none.preferred_location, none.last_prefetch), (None, None));

    managed.advise(.., MemoryAdvice::ReadMostly)?;
    managed.advise(.., MemoryAdvice::PreferredLocation(MemoryLocation::Host))?;
    managed.advise(.., MemoryAdvice::AccessedBy(device))?;
    managed.advise(.., MemoryAdvice::AccessedBy(MemoryLocation::Host))?;
    managed.prefetch(..LEN / 2, device)?;
    let found = managed.attributes(..)?;
    assert!(found.read_mostly);
    assert_eq!(found.preferred_location, Some(MemoryLocation::Host));
    assert_eq!(found.last_prefetch, None, "not everywhere the same");
    assert!(found.accessed_by.contains(&device));
    assert_eq!(managed.attributes(..LEN / 2)?.last_prefetch, Some(device));

    managed.advise(..LEN / 2, MemoryAdvice::NotReadMostly)?;
    managed.advise(.., MemoryAdvice::NoPreferredLocation)?;
    managed.advise(.., MemoryAdvice::NotAccessedBy(device))?;
    managed.prefetch_on(.., MemoryLocation::Host, &Stream::new()?)?;
    let found = managed.attributes(..)?;
    assert!(!found.read_mostly && managed.attributes(LEN / 2..)?.read_mostly);
    assert_eq!(found.preferred_location, None);
    assert_eq!(found.last_prefetch, Some(MemoryLocation::Host));
    assert!(!found.accessed_by.contains(&device));
    // None of that changes what it holds.
    managed[LEN - 1] = 7;
    assert!(managed[..LEN - 1].iter().all(|&number| number == 0) && managed[LEN - 1] == 7);
    Ok(())
}

#[test]
fn attached_to_one_stream_or_the_host() -> ptyx::Result<()> {
    let (own, other) = (Stream::new()?, Stream::new()?);
    let x = DeviceBuffer::filled(300, 5u32)?;
    let mut managed = ManagedBuffer::<u32>::zeroed(300)?;
    managed.attach(ManagedUse::OneStream, &own)?;
    launch!(mix<<<3, 128, 0, &own>>>(1, &x, &mut managed))?;
    let wrong = launch!(mix<<<3, 128, 0, &other>>>(1, &x, &mut managed));
    assert!(matches!(wrong, Err(Error::Attached { to: "another stream" })), "{wrong:?}");
    assert_eq!(*managed, [5; 300]);
    managed.attach(ManagedUse::Host, &own)?;
    let wrong = managed.as_slice_mut().fill_on(1, &own);
    assert!(matches!(wrong, Err(Error::Attached { to: "the host" })), "{wrong:?}");
    managed[3] = 6;
    managed.attach(ManagedUse::All, &other)?;
    launch!(mix<<<3, 128, 0, &other>>>(1, &x, &mut managed))?;
    launch!(mix<<<3, 128, 0, &own>>>(1, &x, &mut managed))?;
    assert_eq!((managed[2], managed[3]), (15, 16));
    Ok(())
}

#[test]
fn what_addresses_lead_to() -> ptyx::Result<()> {
    let device = Device::current()?.index();
    let managed = ManagedBuffer::<u32>::zeroed(100)?;
    let address = managed.as_slice().device_address() + 8;
    let found = PointerAttributes::of(address)?;
    assert_eq!(found.kind, MemoryKind::Managed);
    assert_eq!((found.device, found.device_address), (Some(device), Some(address)));
    assert_eq!(found.host_address, Some(&raw const managed[2] as usize));

    let pinned = PinnedBuffer::<u32>::zeroed(100)?;
    let found = PointerAttributes::of(pinned.as_ptr().addr() as u64)?;
    assert_eq!((found.kind, found.device), (MemoryKind::Pinned, Some(device)));
    assert_eq!(found.host_address, Some(pinned.as_ptr().addr()));
    assert_eq!(found.device_address, Some(pinned.device_address()?));

    let buffer = DeviceBuffer::<u32>::zeroed(100)?;
    let found = PointerAttributes::of(buffer.device_address())?;
    assert_eq!((found.kind, found.device), (MemoryKind::Device, Some(device)));
    assert_eq!((found.device_address, found.host_address), (Some(buffer.device_address()), None));

    let local = [0u8; 10];
    for nobodys in [local.as_ptr().addr() as u64, 0, 64] {
        let found = PointerAttributes::of(nobodys)?;
        assert_eq!(found.kind, MemoryKind::Unregistered);
        let all = (found.device, found.device_address, found.host_address);
        assert_eq!(all, (None, None, None));
    }
    Ok(())
}

/// Kernels with raw pointers come before what the host does later.
#[test]
fn raw_pointers_to_managed_memory() -> ptyx::Result<()> {
    let stream = Stream::new()?;
    let mut managed = ManagedBuffer::<u32>::zeroed(256)?;
    let address = managed.as_slice().device_address() as *mut u32;
    for value in 1..20 {
        // SAFETY: the pointer leads to 256 numbers, which nothing else uses meanwhile.
        launch!(unsafe fill_raw<<<2, 128, 0, &stream>>>(address, 256, value))?;
        assert_eq!(*managed, [value; 256]);
        managed[9] = 0;
    }
    Ok(())
}

/// One prepared kernel takes all kinds of memory.
#[test]
fn prepared_kernels_take_all_kinds() -> ptyx::Result<()> {
    let x = DeviceBuffer::filled(100, 5u32)?;
    let mut y = DeviceBuffer::filled(100, 1u32)?;
    let kernel = compile!(mix(2, &x, &mut y))?;
    let config = || LaunchConfig::new().threads(128);
    let mut managed = ManagedBuffer::filled(100, 3u32)?;
    let mut pinned = PinnedBuffer::from_slice(&[4u32; 100])?;
    kernel.launch(config(), args!(2, &x, &mut y))?;
    kernel.launch(config(), args!(3, &managed, &mut pinned))?;
    kernel.launch(config(), args!(4, &pinned, &mut managed))?;
    assert_eq!((y.to_vec()?, &*pinned, &*managed), (vec![7; 100], &[15; 100][..], &[27; 100][..]));
    Ok(())
}

/// A graph could run while the host holds a reference.
#[test]
fn graphs_take_no_managed_memory() -> ptyx::Result<()> {
    let stream = Stream::new()?;
    let mut managed = ManagedBuffer::<u32>::zeroed(10)?;
    let captured = stream.capture(|stream| managed.as_slice_mut().fill_on(1, stream));
    assert!(matches!(captured, Err(Error::Capture(_))), "{:?}", captured.err());
    assert_eq!(*managed, [0; 10]);
    Ok(())
}

fn on_two_devices() -> ptyx::Result<()> {
    let [first, second] = [Device::get(0)?, Device::get(1)?];
    let streams = [first.with(Stream::new)?, second.with(Stream::new)?];
    let mut managed = first.with(|| ManagedBuffer::filled(500, 1u32))?;
    let mut expected = vec![1u32; 500];
    for step in 0..30u32 {
        let (device, stream) = match step % 3 {
            0 => (first, &streams[0]),
            _ => (second, &streams[1]),
        };
        let numbers: Vec<u32> = (0..500).map(|i| i * step).collect();
        let x = device.with(|| DeviceBuffer::from_slice(&numbers))?;
        launch!(mix<<<4, 128, 0, stream>>>(3, &x, &mut managed))?;
        mixed(3, &numbers, &mut expected);
        match step % 5 {
            0 => managed.prefetch_on(.., MemoryLocation::Device(device), stream)?,
            1 => {
                let mut copy = device.with(|| DeviceBuffer::<u32>::zeroed(500))?;
                copy.copy_from_buffer_on(&managed, stream)?;
                managed.as_slice_mut().slice_mut(..100).fill_on(step, &streams[1])?;
                expected[..100].fill(step);
            }
            2 => assert_eq!(*managed, expected),
            3 => assert_eq!(managed.as_slice().to_vec()?, expected),
            _ => {}
        }
    }
    managed.advise(.., MemoryAdvice::AccessedBy(MemoryLocation::Device(second)))?;
    let found = managed.attributes(..)?.accessed_by;
    assert_eq!(found, [MemoryLocation::Device(second)]);
    assert_eq!(*managed, expected);
    Ok(())
}

#[test]
fn managed_memory_on_two_devices() {
    let variables = [("PTYX_DEVICE", "emulator"), ("PTYX_EMULATOR_DEVICES", "2")];
    alone_with("managed::managed_memory_on_two_devices", &variables, || on_two_devices().unwrap());
}

#[test]
fn managed_memory_on_two_devices_that_run_late() {
    let variables =
        [("PTYX_DEVICE", "emulator"), ("PTYX_EMULATOR_DEVICES", "2"), ("PTYX_EMULATOR_ASYNC", "1")];
    alone_with("managed::managed_memory_on_two_devices_that_run_late", &variables, || {
        on_two_devices().unwrap();
    });
}
