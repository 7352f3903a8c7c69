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
