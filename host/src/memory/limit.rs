//! Limits on the memory of pools and buffers.

use super::pool::MemoryPool;
use crate::context::{Attached, Context};
use crate::device_api::Device;
use crate::error::{Error, Result};
use core::str::FromStr;
use std::sync::{Mutex, PoisonError};

/// How much memory a pool may have. What graphs allocate ([`Stream::capture`](crate::Stream::capture),
/// [`Graph::with_scratch`](crate::Graph::with_scratch)) is theirs, and does not count.
///
/// ```
/// use ptyx::MemoryLimit;
/// assert_eq!("8GiB".parse::<MemoryLimit>()?, MemoryLimit::Bytes(8 << 30));
/// assert_eq!("50%".parse::<MemoryLimit>()?, MemoryLimit::Percent(50));
/// assert_eq!("none".parse::<MemoryLimit>()?, MemoryLimit::None);
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MemoryLimit {
    /// No limit but the device's memory.
    #[default]
    None,
    /// This number of bytes. The driver may round up.
    Bytes(usize),
    /// This percentage of the device's memory.
    Percent(u8),
}

/// Units in texts, with their bytes.
const UNITS: [(&str, usize); 8] = [
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("TiB", 1 << 40),
    ("kB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("B", 1),
];

impl FromStr for MemoryLimit {
    type Err = Error;

    /// Reads `none`, bytes with or without a unit (`8GiB`, `500 MB`, `4096`), or a part (`50%`).
    fn from_str(text: &str) -> Result<MemoryLimit> {
        let number = |digits: &str| digits.trim().parse::<usize>().ok();
        let trimmed = text.trim();
        let limit = if trimmed == "none" {
            Some(MemoryLimit::None)
        } else if let Some(percent) = trimmed.strip_suffix('%') {
            let percent = number(percent).and_then(|percent| u8::try_from(percent).ok());
            percent.filter(|percent| (1..=100).contains(percent)).map(MemoryLimit::Percent)
        } else {
            let unit =
                UNITS.iter().find_map(|&(unit, bytes)| Some((trimmed.strip_suffix(unit)?, bytes)));
            let (digits, unit) = unit.unwrap_or((trimmed, 1));
            let bytes = number(digits).and_then(|count| count.checked_mul(unit));
            bytes.filter(|&bytes| bytes > 0).map(MemoryLimit::Bytes)
        };
        limit.ok_or_else(|| bad("a memory limit", text.to_owned()))
    }
}

fn bad(variable: &'static str, value: String) -> Error {
    let choices =
        "`none`, a number of bytes such as `8GiB`, or a part of the memory from `1%` to `100%`";
    Error::BadSetting { variable, value, choices }
}

/// What the environment says: `PTYX_MEMORY_LIMIT`.
#[cfg(not(ptyx_device))]
fn of_environment() -> Result<MemoryLimit> {
    use crate::settings::{MEMORY_LIMIT, environment, memory_limit};
    let Some(value) = memory_limit(&environment) else { return Ok(MemoryLimit::None) };
    let value = value.to_string_lossy().into_owned();
    value.parse().map_err(|_| bad(MEMORY_LIMIT, value))
}

#[cfg(ptyx_device)]
fn of_environment() -> Result<MemoryLimit> {
    Ok(MemoryLimit::None)
}

/// Keeps a device's buffers within the environment's limit, if there is one, by a pool that is made, and made the device's
/// current one, at the first allocation.
pub(super) fn apply_environment(context: &'static Context) -> Result<()> {
    static POOLS: Attached<Mutex<Option<Option<MemoryPool>>>> = Attached::new();
    let mut known = POOLS.of(context).lock().unwrap_or_else(PoisonError::into_inner);
    if known.is_some() {
        return Ok(());
    }
    let pool = match of_environment()? {
        MemoryLimit::None => None,
        limit => {
            let pool = MemoryPool::new(&Device(context), limit)?;
            pool.make_current()?;
            Some(pool)
        }
    };
    *known = Some(pool);
    Ok(())
}
