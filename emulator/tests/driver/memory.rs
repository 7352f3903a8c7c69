//! Kinds of memory, and copies and fills of several dimensions.

use super::*;
use std::ptr::null_mut;

/// An end of a copy in device memory.
fn on_device(device: u64, pitch: usize, height: usize) -> CUmemcpyEnd3D {
    CUmemcpyEnd3D { kind: CU_MEMORYTYPE_DEVICE, device, pitch, height, ..on_host(null_mut(), 0, 0) }
}

fn on_host(host: *mut c_void, pitch: usize, height: usize) -> CUmemcpyEnd3D {
    CUmemcpyEnd3D {
        x: 0,
        y: 0,
        z: 0,
        level: 0,
        kind: CU_MEMORYTYPE_HOST,
        host,
        device: 0,
        array: CUarray::NULL,
        reserved: null_mut(),
        pitch,
        height,
    }
}

#[test]
fn pitched_memory_is_filled_and_copied_by_boxes() {
    let _turn = turn();
    let device = Device::new();
    let (mut address, mut pitch) = (0u64, 0usize);
    let allocate = |address: &mut u64, pitch: &mut usize, width: usize, element: c_uint| {
        driver!(cuMemAllocPitch_v2(
            address => *mut u64, pitch => *mut usize, width => usize, 6 => usize, element => c_uint,
        ))
    };
    assert_eq!(allocate(&mut address, &mut pitch, 10, 3), INVALID_VALUE);
    assert_eq!(allocate(&mut address, &mut pitch, 0, 4), INVALID_VALUE);
    assert_eq!(allocate(&mut address, &mut pitch, 513, 4), 0);
    assert_eq!(pitch, 1024);
    let rows = || -> Vec<Vec<u8>> {
        let bytes = device.download(address, 6 * 1024);
        bytes.chunks(1024).map(|row| row[..8].to_vec()).collect()
    };
    // Elements 1 and 2 of rows 1 to 3.
    assert_eq!(
        driver!(cuMemsetD2D16_v2(
            address + 1026 => u64, pitch => usize, 0x0102 => u16, 2 => usize, 3 => usize,
        )),
        0
    );
    let filled = vec![0, 0, 2, 1, 2, 1, 0, 0];
    assert_eq!(rows()[..5], [vec![0; 8], filled.clone(), filled.clone(), filled, vec![0; 8]]);
    // A pitch that is too small, or not aligned; beyond the end.
    for (to, pitch, width) in [(0, 2, 2), (0, 1023, 2), (1, 1024, 2), (0, 1024, 2048)] {
        let code = driver!(cuMemsetD2D16Async(
            address + to => u64, pitch => usize, 0 => u16, width => usize, 6 => usize, 0 => usize,
        ));
        assert_eq!(code, INVALID_VALUE, "{to} {pitch} {width}");
    }

    // Two planes of three rows; from a host's array of two planes of four rows of five bytes.
    let host: Vec<u8> = (1..=40).collect();
    let from = CUmemcpyEnd3D { x: 1, y: 2, ..on_host(host.as_ptr().cast_mut().cast(), 5, 4) };
    let to = CUmemcpyEnd3D { x: 3, y: 1, ..on_device(address, pitch, 3) };
    let copy = CUmemcpy3D { from, to, width: 4, height: 2, depth: 2 };
    assert_eq!(driver!(cuMemcpy3DAsync_v2(&copy => *const CUmemcpy3D, 0 => usize)), 0);
    let expected = [[12, 13, 14, 15], [17, 18, 19, 20], [32, 33, 34, 35], [37, 38, 39, 40]];
    let found = rows();
    for (row, expected) in [1, 2, 4, 5].into_iter().zip(expected) {
        assert_eq!(found[row][3..7], expected, "row {row}");
    }

    // The same way back, as a copy between devices that are one.
    let mut context = 0usize;
    assert_eq!(driver!(cuCtxGetCurrent(&mut context => *mut usize)), 0);
    let of = |end| CUmemcpyEnd3D { reserved: std::ptr::without_provenance_mut(context), ..end };
    let mut back = [0u8; 16];
    let into = on_host(back.as_mut_ptr().cast(), 4, 2);
    let copy = CUmemcpy3D { from: of(to), to: of(into), ..copy };
    assert_eq!(driver!(cuMemcpy3DPeer(&copy => *const CUmemcpy3D)), 0);
    assert_eq!(back, *expected.concat());
    // No context is the current one.
    let copy = CUmemcpy3D { to: into, ..copy };
    back.fill(0);
    assert_eq!(driver!(cuMemcpy3DPeerAsync(&copy => *const CUmemcpy3D, 0 => usize)), 0);
    assert_eq!(device.synchronize(), 0);
    assert_eq!(back, *expected.concat());
    // Beyond the end, and rows that overlap.
    for (pitch, width) in [(pitch, 1022), (3, 4)] {
        let to = CUmemcpyEnd3D { pitch, ..to };
        let copy = CUmemcpy3D { from, to, width, height: 2, depth: 2 };
        let code = driver!(cuMemcpy3D_v2(&copy => *const CUmemcpy3D));
        assert_eq!(code, INVALID_VALUE, "{pitch} {width}");
    }
    device.free(address);
}

#[test]
fn host_memory_is_registered_where_it_is() {
    const ALREADY_REGISTERED: c_int = 712;
    const NOT_REGISTERED: c_int = 713;
    let _turn = turn();
    let device = Device::new();
    let module = device.load(MODULE).unwrap();
    let mut numbers = vec![0u32; 30];
    let host = numbers.as_mut_ptr().wrapping_add(1).cast::<c_void>();
    let register = |host: *mut c_void, bytes: usize, flags: c_uint| driver!(cuMemHostRegister_v2(host => *mut c_void, bytes => usize, flags => c_uint));
    let flags_of = |host: *mut c_void| {
        let mut flags = 0;
        let code = driver!(cuMemHostGetFlags(&mut flags => *mut c_uint, host => *mut c_void));
        (code, flags)
    };
    assert_eq!(register(host, 0, 2), INVALID_VALUE);
    assert_eq!(register(null_mut(), 4, 2), INVALID_VALUE);
    assert_eq!(flags_of(host).0, INVALID_VALUE);
    assert_eq!(register(host, 28 * 4, 3), 0);
    assert_eq!(flags_of(host.wrapping_byte_add(8)), (0, 3));
    assert_eq!(register(host.wrapping_byte_add(100), 100, 2), ALREADY_REGISTERED);
    let mut address = 0u64;
    let place = host.wrapping_byte_add(12);
    let code = driver!(cuMemHostGetDevicePointer_v2(
        &mut address => *mut u64, place => *mut c_void, 0 => c_uint,
    ));
    assert_eq!((code, address % 16), (0, place.addr() as u64 % 16));
    assert_eq!(store(&device, module, address, 77), 0);
    assert_eq!(device.synchronize(), 0);
    assert_eq!(numbers[4], 77);
    assert_eq!(driver!(cuMemHostUnregister(place => *mut c_void)), INVALID_VALUE);
    assert_eq!(driver!(cuMemFreeHost(host => *mut c_void)), INVALID_VALUE);
    assert_eq!(driver!(cuMemHostUnregister(host => *mut c_void)), 0);
    assert_eq!(driver!(cuMemHostUnregister(host => *mut c_void)), NOT_REGISTERED);
    // The address is nobody's now.
    assert_eq!(store(&device, module, address, 78), 0);
    assert_ne!(device.synchronize(), 0);
    assert_eq!(numbers[4], 77);

    let mut owned = null_mut::<c_void>();
    assert_eq!(driver!(cuMemHostAlloc(&mut owned => *mut *mut c_void, 5 => usize, 4 => c_uint)), 0);
    assert_eq!(flags_of(owned), (0, 4));
    assert_eq!(driver!(cuMemHostUnregister(owned => *mut c_void)), NOT_REGISTERED);
    assert_eq!(driver!(cuMemFreeHost(owned => *mut c_void)), 0);
}

#[test]
fn managed_memory_is_the_hosts_and_the_devices() {
    const INVALID_DEVICE: c_int = 101;
    let _turn = turn();
    let device = Device::new();
    let module = device.load(MODULE).unwrap();
    let allocate = |address: &mut u64, bytes: usize, flags: c_uint| driver!(cuMemAllocManaged(address => *mut u64, bytes => usize, flags => c_uint));
    let mut address = 0u64;
    assert_eq!(allocate(&mut address, 0, 1), INVALID_VALUE);
    assert_eq!(allocate(&mut address, 8, 4), INVALID_VALUE);
    assert_eq!(allocate(&mut address, 10_000, 1), 0);
    assert_eq!(store(&device, module, address + 400, 77), 0);
    assert_eq!(device.synchronize(), 0);
    let host = std::ptr::with_exposed_provenance_mut::<u32>(address as usize);
    // SAFETY: the memory is the host's, too, and nothing runs.
    assert_eq!(unsafe { host.add(100).read() }, 77);

    let advise = |from: u64, count: usize, advice: c_uint, device: c_int| {
        driver!(cuMemAdvise(
            from => u64, count => usize, advice => c_uint, device => c_int,
        ))
    };
    assert_eq!(advise(address, 10_001, 1, 0), INVALID_VALUE);
    assert_eq!(advise(address, 0, 1, 0), INVALID_VALUE);
    assert_eq!(advise(address, 100, 7, 0), INVALID_VALUE);
    assert_eq!(advise(address, 100, 3, 999), INVALID_DEVICE);
    assert_eq!(advise(address, 10_000, 3, -1), 0);
    assert_eq!(advise(address + 5000, 100, 3, 0), 0);
    assert_eq!(advise(address, 10_000, 5, 0), 0);
    let prefetch = |count: usize, device: c_int| {
        driver!(cuMemPrefetchAsync(
            address => u64, count => usize, device => c_int, 0 => usize,
        ))
    };
    assert_eq!(prefetch(10_000, 999), INVALID_DEVICE);
    assert_eq!(prefetch(20_000, 0), INVALID_VALUE);
    assert_eq!(prefetch(10_000, 0), 0);
    let ask = |attribute: c_uint, from: u64, count: usize, places: &mut [c_int]| {
        let (data, bytes) = (places.as_mut_ptr().cast::<c_void>(), size_of_val(places));
        driver!(cuMemRangeGetAttribute(
            data => *mut c_void, bytes => usize, attribute => c_uint, from => u64, count => usize,
        ))
    };
    let mut one = [7];
    assert_eq!((ask(2, address, 10_000, &mut one), one), (0, [-2]));
    assert_eq!((ask(2, address, 4096, &mut one), one), (0, [-1]));
    assert_eq!((ask(2, address + 4096, 4096, &mut one), one), (0, [0]));
    assert_eq!((ask(4, address, 10_000, &mut one), one), (0, [0]));
    assert_eq!((ask(1, address, 10_000, &mut one), one), (0, [0]));
    let mut three = [7; 3];
    assert_eq!((ask(3, address, 10_000, &mut three), three), (0, [0, -2, -2]));
    assert_eq!(ask(2, address, 10_000, &mut three), INVALID_VALUE);
    assert_eq!(ask(9, address, 10_000, &mut one), INVALID_VALUE);

    let attach = |length: usize, flags: c_uint| {
        driver!(cuStreamAttachMemAsync(
            0 => usize, address => u64, length => usize, flags => c_uint,
        ))
    };
    assert_eq!((attach(0, 2), attach(10_000, 1)), (0, 0));
    // Part of it; the default stream alone; nonsense.
    assert_eq!([attach(100, 1), attach(0, 4), attach(0, 3)], [INVALID_VALUE; 3]);

    // Memory type, whether it is managed, the host's address.
    let of = |address: u64| {
        let mut attributes = [2 as c_uint, 8, 4];
        let mut values = [9u64; 3];
        let mut places = values.each_mut().map(|value| std::ptr::from_mut(value).cast::<c_void>());
        let code = driver!(cuPointerGetAttributes(
            3 => c_uint, attributes.as_mut_ptr() => *mut c_uint, places.as_mut_ptr() => *mut *mut c_void,
            address => u64,
        ));
        (code, values.map(|value| value & 0xffff_ffff_ffff))
    };
    assert_eq!(of(address + 4), (0, [2, 1, address + 4]));
    let own = device.upload(&[0; 8]);
    assert_eq!(of(own), (0, [2, 0, 0]));
    assert_eq!(of(64), (0, [0, 0, 64]));
    device.free(own);
    assert_eq!(driver!(cuMemFree_v2(address => u64)), 0);
    assert_eq!(driver!(cuMemFree_v2(address => u64)), INVALID_VALUE);
    assert_eq!(advise(address, 1, 1, 0), INVALID_VALUE);
}
