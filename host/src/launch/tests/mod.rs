//! Launching, with images made by hand: on the emulated device, or on a GPU if there is one.

#![allow(clippy::needless_borrow)] // as the macros write arguments

mod asynchrony;
mod bound;
mod cached;
mod cost;
mod debug;
mod devices;
pub(crate) mod environment;
mod errors;
mod exhausted;
mod fork;
mod graphs;
mod kernels;
mod late;
mod launching;
mod noted;
mod peers;
mod places;
mod profiles;
mod sweep;

use super::registry;
use super::{LaunchConfig, PassArg as _, Site, Slot, call1, call2, call3};
use crate::{DeviceBuffer, DeviceCopy, Stream};
use kernels::*;
use ptyx_image::{
    Arch, Code, Image, Kernel, KernelKnobs, Layout, MaxDims, Module, Param, Proof, Provenance, Root,
};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

/// Serialises the tests that look at what other launches would change: counters, panic records.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    static LOCK: Mutex<()> = Mutex::new(());
    LOCK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A kernel of an image: its launch `(type_name, site)`, its PTX and entry, its arguments' layouts,
/// and `(argument, offset, size)` of its parameters.
struct Made<'a> {
    root: (&'a str, &'a str),
    ptx: &'a str,
    entry: &'a str,
    args: &'a [(u32, u32, u64)],
    params: &'a [(u32, u32, u32)],
}

/// Gives an image's first kernel a proof with one level, for which it has this code.
fn prove(image: &mut Image, proof: Proof, ptx: &str) {
    let code = &mut image.kernels[0].code[0];
    let module = image.modules.len() as u32;
    code.proved = vec![Code { module, ..code.clone() }];
    code.proof = Some(proof);
    image.modules.push(Module { ptx: [HEAD, ptx].concat(), ..Module::default() });
}

impl Made<'_> {
    fn kernel(&self) -> Kernel {
        let ptx = [HEAD, self.ptx].concat();
        let start = ptx.find(&format!(".entry {}(", self.entry)).unwrap();
        Kernel {
            name: self.root.0.into(),
            entry: self.entry.into(),
            args: self
                .args
                .iter()
                .map(|&(size, align, fingerprint)| Layout { size, align, fingerprint })
                .collect(),
            params: self
                .params
                .iter()
                .map(|&(arg, offset, size)| Param { arg, offset, size, align: size })
                .collect(),
            knobs: KernelKnobs::default(),
            file: "tests.rs".into(),
            line: 1,
            code: vec![Code {
                arch: Arch::BASE,
                ptx_version: 63,
                module: 0,
                directives_at: (start + ptx[start..].find(')').unwrap() + 1) as u32,
                static_shared: 0,
                moved_shared: 0,
                limits: Vec::new(),
                proof: None,
                proved: Vec::new(),
                reports_panics: self.ptx.contains("__ptyx_panic_module"),
                prints: false,
                asks_cooperative: false,
                follows_pointers: false,
                unknown_stack: false,
                max_dims: MaxDims::ANY,
                narrow_indices: false,
                unchecked: false,
            }],
        }
    }

    fn add(&self) {
        self.add_with(|_| {});
    }

    fn add_with(&self, change: impl FnOnce(&mut Kernel)) {
        self.add_to(Here::CRATE, |image| change(&mut image.kernels[0]));
    }

    fn add_image_with(&self, change: impl FnOnce(&mut Image)) {
        self.add_to(Here::CRATE, change);
    }

    fn add_in(&self, crate_id: u64) {
        self.add_to(crate_id, |_| {});
    }

    fn add_to(&self, crate_id: u64, change: impl FnOnce(&mut Image)) {
        let kernel = self.kernel();
        let (type_name, site) = (self.root.0.into(), self.root.1.into());
        let mut image = Image {
            provenance: Provenance {
                compiler: env!("CARGO_PKG_VERSION").into(),
                package: "by-hand".into(),
                ..Provenance::default()
            },
            roots: vec![Root { type_name, site, crate_id, instance: 0, kernel: 0 }],
            kernels: vec![kernel],
            modules: vec![Module { ptx: [HEAD, self.ptx].concat(), ..Module::default() }],
            failed_targets: Vec::new(),
        };
        change(&mut image);
        registry::add_for_test(&image.encode().unwrap());
    }
}

/// The layout of a slice or one-dimensional view, and its parameters as argument `arg`.
const fn view<T: DeviceCopy>() -> (u32, u32, u64) {
    (16, 8, T::LAYOUT)
}

/// The test's launch site.
struct Here;

impl Site for Here {
    const ID: &'static str = "by hand";
    const CRATE: u64 = 0;
    const PLACE: &'static str = "by hand";
    const KERNEL: &'static str = "kernel";
}

/// The name of a function item.
fn name<K>(_: K) -> &'static str {
    core::any::type_name::<K>()
}

/// Adds the kernels that several tests launch.
fn kernels() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let add = |name, ptx, entry, args: &[_], params: &[_]| {
            Made { root: (name, Here::ID), ptx, entry, args, params }.add();
        };
        let views = [(0, 0, 4), (1, 0, 8), (1, 8, 8), (2, 0, 8), (2, 8, 8)];
        add(name(saxpy), SAXPY, "saxpy", &[(4, 4, 0), view::<f32>(), view::<f32>()], &views);
        add(name(slow), SLOW, "slow", &[(4, 4, 0), view::<u32>()], &views[..3]);
        add(name(shape), SHAPE, "shape", &[view::<u32>()], &[(0, 0, 8), (0, 8, 8)]);
        add(name(panics), PANIC, "panics", &[(8, 8, 0)], &[(0, 0, 8)]);
        add(name(fault), FAULT, "fault", &[], &[]);
        add(name(broken), BROKEN, "broken", &[], &[]);
    });
}

pub(crate) fn run_saxpy(
    config: LaunchConfig<'_>,
    a: f32,
    x: &DeviceBuffer<f32>,
    y: &mut DeviceBuffer<f32>,
) -> crate::Result<()> {
    kernels();
    call3(
        Here,
        saxpy,
        config,
        (&&&&&Slot::new(a)).pass(),
        (&&&&&Slot::new(x)).pass(),
        (&&&&&Slot::new(y)).pass(),
    )
}

fn run_slow(count: u32, out: &mut DeviceBuffer<u32>, stream: &Stream) -> crate::Result<()> {
    kernels();
    let config = LaunchConfig::new().stream(stream);
    call2(Here, slow, config, (&&&&&Slot::new(count)).pass(), (&&&&&Slot::new(out)).pass())
}

fn run_shape(config: LaunchConfig<'_>, out: &mut DeviceBuffer<u32>) -> crate::Result<()> {
    kernels();
    call1(Here, shape, config, (&&&&&Slot::new(out)).pass())
}
