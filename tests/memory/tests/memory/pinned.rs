//! Pinned memory: its options, kernels that use it in place, vectors and slices that are pinned where they are.

use ptyx::prelude::*;
use ptyx::{Error, PinnedBuffer, PinnedOptions};
use ptyx_memory_tests::{alone_with, rng};

#[kernel]
fn axpy(a: u32, x: &[u32], mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = y.wrapping_add(a.wrapping_mul(x[i.get()]));
    }
}

#[kernel]
fn count(x: &[u32], counts: Atomics<u32>) {
    if let Some(&x) = x.get(thread::index_1d().get()) {
        counts[x as usize % 8].fetch_add(1);
    }
}

#[kernel]
fn transpose(from: Array<u32, 2>, to: ArrayMut<u32, 2>) {
    let [row, column] = thread::index_2d().get();
    let [rows, columns] = to.shape();
    if row < rows && column < columns {
        // SAFETY: each thread writes an element of its own.
        unsafe { to.write([row, column], from[[column, row]]) };
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

/// Random uses by kernels, copies and the host, on several streams.
#[test]
fn the_host_and_kernels_take_turns() -> ptyx::Result<()> {
    let mut rng = rng();
    let streams = [Stream::new()?, Stream::new()?, Stream::default()?];
    let len = 1 + rng.below(300);
    let numbers = rng.vec(len, |rng| rng.next_u32());
    let mut models = [numbers.clone(), numbers.clone()];
    let mut host = PinnedBuffer::from_slice(&numbers)?;
    let mut other = PinnedBuffer::from_vec(numbers.clone())?;
    let mut device = DeviceBuffer::<u32>::zeroed(len)?;
    for _ in 0..100 {
        let stream = &streams[rng.below(3)];
        let grid = len.div_ceil(64) as u32;
        let a = rng.next_u32();
        match rng.below(6) {
            0 => {
                launch!(axpy<<<grid, 64, 0, stream>>>(a, &other, &mut host))?;
                let other = models[1].clone();
                for (y, x) in models[0].iter_mut().zip(other) {
                    *y = y.wrapping_add(a.wrapping_mul(x));
                }
            }
            1 => {
                launch!(axpy<<<grid, 64, 0, stream>>>(a, &host, &mut other))?;
                let host = models[0].clone();
                for (y, x) in models[1].iter_mut().zip(host) {
                    *y = y.wrapping_add(a.wrapping_mul(x));
                }
            }
            2 => {
                let at = rng.below(len);
                host[at] = a; // waits for whoever uses it
                models[0][at] = a;
            }
            3 => assert_eq!(*other, models[1]),
            4 => {
                device.copy_from_pinned_on(&host, stream)?;
                device.copy_to_pinned_on(&mut other, stream)?;
                models[1] = models[0].clone();
            }
            _ => {
                let range = rng.below(len)..len;
                let from = host.view(len)?.part([range.clone()])?;
                let mut part = device.slice_mut(range.clone());
                part.copy_from_pinned_on(from, stream)?;
                let to = other.view_mut(len)?.part([range.clone()])?;
                part.as_slice().copy_to_pinned_on(to, stream)?;
                let copied = models[0][range.clone()].to_vec();
                models[1][range].copy_from_slice(&copied);
            }
        }
    }
    assert_eq!(*host, models[0]);
    assert_eq!(other.into_vec(), models[1]);
    Ok(())
}

#[test]
fn counters_and_boxes_in_pinned_memory() -> ptyx::Result<()> {
    let mut rng = rng();
    let numbers = rng.vec(1000, |rng| rng.next_u32());
    let host = PinnedBuffer::from_slice(&numbers)?;
    let mut counts = PinnedBuffer::<u32>::zeroed(8)?;
    launch!(count<<<8, 128>>>(&host, &mut counts))?;
    let mut expected = [0; 8];
    numbers.iter().for_each(|&x| expected[x as usize % 8] += 1);
    assert_eq!(*counts, expected);

    let mut to = PinnedBuffer::<u32>::zeroed(20 * 50)?;
    let box_of_host = host.view([50, 20])?.part([3..40, 5..20])?;
    let box_of_to = to.view_mut([20, 50])?.part([1..16, 2..39])?;
    launch!(transpose<<<(5, 2), (8, 8)>>>(box_of_host, box_of_to))?;
    for row in 0..20 {
        for column in 0..50 {
            let inside = (1..16).contains(&row) && (2..39).contains(&column);
            let source = || numbers[(column - 2 + 3) * 20 + row - 1 + 5];
            assert_eq!(to[row * 50 + column], if inside { source() } else { 0 });
        }
    }
    Ok(())
}

#[test]
fn options_are_the_drivers() -> ptyx::Result<()> {
    for bits in 0..8 {
        let [mapped, portable, combined] = [1, 2, 4].map(|bit| bits & bit != 0);
        let options = PinnedOptions::new().mapped(mapped).portable(portable);
        let options = options.write_combined(combined);
        let mut host = PinnedBuffer::from_slice_with(&[1u32, 2, 3], &options)?;
        let found = host.options()?;
        assert_eq!(found.is_write_combined(), combined);
        assert!(found.is_mapped() >= mapped && found.is_portable() >= portable, "{found:?}");
        let x = DeviceBuffer::filled(3, 1u32)?;
        let launched = launch!(axpy<<<1, 32>>>(10, &x, &mut host));
        match mapped {
            true => assert_eq!(*host, [11, 12, 13]),
            false => {
                assert!(matches!(launched, Err(Error::NotMapped)), "{launched:?}");
                assert!(matches!(host.device_address(), Err(Error::NotMapped)));
                assert_eq!(*host, [1, 2, 3]);
            }
        }
    }
    let empty = PinnedBuffer::<u32>::zeroed_with(0, &PinnedOptions::new().write_combined(true))?;
    assert!(empty.options()?.is_write_combined());
    let mut none = PinnedBuffer::<u32>::zeroed(0)?;
    launch!(axpy<<<1, 32>>>(10, &empty, &mut none))?;
    Ok(())
}

#[test]
fn vectors_are_pinned_and_given_back() -> ptyx::Result<()> {
    let mut vector = Vec::with_capacity(1000);
    vector.extend(0..777u16);
    let address = vector.as_ptr();
    let host = PinnedBuffer::from_vec(vector)?;
    let mut device = DeviceBuffer::<u16>::zeroed(777)?;
    device.copy_from_pinned_on(&host, &Stream::new()?)?;
    assert!(host.options()?.is_mapped());
    let vector = host.into_vec();
    assert!(vector.as_ptr() == address && vector.capacity() >= 1000);
    assert_eq!(device.to_vec()?, vector);
    // A second time, and dropped without being asked for.
    drop(PinnedBuffer::from_vec(vector)?);
    for empty in
        [PinnedBuffer::<u8>::from_vec(Vec::new())?, PinnedBuffer::from_vec(Vec::with_capacity(9))?]
    {
        assert!(empty.is_empty() && empty.into_vec().is_empty());
    }
    assert_eq!(PinnedBuffer::from_vec(vec![(); 3])?.into_vec(), [(); 3]);
    assert_eq!(PinnedBuffer::from_slice(&[3u8, 4])?.into_vec(), [3, 4]);
    Ok(())
}

#[test]
fn scopes_end_when_nothing_uses_the_slice() -> ptyx::Result<()> {
    let stream = Stream::new()?;
    let x = DeviceBuffer::from_slice(&(0..500u32).collect::<Vec<_>>())?;
    let mut numbers = vec![1u32; 502];
    PinnedBuffer::scope(&mut numbers[1..501], |pinned| {
        assert_eq!(pinned.len(), 500);
        launch!(axpy<<<4, 128, 0, &stream>>>(3, &x, &mut *pinned))?;
        launch!(axpy<<<4, 128, 0, &stream>>>(2, &x, pinned))
    })??;
    let expected: Vec<u32> = (0..500).map(|i| 1 + 5 * i).collect();
    assert_eq!((numbers[0], &numbers[1..501], numbers[501]), (1, &expected[..], 1));

    // Part of it is pinned already.
    let inner = PinnedBuffer::scope(&mut numbers, |outer| {
        outer[0] = 7;
        let slice: &mut [u32] = outer;
        PinnedBuffer::scope(slice, |_| ())
    })?;
    assert!(
        matches!(inner, Err(Error::Driver { ref name, .. })
        if name == "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED"),
        "{inner:?}"
    );
    assert_eq!(numbers[0], 7);
    assert_eq!(PinnedBuffer::scope(&mut [0u8; 0], |pinned| pinned.len())?, 0);

    // A panic ends the scope, too.
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        PinnedBuffer::scope(&mut numbers, |pinned| {
            x.copy_to_pinned_on(
                pinned.view_mut(502).unwrap().part(core::array::from_fn(|_| 2..502)).unwrap(),
                &stream,
            )
            .unwrap();
            panic!("of the test");
        })
    }));
    assert!(caught.is_err());
    assert_eq!(numbers[2..], x.to_vec()?);
    assert_eq!(PinnedBuffer::scope(&mut numbers, |pinned| pinned[501])?, 499);
    Ok(())
}

/// Kernels with raw pointers come before what the host and copies do later.
/// A slice that nobody may write: a constant of the program.
#[test]
fn memory_that_is_only_read() -> ptyx::Result<()> {
    static NUMBERS: [u32; 1000] = {
        let mut numbers = [0; 1000];
        let mut i = 0;
        while i < 1000 {
            numbers[i] = (i * i) as u32;
            i += 1;
        }
        numbers
    };
    let stream = Stream::new()?;
    let mut copy = DeviceBuffer::<u32>::zeroed(900)?;
    let inside = PinnedBuffer::scope_read_only(&NUMBERS[100..], |pinned| {
        let copied = copy.copy_from_pinned_on(pinned, &stream);
        copied.map(|()| pinned[3])
    })??;
    assert_eq!(inside, 103 * 103);
    assert_eq!(copy.to_vec()?, NUMBERS[100..]);
    assert_eq!(PinnedBuffer::scope_read_only(&[0u8; 0], |pinned| pinned.len())?, 0);
    Ok(())
}

#[test]
fn raw_pointers_to_pinned_memory() -> ptyx::Result<()> {
    let (first, second) = (Stream::new()?, Stream::new()?);
    let mut host = PinnedBuffer::<u32>::zeroed(256)?;
    let mut device = DeviceBuffer::<u32>::zeroed(256)?;
    let address = host.device_address()? as *mut u32;
    for value in 1..30 {
        // SAFETY: the pointer leads to 256 numbers, which are used in order.
        launch!(unsafe fill_raw<<<2, 128, 0, &first>>>(address, 256, value))?;
        device.copy_from_pinned_on(&host, &second)?;
        if value % 3 == 0 {
            assert!(host.iter().all(|&found| found == value));
            host[7] = 0;
        }
        // SAFETY: as above.
        launch!(unsafe fill_raw<<<2, 128, 0, &second>>>(address, 100, value + 100))?;
        let mut expected = vec![value; 256];
        assert_eq!(device.to_vec()?, expected);
        expected[..100].fill(value + 100);
        // Kernels with raw pointers on different streams don't wait for each other: the next one is given later.
        assert_eq!(*host, expected);
    }
    drop(host);
    Ok(())
}

#[test]
fn pinned_memory_on_two_devices() {
    let variables = [("PTYX_DEVICE", "emulator"), ("PTYX_EMULATOR_DEVICES", "2")];
    alone_with("pinned::pinned_memory_on_two_devices", &variables, || {
        let [first, second] = [Device::get(0).unwrap(), Device::get(1).unwrap()];
        let mut host = first.with(|| PinnedBuffer::from_slice(&[1u32; 100])).unwrap();
        for device in [first, second, first] {
            device
                .with(|| {
                    let x = DeviceBuffer::filled(100, 1u32)?;
                    launch!(axpy<<<1, 128>>>(1, &x, &mut host))
                })
                .unwrap();
        }
        assert_eq!(*host, [4; 100]);
    });
}
