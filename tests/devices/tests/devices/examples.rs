//! The examples for several devices, which compare their results with the host's.

use ptyx_device_tests::on_devices;
use ptyx_examples::args::instead_of_env;

macro_rules! examples {
    ($($(#[$attribute:meta])* $name:ident = $path:literal, $words:expr;)*) => {
        $(
            #[path = $path]
            #[allow(dead_code)]
            mod $name;

            $(#[$attribute])*
            #[test]
            fn $name() {
                on_devices(concat!("examples::", stringify!($name)), |_| {
                    instead_of_env(&$words, $name::run).unwrap();
                    Ok(())
                });
            }
        )*
    };
}

examples! {
    all_reduce = "../../../../examples/examples/all_reduce.rs", ["--size", "100003"];
    managed = "../../../../examples/examples/managed.rs", ["--table", "3000", "--queries", "5000"];
    pool = "../../../../examples/examples/pool.rs", ["--jobs", "20", "--time", "4"];
    training = "../../../../examples/examples/training.rs", ["--rows", "500", "--steps", "8"];
}
