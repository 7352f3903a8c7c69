//! Allocations that fail because memory is exhausted: they are made once more after the pools have given back what they
//! keep; if that does not help, the error has the sizes.

use super::environment::{child_of, is_child};
use super::*;
use crate::{
    CudaArray, Device, Error, Global, GrowableBuffer, ManagedBuffer, MemoryLimit, MemoryPool,
    PinnedBuffer, device_static,
};
use ptyx_emulator::driver::{calls_made, fail_calls};

#[device_static]
static NUMBERS: Global<[u32; 64]> = Global::new([0; 64]);

/// What is said to be exhausted.
enum What {
    Device,
    /// A pool with a limit of that many bytes.
    Limit(usize),
    Host,
}

struct Case {
    name: &'static str,
    symbol: &'static str,
    bytes: usize,
    what: What,
    make: fn() -> crate::Result<()>,
}

const LIMIT: usize = 1 << 20;

const CASES: [Case; 9] = [
    Case {
        name: "a buffer",
        symbol: "cuMemAllocFromPoolAsync",
        bytes: 400,
        what: What::Device,
        make: || {
            assert_eq!(DeviceBuffer::filled(100, 7u32)?.to_vec()?, [7; 100]);
            Ok(())
        },
    },
    Case {
        name: "a buffer of a pool with a limit",
        symbol: "cuMemAllocFromPoolAsync",
        bytes: 100,
        what: What::Limit(LIMIT),
        make: || {
            let pool = MemoryPool::new(&Device::current()?, MemoryLimit::Bytes(LIMIT))?;
            let buffer = DeviceBuffer::<u8>::zeroed_in(100, &pool, &Stream::new()?)?;
            assert_eq!(buffer.to_vec()?, [0; 100]);
            Ok(())
        },
    },
    Case {
        name: "shareable memory",
        symbol: "cuMemAlloc_v2",
        bytes: 400,
        what: What::Device,
        make: || {
            let buffer = DeviceBuffer::<u32>::zeroed_shareable(100)?;
            assert_eq!(buffer.to_vec()?, [0; 100]);
            Ok(())
        },
    },
    Case {
        name: "managed memory",
        symbol: "cuMemAllocManaged",
        bytes: 12,
        what: What::Device,
        make: || {
            assert_eq!(*ManagedBuffer::from_slice(&[1u32, 2, 3])?, [1, 2, 3]);
            Ok(())
        },
    },
    Case {
        name: "an array",
        symbol: "cuArray3DCreate_v2",
        bytes: 24,
        what: What::Device,
        make: || {
            let array = CudaArray::<f32>::from_slice(&[1.0; 6], [2, 3])?;
            assert_eq!(array.to_vec()?, [1.0; 6]);
            Ok(())
        },
    },
    Case {
        name: "a mipmap",
        symbol: "cuMipmappedArrayCreate",
        // Six texels and one.
        bytes: 28,
        what: What::Device,
        make: || {
            let array = CudaArray::<f32>::zeroed_with_levels([2, 3], 2)?;
            assert_eq!(array.level_to_vec(1)?, [0.0]);
            Ok(())
        },
    },
    Case {
        name: "a growable buffer",
        symbol: "cuMemCreate",
        // The unit in which devices map memory.
        bytes: 2 << 20,
        what: What::Device,
        make: || {
            let mut buffer = GrowableBuffer::<u32>::with_capacity(1000)?;
            buffer.extend_from_slice(&[1, 2, 3])?;
            assert_eq!(buffer.to_vec()?, [1, 2, 3]);
            Ok(())
        },
    },
    Case {
        name: "pinned memory",
        symbol: "cuMemHostAlloc",
        bytes: 12,
        what: What::Host,
        make: || {
            assert_eq!(*PinnedBuffer::from_slice(&[1u32, 2, 3])?, [1, 2, 3]);
            Ok(())
        },
    },
    Case {
        name: "a pinned vector",
        symbol: "cuMemHostRegister_v2",
        bytes: 12,
        what: What::Host,
        make: || {
            assert_eq!(PinnedBuffer::from_vec(vec![1u32, 2, 3])?.into_vec(), [1, 2, 3]);
            Ok(())
        },
    },
];

fn check(case: &Case) {
    let Case { name, symbol, bytes, what, make } = case;
    fail_calls(&format!("{symbol}:1=CUDA_ERROR_OUT_OF_MEMORY")).unwrap();
    let made = make();
    let (calls, failed) = calls_made();
    made.unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(failed, [*symbol], "{name}");
    let places: Vec<usize> = (0..calls.len()).filter(|&i| calls[i] == *symbol).collect();
    let [first, second, ..] = places[..] else { panic!("{name}: {calls:?}") };
    let between = &calls[first..second];
    // What was freed on other streams comes back only when their work is done; for host memory, no work is waited for.
    let waited = between.iter().position(|&call| call == "cuCtxSynchronize");
    let trimmed = between.iter().position(|&call| call == "cuMemPoolTrimTo");
    let waits = !matches!(what, What::Host);
    assert!(
        trimmed.is_some() && waited.is_some() == waits && waited < trimmed,
        "{name}: {between:?}"
    );

    fail_calls(&format!("{symbol}=CUDA_ERROR_OUT_OF_MEMORY")).unwrap();
    let made = make();
    let (_, failed) = calls_made();
    assert_eq!(failed, [*symbol; 2], "{name}: tried twice, not more");
    match (made, what) {
        (Err(Error::OutOfMemory { bytes: asked, free, total }), What::Device) => {
            let all = Device::current().unwrap().total_memory().unwrap();
            assert_eq!((asked, total), (*bytes, all), "{name}");
            assert!(0 < free && free <= total, "{name}: {free}");
        }
        (Err(Error::OutOfMemory { bytes: asked, free, total }), What::Limit(limit)) => {
            assert_eq!((asked, free, total), (*bytes, *limit, *limit), "{name}");
        }
        (Err(error @ Error::OutOfHostMemory { bytes: asked }), What::Host) => {
            assert_eq!(asked, *bytes, "{name}");
            assert!(error.to_string().contains("12 bytes requested"), "{error}");
        }
        (other, _) => panic!("{name}: {other:?}"),
    }
    // Nothing is left of it.
    make().unwrap_or_else(|error| panic!("{name}, afterwards: {error}"));
}

#[test]
fn allocations_are_made_again_when_pools_have_given_back_memory() {
    if !is_child() {
        let variables = [("PTYX_DEVICE", "emulator")];
        let test = "allocations_are_made_again_when_pools_have_given_back_memory";
        let text = child_of("exhausted", test, &variables);
        assert!(text.contains("all cases checked"), "{text}");
        return;
    }
    kernels();
    // What another pool of this process keeps is given back, too.
    let device = Device::current().unwrap();
    let other = MemoryPool::new(&device, MemoryLimit::None).unwrap();
    let stream = Stream::new().unwrap();
    drop(DeviceBuffer::<u8>::zeroed_in(1 << 20, &other, &stream).unwrap());
    stream.synchronize().unwrap();
    assert!(other.statistics().unwrap().reserved >= 1 << 20);
    check(&CASES[0]);
    assert_eq!(other.statistics().unwrap().reserved, 0);
    for case in &CASES {
        (case.make)().unwrap();
        check(case);
    }
    // A static keeps its memory, so its first allocation is the only one.
    fail_calls("cuMemAlloc:1+=CUDA_ERROR_OUT_OF_MEMORY").unwrap();
    let set = NUMBERS.set(&[7; 64]);
    let (_, failed) = calls_made();
    assert!(matches!(set, Err(Error::OutOfMemory { bytes: 256, .. })), "{set:?}");
    assert_eq!(failed, ["cuMemAlloc_v2"; 2]);
    fail_calls("cuMemAlloc:1=CUDA_ERROR_OUT_OF_MEMORY").unwrap();
    let set = NUMBERS.set(&[7; 64]);
    assert_eq!(calls_made().1, ["cuMemAlloc_v2"]);
    set.unwrap();
    assert_eq!(NUMBERS.get().unwrap(), [7; 64]);
    eprintln!("all cases checked");
}
