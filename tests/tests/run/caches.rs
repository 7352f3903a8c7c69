//! D10: cache operators, eviction priorities, prefetches and policies leave every value as it is.

use ptyx::device::cache::{
    self, Cached, Line, Load, OtherPriority, Policy, Prefetch, Priority, Store,
};
use ptyx::device::vector::{F64x2, I8x4, I16x2, U8x2, U16x4, U32x2, U32x4};
use ptyx::prelude::*;
use ptyx_tests::{images, rng};

/// Number of functions that load.
const LOADS: usize = 20;
/// Number of functions that store.
const STORES: usize = 12;

fn load<T: Cached>(x: &T, how: usize) -> T {
    match how {
        0 => cache::load_ca(x),
        1 => cache::load_cg(x),
        2 => cache::load_cs(x),
        3 => cache::load_lu(x),
        4 => cache::load_cv(x),
        5 => cache::load_evict_first(x),
        6 => cache::load_evict_last(x),
        7 => cache::load_evict_unchanged(x),
        8 => cache::load_no_allocate(x),
        9 => cache::load_with_prefetch(x, Prefetch::Bytes64),
        10 => cache::load_with_prefetch(x, Prefetch::Bytes128),
        11 => cache::load_with_prefetch(x, Prefetch::Bytes256),
        12 => cache::load_with_policy(x, Policy::evict_last_fraction(0.5)),
        // SAFETY: nobody writes the elements while the kernel runs.
        13 => unsafe { Load::new().read_only() }.from(x),
        // SAFETY: as above.
        14 => unsafe { Load::new().read_only() }.no_allocate().prefetch_256().from(x),
        15 => Load::new().evict_last().policy(Policy::evict_last()).from(x),
        16 => {
            let load = Load::new().evict_first().policy(Policy::evict_first()).prefetch_128();
            // SAFETY: as above.
            unsafe { load.read_only() }.from(x)
        }
        17 => Load::new().prefetch_64().from(x),
        18 => Load::new().evict_unchanged().prefetch_64().from(x),
        // What CUDA C++ calls `cuda::access_property::streaming`.
        _ => Load::new().policy(Policy::from_access_property(0x12f0_0000_0000_0000)).from(x),
    }
}

fn store<T: Cached>(to: &mut T, value: T, how: usize) {
    match how {
        0 => cache::store_wb(to, value),
        1 => cache::store_cg(to, value),
        2 => cache::store_cs(to, value),
        3 => cache::store_wt(to, value),
        4 => cache::store_evict_first(to, value),
        5 => cache::store_evict_last(to, value),
        6 => cache::store_evict_unchanged(to, value),
        7 => cache::store_no_allocate(to, value),
        8 => cache::store_with_policy(to, value, Policy::evict_normal()),
        9 => Store::new().no_allocate().policy(Policy::evict_first()).to(to, value),
        10 => Store::new().evict_last().to(to, value),
        _ => Store::new().policy(Policy::evict_unchanged()).to(to, value),
    }
}

/// Each element in every way; half of the threads load from memory of their own.
#[kernel]
fn copy<T: Cached>(x: &[T], mut y: Disjoint<[T; LOADS]>, mut z: Disjoint<[T; STORES]>) {
    let i = thread::index_1d();
    let Some(x) = x.get(i.get()) else { return };
    let own = [*x; 2];
    cache::prefetch_l1(x);
    cache::prefetch_l2(x);
    cache::prefetch_l2_evict_last(x);
    cache::prefetch_l2_evict_normal(x);
    for (how, place) in y[i].iter_mut().enumerate() {
        *place = load(if i.get().is_multiple_of(2) { x } else { &own[how % 2] }, how);
    }
    for (how, place) in z[i].iter_mut().enumerate() {
        store(place, load(x, how), how);
    }
}

/// Runs [`copy`] with random elements.
macro_rules! copied {
    ($($type:ty: $make:expr;)*) => {$({
        let mut rng = rng();
        let x: Vec<$type> = rng.vec(70, $make);
        let device_x = DeviceBuffer::from_slice(&x).unwrap();
        let mut y = DeviceBuffer::zeroed(70).unwrap();
        let mut z = DeviceBuffer::zeroed(70).unwrap();
        launch!(copy::<$type><<<3, 32>>>(&device_x, &mut y, &mut z)).unwrap();
        assert_eq!(y.to_vec().unwrap(), x.iter().map(|&x| [x; LOADS]).collect::<Vec<_>>());
        assert_eq!(z.to_vec().unwrap(), x.iter().map(|&x| [x; STORES]).collect::<Vec<_>>());
    })*};
}

#[test]
fn values_of_every_size() {
    copied! {
        u8: |rng| rng.next_u32() as u8;
        i16: |rng| rng.next_u32() as i16;
        f32: |rng| rng.next_u32() as f32;
        u64: |rng| rng.next_u64();
        U8x2: |rng| U8x2::new([0; 2].map(|_| rng.next_u32() as u8));
        I8x4: |rng| I8x4::new([0; 4].map(|_| rng.next_u32() as i8));
        I16x2: |rng| I16x2::new([0; 2].map(|_| rng.next_u32() as i16));
        U16x4: |rng| U16x4::new([0; 4].map(|_| rng.next_u32() as u16));
        U32x2: |rng| U32x2::new([0; 2].map(|_| rng.next_u32()));
        U32x4: |rng| U32x4::new([0; 4].map(|_| rng.next_u32()));
        F64x2: |rng| F64x2::new([0; 2].map(|_| f64::from(rng.next_u32())));
    }
}

#[kernel]
fn hinted(x: &[u32], mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    // SAFETY: nobody writes the elements while the kernel runs.
    let own = unsafe { Load::new().read_only() }.no_allocate().prefetch_256().from(&x[i.get()]);
    let first = Load::new().evict_last().policy(Policy::evict_first()).from(&x[0]);
    Store::new().evict_unchanged().policy(Policy::evict_last()).to(&mut y[i], own ^ first);
}

#[test]
fn hints_are_modifiers_of_one_instruction() {
    let x = rng().vec(64, |rng| rng.next_u32());
    let mut y = DeviceBuffer::zeroed(64).unwrap();
    launch!(hinted<<<2, 32>>>(&DeviceBuffer::from_slice(&x).unwrap(), &mut y)).unwrap();
    let want: Vec<u32> = x.iter().map(|own| own ^ x[0]).collect();
    assert_eq!(y.to_vec().unwrap(), want);
    let ptx = images::modules("caches::hinted").concat();
    for instruction in [
        "ld.global.nc.L1::no_allocate.L2::256B.b32",
        "ld.global.L1::evict_last.L2::cache_hint.b32",
        "st.global.L1::evict_unchanged.L2::cache_hint.b32",
    ] {
        assert!(ptx.contains(instruction), "{instruction}: {ptx}");
    }
}

/// Lines of scratch memory: written, read, then thrown away.
#[kernel]
fn scratch(x: &[u32], lines: SliceMut<[u32; 32]>, sums: Atomics<u32>) {
    let i = thread::index_1d().get();
    // SAFETY: each thread has a line of its own, which nobody reads after it is discarded; device buffers are
    // aligned to more than 128 bytes.
    unsafe {
        let line = lines.as_mut_ptr().add(i).cast::<Line>();
        (*line).0 = core::array::from_fn(|k| x[i].wrapping_add(k as u32));
        cache::demote_l2(&*line);
        let sum = (*line).0.iter().fold(0u32, |sum, x| sum.wrapping_add(cache::load_cg(x)));
        cache::discard_l2(line);
        sums[i].store(sum);
    }
}

#[test]
fn lines_are_demoted_and_discarded() {
    let x = rng().vec(64, |rng| rng.next_u32());
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let mut lines = DeviceBuffer::zeroed(64).unwrap();
    let mut sums = DeviceBuffer::zeroed(64).unwrap();
    launch!(scratch<<<2, 32>>>(&device_x, &mut lines, &mut sums)).unwrap();
    let want: Vec<u32> = x.iter().map(|x| x.wrapping_mul(32).wrapping_add(31 * 16)).collect();
    assert_eq!(sums.to_vec().unwrap(), want);
}

const PRIORITIES: [Priority; 4] =
    [Priority::EvictFirst, Priority::EvictLast, Priority::EvictNormal, Priority::EvictUnchanged];
const OTHERS: [OtherPriority; 2] = [OtherPriority::EvictFirst, OtherPriority::EvictUnchanged];

/// Each element with every policy that has two priorities, of the slice and of memory of the thread.
#[kernel]
fn policies(x: &[u32], count: usize, fraction: f32, mut sums: Disjoint<u32>) {
    let i = thread::index_1d();
    let own = [x[i.get()]; 2];
    let mut sum = 0u32;
    for priority in PRIORITIES {
        for others in OTHERS {
            for policy in [
                Policy::fractional(fraction, priority, others),
                Policy::range(x, count, priority, others),
                Policy::range(&own, 1, priority, others),
            ] {
                sum = sum.wrapping_add(cache::load_with_policy(&x[i.get()], policy));
            }
        }
    }
    sums[i] = sum;
}

#[test]
fn policies_leave_every_value_as_it_is() {
    let mut rng = rng();
    let len = 64 + rng.below(64);
    let x = rng.vec(len, |rng| rng.next_u32());
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let mut sums = DeviceBuffer::zeroed(x.len()).unwrap();
    let (count, fraction) = (rng.below(x.len()), (1 + rng.below(16)) as f32 / 16.0);
    launch!(policies<<<1, x.len()>>>(&device_x, count, fraction, &mut sums)).unwrap();
    let want: Vec<u32> = x.iter().map(|x| x.wrapping_mul(24)).collect();
    assert_eq!(sums.to_vec().unwrap(), want);
    for ptx in ptx_for_sm_80("caches::policies") {
        for priority in ["first", "last", "normal", "unchanged"] {
            let name = format!("createpolicy.fractional.L2::evict_{priority}.b64");
            assert!(ptx.contains(&name), "{name}\n{ptx}");
            let name = format!("createpolicy.fractional.L2::evict_{priority}.L2::evict_first.b64");
            assert!(ptx.contains(&name), "{name}\n{ptx}");
            for other in ["first", "unchanged"] {
                let name =
                    format!("createpolicy.range.global.L2::evict_{priority}.L2::evict_{other}.b64");
                assert!(ptx.contains(&name), "{name}\n{ptx}");
            }
        }
    }
}

/// The PTX of kernels whose names end so.
fn ptx_for_sm_80(name: &str) -> Vec<&'static String> {
    let images = ptyx_tests::images::images().iter();
    let codes = images.flat_map(|image| {
        let kernels = image.kernels.iter().filter(|kernel| kernel.name.ends_with(name));
        let new = kernels.flat_map(|kernel| &kernel.code);
        let new = new.filter(|code| code.arch.to_string() == "sm_80");
        new.map(|code| &image.modules[code.module as usize].ptx)
    });
    let codes: Vec<&String> = codes.collect();
    assert!(!codes.is_empty(), "no PTX of {name} for sm_80");
    codes
}

/// Nothing that a device does shows whether it got the hints: the PTX must have them.
#[test]
fn the_instructions_are_those_that_were_asked_for() {
    let loads = ["ca", "cg", "cs", "lu", "cv", "L2::64B", "L2::128B", "L2::256B", "L2::cache_hint"];
    let stores = ["wb", "cg", "cs", "wt", "L2::cache_hint"];
    let both = ["L1::evict_first", "L1::evict_last", "L1::evict_unchanged", "L1::no_allocate"];
    for ptx in ptx_for_sm_80("caches::copy<f32>") {
        for word in loads.iter().chain(&both) {
            assert!(ptx.contains(&format!("ld.global.{word}.b32")), "{word}\n{ptx}");
        }
        for word in stores.iter().chain(&both) {
            assert!(ptx.contains(&format!("st.global.{word}.b32")), "{word}\n{ptx}");
        }
        for hint in [
            "prefetch.global.L1 ",
            "prefetch.global.L2 ",
            "prefetch.global.L2::evict_last ",
            "prefetch.global.L2::evict_normal ",
        ] {
            assert!(ptx.contains(hint), "{hint}\n{ptx}");
        }
    }
}
