//! Which kernels follow pointers to memory that no argument declares: their launches are ordered with
//! uses of all buffers whose address was taken.

use ptyx::prelude::*;
use ptyx_tests::images::images;

/// Whether the image says so of the kernel of this module with this name.
fn follows_pointers(name: &str) -> bool {
    let images = images();
    let path = format!("{}::{name}", module_path!());
    let is_it = |kernel: &&ptyx_image::Kernel| {
        kernel.name == path || kernel.name.starts_with(&format!("{path}<"))
    };
    let kernels: Vec<_> = images.iter().flat_map(|image| &image.kernels).filter(is_it).collect();
    assert_eq!(kernels.len(), 1, "{path}");
    kernels[0].code.iter().any(|code| code.follows_pointers)
}

#[derive(Clone, Copy, DeviceCopy)]
struct Linked {
    value: u32,
    next: *const u32,
}

#[derive(Clone, Copy, DeviceCopy)]
struct Plain {
    values: [u32; 9],
    at: usize,
}

#[kernel]
fn buffers((x, factor): (&[u32], u32), y: &[u32], mut out: Disjoint<u32>, sum: Atomics<u32>) {
    let i = thread::index_1d();
    let cells = shared!([u32; 32]).cells(0);
    cells.set(thread::x() as usize, x[i.get()] * factor);
    block::sync();
    out[i] = cells.get(31 - thread::x() as usize) + y[i.get()];
    sum[0].fetch_add(out[i]);
}

#[kernel]
fn tables(x: Array<u32, 2>, out: ArrayMut<u32, 2>, plain: Plain) {
    let i = thread::index_2d();
    let at = [i.y(), i.x()];
    // SAFETY: one thread an element.
    unsafe { out.write(at, x[at] + plain.values[plain.at]) };
}

#[kernel]
fn closures<F: Fn(u32) -> u32>(f: F, mut out: Disjoint<u32>) {
    let i = thread::index_1d();
    out[i] = f(out[i]);
}

/// # Safety
/// `to` leads to one number.
#[kernel]
unsafe fn raw(to: *mut u32) {
    // SAFETY: the caller's promise.
    unsafe { *to = 1 };
}

/// # Safety
/// `to` is the address of one number.
#[kernel]
unsafe fn address(to: u64) {
    // SAFETY: the caller's promise.
    unsafe { *(to as *mut u32) = 2 };
}

/// # Safety
/// The pointer leads to one number.
#[kernel]
unsafe fn in_a_struct(linked: Linked, mut out: Disjoint<u32>) {
    let i = thread::index_1d();
    // SAFETY: the caller's promise.
    out[i] = linked.value + unsafe { *linked.next };
}

/// # Safety
/// The pointers lead to one number each.
#[kernel]
unsafe fn in_a_buffer(linked: &[Linked], mut out: Disjoint<u32>) {
    let i = thread::index_1d();
    // SAFETY: the caller's promise.
    out[i] = linked[i.get()].value + unsafe { *linked[i.get()].next };
}

/// A copy of some pointers, which the kernel changes.
///
/// # Safety
/// The pointers lead to one number each.
#[kernel]
unsafe fn in_a_copy(table: &[[*mut u32; 8]], which: usize) {
    let mut copy = table[0];
    copy[(which + 1) % 8] = core::ptr::null_mut();
    // SAFETY: the caller's promise.
    unsafe { *copy[which % 8] = 5 };
}

/// # Safety
/// The pointers lead to one number each.
#[kernel]
unsafe fn by_shared_memory(table: &[[*mut u32; 8]]) {
    let shared = shared!([*mut u32; 8]);
    // SAFETY: the caller's promise; a block of one thread.
    unsafe {
        shared.write(table[0]);
        block::sync();
        *shared.at(3).read() = 6;
    }
}

#[test]
fn what_follows_pointers_is_known() {
    let x = DeviceBuffer::from_slice(&[3u32; 32]).unwrap();
    let mut out = DeviceBuffer::<u32>::zeroed(32).unwrap();
    let mut sum = DeviceBuffer::<u32>::zeroed(1).unwrap();
    launch!(buffers<<<1, 32>>>((&x, 2), &x, &mut out, &mut sum)).unwrap();
    assert_eq!(sum.to_vec().unwrap(), [9 * 32]);
    let plain = Plain { values: [1; 9], at: 3 };
    launch!(tables<<<1, (8, 4)>>>(x.view([4, 8]), out.view_mut([4, 8]), plain)).unwrap();
    let by = 5;
    launch!(closures<<<1, 32>>>(move |x: u32| x + by, &mut out)).unwrap();
    assert_eq!(out.to_vec().unwrap(), [9; 32]);
    for name in ["buffers", "tables", "closures"] {
        assert!(!follows_pointers(name), "{name}");
    }

    let linked = Linked { value: 1, next: x.device_address() as *const u32 };
    let list = DeviceBuffer::from_slice(&[linked; 32]).unwrap();
    // SAFETY: the buffers live, and have more elements than one.
    launch!(unsafe raw<<<1, 1>>>(out.device_address() as *mut u32)).unwrap();
    // SAFETY: as above.
    launch!(unsafe address<<<1, 1>>>(out.device_address() + 4)).unwrap();
    assert_eq!(out.to_vec().unwrap()[..3], [1, 2, 9]);
    // SAFETY: as above.
    launch!(unsafe in_a_struct<<<1, 32>>>(linked, &mut out)).unwrap();
    assert_eq!(out.to_vec().unwrap(), [4; 32]);
    // SAFETY: as above.
    launch!(unsafe in_a_buffer<<<1, 32>>>(&list, &mut out)).unwrap();
    let first = out.device_address() as *mut u32;
    let table =
        DeviceBuffer::from_slice(&[core::array::from_fn(|i| first.wrapping_add(i))]).unwrap();
    // SAFETY: as above.
    launch!(unsafe in_a_copy<<<1, 1>>>(&table, 2)).unwrap();
    // SAFETY: as above.
    launch!(unsafe by_shared_memory<<<1, 1>>>(&table)).unwrap();
    assert_eq!(out.to_vec().unwrap()[2..5], [5, 6, 4]);
    let all = ["raw", "address", "in_a_struct", "in_a_buffer", "in_a_copy", "by_shared_memory"];
    for name in all {
        assert!(follows_pointers(name), "{name}");
    }
}
