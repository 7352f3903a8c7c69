//! `ptyx` under another name, and its macros from another crate.

use super::package::{BUILD, Package};
use ptyx_test_support::part;

/// A program that uses every macro; `gpu` is the crate.
const MAIN: &str = r#"
use gpu::prelude::*;

#[derive(Clone, Copy, DeviceCopy)]
#[ATTRIBUTE]
struct Pair {
    a: u32,
    b: u32,
}

#[KERNEL]
fn add(pairs: &[Pair], mut y: Disjoint<u32>) {
    #[unroll(2)]
    for _ in 0..2 {
        if let Some(y) = y.get_mut(thread::index_1d()) {
            let pair = pairs[thread::index_1d().get()];
            *y += pair.a + pair.b;
        }
    }
    gpu::unroll!(for _ in 0..2 {
        if thread::index_1d().get() == 0 {
            gpu::gpu_println!("from {}", "a kernel");
        }
    });
}

fn main() -> Result<(), gpu::Error> {
    let pairs = DeviceBuffer::from_slice(&[Pair { a: 1, b: 2 }; 32])?;
    let mut y = DeviceBuffer::filled(32, 0u32)?;
    launch!(add<<<1, 32>>>(&pairs, &mut y))?;
    gpu::launch!(add<<<1, 32>>>(&pairs, &mut y))?;
    gpu::cuda!(threads = 32, add(&pairs, &mut y))?;
    drop(gpu::compile!(add(&pairs, &mut y))?);
    println!("sum {}", y.to_vec()?[31]);
    Ok(())
}
"#;

fn check(package: &Package) {
    let (works, text) = package.cargo(&["run"], &[]);
    assert!(works, "{text}");
    assert!(text.contains("sum 18"), "{text}");
    assert_eq!(text.matches("from a kernel").count(), 6, "{text}");
}

#[test]
fn a_dependency_with_another_name() {
    part!(a_dependency_with_another_name);
    let main = MAIN.replace("#[ATTRIBUTE]\n", "").replace("KERNEL", "kernel");
    let package = Package::new("renamed", BUILD, &main, "");
    let manifest = Package::folder("renamed").join("Cargo.toml");
    let text = std::fs::read_to_string(&manifest).unwrap();
    package.write("Cargo.toml", &text.replace("ptyx = {", "gpu = { package = \"ptyx\", "));
    check(&package);
}

#[test]
fn macros_from_another_crate() {
    part!(macros_from_another_crate);
    let main = MAIN
        .replace("ATTRIBUTE", "ptyx(crate = gpu::ptyx)")
        .replace("KERNEL", "kernel(crate = gpu::ptyx)");
    let package = Package::new("re-exported", BUILD, &main, "");
    let manifest = Package::folder("re-exported").join("Cargo.toml");
    let text = std::fs::read_to_string(&manifest).unwrap();
    let at = text.find("[dependencies]\n").unwrap();
    let (head, rest) = text.split_at(at);
    let dependency = rest.lines().nth(1).unwrap();
    package.write(
        "gpu/Cargo.toml",
        &format!("[package]\nname = \"gpu\"\nedition = \"2024\"\n[dependencies]\n{dependency}\n"),
    );
    package.write(
        "gpu/src/lib.rs",
        "pub use ptyx;\npub use ptyx::{Error, compile, cuda, gpu_println, launch, prelude, unroll};\n",
    );
    let rest = rest.replacen(dependency, "gpu = { path = \"gpu\" }", 1);
    package.write("Cargo.toml", &format!("{head}{rest}"));
    check(&package);
}
