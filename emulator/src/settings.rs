//! The environment variables of the emulated device. They are read once; invalid values are errors.

use crate::inject::{FORM, Rule};
use std::sync::OnceLock;

/// An environment variable of the emulated device has an invalid value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{variable} is `{value}`: it must be {choices}")]
pub struct BadSetting {
    /// The variable.
    pub variable: &'static str,
    /// Its value.
    pub value: String,
    /// The valid values.
    pub choices: &'static str,
}

/// The values from the environment, or the defaults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Settings {
    /// `PTYX_EMULATOR_THREADS`: threads that run blocks; `None` for one per core.
    pub(crate) threads: Option<usize>,
    /// `PTYX_EMULATOR_CAPABILITY`: compute capability, times ten.
    pub(crate) capability: u32,
    /// `PTYX_EMULATOR_STEPS`: instructions that the warps of a block may run; `None` without a limit.
    pub(crate) steps: Option<i64>,
    /// `PTYX_EMULATOR_DEVICES`: how many devices there are.
    pub(crate) devices: usize,
    /// `PTYX_EMULATOR_PEER_ACCESS`: kernels of a device can use the memory of others, once that is enabled.
    pub(crate) peer_access: bool,
    /// `PTYX_EMULATOR_STICKY_ERRORS`: a context is lost after a fault, as a GPU's is.
    pub(crate) sticky: bool,
    /// `PTYX_EMULATOR_ASYNC`: work runs late, and out of order where CUDA allows it.
    pub(crate) asynchronous: bool,
    /// `PTYX_EMULATOR_FAIL`: calls that fail.
    pub(crate) fail: Vec<Rule>,
    /// `PTYX_EMULATOR_SEED`: what chance depends on, such as the order of asynchronous copies.
    pub(crate) seed: u64,
    /// `PTYX_EMULATOR_VECTORS`: bits of the widest vectors to compute with; `None` for what suits the host.
    pub(crate) vectors: Option<u32>,
}

/// Instructions that the warps of a block may run together, unless the environment says otherwise.
///
/// No reasonable test or program reaches the limit. The optimised interpreter executes about 10^8 warp
/// instructions per second on one core, so 10^10 take a single block a minute and a half. On a GPU, where a
/// warp issues an instruction every few cycles, that many take half a minute; the watchdog of a GPU that
/// drives a display ends a kernel after a few seconds. The unoptimised interpreter of a dev build is eighty
/// times slower, so 10^8 instructions take about as long there.
pub(crate) const DEFAULT_STEPS: i64 = if cfg!(unoptimised) { 100_000_000 } else { 10_000_000_000 };

/// The largest number of devices.
pub(crate) const MAX_DEVICES: usize = 64;
/// The largest number of threads.
const MAX_THREADS: usize = 1024;

impl Default for Settings {
    fn default() -> Self {
        let steps = Some(DEFAULT_STEPS);
        let (threads, capability, devices) = (None, 90, 1);
        let (sticky, asynchronous, fail, seed) = (false, false, Vec::new(), 0);
        let (peer_access, vectors) = (true, None);
        Settings {
            threads,
            capability,
            steps,
            devices,
            peer_access,
            sticky,
            asynchronous,
            fail,
            seed,
            vectors,
        }
    }
}

impl Settings {
    /// Reads the variables that `lookup` knows. An empty one counts as absent.
    fn read(lookup: &dyn Fn(&str) -> Option<String>) -> Result<Settings, BadSetting> {
        let mut settings = Settings::default();
        let get = |variable: &'static str| lookup(variable).filter(|value| !value.is_empty());
        let check = |variable, choices, value: &str, valid: bool| {
            let bad = BadSetting { variable, value: value.to_owned(), choices };
            if valid { Ok(()) } else { Err(bad) }
        };
        let variable = "PTYX_EMULATOR_THREADS";
        if let Some(value) = get(variable) {
            let threads = number(&value).filter(|&count| count <= MAX_THREADS as u64);
            check(variable, "a number of threads from 1 to 1024", &value, threads.is_some())?;
            settings.threads = threads.map(|count| count as usize);
        }
        let variable = "PTYX_EMULATOR_CAPABILITY";
        if let Some(value) = get(variable) {
            let found = capability(&value);
            let choices = "a compute capability from 1.0 to 99.9, such as `8.6`";
            check(variable, choices, &value, found.is_some())?;
            settings.capability = found.unwrap_or(settings.capability);
        }
        let variable = "PTYX_EMULATOR_STEPS";
        if let Some(value) = get(variable) {
            settings.steps = match value.as_str() {
                "unlimited" => None,
                _ => {
                    let steps = number(&value).and_then(|count| i64::try_from(count).ok());
                    let choices = "the number of instructions that the warps of a block may run, from \
                         1 to 9223372036854775807, or `unlimited`";
                    check(variable, choices, &value, steps.is_some())?;
                    steps
                }
            };
        }
        let variable = "PTYX_EMULATOR_DEVICES";
        if let Some(value) = get(variable) {
            let count = number(&value).filter(|&count| count <= MAX_DEVICES as u64);
            check(variable, "a number of devices from 1 to 64", &value, count.is_some())?;
            settings.devices = count.map_or(1, |count| count as usize);
        }
        let variable = "PTYX_EMULATOR_PEER_ACCESS";
        if let Some(value) = get(variable) {
            let choices = "`1` (devices can use each other's memory) or `0` (they can't)";
            check(variable, choices, &value, matches!(value.as_str(), "0" | "1"))?;
            settings.peer_access = value == "1";
        }
        let variable = "PTYX_EMULATOR_STICKY_ERRORS";
        if let Some(value) = get(variable) {
            let choices = "`1` (a device is lost after a fault, as a GPU is) or `0` (it is not)";
            check(variable, choices, &value, matches!(value.as_str(), "0" | "1"))?;
            settings.sticky = value == "1";
        }
        let variable = "PTYX_EMULATOR_ASYNC";
        if let Some(value) = get(variable) {
            let choices = "`1` (work runs late, and streams overtake each other) or `0` (at once)";
            check(variable, choices, &value, matches!(value.as_str(), "0" | "1"))?;
            settings.asynchronous = value == "1";
        }
        let variable = "PTYX_EMULATOR_FAIL";
        if let Some(value) = get(variable) {
            let rules = Rule::read_all(&value);
            check(variable, FORM, &value, rules.is_some())?;
            settings.fail = rules.unwrap_or_default();
        }
        let variable = "PTYX_EMULATOR_SEED";
        if let Some(value) = get(variable) {
            let seed = digits(&value).then(|| value.parse().ok()).flatten();
            let choices = "a number from 0 to 18446744073709551615";
            check(variable, choices, &value, seed.is_some())?;
            settings.seed = seed.unwrap_or(settings.seed);
        }
        let variable = "PTYX_EMULATOR_VECTORS";
        if let Some(value) = get(variable) {
            let valid = matches!(value.as_str(), "128" | "256" | "512");
            check(variable, "`128`, `256` or `512` (bits of a vector)", &value, valid)?;
            settings.vectors = value.parse().ok();
        }
        Ok(settings)
    }
}

/// A positive number in digits alone.
fn number(text: &str) -> Option<u64> {
    text.parse().ok().filter(|&number| digits(text) && number > 0)
}

/// Whether there are digits alone: `parse` takes a plus sign.
fn digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `8.6` as 86.
fn capability(text: &str) -> Option<u32> {
    let (major, minor) = text.split_once('.')?;
    let minor = minor.parse::<u32>().ok().filter(|&minor| minor < 10)?;
    let major = u32::try_from(number(major)?).ok().filter(|&major| major < 100)?;
    Some(major * 10 + minor)
}

fn from_environment() -> &'static Result<Settings, BadSetting> {
    static SETTINGS: OnceLock<Result<Settings, BadSetting>> = OnceLock::new();
    SETTINGS.get_or_init(|| {
        let lookup =
            |name: &str| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned());
        Settings::read(&lookup)
    })
}

/// The settings. If a variable is invalid, nothing runs: see [`check_settings`].
pub(crate) fn settings() -> &'static Settings {
    static DEFAULT: OnceLock<Settings> = OnceLock::new();
    from_environment().as_ref().unwrap_or_else(|_| DEFAULT.get_or_init(Settings::default))
}

/// Checks the environment variables of the emulated device. They are read once, when this or any function of
/// the device first needs them. If one is invalid, `cuInit` returns `CUDA_ERROR_INVALID_VALUE`.
///
/// # Errors
/// The first variable with an invalid value, and its valid values.
pub fn check_settings() -> Result<(), BadSetting> {
    from_environment().as_ref().map(|_| ()).map_err(Clone::clone)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variable: &str, value: &str) -> Result<Settings, BadSetting> {
        Settings::read(&|name| (name == variable).then(|| value.to_owned()))
    }

    #[test]
    fn good_values() {
        let default = Settings::default();
        assert_eq!(read("PTYX_OTHER", "x").unwrap(), default);
        for name in [
            "THREADS",
            "CAPABILITY",
            "STEPS",
            "DEVICES",
            "PEER_ACCESS",
            "STICKY_ERRORS",
            "ASYNC",
            "FAIL",
            "SEED",
            "VECTORS",
        ] {
            assert_eq!(read(&format!("PTYX_EMULATOR_{name}"), "").unwrap(), default, "{name}");
        }
        assert_eq!(read("PTYX_EMULATOR_THREADS", "3").unwrap().threads, Some(3));
        assert_eq!(read("PTYX_EMULATOR_CAPABILITY", "8.6").unwrap().capability, 86);
        assert_eq!(read("PTYX_EMULATOR_CAPABILITY", "12.0").unwrap().capability, 120);
        assert_eq!(read("PTYX_EMULATOR_STEPS", "1").unwrap().steps, Some(1));
        assert_eq!(read("PTYX_EMULATOR_STEPS", "unlimited").unwrap().steps, None);
        assert_eq!(read("PTYX_EMULATOR_DEVICES", "64").unwrap().devices, 64);
        assert!(read("PTYX_EMULATOR_PEER_ACCESS", "1").unwrap().peer_access);
        assert!(!read("PTYX_EMULATOR_PEER_ACCESS", "0").unwrap().peer_access);
        assert_eq!(read("PTYX_EMULATOR_SEED", "0").unwrap().seed, 0);
        assert_eq!(read("PTYX_EMULATOR_SEED", "18446744073709551615").unwrap().seed, u64::MAX);
        assert_eq!(read("PTYX_EMULATOR_VECTORS", "128").unwrap().vectors, Some(128));
        assert_eq!(read("PTYX_EMULATOR_VECTORS", "512").unwrap().vectors, Some(512));
        let fail = "cuInit=CUDA_ERROR_UNKNOWN,*:3=CUDA_ERROR_UNKNOWN";
        assert_eq!(read("PTYX_EMULATOR_FAIL", fail).unwrap().fail.len(), 2);
        assert!(read("PTYX_EMULATOR_ASYNC", "1").unwrap().asynchronous);
        assert!(!read("PTYX_EMULATOR_ASYNC", "0").unwrap().asynchronous);
        assert!(read("PTYX_EMULATOR_STICKY_ERRORS", "1").unwrap().sticky);
        assert!(!read("PTYX_EMULATOR_STICKY_ERRORS", "0").unwrap().sticky);
    }

    #[test]
    fn garbage_is_named() {
        let common = ["-1", "0", "x", "1x", " 1", "+1", "1e9", "99999999999999999999", "é"];
        let cases: [(&str, &[&str]); 10] = [
            ("PTYX_EMULATOR_THREADS", &["1025", "1.5"]),
            ("PTYX_EMULATOR_CAPABILITY", &["9", "9.", "9.x", "0.1", "8.60", "100.0", "+9.0"]),
            ("PTYX_EMULATOR_STEPS", &["off", "9223372036854775808"]),
            ("PTYX_EMULATOR_DEVICES", &["65"]),
            ("PTYX_EMULATOR_PEER_ACCESS", &["2", "off"]),
            ("PTYX_EMULATOR_STICKY_ERRORS", &["2", "true", "yes"]),
            ("PTYX_EMULATOR_ASYNC", &["2", "true", "yes"]),
            ("PTYX_EMULATOR_FAIL", &["cuInit", "cuInit:1"]),
            ("PTYX_EMULATOR_SEED", &["0x1", "18446744073709551616"]),
            ("PTYX_EMULATOR_VECTORS", &["64", "384", "1024", "avx2"]),
        ];
        for (variable, wrong) in cases {
            for value in common.iter().chain(wrong) {
                let zero = ["PEER_ACCESS", "STICKY_ERRORS", "ASYNC", "SEED"];
                if *value == "0" && zero.iter().any(|name| variable.ends_with(name)) {
                    continue;
                }
                let error = read(variable, value).expect_err(&format!("{variable}={value}"));
                assert_eq!((error.variable, error.value.as_str()), (variable, *value));
                let text = error.to_string();
                assert!(
                    text.starts_with(&format!("{variable} is `{value}`: it must be ")),
                    "{text}"
                );
            }
        }
    }
}
