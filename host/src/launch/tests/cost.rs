//! What a warm launch costs on the host: nothing of the heap, and few nanoseconds over the driver's own call, which
//! is a stub here.

use super::environment::{child_of, is_child};
use super::*;
use crate::context::Context;
use crate::driver::Driver;
use crate::driver::types::*;
use crate::runtime::set_current;
use core::cell::Cell;
use core::ffi::{c_uint, c_void};
use ptyx_device::Disjoint;
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
    bound: Bound,
    checked_bound: Bound,
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

impl Warm {
    fn new() -> Warm {
        kernels();
        add_checked();
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
        let [bound, checked_bound] = [&prepared, &checked].map(|kernel| {
            let new = || Box::leak(Box::new(DeviceBuffer::filled(32, 1.0f32).unwrap()));
            kernel.bind(config().threads(32), (0.0f32, &*new(), new())).unwrap()
        });
        Warm { context, function, x, y, prepared, checked, bound, checked_bound }
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

    fn launch_prepared(&mut self) {
        let config = LaunchConfig::new().threads(32);
        self.prepared.launch(config, (0.0f32, &self.x, &mut self.y)).unwrap();
    }

    fn launch_checked_prepared(&mut self) {
        let config = LaunchConfig::new().threads(32);
        self.checked.launch(config, (0.0f32, &self.x, &mut self.y)).unwrap();
    }
}

type Form = fn(&mut Warm);
const FORMS: [(&str, Form); 7] = [
    ("the driver's call", Warm::bare),
    ("launch!", Warm::launch),
    ("PreparedKernel::launch", Warm::launch_prepared),
    ("launch! of a kernel that may panic", Warm::launch_checked),
    ("PreparedKernel::launch of such a kernel", Warm::launch_checked_prepared),
    ("BoundKernel::launch", |warm| warm.bound.launch().unwrap()),
    ("BoundKernel::launch of such a kernel", |warm| warm.checked_bound.launch().unwrap()),
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
