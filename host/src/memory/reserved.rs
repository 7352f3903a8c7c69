//! Reserved addresses, and the memory that is mapped there.

use super::growable::MappedPart;
use super::pool;
use crate::context::Context;
use crate::driver::Failure;
use crate::driver::types::*;
use crate::error::{Error, Result};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Addresses of devices, at which memory is mapped from the beginning up to some byte.
pub(super) struct Reserved {
    address: CUdeviceptr,
    /// A multiple of the granularity, as the size of each part is.
    pub(super) bytes: usize,
    granularity: usize,
    /// The devices that can use the memory; the first is its home.
    contexts: Vec<&'static Context>,
    /// As what other processes can have it.
    handle_types: CUmemAllocationHandleType,
    parts: Mutex<Vec<MappedPart>>,
}

/// A device's memory, for `cuMemCreate`.
fn properties(context: &Context, handle_types: CUmemAllocationHandleType) -> CUmemAllocationProp {
    CUmemAllocationProp {
        kind: CU_MEM_ALLOCATION_TYPE_PINNED,
        handle_types,
        location: location(context),
        metadata: core::ptr::null(),
        flags: [0; 8],
    }
}

fn location(context: &Context) -> CUmemLocation {
    CUmemLocation { kind: CU_MEM_LOCATION_TYPE_DEVICE, id: context.device }
}

/// The granularity of a device's mapped memory, in bytes; an error if it can map none.
fn granularity(
    context: &'static Context,
    handle_types: CUmemAllocationHandleType,
) -> Result<usize> {
    match context.attribute(CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED)? {
        0 => return Err(Error::NoVirtualMemory { device: context.ordinal }),
        _ => context.bind()?,
    }
    let mut granularity = 0;
    let option = CU_MEM_ALLOC_GRANULARITY_RECOMMENDED;
    let wanted = properties(context, handle_types);
    // SAFETY: a valid place, and such a structure.
    unsafe { context.driver.cuMemGetAllocationGranularity(&mut granularity, &wanted, option) }?;
    Ok(granularity.max(1))
}

impl Reserved {
    /// Reserves at least `bytes` bytes of addresses, which these devices can use, at least one. There is no memory yet.
    /// Other processes can have the memory if `handle_types` says as what.
    pub(super) fn new(
        bytes: usize,
        contexts: Vec<&'static Context>,
        handle_types: CUmemAllocationHandleType,
    ) -> Result<Reserved> {
        let mut coarsest = 1;
        for context in &contexts {
            // Powers of two.
            coarsest = coarsest.max(granularity(context, handle_types)?);
        }
        let whole = bytes.checked_next_multiple_of(coarsest);
        let bytes = whole.ok_or(Error::TooLarge { len: bytes, size: 1 })?;
        let mut address = 0;
        let driver = contexts[0].driver;
        contexts[0].bind()?;
        // SAFETY: a valid place.
        unsafe { driver.cuMemAddressReserve(&mut address, bytes, 0, 0, 0) }?;
        let (granularity, parts) = (coarsest, Mutex::default());
        Ok(Reserved { address, bytes, granularity, contexts, handle_types, parts })
    }

    /// The first byte.
    pub(super) fn address(&self) -> CUdeviceptr {
        self.address
    }

    /// The device that makes what no stream is named for.
    pub(super) fn home(&self) -> &'static Context {
        self.contexts[0]
    }

    /// Whether a device's streams can use the memory.
    pub(super) fn reaches(&self, context: &Context) -> bool {
        self.contexts.iter().any(|known| core::ptr::eq(*known, context))
    }

    fn lock(&self) -> MutexGuard<'_, Vec<MappedPart>> {
        self.parts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Bytes of which each part is a multiple.
    pub(super) fn granularity(&self) -> usize {
        self.granularity
    }

    /// What is mapped, in order.
    pub(super) fn parts(&self) -> Vec<MappedPart> {
        self.lock().clone()
    }

    /// How many bytes from the beginning have memory.
    pub(super) fn mapped(&self) -> usize {
        self.lock().iter().map(|part| part.bytes).sum()
    }

    /// Maps memory of a device, so that the first `bytes` bytes have some: more than needed if there is room, so that
    /// many small steps become few large ones.
    pub(super) fn map(&self, bytes: usize, owner: &'static Context) -> Result<()> {
        debug_assert!(bytes <= self.bytes, "the caller has checked it");
        granularity(owner, self.handle_types)?;
        let mut parts = self.lock();
        let mapped: usize = parts.iter().map(|part| part.bytes).sum();
        let Some(missing) = bytes.checked_sub(mapped).filter(|&missing| missing > 0) else {
            return Ok(());
        };
        let missing = missing.next_multiple_of(self.granularity);
        let ample = (mapped / 8).next_multiple_of(self.granularity).min(self.bytes - mapped);
        let device = owner.ordinal;
        if ample > missing && self.map_part(mapped, ample, owner).is_ok() {
            parts.push(MappedPart { bytes: ample, device });
            return Ok(());
        }
        pool::allocate_apart(owner, missing, || self.map_part(mapped, missing, owner))?;
        parts.push(MappedPart { bytes: missing, device });
        Ok(())
    }

    /// Maps new memory at a place where there is none.
    fn map_part(
        &self,
        offset: usize,
        bytes: usize,
        owner: &'static Context,
    ) -> Result<(), Failure> {
        owner.bind()?;
        let (mut memory, wanted) = (0, properties(owner, self.handle_types));
        // SAFETY: a valid place, and such a structure.
        unsafe { owner.driver.cuMemCreate(&mut memory, bytes, &wanted, 0) }?;
        self.map_memory(offset, bytes, memory)
    }

    /// Maps memory at a place where there is none, and lets go of its handle.
    fn map_memory(
        &self,
        offset: usize,
        bytes: usize,
        memory: CUmemGenericAllocationHandle,
    ) -> Result<(), Failure> {
        let (driver, address) = (self.home().driver, self.address + offset as u64);
        let flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
        let access =
            |context: &&'static Context| CUmemAccessDesc { location: location(context), flags };
        let accesses: Vec<_> = self.contexts.iter().map(access).collect();
        // SAFETY: the addresses are ours, and nothing is mapped there. The memory stays as long as it is mapped.
        unsafe {
            let mapped = driver.cuMemMap(address, bytes, 0, memory, 0);
            let released = driver.cuMemRelease(memory);
            mapped?;
            let set = driver.cuMemSetAccess(address, bytes, accesses.as_ptr(), accesses.len());
            if let Err(failure) = set.and(released) {
                let _ = driver.cuMemUnmap(address, bytes);
                return Err(failure);
            }
        }
        Ok(())
    }

    /// Files by which other processes map the parts, in order.
    pub(super) fn export(&self) -> Result<Vec<(OwnedFd, usize)>> {
        let (driver, kind) = (self.home().driver, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
        if self.handle_types != kind {
            return Err(Error::NotShareable);
        }
        let (parts, mut at, mut files) = (self.lock(), self.address, Vec::new());
        self.home().bind()?;
        for part in parts.iter() {
            let (mut memory, mut file) = (0, -1i32);
            let start = core::ptr::without_provenance_mut(at as usize);
            // SAFETY: valid places, and memory is mapped there; its handle is given back.
            unsafe {
                driver.cuMemRetainAllocationHandle(&mut memory, start)?;
                let place = (&raw mut file).cast();
                let exported = driver.cuMemExportToShareableHandle(place, memory, kind, 0);
                let released = driver.cuMemRelease(memory);
                exported.and(released)?;
            }
            // SAFETY: a new file, which is ours.
            let file = unsafe { OwnedFd::from_raw_fd(file) };
            files
                .push((pool::duplicate(file.as_fd(), "cuMemExportToShareableHandle")?, part.bytes));
            at += part.bytes as u64;
        }
        Ok(files)
    }

    /// Maps another process's memory of this size behind what is mapped.
    pub(super) fn import(&self, file: BorrowedFd<'_>, bytes: usize) -> Result<()> {
        let mut parts = self.lock();
        let mapped: usize = parts.iter().map(|part| part.bytes).sum();
        let room = self.bytes - mapped;
        if bytes == 0 || bytes > room || !bytes.is_multiple_of(self.granularity) {
            let nearest = bytes.checked_next_multiple_of(self.granularity).unwrap_or(room);
            let expected = nearest.min(room).max(self.granularity);
            let what = "the size of a part of another process's buffer";
            return Err(Error::Length { what, expected, found: bytes });
        }
        let (driver, kind) = (self.home().driver, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
        self.home().bind()?;
        // The driver may take the number 0 for no file. A copy has another one.
        let file = pool::duplicate(file, "cuMemImportFromShareableHandle")?;
        let handle = core::ptr::without_provenance_mut(file.as_raw_fd().unsigned_abs() as usize);
        let mut memory = 0;
        // SAFETY: a valid place, and a file that is open.
        unsafe { driver.cuMemImportFromShareableHandle(&mut memory, handle, kind) }?;
        self.map_memory(mapped, bytes, memory)?;
        parts.push(MappedPart { bytes, device: self.home().ordinal });
        Ok(())
    }

    /// Unmaps the parts that begin at or after this byte.
    ///
    /// # Safety
    /// Nothing uses what is there, not even work that was submitted earlier.
    pub(super) unsafe fn unmap_from(&self, kept: usize) -> Result<(), Failure> {
        let _relaxed = self.home().driver.relaxed();
        let mut parts = self.lock();
        let mut end: usize = parts.iter().map(|part| part.bytes).sum();
        while let Some(last) = parts.last()
            && end - last.bytes >= kept
        {
            end -= last.bytes;
            // SAFETY: the caller's promise, and it is a whole mapping.
            unsafe { self.home().driver.cuMemUnmap(self.address + end as u64, last.bytes) }?;
            parts.pop();
        }
        Ok(())
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        // Neither belongs to the context: a device that was reset keeps them. A driver that is shutting down refuses,
        // and takes all memory back itself.
        let _relaxed = self.home().driver.relaxed();
        // SAFETY: the last owner's, which has waited for everything that uses the memory.
        unsafe {
            let _ = self.unmap_from(0);
            let _ = self.home().driver.cuMemAddressFree(self.address, self.bytes);
        }
    }
}
