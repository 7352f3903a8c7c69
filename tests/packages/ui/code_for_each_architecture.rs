//! The best code for the device runs; where there is none, the launch says what there is.

use ptyx::prelude::*;

#[kernel]
fn which(mut out: Disjoint<u32>) {
    out[thread::index_1d()] = if arch_is!("sm_90a") { 901 } else { 0 };
}

fn main() {
    let run = || {
        let mut out = DeviceBuffer::zeroed(1)?;
        launch!(which<<<1, 1>>>(&mut out))?;
        out.to_vec()
    };
    match std::env::args().nth(1) {
        Some(_) => match run() {
            Ok(out) => println!("{out:?}"),
            Err(error) => println!("{error}"),
        },
        None => {
            for capability in ["9.0", "8.0", "10.0", "10.3", "12.0"] {
                let program = std::env::current_exe().unwrap();
                let mut command = std::process::Command::new(program);
                command.arg("child").env("PTYX_EMULATOR_CAPABILITY", capability);
                print!("{capability}: {}", String::from_utf8(command.output().unwrap().stdout).unwrap());
            }
        }
    }
}
//@ file: build.rs
fn main() {
    ptyx_compiler::Build::new().targets(["sm_100f", "sm_90a"]).run()
}
