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

/// What the emulated device has none of is the driver's error.
#[test]
fn what_the_emulated_device_lacks() {
    alone_with("external::what_the_emulated_device_lacks", &EMULATED, || {
        let device = Device::current().unwrap();
        // SAFETY: refused.
        let semaphore =
            |kind| unsafe { ExternalSemaphore::import(file_of(&[0; 8]).into(), kind, &device) };
        for kind in [SemaphoreKind::Binary, SemaphoreKind::Timeline] {
            assert_eq!(code_of(semaphore(kind)), "CUDA_ERROR_NOT_SUPPORTED");
        }
        // SAFETY: the file has as many bytes; no image is used.
        let image = unsafe {
            let memory = ExternalMemory::import(file_of(&[0; 4096]).into(), 4096, true, &device);
            memory.unwrap().array::<f32, ptyx::device::texture::D2>(0, [16, 16], 1)
        };
        assert_eq!(code_of(image), "CUDA_ERROR_NOT_SUPPORTED");
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
