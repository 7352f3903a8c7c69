//! Sparse CUDA arrays: which memory their parts get.

use crate::constants::{CUarraySparseSubresourceType, CUmemOperationType, CUresourcetype};
use crate::types::CUmemGenericAllocationHandle;
use core::ffi::{c_uint, c_void};

/// A part of an array that gets memory, or loses it (`CUarrayMapInfo`).
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CUarrayMapInfo {
    /// [`CU_RESOURCE_TYPE_ARRAY`](crate::CU_RESOURCE_TYPE_ARRAY) or
    /// [`CU_RESOURCE_TYPE_MIPMAPPED_ARRAY`](crate::CU_RESOURCE_TYPE_MIPMAPPED_ARRAY).
    pub resource_type: CUresourcetype,
    /// The array.
    pub resource: *mut c_void,
    /// What `place` means.
    pub part: CUarraySparseSubresourceType,
    /// The part.
    pub place: CUarrayPlace,
    /// [`CU_MEM_OPERATION_TYPE_MAP`](crate::CU_MEM_OPERATION_TYPE_MAP) or
    /// [`CU_MEM_OPERATION_TYPE_UNMAP`](crate::CU_MEM_OPERATION_TYPE_UNMAP).
    pub operation: CUmemOperationType,
    /// 0 (`CU_MEM_HANDLE_TYPE_GENERIC`): memory from `cuMemCreate`.
    pub handle_type: c_uint,
    /// The memory; 0 to unmap.
    pub memory: CUmemGenericAllocationHandle,
    /// Where the part's memory begins: bytes from the memory's first byte.
    pub offset: u64,
    /// A mask with the bit of the stream's device.
    pub devices: c_uint,
    /// 0.
    pub flags: c_uint,
    /// 0.
    pub reserved: [c_uint; 2],
}

/// A part of an array: see its functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(8))]
pub struct CUarrayPlace(pub [c_uint; 8]);

impl CUarrayPlace {
    /// A box of a level, in texels: x, y, z, width, height, depth.
    pub const fn tiles(level: c_uint, layer: c_uint, [x, y, z, w, h, d]: [c_uint; 6]) -> Self {
        CUarrayPlace([level, layer, x, y, z, w, h, d])
    }

    /// Bytes of a layer's tail.
    pub const fn tail(layer: c_uint, offset: u64, bytes: u64) -> Self {
        let [low, high] = [offset as c_uint, (offset >> 32) as c_uint];
        CUarrayPlace([layer, 0, low, high, bytes as c_uint, (bytes >> 32) as c_uint, 0, 0])
    }

    /// The arguments of [`CUarrayPlace::tail`].
    pub const fn as_tail(self) -> (c_uint, u64, u64) {
        let CUarrayPlace([layer, _, low, high, bytes, more, ..]) = self;
        (layer, low as u64 | (high as u64) << 32, bytes as u64 | (more as u64) << 32)
    }
}

// As `cuda.h` has them.
const _: () = {
    assert!(size_of::<CUarrayMapInfo>() == 96);
    assert!(core::mem::offset_of!(CUarrayMapInfo, place) == 24);
    assert!(core::mem::offset_of!(CUarrayMapInfo, operation) == 56);
    assert!(core::mem::offset_of!(CUarrayMapInfo, offset) == 72);
};
