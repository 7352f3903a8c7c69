//! Memory of devices, and pinned memory of the host.

mod allocation;
mod array;
mod buffer;
pub(crate) mod convert;
pub(crate) mod copy;
mod exhausted;
mod fill;
mod foreign;
mod growable;
mod guarded;
mod guards;
mod in_pool;
mod index;
pub(crate) mod ipc;
mod limit;
mod managed;
mod of_graph;
pub(crate) mod peer;
mod peer_access;
mod pinned;
mod pitched;
mod pointer;
mod pool;
mod progress;
mod reinterpret;
mod reserved;
mod similar;
mod slice;
mod staging;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod tracker;
pub(crate) mod untracked;
mod view;

pub use crate::error::PeerReason;
pub use array::DeviceArray;
pub use buffer::DeviceBuffer;
pub use convert::{
    ConvertTo, CopySource, CopyTarget, DeviceNumber, copy, copy_as, copy_as_or, copy_or,
};
pub use growable::{GrowableBuffer, MappedPart, SharedPart};
pub use guarded::{GuardedBuffer, GuardedRead, GuardedWrite};
pub use ipc::{ImportedPool, MemoryHandle, PoolHandle};
pub use limit::MemoryLimit;
pub use managed::{
    ManagedAttributes, ManagedBuffer, ManagedOptions, ManagedUse, MemoryAdvice, MemoryLocation,
};
pub(crate) use of_graph::OfGraph;
pub use pinned::{PinnedBuffer, PinnedOptions, PinnedSlice};
pub use pitched::{
    HostView, HostViewMut, PinnedView, PinnedViewMut, PitchedBuffer, PitchedView, PitchedViewMut,
};
pub use pointer::{MemoryKind, PointerAttributes};
pub(crate) use pool::allocate_apart;
pub use pool::{MemoryPool, PoolReuse, PoolStatistics};
pub use slice::{DeviceSlice, DeviceSliceMut};
pub use staging::{StagingBuffer, StagingRead, StagingWrite};
pub use view::{DeviceDiagonal, DevicePivoted, DeviceView, DeviceViewMut, IntoPivots, IntoShape};
