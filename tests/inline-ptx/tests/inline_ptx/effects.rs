//! Instructions that touch memory, jump, or involve other threads.

use ptyx::prelude::*;
use ptyx_inline_ptx_tests::rng;

const LEN: usize = 1000;

/// A volatile read, between accesses of Rust's.
#[kernel]
fn through_memory(x: &[u64], mut y: Disjoint<[u64; 2]>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        let mut cell = [x[i.get()], 0];
        let at = &raw mut cell;
        // SAFETY: all addresses are those of `cell`.
        unsafe {
            ptx!(
                "{{ .reg .b64 %value;",
                "  ld.volatile.b64 %value, [{from}];",
                "  not.b64 %value, %value;",
                "  st.volatile.b64 [{to}+8], %value; }}",
                from = in(reg) at,
                to = in(reg) at as u64,
            );
        }
        cell[0] = cell[0].wrapping_add(cell[1]);
        // SAFETY: as above.
        unsafe { ptx!("st.b64 [{0}+8], {1};", in(reg) at, in(reg) cell[0] ^ 1) };
        *y = cell;
    }
}

#[test]
fn memory_is_seen_on_both_sides() {
    let x = rng().vec(LEN, |rng| rng.next_u64());
    let mut y = DeviceBuffer::zeroed(LEN).unwrap();
    launch!(through_memory<<<10, 100>>>(&DeviceBuffer::from_slice(&x).unwrap(), &mut y)).unwrap();
    for y in y.to_vec().unwrap() {
        assert_eq!(y, [u64::MAX, u64::MAX ^ 1]);
    }
}

/// The address of a buffer that came as a number, behind work on the buffer in another stream.
#[kernel]
fn from_an_address(address: u64, mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        let value: u32;
        // SAFETY: the launch says that so many numbers are there.
        unsafe {
            ptx!(
                "ld.u32 {0}, [{1}];",
                lateout(reg) value,
                in(reg) address + 4 * i.get() as u64,
                options(readonly),
            );
        }
        *y = value;
    }
}

#[test]
fn addresses_are_followed() {
    let x = rng().vec(LEN, |rng| rng.next_u32());
    let on_device = DeviceBuffer::from_slice(&x).unwrap();
    let mut y = DeviceBuffer::zeroed(LEN).unwrap();
    launch!(from_an_address<<<10, 100>>>(on_device.device_address(), &mut y)).unwrap();
    assert_eq!(y.to_vec().unwrap(), x);
    let kernels: Vec<_> =
        ptyx_inline_ptx_tests::images::images().iter().flat_map(|image| &image.kernels).collect();
    let follows = |name: &str| {
        let kernel = kernels.iter().find(|kernel| kernel.name.ends_with(name)).expect("the kernel");
        kernel.code[0].follows_pointers
    };
    assert!(follows("from_an_address") && !follows("collatz"));
}

/// The steps of a number to 1, in a loop of PTX: twice, so that the labels are needed twice.
fn steps(x: u32) -> u32 {
    let mut n = x;
    let mut count = 0u32;
    // SAFETY: the instructions only compute, and end.
    unsafe {
        ptx!(
            ".reg .pred %p;",
            ".reg .b32 %t;",
            "LOOP: setp.le.u32 %p, {n}, 1;",
            "@%p bra END;",
            "add.u32 {count}, {count}, 1;",
            "and.b32 %t, {n}, 1;",
            "setp.eq.u32 %p, %t, 0;",
            "@%p shr.u32 {n}, {n}, 1;",
            "@%p bra LOOP;",
            "mad.lo.u32 {n}, {n}, 3, 1;",
            "bra LOOP;",
            "END:",
            n = inout(reg) n,
            count = inout(reg) count,
        );
    }
    count + n
}

#[kernel]
fn collatz(x: &[u32], mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        // In divergent code.
        *y = if x[i.get()].is_multiple_of(3) {
            steps(x[i.get()])
        } else {
            7 * steps(x[i.get()] + 1)
        };
    }
}

#[test]
fn labels_are_of_one_place_alone() {
    let x = rng().vec(LEN, |rng| rng.next_u32() % 100_000 + 1);
    let mut y = DeviceBuffer::zeroed(LEN).unwrap();
    launch!(collatz<<<10, 100>>>(&DeviceBuffer::from_slice(&x).unwrap(), &mut y)).unwrap();
    let steps = |x: u32| {
        let next = |&n: &u64| (n > 1).then(|| if n % 2 == 0 { n / 2 } else { 3 * n + 1 });
        std::iter::successors(Some(u64::from(x)), next).count() as u32
    };
    for (&x, y) in x.iter().zip(y.to_vec().unwrap()) {
        assert_eq!(y, if x % 3 == 0 { steps(x) } else { 7 * steps(x + 1) }, "{x}");
    }
}

/// Names with `%=` are unique without a scope, too.
#[kernel]
fn unique_names(x: &[u32], mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        let mut value = x[i.get()];
        for round in 0..2u32 {
            // SAFETY: the instructions only compute.
            unsafe {
                ptx!(
                    ".reg .b32 %t%=;",
                    "add.u32 %t%=, {0}, {1};",
                    "mul.lo.u32 {0}, %t%=, 3;",
                    inout(reg) value,
                    in(reg) round,
                );
            }
        }
        *y = value;
    }
}

#[test]
fn unique_names_are_unique() {
    let x = rng().vec(LEN, |rng| rng.next_u32());
    let mut y = DeviceBuffer::zeroed(LEN).unwrap();
    launch!(unique_names<<<10, 100>>>(&DeviceBuffer::from_slice(&x).unwrap(), &mut y)).unwrap();
    let want = |x: u32| x.wrapping_mul(3).wrapping_add(1).wrapping_mul(3);
    assert_eq!(y.to_vec().unwrap(), x.into_iter().map(want).collect::<Vec<_>>());
}

/// The number of rounds differs with the thread, and each round counts.
#[kernel]
fn counts_rounds(x: &[u32], counters: Atomics<u32>) {
    let i = thread::index_1d().get();
    if i < x.len() {
        let counter = counters[i % counters.len()].as_ptr();
        for _ in 0..x[i] {
            // SAFETY: the counter is there.
            unsafe { ptx!("red.relaxed.gpu.add.u32 [{0}], 1;", in(reg) counter) };
        }
    }
}

#[test]
fn effects_happen_in_each_round() {
    let x = rng().vec(LEN, |rng| rng.next_u32() % 50);
    let mut counters = DeviceBuffer::zeroed(7).unwrap();
    launch!(counts_rounds<<<10, 100>>>(&DeviceBuffer::from_slice(&x).unwrap(), &mut counters))
        .unwrap();
    let mut want = [0; 7];
    x.iter().enumerate().for_each(|(i, x)| want[i % 7] += x);
    assert_eq!(counters.to_vec().unwrap(), want);
}

/// A shuffle among all threads of a warp, one after the other, and the end of half of them.
#[kernel]
fn warp_work(x: &[u32], mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    let from_next: u32;
    // SAFETY: all threads of a warp come here.
    unsafe {
        ptx!(
            "shfl.sync.down.b32 {0}, {1}, 1, 0x1f, 0xffffffff;",
            out(reg) from_next,
            in(reg) x[i.get()],
            options(nomem),
        );
    }
    if i.get() % 2 == 1 {
        // SAFETY: nothing is left to be done.
        unsafe { ptx!("exit;", options(noreturn)) }
    }
    y[i] = from_next;
}

#[test]
fn threads_of_a_warp() {
    let x = rng().vec(96, |rng| rng.next_u32());
    let mut y = DeviceBuffer::zeroed(96).unwrap();
    launch!(warp_work<<<1, 96>>>(&DeviceBuffer::from_slice(&x).unwrap(), &mut y)).unwrap();
    for (i, y) in y.to_vec().unwrap().into_iter().enumerate() {
        assert_eq!(y, if i % 2 == 1 { 0 } else { x[i + 1] });
    }
}

#[test]
fn the_host_has_none() {
    let call = || {
        // SAFETY: it panics.
        unsafe { ptx!("exit;") }
    };
    let panic = std::panic::catch_unwind(call).unwrap_err();
    let text = panic.downcast_ref::<String>().cloned();
    let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
    assert!(text.unwrap().contains("works only in a kernel"));
}
