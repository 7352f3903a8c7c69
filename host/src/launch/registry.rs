//! The images inside the program: which kernels it holds, and for which launches.

use super::call::Instance;
use crate::error::{Error, Result};
use ptyx_image::{ALIGNMENT, Arch, Code, Image, Kernel, MAGIC, Module, SECTION, encoded_len};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A place in [`SECTION`], which makes the linker define the symbols around it, also where the
/// program has no image.
#[repr(C, align(16))]
struct Sentinel([u64; 2]);

#[used]
#[unsafe(link_section = "ptyx_images")]
static SENTINEL: Sentinel = Sentinel([0; 2]);

const _: () = assert!(align_of::<Sentinel>() == ALIGNMENT);

unsafe extern "C" {
    #[link_name = "__start_ptyx_images"]
    static SECTION_START: u8;
    #[link_name = "__stop_ptyx_images"]
    static SECTION_STOP: u8;
}

/// A kernel of an image. Images live as long as the process.
#[derive(Clone, Copy)]
pub(super) struct KernelRef {
    pub(super) image: &'static Image,
    /// Index into the image's kernels.
    pub(super) index: u32,
}

impl KernelRef {
    pub(super) fn kernel(&self) -> &'static Kernel {
        &self.image.kernels[self.index as usize]
    }

    /// The module of one of the kernel's codes.
    pub(super) fn module(&self, code: &Code) -> &'static Module {
        &self.image.modules[code.module as usize]
    }

    /// Identifies the image of the kernel.
    pub(super) fn image_address(&self) -> usize {
        core::ptr::from_ref(self.image).addr()
    }
}

/// Every image of the program, and what could not be read.
#[derive(Default)]
struct Registry {
    images: Vec<&'static Image>,
    /// (kernel, site) to kernels: closures of one name that capture different amounts share these.
    roots: HashMap<(&'static str, &'static str), Vec<KernelRef>>,
    problems: Vec<String>,
    scanned: bool,
}

static REGISTRY: Mutex<Option<Registry>> = Mutex::new(None);

fn lock() -> MutexGuard<'static, Option<Registry>> {
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

fn with<R>(work: impl FnOnce(&mut Registry) -> R) -> R {
    let mut guard = lock();
    let registry = guard.get_or_insert_with(Registry::default);
    if !registry.scanned {
        registry.scanned = true;
        registry.scan(section());
    }
    work(registry)
}

/// The bytes of the section.
fn section() -> &'static [u8] {
    let start = &raw const SECTION_START;
    let len = (&raw const SECTION_STOP).addr() - start.addr();
    debug_assert!((&raw const SENTINEL).addr() - start.addr() < len, "{SECTION} has no sentinel");
    // SAFETY: the linker put the symbols around the section, which is never written.
    unsafe { core::slice::from_raw_parts(start, len) }
}

impl Registry {
    /// Reads every image in `bytes`: they start at multiples of [`ALIGNMENT`], with padding of
    /// zeroes between them. Damage is noted, and the rest still read.
    fn scan(&mut self, bytes: &[u8]) {
        let mut at = 0;
        let mut in_garbage = false;
        while at < bytes.len() {
            let rest = &bytes[at..];
            let mut step = ALIGNMENT;
            if rest.starts_with(&MAGIC) {
                in_garbage = false;
                match Image::decode(rest) {
                    Ok(image) => {
                        self.add(image);
                        step = encoded_len(rest)
                            .map_or(ALIGNMENT, |len| len.next_multiple_of(ALIGNMENT));
                    }
                    // Its length can't be trusted either: look for the next image.
                    Err(error) => {
                        in_garbage = true;
                        self.problems.push(error.to_string());
                    }
                }
            } else if !in_garbage && rest.iter().take(ALIGNMENT).any(|&byte| byte != 0) {
                in_garbage = true;
                self.problems.push(format!("foreign bytes in the section {SECTION}"));
            }
            at += step;
        }
    }

    fn add(&mut self, image: Image) {
        let (made_by, this) = (&image.provenance.compiler, env!("CARGO_PKG_VERSION"));
        if made_by != this {
            self.problems.push(format!(
                "the kernels of package {} were compiled by ptyx-compiler {made_by}, this is ptyx \
                 {this}: use the same version of both",
                image.provenance.package
            ));
            return;
        }
        let image: &'static Image = Box::leak(Box::new(image));
        for root in &image.roots {
            let kernel = KernelRef { image, index: root.kernel };
            self.roots.entry((&root.type_name, &root.site)).or_default().push(kernel);
        }
        self.images.push(image);
    }

    fn find(&self, instance: Instance) -> Result<KernelRef> {
        let kernel_at = |site: &str| -> Option<KernelRef> {
            let kernels = self.roots.get(&(instance.kernel, site))?;
            kernels.iter().find(|found| layouts_agree(instance, found.kernel())).copied()
        };
        let tracked = || ptyx_image::tracked_site(instance.site, instance.caller);
        if let Some(found) = kernel_at(instance.site).or_else(|| kernel_at(&tracked())) {
            return Ok(found);
        }
        if !self.roots.contains_key(&(instance.kernel, instance.site)) {
            return Err(self.missing(instance));
        }
        Err(Error::Image {
            reason: format!(
                "they and the program disagree about the arguments of {}, launched at {}. Build \
                 the program again; if that does not help, two kernel types share this name: give \
                 the closures at this launch to functions of different names",
                instance.kernel, instance.site
            ),
        })
    }

    /// Why there is no kernel for an instance, and what to do.
    fn missing(&self, instance: Instance) -> Error {
        if let Some(problem) = self.problems.first() {
            return Error::Image { reason: problem.clone() };
        }
        let other = self.roots.iter().find(|((kernel, _), _)| *kernel == instance.kernel);
        // A program and its library hold an image each, of one device pass.
        let failed: BTreeSet<&str> = self
            .images
            .iter()
            .flat_map(|image| &image.failed_targets)
            .map(String::as_str)
            .collect();
        let failed: Vec<&str> = failed.into_iter().collect();
        let reason = if is_doc_test(instance.site) {
            "kernels in doc tests are not compiled: to cargo a doc test is no target. Put the launch \
             into a function of the library that the doc test calls, or the code into an example"
                .to_owned()
        } else if self.images.is_empty() {
            "this program holds no kernels. The package of the launch needs a build.rs with `fn \
             main() { ptyx_compiler::build() }`, and `ptyx-compiler` under [build-dependencies]"
                .to_owned()
        } else if !failed.is_empty() {
            format!(
                "the device pass could not compile {}; their errors show when they are built alone",
                failed.join(", ")
            )
        } else if let Some(((_, site), _)) = other {
            format!("it was for the launch at {site}; the program is stale, build it again")
        } else {
            let mut packages: Vec<&str> =
                self.images.iter().map(|image| image.provenance.package.as_str()).collect();
            packages.dedup();
            format!(
                "this program holds kernels of {} only. The package of the launch needs a build.rs \
                 with `fn main() {{ ptyx_compiler::build() }}`",
                packages.join(", ")
            )
        };
        let (kernel, site) = (instance.kernel.to_owned(), instance.site.to_owned());
        Error::MissingKernel { kernel, site, reason }
    }
}

/// The kernel of an instance.
pub(super) fn find(instance: Instance) -> Result<KernelRef> {
    with(|registry| registry.find(instance))
}

/// Whether a launch site is one in a doc test, by rustdoc's name of the crate that it makes of them.
fn is_doc_test(site: &str) -> bool {
    let krate = site.split(':').next().unwrap_or(site);
    krate == "rust_out" || krate.starts_with("doctest_bundle_")
}

/// Whether the program and the image agree about the arguments.
fn layouts_agree(instance: Instance, kernel: &Kernel) -> bool {
    instance.layouts.len() == kernel.args.len()
        && instance
            .layouts
            .iter()
            .zip(&kernel.args)
            .all(|(&[size, align], arg)| size == arg.size as usize && align == arg.align as usize)
}

/// What the program holds: packages, kernels, where their mathematical functions come from, problems.
pub(crate) fn summary() -> Summary {
    with(|registry| {
        let images = || registry.images.iter();
        let math = |image: &&Image| match &image.provenance.libdevice {
            Some(path) => format!("libdevice ({path})"),
            None => "Rust".to_owned(),
        };
        let mut math: Vec<String> = images().map(math).collect();
        math.sort();
        math.dedup();
        let mut archs: BTreeMap<Arch, u32> = BTreeMap::new();
        for code in images().flat_map(|image| &image.kernels).flat_map(|kernel| &kernel.code) {
            *archs.entry(code.arch).or_default() += 1;
        }
        Summary {
            packages: images().map(|image| image.provenance.package.clone()).collect(),
            kernels: images().map(|image| image.kernels.len()).sum(),
            archs: archs.iter().map(|(arch, count)| format!("{arch} ({count})")).collect(),
            math,
            problems: registry.problems.clone(),
        }
    })
}

/// What [`summary`] tells.
pub(crate) struct Summary {
    pub(crate) packages: Vec<String>,
    pub(crate) kernels: usize,
    /// How many kernels have code for each architecture.
    pub(crate) archs: Vec<String>,
    pub(crate) math: Vec<String>,
    pub(crate) problems: Vec<String>,
}

/// Adds images as if they stood in the section.
#[cfg(test)]
pub(crate) fn add_for_test(bytes: &[u8]) {
    with(|registry| registry.scan(bytes));
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::panic::Location;
    use ptyx_image::{Provenance, Root};

    fn image(name: &str) -> Vec<u8> {
        let image = Image {
            provenance: Provenance {
                compiler: env!("CARGO_PKG_VERSION").into(),
                package: "a-package".into(),
                ..Provenance::default()
            },
            roots: vec![Root { type_name: name.into(), site: "s:1:1".into(), kernel: 0 }],
            kernels: vec![Kernel {
                name: name.into(),
                entry: "k".into(),
                args: vec![ptyx_image::Layout { size: 8, align: 8 }],
                params: Vec::new(),
                file: String::new(),
                line: 0,
                code: vec![Code {
                    arch: Arch::BASE,
                    ptx_version: 63,
                    module: 0,
                    directives_at: 0,
                    static_shared: 0,
                    unknown_stack: false,
                    max_dims: 3,
                }],
            }],
            modules: vec![Module::default()],
            failed_targets: Vec::new(),
        };
        image.encode().unwrap()
    }

    fn padded(mut bytes: Vec<u8>) -> Vec<u8> {
        bytes.resize(bytes.len().next_multiple_of(ALIGNMENT), 0);
        bytes
    }

    fn instance(kernel: &'static str) -> Instance {
        Instance { kernel, site: "s:1:1", caller: Location::caller(), layouts: &[[8, 8]] }
    }

    #[test]
    fn images_are_found_between_padding() {
        let bytes =
            [vec![0; 48], padded(image("a::one")), vec![0; 16], padded(image("a::two"))].concat();
        let mut registry = Registry::default();
        registry.scan(&bytes);
        assert!(registry.problems.is_empty());
        assert!(registry.roots.contains_key(&("a::one", "s:1:1")));
        assert!(registry.roots.contains_key(&("a::two", "s:1:1")));
        let text = registry.missing(instance("b::three")).to_string();
        for part in ["b::three", "s:1:1", "a-package", "ptyx_compiler::build()"] {
            assert!(text.contains(part), "{text}");
        }
    }

    #[test]
    fn every_damaged_bit_is_noticed_and_other_images_still_read() {
        let first = padded(image("a::one"));
        let used = image("a::one").len();
        let bytes = [first.clone(), padded(image("a::two"))].concat();
        for bit in 0..used * 8 {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            let mut registry = Registry::default();
            registry.scan(&damaged);
            assert!(!registry.problems.is_empty(), "bit {bit} was not noticed");
            assert!(!registry.roots.contains_key(&("a::one", "s:1:1")), "bit {bit}");
            assert!(registry.roots.contains_key(&("a::two", "s:1:1")), "bit {bit}");
            assert!(matches!(registry.missing(instance("a::one")), Error::Image { .. }));
        }
        for len in (0..used).rev() {
            let mut registry = Registry::default();
            registry.scan(&first[..len]);
            assert!(registry.roots.is_empty(), "{len} bytes were taken");
        }
    }

    /// Sections of images, zeroes and noise, some of it behind an image's magic.
    #[test]
    fn noise_between_images_hides_none() {
        let mut state = 1u64;
        let mut below = |bound: u64| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (state >> 33) % bound
        };
        for round in 0..500 {
            let mut bytes = Vec::new();
            for name in ["a::one", "a::two"] {
                for _ in 0..below(4) {
                    let mut noise = [0; ALIGNMENT];
                    let kind = below(4);
                    for (i, byte) in noise.iter_mut().enumerate().filter(|_| kind > 0) {
                        *byte = if kind == 1 && i < 8 { MAGIC[i] } else { below(256) as u8 };
                    }
                    bytes.extend(noise);
                }
                bytes.extend(padded(image(name)));
            }
            let mut registry = Registry::default();
            registry.scan(&bytes);
            assert!(registry.roots.contains_key(&("a::one", "s:1:1")), "round {round}");
            assert!(registry.roots.contains_key(&("a::two", "s:1:1")), "round {round}");
            bytes.truncate(below(bytes.len() as u64) as usize);
            Registry::default().scan(&bytes);
        }
    }

    #[test]
    fn another_version_is_refused() {
        let mut image = Image::decode(&image("a::one")).unwrap();
        image.provenance.compiler = "0.0.0".into();
        let mut registry = Registry::default();
        registry.scan(&image.encode().unwrap());
        let text = registry.missing(instance("a::one")).to_string();
        assert!(text.contains("ptyx-compiler 0.0.0") && text.contains("a-package"), "{text}");
    }

    #[test]
    fn what_is_missing_and_what_to_do() {
        let registry = Registry::default();
        let text = registry.missing(instance("a::one")).to_string();
        assert!(text.contains("build.rs") && text.contains("[build-dependencies]"), "{text}");

        let mut image = Image::decode(&image("a::one")).unwrap();
        let mut registry = Registry::default();
        registry.add(image.clone());
        let elsewhere = Instance { site: "s:2:2", ..instance("a::one") };
        let text = registry.missing(elsewhere).to_string();
        assert!(text.contains("s:1:1") && text.contains("stale"), "{text}");

        image.failed_targets = vec!["example `x`".into()];
        let mut registry = Registry::default();
        registry.add(image);
        assert!(registry.missing(instance("b::two")).to_string().contains("example `x`"));
    }

    #[test]
    fn a_failed_target_is_named_once() {
        let mut registry = Registry::default();
        for _ in 0..2 {
            let mut image = Image::decode(&image("a::one")).unwrap();
            image.failed_targets = vec!["example `x`".into()];
            registry.add(image);
        }
        let text = registry.missing(instance("b::two")).to_string();
        assert_eq!(text.matches("example `x`").count(), 1, "{text}");
    }

    #[test]
    fn doc_tests_are_known_by_their_crates() {
        for site in ["rust_out:4:5", "doctest_bundle_2024::__doctest_0:7:13"] {
            let instance = Instance { site, ..instance("k") };
            let text = Registry::default().missing(instance).to_string();
            assert!(text.contains("doc tests are not compiled"), "{text}");
        }
        assert!(!is_doc_test("rust_outer::tests:1:1") && !is_doc_test("app"));
    }

    #[test]
    fn arguments_of_another_layout_are_refused() {
        let mut registry = Registry::default();
        registry.scan(&image("a::one"));
        let good = instance("a::one");
        assert!(registry.find(good).is_ok());
        for layouts in [&[[8, 4]][..], &[[4, 8]], &[], &[[8, 8], [8, 8]]] {
            let bad = Instance { layouts, ..good };
            assert!(matches!(registry.find(bad), Err(Error::Image { .. })));
        }
    }

    #[test]
    fn layouts_tell_kernels_of_one_name_apart() {
        let mut image = Image::decode(&image("a::one")).unwrap();
        let mut other = image.kernels[0].clone();
        other.args = vec![ptyx_image::Layout { size: 12, align: 4 }];
        image.kernels.push(other);
        image.roots.push(Root { kernel: 1, ..image.roots[0].clone() });
        let mut registry = Registry::default();
        registry.scan(&image.encode().unwrap());
        for (layouts, index) in [(&[[8, 8]], 0), (&[[12, 4]], 1)] {
            let found = registry.find(Instance { layouts, ..instance("a::one") });
            assert_eq!(found.unwrap().index, index);
        }
    }

    #[test]
    fn callers_tell_kernels_of_one_name_and_layout_apart() {
        let first = instance("a::one");
        let second = Instance { caller: Location::caller(), ..first };
        let mut image = Image::decode(&image("a::one")).unwrap();
        image.kernels.push(image.kernels[0].clone());
        image.roots = [(first, 0), (second, 1)]
            .map(|(instance, kernel)| Root {
                site: ptyx_image::tracked_site(instance.site, instance.caller),
                kernel,
                ..image.roots[0].clone()
            })
            .to_vec();
        let mut registry = Registry::default();
        registry.scan(&image.encode().unwrap());
        for (instance, index) in [(first, 0), (second, 1)] {
            assert_eq!(registry.find(instance).unwrap().index, index);
        }
        let elsewhere = Instance { caller: Location::caller(), ..first };
        assert!(matches!(registry.find(elsewhere), Err(Error::MissingKernel { .. })));
    }
}
