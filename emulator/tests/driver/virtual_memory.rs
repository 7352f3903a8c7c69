//! Reserved addresses, and memory that is mapped there.

use super::*;

/// Bytes of which everything is a multiple.
const PIECE: usize = 2 << 20;

fn properties() -> CUmemAllocationProp {
    CUmemAllocationProp {
        kind: CU_MEM_ALLOCATION_TYPE_PINNED,
        handle_types: CU_MEM_HANDLE_TYPE_NONE,
        location: CUmemLocation { kind: CU_MEM_LOCATION_TYPE_DEVICE, id: 0 },
        metadata: std::ptr::null(),
        flags: [0; 8],
    }
}

fn reserve(size: usize) -> (c_int, u64) {
    let mut address = 0u64;
    let code = driver!(cuMemAddressReserve(
        &mut address => *mut u64, size => usize, 0 => usize, 0 => u64, 0 => u64,
    ));
    (code, address)
}

fn create(size: usize) -> (c_int, u64) {
    let mut memory = 0u64;
    let code = driver!(cuMemCreate(
        &mut memory => *mut u64, size => usize, &properties() => *const CUmemAllocationProp, 0 => u64,
    ));
    (code, memory)
}

fn map(address: u64, size: usize, memory: u64) -> c_int {
    driver!(cuMemMap(address => u64, size => usize, 0 => usize, memory => u64, 0 => u64))
}

fn set_access(address: u64, size: usize, flags: CUmemAccess_flags) -> c_int {
    let access = CUmemAccessDesc { location: properties().location, flags };
    driver!(cuMemSetAccess(
        address => u64, size => usize, &access => *const CUmemAccessDesc, 1 => usize,
    ))
}

fn unmap(address: u64, size: usize) -> c_int {
    driver!(cuMemUnmap(address => u64, size => usize))
}

#[test]
fn memory_is_mapped_at_reserved_addresses() {
    let _turn = turn();
    let device = Device::new();
    let mut granularity = 0usize;
    let code = driver!(cuMemGetAllocationGranularity(
        &mut granularity => *mut usize, &properties() => *const CUmemAllocationProp, 0 => c_uint,
    ));
    assert_eq!((code, granularity), (0, PIECE));
    assert_eq!((reserve(0).0, reserve(PIECE + 1).0), (INVALID_VALUE, INVALID_VALUE));
    assert_eq!((create(0).0, create(PIECE / 2).0), (INVALID_VALUE, INVALID_VALUE));
    let (code, base) = reserve(4 * PIECE);
    assert_eq!((code, base % PIECE as u64), (0, 0));
    let (code, memory) = create(2 * PIECE);
    assert_eq!(code, 0);
    // Not aligned, too large, beyond the range.
    assert_eq!(map(base + 1, PIECE, memory), INVALID_VALUE);
    assert_eq!(map(base, 3 * PIECE, memory), INVALID_VALUE);
    assert_eq!(map(base + 3 * PIECE as u64, 2 * PIECE, memory), INVALID_VALUE);
    let second = base + PIECE as u64;
    assert_eq!(map(second, 2 * PIECE, memory), 0);
    // Something is there already.
    assert_eq!(map(base, 2 * PIECE, memory), INVALID_VALUE);
    // Nobody may use it yet.
    let fill =
        |at: u64, count: usize| driver!(cuMemsetD32_v2(at => u64, 7 => c_uint, count => usize));
    assert_eq!(fill(second, 1), INVALID_VALUE);
    assert_eq!(set_access(second, PIECE, CU_MEM_ACCESS_FLAGS_PROT_READWRITE), INVALID_VALUE);
    assert_eq!(set_access(second, 2 * PIECE, CU_MEM_ACCESS_FLAGS_PROT_READWRITE), 0);
    assert_eq!(fill(second, 2 * PIECE / 4), 0);
    assert_eq!(fill(second - 4, 1), INVALID_VALUE);
    assert_eq!(fill(second, 2 * PIECE / 4 + 1), INVALID_VALUE);

    // The same memory in another place.
    let (_, other) = reserve(PIECE);
    assert_eq!(map(other, PIECE, memory), 0);
    assert_eq!(set_access(other, PIECE, CU_MEM_ACCESS_FLAGS_PROT_READ), 0);
    assert_eq!(device.download(other, 8), [7, 0, 0, 0, 7, 0, 0, 0]);
    let (mut flags, location) = (0u64, properties().location);
    let mut access = |at: u64| {
        let code = driver!(cuMemGetAccess(
            &mut flags => *mut u64, &location => *const CUmemLocation, at => u64,
        ));
        (code, flags)
    };
    assert_eq!(access(other + 5), (0, 1));
    assert_eq!(access(second + PIECE as u64), (0, 3));
    assert_eq!(access(base).0, INVALID_VALUE);

    // It lives as long as it is mapped, once it was released.
    let free = || {
        let (mut free, mut total) = (0usize, 0usize);
        assert_eq!(driver!(cuMemGetInfo_v2(&mut free => *mut usize, &mut total => *mut usize)), 0);
        free
    };
    let before = free();
    assert_eq!(driver!(cuMemRelease(memory => u64)), 0);
    assert_eq!(driver!(cuMemRelease(memory => u64)), INVALID_VALUE);
    assert_eq!(map(base, PIECE, memory), INVALID_VALUE);
    // Only whole mappings can be unmapped; addresses in use can't be given back.
    assert_eq!(unmap(second, PIECE), INVALID_VALUE);
    let give_back = |at: u64, size: usize| driver!(cuMemAddressFree(at => u64, size => usize));
    assert_eq!(give_back(base, 4 * PIECE), INVALID_VALUE);
    assert_eq!(unmap(second, 2 * PIECE), 0);
    assert_eq!(fill(second, 1), INVALID_VALUE);
    assert_eq!((free(), device.download(other + 4, 1)), (before, vec![7]));
    assert_eq!(unmap(other, PIECE), 0);
    assert_eq!(free(), before + 2 * PIECE);
    assert_eq!(give_back(base, PIECE), INVALID_VALUE);
    assert_eq!((give_back(base, 4 * PIECE), give_back(other, PIECE)), (0, 0));
    assert_eq!(give_back(base, 4 * PIECE), INVALID_VALUE);
}

/// A kernel may read what it may only read, and writes there are found.
#[test]
fn kernels_have_the_access_that_was_set() {
    if device::on_gpu() {
        // It would be lost after the first fault.
        return;
    }
    let _turn = turn();
    let device = Device::new();
    let module = device.load(MODULE).expect("it is right");
    let (_, base) = reserve(2 * PIECE);
    for at in [base, base + PIECE as u64] {
        let (_, memory) = create(PIECE);
        assert_eq!(map(at, PIECE, memory), 0);
        assert_eq!(set_access(at, PIECE, CU_MEM_ACCESS_FLAGS_PROT_READWRITE), 0);
        assert_eq!(driver!(cuMemRelease(memory => u64)), 0);
    }
    // Across the border of two mappings, which is none for copies.
    let border = base + PIECE as u64;
    assert_eq!(driver!(cuMemsetD8_v2(border - 2 => u64, 5 => u8, 4 => usize)), 0);
    assert_eq!(device.download(border - 3, 6), [0, 5, 5, 5, 5, 0]);
    let store = |to: u64| {
        assert_eq!(store(&device, module, to, 9), 0);
        device.synchronize()
    };
    assert_eq!(store(border), 0);
    assert_eq!(device.download(border, 4), [9, 0, 0, 0]);
    assert_eq!(set_access(border, PIECE, CU_MEM_ACCESS_FLAGS_PROT_READ), 0);
    assert_ne!(store(border), 0);
    assert_eq!(set_access(border, PIECE, CU_MEM_ACCESS_FLAGS_PROT_NONE), 0);
    assert_ne!(store(border), 0);
    assert_eq!(store(border - 4), 0);
    assert_eq!(unmap(base, 2 * PIECE), 0);
    assert_ne!(store(border - 4), 0);
    assert_eq!(driver!(cuMemAddressFree(base => u64, 2 * PIECE => usize)), 0);
}
