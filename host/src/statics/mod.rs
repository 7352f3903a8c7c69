//! Device statics: variables that kernels read and the host writes, by name.
//!
//! Both passes know a static by its *key*, a hash of its path, its place and its crate, which
//! `#[device_static]` writes into the static itself. In the device pass the compiler finds each static by the
//! mark that it points to, and makes a variable of each module (`compiler/src/lower/statics/`). `table`
//! keeps what belongs to a static on each device.

mod constant;
mod global;
mod key;
#[cfg(not(ptyx_device))]
mod table;

pub use constant::Constant;
pub use global::Global;
#[doc(hidden)]
pub use key::key;
#[cfg(not(ptyx_device))]
pub(crate) use table::{DeviceStatic, bind, collect, submit};

use core::mem::MaybeUninit;

/// What tells the compiler which kind of static it sees. Nothing reads it.
#[repr(C)]
struct Mark(MaybeUninit<u8>);

#[cfg(ptyx_device)]
unsafe extern "C" {
    static __ptyx_static_constant: Mark;
    static __ptyx_static_global: Mark;
}

/// What is known about a static. The compiler reads it out of the static's initial value.
#[derive(Clone, Copy)]
#[repr(C)]
struct Info {
    mark: *const Mark,
    /// The path, empty without `#[device_static]`.
    name: &'static str,
    /// What both passes know it by, 0 without `#[device_static]`.
    key: u64,
    size: u64,
    align: u64,
    /// `DeviceCopy::LAYOUT`
    layout: u64,
}

impl Info {
    /// What is known of the value, before the static has a name.
    const fn of<T: ptyx_device::DeviceCopy>(mark: *const Mark) -> Info {
        Info {
            mark,
            name: "",
            key: 0,
            size: size_of::<T>() as u64,
            align: align_of::<T>() as u64,
            layout: T::LAYOUT,
        }
    }

    const fn named(self, key: u64, name: &'static str) -> Info {
        Info { key, name, ..self }
    }
}

/// The mark of a kind.
macro_rules! mark {
    ($symbol:ident) => {{
        #[cfg(ptyx_device)]
        {
            &raw const super::$symbol
        }
        #[cfg(not(ptyx_device))]
        {
            core::ptr::null()
        }
    }};
}
use mark;
