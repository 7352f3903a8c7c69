//! What a warm launch costs on the host: nothing of the heap, and few nanoseconds over the driver's own call, which
//! is a stub here.

use super::environment::{child_of, is_child};
use super::*;
use crate::context::Context;
use crate::driver::Driver;
use crate::driver::types::*;
use crate::launch::PassElement as _;
use crate::runtime::set_current;
use core::cell::Cell;
use core::ffi::{c_uint, c_void};
use ptyx_device::Disjoint;
use ptyx_image::{Limit, Number, Product, Proof, Static, StaticKind};
use ptyx_macros::kernel;
use std::alloc::{GlobalAlloc, Layout as Block, System};
use std::time::Instant;

/// The heap, which counts what the thread takes of it.
struct Counting;

thread_local! {
    static TAKEN: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: the system's heap does it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, block: Block) -> *mut u8 {
        let _ = TAKEN.try_with(|taken| taken.set(taken.get() + 1));
        // SAFETY: the caller's promise; so below.
        unsafe { System.alloc(block) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, block: Block) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, block) }
    }
}

#[global_allocator]
static HEAP: Counting = Counting;

/// How often `work` takes memory of the heap.
fn taken(work: impl FnOnce()) -> u64 {
    let before = TAKEN.get();
    work();
    TAKEN.get() - before
}

// As many as the driver's function has.
#[allow(clippy::too_many_arguments)]
extern "C" fn stub(
    _: CUfunction,
    _: c_uint,
    _: c_uint,
    _: c_uint,
    _: c_uint,
    _: c_uint,
    _: c_uint,
    _: c_uint,
    _: CUstream,
    params: *mut *mut c_void,
    _: *mut *mut c_void,
) -> CUresult {
    core::hint::black_box(params);
    CUDA_SUCCESS
}

extern "C" fn stub_with_attributes(
    config: *const CUlaunchConfig,
    _: CUfunction,
    params: *mut *mut c_void,
    _: *mut *mut c_void,
) -> CUresult {
    core::hint::black_box((config, params));
    CUDA_SUCCESS
}

extern "C" fn graph_stub(graph: CUgraphExec, _: CUstream) -> CUresult {
    core::hint::black_box(graph);
    CUDA_SUCCESS
}

/// The emulated device, with launches that do nothing.
fn stubbed() -> &'static Context {
    use std::sync::OnceLock;
    static CONTEXT: OnceLock<&'static Context> = OnceLock::new();
    CONTEXT.get_or_init(|| {
        let lookup = |name: &str| match name {
            "cuLaunchKernel" => stub as *const c_void,
            "cuLaunchKernelEx" => stub_with_attributes as *const c_void,
            "cuGraphLaunch" => graph_stub as *const c_void,
            _ => ptyx_emulator::driver::symbol(name).unwrap_or(core::ptr::null()),
        };
        // SAFETY: the functions of these names.
        let driver = unsafe { Driver::new(&lookup, true, Default::default()) }.unwrap();
        let driver: &'static Driver = Box::leak(Box::new(driver));
        // SAFETY: no precondition.
        unsafe { driver.cuInit(0) }.unwrap();
        Box::leak(Box::new(Context::new(driver, 0).unwrap()))
    })
}

/// A warm launch in each form, and the driver's bare call.
struct Warm {
    context: &'static Context,
    function: CUfunction,
    x: DeviceBuffer<f32>,
    y: DeviceBuffer<f32>,
    prepared: Prepared,
    checked: Prepared,
    proved: Prepared,
    bound: Bound,
    checked_bound: Bound,
    proved_bound: Bound,
}

type Bound = crate::BoundKernel<(f32, &'static DeviceBuffer<f32>, &'static mut DeviceBuffer<f32>)>;
type Prepared = crate::PreparedKernel<(f32, &'static [f32], Disjoint<'static, f32>)>;

/// As [`saxpy`], of which the compiler has found that it may panic.
#[kernel]
#[allow(unused_variables)]
fn checked_saxpy(a: f32, x: &[f32], y: Disjoint<f32>) {}

/// Adds the kernel, which is never run.
fn add_checked() {
    let last = ".param .u64 saxpy_param_4";
    let ptx = SAXPY
        .replace(last, &format!("{last},\n.param .u64 saxpy_param_5,\n.param .u32 saxpy_param_6"))
        .replace("saxpy", "checked_saxpy");
    let ptx = format!(".visible .global .align 8 .u64 __ptyx_panic_module;{ptx}");
    let args = [(4, 4, 0), view::<f32>(), view::<f32>()];
    let params = [(0, 0, 4), (1, 0, 8), (1, 8, 8), (2, 0, 8), (2, 8, 8)];
    let root = (name(checked_saxpy), Here::ID);
    Made { root, ptx: &ptx, entry: "checked_saxpy", args: &args, params: &params }.add();
}

/// As [`saxpy`], of which the compiler has found that it can't panic under six conditions.
#[kernel]
#[allow(unused_variables)]
fn proved_saxpy(a: f32, x: &[f32], y: Disjoint<f32>) {}

/// That `x` and `y` have an element for each of the threads, of which there are some, and not too many.
fn six_conditions() -> Proof {
    let sum = |products: &[(i64, &[u8])]| {
        let product = |&(count, factors): &(i64, &[u8])| Product { count, factors: factors.into() };
        products.iter().map(product).collect()
    };
    Proof {
        numbers: vec![
            Number::Argument { arg: 1, offset: 8, size: 8 },
            Number::Argument { arg: 2, offset: 8, size: 8 },
            Number::Blocks(0),
            Number::Threads(0),
        ],
        quotients: Vec::new(),
        levels: vec![vec![
            sum(&[(1, &[0]), (-1, &[2, 3])]),
            sum(&[(1, &[1]), (-1, &[2, 3])]),
            sum(&[(1, &[0]), (-1, &[])]),
            sum(&[(1, &[1]), (-1, &[])]),
            sum(&[(i64::from(i32::MAX), &[]), (-1, &[2, 3])]),
            sum(&[(1, &[3]), (-1, &[])]),
        ]],
    }
}

/// Adds the kernel, which is never run.
fn add_proved() {
    let ptx = SAXPY.replace("saxpy", "proved_saxpy");
    let args = [(4, 4, 0), view::<f32>(), view::<f32>()];
    let params = [(0, 0, 4), (1, 0, 8), (1, 8, 8), (2, 0, 8), (2, 8, 8)];
    let root = (name(proved_saxpy), Here::ID);
    let made = Made { root, ptx: &ptx, entry: "proved_saxpy", args: &args, params: &params };
    made.add_image_with(|image| prove(image, six_conditions(), &ptx));
}

impl Warm {
    fn new() -> Warm {
        kernels();
        add_checked();
        add_proved();
        let context = stubbed();
        set_current(Some(context));
        context.bind().unwrap();
        let module = ptyx::module::load(context, &[HEAD, SAXPY].concat(), None, "saxpy").unwrap();
        let function = ptyx::module::function(context, module, "saxpy").unwrap();
        let x = DeviceBuffer::filled(32, 1.0f32).unwrap();
        let mut y = DeviceBuffer::filled(32, 1.0f32).unwrap();
        let config = LaunchConfig::new;
        let prepared = super::super::prepare3(Here, saxpy, config(), 0.0, &x, &mut y).unwrap();
        let checked = super::super::prepare3(Here, checked_saxpy, config(), 0.0, &x, &mut y);
        let checked = checked.unwrap();
        let proved = super::super::prepare3(Here, proved_saxpy, config(), 0.0, &x, &mut y);
        let proved = proved.unwrap();
        let [bound, checked_bound, proved_bound] = [&prepared, &checked, &proved].map(|kernel| {
            let new = || Box::leak(Box::new(DeviceBuffer::filled(32, 1.0f32).unwrap()));
            kernel.bind(config().threads(32), (0.0f32, &*new(), new())).unwrap()
        });
        Warm {
            context,
            function,
            x,
            y,
            prepared,
            checked,
            proved,
            bound,
            checked_bound,
            proved_bound,
        }
    }

    fn bare(&mut self) {
        let (a, len) = (0.0f32, 32u64);
        let (x, y) = (self.x.as_slice().address(), self.y.as_slice().address());
        let mut params: [*mut c_void; 5] = [
            (&raw const a).cast_mut().cast(),
            (&raw const x).cast_mut().cast(),
            (&raw const len).cast_mut().cast(),
            (&raw const y).cast_mut().cast(),
            (&raw const len).cast_mut().cast(),
        ];
        let (driver, params) = (self.context.driver, params.as_mut_ptr());
        let (stream, extra) = (CUstream::NULL, core::ptr::null_mut());
        // SAFETY: the stub does nothing.
        unsafe {
            driver.cuLaunchKernel(self.function, 1, 1, 1, 32, 1, 1, 0, stream, params, extra)
        }
        .unwrap();
    }

    fn launch(&mut self) {
        let config = LaunchConfig::new().threads(32);
        let (x, y) = ((&&&&&Slot::new(&self.x)).pass(), (&&&&&Slot::new(&mut self.y)).pass());
        call3(Here, saxpy, config, (&&&&&Slot::new(0.0f32)).pass(), x, y).unwrap();
    }

    fn launch_checked(&mut self) {
        let config = LaunchConfig::new().threads(32);
        let (x, y) = ((&&&&&Slot::new(&self.x)).pass(), (&&&&&Slot::new(&mut self.y)).pass());
        call3(Here, checked_saxpy, config, (&&&&&Slot::new(0.0f32)).pass(), x, y).unwrap();
    }

    fn launch_proved(&mut self) {
        let config = LaunchConfig::new().threads(32);
        let (x, y) = ((&&&&&Slot::new(&self.x)).pass(), (&&&&&Slot::new(&mut self.y)).pass());
        call3(Here, proved_saxpy, config, (&&&&&Slot::new(0.0f32)).pass(), x, y).unwrap();
    }

    fn launch_prepared(&mut self) {
        let config = LaunchConfig::new().threads(32);
        self.prepared.launch(config, (0.0f32, &self.x, &mut self.y)).unwrap();
    }

    fn launch_checked_prepared(&mut self) {
        let config = LaunchConfig::new().threads(32);
        self.checked.launch(config, (0.0f32, &self.x, &mut self.y)).unwrap();
    }

    fn launch_proved_prepared(&mut self) {
        let config = LaunchConfig::new().threads(32);
        self.proved.launch(config, (0.0f32, &self.x, &mut self.y)).unwrap();
    }
}

type Form = fn(&mut Warm);
const FORMS: [(&str, Form); 10] = [
    ("the driver's call", Warm::bare),
    ("launch!", Warm::launch),
    ("PreparedKernel::launch", Warm::launch_prepared),
    ("launch! of a kernel that may panic", Warm::launch_checked),
    ("PreparedKernel::launch of such a kernel", Warm::launch_checked_prepared),
    ("launch! of a kernel with six conditions", Warm::launch_proved),
    ("PreparedKernel::launch of such a kernel", Warm::launch_proved_prepared),
    ("BoundKernel::launch", |warm| warm.bound.launch().unwrap()),
    ("BoundKernel::launch of a kernel that may panic", |warm| warm.checked_bound.launch().unwrap()),
    ("BoundKernel::launch of a kernel with six conditions", |warm| {
        warm.proved_bound.launch().unwrap();
    }),
];

/// `cargo test --release -p ptyx --lib -- --ignored --nocapture what_a_launch_of_a_graph_adds`
#[test]
#[ignore = "a measurement"]
fn what_a_launch_of_a_graph_adds() {
    let mut warm = Warm::new();
    let stream = Stream::new().unwrap();
    let Warm { checked, prepared, x, y, .. } = &mut warm;
    let mut measure = |name: &str, kernel: &Prepared| {
        let capture = stream.capture(|stream| {
            (0..100).try_for_each(|_| {
                let config = LaunchConfig::new().threads(32).stream(stream);
                kernel.launch(config, (0.0f32, &*x, &mut *y))
            })
        });
        let exec = capture.unwrap().instantiate().unwrap();
        let mut best = f64::MAX;
        for _ in 0..100 {
            let start = Instant::now();
            (0..1000).for_each(|_| exec.launch(&stream).unwrap());
            best = best.min(start.elapsed().as_nanos() as f64 / 1000.0);
        }
        println!("a launch of a graph of {name}: {best:.0} ns");
    };
    measure("100 kernels", prepared);
    measure("100 kernels that may panic", checked);
}

type Change = fn(&mut Image);
type Config = fn(LaunchConfig<'_>) -> LaunchConfig<'_>;

/// Kernels that need more than parameters of their own, which only the general way to launch has, and what of each is
/// unlike [`saxpy`].
const UNUSUAL: [(&str, Change); 6] = [
    ("limits and a proof", |image| {
        let limit = |arg| Limit { arg, offset: 8, less: 1, most: u32::MAX };
        image.kernels[0].code[0].limits = vec![limit(1), limit(2)];
        let ptx = image.modules[0].ptx.strip_prefix(HEAD).unwrap().to_owned();
        prove(image, six_conditions(), &ptx);
    }),
    ("print", |image| image.kernels[0].code[0].prints = true),
    ("a question for cooperation", |image| image.kernels[0].code[0].asks_cooperative = true),
    ("statics", |image| {
        image.modules[0].statics = vec![Static {
            key: 0x5eed,
            name: "STATIC".into(),
            kind: StaticKind::Global,
            variable: "a_static".into(),
            layout: Layout { size: 4, align: 4, fingerprint: 0 },
            initial: None,
        }];
    }),
    ("raw pointers", |image| image.kernels[0].code[0].follows_pointers = true),
    ("moved shared memory", |image| image.kernels[0].code[0].moved_shared = 1024),
];

/// The site of a launch of an unusual kernel.
struct Unusual<const INDEX: usize>;

impl<const INDEX: usize> Site for Unusual<INDEX> {
    const ID: &'static str = UNUSUAL[INDEX].0;
    const CRATE: u64 = Here::CRATE;
    const PLACE: &'static str = Here::PLACE;
    const KERNEL: &'static str = Here::KERNEL;
}

impl<const INDEX: usize> Unusual<INDEX> {
    fn add() {
        let entry = format!("unusual_{INDEX}");
        let ptx = format!(".visible .global .align 8 .u64 a_static;{SAXPY}");
        let ptx = ptx.replace("saxpy", &entry);
        let args = [(4, 4, 0), view::<f32>(), view::<f32>()];
        let params = [(0, 0, 4), (1, 0, 8), (1, 8, 8), (2, 0, 8), (2, 8, 8)];
        let root = (name(saxpy), Self::ID);
        let made = Made { root, ptx: &ptx, entry: &entry, args: &args, params: &params };
        made.add_image_with(UNUSUAL[INDEX].1);
    }

    fn check(warm: &mut Warm) {
        Self::add();
        let stream = Stream::new().unwrap();
        let new = || LaunchConfig::new().threads(32).stream(&stream);
        let configs: [(&str, Config); 5] = [
            ("", |config| config),
            (" and 64 KiB of shared memory", |config| config.shared_bytes(64 << 10)),
            (" and clusters", |config| config.blocks(2).cluster(2)),
            (" and large clusters", |config| config.blocks(16).cluster(16)),
            (" and cooperation", |config| config.cooperative()),
        ];
        for (with, config) in configs {
            let mut launch = || {
                let x = (&&&&&Slot::new(&warm.x)).pass();
                let y = (&&&&&Slot::new(&mut warm.y)).pass();
                let a = (&&&&&Slot::new(0.0f32)).pass();
                call3(Self, saxpy, config(new()), a, x, y).unwrap();
            };
            (0..3).for_each(|_| launch());
            let taken = taken(|| (0..100).for_each(|_| launch()));
            assert_eq!(taken, 0, "a kernel with {}{with}", Self::ID);
        }
    }
}

/// A kernel with 66 parameters: `value: [u32; 64], out: SliceMut<u64>`, of which the array is 64.
fn check_many_parameters() {
    type Many = [u32; 64];
    let params = (0..64).map(|i| (0, 4 * i, 4)).chain([(1, 0, 8), (1, 8, 8)]).collect::<Vec<_>>();
    let sizes = params.iter().enumerate();
    let declared = sizes.map(|(i, (.., size))| format!(".param .b{} many_param_{i}", 8 * size));
    let declared = declared.collect::<Vec<_>>().join(",\n");
    let ptx = format!(".visible .entry many(\n{declared}\n)\n{{\n\tret;\n}}\n");
    let args = [(256, 4, Many::LAYOUT), view::<u64>()];
    let root = (name(capture::<Many>), Here::ID);
    Made { root, ptx: &ptx, entry: "many", args: &args, params: &params }.add();
    let mut out = DeviceBuffer::<u64>::zeroed(1).unwrap();
    let mut launch = || {
        let out = (&&&&&Slot::new(&mut out)).pass();
        let value: Many = core::array::from_fn(|i| i as u32);
        call2(Here, capture, LaunchConfig::new(), (&&&&&Slot::new(value)).pass(), out).unwrap();
    };
    (0..3).for_each(|_| launch());
    assert_eq!(taken(|| (0..100).for_each(|_| launch())), 0, "a kernel with many parameters");
}

#[test]
fn a_warm_launch_takes_nothing_of_the_heap() {
    // In a process of its own: other tests have another context of the same device, and kernels there.
    if !is_child() {
        child_of("cost", "a_warm_launch_takes_nothing_of_the_heap", &[("PTYX_DEVICE", "emulator")]);
        return;
    }
    std::thread::spawn(|| {
        let mut warm = Warm::new();
        for (name, form) in FORMS {
            (0..3).for_each(|_| form(&mut warm));
            assert_eq!(taken(|| (0..100).for_each(|_| form(&mut warm))), 0, "{name}");
        }
        Unusual::<0>::check(&mut warm);
        Unusual::<1>::check(&mut warm);
        Unusual::<2>::check(&mut warm);
        Unusual::<3>::check(&mut warm);
        Unusual::<4>::check(&mut warm);
        Unusual::<5>::check(&mut warm);
        check_many_parameters();
        assert_eq!(taken(|| drop(Box::new(1))), 1);
    })
    .join()
    .unwrap();
}

/// `cargo test --release -p ptyx --lib -- --ignored --nocapture what_a_warm_launch_adds`; with `PTYX_COST=1` only
/// the second form runs, for profilers.
#[test]
#[ignore = "a measurement"]
fn what_a_warm_launch_adds() {
    const BATCH: u32 = 10_000;
    let mut warm = Warm::new();
    let only = std::env::var("PTYX_COST").ok().and_then(|text| text.parse::<usize>().ok());
    let mut best = [f64::MAX; FORMS.len()];
    for _ in 0..100 {
        for (index, (_, form)) in FORMS.iter().enumerate() {
            if only.is_some_and(|only| only != index) {
                continue;
            }
            let start = Instant::now();
            (0..BATCH).for_each(|_| form(&mut warm));
            let each = start.elapsed().as_nanos() as f64 / f64::from(BATCH);
            best[index] = best[index].min(each);
        }
    }
    for ((name, _), each) in FORMS.iter().zip(best) {
        println!("{name}: {each:.1} ns, {:.1} ns more", each - best[0]);
    }
}
