//! Remembers compiled kernels, so that an edit compiles only the kernels that it changes.
//!
//! A kernel's key is what it is made of: its extracted bitcode, the arguments' layouts, and the
//! versions of this crate and of rustc. A file that does not read back is compiled again.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use super::kernel::Compiled;
use super::roots::KernelRoot;
use crate::options::Options;

/// Kernels kept at most; the oldest go first.
const MOST: usize = 4096;

/// The folder with the remembered kernels of a package.
pub(super) struct Cache {
    dir: PathBuf,
    /// Part of every key.
    versions: String,
}

impl Cache {
    /// A cache in `work_dir`, for this crate, the given rustc and options.
    pub(super) fn new(work_dir: &Path, rustc: &str, options: &Options) -> Cache {
        let dir = work_dir.join("kernels");
        // A cache that can't be made remembers nothing.
        let _ = fs::create_dir_all(&dir);
        Cache { dir, versions: format!("{} {rustc} {options:?}", env!("CARGO_PKG_VERSION")) }
    }

    /// The place of a kernel: 128 bits of hash over everything that it depends on.
    pub(super) fn place(&self, bitcode: &[u8], root: &KernelRoot) -> PathBuf {
        let half = |salt: u64| {
            let mut hasher = DefaultHasher::new();
            (salt, &self.versions, &root.type_name, &root.symbol, COMPILER).hash(&mut hasher);
            for layout in &root.layouts {
                (layout.size, layout.align, layout.fingerprint).hash(&mut hasher);
            }
            bitcode.hash(&mut hasher);
            hasher.finish()
        };
        self.dir.join(format!("{:016x}{:016x}.json", half(0), half(1)))
    }

    /// The kernel at `place`, if it is there and whole.
    pub(super) fn get(&self, place: &Path) -> Option<Compiled> {
        serde_json::from_slice(&fs::read(place).ok()?).ok()
    }

    /// Remembers a kernel. Failing to is no error.
    pub(super) fn put(&self, place: &Path, compiled: &Compiled) {
        let Ok(text) = serde_json::to_vec(compiled) else { return };
        // Written aside first, so that a reader never sees half of it.
        let aside = place.with_extension(format!("{}.tmp", std::process::id()));
        let _ = fs::write(&aside, text).and_then(|()| fs::rename(&aside, place));
    }

    /// Forgets the oldest kernels beyond [`MOST`].
    pub(super) fn trim(&self) {
        let Ok(entries) = fs::read_dir(&self.dir) else { return };
        let mut files: Vec<_> = entries
            .flatten()
            .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
            .collect();
        files.sort();
        for (_, path) in files.iter().take(files.len().saturating_sub(MOST)) {
            let _ = fs::remove_file(path);
        }
    }
}

/// A fingerprint of the lowering and its tables: this crate's sources, as far as kernels depend on
/// them. Without it, working on this crate would show yesterday's PTX.
const COMPILER: &[&str] = &[
    include_str!("inlined.rs"),
    include_str!("kernel.rs"),
    include_str!("ptx.rs"),
    include_str!("names.rs"),
    include_str!("optimise.rs"),
    include_str!("reject.rs"),
    include_str!("stack.rs"),
    include_str!("../llvm/mod.rs"),
    include_str!("../lower/arch.rs"),
    include_str!("../lower/atomics.rs"),
    include_str!("../lower/attributes.rs"),
    include_str!("../lower/calls.rs"),
    include_str!("../lower/checks/chain.rs"),
    include_str!("../lower/checks/kind.rs"),
    include_str!("../lower/checks/mod.rs"),
    include_str!("../lower/cold.rs"),
    include_str!("../lower/contraction.rs"),
    include_str!("../lower/cycles.rs"),
    include_str!("../lower/entry.rs"),
    include_str!("../lower/exceptions.rs"),
    include_str!("../lower/features.rs"),
    include_str!("../lower/foreign.rs"),
    include_str!("../lower/graph.rs"),
    include_str!("../lower/hash_keys.rs"),
    include_str!("../lower/heap.rs"),
    include_str!("../lower/intrinsics.rs"),
    include_str!("../lower/loops/ends.rs"),
    include_str!("../lower/loops/lengths.rs"),
    include_str!("../lower/loops/mod.rs"),
    include_str!("../lower/loops/steps.rs"),
    include_str!("../lower/minima.rs"),
    include_str!("../lower/mod.rs"),
    include_str!("../lower/panics/expand.rs"),
    include_str!("../lower/panics/formatters.rs"),
    include_str!("../lower/panics/launch.rs"),
    include_str!("../lower/panics/mod.rs"),
    include_str!("../lower/panics/outline.rs"),
    include_str!("../lower/panics/paths.rs"),
    include_str!("../lower/panics/recorder.rs"),
    include_str!("../lower/panics/sites.rs"),
    include_str!("../lower/panics/template.rs"),
    include_str!("../lower/pointers.rs"),
    include_str!("../lower/private.rs"),
    include_str!("../lower/runtime.rs"),
    include_str!("../lower/special.rs"),
    include_str!("../lower/square_root.rs"),
    include_str!("../lower/unroll.rs"),
    include_str!("../lower/x86.rs"),
];

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
        let cache = Cache::new(&dir, "rustc 1", &options);
        let place = cache.place(b"bitcode", &root());
        assert_eq!(place, cache.place(b"bitcode", &root()));
        assert_ne!(place, cache.place(b"bitcodf", &root()));
        let mut other = root();
        other.layouts[0].align = 8;
        assert_ne!(place, cache.place(b"bitcode", &other));
        assert_ne!(place, Cache::new(&dir, "rustc 2", &options).place(b"bitcode", &root()));
        let unfused = Options { fma: false, ..options.clone() };
        assert_ne!(place, Cache::new(&dir, "rustc 1", &unfused).place(b"bitcode", &root()));
        assert!(cache.get(&place).is_none());
        fs::write(&place, b"{ damaged").unwrap();
        assert!(cache.get(&place).is_none());
        fs::remove_dir_all(&dir).unwrap();
    }

    fn count_files(dir: &Path) -> usize {
        let entries = fs::read_dir(dir).unwrap().flatten().map(|entry| entry.path());
        entries.map(|path| if path.is_dir() { count_files(&path) } else { 1 }).sum()
    }

    /// Every file of the lowering is part of the fingerprint.
    #[test]
    fn the_fingerprint_is_complete() {
        let lower = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lower");
        let files = count_files(&lower);
        let here = include_str!("cache.rs").matches("include_str!(\"../lower/").count();
        assert_eq!(here, files, "src/lower/ has files that the cache does not know");
    }
}
