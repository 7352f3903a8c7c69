//! How code is assembled.

use super::image::CodeBytes;
use super::jit::Jit;
use super::{Module, linker::Linker};
use crate::error::{Error, Result};
use crate::runtime::current;
use std::path::Path;

/// How the driver assembles PTX, and what it writes into its logs
/// ([`CUjit_option`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TYPES.html)).
///
/// Only the options of the logs apply to machine code.
///
/// ```
/// use ptyx::ModuleOptions;
/// let ptx = ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry nothing() { ret; }";
/// let module = ModuleOptions::new().max_registers(32).opt_level(3).load_ptx(ptx)?;
/// assert!(module.function("nothing")?.attributes()?.registers <= 32);
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct ModuleOptions {
    pub(super) max_registers: Option<u32>,
    pub(super) opt_level: Option<u32>,
    pub(super) debug_info: bool,
    pub(super) line_info: bool,
    pub(super) verbose: bool,
    pub(super) log_bytes: usize,
}

impl Default for ModuleOptions {
    fn default() -> Self {
        Self::new()
    }
}

macro_rules! setters {
    ($(
        $(#[doc = $doc:literal])*
        $name:ident: $type:ty, $example:literal => |$options:ident, $value:ident| $set:expr;
    )*) => {$(
        $(#[doc = $doc])*
        ///
        /// ```
        /// use ptyx::ModuleOptions;
        #[doc = concat!("let options = ModuleOptions::new().", stringify!($name), "(", $example, ");")]
        /// assert_ne!(options, ModuleOptions::new());
        /// options.load_ptx(".version 6.3\n.target sm_70\n.address_size 64\n")?;
        /// # Ok::<(), ptyx::Error>(())
        /// ```
        pub const fn $name(mut self, $value: $type) -> Self {
            let $options = &mut self;
            $set;
            self
        }
    )*};
}

impl ModuleOptions {
    /// The driver's own choices, and logs of up to 16 KiB each.
    ///
    /// ```
    /// const QUICK: ptyx::ModuleOptions = ptyx::ModuleOptions::new().opt_level(0);
    /// QUICK.load_ptx(".version 6.3\n.target sm_70\n.address_size 64\n")?;
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub const fn new() -> ModuleOptions {
        ModuleOptions {
            max_registers: None,
            opt_level: None,
            debug_info: false,
            line_info: false,
            verbose: false,
            log_bytes: 16 * 1024,
        }
    }

    setters! {
        /// The maximum number of 32-bit registers per thread (`CU_JIT_MAX_REGISTERS`).
        max_registers: u32, "64" => |options, limit| options.max_registers = Some(limit);
        /// How much the assembler optimises, from 0 to 4 (`CU_JIT_OPTIMIZATION_LEVEL`); a larger number is an error
        /// when code is loaded.
        opt_level: u32, "1" => |options, level| options.opt_level = Some(level);
        /// Whether debug information is kept (`CU_JIT_GENERATE_DEBUG_INFO`), for debuggers.
        debug_info: bool, "true" => |options, keep| options.debug_info = keep;
        /// Whether source lines are kept (`CU_JIT_GENERATE_LINE_INFO`), for profilers.
        line_info: bool, "true" => |options, keep| options.line_info = keep;
        /// Whether the assembler writes the registers and memory that each kernel uses into [`Module::log`] (`CU_JIT_LOG_VERBOSE`).
        verbose: bool, "true" => |options, verbose| options.verbose = verbose;
        /// The maximum size of each log, in bytes; the rest is truncated.
        log_bytes: usize, "1 << 20" => |options, bytes| options.log_bytes = bytes;
    }

    /// Loads PTX: see [`Module::from_ptx`].
    ///
    /// ```
    /// use ptyx::{Error, ModuleOptions};
    /// let ptx = ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry nothing() { ret; }";
    /// let module = ModuleOptions::new().line_info(true).load_ptx(ptx)?;
    /// assert!(module.function("nothing").is_ok());
    /// let wrong = ModuleOptions::new().opt_level(5).load_ptx(ptx);
    /// assert!(matches!(wrong, Err(Error::Driver { .. })));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Module::from_ptx`]; [`Error::Driver`] for a value that the driver does not take.
    pub fn load_ptx(&self, ptx: &str) -> Result<Module> {
        self.load(&CodeBytes::ptx(ptx, WHAT)?, WHAT)
    }

    /// Loads PTX or machine code: see [`Module::from_image`].
    ///
    /// ```
    /// let options = ptyx::ModuleOptions::new().max_registers(32);
    /// let ptx = b".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry nothing() { ret; }";
    /// assert!(options.load_image(ptx)?.function("nothing")?.attributes()?.registers <= 32);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Module::from_image`]; [`Error::Driver`] for a value that the driver does not take.
    pub fn load_image(&self, image: &[u8]) -> Result<Module> {
        self.load(&CodeBytes::any(image, WHAT)?, WHAT)
    }

    /// Loads a file with PTX or machine code: see [`Module::from_file`].
    ///
    /// ```
    /// let error = ptyx::ModuleOptions::new().load_file("no/such/file").unwrap_err();
    /// assert!(error.to_string().contains("no/such/file"));
    /// ```
    ///
    /// # Errors
    /// Those of [`Module::from_file`]; [`Error::Driver`] for a value that the driver does not take.
    pub fn load_file(&self, path: impl AsRef<Path>) -> Result<Module> {
        let what = path.as_ref().display().to_string();
        let image = std::fs::read(path.as_ref()).map_err(|error| Error::ModuleImage {
            what: what.clone(),
            reason: format!("it can't be read: {error}"),
        })?;
        self.load(&CodeBytes::any(&image, &what)?, &what)
    }

    fn load(&self, code: &CodeBytes, what: &str) -> Result<Module> {
        Module::new(current()?, code, Jit::new(self), what)
    }

    /// A linker with these options: see [`Linker::new`].
    ///
    /// ```
    /// let mut linker = ptyx::ModuleOptions::new().max_registers(32).linker()?;
    /// linker.add_ptx("kernels", ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry k() { ret; }")?;
    /// let module = ptyx::Module::from_image(&linker.finish()?)?;
    /// assert!(module.function("k")?.attributes()?.registers <= 32);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Linker::new`].
    pub fn linker(&self) -> Result<Linker> {
        Linker::with(self)
    }
}

/// What errors call code without a name.
const WHAT: &str = "the module";
