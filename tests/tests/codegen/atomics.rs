//! Orders and scopes of atomics, in the instructions.

use core::any::type_name;
use core::sync::atomic::{AtomicU32, Ordering};
use ptyx::device::atomic::{
    Order, Scope, fence, fetch_add_each, fetch_add_each_with, orders::*, scopes::*,
};
use ptyx::prelude::*;
use ptyx_tests::images::{count, entry, images, module, modules};

#[kernel]
fn relaxed_of_device(bins: Atomics<u32>, out: Atomics<u32>) {
    bins[0].fetch_add(1);
    out[0].store(bins[1].load());
    bins[2].compare_exchange(0, 5).unwrap_or(0);
}

/// As `relaxed_of_device`, but asks for the scope.
#[kernel]
fn relaxed_as_asked(bins: Atomics<u32>, out: Atomics<u32>) {
    out[0].store(bins[1].with(Relaxed, Gpu).load());
}

#[kernel]
fn messages(flags: Atomics<u32>) {
    if flags[0].with(Acquire, Gpu).load() == 1 {
        flags[1].with(Release, Gpu).store(1);
    }
    if flags[2].with(Acquire, Block).load() == 1 {
        flags[3].with(Release, System).store(1);
    }
    flags[0].with(Relaxed, System).fetch_max(1);
    if flags[4].with(AcqRel, Gpu).compare_exchange(0, 1).is_ok() {
        fence(AcqRel, Block);
    }
}

#[kernel]
fn ordered_updates(bins: Atomics<u32>) {
    bins[0].with(Release, Block).fetch_add(1);
    bins[1].with(AcqRel, System).fetch_add(1);
}

#[test]
fn orders_and_scopes_are_kept() {
    let mut bins = DeviceBuffer::from_slice(&[0u32, 3, 0, 0, 0]).unwrap();
    let mut out = DeviceBuffer::zeroed(1).unwrap();
    launch!(relaxed_of_device<<<1, 1>>>(&mut bins, &mut out)).unwrap();
    assert_eq!(out.to_vec().unwrap(), [3]);
    assert_eq!(bins.to_vec().unwrap(), [1, 3, 5, 0, 0]);
    launch!(messages<<<1, 1>>>(&mut bins)).unwrap();
    assert_eq!(bins.to_vec().unwrap(), [1, 1, 5, 0, 1]);
    launch!(ordered_updates<<<1, 1>>>(&mut bins)).unwrap();
    assert_eq!(bins.to_vec().unwrap(), [2, 2, 5, 0, 1]);

    let ptx = entry("atomics::relaxed_of_device");
    // Nobody waits for what is loaded: it may come from the L1 cache.
    for part in ["ld.relaxed.cta.global", "st.relaxed.gpu.global", "atom.relaxed.gpu.global.cas"] {
        assert_eq!(count(&ptx, part), 1, "{part}: {ptx}");
    }
    assert_eq!(count(&ptx, ".sys") + count(&ptx, "fence") + count(&ptx, "acq"), 0, "{ptx}");

    // What asks for the device's scope gets it.
    launch!(relaxed_as_asked<<<1, 1>>>(&mut bins, &mut out)).unwrap();
    assert_eq!(out.to_vec().unwrap(), [2]);
    let ptx = entry("atomics::relaxed_as_asked");
    assert_eq!(count(&ptx, "ld.relaxed.gpu.global"), 1, "{ptx}");

    let ptx = entry("atomics::messages");
    for part in [
        "ld.acquire.gpu.global",
        "st.release.gpu.global",
        "ld.acquire.cta.global",
        "st.release.sys.global",
        "atom.relaxed.sys.max.u32",
        "atom.acq_rel.gpu.global.cas",
        "fence.acq_rel.cta",
    ] {
        assert_eq!(count(&ptx, part), 1, "{part}: {ptx}");
    }

    // LLVM has no ordered updates for PTX: they are made with fences of their scopes. What LLVM prints without a
    // scope has the device's.
    let ptx = entry("atomics::ordered_updates");
    assert_eq!(count(&ptx, "fence.acq_rel.cta"), 1, "{ptx}");
    assert_eq!(count(&ptx, "fence.acq_rel.sys"), 2, "{ptx}");
    assert_eq!(count(&ptx, "atom.relaxed.sys.add.u32"), 1, "{ptx}");
    assert_eq!(count(&ptx, "atom.global.add.u32"), 1, "{ptx}");
    assert_eq!(count(&ptx, "fence"), 3, "{ptx}");
}

/// Three kinds of instructions: LLVM's, the device library's with an order and a scope by number, and inline PTX with a word
/// for both.
#[kernel]
fn ordered<O: Order + Default, S: Scope + Default>(
    words: Atomics<u32>,
    wide: Atomics<u128>,
    sums: Atomics<f32>,
) {
    words[0].with(O::default(), S::default()).compare_exchange(0, 1).unwrap_or(0);
    wide[0].with(O::default(), S::default()).swap(7);
    let (sums, _) = sums.as_slice().as_chunks::<4>();
    fetch_add_each_with(&sums[0], [1.0; 4], O::default(), S::default());
}

/// Device library and compiler mean the same by the numbers and words of orders and scopes.
fn check<O: Order + Default, S: Scope + Default>(how: &str) {
    if Device::current().unwrap().compute_capability().0 >= 9 {
        let mut words = DeviceBuffer::from_slice(&[0u32]).unwrap();
        let mut wide = DeviceBuffer::from_slice(&[3u128]).unwrap();
        let mut sums = DeviceBuffer::<f32>::zeroed(4).unwrap();
        launch!(ordered::<O, S><<<1, 1>>>(&mut words, &mut wide, &mut sums)).unwrap();
        assert_eq!((words.to_vec().unwrap()[0], wide.to_vec().unwrap()[0]), (1, 7));
        assert_eq!(sums.to_vec().unwrap(), [1.0; 4]);
    }
    let types = [type_name::<O>(), type_name::<S>()].join(", ");
    let modules = modules(&format!("atomics::ordered<{types}>"));
    assert!(!modules.is_empty());
    for ptx in modules {
        let body = &ptx[ptx.find(".entry").unwrap()..];
        for operation in ["global.cas.b32", "exch.b128", "global.add.v4.f32"] {
            let part = format!("atom.{how}.{operation}");
            assert_eq!(count(body, &part), 1, "{part}: {body}");
        }
    }
}

#[test]
fn orders_and_scopes_have_one_meaning() {
    macro_rules! check_all {
        ($($order:ident $name:literal)*) => {$(
            check::<$order, Block>(concat!($name, ".cta"));
            check::<$order, Cluster>(concat!($name, ".cluster"));
            check::<$order, Gpu>(concat!($name, ".gpu"));
            check::<$order, System>(concat!($name, ".sys"));
        )*};
    }
    check_all! { Relaxed "relaxed" Acquire "acquire" Release "release" AcqRel "acq_rel" }
}

/// What `core`'s orders become.
#[kernel]
fn of_core(words: Atomics<u32>) {
    let [a, b, c, d] = [0, 1, 2, 3].map(|i| -> &AtomicU32 { words[i].as_core() });
    if a.load(Ordering::Acquire) == 1 {
        b.store(1, Ordering::Release);
    }
    c.compare_exchange(0, 1, Ordering::AcqRel, Ordering::Acquire).unwrap_or(0);
    d.fetch_add(1, Ordering::Relaxed);
}

#[kernel]
fn of_core_in_sequence(words: Atomics<u32>) {
    let word = words[0].as_core();
    word.store(word.load(Ordering::SeqCst) + 1, Ordering::SeqCst);
    word.fetch_add(1, Ordering::SeqCst);
}

#[test]
fn orders_of_core() {
    let mut words = DeviceBuffer::from_slice(&[1u32, 0, 0, 0]).unwrap();
    launch!(of_core<<<1, 1>>>(&mut words)).unwrap();
    assert_eq!(words.to_vec().unwrap(), [1, 1, 1, 1]);
    launch!(of_core_in_sequence<<<1, 1>>>(&mut words)).unwrap();
    assert_eq!(words.to_vec().unwrap(), [3, 1, 1, 1]);
    let ptx = entry("atomics::of_core");
    for part in [
        "ld.acquire.sys.global",
        "st.release.sys.global",
        "atom.acq_rel.sys.global.cas",
        "atom.relaxed.sys.add.u32",
    ] {
        assert_eq!(count(&ptx, part), 1, "{part}: {ptx}");
    }
    let ptx = entry("atomics::of_core_in_sequence");
    assert!(count(&ptx, "fence.sc.sys") >= 3, "{ptx}");
}

/// Bytes: nothing but compare-exchanges touches the words, and they go on only as long as they fail.
#[kernel]
fn bytes(bytes: Atomics<u8>) {
    bytes[1].fetch_or(4);
    bytes[2].with(AcqRel, Gpu).compare_exchange(0, 1).unwrap_or(0);
}

#[test]
fn bytes_touch_their_words_by_compare_exchange() {
    let mut data = DeviceBuffer::from_slice(&[0u8, 1, 0]).unwrap();
    launch!(bytes<<<1, 1>>>(&mut data)).unwrap();
    assert_eq!(data.to_vec().unwrap(), [0, 5, 1]);
    let ptx = entry("atomics::bytes");
    assert_eq!(count(&ptx, "ld.relaxed.gpu.global.b8"), 1, "{ptx}");
    assert_eq!(count(&ptx, "atom.relaxed.gpu.global.cas.b32"), 1, "{ptx}");
    assert_eq!(count(&ptx, "atom.acq_rel.gpu.global.cas.b32"), 1, "{ptx}");
    assert_eq!((count(&ptx, "atom"), count(&ptx, "ld.global")), (2, 0), "{ptx}");
}

#[kernel]
fn vectors(x: &[[f32; 4]], sums: Atomics<f32>) {
    let (sums, _) = sums.as_slice().as_chunks::<4>();
    fetch_add_each(&sums[0], x[thread::index_1d().get()]);
}

#[test]
fn vectors_are_added_at_once_where_the_architecture_can() {
    let x = DeviceBuffer::from_slice(&[[1.0f32, 2.0, 3.0, 4.0]; 2]).unwrap();
    let mut sums = DeviceBuffer::zeroed(4).unwrap();
    launch!(vectors<<<1, 2>>>(&x, &mut sums)).unwrap();
    assert_eq!(sums.to_vec().unwrap(), [2.0, 4.0, 6.0, 8.0]);
    let kernels = images().iter().flat_map(|image| image.kernels.iter().map(move |k| (image, k)));
    let (image, kernel) =
        kernels.into_iter().find(|(_, k)| k.name.ends_with("atomics::vectors")).unwrap();
    let of_each: Vec<(u32, usize)> = kernel
        .code
        .iter()
        .map(|code| {
            let ptx = &image.modules[code.module as usize].ptx;
            (code.arch.sm, ptx.matches("atom.relaxed.gpu.global.add.v4.f32").count())
        })
        .collect();
    assert!(of_each.iter().any(|(sm, _)| *sm >= 90), "{of_each:?}");
    assert!(of_each.iter().all(|(sm, count)| *count == usize::from(*sm >= 90)), "{of_each:?}");
}

/// The last bytes of arrays whose sizes are no multiple of a word.
#[kernel]
fn odd_arrays(out: Atomics<u32>) {
    let bytes = shared!([u8; 7]).atomics(3);
    let halves = shared!([i16; 5]).atomics(-4);
    let words = shared!([u32; 3]).atomics(5);
    bytes[6].fetch_add(1);
    halves[4].fetch_min(-9);
    words[2].fetch_add(1);
    block::sync();
    let t = thread::x() as usize;
    if t == 0 {
        out[0].store(bytes[6].load().into());
        out[1].store(halves[4].load().unsigned_abs().into());
        out[2].store(words[2].load());
        out[3].store((bytes.len() * 100 + halves.len() * 10 + words.len()) as u32);
    }
}

/// An update of the last byte is one of its word, which must be part of the array.
#[test]
fn shared_arrays_end_with_a_word() {
    let mut out = DeviceBuffer::zeroed(4).unwrap();
    launch!(odd_arrays<<<1, 6>>>(&mut out)).unwrap();
    assert_eq!(out.to_vec().unwrap(), [9, 9, 11, 753]);
    let ptx = module("atomics::odd_arrays");
    let arrays = ptx.lines().filter(|line| line.trim_start().starts_with(".shared"));
    let mut sizes: Vec<&str> = arrays.map(|line| line.split(['[', ']']).nth(1).unwrap()).collect();
    sizes.sort_unstable();
    assert_eq!(sizes, ["12", "12", "8"], "{ptx}");
    let kernels = images().iter().flat_map(|image| &image.kernels);
    let kernel = kernels.into_iter().find(|kernel| kernel.name.ends_with("atomics::odd_arrays"));
    // With the gaps between them, since each begins at a multiple of 16: the last one has 8 bytes or 12.
    for code in &kernel.unwrap().code {
        assert!([40, 44].contains(&code.static_shared), "{} bytes", code.static_shared);
    }
}
