//! Launches that go well: arguments, shapes, variants.

use super::*;
use crate as ptyx;
use crate::driver::types::*;
use crate::launch::{PassByValue as _, call0};
use crate::{Device, Error, Stream, variants_compiled};
use core::mem::offset_of;
use ptyx_device::{Array, Disjoint};
use ptyx_image::{Limit, Number, Product, Proof};
use ptyx_macros::{cuda, launch};

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

/// Of the number itself, and of the length of what the second argument is; and whether the number is at least that of all threads.
#[test]
fn launches_calculate_limits_and_run_the_code_that_is_proved() {
    let made = Made {
        root: (name(limits), Here::ID),
        ptx: LIMITS,
        entry: "limits",
        args: &[(8, 8, 0), view::<u32>()],
        params: &[(0, 0, 8), (1, 0, 8), (1, 8, 8)],
    };
    made.add_image_with(|image| {
        image.kernels[0].code[0].limits = vec![
            Limit { arg: 0, offset: 0, less: 0, most: 1 << 31 },
            Limit { arg: 1, offset: 8, less: 1, most: u32::MAX },
        ];
        let product = |count, factors: &[u8]| Product { count, factors: factors.to_vec() };
        let proof = Proof {
            numbers: vec![
                Number::Argument { arg: 0, offset: 0, size: 8 },
                Number::Blocks(0),
                Number::Threads(1),
            ],
            quotients: Vec::new(),
            levels: vec![vec![vec![product(1, &[0]), product(-1, &[1, 2])]]],
        };
        prove(image, proof, &LIMITS.replace("mov.u32 %r3, 0;", "mov.u32 %r3, 1;"));
    });
    let stream = Stream::new().unwrap();
    let (mut out, mut exec) = (DeviceBuffer::<u32>::zeroed(7).unwrap(), None::<crate::GraphExec>);
    for number in [0, 5, 6, (1 << 31) - 1, 1 << 31, (1 << 32) + 5, (1 << 63) - 1, 1 << 63, u64::MAX]
    {
        // What 63 bits can't hold proves nothing.
        let proved = u32::from((6..1 << 63).contains(&number));
        let want = [number.min(1 << 31) as u32, 6, proved, 0, 0, 0, 0];
        let run = |config: LaunchConfig<'_>, out: &mut DeviceBuffer<u32>| {
            call2(
                Here,
                limits,
                config,
                (&&&&&Slot::new(number)).pass(),
                (&&&&&Slot::new(out)).pass(),
            )
        };
        let config = || LaunchConfig::new().blocks(2).threads((1, 3)).stream(&stream);
        run(config(), &mut out).unwrap();
        assert_eq!(out.to_vec().unwrap(), want);
        out.fill(0).unwrap();
        // A launch that is captured takes another way. An update may bring other code.
        let graph = stream.capture(|_| run(config(), &mut out)).unwrap();
        match &mut exec {
            Some(exec) => exec.update(&graph).unwrap(),
            None => exec = Some(graph.instantiate().unwrap()),
        }
        exec.as_ref().unwrap().launch(&stream).unwrap();
        assert_eq!(out.to_vec().unwrap(), want);
        out.fill(0).unwrap();
    }
}

/// If a driver can't assemble the code for a level, the code with all checks runs.
#[test]
fn what_the_driver_refuses_is_done_with_all_checks() {
    let made = Made {
        root: (name(limits), "refused"),
        ptx: LIMITS,
        entry: "limits",
        args: &[(8, 8, 0), view::<u32>()],
        params: &[(0, 0, 8), (1, 0, 8), (1, 8, 8)],
    };
    struct Refused;
    impl Site for Refused {
        const ID: &'static str = "refused";
        const CRATE: u64 = Here::CRATE;
        const PLACE: &'static str = Here::PLACE;
        const KERNEL: &'static str = Here::KERNEL;
    }
    made.add_image_with(|image| {
        image.kernels[0].code[0].limits = vec![
            Limit { arg: 0, offset: 0, less: 0, most: 1 << 31 },
            Limit { arg: 1, offset: 8, less: 1, most: u32::MAX },
        ];
        let levels = vec![vec![vec![Product { count: 1, factors: Vec::new() }]]];
        let always = Proof { levels, ..Proof::default() };
        prove(image, always, &LIMITS.replace("mov.u32 %r3, 0;", "no.such.instruction %r3;"));
    });
    let mut out = DeviceBuffer::<u32>::filled(7, 9).unwrap();
    for _ in 0..2 {
        let config = LaunchConfig::new().threads(1);
        let (number, out) = ((&&&&&Slot::new(5u64)).pass(), (&&&&&Slot::new(&mut out)).pass());
        call2(Refused, limits, config, number, out).unwrap();
    }
    assert_eq!(out.to_vec().unwrap(), [5, 6, 0, 9, 9, 9, 9]);
}

/// Both macros, whose sites the test learns from the error of the first try.
#[test]
fn the_macros_launch() {
    const CRATE: u64 = crate::launch::crate_id(
        &[Some("ptyx"), Some(env!("CARGO_PKG_VERSION")), Some("ptyx"), None, Some("src/lib.rs")],
        &[false, true],
    );
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
                    let (file, place) = site.split_once(".rs:").unwrap();
                    assert!(file.ends_with("src/launch/tests/launching"), "{site}");
                    let site = format!("{}:{place}", module_path!());
                    let params = [(0, 0, 4), (1, 0, 8), (1, 8, 8), (2, 0, 8), (2, 8, 8)];
                    let root = (kernel.as_str(), site.as_str());
                    let args = [(4, 4, 0), view::<f32>(), view::<f32>()];
                    Made { root, ptx: SAXPY, entry: "saxpy", args: &args, params: &params }
                        .add_in(CRATE);
                }
                result => result.unwrap(),
            }
        }
    }
    // 1 + 0.5 * 2, then + 1 * 2 in the first 16, then + 2 * 2 everywhere.
    let expected: Vec<f32> = (0..64).map(|i| if i < 16 { 8.0 } else { 6.0 }).collect();
    assert_eq!(y.to_vec().unwrap(), expected);
}

/// Handles are the same by identity, and can be keys.
#[test]
fn handles_are_equal_if_they_are_of_the_same_thing() {
    use std::collections::HashSet;
    kernels();
    let (x, mut y) = (DeviceBuffer::filled(32, 1.0f32).unwrap(), DeviceBuffer::zeroed(32).unwrap());
    let mut prepare =
        |config| super::super::prepare3(Here, saxpy, config, 0.0, &x, &mut y).unwrap();
    let (first, again) = (prepare(LaunchConfig::new()), prepare(LaunchConfig::new()));
    let other = prepare(LaunchConfig::new().maxregs(40));
    assert!(first == again && first == first.clone() && first != other);
    assert_eq!(HashSet::from([&first, &again, &other]).len(), 2);
    let compiled = [&first, &again, &other].map(|kernel| ptyx::CompiledKernel::clone(kernel));
    assert!(compiled[0] == compiled[1] && compiled[0] != compiled[2]);
    assert_eq!(HashSet::from(compiled).len(), 2);

    let graph = ptyx::Graph::new().unwrap();
    let clone = graph.try_clone().unwrap();
    assert!(graph == graph && graph != clone);
    let (one, two) = (graph.instantiate().unwrap(), graph.instantiate().unwrap());
    assert!(one == one && one != two);
    assert_eq!(HashSet::from([one, two]).len(), 2);
    assert_eq!(HashSet::from([graph, clone]).len(), 2);
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
    Made {
        root,
        ptx: CAPTURE,
        entry: "capture",
        args: &[(16, 8, 0), view::<u64>()],
        params: &params,
    }
    .add();
    let target = (&&&&&Slot::new(&mut out)).pass();
    call2(Here, capture, LaunchConfig::new(), (&&&&&Slot::new(value)).pass(), target).unwrap();
    assert_eq!(out.to_vec().unwrap(), [u64::from(value.small) + value.large]);

    // A closure with one capture is its capture's bytes.
    struct Other;
    impl Site for Other {
        const CRATE: u64 = 0;
        const PLACE: &'static str = "by hand";
        const KERNEL: &'static str = "kernel";
        const ID: &'static str = "by hand, closure";
    }
    let large = 1u64 << 50;
    let closure = move |x: u64| x + large;
    fn kernel_of<F: Copy>(_: F) -> &'static str {
        name(capture::<F>)
    }
    let params = [(0, 0, 1), (0, 0, 8), (1, 0, 8), (1, 8, 8)];
    let root = (kernel_of(closure), Other::ID);
    Made {
        root,
        ptx: CAPTURE,
        entry: "capture",
        args: &[(8, 8, 0), view::<u64>()],
        params: &params,
    }
    .add();
    let target = (&&&&&Slot::new(&mut out)).pass();
    call2(Other, capture, LaunchConfig::new(), (&&&&&Slot::new(closure)).pass(), target).unwrap();
    assert_eq!(out.to_vec().unwrap(), [closure(0)]);
}

#[test]
fn views_of_several_dimensions_and_atomics() {
    let array = DeviceBuffer::<f32>::zeroed(12).unwrap();
    let mut out = DeviceBuffer::<u64>::zeroed(1).unwrap();
    // pointer, shape and strides: what of it goes where is the device library's choice.
    let layout = (size_of::<Array<'static, f32, 2>>() as u32, 8, f32::LAYOUT);
    // SAFETY: a view of no elements is only looked at.
    let probe = unsafe { Array::<f32, 2>::from_raw_parts(core::ptr::dangling(), [0x33, 0x44]) };
    let words: Vec<usize> = (0..size_of_val(&probe) / 8)
        // SAFETY: the view is made of words.
        .map(|i| unsafe { (&raw const probe).cast::<usize>().add(i).read() })
        .collect();
    let at = |value| 8 * words.iter().position(|&word| word == value).unwrap() as u32;
    let params = [(0, 0, 8), (0, at(0x33), 8), (0, at(0x44), 8), (1, 0, 8)];
    let root = (name(area), Here::ID);
    Made { root, ptx: AREA, entry: "area", args: &[layout, view::<u64>()], params: &params }.add();
    let mut run = |shape: [usize; 2]| {
        let config = LaunchConfig::new().threads(2);
        let view = array.view(shape);
        call2(Here, area, config, (&&&&&Slot::new(view)).pass(), (&&&&&Slot::new(&mut out)).pass())
    };
    run([3, 4]).unwrap();
    let text = run([4, 4]).unwrap_err().to_string();
    assert!(text.contains("[4, 4]") && text.contains("16") && text.contains("12"), "{text}");
    assert!(text.starts_with("argument 1 of ") && text.contains("area"), "{text}");
    assert!(matches!(run([usize::MAX, 2]), Err(Error::Shape { .. })));
    assert!(matches!(run([0, usize::MAX]), Err(Error::Shape { .. })));
    assert_eq!(out.to_vec().unwrap(), [2 * 3004]);
    // An array that knows its shape.
    let owned = ptyx::DeviceArray::<f32, 2>::zeroed([3, 4]).unwrap();
    let config = LaunchConfig::new().threads(2);
    let atomics = (&&&&&Slot::new(&mut out)).pass();
    call2(Here, area, config, (&&&&&Slot::new(&owned)).pass(), atomics).unwrap();
    assert_eq!(out.to_vec().unwrap(), [4 * 3004]);
}

/// As what kernels take an array that knows its shape.
#[test]
fn arrays_are_arguments() {
    use crate::launch::KernelArg;
    use ptyx_device::{ArrayMut, DisjointArray};
    fn is_argument<D, A: KernelArg<D>>() {}
    type Own = ptyx::DeviceArray<f32, 2>;
    is_argument::<Array<'static, f32, 2>, &'static Own>();
    is_argument::<ArrayMut<'static, f32, 2>, &'static mut Own>();
    is_argument::<DisjointArray<'static, f32, 2>, &'static mut Own>();
}

/// What a kernel prefers reaches the driver, and holds for its later launches.
#[test]
fn kernels_say_what_they_prefer() {
    let _alone = alone();
    let mut out = DeviceBuffer::<u32>::zeroed(7).unwrap();
    let root = (name(preferring_shape), Here::ID);
    let params = [(0, 0, 8), (0, 8, 8)];
    Made { root, ptx: SHAPE, entry: "shape", args: &[view::<u32>()], params: &params }.add();
    let mut run = || {
        let config = LaunchConfig::new().threads(32);
        call1(Here, preferring_shape, config, (&&&&&Slot::new(&mut out)).pass()).unwrap();
    };
    let own = || {
        let kernels = ptyx::compiled_kernels().unwrap().into_iter();
        let own: Vec<_> = kernels.filter(|k| k.kernel.ends_with("preferring_shape")).collect();
        let [kernel] = &own[..] else { panic!("{own:?}") };
        kernel.clone()
    };
    run();
    let kernel = own();
    assert_eq!(
        (kernel.attributes.shared_carveout, kernel.attributes.caches_all_loads),
        (None, false)
    );
    kernel.set_shared_carveout(Some(75)).unwrap();
    run();
    assert_eq!(own().attributes.shared_carveout, Some(75));
    for wrong in [101, u32::MAX] {
        let error = kernel.set_shared_carveout(Some(wrong)).unwrap_err();
        assert_eq!(error.driver_code(), Some(CUDA_ERROR_INVALID_VALUE), "{error}");
    }
    assert_eq!(own().attributes.shared_carveout, Some(75));
    kernel.set_shared_carveout(None).unwrap();
    assert_eq!(own().attributes.shared_carveout, None);
    use ptyx::{CachePreference, SharedBanks};
    let preferences = [CachePreference::L1, CachePreference::Shared, CachePreference::Equal];
    for preference in preferences.into_iter().chain([CachePreference::None]) {
        kernel.set_cache_preference(preference).unwrap();
    }
    for banks in [SharedBanks::FourBytes, SharedBanks::EightBytes, SharedBanks::Default] {
        kernel.set_shared_banks(banks).unwrap();
    }
    run();
}

#[test]
fn variants_are_made_once_for_each_set_of_knobs() {
    let _alone = alone();
    let mut out = DeviceBuffer::<u32>::zeroed(7).unwrap();
    let root = (name(counted_shape), Here::ID);
    let params = [(0, 0, 8), (0, 8, 8)];
    Made { root, ptx: SHAPE, entry: "shape", args: &[view::<u32>()], params: &params }.add();
    let mut run = |config: LaunchConfig<'_>| {
        call1(Here, counted_shape, config, (&&&&&Slot::new(&mut out)).pass()).unwrap();
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
                    call1(Here, counted_shape, config, (&&&&&Slot::new(&mut out)).pass()).unwrap();
                }
            });
        }
    });
    assert_eq!(own().len(), 8);
}

/// More dynamic shared memory than 48 KiB needs an attribute, which the launch sets.
#[test]
fn much_shared_memory() {
    let limits = Device::current().unwrap().attributes().unwrap();
    let mut out = DeviceBuffer::<u32>::zeroed(7).unwrap();
    let most = limits.shared_memory_per_block_optin;
    assert!(most > 48 * 1024);
    run_shape(LaunchConfig::new().shared_bytes(most), &mut out).unwrap();
    assert_eq!(out.to_vec().unwrap()[6], most);

    let root = (name(uses_shared), Here::ID);
    let made = Made { root, ptx: SHARED, entry: "uses_shared", args: &[], params: &[] };
    made.add_with(|kernel| kernel.code[0].static_shared = 2048);
    call0(Here, uses_shared, LaunchConfig::new().shared_bytes(most - 2048)).unwrap();
    let error = call0(Here, uses_shared, LaunchConfig::new().shared_bytes(most)).unwrap_err();
    assert!(error.to_string().contains("2 KiB in the kernel"), "{error}");
    Stream::default().unwrap().synchronize().unwrap();
}

/// What forms of a call take on the host: the least time and the median of several batches, in nanoseconds of a call. The
/// forms take turns, so that a drift of the clock rate affects all of them. `settle` runs between the batches, outside of the time.
fn times<const N: usize>(
    [batches, calls]: [u32; 2],
    mut forms: [&mut dyn FnMut(); N],
    mut settle: impl FnMut(),
) -> [(f64, f64); N] {
    let mut all = [const { Vec::new() }; N];
    for _ in 0..batches {
        for (form, times) in forms.iter_mut().zip(&mut all) {
            let start = std::time::Instant::now();
            (0..calls).for_each(|_| form());
            times.push(start.elapsed().as_nanos() as f64 / f64::from(calls));
            settle();
        }
    }
    all.map(|mut times| {
        times.sort_by(f64::total_cmp);
        (times[0], times[times.len() / 2])
    })
}

/// Prints what forms of a call take more than the first one.
fn print_more(first: &str, names: &[&str], times: &[(f64, f64)]) {
    let (least, median) = times[0];
    println!("{first}: {least:.0} ns at least, median {median:.0} ns");
    for (name, time) in names.iter().zip(&times[1..]) {
        println!("  {name}: {:.0}, {:.0} ns more", time.0 - least, time.1 - median);
    }
}

/// The driver's own launch of `saxpy` on 32 numbers.
fn launch_bare(
    context: &'static crate::context::Context,
    function: CUfunction,
    stream: CUstream,
    [x, y]: [u64; 2],
) {
    let (a, len) = (0.0f32, 32u64);
    let mut params: [*mut core::ffi::c_void; 5] = [
        (&raw const a).cast_mut().cast(),
        (&raw const x).cast_mut().cast(),
        (&raw const len).cast_mut().cast(),
        (&raw const y).cast_mut().cast(),
        (&raw const len).cast_mut().cast(),
    ];
    let (driver, params, extra) = (context.driver, params.as_mut_ptr(), core::ptr::null_mut());
    // SAFETY: the parameters are the kernel's; the buffers live.
    unsafe { driver.cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, stream, params, extra) }
        .unwrap();
}

/// Prints what parts of a launch cost beside the driver's call, whose own use of the caches makes them slower than by themselves.
#[test]
#[ignore = "a measurement"]
fn the_cost_of_the_parts_of_a_launch() {
    use super::super::args::ArgContext;
    use super::super::prepared::PreparedArg;
    kernels();
    let context = crate::runtime::current().unwrap();
    let stream = Stream::new().unwrap();
    let [x, mut y] = [(); 2].map(|()| DeviceBuffer::filled(32, 1.0f32).unwrap());
    let addresses = [x.device_address(), y.device_address()];
    let module = ptyx::module::load(context, &[HEAD, SAXPY].concat(), None, "saxpy").unwrap();
    let function = ptyx::module::function(context, module, "saxpy").unwrap();
    let bare = || launch_bare(context, function, stream.handle(), addresses);
    let enter = || ArgContext::new(core::hint::black_box(&stream).enter());
    // A locked instruction waits for the stores before it, so for what the driver writes to the device, too.
    let counter = core::sync::atomic::AtomicU64::new(0);
    let count = || counter.fetch_add(1, core::sync::atomic::Ordering::SeqCst);
    let found = times(
        [300, 200],
        [
            &mut || bare(),
            &mut || {
                core::hint::black_box(context).bind().unwrap();
                bare();
            },
            &mut || {
                let entered = enter();
                bare();
                drop(entered);
            },
            &mut || {
                let mut entered = enter();
                let lowered = PreparedArg::<&'static [f32]>::lower_again(&x, &mut entered);
                core::hint::black_box(lowered.unwrap());
                bare();
                drop(entered);
            },
            &mut || {
                let mut entered = enter();
                let lowered = PreparedArg::<&'static [f32]>::lower_again(&x, &mut entered);
                core::hint::black_box(lowered.unwrap());
                let lowered =
                    PreparedArg::<Disjoint<'static, f32>>::lower_again(&mut y, &mut entered);
                core::hint::black_box(lowered.unwrap());
                bare();
                drop(entered);
            },
            &mut || {
                let entered = core::hint::black_box(&stream).enter_standing();
                bare();
                drop(entered);
            },
            &mut || {
                core::hint::black_box(count());
                bare();
            },
            &mut || {
                bare();
                core::hint::black_box(count());
            },
            // How much the same call differs.
            &mut || bare(),
        ],
        || ptyx::synchronize().unwrap(),
    );
    let names = [
        "the context bound",
        "the stream entered",
        "and a buffer read",
        "and a buffer written",
        "the stream entered as by a bound launch",
        "an atomic addition before the call",
        "an atomic addition after it",
        "the bare call again",
    ];
    print_more("the driver's launch", &names, &found);
}

/// Prints what a warm launch costs on the host beyond the bare driver call, in one run: `scripts/gpu-run.sh` runs it on a GPU.
/// Run it alone, in release.
#[test]
#[ignore = "a measurement"]
fn the_cost_of_a_warm_launch() {
    kernels();
    let context = crate::runtime::current().unwrap();
    let stream = Stream::new().unwrap();
    let (x, y) = (DeviceBuffer::filled(32, 1.0f32).unwrap(), DeviceBuffer::filled(32, 1.0f32));
    let [y, other] =
        [y, DeviceBuffer::filled(32, 1.0f32)].map(|y| std::cell::RefCell::new(y.unwrap()));
    let config = || LaunchConfig::new().threads(32).stream(&stream);
    let prepared = super::super::prepare3(Here, saxpy, config(), 0.0, &x, &mut *other.borrow_mut());
    let prepared = prepared.unwrap();
    let module = ptyx::module::load(context, &[HEAD, SAXPY].concat(), None, "saxpy").unwrap();
    let function = ptyx::module::function(context, module, "saxpy").unwrap();
    let addresses = [x.device_address(), y.borrow().device_address()];
    let bare = || launch_bare(context, function, stream.handle(), addresses);
    let mut own = DeviceBuffer::filled(32, 1.0f32).unwrap();
    let bound = prepared.bind(config(), (0.0f32, &x, &mut own)).unwrap();
    let found = times(
        [300, 200],
        [
            &mut || bare(),
            &mut || run_saxpy(config(), 0.0, &x, &mut y.borrow_mut()).unwrap(),
            &mut || {
                prepared.launch(config(), (0.0f32, &x, &mut *other.borrow_mut())).unwrap();
            },
            &mut || bound.launch().unwrap(),
            // How much the same call differs.
            &mut || bare(),
        ],
        || ptyx::synchronize().unwrap(),
    );
    let names = ["`launch!`", "a prepared launch", "a bound launch", "the bare call again"];
    print_more("the driver's launch", &names, &found);
}

/// Prints what a node of a graph costs beyond one of a graph that the driver's own functions captured, in one run: both
/// graphs are chains of the same launches; and what launching them costs on the host. Run it alone, in release.
#[test]
#[ignore = "a measurement"]
fn the_cost_of_a_graph_node() {
    const NODES: u32 = 1000;
    kernels();
    let context = crate::runtime::current().unwrap();
    let stream = Stream::new().unwrap();
    let x = DeviceBuffer::filled(32, 1.0f32).unwrap();
    let mut y = DeviceBuffer::filled(32, 1.0f32).unwrap();
    let addresses = [x.device_address(), y.device_address()];
    let ours = stream
        .capture(|stream| {
            (0..NODES).try_for_each(|_| {
                run_saxpy(LaunchConfig::new().threads(32).stream(stream), 0.0, &x, &mut y)
            })
        })
        .unwrap();
    let ours = ours.instantiate().unwrap();
    let module = ptyx::module::load(context, &[HEAD, SAXPY].concat(), None, "saxpy").unwrap();
    let function = ptyx::module::function(context, module, "saxpy").unwrap();
    let (driver, mut graph, mut exec) = (context.driver, CUgraph::NULL, CUgraphExec::NULL);
    let theirs = Stream::new().unwrap();
    // SAFETY: the stream is alive, the places are valid, and the context is bound.
    unsafe {
        driver.cuStreamBeginCapture(theirs.handle(), CU_STREAM_CAPTURE_MODE_THREAD_LOCAL).unwrap();
        (0..NODES).for_each(|_| launch_bare(context, function, theirs.handle(), addresses));
        driver.cuStreamEndCapture(theirs.handle(), &mut graph).unwrap();
        driver.cuGraphInstantiate(&mut exec, graph, 0).unwrap();
    }
    // SAFETY: graph and stream are alive; so below.
    let bare = || unsafe { driver.cuGraphLaunch(exec, theirs.handle()) }.unwrap();
    let found = times(
        [50, 1],
        [
            &mut || {
                bare();
                // SAFETY: as above.
                unsafe { driver.cuStreamSynchronize(theirs.handle()) }.unwrap();
            },
            &mut || {
                ours.launch(&stream).unwrap();
                stream.synchronize().unwrap();
            },
        ],
        || {},
    );
    print_more("the driver's graph of 1000 nodes, until it is done", &["Ptyx's"], &found);
    let found = times(
        [300, 1],
        [&mut || bare(), &mut || ours.launch(&stream).unwrap(), &mut || bare()],
        || ptyx::synchronize().unwrap(),
    );
    let names = ["Ptyx's", "the bare call again"];
    print_more("the driver's launch of that graph", &names, &found);
    // SAFETY: nothing uses them any more.
    unsafe {
        driver.cuGraphExecDestroy(exec).unwrap();
        driver.cuGraphDestroy(graph).unwrap();
    }
}
