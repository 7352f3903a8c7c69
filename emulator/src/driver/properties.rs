//! The properties of the emulated device.

/// The driver's version: 1000 times the major number, and 10 times the minor one.
pub(super) const DRIVER_VERSION: u32 = 13000;
/// Shared memory a block may use without asking for more.
pub(super) const SHARED_DEFAULT: u32 = 48 << 10;
/// Shared memory a block may ask for.
pub(super) const SHARED_OPTIN: u32 = 227 << 10;
pub(super) const MAX_THREADS: u32 = 1024;
pub(super) const MAX_BLOCK: [u32; 3] = [1024, 1024, 64];
pub(super) const MAX_GRID: [u32; 3] = [0x7fff_ffff, 65535, 65535];
pub(super) const REGISTERS: u32 = 65536;
/// Multiprocessors of each GPC, whose blocks can be of one cluster.
pub(super) const GPCS: [u32; 8] = [18, 18, 16, 16, 16, 16, 16, 16];
/// Blocks of a cluster that every device with clusters allows.
pub(super) const PORTABLE_CLUSTER: u32 = 8;
pub(super) const THREADS_PER_MULTIPROCESSOR: u32 = 2048;
pub(super) const BLOCKS_PER_MULTIPROCESSOR: u32 = 32;
pub(super) const SHARED_PER_MULTIPROCESSOR: u32 = 228 << 10;
/// Shared memory that each block costs besides its own.
pub(super) const SHARED_RESERVED: u32 = 1024;

/// Alignment of textures of device memory, and of their rows, in bytes.
pub(super) const TEXTURE_ALIGNMENT: u32 = 512;
pub(super) const PITCH_ALIGNMENT: u32 = 32;

/// The largest sizes of textures: width, height, depth or layers.
pub(super) struct Textures {
    pub(super) one: u32,
    pub(super) two: [u32; 2],
    pub(super) three: [u32; 3],
    pub(super) layers1: [u32; 2],
    pub(super) layers2: [u32; 3],
    pub(super) gather: [u32; 2],
    pub(super) cube: u32,
    /// Side, and faces of all layers.
    pub(super) cubes: [u32; 2],
    pub(super) buffer: u32,
    /// Of device memory: width, height, and bytes of a row.
    pub(super) rows: [u32; 3],
}

/// Those of compute capability 9.0 (CUDA C++ Programming Guide, "Technical Specifications").
pub(super) const TEXTURES: Textures = Textures {
    one: 131_072,
    two: [131_072, 65_536],
    three: [16_384; 3],
    layers1: [32_768, 2048],
    layers2: [32_768, 32_768, 2048],
    gather: [32_768; 2],
    cube: 32_768,
    cubes: [32_768, 2046],
    buffer: 1 << 28,
    rows: [131_072, 65_000, 2_097_120],
};
