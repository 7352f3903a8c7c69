//! Functions that the host library does not call, but other programs do: the older forms of copies and fills, the stack of
//! contexts, descriptors.

use super::*;
use crate::device::on_gpu;
use std::ptr::{null_mut, without_provenance_mut};

const INVALID_CONTEXT: c_int = 201;
const ILLEGAL_STATE: c_int = 401;
const TOO_LARGE: c_int = 720;

/// The end of a flat copy; `at` is the column in bytes and the row.
fn end(kind: CUmemorytype, address: u64, pitch: usize, at: (usize, usize)) -> CUmemcpyEnd2D {
    let (x, y) = at;
    let host = without_provenance_mut(address as usize);
    let array = CUarray(host);
    let (host, device, array) = match kind {
        CU_MEMORYTYPE_HOST => (host, 0, CUarray::NULL),
        CU_MEMORYTYPE_ARRAY => (null_mut(), 0, array),
        _ => (null_mut(), address, CUarray::NULL),
    };
    CUmemcpyEnd2D { x, y, kind, host, device, array, pitch }
}

/// A flat copy by one of the functions that make them.
type FlatCopy = (&'static str, fn(&CUmemcpy2D) -> c_int);

const FLAT_COPIES: [FlatCopy; 3] = [
    ("cuMemcpy2D_v2", |copy| driver!(cuMemcpy2D_v2(copy => *const CUmemcpy2D))),
    ("cuMemcpy2DUnaligned_v2", |copy| driver!(cuMemcpy2DUnaligned_v2(copy => *const CUmemcpy2D))),
    ("cuMemcpy2DAsync_v2", |copy| {
        let code = driver!(cuMemcpy2DAsync_v2(copy => *const CUmemcpy2D, 0 => usize));
        if code == 0 { driver!(cuStreamSynchronize(0 => usize)) } else { code }
    }),
];

#[test]
fn flat_copies_move_boxes_between_all_kinds_of_memory() {
    let _turn = turn();
    let device = Device::new();
    // Rows of five bytes: 1 2 3 4 5, 6 7 8 9 10, ..
    let host: Vec<u8> = (1..=20).collect();
    let host_at = host.as_ptr().expose_provenance() as u64;
    for (name, copy) in FLAT_COPIES {
        let memory = device.upload(&[0; 64]);
        let array = array_of([4, 3, 0], CU_AD_FORMAT_UNSIGNED_INT8, 1, 0);
        let mut back = [0u8; 12];
        let back_at = back.as_mut_ptr().expose_provenance() as u64;
        // Three bytes of each of two rows: from the host to the device, to an array, to another place of the device, to
        // the host.
        let box_of = |from, to| CUmemcpy2D { from, to, width: 3, height: 2 };
        let (on_host, on_device) = (CU_MEMORYTYPE_HOST, CU_MEMORYTYPE_DEVICE);
        let steps = [
            (end(on_host, host_at, 5, (1, 2)), end(on_device, memory, 16, (2, 1))),
            (end(on_device, memory, 16, (2, 1)), end(CU_MEMORYTYPE_ARRAY, array, 0, (1, 1))),
            (end(CU_MEMORYTYPE_ARRAY, array, 0, (1, 1)), end(on_device, memory, 16, (9, 0))),
            (end(CU_MEMORYTYPE_UNIFIED, memory, 16, (9, 0)), end(on_host, back_at, 4, (0, 1))),
        ];
        for (step, (from, to)) in steps.into_iter().enumerate() {
            assert_eq!(copy(&box_of(from, to)), 0, "{name}, step {step}");
        }
        let mut expected = [0u8; 64];
        for (row, bytes) in [[12, 13, 14], [17, 18, 19]].into_iter().enumerate() {
            expected[16 * (row + 1) + 2..][..3].copy_from_slice(&bytes);
            expected[16 * row + 9..][..3].copy_from_slice(&bytes);
        }
        assert_eq!(device.download(memory, 64), expected, "{name}");
        assert_eq!(back, [0, 0, 0, 0, 12, 13, 14, 0, 17, 18, 19, 0], "{name}");
        // A row that is longer than its pitch; a box that sticks out of the array; no such array.
        let wrong = [
            (end(on_host, host_at, 2, (0, 0)), end(on_device, memory, 16, (0, 0))),
            (end(on_host, host_at, 5, (0, 0)), end(on_device, memory, 2, (0, 0))),
            (end(on_host, host_at, 5, (0, 0)), end(CU_MEMORYTYPE_ARRAY, array, 0, (2, 0))),
            (end(on_host, host_at, 5, (0, 0)), end(CU_MEMORYTYPE_ARRAY, array, 0, (0, 2))),
        ];
        for (case, (from, to)) in wrong.into_iter().enumerate() {
            assert_eq!(copy(&box_of(from, to)), INVALID_VALUE, "{name}, case {case}");
        }
        assert_eq!(driver!(cuArrayDestroy(array as usize => usize)), 0);
        device.free(memory);
    }
}

#[test]
fn copies_find_out_where_addresses_are() {
    let _turn = turn();
    let device = Device::new();
    let mut pinned = null_mut::<c_void>();
    assert_eq!(driver!(cuMemAllocHost_v2(&mut pinned => *mut *mut c_void, 8 => usize)), 0);
    let host = pinned.expose_provenance() as u64;
    // SAFETY: eight bytes of ours, which no copy uses meanwhile; so below.
    let read = || unsafe { pinned.cast::<[u8; 8]>().read() };
    type Copy = fn(u64, u64, usize) -> c_int;
    let copies: [(&str, Copy); 2] = [
        ("cuMemcpy", |to, from, size| driver!(cuMemcpy(to => u64, from => u64, size => usize))),
        ("cuMemcpyAsync", |to, from, size| {
            let code = driver!(cuMemcpyAsync(
                to => u64, from => u64, size => usize, 0 => usize,
            ));
            if code == 0 { driver!(cuStreamSynchronize(0 => usize)) } else { code }
        }),
    ];
    for (name, copy) in copies {
        let (first, second) = (device.upload(&[1, 2, 3, 4, 5, 6, 7, 8]), device.upload(&[9; 8]));
        // SAFETY: as above.
        unsafe { pinned.cast::<[u8; 8]>().write([0; 8]) };
        assert_eq!(copy(second + 1, first + 2, 4), 0, "{name}: device to device");
        assert_eq!(device.download(second, 8), [9, 3, 4, 5, 6, 9, 9, 9], "{name}");
        assert_eq!(copy(host + 3, second, 5), 0, "{name}: device to host");
        assert_eq!(read(), [0, 0, 0, 9, 3, 4, 5, 6], "{name}");
        assert_eq!(copy(first, host + 2, 3), 0, "{name}: host to device");
        assert_eq!(device.download(first, 8), [0, 9, 3, 4, 5, 6, 7, 8], "{name}");
        assert_eq!(copy(host, host + 4, 4), 0, "{name}: host to host");
        assert_eq!(read(), [3, 4, 5, 6, 3, 4, 5, 6], "{name}");
        device.free(first);
        device.free(second);
    }
    assert_eq!(driver!(cuMemFreeHost(pinned => *mut c_void)), 0);
}

#[test]
fn plain_fills_write_their_elements_and_no_others() {
    let _turn = turn();
    let device = Device::new();
    /// Fills from a byte on.
    type Fill = fn(u64) -> c_int;
    /// What it is called, where it begins, what 32 bytes of ones are then.
    type Case = (&'static str, Fill, u64, [u8; 32]);
    const fn ones(at: &[(usize, u8)]) -> [u8; 32] {
        let mut bytes = [1; 32];
        let mut i = 0;
        while i < at.len() {
            bytes[at[i].0] = at[i].1;
            i += 1;
        }
        bytes
    }
    const CASES: [Case; 3] = [
        (
            "cuMemsetD16_v2",
            |to| driver!(cuMemsetD16_v2(to => u64, 0x0203 => u16, 2 => usize)),
            4,
            ones(&[(4, 3), (5, 2), (6, 3), (7, 2)]),
        ),
        (
            "cuMemsetD2D8_v2",
            |to| {
                driver!(cuMemsetD2D8_v2(
                    to => u64, 8 => usize, 5 => u8, 2 => usize, 3 => usize,
                ))
            },
            3,
            ones(&[(3, 5), (4, 5), (11, 5), (12, 5), (19, 5), (20, 5)]),
        ),
        (
            "cuMemsetD2D32_v2",
            |to| {
                driver!(cuMemsetD2D32_v2(
                    to => u64, 12 => usize, 0x0a0b_0c0d => u32, 1 => usize, 2 => usize,
                ))
            },
            8,
            ones(&[(8, 13), (9, 12), (10, 11), (11, 10), (20, 13), (21, 12), (22, 11), (23, 10)]),
        ),
    ];
    for (name, fill, at, expected) in CASES {
        let memory = device.upload(&[1; 32]);
        assert_eq!(fill(memory + at), 0, "{name}");
        assert_eq!(device.download(memory, 32), expected, "{name}");
        // Elements of several bytes must be aligned.
        if name != "cuMemsetD2D8_v2" {
            assert_eq!(fill(memory + 1), INVALID_VALUE, "{name}");
        }
        assert_eq!(device.download(memory, 32), expected, "{name}");
        device.free(memory);
    }
}

/// An array by `cuArray3DCreate`.
fn array_of(size: [usize; 3], format: CUarray_format, channels: u32, flags: u32) -> u64 {
    let [width, height, depth] = size;
    let descriptor = CUarray3DDescriptor { width, height, depth, format, channels, flags };
    let mut array = 0usize;
    let code = driver!(cuArray3DCreate_v2(
        &mut array => *mut usize, &descriptor => *const CUarray3DDescriptor,
    ));
    assert_eq!(code, 0, "{descriptor:?}");
    array as u64
}

#[test]
fn arrays_say_what_they_are() {
    let _turn = turn();
    let _device = Device::new();
    let (one, two) = (CU_AD_FORMAT_UNSIGNED_INT16, CU_AD_FORMAT_FLOAT);
    let flat = [([8, 0], one, 1), ([7, 3], two, 4), ([1, 1], CU_AD_FORMAT_SIGNED_INT8, 2)];
    for ([width, height], format, channels) in flat {
        let given = CUarrayDescriptor { width, height, format, channels };
        let mut array = 0usize;
        let code = driver!(cuArrayCreate_v2(
            &mut array => *mut usize, &given => *const CUarrayDescriptor,
        ));
        assert_eq!(code, 0, "{given:?}");
        let mut found = CUarrayDescriptor { width: 9, height: 9, format: 9, channels: 9 };
        let code = driver!(cuArrayGetDescriptor_v2(
            &mut found => *mut CUarrayDescriptor, array => usize,
        ));
        assert_eq!((code, found), (0, given));
        assert_eq!(driver!(cuArrayDestroy(array => usize)), 0);
    }
    let deep = [
        ([8, 0, 0], 0),
        ([8, 4, 0], CUDA_ARRAY3D_SURFACE_LDST),
        ([8, 4, 2], 0),
        ([8, 0, 5], CUDA_ARRAY3D_LAYERED),
        ([8, 4, 5], CUDA_ARRAY3D_LAYERED),
        ([8, 8, 6], CUDA_ARRAY3D_CUBEMAP),
        ([8, 8, 12], CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_LAYERED),
    ];
    for ([width, height, depth], flags) in deep {
        let (format, channels) = (one, 2);
        let given = CUarray3DDescriptor { width, height, depth, format, channels, flags };
        let array = array_of([width, height, depth], format, channels, flags) as usize;
        let mut found = CUarray3DDescriptor { width: 9, channels: 9, ..given };
        let code = driver!(cuArray3DGetDescriptor_v2(
            &mut found => *mut CUarray3DDescriptor, array => usize,
        ));
        assert_eq!((code, found), (0, given));
        assert_eq!(driver!(cuArrayDestroy(array => usize)), 0);
    }
    let given = CUarrayDescriptor { width: 0, height: 3, format: one, channels: 1 };
    let wrong = [given, CUarrayDescriptor { width: 4, channels: 3, ..given }];
    for wrong in wrong {
        let mut array = 0usize;
        let code = driver!(cuArrayCreate_v2(
            &mut array => *mut usize, &wrong => *const CUarrayDescriptor,
        ));
        assert_eq!(code, INVALID_VALUE, "{wrong:?}");
    }
}

#[test]
fn rows_of_arrays_are_copied_from_and_to_the_host() {
    let _turn = turn();
    let _device = Device::new();
    let array = array_of([8, 0, 0], CU_AD_FORMAT_UNSIGNED_INT16, 1, 0) as usize;
    let to_array = |offset: usize, bytes: &[u8]| {
        driver!(cuMemcpyHtoA_v2(
            array => usize, offset => usize, bytes.as_ptr().cast() => *const c_void,
            bytes.len() => usize,
        ))
    };
    let from_array = |offset: usize, bytes: &mut [u8]| {
        driver!(cuMemcpyAtoH_v2(
            bytes.as_mut_ptr().cast() => *mut c_void, array => usize, offset => usize,
            bytes.len() => usize,
        ))
    };
    assert_eq!(to_array(0, &[0; 16]), 0);
    assert_eq!(to_array(4, &[1, 2, 3, 4, 5, 6]), 0);
    let mut all = [9; 16];
    assert_eq!(from_array(0, &mut all), 0);
    assert_eq!(all, [0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 0, 0, 0, 0, 0, 0]);
    let mut part = [9; 4];
    assert_eq!(from_array(8, &mut part), 0);
    assert_eq!(part, [5, 6, 0, 0]);
    // Beyond the end; and where it begins at the end.
    assert_eq!(to_array(12, &[7; 6]), INVALID_VALUE);
    assert_eq!(from_array(16, &mut part), INVALID_VALUE);
    assert_eq!(part, [5, 6, 0, 0]);
    assert_eq!(driver!(cuArrayDestroy(array => usize)), 0);
}

#[test]
fn contexts_are_a_stack() {
    let _turn = turn();
    // On a thread of its own, whose stack is empty.
    let thread = std::thread::spawn(|| {
        let mut context = 77usize;
        let pop = |context: &mut usize| driver!(cuCtxPopCurrent_v2(context => *mut usize));
        let current = || {
            let mut context = 77usize;
            assert_eq!(driver!(cuCtxGetCurrent(&mut context => *mut usize)), 0);
            context
        };
        assert_eq!(driver!(cuInit(0 => c_uint)), 0);
        assert_eq!((pop(&mut context), current()), (INVALID_CONTEXT, 0));
        let mut flags: c_uint = 9;
        assert_eq!(driver!(cuCtxGetFlags(&mut flags => *mut c_uint)), INVALID_CONTEXT);
        let retain =
            |to: &mut usize| driver!(cuDevicePrimaryCtxRetain(to => *mut usize, 0 => c_int));
        assert_eq!(retain(&mut context), 0);
        // Retained, but not current.
        assert_eq!(current(), 0);
        for depth in 0..3 {
            let code = driver!(cuCtxPushCurrent_v2(context => usize));
            assert_eq!((code, current()), (0, context), "{depth}");
        }
        // How the host waits.
        assert_eq!(driver!(cuCtxGetFlags(&mut flags => *mut c_uint)), 0);
        let mut of_device = (9, 9);
        let code = driver!(cuDevicePrimaryCtxGetState(
            0 => c_int, &mut of_device.0 => *mut c_uint, &mut of_device.1 => *mut c_int,
        ));
        let mask = CU_CTX_SCHED_MASK;
        assert_eq!((code, flags & mask, of_device.1), (0, of_device.0 & mask, 1));
        // The version of contexts' capabilities, as the documentation says: not that of the driver.
        let api_version = |of: usize| {
            let mut version = 0;
            (driver!(cuCtxGetApiVersion(of => usize, &mut version => *mut c_uint)), version)
        };
        assert_eq!((api_version(context), api_version(0)), ((0, 3020), (0, 3020)));
        for left in [context, context, 0] {
            let mut popped = 0usize;
            let code = pop(&mut popped);
            assert_eq!((code, popped, current()), (0, context, left));
        }
        assert_eq!((pop(&mut 0), api_version(0).0), (INVALID_CONTEXT, INVALID_CONTEXT));
        if !on_gpu() {
            // A driver follows any pointer.
            assert_eq!(api_version(12345).0, INVALID_CONTEXT);
        }
        // Replaces what is on top; none takes it away.
        for next in [context, context, 0] {
            let code = driver!(cuCtxSetCurrent(next => usize));
            assert_eq!((code, current()), (0, next));
        }
        assert_eq!(driver!(cuDevicePrimaryCtxRelease_v2(0 => c_int)), 0);
    });
    thread.join().unwrap();
}

/// In a process of its own: the last release destroys what all others use.
#[test]
fn the_last_release_destroys_the_primary_context() {
    if !device::is_child() {
        device::run_child("others::the_last_release_destroys_the_primary_context", &[]);
        return;
    }
    let release = || driver!(cuDevicePrimaryCtxRelease_v2(0 => c_int));
    let is_active = || {
        let (mut flags, mut active) = (0, 9);
        let code = driver!(cuDevicePrimaryCtxGetState(
            0 => c_int, &mut flags => *mut c_uint, &mut active => *mut c_int,
        ));
        assert_eq!(code, 0);
        active
    };
    assert_eq!(driver!(cuInit(0 => c_uint)), 0);
    assert_eq!(is_active(), 0);
    assert_eq!(release(), INVALID_CONTEXT);
    let (first, _second) = (Device::new(), Device::new());
    let memory = first.upload(&[1, 2, 3]);
    let array = array_of([4, 2, 0], CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SURFACE_LDST);
    let resource = CUresourceDescriptor::new(CU_RESOURCE_TYPE_ARRAY, [array, 0, 0, 0, 0]);
    let mut surface = 0u64;
    let code = driver!(cuSurfObjectCreate(
        &mut surface => *mut u64, &resource => *const CUresourceDescriptor,
    ));
    assert_eq!(code, 0);
    assert_eq!((release(), is_active()), (0, 1));
    assert_eq!(first.download(memory, 3), [1, 2, 3]);
    assert_eq!((release(), is_active()), (0, 0));
    assert_eq!(release(), INVALID_CONTEXT);
    let _again = Device::new();
    let mut bytes = [9u8; 3];
    let code = driver!(cuMemcpyDtoH_v2(
        bytes.as_mut_ptr().cast() => *mut c_void, memory => u64, 3 => usize,
    ));
    assert_eq!((code, bytes), (INVALID_VALUE, [9; 3]));
    if !on_gpu() {
        let mut found = resource;
        let code = driver!(cuSurfObjectGetResourceDesc(
            &mut found => *mut CUresourceDescriptor, surface => u64,
        ));
        assert_eq!(code, INVALID_VALUE);
        let left = ptyx_emulator::driver::live();
        assert_eq!((left.objects, left.arrays, left.allocations), (0, 0, 0));
    }
}

#[test]
fn older_questions_have_the_answers_of_the_newer_ones() {
    let _turn = turn();
    let device = Device::new();
    let (mut major, mut minor) = (0, 0);
    let code = driver!(cuDeviceComputeCapability(
        &mut major => *mut c_int, &mut minor => *mut c_int, 0 => c_int,
    ));
    assert_eq!(code, 0);
    let attribute = |id: c_int| {
        let mut value = 0;
        let code = driver!(cuDeviceGetAttribute(
            &mut value => *mut c_int, id => c_int, 0 => c_int,
        ));
        assert_eq!(code, 0);
        value
    };
    let newer = [
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
    ];
    assert_eq!([major, minor], newer.map(attribute));
    let code = driver!(cuDeviceComputeCapability(
        &mut major => *mut c_int, &mut minor => *mut c_int, 99 => c_int,
    ));
    assert_eq!(code, 101, "no such device");
    let mut mode = 0;
    assert_eq!(driver!(cuModuleGetLoadingMode(&mut mode => *mut c_int)), 0);
    // A driver loads code lazily (2) unless a variable says otherwise.
    assert!(mode == 1 || on_gpu() && mode == 2, "{mode}");

    let module = device.load(MODULE).expect("it assembles");
    for (name, threads, shared) in [("limited", 64, 0), ("store", 1024, 0), ("store", 128, 40_000)]
    {
        let kernel = device.function(module, name).expect("the kernel");
        let mut plain = -1;
        let code = driver!(cuOccupancyMaxActiveBlocksPerMultiprocessor(
            &mut plain => *mut c_int, kernel => usize, threads => c_int, shared => usize,
        ));
        assert_eq!(code, 0);
        let with_flags = |flags: c_uint| {
            let mut blocks = -1;
            let code = driver!(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
                &mut blocks => *mut c_int, kernel => usize, threads => c_int, shared => usize,
                flags => c_uint,
            ));
            (code, blocks)
        };
        // A multiprocessor of compute capability 9.0 holds 2048 threads, 32 blocks and 228 KiB of shared memory, of which
        // each block takes one more.
        if (major, minor) == (9, 0) {
            let by_shared = if shared > 0 { 228 * 1024 / (shared as c_int + 1024) } else { 32 };
            assert_eq!(plain, (2048 / threads).min(by_shared), "{name}");
        }
        // The second flag is about devices that cache global memory where older ones did not.
        assert_eq!((with_flags(0), with_flags(1)), ((0, plain), (0, plain)), "{name}");
        assert_eq!(with_flags(2).0, INVALID_VALUE, "{name}");
    }
    assert_eq!(driver!(cuModuleUnload(module => usize)), 0);
}

/// Each block says that it is there, and waits until all are.
const MEET: &str = r"
.version 7.0
.target sm_70
.address_size 64
.visible .entry meet(.param .u64 counter)
{
    .reg .pred %p<2>;
    .reg .b32 %r<4>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [counter];
    mov.u32 %r1, %nctaid.x;
    atom.global.add.u32 %r2, [%rd1], 1;
wait:
    ld.volatile.global.u32 %r3, [%rd1];
    setp.lt.u32 %p1, %r3, %r1;
    @%p1 bra wait;
    red.global.add.u32 [%rd1+4], 1;
    ret;
}
";

#[test]
fn blocks_of_a_cooperative_launch_run_at_once() {
    let _turn = turn();
    let device = Device::new();
    let module = device.load(MEET).expect("it assembles");
    let meet = device.function(module, "meet").expect("the kernel");
    let counter = device.upload(&[0; 8]);
    let launch = |blocks: c_uint| {
        let mut address = counter;
        let mut params = [(&raw mut address).cast::<c_void>()];
        driver!(cuLaunchCooperativeKernel(
            meet => usize, blocks => c_uint, 1 => c_uint, 1 => c_uint, 1 => c_uint, 1 => c_uint,
            1 => c_uint, 0 => c_uint, 0 => usize, params.as_mut_ptr() => *mut *mut c_void,
        ))
    };
    assert_eq!((launch(40), device.synchronize()), (0, 0));
    let counts: Vec<u8> = [40u32, 40].into_iter().flat_map(u32::to_le_bytes).collect();
    assert_eq!(device.download(counter, 8), counts);
    // More than the device can hold at a time.
    assert_eq!(launch(1 << 20), TOO_LARGE);
    assert_eq!(device.download(counter, 8), counts);
    device.free(counter);
    assert_eq!(driver!(cuModuleUnload(module => usize)), 0);
}

#[test]
fn textures_and_surfaces_say_what_they_were_made_of() {
    let _turn = turn();
    let _device = Device::new();
    let array = array_of([4, 2, 0], CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SURFACE_LDST);
    let given = CUresourceDescriptor::new(CU_RESOURCE_TYPE_ARRAY, [array, 0, 0, 0, 0]);
    let sampling = CUtextureDescriptor {
        address: [CU_TR_ADDRESS_MODE_BORDER, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_CLAMP],
        filter: CU_TR_FILTER_MODE_LINEAR,
        flags: CU_TRSF_NORMALIZED_COORDINATES,
        max_anisotropy: 4,
        mip_filter: CU_TR_FILTER_MODE_POINT,
        mip_bias: 0.5,
        mip_min: 0.25,
        mip_max: 3.0,
        border: [1.0, 2.0, 3.0, 4.0],
        reserved: [0; 12],
    };
    let blank = || CUresourceDescriptor::new(9, [9; 5]);
    let (mut texture, mut surface) = (0u64, 0u64);
    let code = driver!(cuTexObjectCreate(
        &mut texture => *mut u64, &given => *const CUresourceDescriptor,
        &sampling => *const CUtextureDescriptor, null_mut() => *mut c_void,
    ));
    assert_eq!(code, 0);
    let code = driver!(cuSurfObjectCreate(
        &mut surface => *mut u64, &given => *const CUresourceDescriptor,
    ));
    assert_eq!(code, 0);
    let of_texture = |object: u64| {
        let mut found = blank();
        let code = driver!(cuTexObjectGetResourceDesc(
            &mut found => *mut CUresourceDescriptor, object => u64,
        ));
        (code, found.kind, found.words[0])
    };
    let of_surface = |object: u64| {
        let mut found = blank();
        let code = driver!(cuSurfObjectGetResourceDesc(
            &mut found => *mut CUresourceDescriptor, object => u64,
        ));
        (code, found.kind, found.words[0])
    };
    assert_eq!(of_texture(texture), (0, CU_RESOURCE_TYPE_ARRAY, array));
    assert_eq!(of_surface(surface), (0, CU_RESOURCE_TYPE_ARRAY, array));
    let mut found = CUtextureDescriptor { mip_bias: 9.0, max_anisotropy: 9, ..sampling };
    let code = driver!(cuTexObjectGetTextureDesc(
        &mut found => *mut CUtextureDescriptor, texture => u64,
    ));
    assert_eq!((code, found), (0, sampling));
    assert_eq!(driver!(cuTexObjectDestroy(texture => u64)), 0);
    assert_eq!(driver!(cuSurfObjectDestroy(surface => u64)), 0);
    if !on_gpu() {
        // Numbers that mean nothing (any more).
        for object in [texture, surface, 0] {
            assert_eq!(
                (of_texture(object).0, of_surface(object).0),
                (INVALID_VALUE, INVALID_VALUE)
            );
        }
    }
    assert_eq!(driver!(cuArrayDestroy(array as usize => usize)), 0);
}

#[test]
fn a_capture_goes_on_after_other_nodes() {
    let _turn = turn();
    let device = Device::new();
    let memory = device.upload(&[0; 4]);
    let stream = device::new_stream();
    let update = |nodes: &mut [usize], flags: c_uint| {
        driver!(cuStreamUpdateCaptureDependencies(
            stream => usize, nodes.as_mut_ptr() => *mut usize, nodes.len() => usize,
            flags => c_uint,
        ))
    };
    let fill = |value: u8| {
        driver!(cuMemsetD8Async(
            memory + u64::from(value) => u64, value => u8, 1 => usize, stream => usize,
        ))
    };
    // The nodes after which the stream's next work goes.
    let after = || {
        let (mut status, mut id, mut graph) = (9, 0u64, 0usize);
        let (mut nodes, mut count) = (std::ptr::null::<usize>(), 9usize);
        let code = driver!(cuStreamGetCaptureInfo_v2(
            stream => usize, &mut status => *mut c_uint, &mut id => *mut u64,
            &mut graph => *mut usize, &mut nodes => *mut *const usize, &mut count => *mut usize,
        ));
        assert_eq!((code, status), (0, 1));
        // SAFETY: the driver's list, which is there until the stream is used again.
        unsafe { std::slice::from_raw_parts(nodes, count) }.to_vec()
    };
    let (add, set) = (0, CU_STREAM_SET_CAPTURE_DEPENDENCIES);
    assert_eq!(update(&mut [], add), ILLEGAL_STATE);
    assert_eq!(update(&mut [], set), ILLEGAL_STATE);
    assert_eq!(driver!(cuStreamBeginCapture_v2(stream => usize, 0 => c_uint)), 0);
    assert_eq!(fill(1), 0);
    let first = after();
    assert_eq!(first.len(), 1);
    if !on_gpu() {
        // A driver follows any pointer.
        assert_eq!(update(&mut [1], set), INVALID_VALUE);
    }
    // A root: after nothing.
    assert_eq!(update(&mut [], 2), INVALID_VALUE);
    assert_eq!(
        driver!(cuStreamUpdateCaptureDependencies(
            stream => usize, null_mut() => *mut usize, 0 => usize, set => c_uint,
        )),
        0
    );
    assert_eq!(after(), []);
    assert_eq!(fill(2), 0);
    let second = after();
    assert!(second.len() == 1 && second != first);
    // After both.
    assert_eq!(update(&mut first.clone(), add), 0);
    assert_eq!(after().len(), 2);
    assert_eq!(fill(3), 0);
    let third = after();
    let mut graph = 0usize;
    assert_eq!(driver!(cuStreamEndCapture(stream => usize, &mut graph => *mut usize)), 0);
    let (mut from, mut to, mut count) = ([0usize; 4], [0usize; 4], 4usize);
    let code = driver!(cuGraphGetEdges(
        graph => usize, from.as_mut_ptr() => *mut usize, to.as_mut_ptr() => *mut usize,
        &mut count => *mut usize,
    ));
    assert_eq!((code, count), (0, 2));
    let mut edges = [(from[0], to[0]), (from[1], to[1])];
    let mut expected = [(first[0], third[0]), (second[0], third[0])];
    edges.sort_unstable();
    expected.sort_unstable();
    assert_eq!(edges, expected);
    assert_eq!(update(&mut [], set), ILLEGAL_STATE);
    assert_eq!(driver!(cuGraphDestroy(graph => usize)), 0);
    device.free(memory);
}
