//! State spaces of addresses, and how much shared memory there is.

use ptyx::device::atomic::fence_alias;
use ptyx::device::space;
use ptyx::prelude::*;
use ptyx_tests::images;

/// Which spaces an address is in: global, shared, local, constant memory, parameters.
fn spaces<T: ?Sized>(pointer: *const T) -> [bool; 5] {
    [
        space::is_global(pointer),
        space::is_shared(pointer),
        space::is_local(pointer),
        space::is_constant(pointer),
        space::is_parameter(pointer),
    ]
}

#[kernel]
fn places(x: &[u32], index: usize, mut out: Disjoint<[[bool; 5]; 4]>) {
    let own = [x[0], x[1], x[2]];
    let shared = shared!([u32; 32]);
    // The variable must be in memory.
    let own = core::hint::black_box(&own);
    if let Some(out) = out.get_mut(thread::index_1d()) {
        *out = [
            spaces(x),
            spaces(&raw const x[index]),
            spaces(shared.as_mut_ptr().cast_const()),
            spaces(&raw const own[index]),
        ];
    }
}

#[test]
fn addresses_are_in_one_space() {
    let x = DeviceBuffer::from_slice(&[1u32, 2, 3]).unwrap();
    let mut out = DeviceBuffer::zeroed(64).unwrap();
    launch!(places<<<2, 32>>>(&x, 2, &mut out)).unwrap();
    let only = |at: usize| core::array::from_fn(|space| space == at);
    assert_eq!(out.to_vec().unwrap(), [[only(0), only(0), only(1), only(2)]; 64]);
}

#[kernel]
fn sizes(mut out: Disjoint<[usize; 2]>) {
    let own = shared!([u32; 100]);
    // The array must be used: each thread writes an element, and reads another's.
    let i = thread::x() as usize;
    // SAFETY: between the accesses is a barrier.
    let one = unsafe {
        own.at(i).write(1);
        block::sync();
        own.at(31 - i).read() as usize
    };
    if let Some(out) = out.get_mut(thread::index_1d()) {
        *out = [shared::total_bytes() * one, shared::dynamic_bytes()];
    }
}

#[test]
fn shared_memory_is_static_and_dynamic() {
    let mut out = DeviceBuffer::zeroed(32).unwrap();
    launch!(sizes<<<1, 32, 512>>>(&mut out)).unwrap();
    for [total, dynamic] in out.to_vec().unwrap() {
        assert_eq!(dynamic, 512);
        // Rounded up, by less than a kilobyte.
        assert!((912..912 + 1024).contains(&total), "{total}");
    }
}

/// Two writes with a fence between them, which orders them for other addresses of the same memory.
#[kernel]
fn twice(mut out: Disjoint<u32>) {
    let i = thread::index_1d();
    out[i] = 1;
    fence_alias();
    out[i] += 1;
}

#[test]
fn fences_of_aliases() {
    let mut out = DeviceBuffer::zeroed(32).unwrap();
    launch!(twice<<<1, 32>>>(&mut out)).unwrap();
    assert_eq!(out.to_vec().unwrap(), [2; 32]);
    assert!(images::entry("state_spaces::twice").contains("fence.proxy.alias;"));
}
