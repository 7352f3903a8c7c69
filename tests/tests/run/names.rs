//! Kernels may have any name: that of a C or device function, or a reserved word of PTX.
#![allow(non_snake_case)]

use ptyx::prelude::*;

/// A kernel of each name, which computes a function and calls device functions, and the tests of all these kernels.
macro_rules! kernels {
    ($($function:ident: $($name:ident)*;)*) => {
        mod kernels {
            use ptyx::prelude::*;
            $($(
                #[kernel]
                pub(super) fn $name(x: &[f64], mut y: Disjoint<f64>) {
                    let i = thread::index_1d();
                    if let Some(y) = y.get_mut(i) {
                        let values = [super::$function(x[i.get()]); 20];
                        *y = values[(*y as usize).min(19)];
                        assert!(*y < 2.0, "never {y}");
                    }
                    if x.len() == 77 {
                        gpu_println!("{}", x.len());
                    }
                }
            )*)*
        }

        #[test]
        fn kernels_of_any_name() {
            let x = [0.5f64, 1.5, 2.5];
            let in_device = DeviceBuffer::from_slice(&x).unwrap();
            $($(
                let mut y = DeviceBuffer::zeroed(3).unwrap();
                launch!(kernels::$name<<<1, 3>>>(&in_device, &mut y)).unwrap();
                for (y, want) in y.to_vec().unwrap().iter().zip(x.map($function)) {
                    assert!((y - want).abs() < 1e-12, "{}: {y} {want}", stringify!($name));
                }
                let compiled = ptyx::compiled_kernels().unwrap();
                let name = concat!("::kernels::", stringify!($name));
                let name = name.replace("r#", "");
                assert!(compiled.iter().any(|k| k.kernel.replace("r#", "").ends_with(&name)), "{name}");
            )*)*
        }
    };
}
kernels! {
    sine: sin main __nv_sin;
    root: vprintf malloc free memcpy exit printf core ret add reg param0 rust_eh_personality entry größe Ω r#type r#fn kernel f32 b64 assertfail retval0 prototype_0 WARP_SZ;
}

/// Needs functions of the same names as some kernels.
fn sine(x: f64) -> f64 {
    x.sin()
}

/// Compiles quickly.
fn root(x: f64) -> f64 {
    x.sqrt()
}

mod r#type {
    pub(crate) mod r#match {
        use ptyx::prelude::*;

        #[kernel]
        pub(crate) fn r#loop(mut y: Disjoint<u32>, x: u32) {
            y[thread::index_1d()] += x;
        }

        /// # Safety
        /// There are no rules.
        #[kernel]
        pub(crate) unsafe fn r#unsafe<T: Num>(mut y: Disjoint<T>, x: T) {
            let i = thread::index_1d();
            let sum = y[i] + x;
            y[i] = sum;
        }
    }
}

/// A knob's name becomes the entry's, so it can't be one that is taken.
#[test]
fn names_that_an_entry_cannot_have() {
    let mut y = DeviceBuffer::<u32>::zeroed(1).unwrap();
    for bad in ["ret", "vprintf", "malloc", "größe", "r#type", "a b", ""] {
        let error = launch!(r#type::r#match::r#loop<<<1, 1>>>(&mut y, 1), alias = bad).unwrap_err();
        assert!(error.to_string().contains("can't be used as a name in PTX"), "{bad}: {error}");
    }
    // Nothing else has these names in this kernel.
    for good in ["main", "reg", "f32", "core"] {
        launch!(r#type::r#match::r#loop<<<1, 1>>>(&mut y, 1), alias = good).unwrap();
    }
    assert_eq!(y.to_vec().unwrap(), [4]);
}

macro_rules! by_path {
    ($kernel:path, $y:expr, $x:expr) => {{
        launch!($kernel<<<1, 1>>>($y, $x)).unwrap();
        cuda!(threads = 1, $kernel($y, $x)).unwrap();
    }};
}
macro_rules! by_expression {
    ($kernel:expr, $blocks:expr, $threads:expr, $($argument:expr),*) => {
        launch!($kernel<<<$blocks, $threads>>>($($argument),*)).unwrap()
    };
}
macro_rules! by_name {
    ($kernel:ident, $knob:ident = $value:expr, $($argument:expr),*) => {
        launch!($kernel<<<1, 1>>>($($argument),*), $knob = $value).unwrap()
    };
}
macro_rules! unsafe_by_path {
    ($kernel:path, $y:expr, $x:expr) => {{
        // SAFETY: there are no rules.
        launch!(unsafe $kernel<<<1, 1>>>($y, $x)).unwrap();
        // SAFETY: there are no rules.
        cuda!(threads = 1, unsafe $kernel($y, $x)).unwrap();
    }};
}
macro_rules! by_call {
    ($call:expr) => {{
        cuda!(threads = 1, $call).unwrap();
        let _ = compile!($call).unwrap();
    }};
}

/// `macro_rules!` hands fragments on in invisible groups.
#[test]
fn launches_of_fragments() {
    use r#type::r#match::r#loop;
    let mut y = DeviceBuffer::<u32>::zeroed(1).unwrap();
    by_path!(r#type::r#match::r#loop, &mut y, 1 + 1);
    assert_eq!(y.to_vec().unwrap(), [4]);
    by_expression!(r#type::r#match::r#loop, 2 - 1, 1, &mut y, 2 * 3);
    assert_eq!(y.to_vec().unwrap(), [10]);
    by_name!(r#loop, maxregs = 16 + 16, &mut y, 1);
    assert_eq!(y.to_vec().unwrap(), [11]);
    unsafe_by_path!(r#type::r#match::r#unsafe, &mut y, 2);
    unsafe_by_path!(r#type::r#match::r#unsafe::<u32>, &mut y, 2);
    assert_eq!(y.to_vec().unwrap(), [19]);
    by_call!(r#type::r#match::r#loop(&mut y, 3));
    assert_eq!(y.to_vec().unwrap(), [22]);
}

/// The launch wraps an unsafe kernel in a closure, and one of many parameters: their names stay.
#[test]
fn unsafe_kernels_keep_their_names() {
    let mut y = DeviceBuffer::<u64>::zeroed(1).unwrap();
    // SAFETY: there are no rules.
    launch!(unsafe r#type::r#match::r#unsafe<<<1, 1>>>(&mut y, 2)).unwrap();
    assert_eq!(y.to_vec().unwrap(), [2]);
    let compiled = ptyx::compiled_kernels().unwrap();
    let found = compiled.iter().find(|kernel| kernel.kernel.ends_with("::unsafe::<u64>"));
    let entry = found.map(|kernel| kernel.entry.as_str());
    assert_eq!(entry, Some("unsafe_u64"));
    assert!(compiled.iter().all(|kernel| !kernel.kernel.ends_with("{{closure}}")));
}
