//! The driver's linker.

use super::c_name;
use super::image::{CodeBytes, CodeKind};
use super::jit::Jit;
use super::options::ModuleOptions;
use crate::context::{Context, after_host_function};
use crate::driver::Failure;
use crate::driver::host_function::inside;
use crate::driver::types::*;
use crate::error::{Error, Result};
use crate::runtime::current;
use core::ffi::c_void;
use core::fmt;
use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Makes one image of several pieces of code that use each other's functions and variables
/// ([`cuLinkCreate`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MODULE.html)), for the thread's device.
///
/// ```
/// use ptyx::{Linker, Module};
/// const HEAD: &str = ".version 6.3\n.target sm_70\n.address_size 64\n";
/// let mut linker = Linker::new()?;
/// linker.add_ptx("library", &format!("{HEAD}.visible .func helper() {{ ret; }}"))?;
/// linker.add_ptx("kernel", &format!("{HEAD}.extern .func helper;\n.visible .entry k() {{ call.uni helper; ret; }}"))?;
/// let image = linker.finish()?;
/// let module = Module::from_image(&image)?;
/// module.function("k")?;
/// # Ok::<(), ptyx::Error>(())
/// ```
pub struct Linker {
    state: CUlinkState,
    context: &'static Context,
    /// The driver writes into its logs until the state is destroyed.
    jit: Jit,
}

// SAFETY: the driver's state may be used from every thread, and the logs belong to the linker.
unsafe impl Send for Linker {}

/// What a file holds, for [`Linker::add_file`] ([`CUjitInputType`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TYPES.html)).
///
/// ```
/// let mut linker = ptyx::Linker::new()?;
/// let error = linker.add_file("no/such/library.a", ptyx::LinkInput::Library).unwrap_err();
/// assert!(matches!(error, ptyx::Error::ModuleImage { .. }));
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LinkInput {
    /// PTX text.
    Ptx,
    /// Machine code for one architecture (a cubin).
    Cubin,
    /// Code for several architectures (a fat binary), of which the best for the device is used.
    Fatbin,
    /// A host object that holds device code, as `nvcc -dc` makes it.
    Object,
    /// An archive of such objects, such as `libcudadevrt.a`.
    Library,
}

impl LinkInput {
    fn number(self) -> CUjitInputType {
        match self {
            LinkInput::Ptx => CU_JIT_INPUT_PTX,
            LinkInput::Cubin => CU_JIT_INPUT_CUBIN,
            LinkInput::Fatbin => CU_JIT_INPUT_FATBINARY,
            LinkInput::Object => CU_JIT_INPUT_OBJECT,
            LinkInput::Library => CU_JIT_INPUT_LIBRARY,
        }
    }
}

impl Linker {
    /// A linker for the thread's device.
    ///
    /// ```
    /// use ptyx::{Linker, Module};
    /// let mut linker = Linker::new()?;
    /// linker.add_ptx("kernel", ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry k() { ret; }")?;
    /// assert!(Module::from_image(&linker.finish()?)?.function("k").is_ok());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`] if the driver has no linker; no usable device.
    pub fn new() -> Result<Linker> {
        Linker::with(&ModuleOptions::new())
    }

    /// A linker with options, which apply to PTX.
    pub(super) fn with(options: &ModuleOptions) -> Result<Linker> {
        Linker::on(current()?, options)
    }

    /// A linker for a device.
    pub(crate) fn on(context: &'static Context, options: &ModuleOptions) -> Result<Linker> {
        context.bind()?;
        let mut linker = Linker { state: CUlinkState::NULL, context, jit: Jit::new(options) };
        let (count, options, values) = linker.jit.options();
        // SAFETY: there is a value for each option; options, values and logs live until the state is destroyed.
        unsafe { context.driver.cuLinkCreate(count, options, values, &mut linker.state) }?;
        Ok(linker)
    }

    /// Adds PTX ([`cuLinkAddData`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MODULE.html)). Errors and logs call it `name`.
    ///
    /// ```
    /// let mut linker = ptyx::Linker::new()?;
    /// linker.add_ptx("empty", ".version 6.3\n.target sm_70\n.address_size 64\n")?;
    /// assert!(linker.add_ptx("wrong", "no PTX").unwrap_err().to_string().contains("wrong"));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Assembler`] with the log.
    pub fn add_ptx(&mut self, name: &str, ptx: &str) -> Result<&mut Linker> {
        let code = CodeBytes::ptx(ptx, name)?;
        self.add(LinkInput::Ptx, &code, name)
    }

    /// Adds PTX or machine code (a cubin or a fat binary; the bytes say what they are).
    ///
    /// ```
    /// # let ptx = ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry k() { ret; }";
    /// let mut first = ptyx::Linker::new()?;
    /// first.add_ptx("kernel", ptx)?;
    /// let image = first.finish()?;
    /// let mut second = ptyx::Linker::new()?;
    /// second.add_image("linked before", &image)?;
    /// assert!(second.add_image("cut off", &image[..20]).is_err());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::ModuleImage`] if the bytes are neither, or end too early; [`Error::Assembler`] with the log;
    /// [`Error::Driver`].
    pub fn add_image(&mut self, name: &str, image: &[u8]) -> Result<&mut Linker> {
        let code = CodeBytes::any(image, name)?;
        let kind = match CodeKind::of(image) {
            CodeKind::Ptx => LinkInput::Ptx,
            CodeKind::Cubin => LinkInput::Cubin,
            CodeKind::Fatbin => LinkInput::Fatbin,
        };
        self.add(kind, &code, name)
    }

    fn add(&mut self, kind: LinkInput, code: &CodeBytes, name: &str) -> Result<&mut Linker> {
        let title = c_name(name)?;
        let none = core::ptr::null_mut::<c_void>();
        self.context.bind()?;
        // SAFETY: the bytes are there, and their name ends with NUL; no options.
        let added = unsafe {
            self.context.driver.cuLinkAddData(
                self.state,
                kind.number(),
                code.as_ptr().cast_mut(),
                code.len(),
                title.as_ptr(),
                0,
                none.cast(),
                none.cast(),
            )
        };
        self.checked(added, name)
    }

    /// Adds a file ([`cuLinkAddFile`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MODULE.html)).
    ///
    /// ```
    /// use ptyx::{LinkInput, Linker};
    /// let path = std::env::temp_dir().join(format!("ptyx-doc-linker-{}.ptx", std::process::id()));
    /// std::fs::write(&path, ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry k() { ret; }").unwrap();
    /// let mut linker = Linker::new()?;
    /// linker.add_file(&path, LinkInput::Ptx)?;
    /// # std::fs::remove_file(&path).unwrap();
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::ModuleImage`] if the file can't be read; [`Error::Assembler`] with the log; [`Error::Driver`].
    pub fn add_file(&mut self, path: impl AsRef<Path>, kind: LinkInput) -> Result<&mut Linker> {
        let what = path.as_ref().display().to_string();
        let unreadable = |reason: String| Error::ModuleImage { what: what.clone(), reason };
        std::fs::File::open(path.as_ref())
            .map_err(|error| unreadable(format!("it can't be read: {error}")))?;
        let file = CString::new(path.as_ref().as_os_str().as_bytes())
            .map_err(|_| unreadable("its path contains a NUL byte".to_owned()))?;
        let none = core::ptr::null_mut::<c_void>();
        self.context.bind()?;
        // SAFETY: the path ends with NUL; no options.
        let added = unsafe {
            let driver = self.context.driver;
            let (kind, path) = (kind.number(), file.as_ptr());
            driver.cuLinkAddFile(self.state, kind, path, 0, none.cast(), none.cast())
        };
        self.checked(added, &what)
    }

    fn checked(&mut self, added: Result<(), Failure>, what: &str) -> Result<&mut Linker> {
        match added {
            Ok(()) => Ok(self),
            Err(failure) => Err(self.jit.error(self.context, failure, what)),
        }
    }

    /// Links what was added ([`cuLinkComplete`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MODULE.html)):
    /// the machine code, for [`Module::from_image`](crate::Module::from_image).
    ///
    /// ```
    /// let ptx = ".version 6.3\n.target sm_70\n.address_size 64\n.extern .func none;\n.entry k() { call.uni none; ret; }";
    /// let mut linker = ptyx::Linker::new()?;
    /// linker.add_ptx("kernel", ptx)?;
    /// let error = linker.finish().unwrap_err();
    /// assert!(error.to_string().contains("none"));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Assembler`] with the log, which names each symbol that no piece or more than one piece defines.
    pub fn finish(self) -> Result<Vec<u8>> {
        self.finish_with_log().map(|(image, _)| image)
    }

    /// [`Linker::finish`], with the linker's log of information.
    ///
    /// ```
    /// # let ptx = ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry k() { ret; }";
    /// let mut linker = ptyx::ModuleOptions::new().verbose(true).linker()?;
    /// linker.add_ptx("kernel", ptx)?;
    /// let (image, log) = linker.finish_with_log()?;
    /// assert!(!image.is_empty());
    /// println!("{log}");
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Linker::finish`].
    pub fn finish_with_log(self) -> Result<(Vec<u8>, String)> {
        self.context.bind()?;
        let (mut image, mut bytes) = (core::ptr::null_mut(), 0);
        // SAFETY: both places are valid.
        let done =
            unsafe { self.context.driver.cuLinkComplete(self.state, &mut image, &mut bytes) };
        if let Err(failure) = done {
            return Err(self.jit.error(self.context, failure, "what was linked"));
        }
        // SAFETY: the driver's image lives as long as the state.
        let image = unsafe { core::slice::from_raw_parts(image.cast::<u8>(), bytes) }.to_vec();
        Ok((image, self.jit.info()))
    }
}

impl Drop for Linker {
    fn drop(&mut self) {
        if self.state == CUlinkState::NULL {
            return;
        }
        if inside().is_some() {
            let state = core::mem::replace(&mut self.state, CUlinkState::NULL);
            let jit = core::mem::replace(&mut self.jit, Jit::keeping(None, false));
            // Dropped again there, where the driver may be called.
            let moved = Linker { state, context: self.context, jit };
            return after_host_function(move || drop(moved));
        }
        if self.context.bind().is_ok() {
            // SAFETY: the state is ours, and not used any more.
            let _ = unsafe { self.context.driver.cuLinkDestroy(self.state) };
        }
    }
}

impl fmt::Debug for Linker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Linker(device {})", self.context.ordinal)
    }
}
