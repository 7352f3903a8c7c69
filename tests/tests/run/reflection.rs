//! K8, K9: a kernel that is assembled without a launch, reflection on it, and its launch.

use ptyx::prelude::*;
use ptyx::{Error, FunctionAttributes};

#[kernel]
fn scale<T: Num>(by: T, x: &[T], mut y: Disjoint<T>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = by * x[i.get()] + *y;
    }
}

#[kernel]
fn with_memory(mut y: Disjoint<u32>) {
    let tile = shared!([u32; 512]);
    let t = thread::x() as usize;
    let i = thread::index_1d();
    // SAFETY: each thread its own element; the barrier is between.
    unsafe { tile.at(t).write(t as u32) };
    block::sync();
    // SAFETY: as above.
    y[i] = unsafe { tile.at(511 - t).read() };
}

/// Queries first, then a launch whose shape follows from them.
#[test]
fn assembled_then_asked_then_launched() {
    let mut rng = ptyx_tests::rng();
    let n = 5000 + rng.below(5000) as u32;
    let host_x = rng.vec(n as usize, |rng| rng.next_f32());
    let host_y = rng.vec(n as usize, |rng| rng.next_f32());
    let x = DeviceBuffer::from_slice(&host_x).unwrap();
    let mut y = DeviceBuffer::from_slice(&host_y).unwrap();

    let kernel = compile!(scale(2.0, &x, &mut y), maxregs = 40, alias = "scale_by_two").unwrap();
    assert!(kernel.kernel.ends_with("reflection::scale<f32>"), "{kernel:?}");
    assert_eq!(kernel.entry, "scale_by_two");
    assert!(kernel.ptx.contains(".entry scale_by_two("), "{}", kernel.ptx);
    assert!(kernel.ptx.contains(".maxnreg 40"), "{}", kernel.ptx);
    assert!(kernel.ptx.contains(&format!(".target {}", kernel.target)), "{}", kernel.ptx);
    let FunctionAttributes { registers, shared_bytes, max_threads, ptx_version, .. } =
        kernel.attributes;
    assert!((1..=40).contains(&registers), "{registers} registers");
    assert_eq!(shared_bytes, 0);
    assert!(max_threads >= 32, "{:?}", kernel.attributes);
    assert_eq!(format!("sm_{ptx_version}"), kernel.target.to_string(), "{:?}", kernel.attributes);

    let shape = |kernel: &ptyx::CompiledKernel| {
        let shape = kernel.occupancy(|_| 0, Some(256))?;
        assert!((32..=256).contains(&shape.threads) && shape.blocks > 0, "{shape:?}");
        assert!(kernel.active_blocks(shape.threads, 0)? > 0);
        let blocks = n.div_ceil(shape.threads);
        Ok(LaunchConfig::new().blocks(blocks).threads(shape.threads))
    };
    kernel.launch_with(shape, args!(2.0, &x, &mut y)).unwrap();
    let result = y.to_vec().unwrap();
    for (i, value) in result.iter().enumerate() {
        let exact = f64::from(host_x[i]) * 2.0 + f64::from(host_y[i]);
        assert!((f64::from(*value) - exact).abs() < 1e-6, "{i}: {value} instead of {exact}");
    }
}

/// The variant that `compile!` makes is the one that an equal launch runs.
#[test]
fn a_launch_finds_what_was_compiled() {
    let of_this_test = || {
        let kernels = ptyx::compiled_kernels().unwrap();
        kernels.iter().filter(|kernel| kernel.kernel.contains("scale<u64>")).count()
    };
    let x = DeviceBuffer::from_slice(&[1u64, 2, 3]).unwrap();
    let mut y = DeviceBuffer::filled(3, 10u64).unwrap();
    assert_eq!(of_this_test(), 0);
    // Dropped without a launch: nothing has run.
    assert!(compile!(scale(5, &x, &mut y)).is_ok());
    assert_eq!((of_this_test(), y.to_vec().unwrap()), (1, vec![10; 3]));
    let stream = Stream::new().unwrap();
    compile!(scale(5, &x, &mut y), stream = &stream)
        .unwrap()
        .launch(LaunchConfig::new().threads(3).stream(&stream), args!(5, &x, &mut y))
        .unwrap();
    launch!(scale<<<1, 3>>>(5, &x, &mut y)).unwrap();
    assert_eq!((of_this_test(), y.to_vec().unwrap()), (1, vec![20, 30, 40]));
    // A knob at the launch is one too late, unless it changes nothing.
    let kernel = compile!(scale(1, &x, &mut y), maxregs = 48).unwrap();
    let config = LaunchConfig::new().threads(3);
    let refused = kernel.launch(config.clone().maxregs(64), args!(1, &x, &mut y)).unwrap_err();
    let text = refused.to_string();
    assert!(
        text.contains("reflection.rs:") && text.contains("pass the knob to `compile!`"),
        "{text}"
    );
    kernel.launch(config.clone().maxregs(48), args!(1, &x, &mut y)).unwrap();
    kernel.launch(config, args!(1, &x, &mut y)).unwrap();
    assert_eq!((of_this_test(), y.to_vec().unwrap()), (2, vec![22, 34, 46]));
}

/// A handle in a struct, launched again and again with other arguments.
struct Scaling<T: 'static> {
    kernel: ptyx::PreparedKernel<(T, &'static [T], Disjoint<'static, T>)>,
}

impl<T: Num + DeviceCopy> Scaling<T> {
    fn new() -> ptyx::Result<Self> {
        let x = DeviceBuffer::<T>::from_slice(&[])?;
        let mut y = DeviceBuffer::<T>::from_slice(&[])?;
        let by = T::default();
        Ok(Scaling { kernel: compile!(scale(by, &x, &mut y))? })
    }
}

#[test]
fn a_handle_is_launched_many_times() {
    let scaling = Scaling::<i64>::new().unwrap();
    let mut rng = ptyx_tests::rng();
    for round in 0..5 {
        let n = 1 + rng.below(100);
        let host_x = rng.vec(n, |rng| rng.below(1000) as i64);
        let (x, mut y) =
            (DeviceBuffer::from_slice(&host_x).unwrap(), DeviceBuffer::zeroed(n).unwrap());
        let stream = Stream::new().unwrap();
        let config = LaunchConfig::new().threads(128);
        let config = if round % 2 == 0 { config } else { config.stream(&stream) };
        let kernel = scaling.kernel.clone();
        // From another thread, by slices, and as a plain tuple.
        std::thread::scope(|scope| {
            let launch = || kernel.launch(config.clone(), (round, &x, &mut y));
            scope.spawn(launch).join().unwrap().unwrap();
        });
        let half = n / 2;
        scaling.kernel.launch(config, args!(1, x.slice(..half), y.slice_mut(..half))).unwrap();
        let expected: Vec<i64> = host_x
            .iter()
            .enumerate()
            .map(|(i, x)| x * round + if i < half { *x } else { 0 })
            .collect();
        assert_eq!(y.to_vec().unwrap(), expected);
    }
}

#[kernel]
fn many_kinds<F: Fn(u32) -> u32>(
    f: F,
    (x, by): (&[u32], u32),
    table: Array<u32, 2>,
    pair: [u32; 2],
    out: Atomics<u32>,
) {
    let i = thread::index_1d().get();
    out[0].fetch_add(f(x[i]) * by + table[[i % 2, 1]] + pair[i % 2]);
}

/// # Safety
/// `to` leads to one number.
#[kernel]
unsafe fn set(to: *mut u32, value: u32) {
    // SAFETY: the caller's promise.
    unsafe { *to = value };
}

#[test]
fn handles_take_arguments_of_every_kind() {
    let x = DeviceBuffer::from_slice(&[1u32, 2, 3, 4]).unwrap();
    let mut out = DeviceBuffer::<u32>::zeroed(1).unwrap();
    let plus = 10;
    let f = move |x: u32| x + plus;
    let kernel = compile!(many_kinds(f, (&x, 2), x.view([2, 2]), [5, 6], &mut out)).unwrap();
    let config = || LaunchConfig::new().threads(4);
    for pair in [[5, 6], [0, 1]] {
        out.fill(0).unwrap();
        kernel.launch(config(), args!(f, (&x, 2), x.view([2, 2]), pair, &mut out)).unwrap();
        let expected: u32 = (0..4u32)
            .map(|i| (i + 1 + 10) * 2 + [2, 4][i as usize % 2] + pair[i as usize % 2])
            .sum();
        assert_eq!(out.to_vec().unwrap(), [expected]);
    }

    let pointer = out.device_address() as *mut u32;
    // SAFETY: nothing is launched here.
    let kernel = compile!(unsafe set(pointer, 1)).unwrap();
    for value in [3, 4] {
        // SAFETY: the buffer lives, and has one number.
        unsafe { kernel.launch(LaunchConfig::new(), args!(pointer, value)) }.unwrap();
        assert_eq!(out.to_vec().unwrap(), [value]);
    }
    assert!(kernel.kernel.ends_with("reflection::set"), "{}", kernel.kernel);
}

/// Static shared memory is counted; more dynamic memory for each thread makes smaller blocks.
#[test]
fn occupancy_depends_on_shared_memory() {
    let mut y = DeviceBuffer::zeroed(512).unwrap();
    let kernel = compile!(with_memory(&mut y)).unwrap();
    assert_eq!(kernel.attributes.shared_bytes, 2048);
    let free = kernel.occupancy(|_| 0, None).unwrap();
    let heavy = kernel.occupancy(|threads| threads as usize * 512, None).unwrap();
    assert!(free.threads >= 256, "{free:?}");
    assert!(heavy.threads < free.threads && heavy.threads >= 32, "{heavy:?} {free:?}");
    let blocks = kernel.active_blocks(heavy.threads, heavy.threads as usize * 512).unwrap();
    let multiprocessors = Device::current().unwrap().attributes().unwrap().multiprocessors;
    assert_eq!(blocks * multiprocessors, heavy.blocks);
    let few = kernel.active_blocks(256, 0).unwrap();
    assert!(few > kernel.active_blocks(256, 40_000).unwrap() && few > 1, "{few}");
    // The share of warps, from the number of blocks and the device's attributes.
    let attributes = Device::current().unwrap().attributes().unwrap();
    let warps = f64::from(attributes.max_threads_per_multiprocessor / attributes.warp_size);
    for (threads, shared) in [(256, 0), (256, 40_000), (33, 0), (1, 0), (1024, 0)] {
        let blocks = kernel.active_blocks(threads, shared).unwrap();
        let expected = f64::from(blocks * threads.div_ceil(32)) / warps;
        assert_eq!(kernel.occupancy_fraction(threads, shared).unwrap(), expected);
        assert!(expected > 0.0 && expected <= 1.0, "{expected}");
        // So much shared memory can each of these blocks have, and no more than the device has in all. A GPU's driver does
        // not count what each block reserves.
        if !Device::current().unwrap().is_emulated() {
            continue;
        }
        let available = kernel.available_shared(blocks, threads).unwrap();
        assert!(available >= shared && kernel.active_blocks(threads, available).unwrap() >= blocks);
        if available < attributes.shared_memory_per_block_optin as usize / 2 {
            assert!(kernel.active_blocks(threads, 2 * available + 2048).unwrap() < blocks);
        }
    }
    kernel.launch(LaunchConfig::new().threads(512), args!(&mut y)).unwrap();
    assert_eq!(y.to_vec().unwrap(), (0..512).rev().collect::<Vec<_>>());
}

/// The IR is that of this kernel. Release builds do not keep it, and say how to.
#[test]
fn llvm_ir_of_an_instance() {
    let x = DeviceBuffer::from_slice(&[1i32]).unwrap();
    let mut y = DeviceBuffer::zeroed(1).unwrap();
    let kernel = compile!(scale(5, &x, &mut y)).unwrap();
    match kernel.llvm_ir() {
        Ok(_) if !cfg!(debug_assertions) => panic!("release builds leave it out"),
        Ok(ir) => {
            assert!(ir.contains("define ptx_kernel void @scale_i32("), "{ir}");
            let multiplies = |line: &str| line.contains("mul") && line.contains("i32");
            assert!(ir.lines().any(multiplies) && !ir.contains("fmul"), "{ir}");
        }
        Err(error) if cfg!(debug_assertions) => panic!("{error}"),
        Err(error) => {
            let text = error.to_string();
            assert!(text.contains("scale<i32>") && text.contains("PTYX_LLVM_IR=1"), "{text}");
        }
    }
}

/// The machine code, where this machine has NVIDIA's programs.
#[test]
fn machine_code_of_an_instance() {
    let x = DeviceBuffer::from_slice(&[1.0f64]).unwrap();
    let mut y = DeviceBuffer::zeroed(1).unwrap();
    let kernel = compile!(scale(0.5, &x, &mut y)).unwrap();
    match kernel.sass() {
        Ok(code) => {
            for instruction in ["DFMA", "EXIT", "LDG", "STG"] {
                assert!(code.contains(instruction), "no {instruction} in {code}");
            }
            assert_eq!(code.contains("reflection.rs"), cfg!(debug_assertions), "{code}");
        }
        Err(error @ Error::Reflection { .. }) => {
            println!("SKIPPED: {error}");
            let text = error.to_string();
            assert!(text.contains("there is no `") && text.contains("PyPI"), "{text}");
        }
        Err(error) => panic!("{error}"),
    }
}
