//! Launching, with images made by hand: on the emulated device, or on a GPU if there is one.

#![allow(clippy::needless_borrow)] // as the macros write arguments

use super::registry;
use super::{LaunchConfig, PassArg as _, PassByValue as _, Site, Slot, call0, call1, call2, call3};
use crate as ptyx;
use crate::{Device, DeviceBuffer, Error, Event, PinnedBuffer, Stream, variants_compiled};
use core::mem::offset_of;
use ptyx_device::{Array, Atomics, Disjoint, SliceMut};
use ptyx_image::{Image, Kernel, Layout, Module, Param, Provenance, Root};
use ptyx_macros::{cuda, kernel, launch};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

const HEAD: &str = ".version 6.3\n.target sm_70\n.address_size 64\n";

/// `y = a x + y`: `a: f32, x: &[f32], y: Disjoint<f32>`.
const SAXPY: &str = "
.visible .entry saxpy(
	.param .f32 saxpy_param_0,
	.param .u64 saxpy_param_1,
	.param .u64 saxpy_param_2,
	.param .u64 saxpy_param_3,
	.param .u64 saxpy_param_4
)
{
	.reg .pred %p<2>;
	.reg .b32 %r<5>;
	.reg .f32 %f<5>;
	.reg .b64 %rd<9>;
	ld.param.f32 %f1, [saxpy_param_0];
	ld.param.u64 %rd1, [saxpy_param_1];
	ld.param.u64 %rd2, [saxpy_param_3];
	ld.param.u64 %rd3, [saxpy_param_4];
	mov.u32 %r1, %ctaid.x;
	mov.u32 %r2, %ntid.x;
	mov.u32 %r3, %tid.x;
	mad.lo.s32 %r4, %r1, %r2, %r3;
	cvt.u64.u32 %rd4, %r4;
	setp.ge.u64 %p1, %rd4, %rd3;
	@%p1 bra $L_end;
	shl.b64 %rd5, %rd4, 2;
	add.s64 %rd6, %rd1, %rd5;
	add.s64 %rd7, %rd2, %rd5;
	ld.global.f32 %f2, [%rd6];
	ld.global.f32 %f3, [%rd7];
	fma.rn.f32 %f4, %f1, %f2, %f3;
	st.global.f32 [%rd7], %f4;
$L_end:
	ret;
}
";

#[kernel]
#[allow(unused_variables)]
fn saxpy(a: f32, x: &[f32], y: Disjoint<f32>) {}

/// Adds `count` times 1 to `out[0]`, slowly: `count: u32, out: SliceMut<u32>`.
const SLOW: &str = "
.visible .entry slow(
	.param .u32 slow_param_0,
	.param .u64 slow_param_1,
	.param .u64 slow_param_2
)
{
	.reg .pred %p<2>;
	.reg .b32 %r<4>;
	.reg .b64 %rd<3>;
	ld.param.u32 %r1, [slow_param_0];
	ld.param.u64 %rd1, [slow_param_1];
$L_loop:
	ld.volatile.global.u32 %r2, [%rd1];
	add.u32 %r2, %r2, 1;
	st.volatile.global.u32 [%rd1], %r2;
	sub.u32 %r1, %r1, 1;
	setp.ne.u32 %p1, %r1, 0;
	@%p1 bra $L_loop;
	ret;
}
";

#[kernel]
#[allow(unused_variables)]
fn slow(count: u32, out: SliceMut<u32>) {}

/// Writes the shape of the launch: `out: SliceMut<u32>`.
const SHAPE: &str = "
.visible .entry shape(
	.param .u64 shape_param_0,
	.param .u64 shape_param_1
)
{
	.reg .b32 %r<8>;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [shape_param_0];
	mov.u32 %r1, %nctaid.x;
	mov.u32 %r2, %nctaid.y;
	mov.u32 %r3, %nctaid.z;
	mov.u32 %r4, %ntid.x;
	mov.u32 %r5, %ntid.y;
	mov.u32 %r6, %ntid.z;
	mov.u32 %r7, %dynamic_smem_size;
	st.global.u32 [%rd1], %r1;
	st.global.u32 [%rd1+4], %r2;
	st.global.u32 [%rd1+8], %r3;
	st.global.u32 [%rd1+12], %r4;
	st.global.u32 [%rd1+16], %r5;
	st.global.u32 [%rd1+20], %r6;
	st.global.u32 [%rd1+24], %r7;
	ret;
}
";

#[kernel]
#[allow(unused_variables)]
fn shape(out: SliceMut<u32>) {}

#[kernel]
#[allow(unused_variables)]
fn flat_shape(out: SliceMut<u32>) {}

#[kernel]
#[allow(unused_variables)]
fn counted_shape(out: SliceMut<u32>) {}

/// Writes a scalar of a captured value: `f: F, out: SliceMut<u64>`; the closure has a `u8` and a
/// `u64`, passed as two parameters.
const CAPTURE: &str = "
.visible .entry capture(
	.param .u8 capture_param_0,
	.param .u64 capture_param_1,
	.param .u64 capture_param_2,
	.param .u64 capture_param_3
)
{
	.reg .b16 %rs<2>;
	.reg .b64 %rd<4>;
	ld.param.u8 %rs1, [capture_param_0];
	ld.param.u64 %rd1, [capture_param_1];
	ld.param.u64 %rd2, [capture_param_2];
	cvt.u64.u16 %rd3, %rs1;
	add.u64 %rd1, %rd1, %rd3;
	st.global.u64 [%rd2], %rd1;
	ret;
}
";

#[kernel]
#[allow(unused_variables)]
fn capture<T: Copy>(value: T, out: SliceMut<u64>) {}

/// `out[0] += shape[0] * 1000 + shape[1]`: `rows: u64, columns: u64` of an array, then `Atomics`.
const AREA: &str = "
.visible .entry area(
	.param .u64 area_param_0,
	.param .u64 area_param_1,
	.param .u64 area_param_2,
	.param .u64 area_param_3
)
{
	.reg .b64 %rd<5>;
	ld.param.u64 %rd1, [area_param_1];
	ld.param.u64 %rd2, [area_param_2];
	ld.param.u64 %rd3, [area_param_3];
	mad.lo.u64 %rd4, %rd1, 1000, %rd2;
	atom.global.add.u64 %rd4, [%rd3], %rd4;
	ret;
}
";

#[kernel]
#[allow(unused_variables)]
fn area(array: Array<f32, 2>, out: Atomics<u64>) {}

/// Panics as compiled kernels do: claims the record, fills it, completes it, ends.
const PANIC: &str = "
.visible .global .align 8 .b8 __ptyx_panic_runtime[24];
.visible .entry panics(
	.param .u64 panics_param_0
)
{
	.reg .pred %p<3>;
	.reg .b32 %r<6>;
	.reg .b64 %rd<5>;
	ld.param.u64 %rd3, [panics_param_0];
	mov.u32 %r3, %tid.x;
	cvt.u64.u32 %rd4, %r3;
	setp.lt.u64 %p2, %rd4, %rd3;
	@%p2 bra $L_end;
	ld.global.u64 %rd1, [__ptyx_panic_runtime];
	ld.global.u32 %r1, [__ptyx_panic_runtime+16];
	ld.global.u64 %rd2, [__ptyx_panic_runtime+8];
	atom.cas.b32 %r2, [%rd2], 0, 1;
	setp.ne.u32 %p1, %r2, 0;
	@%p1 bra $L_end;
	st.u32 [%rd1+4], %r1;
	mov.u32 %r4, 7;
	st.u32 [%rd1+8], %r4;
	mov.u32 %r3, %tid.x;
	st.u32 [%rd1+20], %r3;
	mov.u32 %r4, 42;
	st.u32 [%rd1+32], %r4;
	mov.u32 %r4, 9;
	st.u32 [%rd1+36], %r4;
	mov.u32 %r4, 1;
	st.u32 [%rd1+40], %r4;
	mov.u32 %r4, 3;
	st.u32 [%rd1+44], %r4;
	st.u64 [%rd1+56], %rd4;
	st.u64 [%rd1+64], %rd3;
	mov.u32 %r4, 0x732e61;
	st.u32 [%rd1+72], %r4;
	membar.sys;
	mov.u32 %r4, 2;
	st.volatile.u32 [%rd1], %r4;
$L_end:
	ret;
}
";

#[kernel]
#[allow(unused_variables)]
fn panics(len: u64) {}

/// Writes far outside of every allocation.
const FAULT: &str = "
.visible .entry fault()
{
	.reg .b32 %r<2>;
	.reg .b64 %rd<2>;
	mov.u64 %rd1, 64;
	mov.u32 %r1, 1;
	st.global.u32 [%rd1], %r1;
	ret;
}
";

#[kernel]
fn fault() {}

/// 2 KiB of static shared memory.
const SHARED: &str = "
.visible .entry uses_shared()
{
	.shared .align 4 .b8 memory[2048];
	.reg .b32 %r<2>;
	mov.u32 %r1, 1;
	st.shared.u32 [memory], %r1;
	ret;
}
";

#[kernel]
fn uses_shared() {}

const BROKEN: &str = "
.visible .entry broken()
{
	frobnicate.u32 %r1;
	ret;
}
";

#[kernel]
fn broken() {}

#[kernel]
fn missing() {}

#[kernel]
fn too_new() {}

/// Serialises the tests that look at what other launches would change: counters, panic records.
fn alone() -> MutexGuard<'static, ()> {
    static LOCK: Mutex<()> = Mutex::new(());
    LOCK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A kernel of an image: its launch `(type_name, site)`, its PTX and entry, its arguments' layouts,
/// and `(argument, offset, size)` of its parameters.
struct Made<'a> {
    root: (&'a str, &'a str),
    ptx: &'a str,
    entry: &'a str,
    args: &'a [(u32, u32)],
    params: &'a [(u32, u32, u32)],
}

impl Made<'_> {
    fn kernel(&self) -> Kernel {
        let ptx = [HEAD, self.ptx].concat();
        let start = ptx.find(&format!(".entry {}(", self.entry)).unwrap();
        Kernel {
            name: self.root.0.into(),
            entry: self.entry.into(),
            module: 0,
            directives_at: (start + ptx[start..].find(')').unwrap() + 1) as u32,
            args: self.args.iter().map(|&(size, align)| Layout { size, align }).collect(),
            params: self
                .params
                .iter()
                .map(|&(arg, offset, size)| Param { arg, offset, size, align: size })
                .collect(),
            static_shared: 0,
            sm: 70,
            ptx_version: 63,
            max_dims: 3,
            file: "tests.rs".into(),
            line: 1,
        }
    }

    fn add(&self) {
        self.add_with(|_| {});
    }

    fn add_with(&self, change: impl FnOnce(&mut Kernel)) {
        let mut kernel = self.kernel();
        change(&mut kernel);
        let (type_name, site) = (self.root.0.into(), self.root.1.into());
        let image = Image {
            provenance: Provenance {
                compiler: env!("CARGO_PKG_VERSION").into(),
                package: "by-hand".into(),
                ..Provenance::default()
            },
            roots: vec![Root { type_name, site, kernel: 0 }],
            kernels: vec![kernel],
            modules: vec![Module { ptx: [HEAD, self.ptx].concat() }],
            failed_targets: Vec::new(),
        };
        registry::add_for_test(&image.encode().unwrap());
    }
}

/// The layout of a slice or one-dimensional view, and its parameters as argument `arg`.
const VIEW: (u32, u32) = (16, 8);

/// The test's launch site.
struct Here;

impl Site for Here {
    const ID: &'static str = "by hand";
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
        add(name(saxpy), SAXPY, "saxpy", &[(4, 4), VIEW, VIEW], &views);
        add(name(slow), SLOW, "slow", &[(4, 4), VIEW], &views[..3]);
        add(name(shape), SHAPE, "shape", &[VIEW], &[(0, 0, 8), (0, 8, 8)]);
        add(name(panics), PANIC, "panics", &[(8, 8)], &[(0, 0, 8)]);
        add(name(fault), FAULT, "fault", &[], &[]);
        add(name(broken), BROKEN, "broken", &[], &[]);
    });
}

fn run_saxpy(
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
        (&&&Slot::new(a)).pass(),
        (&&&Slot::new(x)).pass(),
        (&&&Slot::new(y)).pass(),
    )
}

fn run_slow(count: u32, out: &mut DeviceBuffer<u32>, stream: &Stream) -> crate::Result<()> {
    kernels();
    let config = LaunchConfig::new().stream(stream);
    call2(Here, slow, config, (&&&Slot::new(count)).pass(), (&&&Slot::new(out)).pass())
}

fn run_shape(config: LaunchConfig<'_>, out: &mut DeviceBuffer<u32>) -> crate::Result<()> {
    kernels();
    call1(Here, shape, config, (&&&Slot::new(out)).pass())
}

#[test]
fn saxpy_gives_what_the_host_computes() {
    let n = 1000i32;
    let host_x: Vec<f32> = (0..n).map(|i| i as f32 * 0.5).collect();
    let host_y: Vec<f32> = (0..n).map(|i| 100.0 - i as f32).collect();
    let x = DeviceBuffer::from_slice(&host_x).unwrap();
    let mut y = DeviceBuffer::from_slice(&host_y).unwrap();
    let config = LaunchConfig::new().blocks(n.cast_unsigned().div_ceil(256)).threads(256u64);
    run_saxpy(config, 3.0, &x, &mut y).unwrap();
    let expected: Vec<f32> =
        host_x.iter().zip(&host_y).map(|(x, y)| 3.0f32.mul_add(*x, *y)).collect();
    assert_eq!(y.to_vec().unwrap(), expected);
}

/// Both macros, whose sites the test learns from the error of the first try.
#[test]
fn the_macros_launch() {
    let x = DeviceBuffer::filled(64, 2.0f32).unwrap();
    let mut y = DeviceBuffer::filled(64, 1.0f32).unwrap();
    let stream = Stream::new().unwrap();
    for form in 0..3 {
        for attempt in 0..2 {
            let part = &mut y.slice_mut(0..32);
            let launched = match form {
                0 => launch!(saxpy<<<2, 32>>>(0.5, &x, &mut y)),
                1 => launch!(saxpy<<<(1, 1), (16, 1, 1), 0, &stream>>>(1.0, &x.slice(..32), part)),
                _ => cuda!(threads = 64, blocks = [1, 1, 1], saxpy(2.0, &x, &mut y), maxregs = 32),
            };
            match launched {
                Err(Error::MissingKernel { kernel, site, .. }) if attempt == 0 => {
                    assert!(kernel.ends_with("saxpy"), "{kernel}");
                    assert!(site.contains("launch::tests:"), "{site}");
                    let params = [(0, 0, 4), (1, 0, 8), (1, 8, 8), (2, 0, 8), (2, 8, 8)];
                    let root = (kernel.as_str(), site.as_str());
                    let args = [(4, 4), VIEW, VIEW];
                    Made { root, ptx: SAXPY, entry: "saxpy", args: &args, params: &params }.add();
                }
                result => result.unwrap(),
            }
        }
    }
    // 1 + 0.5 * 2, then + 1 * 2 in the first 16, then + 2 * 2 everywhere.
    let expected: Vec<f32> = (0..64).map(|i| if i < 16 { 8.0 } else { 6.0 }).collect();
    assert_eq!(y.to_vec().unwrap(), expected);
}

#[test]
fn shapes_of_every_form_arrive() {
    let mut out = DeviceBuffer::<u32>::zeroed(7).unwrap();
    let mut check = |config, expected: [u32; 7]| {
        run_shape(config, &mut out).unwrap();
        assert_eq!(out.to_vec().unwrap(), expected);
    };
    let new = LaunchConfig::new;
    check(new(), [1, 1, 1, 1, 1, 1, 0]);
    check(new().blocks(3).threads(5u8), [3, 1, 1, 5, 1, 1, 0]);
    check(new().blocks((3, 2usize)).threads((4i64,)), [3, 2, 1, 4, 1, 1, 0]);
    check(new().blocks((1, 2, 3)).threads([4, 3, 2]), [1, 2, 3, 4, 3, 2, 0]);
    check(new().threads(32).shared_bytes(1024usize), [1, 1, 1, 32, 1, 1, 1024]);
    check(new().blocks(ptyx_device::Dim3 { x: 2, y: 1, z: 1 }), [2, 1, 1, 1, 1, 1, 0]);
}

#[test]
fn values_go_by_their_layout() {
    #[derive(Clone, Copy)]
    struct Pair {
        small: u8,
        large: u64,
    }
    let at = [offset_of!(Pair, small) as u32, offset_of!(Pair, large) as u32];
    let mut out = DeviceBuffer::<u64>::zeroed(1).unwrap();
    let value = Pair { small: 7, large: 1 << 40 };
    let params = [(0, at[0], 1), (0, at[1], 8), (1, 0, 8), (1, 8, 8)];
    let root = (name(capture::<Pair>), Here::ID);
    Made { root, ptx: CAPTURE, entry: "capture", args: &[(16, 8), VIEW], params: &params }.add();
    let target = (&&&Slot::new(&mut out)).pass();
    call2(Here, capture, LaunchConfig::new(), (&&&Slot::new(value)).pass(), target).unwrap();
    assert_eq!(out.to_vec().unwrap(), [u64::from(value.small) + value.large]);

    // A closure with one capture is its capture's bytes.
    struct Other;
    impl Site for Other {
        const ID: &'static str = "by hand, closure";
    }
    let large = 1u64 << 50;
    let closure = move |x: u64| x + large;
    fn kernel_of<F: Copy>(_: F) -> &'static str {
        name(capture::<F>)
    }
    let params = [(0, 0, 1), (0, 0, 8), (1, 0, 8), (1, 8, 8)];
    let root = (kernel_of(closure), Other::ID);
    Made { root, ptx: CAPTURE, entry: "capture", args: &[(8, 8), VIEW], params: &params }.add();
    let target = (&&&Slot::new(&mut out)).pass();
    call2(Other, capture, LaunchConfig::new(), (&&&Slot::new(closure)).pass(), target).unwrap();
    assert_eq!(out.to_vec().unwrap(), [closure(0)]);
}

#[test]
fn views_of_several_dimensions_and_atomics() {
    let array = DeviceBuffer::<f32>::zeroed(12).unwrap();
    let mut out = DeviceBuffer::<u64>::zeroed(1).unwrap();
    // pointer, shape and strides: what of it goes where is the device library's choice.
    let layout = (size_of::<Array<'static, f32, 2>>() as u32, 8);
    // SAFETY: a view of no elements is only looked at.
    let probe = unsafe { Array::<f32, 2>::from_raw_parts(core::ptr::dangling(), [0x33, 0x44]) };
    let words: Vec<usize> = (0..size_of_val(&probe) / 8)
        // SAFETY: the view is made of words.
        .map(|i| unsafe { (&raw const probe).cast::<usize>().add(i).read() })
        .collect();
    let at = |value| 8 * words.iter().position(|&word| word == value).unwrap() as u32;
    let params = [(0, 0, 8), (0, at(0x33), 8), (0, at(0x44), 8), (1, 0, 8)];
    let root = (name(area), Here::ID);
    Made { root, ptx: AREA, entry: "area", args: &[layout, VIEW], params: &params }.add();
    let mut run = |shape: [usize; 2]| {
        let config = LaunchConfig::new().threads(2);
        let view = array.view(shape);
        call2(Here, area, config, (&&&Slot::new(view)).pass(), (&&&Slot::new(&mut out)).pass())
    };
    run([3, 4]).unwrap();
    let text = run([4, 4]).unwrap_err().to_string();
    assert!(text.contains("[4, 4]") && text.contains("16") && text.contains("12"), "{text}");
    assert!(matches!(run([usize::MAX, 2]), Err(Error::Shape { .. })));
    assert!(matches!(run([0, usize::MAX]), Err(Error::Shape { .. })));
    assert_eq!(out.to_vec().unwrap(), [2 * 3004]);
}

#[test]
fn variants_are_made_once_for_each_set_of_knobs() {
    let _alone = alone();
    let mut out = DeviceBuffer::<u32>::zeroed(7).unwrap();
    let root = (name(counted_shape), Here::ID);
    let params = [(0, 0, 8), (0, 8, 8)];
    Made { root, ptx: SHAPE, entry: "shape", args: &[VIEW], params: &params }.add();
    let mut run = |config: LaunchConfig<'_>| {
        call1(Here, counted_shape, config, (&&&Slot::new(&mut out)).pass()).unwrap();
    };
    let own = || {
        let kernels = ptyx::compiled_kernels().unwrap();
        kernels
            .into_iter()
            .filter(|kernel| kernel.kernel.ends_with("counted_shape"))
            .collect::<Vec<_>>()
    };
    let new = LaunchConfig::new;
    let before = variants_compiled();
    for _ in 0..3 {
        run(new());
        run(new().threads(32));
    }
    assert_eq!(own().len(), 1);
    for _ in 0..2 {
        run(new().maxregs(32));
        run(new().maxregs(40));
        run(new().maxthreads(64));
        run(new().maxthreads((64, 1)));
        run(new().minthreads(1));
        run(new().blocks_per_sm(2).maxthreads(64));
        run(new().alias("profiled"));
        run(new().alias(&String::from("profiled")));
    }
    assert_eq!(own().len(), 7);
    assert!(variants_compiled() >= before + 7);
    assert_eq!(own().iter().filter(|kernel| kernel.entry == "profiled").count(), 1);
    // Another thread finds the same ones.
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut out = DeviceBuffer::<u32>::zeroed(7).unwrap();
                for _ in 0..3 {
                    let config = new().maxregs(48);
                    call1(Here, counted_shape, config, (&&&Slot::new(&mut out)).pass()).unwrap();
                }
            });
        }
    });
    assert_eq!(own().len(), 8);
}

#[test]
fn failed_launches_are_explained() {
    let mut out = DeviceBuffer::<u32>::zeroed(7).unwrap();
    let mut text = |config| match run_shape(config, &mut out) {
        Err(error @ Error::Launch { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    };
    let new = LaunchConfig::new;
    let has = |text: String, part: &str| assert!(text.contains(part), "`{part}` in: {text}");
    has(text(new().maxthreads(1).threads(2)), "(2 > 1)");
    has(text(new().minthreads(64).threads(32)), "64 x 1 x 1");
    has(text(new().blocks(0)), "must be positive");
    has(text(new().threads(-1)), "must be positive, not -1 threads");
    has(text(new().threads(u64::MAX)), "(18446744073709551615 > ");
    has(text(new().maxregs(0)), "(0 < 1)");
    has(text(new().shared_bytes(-4)), "-4 bytes");
    let device = Device::default().unwrap();
    let limits = device.attributes().unwrap();
    let (most, z) = (limits.max_threads_per_block, limits.max_block[2]);
    has(text(new().threads(most + 1)), &format!("({} > ", most + 1));
    has(text(new().threads((1, 1, z + 1))), &format!("({} > {z})", z + 1));
    let y = limits.max_grid[1];
    has(text(new().blocks((1, y + 1))), &format!("({} > {y})", y + 1));
    let shared = limits.shared_memory_per_block_optin;
    has(text(new().shared_bytes(shared + 1024)), "KiB");
    // After all this, the device still works.
    run_shape(new(), &mut out).unwrap();
    device.synchronize().unwrap();
}

/// More dynamic shared memory than 48 KiB needs an attribute, which the launch sets.
#[test]
fn much_shared_memory() {
    let limits = Device::default().unwrap().attributes().unwrap();
    let mut out = DeviceBuffer::<u32>::zeroed(7).unwrap();
    let most = limits.shared_memory_per_block_optin;
    assert!(most > 48 * 1024);
    run_shape(LaunchConfig::new().shared_bytes(most), &mut out).unwrap();
    assert_eq!(out.to_vec().unwrap()[6], most);

    let root = (name(uses_shared), Here::ID);
    let made = Made { root, ptx: SHARED, entry: "uses_shared", args: &[], params: &[] };
    made.add_with(|kernel| kernel.static_shared = 2048);
    call0(Here, uses_shared, LaunchConfig::new().shared_bytes(most - 2048)).unwrap();
    let error = call0(Here, uses_shared, LaunchConfig::new().shared_bytes(most)).unwrap_err();
    assert!(error.to_string().contains("2 KiB in the kernel"), "{error}");
    ptyx::synchronize().unwrap();
}

#[test]
fn a_kernel_that_indexes_flatly_takes_flat_launches_only() {
    struct Flat;
    impl Site for Flat {
        const ID: &'static str = "by hand, flat";
    }
    let root = (name(flat_shape), Flat::ID);
    let params = [(0, 0, 8), (0, 8, 8)];
    let made = Made { root, ptx: SHAPE, entry: "shape", args: &[VIEW], params: &params };
    made.add_with(|kernel| kernel.max_dims = 1);
    let mut out = DeviceBuffer::<u32>::zeroed(7).unwrap();
    let mut run = |config| call1(Flat, flat_shape, config, (&&&Slot::new(&mut out)).pass());
    run(LaunchConfig::new().blocks(2).threads(32)).unwrap();
    for config in [LaunchConfig::new().blocks((1, 2)), LaunchConfig::new().threads((1, 1, 2))] {
        let text = run(config).unwrap_err().to_string();
        assert!(text.contains("thread::index_1d") && text.contains("1-D shape"), "{text}");
    }
}

#[test]
fn a_missing_kernel_says_what_to_do() {
    kernels();
    let text = call0(Here, missing, LaunchConfig::new()).unwrap_err().to_string();
    for part in ["missing", "by hand", "build.rs", "ptyx_compiler::build()"] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn a_kernel_for_a_newer_device_is_refused() {
    let made = Made {
        root: (name(too_new), Here::ID),
        ptx: BROKEN,
        entry: "broken",
        args: &[],
        params: &[],
    };
    made.add_with(|kernel| kernel.sm = 9990);
    let text = call0(Here, too_new, LaunchConfig::new()).unwrap_err().to_string();
    assert!(text.contains("too_new needs compute capability 999.0"), "{text}");
}

#[test]
fn the_assemblers_log_is_in_the_error() {
    kernels();
    let error = call0(Here, broken, LaunchConfig::new()).unwrap_err();
    let Error::Assembler { what, log, .. } = &error else { panic!("{error}") };
    assert!(what.ends_with("broken"), "{what}");
    assert!(log.contains("frobnicate"), "{log}");
    let error = ptyx::Module::from_ptx(&[HEAD, BROKEN].concat()).unwrap_err();
    assert!(error.to_string().contains("frobnicate"), "{error}");
    let module = ptyx::Module::from_ptx(&[HEAD, PANIC].concat()).unwrap();
    assert_eq!(module.global("__ptyx_panic_runtime").unwrap().1, 24);
    assert!(matches!(module.global("nothing"), Err(Error::NotFound { .. })));
    assert!(module.function_attributes("panics").unwrap().max_threads >= 32);
    assert!(matches!(module.function_attributes("nothing"), Err(Error::NotFound { .. })));
}

fn run_panics(len: u64, threads: u32) -> crate::Result<()> {
    kernels();
    let config = LaunchConfig::new().threads(threads);
    call1(Here, panics, config, (&&&Slot::new(len)).pass())
}

#[test]
fn a_panic_is_reported_once_and_the_device_goes_on() {
    let _alone = alone();
    run_panics(64, 64).unwrap();
    ptyx::synchronize().unwrap();
    for _ in 0..3 {
        run_panics(40, 64).unwrap();
        let Err(Error::KernelPanic(panic)) = ptyx::synchronize() else { panic!("no report") };
        assert!(panic.kernel.ends_with("tests::panics"), "{}", panic.kernel);
        let (index, len) = panic.bounds.unwrap();
        assert_eq!((len, panic.line, panic.column, panic.file.as_str()), (40, 42, 9, "a.s"));
        assert!((40..64).contains(&index));
        assert_eq!((panic.block, panic.thread), ([7, 0, 0], [index as u32, 0, 0]));
        assert!(panic.message.contains("the len is 40 but the index is"), "{}", panic.message);
        let text = panic.to_string();
        assert!(text.contains("a.s:42:9, block (7, 0, 0)"), "{text}");
        ptyx::synchronize().unwrap();
    }
    // Reading a buffer reports it, too.
    let buffer = DeviceBuffer::from_slice(&[1, 2, 3]).unwrap();
    run_panics(0, 1).unwrap();
    Stream::default().unwrap().0.finish().unwrap();
    assert!(matches!(buffer.to_vec(), Err(Error::KernelPanic(_))));
    assert_eq!(buffer.to_vec().unwrap(), [1, 2, 3]);
}

#[test]
fn streams_wait_for_each_other_where_they_share_memory() {
    let streams: Vec<Stream> = (0..4).map(|_| Stream::new().unwrap()).collect();
    let mut counter = DeviceBuffer::<u32>::zeroed(1).unwrap();
    for round in 0..20 {
        run_slow(500, &mut counter, &streams[round % 4]).unwrap();
    }
    assert_eq!(counter.to_vec().unwrap(), [10_000]);
}

#[test]
fn buffers_are_dropped_and_overwritten_while_kernels_run() {
    for round in 0..10u32 {
        let stream = Stream::new().unwrap();
        let mut pinned = PinnedBuffer::from_slice(&[round]).unwrap();
        let mut counter = DeviceBuffer::<u32>::zeroed(1).unwrap();
        counter.copy_from_async(&pinned, &stream).unwrap();
        run_slow(2000, &mut counter, &stream).unwrap();
        let mut copy = DeviceBuffer::<u32>::zeroed(1).unwrap();
        copy.copy_from_buffer(&counter).unwrap();
        pinned[0] = 77;
        run_slow(100, &mut counter, &stream).unwrap();
        counter.copy_to_async(&mut pinned, &stream).unwrap();
        drop(counter);
        drop(stream);
        assert_eq!(copy.to_vec().unwrap(), [round + 2000]);
        assert_eq!(*pinned, [round + 2100]);
    }
}

#[test]
fn threads_launch_at_once() {
    let x = DeviceBuffer::filled(256, 1.0f32).unwrap();
    let results: Vec<Vec<f32>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|i| {
                let x = &x;
                scope.spawn(move || {
                    let stream = Stream::new().unwrap();
                    let mut y = DeviceBuffer::filled(256, i as f32).unwrap();
                    for _ in 0..50 {
                        let config = LaunchConfig::new().blocks(2).threads(128).stream(&stream);
                        run_saxpy(config, 1.0, x, &mut y).unwrap();
                    }
                    y.to_vec().unwrap()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for (i, result) in results.iter().enumerate() {
        assert_eq!(*result, vec![i as f32 + 50.0; 256]);
    }
}

#[test]
fn events_order_and_measure() {
    let (first, second) = (Stream::new().unwrap(), Stream::new().unwrap());
    let mut counter = DeviceBuffer::<u32>::zeroed(1).unwrap();
    let (start, end) = (Event::new().unwrap(), Event::new().unwrap());
    assert!(start.is_done().unwrap());
    start.record(&first).unwrap();
    run_slow(20_000, &mut counter, &first).unwrap();
    end.record(&first).unwrap();
    second.wait(&end).unwrap();
    let after = Event::new().unwrap();
    after.record(&second).unwrap();
    after.synchronize().unwrap();
    assert!(end.is_done().unwrap());
    assert!(first.is_idle().unwrap());
    let milliseconds = Event::elapsed(&start, &end).unwrap();
    assert!(milliseconds > 0.0 && milliseconds < 60_000.0, "{milliseconds}");
    drop(end);
    second.synchronize().unwrap();
    let ((), milliseconds) =
        Event::time(|| run_slow(20_000, &mut counter, &Stream::default()?)).unwrap();
    assert!(milliseconds > 0.0 && milliseconds < 60_000.0, "{milliseconds}");
    assert_eq!(counter.to_vec().unwrap(), [40_000]);
    assert!(Event::elapsed(&Event::new().unwrap(), &start).is_err());
}

#[test]
fn devices() {
    let device = Device::default().unwrap();
    assert!(device.total_memory().unwrap() >= device.free_memory().unwrap());
    assert_eq!(device.nearest_warpsize(33).unwrap(), 64);
    assert_eq!(device.nearest_warpsize(32).unwrap(), 32);
    let attributes = device.attributes().unwrap();
    assert_eq!(attributes.warp_size, 32);
    assert!(!device.name().is_empty());
    assert!(device.compute_capability() >= (7, 0));
    let count = Device::count().unwrap();
    assert_eq!(Device::all().unwrap().len(), count as usize);
    let text = Device::get(count).unwrap_err().to_string();
    assert!(text.contains(&format!("has {count}")), "{text}");
    let inside = device.with(|| Device::default().unwrap());
    assert_eq!(inside, device);
    let info = ptyx::info().unwrap();
    assert!(info.contains(device.name()) && info.contains("kernels in this program"), "{info}");
}

/// Runs the test of this name in a process of its own, with `PTYX_TEST_CHILD` set; its stderr.
fn child(test: &str, variables: &[(&str, &str)]) -> String {
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", &format!("launch::tests::{test}"), "--nocapture", "--test-threads=1"])
        .env("PTYX_TEST_CHILD", "1")
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stdout));
    text
}

fn is_child() -> bool {
    std::env::var_os("PTYX_TEST_CHILD").is_some()
}

/// In a process of its own, as a GPU is lost after a fault.
#[test]
fn a_fault_is_an_error_with_the_report() {
    if !is_child() {
        child("a_fault_is_an_error_with_the_report", &[]);
        return;
    }
    kernels();
    let buffer = DeviceBuffer::from_slice(&[1, 2, 3]).unwrap();
    let emulated = Device::default().unwrap().is_emulated();
    let failed = call0(Here, fault, LaunchConfig::new()).and_then(|()| ptyx::synchronize());
    let error = failed.unwrap_err();
    let Error::Fault { report, .. } = &error else { panic!("{error}") };
    assert_eq!(report.is_some(), emulated, "{error}");
    assert_eq!(error.to_string().contains("PTYX_DEVICE=emulator"), !emulated, "{error}");
    // Nothing here may panic or hang.
    drop(buffer);
    let _ = Stream::new().map(drop);
    let _ = PinnedBuffer::<u8>::zeroed(10).map(drop);
}

#[test]
fn the_trace_shows_each_driver_call() {
    if is_child() {
        run_saxpy_once();
        return;
    }
    let test = "the_trace_shows_each_driver_call";
    let text = child(test, &[("PTYX_TRACE", "1")]);
    let line = text.lines().find(|line| line.contains("cuLaunchKernel")).unwrap();
    for part in ["ptyx: cuLaunchKernel(", "grid_x=2", "block_x=32", "= CUDA_SUCCESS [", " us]"] {
        assert!(line.contains(part), "{line}");
    }
    assert!(text.contains("cuInit(flags=0)"), "{text}");
    assert!(text.contains("name=\"saxpy\""), "{text}");
    // Warm launches are one driver call each.
    let mut calls = text.lines().filter(|line| line.starts_with("ptyx: cu"));
    assert!(calls.any(|line| line.contains("cuLaunchKernel")));
    for _ in 0..3 {
        let line = calls.next().unwrap();
        assert!(line.contains("cuLaunchKernel"), "{line}");
    }
    for off in ["0", ""] {
        assert!(!child(test, &[("PTYX_TRACE", off)]).contains("cuLaunchKernel"));
    }
}

fn run_saxpy_once() {
    let x = DeviceBuffer::filled(64, 1.0f32).unwrap();
    let mut y = DeviceBuffer::filled(64, 1.0f32).unwrap();
    for _ in 0..4 {
        run_saxpy(LaunchConfig::new().blocks(2).threads(32), 1.0, &x, &mut y).unwrap();
    }
    assert_eq!(y.to_vec().unwrap(), [5.0; 64]);
}

#[test]
fn the_device_is_chosen_by_the_environment() {
    if is_child() {
        let said = match Device::default() {
            Ok(device) => format!("emulated: {}", device.is_emulated()),
            Err(error) => format!("error: {error}"),
        };
        let again = Device::default().map(|device| device.is_emulated());
        eprintln!("said {said}; again {}", again.is_ok());
        return;
    }
    let run = |value| child("the_device_is_chosen_by_the_environment", &[("PTYX_DEVICE", value)]);
    let text = run("emulator");
    assert!(text.contains("said emulated: true"), "{text}");
    assert!(!text.contains("ptyx: using"), "{text}");
    let text = run("nonsense");
    assert!(text.contains("said error: PTYX_DEVICE is `nonsense`"), "{text}");
    assert!(text.contains("`emulator`"), "{text}");
    let (auto, cuda) = (run("auto"), run("cuda"));
    if cuda.contains("said emulated: false") {
        assert!(auto.contains("said emulated: false"), "{auto}");
        assert!(!auto.contains("ptyx: using"), "{auto}");
    } else {
        assert!(cuda.contains("said error: no GPU can be used: "), "{cuda}");
        assert_eq!(auto.matches("ptyx: using the emulated device: ").count(), 1, "{auto}");
        assert!(auto.contains("said emulated: true"), "{auto}");
    }
}

/// Prints what a warm launch costs on the host beyond the bare driver call. Run it alone, in
/// release.
#[test]
#[ignore = "a measurement"]
fn the_cost_of_a_warm_launch() {
    use std::time::{Duration, Instant};
    const BATCH: u32 = 400;
    const BATCHES: u32 = 50;
    kernels();
    let context = crate::context::current().unwrap();
    let x = DeviceBuffer::filled(32, 1.0f32).unwrap();
    let mut y = DeviceBuffer::filled(32, 1.0f32).unwrap();
    let config = || LaunchConfig::new().threads(32);
    run_saxpy(config(), 0.0, &x, &mut y).unwrap();
    ptyx::synchronize().unwrap();

    let module = ptyx::module::load(context, &[HEAD, SAXPY].concat(), "saxpy").unwrap();
    let function = ptyx::module::function(context, module, "saxpy").unwrap();
    let (a, len) = (0.0f32, 32u64);
    let (px, py) = (x.device_address(), y.device_address());
    let time = |launch: &mut dyn FnMut()| {
        let mut best = Duration::MAX;
        for _ in 0..BATCHES {
            let start = Instant::now();
            (0..BATCH).for_each(|_| launch());
            best = best.min(start.elapsed());
            ptyx::synchronize().unwrap();
        }
        best.as_nanos() as f64 / f64::from(BATCH)
    };
    let bare = time(&mut || {
        let mut params: [*mut core::ffi::c_void; 5] = [
            (&raw const a).cast_mut().cast(),
            (&raw const px).cast_mut().cast(),
            (&raw const len).cast_mut().cast(),
            (&raw const py).cast_mut().cast(),
            (&raw const len).cast_mut().cast(),
        ];
        // SAFETY: the parameters are the kernel's; the buffers live.
        unsafe {
            context.driver.cuLaunchKernel(
                function,
                1,
                1,
                1,
                32,
                1,
                1,
                0,
                ptyx::driver::types::CUstream::NULL,
                params.as_mut_ptr(),
                core::ptr::null_mut(),
            )
        }
        .unwrap();
    });
    let ours = time(&mut || run_saxpy(config(), 0.0, &x, &mut y).unwrap());
    println!("bare {bare:.0} ns, launch {ours:.0} ns, {:.0} ns more", ours - bare);
}
