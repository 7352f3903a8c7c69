//! Kernels of modules: arguments, order with other work, identity, unloading.

use crate::{
    CachePreference, Device, DeviceBuffer, Error, Function, LaunchConfig, Module, ModuleOptions,
    Stream,
};
use std::collections::HashSet;

const MODULE: &str = ".version 6.3
.target sm_70
.address_size 64
.visible .global .align 4 .u32 step = 1;
.visible .global .align 4 .u32 table[4] = {1, 2, 3, 4};
// to[i] = from[i] * factor + step
.visible .entry scale(.param .u64 from, .param .u64 to, .param .u32 factor)
{
    .reg .b32 %r<8>;
    .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [from];
    ld.param.u64 %rd2, [to];
    ld.param.u32 %r1, [factor];
    mov.u32 %r2, %tid.x;
    mul.wide.u32 %rd3, %r2, 4;
    add.s64 %rd1, %rd1, %rd3;
    add.s64 %rd2, %rd2, %rd3;
    ld.global.u32 %r3, [%rd1];
    ld.global.u32 %r4, [step];
    mad.lo.u32 %r3, %r3, %r1, %r4;
    st.global.u32 [%rd2], %r3;
    ret;
}
// A struct of a byte and a number; the number goes to *to.
.visible .entry second(.param .align 4 .b8 pair[8], .param .u64 to)
{
    .reg .b32 %r<2>;
    .reg .b64 %rd<2>;
    ld.param.u32 %r1, [pair+4];
    ld.param.u64 %rd1, [to];
    st.global.u32 [%rd1], %r1;
    ret;
}
// Counts to 2^20 before it stores 7 into step.
.visible .entry slow()
{
    .reg .pred %p;
    .reg .b32 %r<2>;
    mov.u32 %r1, 0;
again:
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p, %r1, 20000;
    @%p bra again;
    mov.u32 %r1, 7;
    st.global.u32 [step], %r1;
    ret;
}
.visible .entry nothing() { ret; }
.visible .entry bounded() .maxntid 32, 1, 1 { ret; }
.extern .shared .align 4 .b8 dynamic[];
.visible .entry last_shared(.param .u64 to)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<2>;
    mov.u32 %r1, %dynamic_smem_size;
    mov.u32 %r2, dynamic;
    add.u32 %r2, %r2, %r1;
    st.shared.u32 [%r2+-4], %r1;
    ld.shared.u32 %r3, [%r2+-4];
    ld.param.u64 %rd1, [to];
    st.global.u32 [%rd1], %r3;
    ret;
}
";

fn module() -> Module {
    Module::from_ptx(MODULE).unwrap()
}

#[test]
fn buffers_slices_and_numbers_are_passed_in_order() {
    let scale = module().function("scale").unwrap();
    let from = DeviceBuffer::from_slice(&[9u32, 1, 2, 3]).unwrap();
    let mut to = DeviceBuffer::<u32>::zeroed(5).unwrap();
    let config = LaunchConfig::new().threads(3);
    // SAFETY: three threads, of three numbers each.
    unsafe { scale.launch(config.clone(), (from.slice(1..), to.slice_mut(1..4), 10u32)) }.unwrap();
    assert_eq!(to.to_vec().unwrap(), [0, 11, 21, 31, 0]);
    // On several streams one after the other, without a wait of the caller's.
    let streams = [Stream::new().unwrap(), Stream::new().unwrap()];
    let mut a = DeviceBuffer::from_slice(&[1u32, 2, 3]).unwrap();
    let mut b = DeviceBuffer::<u32>::zeroed(3).unwrap();
    for round in 0..6 {
        let config = config.clone().stream(&streams[round % 2]);
        let (from, to) = if round % 2 == 0 { (&a, &mut b) } else { (&b, &mut a) };
        // SAFETY: as above.
        unsafe { scale.launch(config, (from, to, 2u32)) }.unwrap();
    }
    let expected = [1u32, 2, 3].map(|x| (0..6).fold(x, |x, _| x * 2 + 1));
    assert_eq!(a.to_vec().unwrap(), expected);
}

#[test]
fn structs_are_passed_through_args() {
    #[derive(Clone, Copy)]
    #[repr(C)]
    struct Pair {
        _byte: u8,
        number: u32,
    }
    let second = module().function("second").unwrap();
    let mut to = DeviceBuffer::<u32>::zeroed(1).unwrap();
    let pair = Pair { _byte: 1, number: 77 };
    // SAFETY: one thread stores one number.
    unsafe { second.launch(LaunchConfig::new(), crate::args!(pair, &mut to)) }.unwrap();
    assert_eq!(to.to_vec().unwrap(), [pair.number]);
}

#[test]
fn wrong_arguments_are_refused_before_anything_happens() {
    let module = module();
    let (scale, nothing) = (module.function("scale").unwrap(), module.function("nothing").unwrap());
    let from = DeviceBuffer::from_slice(&[1u32]).unwrap();
    let mut to = DeviceBuffer::<u32>::zeroed(1).unwrap();
    assert_eq!(scale.parameter_bytes(), Some(&[8, 8, 4][..]));
    assert_eq!(nothing.parameter_bytes(), Some(&[][..]));
    let config = LaunchConfig::new;
    // SAFETY: not launched.
    let error = unsafe { scale.launch(config(), (&from, &mut to)) }.unwrap_err();
    assert!(matches!(error, Error::ArgumentCount { expected: 3, found: 2, .. }), "{error}");
    assert!(error.to_string().contains("tests.rs"), "{error}");
    // SAFETY: not launched.
    let error = unsafe { scale.launch(config(), (&from, 1u32, 1u32)) }.unwrap_err();
    let is_expected = matches!(error, Error::ArgumentSize { index: 1, expected: 8, found: 4, .. });
    assert!(is_expected, "{error}");
    // SAFETY: not launched.
    let error = unsafe { nothing.launch(config(), (1u32,)) }.unwrap_err();
    assert!(matches!(error, Error::ArgumentCount { expected: 0, found: 1, .. }), "{error}");
    // SAFETY: not launched.
    let error = unsafe { nothing.launch(config().maxregs(32), ()) }.unwrap_err();
    assert!(error.to_string().contains("ModuleOptions"), "{error}");
}

#[test]
fn impossible_shapes_are_explained() {
    let module = module();
    let (nothing, bounded) =
        (module.function("nothing").unwrap(), module.function("bounded").unwrap());
    let why = |function: &Function, config| {
        // SAFETY: it does nothing.
        match unsafe { function.launch(config, ()) } {
            Err(Error::Launch { kernel, reason, .. }) => {
                assert_eq!(kernel, function.name());
                reason
            }
            other => panic!("{other:?}"),
        }
    };
    assert!(why(&nothing, LaunchConfig::new().threads(0)).contains("must be positive"));
    assert!(why(&nothing, LaunchConfig::new().threads(1025)).contains("(1025 > 1024)"));
    assert!(why(&bounded, LaunchConfig::new().threads(33)).contains("(33 > 32)"));
    let config = LaunchConfig::new().shared_bytes(1 << 20);
    assert!(why(&nothing, config).contains("1024 KiB"));
}

#[test]
fn launches_ask_for_the_shared_memory_that_they_need() {
    let function = module().function("last_shared").unwrap();
    let mut to = DeviceBuffer::<u32>::zeroed(1).unwrap();
    for bytes in [4u32, 48 << 10, 100 << 10, 4] {
        let config = LaunchConfig::new().shared_bytes(bytes);
        // SAFETY: one thread stores one number.
        unsafe { function.launch(config, (&mut to,)) }.unwrap();
        assert_eq!(to.to_vec().unwrap(), [bytes]);
    }
    assert!(function.active_blocks(32, 100 << 10).unwrap() >= 1);
    let shape = function.occupancy(|_| 100 << 10, Some(64)).unwrap();
    assert!(shape.threads <= 64 && shape.blocks >= 1, "{shape:?}");
}

#[test]
fn functions_and_modules_have_an_identity() {
    let (first, again) = (module(), module());
    let functions = [
        first.function("nothing").unwrap(),
        first.clone().function("nothing").unwrap(),
        first.function("scale").unwrap(),
        again.function("nothing").unwrap(),
    ];
    assert_eq!(functions[0], functions[1]);
    assert_ne!(functions[0], functions[2]);
    assert_ne!(functions[0], functions[3]);
    assert_eq!(functions.iter().collect::<HashSet<_>>().len(), 3);
    assert_eq!([first.clone(), first.clone(), again].iter().collect::<HashSet<_>>().len(), 2);
    let mut names: Vec<String> =
        first.functions().unwrap().iter().map(|function| function.name().to_owned()).collect();
    names.sort();
    assert_eq!(names, ["bounded", "last_shared", "nothing", "scale", "second", "slow"]);
    assert!(first.functions().unwrap().contains(&functions[0]));
}

#[test]
fn variables_are_read_and_written_between_launches() {
    let module = module();
    let (scale, slow) = (module.function("scale").unwrap(), module.function("slow").unwrap());
    let step = module.global::<u32>("step").unwrap();
    let from = DeviceBuffer::from_slice(&[5u32]).unwrap();
    let mut to = DeviceBuffer::<u32>::zeroed(1).unwrap();
    step.set(&100).unwrap();
    // SAFETY: one thread, one number.
    unsafe { scale.launch(LaunchConfig::new(), (&from, &mut to, 1u32)) }.unwrap();
    step.set(&200).unwrap();
    assert_eq!(to.to_vec().unwrap(), [105]);
    let stream = Stream::new().unwrap();
    // SAFETY: it stores into the variable.
    unsafe { slow.launch(LaunchConfig::new().stream(&stream), ()) }.unwrap();
    assert_eq!(step.get().unwrap(), 7);

    let table = module.global::<u32>("table").unwrap();
    assert_eq!((table.len(), table.to_vec().unwrap()), (4, vec![1, 2, 3, 4]));
    assert!(matches!(table.get(), Err(Error::Length { expected: 4, found: 1, .. })));
    assert!(matches!(table.copy_from_slice(&[1]), Err(Error::Length { .. })));
    let bytes = module.global::<[u8; 5]>("table").unwrap_err();
    assert!(matches!(bytes, Error::GlobalSize { bytes: 16, size: 5, .. }), "{bytes}");
    // Bytes that no `bool` has become one that it has.
    let flags = module.global::<bool>("table").unwrap().to_vec().unwrap();
    assert_eq!(flags.len(), 16);
    assert!(flags.iter().all(|&flag| u8::from(flag) <= 1));
}

#[test]
fn a_module_is_unloaded_after_its_last_launch_and_not_before() {
    let module = module();
    let (slow, step) = (module.function("slow").unwrap(), module.global::<u32>("step").unwrap());
    drop(module);
    let stream = Stream::new().unwrap();
    // SAFETY: it stores into the module's variable.
    unsafe { slow.launch(LaunchConfig::new().stream(&stream), ()) }.unwrap();
    drop(slow);
    assert_eq!(step.get().unwrap(), 7);
    drop(step);
    stream.synchronize().unwrap();
    // Many times over, from several threads.
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for _ in 0..5 {
                    let slow = self::module().function("slow").unwrap();
                    // SAFETY: as above.
                    unsafe { slow.launch(LaunchConfig::new(), ()) }.unwrap();
                }
                Stream::default().unwrap().synchronize().unwrap();
            });
        }
    });
}

#[test]
fn hints_and_options_reach_the_driver() {
    let options = ModuleOptions::new().max_registers(16).opt_level(4).line_info(true).verbose(true);
    let module = options.load_ptx(MODULE).unwrap();
    // A driver says nothing about code that it has in its cache, and takes more numbers for a level than it documents.
    let emulated = Device::current().unwrap().is_emulated();
    assert!(module.log().contains("scale") || !emulated, "{}", module.log());
    let scale = module.function("scale").unwrap();
    // `sm_90` has 24 at least.
    assert!(scale.attributes().unwrap().registers <= 24);
    assert_eq!(scale.attributes().unwrap().shared_carveout, None);
    scale.set_shared_carveout(Some(100)).unwrap();
    assert_eq!(scale.attributes().unwrap().shared_carveout, Some(100));
    assert!(scale.set_shared_carveout(Some(101)).is_err());
    scale.set_shared_carveout(None).unwrap();
    assert_eq!(scale.attributes().unwrap().shared_carveout, None);
    for preference in [CachePreference::Shared, CachePreference::L1, CachePreference::Equal] {
        scale.set_cache_preference(preference).unwrap();
    }
    let refused = ModuleOptions::new().opt_level(7).load_ptx(MODULE);
    match refused {
        Err(error) => assert_eq!(error.driver_code(), Some(1), "{error}"),
        Ok(_) => assert!(!emulated),
    }
}
