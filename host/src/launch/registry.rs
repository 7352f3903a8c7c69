//! The images inside the program: which kernels it holds, and for which launches.

use super::call::{ArgLayout, Instance};
use crate::error::{Error, Result};
use ptyx_image::{
    ALIGNMENT, Arch, Code, Image, Kernel, Layout, MAGIC, Module, SECTION, encoded_len,
};
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

    /// Whether both have the same code.
    fn is_same_as(&self, other: &KernelRef) -> bool {
        let (one, two) = (self.kernel(), other.kernel());
        one.args == two.args
            && one.params == two.params
            && one.all_code().count() == two.all_code().count()
            && one.all_code().zip(two.all_code()).all(|(a, b)| {
                let (code, other_code) = (self.module(a), other.module(b));
                (a.arch, a.unchecked, &a.limits, &a.proof)
                    == (b.arch, b.unchecked, &b.limits, &b.proof)
                    && code.ptx == other_code.ptx
                    && code.panics == other_code.panics
                    && code.statics == other_code.statics
            })
    }

    /// Identifies the image of the kernel.
    pub(super) fn image_address(&self) -> usize {
        core::ptr::from_ref(self.image).addr()
    }
}

/// The key by which a launch is looked up: the kernel's type name, the site, the site's crate.
type Key<'a> = (&'a str, &'a str, u64);

/// A kernel that is launched under a key.
#[derive(Clone, Copy)]
struct Launched {
    kernel: KernelRef,
    /// [`ptyx_image::Root::instance`].
    instance: u64,
}

impl Launched {
    fn args(&self) -> &'static [Layout] {
        &self.kernel.kernel().args
    }

    /// Whether these are different kernels, so that it matters which one runs. Several images can contain
    /// the same kernel, under a different name from each device pass.
    fn is_rival_of(&self, other: &Launched) -> bool {
        self.instance != other.instance && !self.kernel.is_same_as(&other.kernel)
    }
}

/// Every image of the program, and what could not be read.
#[derive(Default)]
struct Registry {
    images: Vec<&'static Image>,
    /// Closures of one name that capture different amounts share a key.
    roots: HashMap<Key<'static>, Vec<Launched>>,
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
                    // Its length can't be trusted, either: look for the next image.
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
            let key = (root.type_name.as_str(), root.site.as_str(), root.crate_id);
            let launched = Launched { kernel, instance: root.instance };
            self.roots.entry(key).or_default().push(launched);
        }
        self.images.push(image);
    }

    fn find(&self, instance: Instance) -> Result<KernelRef> {
        let key = (instance.kernel, instance.site, instance.crate_id);
        let tracked = ptyx_image::tracked_site(instance.site, instance.caller);
        let known = [key, (instance.kernel, &tracked, instance.crate_id)]
            .into_iter()
            .filter_map(|key| self.roots.get(&key));
        let (mut other, mut unclear) = (None, None);
        for kernels in known {
            let mut fitting = kernels.iter().filter(|found| layouts_agree(instance, found.args()));
            let Some(found) = fitting.next() else {
                let same_sizes = kernels.iter().find(|found| sizes_agree(instance, found.args()));
                other = other.or(same_sizes).or(kernels.first());
                continue;
            };
            if let Some(rival) = fitting.find(|rival| rival.is_rival_of(found)) {
                // The caller's location may tell them apart.
                unclear = unclear.or_else(|| Some(ambiguous(instance, found, rival)));
                continue;
            }
            return Ok(found.kernel);
        }
        if let Some(unclear) = unclear {
            return Err(unclear);
        }
        match other {
            Some(other) => Err(Error::Image {
                reason: difference(instance, other.args()).unwrap_or_else(|| {
                    format!(
                        "they and the program disagree about the arguments of {}, launched at {}: \
                         build the program again",
                        instance.name(),
                        instance.place
                    )
                }),
            }),
            None => Err(self.missing(instance)),
        }
    }

    /// Why there is no kernel for an instance, and what to do.
    fn missing(&self, instance: Instance) -> Error {
        if let Some(problem) = self.problems.first() {
            return Error::Image { reason: problem.clone() };
        }
        let other = self.roots.keys().find(|(kernel, ..)| *kernel == instance.kernel);
        // A program and its library each hold an image of the same device pass.
        let failed: BTreeSet<&str> = self
            .images
            .iter()
            .flat_map(|image| &image.failed_targets)
            .map(String::as_str)
            .collect();
        let failed: Vec<&str> = failed.into_iter().collect();
        let reason = if is_doc_test(instance.site) {
            "kernels in doc tests are not compiled, because cargo does not treat a doc test as a target. \
             Move the launch into a library function that the doc test calls, or use an example"
                .to_owned()
        } else if self.images.is_empty() {
            "this program holds no kernels. The package of the launch needs a build.rs with `fn \
             main() { ptyx_compiler::build() }`, and `ptyx-compiler` under [build-dependencies]"
                .to_owned()
        } else if !failed.is_empty() {
            format!(
                "the device pass could not compile {}; build these targets alone to see their errors",
                failed.join(", ")
            )
        } else if let Some((_, site, _)) = other {
            format!("it was compiled for a launch at {site}; the program is stale, build it again")
        } else {
            let mut packages: Vec<&str> =
                self.images.iter().map(|image| image.provenance.package.as_str()).collect();
            packages.dedup();
            format!(
                "this program only holds kernels of {}. The package of the launch needs a build.rs \
                 with `fn main() {{ ptyx_compiler::build() }}`",
                packages.join(", ")
            )
        };
        let (kernel, site) = (instance.name().to_owned(), instance.place.to_owned());
        Error::MissingKernel { kernel, site, reason }
    }
}

/// The kernel of an instance.
pub(super) fn find(instance: Instance) -> Result<KernelRef> {
    with(|registry| registry.find(instance))
}

/// Whether a launch site is in a doc test, by rustdoc's name for the crates of doc tests.
fn is_doc_test(site: &str) -> bool {
    let krate = site.split(':').next().unwrap_or(site);
    krate == "rust_out" || krate.starts_with("doctest_bundle_")
}

/// Whether the program and the image agree about the size of each argument.
fn sizes_agree(instance: Instance, args: &[Layout]) -> bool {
    let agree = |(host, device): (&ArgLayout, &Layout)| {
        (host.size, host.align) == (u64::from(device.size), u64::from(device.align))
    };
    instance.layouts.len() == args.len() && instance.layouts.iter().zip(args).all(agree)
}

/// Whether they also agree about what each argument is made of.
fn layouts_agree(instance: Instance, args: &[Layout]) -> bool {
    let agree = |(host, device): (&ArgLayout, &Layout)| host.fingerprint == device.fingerprint;
    sizes_agree(instance, args) && instance.layouts.iter().zip(args).all(agree)
}

/// The argument whose layout differs between the program and the image, if there is one.
fn difference(instance: Instance, args: &[Layout]) -> Option<String> {
    let names = (instance.arg_names)();
    let (name, host, device) = names
        .iter()
        .zip(instance.layouts)
        .zip(args)
        .map(|((name, host), device)| (name, host, device))
        .find(|(_, host, device)| {
            let device = [u64::from(device.size), u64::from(device.align), device.fingerprint];
            [host.size, host.align, host.fingerprint] != device
        })?;
    let sizes = if host.size == u64::from(device.size) && host.align == u64::from(device.align) {
        "its size is the same, but its fields or elements differ".to_owned()
    } else {
        format!(
            "{} bytes (aligned to {}) on the host, {} bytes (aligned to {}) on the device",
            host.size, host.align, device.size, device.align
        )
    };
    Some(format!(
        "the type `{name}` of an argument of {}, launched at {}, differs on the device: \
         {sizes}. Look for a `cfg` in its definition that differs between the two, such as \
         `cfg(ptyx_device)`; if there is none, build the program again",
        instance.name(),
        instance.place
    ))
}

/// Two kernels that the program can't tell apart.
fn ambiguous(instance: Instance, one: &Launched, other: &Launched) -> Error {
    let [one, other] = [one, other].map(|launched| {
        let KernelRef { image, .. } = launched.kernel;
        let Kernel { name, file, line, .. } = launched.kernel.kernel();
        let (package, unit) = (&image.provenance.package, &image.provenance.unit);
        format!("{name} ({file}:{line}), from the {unit} of package {package}")
    });
    Error::AmbiguousKernel {
        kernel: instance.name().to_owned(),
        site: instance.place.to_owned(),
        kernels: Box::new([one, other]),
    }
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

/// Adds images as if they were in the section.
#[cfg(test)]
pub(crate) fn add_for_test(bytes: &[u8]) {
    with(|registry| registry.scan(bytes));
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::panic::Location;
    use ptyx_image::{KernelKnobs, MaxDims, Provenance, Root};

    fn image(name: &str) -> Vec<u8> {
        let image = Image {
            provenance: Provenance {
                compiler: env!("CARGO_PKG_VERSION").into(),
                package: "a-package".into(),
                ..Provenance::default()
            },
            roots: vec![Root {
                type_name: name.into(),
                site: "s:1:1".into(),
                crate_id: 1,
                instance: 1,
                kernel: 0,
            }],
            kernels: vec![Kernel {
                name: name.into(),
                entry: "k".into(),
                args: vec![Layout { size: 8, align: 8, fingerprint: 0 }],
                params: Vec::new(),
                file: String::new(),
                line: 0,
                knobs: KernelKnobs::default(),
                code: vec![Code {
                    arch: Arch::BASE,
                    ptx_version: 63,
                    module: 0,
                    directives_at: 0,
                    static_shared: 0,
                    moved_shared: 0,
                    limits: Vec::new(),
                    proof: None,
                    proved: Vec::new(),
                    reports_panics: false,
                    prints: false,
                    asks_cooperative: false,
                    follows_pointers: false,
                    unknown_stack: false,
                    max_dims: MaxDims::ANY,
                    narrow_indices: false,
                    unchecked: false,
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
        Instance {
            kernel,
            site: "s:1:1",
            crate_id: 1,
            place: "src/s.rs:1:1",
            path: "one",
            caller: Location::caller(),
            layouts: const { &[arg(8, 8)] },
            arg_names: || vec!["s::Element"],
        }
    }

    const fn arg(size: u64, align: u64) -> ArgLayout {
        ArgLayout { size, align, fingerprint: 0 }
    }

    #[test]
    fn images_are_found_between_padding() {
        let bytes =
            [vec![0; 48], padded(image("a::one")), vec![0; 16], padded(image("a::two"))].concat();
        let mut registry = Registry::default();
        registry.scan(&bytes);
        assert!(registry.problems.is_empty());
        assert!(registry.roots.contains_key(&("a::one", "s:1:1", 1)));
        assert!(registry.roots.contains_key(&("a::two", "s:1:1", 1)));
        let text = registry.missing(instance("b::three")).to_string();
        for part in ["b::three", "src/s.rs:1:1", "a-package", "ptyx_compiler::build()"] {
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
            assert!(!registry.roots.contains_key(&("a::one", "s:1:1", 1)), "bit {bit}");
            assert!(registry.roots.contains_key(&("a::two", "s:1:1", 1)), "bit {bit}");
            assert!(matches!(registry.missing(instance("a::one")), Error::Image { .. }));
        }
        for len in (0..used).rev() {
            let mut registry = Registry::default();
            registry.scan(&first[..len]);
            assert!(registry.roots.is_empty(), "{len} bytes were taken");
        }
    }

    /// Sections of images, zeroes and noise, some of it after an image's magic.
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
            assert!(registry.roots.contains_key(&("a::one", "s:1:1", 1)), "round {round}");
            assert!(registry.roots.contains_key(&("a::two", "s:1:1", 1)), "round {round}");
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
        const BAD: [&[ArgLayout]; 4] = [&[arg(8, 4)], &[arg(4, 8)], &[], &[arg(8, 8), arg(8, 8)]];
        for layouts in BAD {
            let bad = Instance { layouts, ..good };
            assert!(matches!(registry.find(bad), Err(Error::Image { .. })));
        }
    }

    #[test]
    fn layouts_tell_kernels_of_one_name_apart() {
        let mut image = Image::decode(&image("a::one")).unwrap();
        let mut other = image.kernels[0].clone();
        other.args = vec![Layout { size: 12, align: 4, fingerprint: 0 }];
        image.kernels.push(other);
        image.roots.push(Root { kernel: 1, ..image.roots[0].clone() });
        let mut registry = Registry::default();
        registry.scan(&image.encode().unwrap());
        const LAYOUTS: [&[ArgLayout]; 2] = [&[arg(8, 8)], &[arg(12, 4)]];
        for (layouts, index) in LAYOUTS.into_iter().zip(0..) {
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

    #[test]
    fn crates_of_one_name_are_told_apart() {
        let mut registry = Registry::default();
        registry.scan(&image("a::one"));
        let mut other = Image::decode(&image("a::one")).unwrap();
        other.roots[0].crate_id = 2;
        other.kernels[0].entry = "other".into();
        registry.scan(&other.encode().unwrap());
        for crate_id in [1, 2] {
            let found = registry.find(Instance { crate_id, ..instance("a::one") }).unwrap();
            assert_eq!(found.kernel().entry, if crate_id == 1 { "k" } else { "other" });
        }
        let third = Instance { crate_id: 3, ..instance("a::one") };
        assert!(matches!(registry.find(third), Err(Error::MissingKernel { .. })));
    }

    #[test]
    fn two_kernels_under_one_key_are_refused_and_both_named() {
        let mut registry = Registry::default();
        registry.scan(&image("a::one"));
        let mut other = Image::decode(&image("a::one")).unwrap();
        other.roots[0].instance = 2;
        other.kernels[0].file = "src/other.rs".into();
        // The same code: it does not matter which runs.
        registry.scan(&other.encode().unwrap());
        assert!(registry.find(instance("a::one")).is_ok());
        other.modules[0].ptx.push_str("// another");
        other.provenance.unit = "targets".into();
        registry.scan(&other.encode().unwrap());
        let text = registry.find(instance("a::one")).err().unwrap().to_string();
        for part in ["a::one", "src/s.rs:1:1", "src/other.rs", "targets of package a-package"] {
            assert!(text.contains(part), "{text}");
        }
    }

    #[test]
    fn types_of_another_layout_are_named() {
        let mut registry = Registry::default();
        registry.scan(&image("a::one"));
        const OTHER: [&[ArgLayout]; 2] =
            [&[ArgLayout { fingerprint: 7, ..arg(8, 8) }], &[arg(12, 4)]];
        let parts = ["its fields", "12 bytes (aligned to 4) on the host, 8"];
        for (layouts, part) in OTHER.into_iter().zip(parts) {
            let found = registry.find(Instance { layouts, ..instance("a::one") });
            let text = found.err().unwrap().to_string();
            assert!(text.contains("`s::Element`") && text.contains(part), "{text}");
        }
    }
}
