//! Multidimensional arrays with a row pitch, and copies of boxes of them.

mod buffer;
mod copy;
mod host;
mod pinned;
mod rows;
mod view;
mod view_mut;

pub use buffer::PitchedBuffer;
pub(super) use copy::same_shape;
pub(super) use host::filled;
pub use host::{HostView, HostViewMut};
pub use pinned::{PinnedView, PinnedViewMut};
pub(super) use rows::overlap;
pub use view::PitchedView;
pub use view_mut::PitchedViewMut;
