//! Variables of modules.

use super::Module;
use crate::error::{Error, Result};
use crate::memory::copy::{Tracked, blocking};
use crate::memory::tracker::Access;
use crate::stream::Stream;
use core::fmt;
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use ptyx_device::DeviceCopy;

/// A global variable of a module: one element or several, in device memory. It keeps the module loaded.
///
/// The host's accesses wait for all kernels that were launched from the module, and later launches find what was
/// written.
///
/// ```
/// let ptx = ".version 6.3\n.target sm_70\n.address_size 64\n.visible .global .align 4 .u32 limit = 5;";
/// let limit = ptyx::Module::from_ptx(ptx)?.global::<u32>("limit")?;
/// assert_eq!(limit.get()?, 5);
/// limit.set(&7)?;
/// assert_eq!(limit.get()?, 7);
/// # Ok::<(), ptyx::Error>(())
/// ```
pub struct ModuleGlobal<T> {
    module: Module,
    address: u64,
    len: usize,
    name: String,
    elements: PhantomData<fn(T) -> T>,
}

impl<T> Clone for ModuleGlobal<T> {
    fn clone(&self) -> Self {
        let ModuleGlobal { module, address, len, name, elements } = self;
        let (module, name) = (module.clone(), name.clone());
        ModuleGlobal { module, address: *address, len: *len, name, elements: *elements }
    }
}

impl<T: DeviceCopy> ModuleGlobal<T> {
    pub(super) fn find(module: &Module, name: &str) -> Result<Self> {
        module.context().bind()?;
        let found = super::global(module.context(), module.handle(), name)?;
        let (address, bytes) = found.ok_or_else(|| Error::NotFound {
            kind: "global",
            name: name.to_owned(),
            others: [].into(),
        })?;
        let size = size_of::<T>();
        let aligned = address.is_multiple_of(align_of::<T>() as u64);
        if size == 0 || !bytes.is_multiple_of(size) || !aligned {
            let (name, element) = (name.to_owned(), core::any::type_name::<T>());
            return Err(Error::GlobalSize { name, bytes, element, size, align: align_of::<T>() });
        }
        let (module, name, len) = (module.clone(), name.to_owned(), bytes / size);
        Ok(ModuleGlobal { module, address, len, name, elements: PhantomData })
    }

    /// The number of elements.
    ///
    /// ```
    /// # let ptx = ".version 6.3\n.target sm_70\n.address_size 64\n.visible .global .align 4 .b8 table[12];";
    /// # let module = ptyx::Module::from_ptx(ptx)?;
    /// // .visible .global .align 4 .b8 table[12];
    /// assert_eq!(module.global::<f32>("table")?.len(), 3);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    #[allow(clippy::len_without_is_empty)] // there is at least one
    pub fn len(&self) -> usize {
        self.len
    }

    /// The address on the device, for use as a raw pointer by kernels that are launched from this module: other
    /// launches are not ordered with the host's accesses.
    ///
    /// ```
    /// # let ptx = ".version 6.3\n.target sm_70\n.address_size 64\n.visible .global .align 4 .b8 table[12];";
    /// # let module = ptyx::Module::from_ptx(ptx)?;
    /// assert_ne!(module.global::<f32>("table")?.device_address(), 0);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn device_address(&self) -> u64 {
        self.address
    }

    /// The value of a variable that is a single element
    /// ([`cuMemcpyDtoHAsync`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)).
    ///
    /// ```
    /// # let ptx = ".version 6.3\n.target sm_70\n.address_size 64\n.visible .global .align 8 .u64 count = 3;";
    /// # let module = ptyx::Module::from_ptx(ptx)?;
    /// assert_eq!(module.global::<u64>("count")?.get()?, 3);
    /// assert!(module.global::<u32>("count")?.get().is_err()); // two elements
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Length`] if there are several; errors of kernels that were launched from the module.
    #[doc(alias = "cudaMemcpyFromSymbol")]
    pub fn get(&self) -> Result<T> {
        self.expect("the value of a global", 1)?;
        let mut value = MaybeUninit::uninit();
        // SAFETY: room for one element, which `read` writes.
        unsafe {
            self.read(value.as_mut_ptr())?;
            Ok(value.assume_init())
        }
    }

    /// Sets a variable that is a single element
    /// ([`cuMemcpyHtoDAsync`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)).
    ///
    /// ```
    /// # let ptx = ".version 6.3\n.target sm_70\n.address_size 64\n.visible .global .align 8 .u64 count = 3;";
    /// # let module = ptyx::Module::from_ptx(ptx)?;
    /// module.global::<u64>("count")?.set(&9)?;
    /// assert_eq!(module.global::<u64>("count")?.get()?, 9);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Length`] if there are several; errors of kernels that were launched from the module.
    #[doc(alias = "cudaMemcpyToSymbol")]
    pub fn set(&self, value: &T) -> Result<()> {
        self.copy_from_slice(core::slice::from_ref(value))
    }

    /// All elements.
    ///
    /// ```
    /// # let ptx = ".version 6.3\n.target sm_70\n.address_size 64\n.visible .global .align 4 .u32 table[2] = {5, 6};";
    /// # let module = ptyx::Module::from_ptx(ptx)?;
    /// assert_eq!(module.global::<u32>("table")?.to_vec()?, [5, 6]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// Errors of kernels that were launched from the module.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        let mut elements = Vec::with_capacity(self.len);
        // SAFETY: room for all elements, which `read` writes.
        unsafe {
            self.read(elements.as_mut_ptr())?;
            elements.set_len(self.len);
        }
        Ok(elements)
    }

    /// Sets all elements.
    ///
    /// ```
    /// # let ptx = ".version 6.3\n.target sm_70\n.address_size 64\n.visible .global .align 4 .u32 table[2];";
    /// # let module = ptyx::Module::from_ptx(ptx)?;
    /// let table = module.global::<u32>("table")?;
    /// table.copy_from_slice(&[1, 2])?;
    /// assert_eq!(table.to_vec()?, [1, 2]);
    /// assert!(table.copy_from_slice(&[1]).is_err());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Length`] for a slice of another length; errors of kernels that were launched from the module.
    pub fn copy_from_slice(&self, from: &[T]) -> Result<()> {
        self.expect("copying to a global", from.len())?;
        self.access(|stream| {
            let driver = self.module.context().driver;
            // SAFETY: the variable has the slice's size, and `blocking` waits for the copy.
            unsafe {
                driver.cuMemcpyHtoDAsync(
                    self.address,
                    from.as_ptr().cast(),
                    size_of_val(from),
                    stream.handle(),
                )
            }?;
            Ok(())
        })
    }

    fn expect(&self, what: &'static str, found: usize) -> Result<()> {
        match found == self.len {
            true => Ok(()),
            false => Err(Error::Length { what, expected: self.len, found }),
        }
    }

    /// Copies all elements to the host, and makes their bytes values.
    ///
    /// # Safety
    /// `to` has room for them.
    unsafe fn read(&self, to: *mut T) -> Result<()> {
        self.access(|stream| {
            let (driver, bytes) = (self.module.context().driver, self.len * size_of::<T>());
            // SAFETY: there is room for the elements, and `blocking` waits for the copy.
            unsafe { driver.cuMemcpyDtoHAsync(to.cast(), self.address, bytes, stream.handle()) }?;
            Ok(())
        })?;
        for index in 0..self.len {
            // SAFETY: the bytes were copied; what a kernel of another compiler wrote may be no value.
            unsafe { T::make_valid(to.add(index)) };
        }
        Ok(())
    }

    /// Runs a copy after all launches from the module, and waits for it.
    fn access(&self, copy: impl FnOnce(&Stream) -> Result<()>) -> Result<()> {
        let context = self.module.context();
        let tracker = self.module.tracker();
        let memory = Tracked {
            context,
            tracker,
            exposed_since: None,
            is_in_graph: false,
            is_of_graph: false,
        };
        blocking(memory, 0..1, Access::Write, copy)
    }
}

impl<T> fmt::Debug for ModuleGlobal<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ModuleGlobal({}, {} elements, {:#x})", self.name, self.len, self.address)
    }
}
