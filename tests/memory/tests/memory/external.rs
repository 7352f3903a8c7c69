//! Memory of other libraries: on the emulated device, files.

use ptyx::prelude::*;
use ptyx::{
    ArrayRequirements, CudaArray, Error, ExternalMemory, ExternalSemaphore, FlushScope,
    SemaphoreKind, SparseProperties,
};
use ptyx_memory_tests::{alone_with, rng};
use std::fs::File;

const EMULATED: [(&str, &str); 1] = [("PTYX_DEVICE", "emulator")];

#[kernel]
fn triple(mut numbers: Disjoint<u32>) {
    for i in thread::grid_stride(numbers.len()) {
        numbers[i] = numbers[i].wrapping_mul(3);
    }
}

/// A file that is gone when it is closed.
fn file_of(bytes: &[u8]) -> File {
    let path = std::env::temp_dir().join(format!("ptyx-test-memory-{}", std::process::id()));
    std::fs::write(&path, bytes).unwrap();
    let file = File::options().read(true).write(true).open(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    file
}

fn code_of<T: core::fmt::Debug>(result: ptyx::Result<T>) -> String {
    match result {
        Err(Error::Driver { name, .. }) => name,
        other => panic!("{other:?}"),
    }
}

#[test]
fn memory_of_others_is_used_in_place() {
    alone_with("external::memory_of_others_is_used_in_place", &EMULATED, || {
        use std::os::unix::fs::FileExt;
        let mut rng = rng();
        let numbers = rng.vec(3000, |rng| rng.next_u32());
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let file = file_of(&bytes);
        let copy = file.try_clone().unwrap();
        let (device, stream) = (Device::current().unwrap(), Stream::new().unwrap());
        // SAFETY: the file has as many bytes.
        let memory =
            unsafe { ExternalMemory::import(file.into(), 12_000, false, &device) }.unwrap();
        assert_eq!((memory.bytes(), memory.device_index()), (12_000, device.index()));
        // SAFETY: nobody else uses the file.
        let buffer = |offset, len| unsafe { memory.buffer_on::<u32>(offset, len, &stream) };
        let mut part = buffer(4096, 1976).unwrap();
        launch!(triple<<<4, 64, 0, &stream>>>(&mut part)).unwrap();
        for (offset, len) in [(4096, 1977), (12_000, 1), (u64::MAX, 1), (0, usize::MAX)] {
            let wrong = buffer(offset, len);
            assert!(matches!(wrong, Err(Error::Foreign { .. })), "{offset} {len}: {wrong:?}");
        }
        drop(memory);
        let expected: Vec<u32> = numbers[1024..].iter().map(|n| n.wrapping_mul(3)).collect();
        assert_eq!(part.to_vec().unwrap(), expected);
        drop(part);
        let mut found = [0; 8];
        copy.read_exact_at(&mut found, 4092).unwrap();
        let pair = [numbers[1023], expected[0]].map(u32::to_le_bytes).concat();
        assert_eq!(found[..], pair);

        // More than there is; then the file stays the caller's.
        // SAFETY: refused.
        let wrong = unsafe { ExternalMemory::import(copy.into(), 12_001, true, &device) };
        assert_eq!(code_of(wrong), "CUDA_ERROR_INVALID_VALUE");
    });
}

/// An image of another library is written and read in place, with its levels.
#[test]
fn images_of_others_are_arrays() {
    alone_with("external::images_of_others_are_arrays", &EMULATED, || {
        use std::os::unix::fs::FileExt;
        let mut rng = rng();
        let texels = rng.vec(16 * 8 + 8 * 4, |rng| rng.next_u32());
        // A page of something else comes first.
        let mut bytes = vec![0xee; 4096];
        bytes.extend(texels.iter().flat_map(|texel| texel.to_le_bytes()));
        bytes.resize(8192, 0);
        let file = file_of(&bytes);
        let copy = file.try_clone().unwrap();
        let device = Device::current().unwrap();
        // SAFETY: the file has as many bytes.
        let memory = unsafe { ExternalMemory::import(file.into(), 8192, true, &device) }.unwrap();
        let image = |offset, shape, levels| {
            // SAFETY: nobody else uses the image, whose texels are in this order.
            unsafe { memory.array::<u32, ptyx::device::texture::D2>(offset, shape, levels) }
        };
        let mut array = image(4096, [8, 16], 2).unwrap();
        assert_eq!((array.shape(), array.levels()), ([8, 16], 2));
        assert_eq!(array.to_vec().unwrap(), texels[..128]);
        assert_eq!(array.level_to_vec(1).unwrap(), texels[128..]);
        let new = rng.vec(32, |rng| rng.next_u32());
        array.copy_level_from_slice(1, &new).unwrap();
        assert_eq!(code_of(image(0, [1 << 10, 1 << 10], 1)), "CUDA_ERROR_INVALID_VALUE");
        assert_eq!(code_of(image(4096, [64, 64], 1)), "CUDA_ERROR_INVALID_VALUE", "too large");
        drop(memory);
        drop(array);
        let mut found = vec![0; 128];
        copy.read_exact_at(&mut found, 4096 + 512).unwrap();
        assert_eq!(found, new.iter().flat_map(|texel| texel.to_le_bytes()).collect::<Vec<u8>>());
        let mut before = vec![0; 4096];
        copy.read_exact_at(&mut before, 0).unwrap();
        assert!(before.iter().all(|&byte| byte == 0xee));
    });
}

/// Streams wait for others, and signal them; the host waits for neither.
#[test]
fn semaphores_of_others_order_streams() {
    for asynchronous in ["0", "1"] {
        let variables = [EMULATED[0], ("PTYX_EMULATOR_ASYNC", asynchronous)];
        alone_with("external::semaphores_of_others_order_streams", &variables, || {
            use std::os::unix::fs::FileExt;
            let device = Device::current().unwrap();
            let import = |kind| {
                let file = file_of(&[0; 8]);
                let copy = file.try_clone().unwrap();
                // SAFETY: a file that is a semaphore of the emulated device.
                let semaphore = unsafe { ExternalSemaphore::import(file.into(), kind, &device) };
                (semaphore.unwrap(), copy)
            };
            let value = |file: &File| {
                let mut bytes = [0; 8];
                file.read_exact_at(&mut bytes, 0).unwrap();
                u64::from_le_bytes(bytes)
            };
            let (first, second) = (Stream::new().unwrap(), Stream::new().unwrap());
            let (timeline, frames) = import(SemaphoreKind::Timeline);
            let (binary, flag) = import(SemaphoreKind::Binary);
            assert_eq!(
                (timeline.kind(), binary.kind()),
                (SemaphoreKind::Timeline, SemaphoreKind::Binary)
            );
            // The second stream waits for the first, the first for the host.
            second.wait_semaphore(&binary, 0).unwrap();
            first.wait_semaphore(&timeline, 1).unwrap();
            first.signal_semaphore(&binary, 0).unwrap();
            first.signal_semaphore(&timeline, 2).unwrap();
            assert!(!first.is_idle().unwrap() && !second.is_idle().unwrap());
            assert_eq!((value(&frames), value(&flag)), (0, 0));
            frames.write_all_at(&1u64.to_le_bytes(), 0).unwrap();
            second.synchronize().unwrap();
            first.synchronize().unwrap();
            assert_eq!((value(&frames), value(&flag)), (2, 0));
            // Dropping a semaphore waits for its streams; in a capture it is refused.
            first.signal_semaphore(&timeline, 9).unwrap();
            let refused = second.capture(|stream| stream.wait_semaphore(&timeline, 1));
            assert!(matches!(refused, Err(Error::Capture(_))), "{refused:?}");
            drop((timeline, binary));
            assert_eq!(value(&frames), 9);
            // What is no semaphore.
            // SAFETY: refused.
            let wrong = unsafe {
                ExternalSemaphore::import(file_of(&[0; 3]).into(), SemaphoreKind::Binary, &device)
            };
            assert_eq!(code_of(wrong), "CUDA_ERROR_INVALID_HANDLE");
        });
    }
}

/// The driver would make fewer levels than were asked for.
#[test]
fn too_many_levels_are_refused() {
    let made =
        |levels| CudaArray::<f32>::zeroed_with_levels([4, 6], levels).map(|made| made.levels());
    assert_eq!(made(3).unwrap(), 3);
    for levels in [0, 4, 100] {
        assert!(matches!(made(levels), Err(Error::Texture(_))), "{levels}");
    }
}

/// What the emulated device has none of is the driver's error.
#[test]
fn what_the_emulated_device_lacks() {
    alone_with("external::what_the_emulated_device_lacks", &EMULATED, || {
        let device = Device::current().unwrap();
        for scope in [FlushScope::Owner, FlushScope::AllDevices] {
            assert_eq!(code_of(device.flush_rdma_writes(scope)), "CUDA_ERROR_NOT_SUPPORTED");
        }
        let plain = CudaArray::<f32>::zeroed([4, 4]).unwrap();
        let levels = CudaArray::<f32>::zeroed_with_levels([4, 4], 2).unwrap();
        for array in [&plain, &levels] {
            let needs: ptyx::Result<ArrayRequirements> = array.memory_requirements();
            let sparse: ptyx::Result<SparseProperties> = array.sparse_properties();
            assert_eq!(code_of(needs), "CUDA_ERROR_INVALID_VALUE");
            assert_eq!(code_of(sparse), "CUDA_ERROR_INVALID_VALUE");
            assert_eq!(code_of(array.plane(0)), "CUDA_ERROR_INVALID_VALUE");
        }
    });
}
