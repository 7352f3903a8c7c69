//! Memory, events and pools for other processes, memory of other libraries, and small queries. What two processes do with
//! them is tested with the host library.

use super::*;
use std::os::fd::AsRawFd;

const INVALID_CONTEXT: c_int = 201;
const NOT_SUPPORTED: c_int = 801;

#[test]
fn handles_of_memory_are_for_others() {
    let _turn = turn();
    let device = Device::new();
    let mut handle = CUipcMemHandle { bytes: [0; 64] };
    let mut get = |address: u64| {
        let code = driver!(cuIpcGetMemHandle(
            &mut handle => *mut CUipcMemHandle, address => u64,
        ));
        (code, handle)
    };
    let memory = device.upload(&[1, 2, 3, 4]);
    let (code, handle) = get(memory);
    assert_eq!((code, get(12345).0), (0, INVALID_VALUE));
    // Pooled memory has none.
    let mut pooled = 0u64;
    let code = driver!(cuMemAllocAsync(&mut pooled => *mut u64, 64 => usize, 0 => usize));
    assert_eq!((code, get(pooled).0), (0, INVALID_VALUE));
    let mut address = 0u64;
    let mut open = |handle: CUipcMemHandle, flags: c_uint| {
        driver!(cuIpcOpenMemHandle_v2(
            &mut address => *mut u64, handle => CUipcMemHandle, flags => c_uint,
        ))
    };
    assert_eq!(open(handle, 1), INVALID_CONTEXT);
    assert_eq!(open(handle, 0), INVALID_VALUE);
    assert_ne!(open(CUipcMemHandle { bytes: [7; 64] }, 1), 0);
    assert_eq!(driver!(cuIpcCloseMemHandle(memory => u64)), INVALID_VALUE);
    device.free(memory);
    assert_eq!(driver!(cuMemFree_v2(pooled => u64)), 0);
}

#[test]
fn handles_of_events_are_for_others() {
    let _turn = turn();
    let _device = Device::new();
    let (mut shared, mut own) = (0usize, 0usize);
    let flags = CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING;
    assert_eq!(driver!(cuEventCreate(&mut shared => *mut usize, flags => c_uint)), 0);
    assert_eq!(driver!(cuEventCreate(&mut own => *mut usize, 0 => c_uint)), 0);
    let mut handle = CUipcEventHandle { bytes: [0; 64] };
    let mut get = |event: usize| driver!(cuIpcGetEventHandle(&mut handle => *mut CUipcEventHandle, event => usize));
    assert_ne!(get(own), 0);
    assert_eq!(get(shared), 0);
    let mut opened = 0usize;
    let code = driver!(cuIpcOpenEventHandle(&mut opened => *mut usize, handle => CUipcEventHandle));
    assert_ne!(code, 0);
    assert_eq!(driver!(cuEventRecord(shared => usize, 0 => usize)), 0);
    assert_eq!(driver!(cuEventQuery(shared => usize)), 0);
    for event in [shared, own] {
        assert_eq!(driver!(cuEventDestroy_v2(event => usize)), 0);
    }
}

/// Nothing is allocated from a pool of others.
#[test]
fn pools_are_exported_and_imported() {
    let _turn = turn();
    let _device = Device::new();
    let create = |handle_types: CUmemAllocationHandleType| {
        let properties = CUmemPoolProps {
            kind: CU_MEM_ALLOCATION_TYPE_PINNED,
            handle_types,
            location: CUmemLocation { kind: CU_MEM_LOCATION_TYPE_DEVICE, id: 0 },
            security: std::ptr::null(),
            max_size: 0,
            reserved: [0; 56],
        };
        let mut pool = 0usize;
        let code = driver!(cuMemPoolCreate(
            &mut pool => *mut usize, (&raw const properties).cast() => *const c_void,
        ));
        assert_eq!(code, 0);
        pool
    };
    let pools = [CU_MEM_HANDLE_TYPE_NONE, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR].map(create);
    let allocate = |pool: usize| {
        let mut address = 0u64;
        let code = driver!(cuMemAllocFromPoolAsync(
            &mut address => *mut u64, 100 => usize, pool => usize, 0 => usize,
        ));
        (code, address)
    };
    let mut data = CUmemPoolPtrExportData { bytes: [0; 64] };
    let mut export_pointer = |address: u64| {
        let code = driver!(cuMemPoolExportPointer(
            &mut data => *mut CUmemPoolPtrExportData, address => u64,
        ));
        (code, data)
    };
    // Memory is exported only after its pool was, and by its start.
    let [(_, private), (_, address)] = pools.map(allocate);
    assert_eq!(export_pointer(address).0, INVALID_VALUE);
    let export = |pool: usize| {
        let mut file = -1;
        let code = driver!(cuMemPoolExportToShareableHandle(
            (&raw mut file).cast() => *mut c_void, pool => usize, 1 => c_int, 0 => u64,
        ));
        (code, file)
    };
    assert_eq!(export(pools[0]).0, INVALID_VALUE);
    let (code, file) = export(pools[1]);
    assert!(code == 0 && file >= 0);
    // SAFETY: a new file descriptor, which is ours.
    let file: std::fs::File = unsafe { std::os::fd::FromRawFd::from_raw_fd(file) };
    let codes = [private, address + 4, 12345].map(|address| export_pointer(address).0);
    assert_eq!(codes, [INVALID_VALUE; 3]);
    let (code, mut data) = export_pointer(address);
    assert_eq!(code, 0);
    if device::on_gpu() {
        // What imported pools refuse was not tried there.
        return;
    }
    let mut imported = 0usize;
    let number = file.as_raw_fd() as usize as *mut c_void;
    let code = driver!(cuMemPoolImportFromShareableHandle(
        &mut imported => *mut usize, number => *mut c_void, 1 => c_int, 0 => u64,
    ));
    assert_eq!(code, 0);
    assert_eq!(allocate(imported).0, INVALID_VALUE);
    let code = driver!(cuDeviceSetMemPool(0 => c_int, imported => usize));
    assert_eq!(code, INVALID_VALUE);
    assert_eq!(driver!(cuMemsetD8_v2(address => u64, 5 => u8, 100 => usize)), 0);
    let mut again = 0u64;
    let mut import = |pool: usize| {
        driver!(cuMemPoolImportPointer(
            &mut again => *mut u64, pool => usize, &mut data => *mut CUmemPoolPtrExportData,
        ))
    };
    assert_eq!(import(pools[1]), INVALID_VALUE);
    assert_eq!(import(imported), 0);
    // The same memory twice.
    assert_ne!(again, address);
    assert_eq!(Device::new().download(again + 98, 2), [5, 5]);
    for memory in [again, address, private] {
        assert_eq!(driver!(cuMemFreeAsync(memory => u64, 0 => usize)), 0);
    }
    for pool in [pools[0], pools[1], imported] {
        assert_eq!(driver!(cuMemPoolDestroy(pool => usize)), 0);
    }
}

#[test]
fn small_queries() {
    let _turn = turn();
    let device = Device::new();
    let module = device.load(MODULE).expect("it is right");
    let function = device.function(module, "limited").expect("the kernel");
    let set = |config: c_int| driver!(cuFuncSetSharedMemConfig(function => usize, config => c_int));
    assert_eq!((set(1), set(3)), (0, INVALID_VALUE));
    let most = |format: CUarray_format, channels: c_uint| {
        let mut most = 0usize;
        let code = driver!(cuDeviceGetTexture1DLinearMaxWidth(
            &mut most => *mut usize, format => c_uint, channels => c_uint, 0 => c_int,
        ));
        (code, most)
    };
    let (code, texels) = most(CU_AD_FORMAT_FLOAT, 1);
    assert!(code == 0 && texels >= 1 << 24, "{texels}");
    assert_eq!(most(CU_AD_FORMAT_FLOAT, 3).0, INVALID_VALUE);
    // With the memory that it says, as many blocks run, and no more.
    let available = |blocks: c_int| {
        let mut bytes = 0usize;
        let code = driver!(cuOccupancyAvailableDynamicSMemPerBlock(
            &mut bytes => *mut usize, function => usize, blocks => c_int, 64 => c_int,
        ));
        assert_eq!(code, 0);
        bytes
    };
    let active = |shared: usize| {
        let mut blocks = 0;
        let code = driver!(cuOccupancyMaxActiveBlocksPerMultiprocessor(
            &mut blocks => *mut c_int, function => usize, 64 => c_int, shared => usize,
        ));
        assert_eq!(code, 0);
        blocks
    };
    for blocks in [5, 7, 8] {
        let bytes = available(blocks);
        assert_eq!(active(bytes), blocks);
        assert!(active(bytes + 1024) < blocks);
    }
    if !device::on_gpu() {
        let flush = driver!(cuFlushGPUDirectRDMAWrites(0 => c_uint, 100 => c_uint));
        assert_eq!(flush, NOT_SUPPORTED);
        let destroyed = driver!(cuDestroyExternalMemory(12345 => usize));
        assert_eq!(destroyed, INVALID_HANDLE);
    }
}
