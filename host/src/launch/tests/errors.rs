//! Launches that fail, and what is said about them.

use super::*;
use crate as ptyx;
use crate::launch::call0;
use crate::{Device, Error};
use ptyx_image::Features;

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

#[test]
fn a_kernel_that_indexes_flatly_takes_flat_launches_only() {
    struct Flat;
    impl Site for Flat {
        const ID: &'static str = "by hand, flat";
    }
    let root = (name(flat_shape), Flat::ID);
    let params = [(0, 0, 8), (0, 8, 8)];
    let made = Made { root, ptx: SHAPE, entry: "shape", args: &[VIEW], params: &params };
    made.add_with(|kernel| kernel.code[0].max_dims = 1);
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
    let exact = |sm| Arch { features: Features::Exact, sm };
    made.add_with(|kernel| {
        let codes = [Arch::portable(9990), exact(500), exact(510)];
        kernel.code = codes.map(|arch| Code { arch, ..kernel.code[0].clone() }).into();
    });
    let text = call0(Here, too_new, LaunchConfig::new()).unwrap_err().to_string();
    let (major, minor) = crate::Device::default().unwrap().compute_capability();
    for part in [
        "too_new needs sm_9990 or later, or sm_500a, or sm_510a; ",
        &format!("has compute capability {major}.{minor}"),
    ] {
        assert!(text.contains(part), "{text}");
    }
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
        assert!(panic.kernel.ends_with("tests::kernels::panics"), "{}", panic.kernel);
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
