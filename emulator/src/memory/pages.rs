//! Pages of the host that can be mapped at several addresses and in several processes: the bytes of ranges of reserved
//! addresses, and of memory that processes share.

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::fs::File;
use std::os::fd::{AsRawFd, FromRawFd};
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes of a page of the host.
pub(crate) const PAGE: u64 = 4096;

// The C library's constants on Linux, from `sys/mman.h` and `fcntl.h`.
const PROT_NONE: c_int = 0;
const PROT_READ_WRITE: c_int = 3;
const MAP_SHARED: c_int = 1;
const MAP_PRIVATE: c_int = 2;
const MAP_FIXED: c_int = 0x10;
const MAP_ANONYMOUS: c_int = 0x20;
const MAP_NORESERVE: c_int = 0x4000;
const MFD_CLOEXEC: c_uint = 1;
const PUNCH_HOLE_KEEP_SIZE: c_int = 3;

unsafe extern "C" {
    fn mmap(
        at: *mut c_void,
        size: usize,
        protection: c_int,
        flags: c_int,
        file: c_int,
        offset: i64,
    ) -> *mut c_void;
    fn munmap(at: *mut c_void, size: usize) -> c_int;
    fn memfd_create(name: *const c_char, flags: c_uint) -> c_int;
    fn fallocate(file: c_int, mode: c_int, offset: i64, size: i64) -> c_int;
}

/// The file in memory from which this process takes pages.
struct Arena {
    /// A child of the process begins its own.
    process: u32,
    file: Arc<File>,
    /// Where the next pages begin: no place is used twice.
    next: u64,
}

static ARENA: Mutex<Option<Arena>> = Mutex::new(None);

/// A new file in memory.
fn new_file() -> Option<File> {
    // SAFETY: a text that ends with NUL.
    let number = unsafe { memfd_create(c"ptyx-device-memory".as_ptr(), MFD_CLOEXEC) };
    // SAFETY: a new file, which nobody else closes.
    (number >= 0).then(|| unsafe { File::from_raw_fd(number) })
}

/// Pages of a file.
pub(crate) struct Pages {
    file: Arc<File>,
    pub(crate) offset: u64,
    pub(crate) size: u64,
    /// They are given back when this is dropped.
    is_own: bool,
}

/// Does something with this process's file.
fn with_arena<R>(work: impl FnOnce(&mut Arena) -> Option<R>) -> Option<R> {
    let mut arena = ARENA.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if arena.as_ref().is_none_or(|arena| arena.process != process) {
        *arena = Some(Arena { process, file: Arc::new(new_file()?), next: 0 });
    }
    work(arena.as_mut()?)
}

/// The file in which all pages of this process are.
pub(crate) fn arena() -> Option<Arc<File>> {
    with_arena(|arena| Some(arena.file.clone()))
}

impl Pages {
    /// New ones, of zeros. `size` is rounded up to whole pages.
    pub(crate) fn new(size: u64) -> Option<Pages> {
        let size = size.checked_next_multiple_of(PAGE)?;
        with_arena(|arena| Pages::take(arena, size))
    }

    /// The same in a file of their own, which other processes can be given.
    pub(crate) fn apart(size: u64) -> Option<Pages> {
        let size = size.checked_next_multiple_of(PAGE)?;
        let file = new_file()?;
        file.set_len(size).ok()?;
        Some(Pages { file: Arc::new(file), offset: 0, size, is_own: false })
    }

    fn take(arena: &mut Arena, size: u64) -> Option<Pages> {
        let offset = arena.next;
        let end = offset.checked_add(size).filter(|&end| i64::try_from(end).is_ok())?;
        arena.file.set_len(end).ok()?;
        arena.next = end;
        Some(Pages { file: arena.file.clone(), offset, size, is_own: true })
    }

    /// Those of somebody's file, if it has them.
    pub(crate) fn of(file: Arc<File>, offset: u64, size: u64) -> Option<Pages> {
        let has = file.metadata().ok()?.len();
        let end = offset.checked_add(size)?.checked_next_multiple_of(PAGE)?;
        let is_there = offset.is_multiple_of(PAGE) && end <= has.checked_next_multiple_of(PAGE)?;
        is_there.then_some(Pages { file, offset, size: end - offset, is_own: false })
    }

    /// The file, for other processes.
    pub(crate) fn file(&self) -> &Arc<File> {
        &self.file
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        if self.is_own {
            let (offset, size) = (self.offset as i64, self.size as i64);
            // SAFETY: nobody but this has pages there. If it fails, they stay until the process ends.
            unsafe { fallocate(self.file.as_raw_fd(), PUNCH_HOLE_KEEP_SIZE, offset, size) };
        }
    }
}

/// A range of the host's addresses, where pages are mapped.
pub(crate) struct Region {
    pub(crate) data: *mut u8,
    size: usize,
}

// SAFETY: the addresses belong to nobody else, and are only used through raw pointers.
unsafe impl Send for Region {}
// SAFETY: as above.
unsafe impl Sync for Region {}

impl Region {
    /// Addresses at which there is nothing yet.
    pub(crate) fn reserve(size: u64) -> Option<Region> {
        let size = usize::try_from(size).ok()?;
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
        // SAFETY: new addresses, wherever the system has some.
        let data = unsafe { mmap(std::ptr::null_mut(), size, PROT_NONE, flags, -1, 0) };
        (data.addr() != usize::MAX).then_some(Region { data: data.cast(), size })
    }

    /// Addresses at which all these pages are.
    pub(crate) fn of(pages: &Pages) -> Option<Region> {
        let region = Region::reserve(pages.size)?;
        region.map(0, pages, pages.size).then_some(region)
    }

    /// Maps the first `size` bytes of pages; whether that was possible.
    pub(crate) fn map(&self, at: u64, pages: &Pages, size: u64) -> bool {
        let (Ok(at), Ok(size)) = (usize::try_from(at), usize::try_from(size)) else { return false };
        let is_within = at.checked_add(size).is_some_and(|end| end <= self.size);
        if !is_within || size as u64 > pages.size {
            return false;
        }
        let (flags, file) = (MAP_SHARED | MAP_FIXED, pages.file.as_raw_fd());
        let to = self.data.wrapping_add(at).cast();
        // SAFETY: the addresses are within the region, and the file has the pages.
        let mapped = unsafe { mmap(to, size, PROT_READ_WRITE, flags, file, pages.offset as i64) };
        mapped.addr() != usize::MAX
    }

    /// Unmaps what is at a range within the region.
    pub(crate) fn unmap(&self, at: u64, size: u64) {
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
        let to = self.data.wrapping_add(at as usize).cast();
        // SAFETY: the addresses are within the region. If it fails, the old pages stay.
        unsafe { mmap(to, size as usize, PROT_NONE, flags, -1, 0) };
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: the region's own addresses, which nobody uses any more.
        unsafe { munmap(self.data.cast(), self.size) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_can_be_in_two_places() {
        let pages = Pages::new(100).unwrap();
        assert_eq!(pages.size, PAGE);
        let region = Region::reserve(4 * PAGE).unwrap();
        assert!(region.map(PAGE, &pages, PAGE) && region.map(3 * PAGE, &pages, PAGE));
        assert!(!region.map(4 * PAGE, &pages, PAGE) && !region.map(0, &pages, 2 * PAGE));
        let at = |page: u64| region.data.wrapping_add((page * PAGE) as usize + 7);
        // SAFETY: both places are mapped.
        unsafe {
            assert_eq!(at(1).read(), 0);
            at(1).write(42);
            assert_eq!(at(3).read(), 42);
        }
        region.unmap(PAGE, PAGE);
        // SAFETY: this place is mapped still.
        assert_eq!(unsafe { at(3).read() }, 42);
    }

    #[test]
    fn what_a_file_lacks_is_refused() {
        let pages = Pages::new(2 * PAGE).unwrap();
        let file = || Arc::clone(pages.file());
        assert!(Pages::of(file(), pages.offset, 2 * PAGE).is_some());
        assert!(Pages::of(file(), pages.offset + 1, 1).is_none());
        assert!(Pages::of(file(), 1 << 40, 1).is_none());
        assert!(Pages::of(file(), pages.offset, u64::MAX).is_none());
    }
}
