//! Handles and other types.

use crate::{
    CUaddress_mode, CUarray_format, CUarray3D_flags, CUarraySparseProperties_flags,
    CUexternalMemory_flags, CUexternalMemoryHandleType, CUexternalSemaphoreHandleType,
    CUfilter_mode, CUgraphConditionalNodeType, CUgraphExecUpdateResult, CUgraphNodeType,
    CUlaunchAttributeID, CUmemAccess_flags, CUmemAllocationHandleType, CUmemAllocationType,
    CUmemLocationType, CUmemorytype, CUresourcetype, CUresult, CUtexture_flags,
};
use core::ffi::{c_int, c_uint, c_void};
use core::fmt;
use core::mem::MaybeUninit;

/// How much dynamic shared memory a block of this many threads needs (`CUoccupancyB2DSize`).
pub type SharedForThreads = extern "C" fn(c_int) -> usize;

/// What the driver calls when a stream has come to some place (`CUstreamCallback`): with the stream, the result of the
/// work before, and the caller's data.
pub type CUstreamCallback = extern "C" fn(CUstream, CUresult, *mut c_void);

/// What the driver calls when a stream has come to some place (`CUhostFn`), with the caller's data. It must not call the
/// driver.
pub type CUhostFn = extern "C" fn(*mut c_void);

/// The value of a stream's attribute. The union of 64 bytes in C is words here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(8))]
pub struct CUstreamAttrValue {
    /// Its value, from the first word on.
    pub words: [c_uint; 16],
}

/// A device's ordinal.
pub type CUdevice = c_int;
/// An address in device memory.
pub type CUdeviceptr = u64;

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(transparent)]
        pub struct $name(
            /// The driver's own handle.
            pub *mut c_void,
        );

        impl $name {
            /// No object; as a stream, the default one.
            pub const NULL: $name = $name(core::ptr::null_mut());
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{:p}", self.0)
            }
        }

        // SAFETY: the handle is only passed back to the driver, which may be called from any thread.
        unsafe impl Send for $name {}
        // SAFETY: as above.
        unsafe impl Sync for $name {}
    )*};
}

handles! {
    /// A context.
    CUcontext;
    /// A stream.
    CUstream;
    /// An event.
    CUevent;
    /// A loaded module.
    CUmodule;
    /// An entry of a loaded module.
    CUfunction;
    /// A linker's state.
    CUlinkState;
    /// A pool of stream-ordered memory.
    CUmemoryPool;
    /// A graph of work.
    CUgraph;
    /// A graph that can be launched.
    CUgraphExec;
    /// A node of a graph.
    CUgraphNode;
    /// Memory of another library, imported.
    CUexternalMemory;
    /// A semaphore of another library, imported.
    CUexternalSemaphore;
    /// A CUDA array: texels in the hardware's own order.
    CUarray;
    /// A CUDA array with smaller and smaller copies of itself.
    CUmipmappedArray;
}

/// A texture, as kernels are given it.
pub type CUtexObject = u64;
/// A surface, as kernels are given it.
pub type CUsurfObject = u64;

/// Why a graph that can be launched was not updated.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CUgraphExecUpdateResultInfo {
    /// The reason: `CU_GRAPH_EXEC_UPDATE_..`.
    pub result: CUgraphExecUpdateResult,
    /// The node of the new graph that does not fit.
    pub node: CUgraphNode,
    /// The node from which an edge leads there that does not fit.
    pub from: CUgraphNode,
}

/// What a node of a graph does, for `cuGraphAddNode`. The union of C is words here.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CUgraphNodeParams {
    /// Which member of the union counts.
    pub kind: CUgraphNodeType,
    /// Must be 0.
    pub reserved: [c_int; 3],
    /// The member: the driver's structure for this kind of node, zeros behind it.
    pub words: [MaybeUninit<u64>; 29],
    /// Must be 0.
    pub reserved_behind: u64,
}

/// A structure that stands for a member of the union of [`CUgraphNodeParams`].
///
/// # Safety
/// Plain data that the driver knows under that kind. Zeros are a value of it.
pub unsafe trait CUgraphNodeMember: Copy {}

macro_rules! members {
    ($($ty:ty)*) => {$(
        // SAFETY: as the driver's structure: numbers, handles and pointers.
        unsafe impl CUgraphNodeMember for $ty {}
        const _: () = assert!(size_of::<$ty>() <= 8 * 29 && align_of::<$ty>() <= 8);
    )*};
}
members!(CUkernelNodeParams CUmemcpyNodeParams CUmemsetNodeParams CUhostNodeParams);
members!(CUevent CUgraph CUdeviceptr CUmemAllocNodeParams CUconditionalNodeParams);

impl CUgraphNodeParams {
    /// A node of a kind, with the structure for it.
    pub fn new<T: CUgraphNodeMember>(kind: CUgraphNodeType, member: T) -> CUgraphNodeParams {
        let (reserved, words, reserved_behind) = ([0; 3], [MaybeUninit::new(0); 29], 0);
        let mut params = CUgraphNodeParams { kind, reserved, words, reserved_behind };
        // SAFETY: the words have room for it (`members`).
        unsafe { params.words.as_mut_ptr().cast::<T>().write(member) };
        params
    }

    /// The structure for its kind.
    ///
    /// # Safety
    /// The kind is that of `T`, and the pointers in the structure are whatever the reader expects of them.
    pub unsafe fn member<T: CUgraphNodeMember>(&self) -> T {
        // SAFETY: the words have room for it (`members`); they were written as a `T` (caller) or are zeros.
        unsafe { self.words.as_ptr().cast::<T>().read() }
    }
}

/// A kernel node of a graph (`CUDA_KERNEL_NODE_PARAMS_v3`).
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CUkernelNodeParams {
    /// The kernel.
    pub function: CUfunction,
    /// Blocks of the grid along x, y and z.
    pub grid: [c_uint; 3],
    /// Threads of a block along x, y and z.
    pub block: [c_uint; 3],
    /// Bytes of dynamic shared memory of each block.
    pub shared: c_uint,
    /// A pointer to each argument.
    pub params: *mut *mut c_void,
    /// The arguments in another form.
    pub extra: *mut *mut c_void,
    /// The kernel, if the function is null.
    pub kernel: *mut c_void,
    /// Where it runs; null: the current context.
    pub context: CUcontext,
}

/// A copy node of a graph (`CUDA_MEMCPY_NODE_PARAMS`).
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CUmemcpyNodeParams {
    /// Must be 0.
    pub flags: c_int,
    /// Must be 0.
    pub reserved: c_int,
    /// Where it runs.
    pub context: CUcontext,
    /// The copy.
    pub copy: CUmemcpy3D,
}

/// A fill node of a graph (`CUDA_MEMSET_NODE_PARAMS_v2`; `cuGraphMemsetNodeGetParams` leaves out the context).
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CUmemsetNodeParams {
    /// What is filled.
    pub to: CUdeviceptr,
    /// Bytes from a row to the next one.
    pub pitch: usize,
    /// The value of each element.
    pub value: c_uint,
    /// Bytes of an element: 1, 2 or 4.
    pub element: c_uint,
    /// Elements of a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Where it runs.
    pub context: CUcontext,
}

/// A node of a graph that calls the host (`CUDA_HOST_NODE_PARAMS`).
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CUhostNodeParams {
    /// The function.
    pub function: Option<CUhostFn>,
    /// What it is given.
    pub data: *mut c_void,
}

/// A node of a graph that allocates memory (`CUDA_MEM_ALLOC_NODE_PARAMS_v2`).
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CUmemAllocNodeParams {
    /// Where the memory is.
    pub pool: CUmemPoolProps,
    /// Which other devices may use it.
    pub access: *const CUmemAccessDesc,
    /// How many descriptions there are.
    pub count: usize,
    /// Bytes.
    pub bytes: usize,
    /// Written by the driver: its address.
    pub address: CUdeviceptr,
}

/// A node of a graph that runs other graphs by a condition (`CUDA_CONDITIONAL_NODE_PARAMS`).
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CUconditionalNodeParams {
    /// The condition, of `cuGraphConditionalHandleCreate`.
    pub condition: u64,
    /// If or while.
    pub kind: CUgraphConditionalNodeType,
    /// How many bodies it has.
    pub count: c_uint,
    /// Written by the driver: the list of its bodies, which belong to the node.
    pub bodies: *mut CUgraph,
    /// Where it runs.
    pub context: CUcontext,
}

/// A launch's shape and its attributes, for `cuLaunchKernelEx`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CUlaunchConfig {
    /// Blocks of the grid along x, y and z.
    pub grid: [c_uint; 3],
    /// Threads of a block along x, y and z.
    pub block: [c_uint; 3],
    /// Bytes of dynamic shared memory of each block.
    pub shared: c_uint,
    /// Where it is queued.
    pub stream: CUstream,
    /// The attributes.
    pub attributes: *const CUlaunchAttribute,
    /// How many there are.
    pub count: c_uint,
}

/// An attribute of a launch. The value, a union of 64 bytes in C, is words here.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(8))]
pub struct CUlaunchAttribute {
    /// Which one.
    pub id: CUlaunchAttributeID,
    /// Nothing.
    pub padding: c_uint,
    /// Its value, from the first word on.
    pub value: [c_uint; 16],
}

impl CUlaunchAttribute {
    /// An attribute with the first words of its value.
    #[inline]
    pub const fn new(id: CUlaunchAttributeID, first: [c_uint; 3]) -> CUlaunchAttribute {
        let mut value = [0; 16];
        [value[0], value[1], value[2]] = first;
        CUlaunchAttribute { id, padding: 0, value }
    }
}

/// How copies find the tiles of a tensor. What the words mean is the driver's business.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct CUtensorMap {
    /// The driver's own words.
    pub opaque: [u64; 16],
}

impl CUtensorMap {
    /// No map yet.
    pub const EMPTY: CUtensorMap = CUtensorMap { opaque: [0; 16] };
}

/// The shape of a CUDA array, for `cuArrayCreate` (`CUDA_ARRAY_DESCRIPTOR`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct CUarrayDescriptor {
    /// Texels of a row.
    pub width: usize,
    /// Rows; 0 for one dimension.
    pub height: usize,
    /// What a channel is.
    pub format: CUarray_format,
    /// Channels of a texel: 1, 2 or 4.
    pub channels: c_uint,
}

/// The shape of a CUDA array, for `cuArray3DCreate` (`CUDA_ARRAY3D_DESCRIPTOR`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct CUarray3DDescriptor {
    /// Texels of a row.
    pub width: usize,
    /// Rows; 0 for one dimension.
    pub height: usize,
    /// Planes, or layers, or faces; 0 for fewer dimensions.
    pub depth: usize,
    /// What a channel is.
    pub format: CUarray_format,
    /// Channels of a texel: 1, 2 or 4.
    pub channels: c_uint,
    /// What the array is for.
    pub flags: CUarray3D_flags,
}

/// One end of a copy of up to three dimensions. Which fields count depends on the kind of memory.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CUmemcpyEnd3D {
    /// Where it begins along a row, in bytes.
    pub x: usize,
    /// The first row.
    pub y: usize,
    /// The first plane or layer.
    pub z: usize,
    /// Must be 0.
    pub level: usize,
    /// The kind of memory.
    pub kind: CUmemorytype,
    /// Host memory.
    pub host: *mut c_void,
    /// Device memory.
    pub device: CUdeviceptr,
    /// An array.
    pub array: CUarray,
    /// Must be null; for `cuMemcpy3DPeer`, the context of the memory.
    pub reserved: *mut c_void,
    /// Bytes from a row to the next one.
    pub pitch: usize,
    /// Rows from a plane to the next one.
    pub height: usize,
}

/// A copy of up to three dimensions (`CUDA_MEMCPY3D`, `CUDA_MEMCPY3D_PEER`).
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CUmemcpy3D {
    /// What is copied.
    pub from: CUmemcpyEnd3D,
    /// Where it goes.
    pub to: CUmemcpyEnd3D,
    /// Bytes of a row.
    pub width: usize,
    /// Rows of a plane.
    pub height: usize,
    /// Planes, or layers.
    pub depth: usize,
}

/// One end of a copy of two dimensions. Which fields count depends on the kind of memory.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CUmemcpyEnd2D {
    /// Where it begins along a row, in bytes.
    pub x: usize,
    /// The first row.
    pub y: usize,
    /// The kind of memory.
    pub kind: CUmemorytype,
    /// Host memory.
    pub host: *mut c_void,
    /// Device memory.
    pub device: CUdeviceptr,
    /// An array.
    pub array: CUarray,
    /// Bytes from a row to the next one.
    pub pitch: usize,
}

/// A copy of two dimensions (`CUDA_MEMCPY2D`).
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CUmemcpy2D {
    /// What is copied.
    pub from: CUmemcpyEnd2D,
    /// Where it goes.
    pub to: CUmemcpyEnd2D,
    /// Bytes of a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
}

/// What a texture or a surface is made of (`CUDA_RESOURCE_DESC`). The union of C is words here.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CUresourceDescriptor {
    /// Which member of the union counts.
    pub kind: CUresourcetype,
    /// Nothing.
    pub padding: c_uint,
    /// An array's handle; or an address, the format and, in the upper half, the channels, and then the bytes, or the
    /// width, the height and the pitch in bytes.
    pub words: [u64; 16],
    /// Must be 0.
    pub flags: c_uint,
    /// Nothing.
    pub padding_behind: c_uint,
}

impl CUresourceDescriptor {
    /// A resource with the first words of its union.
    pub const fn new(kind: CUresourcetype, first: [u64; 5]) -> CUresourceDescriptor {
        let mut words = [0; 16];
        [words[0], words[1], words[2], words[3], words[4]] = first;
        CUresourceDescriptor { kind, padding: 0, words, flags: 0, padding_behind: 0 }
    }
}

/// How a texture is read (`CUDA_TEXTURE_DESC`).
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct CUtextureDescriptor {
    /// What lies outside, along each dimension.
    pub address: [CUaddress_mode; 3],
    /// Whether texels are blended.
    pub filter: CUfilter_mode,
    /// How coordinates and texels are read.
    pub flags: CUtexture_flags,
    /// The most texels along the longer side of a slanted pixel; 0 and 1: none.
    pub max_anisotropy: c_uint,
    /// Whether levels are blended.
    pub mip_filter: CUfilter_mode,
    /// Added to each level of detail.
    pub mip_bias: f32,
    /// The finest level that is read.
    pub mip_min: f32,
    /// The coarsest level that is read.
    pub mip_max: f32,
    /// What lies outside with `CU_TR_ADDRESS_MODE_BORDER`.
    pub border: [f32; 4],
    /// Must be 0.
    pub reserved: [c_int; 12],
}

/// Where memory is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct CUmemLocation {
    /// What kind of place.
    pub kind: CUmemLocationType,
    /// The device's ordinal.
    pub id: c_int,
}

/// Memory that can be mapped at reserved addresses.
pub type CUmemGenericAllocationHandle = u64;

/// What memory for reserved addresses is made of.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CUmemAllocationProp {
    /// [`CU_MEM_ALLOCATION_TYPE_PINNED`](crate::CU_MEM_ALLOCATION_TYPE_PINNED).
    pub kind: CUmemAllocationType,
    /// How it can be given to other processes.
    pub handle_types: CUmemAllocationHandleType,
    /// Whose memory it is.
    pub location: CUmemLocation,
    /// On Windows only.
    pub metadata: *const c_void,
    /// Compression, access by other devices of the bus, usage: 0.
    pub flags: [u8; 8],
}

/// The memory that a CUDA array needs (`CUDA_ARRAY_MEMORY_REQUIREMENTS`).
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct CUarrayMemoryRequirements {
    /// Bytes.
    pub size: usize,
    /// Bytes of which its address must be a multiple.
    pub alignment: usize,
    /// Nothing.
    pub reserved: [c_uint; 4],
}

/// How a sparse CUDA array is divided (`CUDA_ARRAY_SPARSE_PROPERTIES`).
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct CUarraySparseProperties {
    /// Texels of a tile along x, y and z.
    pub tile: [c_uint; 3],
    /// The first level of the tail.
    pub tail_level: c_uint,
    /// Bytes of the tail.
    pub tail_bytes: u64,
    /// [`CU_ARRAY_SPARSE_PROPERTIES_SINGLE_MIPTAIL`](crate::CU_ARRAY_SPARSE_PROPERTIES_SINGLE_MIPTAIL), or 0.
    pub flags: CUarraySparseProperties_flags,
    /// Nothing.
    pub reserved: [c_uint; 4],
}

macro_rules! opaque {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(C)]
        pub struct $name {
            /// What they mean is the driver's business.
            pub bytes: [u8; 64],
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("..")
            }
        }
    )*};
}

opaque! {
    /// Memory, for other processes.
    CUipcMemHandle;
    /// An event, for other processes.
    CUipcEventHandle;
    /// An allocation of a pool, for processes that have imported the pool.
    CUmemPoolPtrExportData;
}

/// How something of another library is given: a file's number, or two pointers.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CUexternalHandle {
    words: [u64; 2],
}

impl CUexternalHandle {
    /// A file's number.
    pub const fn of_file(number: c_int) -> CUexternalHandle {
        CUexternalHandle { words: [number.cast_unsigned() as u64, 0] }
    }

    /// An object of NvSci.
    pub fn of_object(object: *mut c_void) -> CUexternalHandle {
        CUexternalHandle { words: [object.expose_provenance() as u64, 0] }
    }

    /// The file's number.
    pub const fn file(&self) -> c_int {
        self.words[0] as u32 as c_int
    }
}

/// Memory of another library (`CUDA_EXTERNAL_MEMORY_HANDLE_DESC`).
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CUexternalMemoryHandleDesc {
    /// What kind of handle.
    pub kind: CUexternalMemoryHandleType,
    /// Nothing.
    pub padding: c_uint,
    /// The handle.
    pub handle: CUexternalHandle,
    /// Bytes of the memory.
    pub size: u64,
    /// [`CUDA_EXTERNAL_MEMORY_DEDICATED`](crate::CUDA_EXTERNAL_MEMORY_DEDICATED), or 0.
    pub flags: CUexternalMemory_flags,
    /// Must be 0.
    pub reserved: [c_uint; 16],
}

/// A part of such memory (`CUDA_EXTERNAL_MEMORY_BUFFER_DESC`).
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CUexternalMemoryBufferDesc {
    /// Its first byte.
    pub offset: u64,
    /// Its bytes.
    pub size: u64,
    /// Must be 0.
    pub flags: c_uint,
    /// Must be 0.
    pub reserved: [c_uint; 16],
}

/// A CUDA array in such memory (`CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC`).
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CUexternalMemoryMipmappedArrayDesc {
    /// Its first byte.
    pub offset: u64,
    /// Its shape.
    pub array: CUarray3DDescriptor,
    /// Its levels.
    pub levels: c_uint,
    /// Must be 0.
    pub reserved: [c_uint; 16],
}

/// A semaphore of another library (`CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC`).
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CUexternalSemaphoreHandleDesc {
    /// What kind of handle.
    pub kind: CUexternalSemaphoreHandleType,
    /// Nothing.
    pub padding: c_uint,
    /// The handle.
    pub handle: CUexternalHandle,
    /// Must be 0.
    pub flags: c_uint,
    /// Must be 0.
    pub reserved: [c_uint; 16],
}

/// What a semaphore is signalled with, or waited for (`CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS` and `.._WAIT_PARAMS`,
/// which have the same size and begin alike).
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CUexternalSemaphoreParams {
    /// The value of a timeline.
    pub value: u64,
    /// For other kinds of semaphores: 0.
    pub others: [u64; 8],
    /// 0.
    pub flags: c_uint,
    /// Must be 0.
    pub reserved: [c_uint; 16],
}

// As `cuda.h` has them.
const _: () = {
    assert!(size_of::<CUexternalMemoryHandleDesc>() == 104);
    assert!(size_of::<CUexternalMemoryBufferDesc>() == 88);
    assert!(size_of::<CUexternalMemoryMipmappedArrayDesc>() == 120);
    assert!(size_of::<CUexternalSemaphoreHandleDesc>() == 96);
    assert!(size_of::<CUexternalSemaphoreParams>() == 144);
    assert!(size_of::<CUmemAllocationProp>() == 32);
};

/// What a memory pool is made of.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CUmemPoolProps {
    /// [`CU_MEM_ALLOCATION_TYPE_PINNED`](crate::CU_MEM_ALLOCATION_TYPE_PINNED).
    pub kind: CUmemAllocationType,
    /// How its memory can be given to other processes.
    pub handle_types: CUmemAllocationHandleType,
    /// Whose memory it is.
    pub location: CUmemLocation,
    /// On Windows only.
    pub security: *const c_void,
    /// The most bytes that it has of the device; 0 for no limit of its own.
    pub max_size: usize,
    /// Not used.
    pub reserved: [u8; 56],
}

/// What the devices of a place may do with memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct CUmemAccessDesc {
    /// The place.
    pub location: CUmemLocation,
    /// What they may do.
    pub flags: CUmemAccess_flags,
}
