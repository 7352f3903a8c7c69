//! Semaphores of other libraries (CUDA driver API, section 6.20).
//!
//! A semaphore is a file of at least eight bytes, such as one of `memfd_create`: a number, the lower byte first. A binary
//! semaphore is signalled if it is 1, a timeline has the number. So whoever has the file can signal and wait, too.
//!
//! Signals and waits are put off in any case: a call that waited here for what its caller does next would never return.
//! Work behind a wait can't run inside its call until the semaphore is signalled; with `PTYX_EMULATOR_ASYNC=1` it is put
//! off, too.
#![allow(non_snake_case)]

use super::code::{Code, Outcome, put};
use super::handle::Handle;
use super::ipc::duplicate;
use super::later;
use super::state::{Semaphore, current};
use ptyx_driver_api::*;
use std::ffi::c_uint;
use std::fs::File;
use std::os::fd::FromRawFd;
use std::os::unix::fs::FileExt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How often a wait looks.
const POLL: Duration = Duration::from_micros(200);

impl Semaphore {
    fn read(&self) -> Option<u64> {
        let mut bytes = [0; 8];
        self.file.read_exact_at(&mut bytes, 0).ok()?;
        Some(u64::from_le_bytes(bytes))
    }

    fn signal(&self, value: u64) {
        let value = if self.is_timeline { value } else { 1 };
        // A file that can't be written is never signalled.
        let _ = self.file.write_all_at(&value.to_le_bytes(), 0);
    }

    /// Whether a wait for `value` is over; the signal of a binary semaphore is taken back.
    fn is_over(&self, value: u64) -> bool {
        // So that of several waits only one takes a signal.
        static TAKE: Mutex<()> = Mutex::new(());
        let _take = TAKE.lock().unwrap_or_else(PoisonError::into_inner);
        match (self.read(), self.is_timeline) {
            (Some(found), true) => found >= value,
            (Some(1), false) => self.file.write_all_at(&[0; 8], 0).is_ok(),
            (Some(_), false) => false,
            // Nobody can signal it any more.
            (None, _) => true,
        }
    }
}

pub(super) fn cuImportExternalSemaphore(
    semaphore: *mut Handle,
    descriptor: *const CUexternalSemaphoreHandleDesc,
) -> Outcome {
    let mut state = current()?;
    if semaphore.is_null() || descriptor.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    // SAFETY: the caller's pointer, as the driver's function demands; so below.
    let wanted = unsafe { descriptor.read() };
    let is_timeline = match wanted.kind {
        CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD => false,
        CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD => true,
        _ => return Err(Code::NOT_SUPPORTED),
    };
    if wanted.flags != 0 {
        return Err(Code::INVALID_VALUE);
    }
    let file = Arc::new(duplicate(wanted.handle.file())?);
    let found = Semaphore { device: state.device, file, is_timeline };
    found.read().ok_or(Code::INVALID_HANDLE)?;
    let new = state.handle();
    state.semaphores.insert(new, found);
    // SAFETY: as above.
    unsafe { put(semaphore, new)? };
    // The caller's file is the driver's from now on.
    // SAFETY: the caller must not use it any more.
    drop(unsafe { File::from_raw_fd(wanted.handle.file()) });
    Ok(())
}

/// Puts work with each of some semaphores off.
fn submit(
    semaphores: *const Handle,
    parameters: *const CUexternalSemaphoreParams,
    count: c_uint,
    stream: Handle,
    work: impl Fn(&Semaphore, u64) + Send + 'static,
) -> Outcome {
    let mut state = current()?;
    let queue = state.own_queue(stream)?;
    state.refuse_captured(stream)?;
    if count > 0 && (semaphores.is_null() || parameters.is_null()) {
        return Err(Code::INVALID_VALUE);
    }
    let one = |index: usize| {
        // SAFETY: the caller gives `count` of each.
        let (handle, given) =
            unsafe { (semaphores.add(index).read(), parameters.add(index).read()) };
        let found = state.semaphores.get(&handle).cloned().ok_or(Code::INVALID_HANDLE)?;
        Ok((found, given.value))
    };
    let all = (0..count as usize).map(one).collect::<Result<Vec<_>, Code>>()?;
    let (before, running) = later::begin(&mut state, queue);
    let id = running.id();
    let job = move || {
        let _running = running;
        all.iter().for_each(|(semaphore, value)| work(semaphore, *value));
    };
    later::put_off(state, id, before, false, Box::new(job));
    Ok(())
}

pub(super) fn cuSignalExternalSemaphoresAsync(
    semaphores: *const Handle,
    parameters: *const CUexternalSemaphoreParams,
    count: c_uint,
    stream: Handle,
) -> Outcome {
    submit(semaphores, parameters, count, stream, |semaphore, value| semaphore.signal(value))
}

pub(super) fn cuWaitExternalSemaphoresAsync(
    semaphores: *const Handle,
    parameters: *const CUexternalSemaphoreParams,
    count: c_uint,
    stream: Handle,
) -> Outcome {
    submit(semaphores, parameters, count, stream, |semaphore, value| {
        while !semaphore.is_over(value) {
            std::thread::sleep(POLL);
        }
    })
}

pub(super) fn cuDestroyExternalSemaphore(semaphore: Handle) -> Outcome {
    current()?.semaphores.remove(&semaphore).map(|_| ()).ok_or(Code::INVALID_HANDLE)
}
