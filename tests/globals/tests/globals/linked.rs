//! Functions of linked PTX: of a library's and of a program's own.

use ptyx::prelude::*;
use ptyx_globals_tests::{mix, mix_calls};
use ptyx_test_support::{images, rng};

ptyx::link_ptx!("sum.ptx");

unsafe extern "C" {
    /// The sum of `n` numbers.
    fn ptyx_test_sum(x: *const f32, n: u32) -> f32;
}

/// `y[i] = mix(x[i], x[i + 1])`
#[kernel]
fn mixes(x: &[f32], mut y: Disjoint<f32>, mut calls: Disjoint<u64>) {
    let index = thread::index_1d();
    let i = index.get();
    if let (Some(y), Some([a, b])) = (y.get_mut(index), x.get(i..i + 2)) {
        *y = mix(*a, *b);
    }
    block::sync();
    if let Some(calls) = calls.get_mut(index) {
        *calls = mix_calls();
    }
}

/// `y[i] = x[i] + .. + x[i + 4]`
#[kernel]
fn sums(x: &[f32], mut y: Disjoint<f32>) {
    let index = thread::index_1d();
    let i = index.get();
    if let (Some(y), Some(x)) = (y.get_mut(index), x.get(i..i + 5)) {
        // SAFETY: the slice has as many elements.
        *y = unsafe { ptyx_test_sum(x.as_ptr(), x.len() as u32) };
    }
}

#[test]
fn a_librarys_ptx_runs_in_other_crates() {
    let x = rng().vec(65, |rng| rng.next_f32());
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let mut y = DeviceBuffer::<f32>::zeroed(64).unwrap();
    let mut calls = DeviceBuffer::<u64>::zeroed(64).unwrap();
    if Device::current().unwrap().compute_capability() < (7, 5) {
        println!("skipped: the PTX is for compute capability 7.5");
        return;
    }
    launch!(mixes<<<1, 64>>>(&device_x, &mut y, &mut calls)).unwrap();
    let want: Vec<f32> = x.windows(2).map(|x| x[0] * 0.75 + x[1] * 0.25).collect();
    assert_eq!(y.to_vec().unwrap(), want);
    assert_eq!(calls.to_vec().unwrap(), [64; 64]);
}

#[test]
fn pointers_are_passed() {
    let x = rng().vec(68, |rng| rng.below(100) as f32);
    let device_x = DeviceBuffer::from_slice(&x).unwrap();
    let mut y = DeviceBuffer::<f32>::zeroed(64).unwrap();
    launch!(sums<<<2, 32>>>(&device_x, &mut y)).unwrap();
    let want: Vec<f32> = x.windows(5).map(|x| x.iter().sum()).collect();
    assert_eq!(y.to_vec().unwrap(), want);
}

/// A module has the files of which it calls something, and what their heads need; what the host orders with it
/// is everything, because the compiler does not know what the PTX does.
#[test]
fn modules_have_what_they_call() {
    let (mixes, sums) = (images::module("linked::mixes"), images::module("linked::sums"));
    assert!(mixes.contains("ptyx_test_calls") && !mixes.contains("ptyx_test_sum"), "{mixes}");
    assert!(!sums.contains("ptyx_test_calls") && sums.contains("ptyx_test_sum"), "{sums}");
    assert!(mixes.contains(".target sm_75"), "{mixes}");
    assert!(!mixes.contains(".extern .func"), "{mixes}");
    let kernels = images::images().iter().flat_map(|image| &image.kernels);
    let ours = kernels.filter(|kernel| {
        ["linked::mixes", "linked::sums"].iter().any(|name| kernel.name.ends_with(name))
    });
    let mut count = 0;
    for code in ours.flat_map(|kernel| &kernel.code) {
        count += 1;
        assert!(code.follows_pointers);
    }
    assert_eq!(count, 2);
}

/// Functions of NVIDIA's libdevice, called by their names.
#[cfg(ptyx_libdevice_tests)]
mod libdevice {
    use super::*;

    unsafe extern "C" {
        fn __nv_erfinvf(x: f32) -> f32;
        fn __nv_sincosf(x: f32, sine: *mut f32, cosine: *mut f32);
    }

    #[kernel]
    fn calls(x: &[f32], mut y: Disjoint<[f32; 3]>) {
        let index = thread::index_1d();
        if let (Some(y), Some(x)) = (y.get_mut(index), x.get(index.get())) {
            let (mut sine, mut cosine) = (0.0, 0.0);
            // SAFETY: the places are valid.
            *y = unsafe {
                __nv_sincosf(*x, &mut sine, &mut cosine);
                [__nv_erfinvf(*x), sine, cosine]
            };
        }
    }

    /// The error function, by its series; good for small `x`.
    fn erf(x: f64) -> f64 {
        let mut term = x;
        let mut sum = x;
        for n in 1..60 {
            let n = f64::from(n);
            term *= -x * x / n;
            sum += term / (2.0 * n + 1.0);
        }
        sum * 2.0 / std::f64::consts::PI.sqrt()
    }

    #[test]
    fn functions_of_libdevice_are_called_by_name() {
        let x = rng().vec(64, |rng| rng.next_f32() * 0.9);
        let device_x = DeviceBuffer::from_slice(&x).unwrap();
        let mut y = DeviceBuffer::filled(64, [0.0f32; 3]).unwrap();
        launch!(calls<<<2, 32>>>(&device_x, &mut y)).unwrap();
        for (x, [inverse, sine, cosine]) in x.into_iter().zip(y.to_vec().unwrap()) {
            let x = f64::from(x);
            assert!((erf(inverse.into()) - x).abs() < 1e-6, "erfinv({x}) = {inverse}");
            assert!((f64::from(sine) - x.sin()).abs() < 1e-6, "sin({x}) = {sine}");
            assert!((f64::from(cosine) - x.cos()).abs() < 1e-6, "cos({x}) = {cosine}");
        }
    }
}

#[cfg(not(ptyx_libdevice_tests))]
#[test]
fn functions_of_libdevice_are_called_by_name() {
    println!("skipped: `PTYX_TEST_LIBDEVICE` names no libdevice");
}
