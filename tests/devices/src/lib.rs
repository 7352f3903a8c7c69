//! What the tests with several devices share.

#[path = "../../support/src/lib.rs"]
#[allow(dead_code, unreachable_pub, unused_imports)]
mod support;

use ptyx::Device;
use std::process::Command;
pub use support::{Rng, rng, seed};

/// Which test a process was started for.
const VARIABLE: &str = "PTYX_TEST_ALONE";

/// The settings of the emulated devices with which a test runs: their work runs at once, or late and out of order.
const EMULATED: [&[(&str, &str)]; 2] = [
    &[("PTYX_DEVICE", "emulator"), ("PTYX_EMULATOR_ASYNC", "0")],
    &[("PTYX_DEVICE", "emulator"), ("PTYX_EMULATOR_ASYNC", "1")],
];

/// Runs a test's `body` with all devices, of which there are at least two. `name` is the test's whole name.
///
/// On a machine with several GPUs, that is with these. On others it is with emulated ones: as many as
/// `PTYX_EMULATOR_DEVICES` says, or four. Each run has a process of its own, because what one does to a device (access of
/// others to its memory, current pools) stays.
pub fn on_devices(name: &str, body: impl FnOnce(&[Device]) -> ptyx::Result<()>) {
    if std::env::var(VARIABLE).is_ok_and(|own| own == name) {
        let devices = Device::all().unwrap();
        assert!(devices.len() > 1, "one device");
        body(&devices).unwrap_or_else(|error| panic!("seed {}: {error}", seed()));
        return;
    }
    let devices = Device::all().unwrap();
    let has_gpus = !devices[0].is_emulated() && devices.len() > 1;
    let settings = if has_gpus { &[&[][..]][..] } else { &EMULATED[..] };
    for variables in settings {
        let mut child = Command::new(std::env::current_exe().unwrap());
        child.args(["--exact", name, "--nocapture"]).env(VARIABLE, name);
        child.envs(variables.iter().copied());
        if !has_gpus && std::env::var_os("PTYX_EMULATOR_DEVICES").is_none() {
            child.env("PTYX_EMULATOR_DEVICES", "4");
        }
        let output = child.output().unwrap();
        let text =
            [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
        let of_what = variables.iter().map(|(name, value)| format!("{name}={value} "));
        let of_what: String = of_what.collect();
        assert!(text[0].contains("1 passed"), "{of_what}\n{}{}", text[0], text[1]);
    }
}
