//! The target folder and its copies.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::thread;

/// More tests than this don't run side by side: each folder has 300 MB.
const MAX_COPIES: usize = 4;

/// How many there are, the first one counted, which the others are copied from.
pub fn copies() -> usize {
    thread::available_parallelism().map_or(1, usize::from).min(MAX_COPIES)
}

/// The one of this number.
pub fn copy(folder: &Path, index: usize) -> PathBuf {
    folder.join(format!("target-{index}"))
}

/// Who has locked this file uses that copy.
///
/// # Panics
/// It can't be opened.
pub fn lock_file(folder: &Path, index: usize) -> File {
    let path = folder.join(format!("lock-{index}"));
    File::create(path).expect("a lock file can be made")
}
