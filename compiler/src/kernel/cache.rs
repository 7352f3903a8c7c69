//! Remembers compiled kernels, so that an edit compiles only the kernels that it changes.
//!
//! A kernel's key is what it is made of: its extracted bitcode, the arguments' layouts, the options,
//! rustc's version, and this program itself, byte for byte ([`hash_of_program`]): whatever changes the
//! compiler (a file of this crate or of a crate that it uses, or a flag) changes the program. (So do
//! edits of the build script, which are rare.) A file begins with a hash of the rest; a kernel whose file does not
//! read back is compiled again.

use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::Compiled;
use crate::device_pass::Program;
use crate::link::KernelRoot;
use crate::options::Options;

/// The number of kernels that are kept. The oldest are dropped first.
const MAX_KERNELS: usize = 4096;

/// The folder with the remembered kernels of a package.
pub(crate) struct Cache {
    dir: PathBuf,
    /// Part of every key.
    versions: String,
}

impl Cache {
    /// The cache of a program's kernels, as this process compiles them.
    pub(crate) fn of(program: &Program) -> Cache {
        let (compiler, rustc) = (Cache::compiler(), &program.toolchain.version);
        Cache::new(&program.work_dir, &compiler, rustc, &program.options)
    }

    /// Distinguishes this compiler from any other. A program that can't read its own code can't tell whether
    /// it has changed, so it gets a new key every time, and nothing is remembered.
    pub(crate) fn compiler() -> String {
        std::env::current_exe()
            .and_then(|path| hash_of_program(&path))
            .map_or_else(|_| format!("{:?}", std::time::SystemTime::now()), |hash| hash.to_string())
    }

    /// A name for `what`, of 128 bits of hash.
    pub(crate) fn hash(what: &impl Hash) -> String {
        let half = |salt: u64| {
            let mut hasher = DefaultHasher::new();
            (salt, what).hash(&mut hasher);
            hasher.finish()
        };
        format!("{:016x}{:016x}", half(0), half(1))
    }

    /// A cache in `work_dir`, for this compiler, rustc and options.
    fn new(work_dir: &Path, compiler: &str, rustc: &str, options: &Options) -> Cache {
        let dir = work_dir.join("kernels");
        // A cache that can't be made remembers nothing.
        let _ = fs::create_dir_all(&dir);
        Cache { dir, versions: format!("{compiler} {rustc} {options:?}") }
    }

    /// The place of a kernel: 128 bits of hash over everything that it depends on.
    pub(crate) fn place(&self, bitcode: &[u8], root: &KernelRoot) -> PathBuf {
        let half = |salt: u64| {
            let mut hasher = DefaultHasher::new();
            (salt, &self.versions, &root.type_name, &root.symbol).hash(&mut hasher);
            for layout in &root.layouts {
                (layout.size, layout.align, layout.fingerprint).hash(&mut hasher);
            }
            bitcode.hash(&mut hasher);
            hasher.finish()
        };
        self.dir.join(format!("{:016x}{:016x}.kernel", half(0), half(1)))
    }

    /// The kernel at `place`, if it is there and whole.
    pub(crate) fn get(&self, place: &Path) -> Option<Compiled> {
        let bytes = fs::read(place).ok()?;
        let (hash, kernel) = bytes.split_first_chunk()?;
        if u64::from_le_bytes(*hash) != hash_of(kernel) {
            return None;
        }
        postcard::from_bytes(kernel).ok()
    }

    /// Remembers a kernel. Failing to is no error.
    pub(crate) fn put(&self, place: &Path, compiled: &Compiled) {
        let Ok(kernel) = postcard::to_allocvec(compiled) else { return };
        let bytes = [&hash_of(&kernel).to_le_bytes(), &kernel[..]].concat();
        // Written aside first, so that a reader never sees half of it.
        let aside = place.with_extension(format!("{}.tmp", std::process::id()));
        let _ = fs::write(&aside, bytes).and_then(|()| fs::rename(&aside, place));
    }

    /// Forgets the oldest kernels beyond [`MAX_KERNELS`].
    pub(crate) fn trim(&self) {
        let Ok(entries) = fs::read_dir(&self.dir) else { return };
        let mut files: Vec<_> = entries
            .flatten()
            .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
            .collect();
        files.sort();
        for (_, path) in files.iter().take(files.len().saturating_sub(MAX_KERNELS)) {
            let _ = fs::remove_file(path);
        }
    }
}

fn hash_of(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}

/// A hash of a file's bytes.
fn hash_of_program(path: &Path) -> io::Result<u64> {
    let mut file = File::open(path)?;
    let mut hasher = DefaultHasher::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hasher.finish()),
            count => hasher.write(&buffer[..count]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptyx_image::Layout;

    fn root() -> KernelRoot {
        KernelRoot {
            symbol: "__ptyx_unpack_0_0".into(),
            type_name: "a::k".into(),
            instance: 0,
            sites: Vec::new(),
            layouts: vec![Layout { size: 4, align: 4, fingerprint: 0 }],
            closures: Vec::new(),
        }
    }

    #[test]
    fn keys_depend_on_everything() {
        let dir = std::env::temp_dir().join(format!("ptyx-cache-{}", std::process::id()));
        let options = Options::default();
        let cache = Cache::new(&dir, "7", "rustc 1", &options);
        let place = cache.place(b"bitcode", &root());
        assert_eq!(place, cache.place(b"bitcode", &root()));
        assert_ne!(place, cache.place(b"bitcodf", &root()));
        let mut other = root();
        other.layouts[0].align = 8;
        assert_ne!(place, cache.place(b"bitcode", &other));
        assert_ne!(place, Cache::new(&dir, "7", "rustc 2", &options).place(b"bitcode", &root()));
        let unfused = Options { fma: false, ..options.clone() };
        assert_ne!(place, Cache::new(&dir, "7", "rustc 1", &unfused).place(b"bitcode", &root()));
        let other = Cache::new(&dir, "8", "rustc 1", &options);
        assert_ne!(place, other.place(b"bitcode", &root()));
        let mut without = options.clone();
        without.passes.switch("-checks").unwrap();
        let without = Cache::new(&dir, "7", "rustc 1", &without);
        assert_ne!(place, without.place(b"bitcode", &root()));
        assert!(cache.get(&place).is_none());
        fs::write(&place, b"{ damaged").unwrap();
        assert!(cache.get(&place).is_none());
        fs::remove_dir_all(&dir).unwrap();
    }

    /// Any change of the program is seen, wherever it is.
    #[test]
    fn another_program_has_another_hash() {
        let path = std::env::temp_dir().join(format!("ptyx-program-{}", std::process::id()));
        let mut program = vec![7; 3 << 20];
        let mut hash = |at: usize| {
            program[at] ^= 1;
            fs::write(&path, &program).unwrap();
            hash_of_program(&path).unwrap()
        };
        let (first, second, last) = (hash(0), hash(1 << 20), hash((3 << 20) - 1));
        assert!(first != second && second != last && first != last);
        hash((3 << 20) - 1);
        assert_eq!(hash(1 << 20), first);
        fs::remove_file(&path).unwrap();
        assert!(hash_of_program(&path).is_err());
        // This test's own program can be read.
        assert!(hash_of_program(&std::env::current_exe().unwrap()).is_ok());
    }
}
