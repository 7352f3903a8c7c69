//! Runs a body on the host and its kernel on the device.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};

use ptyx::Error;
use ptyx::prelude::*;
use ptyx_image::{Number, Proof};
use ptyx_proof_tests::{Rng, alone, images, rng};

/// How often each kernel is launched.
const LAUNCHES: usize = 100;

/// Whether the kernels were not built without some passes.
const WITH_ALL_PASSES: bool = option_env!("PTYX_PASSES").is_none();

/// Elements of the largest buffer.
const MAX_LEN: i128 = 4000;

/// A thread: its place and the launch's shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At {
    pub(crate) thread: [u32; 3],
    pub(crate) block: [u32; 3],
    pub(crate) threads: [u32; 3],
    pub(crate) blocks: [u32; 3],
}

impl At {
    /// The thread that asks.
    #[inline(always)]
    pub(crate) fn here() -> At {
        At {
            thread: [thread::x(), thread::y(), thread::z()],
            block: [block::x(), block::y(), block::z()],
            threads: [block::dim_x(), block::dim_y(), block::dim_z()],
            blocks: [grid::dim_x(), grid::dim_y(), grid::dim_z()],
        }
    }

    #[inline(always)]
    pub(crate) fn x(&self) -> u32 {
        self.block[0] * self.threads[0] + self.thread[0]
    }

    #[inline(always)]
    pub(crate) fn y(&self) -> u32 {
        self.block[1] * self.threads[1] + self.thread[1]
    }

    #[inline(always)]
    pub(crate) fn z(&self) -> u32 {
        self.block[2] * self.threads[2] + self.thread[2]
    }

    /// Threads along x.
    #[inline(always)]
    pub(crate) fn width(&self) -> u32 {
        self.blocks[0] * self.threads[0]
    }
}

/// What bodies write: sums, so that the order of threads does not matter. The place of a panic is in the body.
pub(crate) trait Out {
    #[track_caller]
    fn add(&mut self, index: usize, value: u32);
}

impl Out for Atomics<'_, u32> {
    #[inline(always)]
    #[track_caller]
    fn add(&mut self, index: usize, value: u32) {
        self[index].fetch_add(value);
    }
}

impl Out for Vec<u32> {
    #[track_caller]
    fn add(&mut self, index: usize, value: u32) {
        self[index] = self[index].wrapping_add(value);
    }
}

/// An argument that is passed by value.
pub(crate) trait Scalar: Copy + Debug {
    /// The unsigned number of so many bytes at an offset.
    fn number(&self, offset: u32, size: u32) -> u64;
}

macro_rules! scalars {
    ($($ty:ident)*) => {$(
        impl Scalar for $ty {
            fn number(&self, offset: u32, size: u32) -> u64 {
                assert_eq!((offset, size as usize), (0, size_of::<$ty>()));
                let bits = *self as u64;
                bits & (u64::MAX >> (64 - 8 * size))
            }
        }
    )*};
}
scalars!(bool u8 i8 u16 i16 u32 i32 u64 i64 usize);

/// A launch: its shape, the arguments, the lengths of the slices, and the length of the output.
#[derive(Clone, Debug)]
pub(crate) struct Launch<P, const N: usize> {
    pub(crate) blocks: [u32; 3],
    pub(crate) threads: [u32; 3],
    pub(crate) params: P,
    pub(crate) lens: [usize; N],
    pub(crate) out: usize,
}

/// One axis: blocks and threads.
pub(crate) fn axis(rng: &mut Rng) -> (u32, u32) {
    (1 + rng.below(3) as u32, [1, 2, 3, 4, 8][rng.below(5)])
}

impl<P, const N: usize> Launch<P, N> {
    /// A launch along `axes` axes.
    pub(crate) fn new(rng: &mut Rng, axes: usize, params: P, lens: [usize; N], out: usize) -> Self {
        let (mut blocks, mut threads) = ([1; 3], [1; 3]);
        for of in 0..axes {
            (blocks[of], threads[of]) = axis(rng);
        }
        Launch { blocks, threads, params, lens, out }
    }

    /// All threads.
    fn all(&self) -> impl Iterator<Item = At> {
        let (blocks, threads) = (self.blocks, self.threads);
        let places = |extents: [u32; 3]| {
            (0..extents.iter().product()).map(move |i| {
                [i % extents[0], i / extents[0] % extents[1], i / extents[0] / extents[1]]
            })
        };
        places(blocks).flat_map(move |block| {
            places(threads).map(move |thread| At { thread, block, threads, blocks })
        })
    }
}

/// A small number, or sometimes one of those where arithmetic ends.
pub(crate) fn size(rng: &mut Rng) -> i32 {
    const EDGES: [i32; 12] = [
        0,
        1,
        -1,
        -3,
        i32::MIN,
        i32::MIN + 1,
        i32::MAX,
        i32::MAX - 1,
        1 << 30,
        1 << 16,
        -(1 << 16),
        0x5555_5556,
    ];
    match rng.below(5) {
        0 => EDGES[rng.below(EDGES.len())],
        _ => 1 + rng.below(12) as i32,
    }
}

/// The same without a sign: also what wraps around 32 bits.
pub(crate) fn wide_size(rng: &mut Rng) -> usize {
    const EDGES: [usize; 10] = [
        0,
        1,
        usize::MAX,
        usize::MAX - 2,
        1 << 63,
        (1 << 63) - 1,
        1 << 32,
        (1 << 32) + 3,
        1 << 60,
        0x5555_5555_5555_5556,
    ];
    match rng.below(5) {
        0 => EDGES[rng.below(EDGES.len())],
        _ => 1 + rng.below(12),
    }
}

/// A number from `0` to `most`.
pub(crate) fn small(rng: &mut Rng, most: usize) -> i32 {
    rng.below(most + 1) as i32
}

/// A length near the one that is needed, and mostly this one.
pub(crate) fn fits(rng: &mut Rng, needed: i128) -> usize {
    let len = match rng.below(8) {
        0 => needed - 1,
        1 => needed + 1,
        2 => needed * 2 + 7,
        3 if rng.below(3) == 0 => rng.below(20) as i128,
        _ => needed,
    };
    len.clamp(0, MAX_LEN) as usize
}

/// Whether a word stands before a kernel.
pub(crate) fn is_some(words: &[&str]) -> bool {
    !words.is_empty()
}

/// A panic: its message, line and column.
type Panic = (String, u32, u32);

/// The panics of a launch on the host, by the thread's block and its place in it.
type Panics = BTreeMap<([u32; 3], [u32; 3]), Panic>;

thread_local! {
    /// The last panic of this thread.
    static LAST: RefCell<Panic> = RefCell::default();
}

/// Notes a panic instead of printing it.
fn note(info: &PanicHookInfo<'_>) {
    let message = match (info.payload().downcast_ref::<&str>(), info.payload().downcast_ref()) {
        (Some(text), _) => (*text).to_owned(),
        (None, text) => text.cloned().unwrap_or_default(),
    };
    let place = info.location().map_or((0, 0), |place| (place.line(), place.column()));
    LAST.set((message, place.0, place.1));
}

/// What the host is asked about a kernel.
fn proof_of(name: &str) -> Option<&'static Proof> {
    let mut kernels = images::images().iter().flat_map(|image| &image.kernels);
    let kernel = kernels.find(|kernel| kernel.name == name).expect("the kernel");
    kernel.code.iter().find_map(|code| code.proof.as_ref())
}

/// A body with its kernel.
pub(crate) struct Tested<P, const N: usize> {
    pub(crate) test: &'static str,
    pub(crate) kernel: &'static str,
    /// Its checks are proved under conditions which hold of some of the launches.
    pub(crate) proved: bool,
    pub(crate) generate: fn(&mut Rng) -> Launch<P, N>,
    /// The number at an offset of an argument that is passed by value.
    pub(crate) number: fn(&P, u32, u32, u32) -> u64,
    pub(crate) arguments: u32,
    pub(crate) host: fn(At, &mut Vec<u32>, &P, &[Vec<u32>; N]),
    #[expect(clippy::type_complexity, reason = "it is written once")]
    pub(crate) device:
        fn(&Launch<P, N>, &[DeviceBuffer<u32>; N], &mut DeviceBuffer<u32>) -> ptyx::Result<()>,
}

impl<P: Debug, const N: usize> Tested<P, N> {
    /// Launches the kernel many times, in a process of its own.
    pub(crate) fn run(&self) {
        alone(self.test.split_once("::").expect("a module").1, || self.run_here());
    }

    fn run_here(&self) {
        let mut rng = rng();
        let (mut panics, mut ends, mut proved, mut refuted) = (0, 0, 0, 0);
        for _ in 0..LAUNCHES {
            let launch = (self.generate)(&mut rng);
            let slices = launch.lens.map(|len| rng.vec(len, |rng| rng.next_u32()));
            let before = rng.vec(launch.out, |rng| rng.next_u32());
            let expected = self.on_host(&launch, &slices, before.clone());
            match proof_of(self.kernel) {
                Some(proof) if self.holds(proof, &launch) => proved += 1,
                Some(_) => refuted += 1,
                None => {}
            }
            let got = self.on_device(&launch, &slices, &before);
            match (expected, got) {
                (Ok(expected), Ok(got)) => {
                    assert_eq!(got, expected, "{launch:?}");
                    ends += 1;
                }
                // The device reports one of the threads that panic, whichever it is.
                (Err(all), Err(Error::KernelPanic(one))) => {
                    let on_host = all.get(&(one.block, one.thread));
                    let on_device = (one.message.clone(), one.line, one.column);
                    assert_eq!(on_host, Some(&on_device), "{launch:?}: {one:?}");
                    panics += 1;
                }
                (expected, got) => panic!(
                    "{launch:?}: the host {}, the device {got:?}",
                    if expected.is_err() { "panics" } else { "does not panic" },
                ),
            }
        }
        println!(
            "{panics} panics, {ends} ends, {proved} launches without checks, {refuted} with them"
        );
        assert!(panics > 0 && ends > 0, "{panics} panics, {ends} ends");
        if self.proved && WITH_ALL_PASSES {
            assert!(
                proved > 0 && refuted > 0,
                "{proved} launches without checks, {refuted} with them"
            );
        }
    }

    /// What all threads write, or which of them panic.
    fn on_host(
        &self,
        launch: &Launch<P, N>,
        slices: &[Vec<u32>; N],
        mut out: Vec<u32>,
    ) -> Result<Vec<u32>, Panics> {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(note));
        let mut panics = Panics::new();
        for at in launch.all() {
            let one = || (self.host)(at, &mut out, &launch.params, slices);
            if catch_unwind(AssertUnwindSafe(one)).is_err() {
                panics.insert((at.block, at.thread), LAST.take());
            }
        }
        std::panic::set_hook(hook);
        if panics.is_empty() { Ok(out) } else { Err(panics) }
    }

    fn on_device(
        &self,
        launch: &Launch<P, N>,
        slices: &[Vec<u32>; N],
        before: &[u32],
    ) -> ptyx::Result<Vec<u32>> {
        let slices =
            slices.each_ref().map(|slice| DeviceBuffer::from_slice(slice).expect("memory"));
        let mut out = DeviceBuffer::from_slice(before)?;
        (self.device)(launch, &slices, &mut out)?;
        ptyx::synchronize()?;
        out.to_vec()
    }

    /// What the host answers.
    fn holds(&self, proof: &Proof, launch: &Launch<P, N>) -> bool {
        let len = |index: u32| match launch.lens.get(index as usize) {
            Some(len) => *len as u64,
            None => launch.out as u64,
        };
        let level = proof.level(|number| match *number {
            Number::Argument { arg, offset, size } if arg < self.arguments => {
                (self.number)(&launch.params, arg, offset, size)
            }
            Number::Argument { arg, .. } => len(arg - self.arguments),
            Number::Blocks(axis) => launch.blocks[usize::from(axis)].into(),
            Number::Threads(axis) => launch.threads[usize::from(axis)].into(),
        });
        level > 0
    }
}

/// Bodies, each with its arguments that are passed by value, its slices, and launches for it, and `@proved` if its checks must be
/// proved: makes a kernel and a test of each.
macro_rules! kernels {
    ($(
        $(#[doc = $doc:literal])*
        $(@$proved:ident)?
        fn $name:ident(
            $at:ident, $out:ident, ($($param:ident: $ty:ident),*), [$($slice:ident),*]
        ) $body:block
        $generate:expr;
    )*) => {$(
        $(#[doc = $doc])*
        mod $name {
            use super::*;

            #[inline(always)]
            #[allow(clippy::too_many_arguments, reason = "as kernels have")]
            fn body($at: At, $out: &mut impl Out, $($param: $ty,)* $($slice: &[u32]),*) $body

            #[allow(clippy::too_many_arguments)]
            #[kernel]
            fn kernel($($param: $ty,)* $($slice: &[u32],)* mut out: Atomics<u32>) {
                body(At::here(), &mut out, $($param,)* $($slice),*)
            }

            #[test]
            fn host_and_device_agree() {
                let tested = $crate::harness::Tested::<($($ty,)*), { [$(stringify!($slice)),*].len() }> {
                    test: concat!(module_path!(), "::host_and_device_agree"),
                    kernel: concat!(module_path!(), "::kernel"),
                    proved: $crate::harness::is_some(&[$(stringify!($proved))?]),
                    generate: $generate,
                    number: |($($param,)*), arg, offset, size| {
                        let all: [&dyn Fn() -> u64; { [$(stringify!($param)),*].len() }] =
                            [$(&|| $crate::harness::Scalar::number($param, offset, size)),*];
                        all[arg as usize]()
                    },
                    arguments: [$(stringify!($param)),*].len() as u32,
                    host: |at, out, params, slices| {
                        let ($($param,)*) = *params;
                        let [$($slice),*] = slices;
                        body(at, out, $($param,)* $($slice),*)
                    },
                    device: |launch, slices, out| {
                        let ($($param,)*) = launch.params;
                        let [$($slice),*] = slices;
                        let (blocks, threads) = (launch.blocks, launch.threads);
                        launch!(kernel<<<blocks, threads>>>($($param,)* $($slice,)* out))
                    },
                };
                tested.run();
            }
        }
    )*};
}
pub(crate) use kernels;
