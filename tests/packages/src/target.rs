//! A test's target folder.

use crate::copies::{copies, copy, lock_file};
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// What cargo's `--target` takes for this machine.
pub const TRIPLE: &str = env!("PTYX_TEST_TRIPLE");

/// A target folder that no other test uses, in this process or another, as long as this lives; Ptyx is in
/// it.
#[derive(Debug)]
pub struct Target {
    /// Which of them it is.
    pub index: usize,
    /// The folder.
    pub path: PathBuf,
    /// Unlocked when it is closed.
    _lock: File,
}

impl Target {
    /// Waits for a free one.
    ///
    /// # Panics
    /// A file can't be locked.
    pub fn take() -> Target {
        let folder = Path::new(env!("OUT_DIR"));
        loop {
            for index in 0..copies() {
                let file = lock_file(folder, index);
                match file.try_lock() {
                    Ok(()) => return Target { index, path: copy(folder, index), _lock: file },
                    Err(TryLockError::WouldBlock) => {}
                    Err(TryLockError::Error(error)) => panic!("lock file {index}: {error}"),
                }
            }
            thread::sleep(Duration::from_millis(20));
        }
    }
}
