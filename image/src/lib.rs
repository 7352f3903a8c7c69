//! The image: compiled kernels as the compiler writes and the host library reads them.
//!
//! An image is stored in the user's binary, in the section [`SECTION`]. It starts with a fixed header
//! (magic, format version, checksum, length), so that a damaged or foreign one is an error and never
//! trusted; an [`Image`] in `postcard` form follows.

mod arch;
mod error;
mod header;
mod layout;
pub mod message;
mod name;
pub mod panic;
mod proof;
mod statics;
mod text;

use core::panic::Location;

pub use arch::{Arch, Features, UnknownArch};
pub use error::ImageError;
use header::HEADER_LEN;
pub use header::{ALIGNMENT, FORMAT_VERSION, MAGIC, SECTION};
pub use layout::Layout;
pub use name::is_reserved;
pub use proof::{MAX_NUMBERS, Number, Product, Proof, Quotient};
use serde::{Deserialize, Serialize};
pub use statics::{Static, StaticKind};
pub use text::Packed;

/// Everything the device pass made of one package (or of its library alone).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    /// What made this image, and from what.
    pub provenance: Provenance,
    /// The launch sites, each with the kernel that it launches.
    pub roots: Vec<Root>,
    /// The kernel instances.
    pub kernels: Vec<Kernel>,
    /// The PTX modules that the kernels live in.
    pub modules: Vec<Module>,
    /// Cargo targets that the device pass could not compile, so that their kernels are missing.
    pub failed_targets: Vec<String>,
}

/// What made an image, and of what.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// The compiler's package version.
    pub compiler: String,
    /// `rustc -vV`'s first line.
    pub rustc: String,
    /// The host target triple.
    pub target: String,
    /// The package whose kernels these are.
    pub package: String,
    /// `lib` for the library's own kernels, `targets` for those of binaries, examples and tests.
    pub unit: String,
    /// The libdevice whose mathematical functions the kernels use; `None` if they use those in Rust.
    pub libdevice: Option<String>,
}

/// A launch site, as both passes name it: the kernel's type, the location of the `launch!`, and its crate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Root {
    /// `core::any::type_name` of the kernel's function item.
    pub type_name: String,
    /// The launch site's identity.
    pub site: String,
    /// Distinguishes the launch's crate from others of the same name: a hash of its package, version and
    /// target (`ptyx::launch::crate_id`).
    pub crate_id: u64,
    /// A hash of the instance's symbol in the device pass. Roots with the same name but different symbols
    /// are different kernels, unless their code is the same.
    pub instance: u64,
    /// Index into [`Image::kernels`].
    pub kernel: u32,
}

/// The identity of a launch in a `#[track_caller]` function, which includes the call of that function:
/// it distinguishes kernels with one name that one `launch!` launches. Both passes see the same file
/// name for the caller, though perhaps not the same path.
pub fn tracked_site(site: &str, caller: &Location<'_>) -> String {
    tracked_site_at(site, caller.file(), caller.line(), caller.column())
}

/// [`tracked_site`] of a place in a file.
pub fn tracked_site_at(site: &str, file: &str, line: u32, column: u32) -> String {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    format!("{site}@{name}:{line}:{column}")
}

/// One kernel instance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kernel {
    /// `core::any::type_name` of the kernel's function item.
    pub name: String,
    /// The entry's identifier in the PTX.
    pub entry: String,
    /// The Rust arguments, in order.
    pub args: Vec<Layout>,
    /// The PTX parameters, in order.
    pub params: Vec<Param>,
    /// What its `#[kernel]` attribute says of every launch.
    pub knobs: KernelKnobs,
    /// The source file of the kernel, empty if unknown.
    pub file: String,
    /// The line of the kernel, 0 if unknown.
    pub line: u32,
    /// Its code, at least once; the architectures differ.
    pub code: Vec<Code>,
}

/// The knobs of a `#[kernel]` attribute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelKnobs {
    /// The block that every launch has.
    pub threads: Option<[u32; 3]>,
    /// The largest block, as the product of the three.
    pub maxthreads: Option<[u32; 3]>,
    /// How many blocks a multiprocessor should hold.
    pub blocks_per_sm: Option<u32>,
    /// The most registers of a thread.
    pub maxregs: Option<u32>,
    /// The clusters of every launch, in blocks.
    pub cluster: Option<[u32; 3]>,
}

/// A kernel's code for one architecture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Code {
    /// What it was compiled for.
    pub arch: Arch,
    /// The PTX version that it needs, times ten: 63 for PTX 6.3.
    pub ptx_version: u32,
    /// Index into [`Image::modules`].
    pub module: u32,
    /// Byte offset in the module's PTX after the parameter list's `)`: knob directives go here.
    pub directives_at: u32,
    /// Bytes of statically allocated shared memory.
    pub static_shared: u32,
    /// Bytes of shared arrays that are too large for static shared memory: each launch needs as many more bytes of
    /// dynamic shared memory, which begins with them.
    pub moved_shared: u32,
    /// Lengths in 32 bits that it takes as its next parameters after [`Kernel::params`], each a `u32`.
    pub limits: Vec<Limit>,
    /// Conditions under which a launch runs other code.
    pub proof: Option<Proof>,
    /// The code for launches of which one level of the proof holds, two, and so on. This code has no proof itself.
    pub proved: Vec<Code>,
    /// It may panic, and takes two more parameters: the address of its stream's
    /// panic slot, and the launch's number in the stream (a `u32`).
    pub reports_panics: bool,
    /// It prints, and takes the address of the device's queue of lines as its next parameter.
    pub prints: bool,
    /// It asks whether its launch is cooperative, and takes the answer, a `u32`, as its last parameter.
    pub asks_cooperative: bool,
    /// It may dereference pointers that do not come from a buffer of the launch: raw pointers in
    /// arguments, addresses made from integers or read from memory.
    pub follows_pointers: bool,
    /// It is unknown how much stack a thread needs: the kernel recurses or calls through pointers.
    pub unknown_stack: bool,
    /// The shapes that it may be launched with.
    pub max_dims: MaxDims,
    /// It calculates threads' numbers in 32 bits: a launch must have fewer than 2^31 threads in a row of blocks along any axis.
    pub narrow_indices: bool,
    /// Its checks are left out: it is for GPUs, which prefer it. The emulated device runs the other code.
    pub unchecked: bool,
}

impl Kernel {
    /// All of its code, with that for the levels of its proofs.
    pub fn all_code(&self) -> impl Iterator<Item = &Code> {
        self.code.iter().flat_map(Code::with_proved)
    }
}

impl Code {
    /// The code, and the code for the levels of its proof.
    pub fn with_proved(&self) -> impl Iterator<Item = &Code> {
        core::iter::once(self).chain(&self.proved)
    }

    /// The code that runs if all levels of the proof hold.
    pub fn most_proved(&self) -> &Code {
        self.proved.last().unwrap_or(self)
    }

    /// Adds a number to the indices of its modules.
    pub fn move_modules(&mut self, by: u32) {
        self.module += by;
        self.proved.iter_mut().for_each(|code| code.module += by);
    }
}

/// The highest dimension in which a launch's grid may have more than one block, and a block more than one thread: 1, 2 or 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MaxDims {
    /// Of the grid, in blocks.
    pub grid: u8,
    /// Of a block, in threads.
    pub block: u8,
}

impl MaxDims {
    /// Of a kernel that can be launched with any shape.
    pub const ANY: MaxDims = MaxDims { grid: 3, block: 3 };
}

/// A PTX parameter: `size` bytes at `offset` of Rust argument `arg`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Param {
    /// Index into [`Kernel::args`].
    pub arg: u32,
    /// Byte offset inside the argument.
    pub offset: u32,
    /// Bytes.
    pub size: u32,
    /// A power of two.
    pub align: u32,
}

/// The most limits of a kernel.
pub const MAX_LIMITS: usize = 32;

/// A parameter that the host calculates from another one: a `u32` that is made from the `u64` at `offset` of Rust argument
/// `arg`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limit {
    /// Index into [`Kernel::args`].
    pub arg: u32,
    /// Byte offset inside the argument.
    pub offset: u32,
    /// What is subtracted from the number, modulo 2^64.
    pub less: u32,
    /// The most that it is after that: larger results become this.
    pub most: u32,
}

impl Limit {
    /// The parameter, where `number` is at its place.
    pub const fn of(self, number: u64) -> u32 {
        let rest = number.wrapping_sub(self.less as u64);
        if rest < self.most as u64 { rest as u32 } else { self.most }
    }
}

/// A PTX module.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Module {
    /// The PTX text.
    pub ptx: String,
    /// Which source lines the PTX names.
    pub debug_info: DebugInfo,
    /// The optimised LLVM IR that the PTX was made of, if the build was asked to keep it.
    pub llvm_ir: Option<Packed>,
    /// Where it may panic.
    pub panics: panic::Panics,
    /// The device statics that it uses.
    pub statics: Vec<Static>,
}

/// The debug information in compiled code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum DebugInfo {
    /// Nothing.
    #[default]
    None,
    /// The source line of each instruction, through inlined calls: for profilers and reports.
    Lines,
    /// Lines, variables and types: for debuggers.
    Full,
}

impl Image {
    /// Writes the image, header included.
    ///
    /// # Errors
    /// [`ImageError::Encode`] if a value does not fit the format.
    pub fn encode(&self) -> Result<Vec<u8>, ImageError> {
        let payload = postcard::to_allocvec(self).map_err(|e| ImageError::Encode(e.to_string()))?;
        let mut bytes = Vec::with_capacity(HEADER_LEN + payload.len());
        bytes.extend_from_slice(&MAGIC);
        bytes.extend_from_slice(&FORMAT_VERSION.to_le_bytes());
        bytes.extend_from_slice(&crc32fast::hash(&payload).to_le_bytes());
        bytes.extend_from_slice(&(payload.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&payload);
        Ok(bytes)
    }

    /// Reads an image from the start of `bytes`; what follows it is ignored.
    ///
    /// # Errors
    /// Any [`ImageError`] except `Encode`. Every index of a decoded image is in range.
    pub fn decode(bytes: &[u8]) -> Result<Image, ImageError> {
        let need = encoded_len(bytes)?;
        let payload =
            bytes.get(HEADER_LEN..need).ok_or(ImageError::Truncated { have: bytes.len(), need })?;
        let expected = word(bytes, 12);
        let found = crc32fast::hash(payload);
        if found != expected {
            return Err(ImageError::Checksum { found, expected });
        }
        let image: Image =
            postcard::from_bytes(payload).map_err(|e| ImageError::Payload(e.to_string()))?;
        image.check()?;
        Ok(image)
    }

    /// Checks that every index and offset points into the image, and alignments.
    fn check(&self) -> Result<(), ImageError> {
        let bad = |what: String| Err(ImageError::Payload(what));
        for root in &self.roots {
            if root.kernel as usize >= self.kernels.len() {
                return bad(format!("launch site {} names kernel {}", root.site, root.kernel));
            }
        }
        if let Some(module) = self.modules.iter().position(|module| !module.panics.is_whole()) {
            return bad(format!("a panic of module {module} names a file that is not there"));
        }
        let statics = self.modules.iter().flat_map(|module| &module.statics);
        if let Some(wrong) = statics.into_iter().find(|found| !found.is_whole()) {
            return bad(format!("the static {} has a wrong initial value", wrong.name));
        }
        for kernel in &self.kernels {
            if kernel.code.is_empty() {
                return bad(format!("kernel {} has no code", kernel.name));
            }
            for code in &kernel.code {
                let levels = code.proof.as_ref().map_or(0, |proof| proof.levels.len());
                if code.proved.len() != levels
                    || code
                        .proved
                        .iter()
                        .any(|proved| proved.proof.is_some() || !proved.proved.is_empty())
                {
                    return bad(format!(
                        "kernel {} does not have one code for each level of its proof",
                        kernel.name
                    ));
                }
            }
            for code in kernel.all_code() {
                let Some(module) = self.modules.get(code.module as usize) else {
                    return bad(format!("kernel {} names module {}", kernel.name, code.module));
                };
                let is_inside = |limit: &Limit| {
                    kernel.args.get(limit.arg as usize).is_some_and(|arg| {
                        u64::from(limit.offset) + size_of::<u64>() as u64 <= u64::from(arg.size)
                    })
                };
                if code.limits.len() > MAX_LIMITS || !code.limits.iter().all(is_inside) {
                    return bad(format!("kernel {} has a bad limit", kernel.name));
                }
                if code.proof.as_ref().is_some_and(|proof| !proof.is_whole(&kernel.args)) {
                    return bad(format!("kernel {} has a bad proof", kernel.name));
                }
                if !module.ptx.is_char_boundary(code.directives_at as usize) {
                    return bad(format!("kernel {} has a bad directive offset", kernel.name));
                }
            }
            let aligns = kernel.args.iter().map(|arg| arg.align);
            if !aligns.chain(kernel.params.iter().map(|p| p.align)).all(u32::is_power_of_two) {
                return bad(format!("kernel {} has a bad alignment", kernel.name));
            }
            for param in &kernel.params {
                let inside = kernel.args.get(param.arg as usize).is_some_and(|arg| {
                    u64::from(param.offset) + u64::from(param.size) <= u64::from(arg.size)
                });
                if !inside {
                    return bad(format!("kernel {} has a bad parameter", kernel.name));
                }
            }
        }
        Ok(())
    }
}

/// The bytes that an encoded image takes, header included, from its header.
///
/// # Errors
/// [`ImageError::Truncated`], [`ImageError::NotAnImage`] or [`ImageError::Version`].
pub fn encoded_len(bytes: &[u8]) -> Result<usize, ImageError> {
    if bytes.len() < HEADER_LEN {
        return Err(ImageError::Truncated { have: bytes.len(), need: HEADER_LEN });
    }
    if bytes[..8] != MAGIC {
        return Err(ImageError::NotAnImage);
    }
    let found = word(bytes, 8);
    if found != FORMAT_VERSION {
        return Err(ImageError::Version { found });
    }
    let payload = u64::from(word(bytes, 16)) | u64::from(word(bytes, 20)) << 32;
    usize::try_from(payload)
        .ok()
        .and_then(|payload| payload.checked_add(HEADER_LEN))
        .ok_or(ImageError::Payload(format!("a length of {payload} bytes")))
}

/// The little-endian 32-bit word at `at`. The caller has checked the length.
fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_no_larger_than_said() {
        let positive = Limit { arg: 0, offset: 0, less: 0, most: 1 << 31 };
        let last = Limit { less: 1, most: u32::MAX, ..positive };
        let half = 1u64 << 31;
        for (number, is_positive, is_last) in [
            (0, 0, u32::MAX),
            (1, 1, 0),
            (half - 1, half - 1, half as u32 - 2),
            (half, half, half as u32 - 1),
            (half + 1, half, half as u32),
            (2 * half - 1, half, u32::MAX - 1),
            (2 * half, half, u32::MAX),
            (u64::MAX, half, u32::MAX),
        ] {
            assert_eq!((positive.of(number).into(), last.of(number)), (is_positive, is_last));
        }
    }

    fn sample() -> Image {
        Image {
            roots: vec![Root {
                type_name: "a::k".into(),
                site: "a:1:2".into(),
                crate_id: 1,
                instance: 2,
                kernel: 0,
            }],
            kernels: vec![Kernel {
                name: "a::k".into(),
                entry: "k".into(),
                args: vec![Layout { size: 8, align: 8, fingerprint: 3 }],
                params: vec![Param { arg: 0, offset: 0, size: 8, align: 8 }],
                knobs: KernelKnobs { maxregs: Some(32), ..KernelKnobs::default() },
                file: "src/lib.rs".into(),
                line: 7,
                code: vec![Code {
                    arch: Arch::BASE,
                    ptx_version: 63,
                    module: 0,
                    directives_at: 3,
                    static_shared: 0,
                    moved_shared: 0,
                    limits: Vec::new(),
                    proof: None,
                    proved: Vec::new(),
                    reports_panics: true,
                    prints: true,
                    asks_cooperative: false,
                    follows_pointers: false,
                    unknown_stack: false,
                    max_dims: MaxDims::ANY,
                    narrow_indices: false,
                    unchecked: false,
                }],
            }],
            modules: vec![Module {
                ptx: ".version 6.3".into(),
                debug_info: DebugInfo::Lines,
                llvm_ir: Some(Packed::new("define void @k()")),
                panics: panic::Panics {
                    files: vec!["src/lib.rs".into()],
                    sites: vec![panic::Site {
                        file: 0,
                        line: 9,
                        column: 5,
                        message: panic::Message::Bounds {
                            index: panic::Word::Recorded(0),
                            len: panic::Word::Constant(4),
                        },
                    }],
                    prints: vec![vec![panic::Word::Recorded(0)]],
                },
                statics: vec![Static {
                    key: 1,
                    name: "a::COUNT".into(),
                    kind: StaticKind::Global,
                    variable: "count".into(),
                    layout: Layout { size: 4, align: 4, fingerprint: 5 },
                    initial: Some(vec![1, 0, 0, 0]),
                }],
            }],
            ..Image::default()
        }
    }

    #[test]
    fn round_trip_with_trailing_padding() {
        let mut bytes = sample().encode().unwrap();
        bytes.extend_from_slice(&[0; 13]);
        assert_eq!(Image::decode(&bytes).unwrap(), sample());
    }

    #[test]
    fn every_truncation_is_an_error() {
        let bytes = sample().encode().unwrap();
        for len in 0..bytes.len() {
            assert!(Image::decode(&bytes[..len]).is_err(), "{len} bytes were taken");
        }
    }

    #[test]
    fn every_flipped_bit_is_an_error() {
        let bytes = sample().encode().unwrap();
        for bit in 0..bytes.len() * 8 {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert!(Image::decode(&damaged).is_err(), "bit {bit} was not noticed");
        }
    }

    #[test]
    fn indices_out_of_range_are_errors() {
        let mut image = sample();
        image.roots[0].kernel = 1;
        assert!(matches!(Image::decode(&image.encode().unwrap()), Err(ImageError::Payload(_))));
        let mut image = sample();
        image.kernels[0].code[0].module = 1;
        assert!(matches!(Image::decode(&image.encode().unwrap()), Err(ImageError::Payload(_))));
        let mut image = sample();
        let code = image.kernels[0].code[0].clone();
        image.kernels[0].code[0].proved = vec![code.clone()];
        assert!(matches!(Image::decode(&image.encode().unwrap()), Err(ImageError::Payload(_))));
        let levels = vec![vec![vec![Product { count: 1, factors: Vec::new() }]]];
        image.kernels[0].code[0].proof = Some(Proof { levels, ..Proof::default() });
        assert!(Image::decode(&image.encode().unwrap()).is_ok());
        image.kernels[0].code[0].proved[0].module = 1;
        assert!(matches!(Image::decode(&image.encode().unwrap()), Err(ImageError::Payload(_))));
        image.kernels[0].code[0].proved[0] = Code { proved: vec![code.clone()], ..code };
        assert!(matches!(Image::decode(&image.encode().unwrap()), Err(ImageError::Payload(_))));
        let mut image = sample();
        image.kernels[0].code.clear();
        assert!(matches!(Image::decode(&image.encode().unwrap()), Err(ImageError::Payload(_))));
        let mut image = sample();
        image.kernels[0].params[0].offset = 1;
        assert!(matches!(Image::decode(&image.encode().unwrap()), Err(ImageError::Payload(_))));
        let mut image = sample();
        image.modules[0].panics.sites[0].file = 1;
        assert!(matches!(Image::decode(&image.encode().unwrap()), Err(ImageError::Payload(_))));
        let mut image = sample();
        image.modules[0].statics[0].initial = Some(vec![1]);
        assert!(matches!(Image::decode(&image.encode().unwrap()), Err(ImageError::Payload(_))));
    }
}
