//! Runs every `tests/ptx/*.ptx` on the emulated device and compares what it does with what the file says.
//!
//! Lines in a file:
//!
//! ```text
//! // launch: kernel<<<grid, block, shared>>>(u32[1 2 3], f32 1.5, u64 7)
//! // expect: 0 u32[2 4 6]
//! // fault: invalid read of 4 bytes at global address …
//! // error: line 7: the emulated device has no instruction `foo`
//! ```
//!
//! - `launch` runs a kernel. Sizes are `x` or `x,y,z` in parentheses; `shared` may be missing. An argument
//!   is a scalar or an array in device memory: `u32[1 2 3]`, `u32[7; 32]` for 32 times 7, `u32[0..32]` for
//!   0 to 31. Types are `u8 u16 u32 u64 s8 s16 s32 s64 f32 f64 f16`; a number may be given as bits in
//!   hexadecimal, for floats, too. A scalar `ptr N` is the address N bytes into the array before it.
//!   `tiled(type; sizes; strides; sides; steps; swizzle fill)` is a tensor map of the array before it, and so is
//!   `im2col(type; sizes; strides; lower; upper; channels pixels; steps; swizzle fill)`, with the driver's numbers.
//! - `cooperative` is a `launch` whose blocks all run at the same time.
//! - `cluster` after a launch: the blocks of a cluster, as the sizes.
//! - `expect` after a launch: an argument's index and what its array holds afterwards.
//! - `fault` after a launch: a line of the report. All its lines must be given, in order. Addresses of
//!   device memory differ from run to run and are written as `0x…`.
//! - `gpu: skip` after a launch: its result is the emulated device's own choice. A file with such launches alone is not
//!   loaded on a GPU.
//! - `error` instead of launches: a line of the log that loading the file gives.

mod device;

use device::{Device, LaunchConfig, driver, on_gpu, run_child};
use ptyx_driver_api::CUtensorMap;
use std::ffi::c_void;
use std::fmt::Write as _;
use std::path::Path;

#[derive(Debug)]
enum Argument {
    Array { ty: String, bytes: Vec<u8> },
    Scalar(Vec<u8>),
    Pointer(u64),
    Map(Map),
}

/// A tensor map's numbers, in the order of the text.
#[derive(Debug)]
struct Map {
    is_im2col: bool,
    numbers: Vec<Vec<i64>>,
}

impl Map {
    fn read(text: &str, is_im2col: bool) -> Argument {
        let inner = text.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')')).expect(text);
        let numbers =
            |part: &str| part.split_whitespace().map(|n| n.parse().expect(text)).collect();
        Argument::Map(Map { is_im2col, numbers: inner.split(';').map(numbers).collect() })
    }

    /// The map of the tensor at an address.
    fn encode(&self, address: u64) -> Vec<u8> {
        let wide = |at: usize| self.numbers[at].iter().map(|&n| n as u64).collect::<Vec<_>>();
        let narrow = |at: usize| self.numbers[at].iter().map(|&n| n as u32).collect::<Vec<_>>();
        let (element, sizes, strides) = (narrow(0)[0], wide(1), wide(2));
        let (steps, last) = match self.is_im2col {
            true => (narrow(6), narrow(7)),
            false => (narrow(4), narrow(5)),
        };
        let (rank, start) = (sizes.len() as u32, address as *mut c_void);
        let mut map = CUtensorMap::EMPTY;
        let (place, sizes, strides) = (&raw mut map, sizes.as_ptr(), strides.as_ptr());
        let code = if self.is_im2col {
            let corner = |at: usize| self.numbers[at].iter().map(|&n| n as i32).collect::<Vec<_>>();
            let (lower, upper, pixel) = (corner(3), corner(4), narrow(5));
            driver!(cuTensorMapEncodeIm2col(
                place => *mut CUtensorMap, element => u32, rank => u32, start => *mut c_void,
                sizes => *const u64, strides => *const u64, lower.as_ptr() => *const i32,
                upper.as_ptr() => *const i32, pixel[0] => u32, pixel[1] => u32,
                steps.as_ptr() => *const u32, 0 => u32, last[0] => u32, 0 => u32, last[1] => u32,
            ))
        } else {
            let sides = narrow(3);
            driver!(cuTensorMapEncodeTiled(
                place => *mut CUtensorMap, element => u32, rank => u32, start => *mut c_void,
                sizes => *const u64, strides => *const u64, sides.as_ptr() => *const u32,
                steps.as_ptr() => *const u32, 0 => u32, last[0] => u32, 0 => u32, last[1] => u32,
            ))
        };
        assert_eq!(code, 0, "{self:?}");
        map.opaque.iter().flat_map(|word| word.to_le_bytes()).collect()
    }
}

#[derive(Debug)]
struct Run {
    kernel: String,
    config: LaunchConfig,
    arguments: Vec<Argument>,
    expectations: Vec<(usize, String, Vec<u8>)>,
    fault: Vec<String>,
    emulated_only: bool,
}

fn number(ty: &str, text: &str) -> Vec<u8> {
    let bits = text.strip_prefix("0x").map(|hex| u64::from_str_radix(hex, 16).expect(text));
    let int = |text: &str| bits.unwrap_or_else(|| text.parse::<i128>().expect(text) as u64);
    match ty {
        "u8" | "s8" => (int(text) as u8).to_le_bytes().to_vec(),
        "u16" | "s16" | "f16" => (int(text) as u16).to_le_bytes().to_vec(),
        "u32" | "s32" => (int(text) as u32).to_le_bytes().to_vec(),
        "u64" | "s64" => int(text).to_le_bytes().to_vec(),
        "f32" => match bits {
            Some(bits) => (bits as u32).to_le_bytes().to_vec(),
            None => text.parse::<f32>().expect(text).to_le_bytes().to_vec(),
        },
        "f64" => match bits {
            Some(bits) => bits.to_le_bytes().to_vec(),
            None => text.parse::<f64>().expect(text).to_le_bytes().to_vec(),
        },
        _ => panic!("no type: {ty}"),
    }
}

/// `u32[1 2 3]`, `u32[7; 32]`, `u32[0..32]`
fn array(text: &str) -> (String, Vec<u8>) {
    let (ty, rest) = text.split_once('[').expect(text);
    let inner = rest.strip_suffix(']').expect(text);
    let bytes = if let Some((value, count)) = inner.split_once(';') {
        number(ty, value.trim()).repeat(count.trim().parse().expect(text))
    } else if let Some((first, end)) = inner.split_once("..") {
        let (first, end): (u64, u64) = (first.parse().expect(text), end.parse().expect(text));
        (first..end).flat_map(|value| number(ty, &value.to_string())).collect()
    } else {
        inner.split_whitespace().flat_map(|value| number(ty, value)).collect()
    };
    (ty.to_owned(), bytes)
}

fn argument(text: &str) -> Argument {
    for (name, is_im2col) in [("tiled", false), ("im2col", true)] {
        if text.starts_with(name) {
            return Map::read(text, is_im2col);
        }
    }
    if text.contains('[') {
        let (ty, bytes) = array(text);
        return Argument::Array { ty, bytes };
    }
    let (ty, value) = text.split_once(' ').expect(text);
    if ty == "ptr" {
        return Argument::Pointer(value.trim().parse::<i64>().expect(text) as u64);
    }
    Argument::Scalar(number(ty, value.trim()))
}

fn shape(text: &str) -> [u32; 3] {
    let text = text.trim().trim_start_matches('(').trim_end_matches(')');
    let mut out = [1; 3];
    for (slot, part) in out.iter_mut().zip(text.split(',')) {
        *slot = part.trim().parse().expect(text);
    }
    out
}

/// Splits at commas outside parentheses and brackets.
fn split(text: &str) -> Vec<&str> {
    let (mut out, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                out.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    out.push(text[start..].trim());
    out.retain(|part| !part.is_empty());
    out
}

fn launch_line(text: &str) -> Run {
    let (kernel, rest) = text.split_once("<<<").expect(text);
    let (config, arguments) = rest.split_once(">>>").expect(text);
    let config = split(config);
    let arguments =
        arguments.trim().strip_prefix('(').and_then(|a| a.strip_suffix(')')).expect(text);
    Run {
        kernel: kernel.trim().to_owned(),
        config: LaunchConfig {
            grid: shape(config[0]),
            block: shape(config[1]),
            shared: config.get(2).map_or(0, |shared| shared.parse().expect(text)),
            ..LaunchConfig::ONE
        },
        arguments: split(arguments).into_iter().map(argument).collect(),
        expectations: Vec::new(),
        fault: Vec::new(),
        emulated_only: false,
    }
}

fn parse(source: &str) -> (Vec<Run>, Vec<String>) {
    let (mut runs, mut errors) = (Vec::<Run>::new(), Vec::new());
    for line in source.lines() {
        let Some(comment) = line.trim().strip_prefix("// ") else { continue };
        if let Some(text) = comment.strip_prefix("launch:") {
            runs.push(launch_line(text.trim()));
        } else if let Some(text) = comment.strip_prefix("cooperative:") {
            runs.push(launch_line(text.trim()));
            runs.last_mut().expect("just pushed").config.cooperative = true;
        } else if let Some(text) = comment.strip_prefix("cluster:") {
            runs.last_mut().expect("cluster follows launch").config.cluster = Some(shape(text));
        } else if let Some(text) = comment.strip_prefix("expect:") {
            let (index, values) = text.trim().split_once(' ').expect(text);
            let (ty, bytes) = array(values.trim());
            let run = runs.last_mut().expect("expect follows launch");
            run.expectations.push((index.parse().expect(text), ty, bytes));
        } else if let Some(text) = comment.strip_prefix("fault:") {
            runs.last_mut().expect("fault follows launch").fault.push(text.trim().to_owned());
        } else if comment.trim() == "gpu: skip" {
            runs.last_mut().expect("gpu follows launch").emulated_only = true;
        } else if let Some(text) = comment.strip_prefix("error:") {
            errors.push(text.trim().to_owned());
        }
    }
    (runs, errors)
}

/// Replaces addresses of device memory.
fn anonymous(report: &str) -> String {
    let mut out = String::new();
    let mut rest = report;
    while let Some(at) = rest.find("0x7000") {
        out.push_str(&rest[..at]);
        out.push_str("0x…");
        rest = rest[at + 2..].trim_start_matches(|c: char| c.is_ascii_hexdigit());
    }
    out + rest
}

fn show(ty: &str, bytes: &[u8]) -> String {
    let mut wide = [0; 8];
    wide[..bytes.len()].copy_from_slice(bytes);
    let bits = u64::from_le_bytes(wide);
    match ty {
        "f32" => format!("{} ({bits:#x})", f32::from_bits(bits as u32)),
        "f64" => format!("{} ({bits:#x})", f64::from_bits(bits)),
        _ => format!("{bits} ({bits:#x})"),
    }
}

fn run(device: &Device, module: usize, run: &Run) -> Vec<String> {
    // A fault would cost the GPU's context.
    if device::on_gpu() && (run.emulated_only || !run.fault.is_empty()) {
        return Vec::new();
    }
    let mut mistakes = Vec::new();
    let Some(function) = device.function(module, &run.kernel) else {
        return vec![format!("there is no kernel `{}`", run.kernel)];
    };
    let mut addresses = Vec::new();
    let mut params = Vec::new();
    for argument in &run.arguments {
        let mut address = None;
        params.push(match argument {
            Argument::Scalar(bytes) => bytes.clone(),
            Argument::Pointer(offset) => {
                let base: u64 =
                    addresses.iter().rev().find_map(|a| *a).expect("an array before `ptr`");
                base.wrapping_add(*offset).to_le_bytes().to_vec()
            }
            Argument::Map(map) => {
                let base = addresses.iter().rev().find_map(|a| *a).expect("an array before it");
                map.encode(base)
            }
            Argument::Array { bytes, .. } => {
                let at = device.upload(bytes);
                address = Some(at);
                at.to_le_bytes().to_vec()
            }
        });
        addresses.push(address);
    }
    let launched = device.launch_as(&run.config, function, &mut params);
    let code = if launched == 0 { device.synchronize() } else { launched };
    let report = ptyx_emulator::driver::take_fault();
    match (&report, run.fault.is_empty()) {
        (None, true) if code == 0 => {}
        (Some(report), false) => {
            let wanted: Vec<&str> = run.fault.iter().map(String::as_str).collect();
            let report = anonymous(report);
            let found: Vec<&str> = report.lines().map(str::trim).collect();
            if wanted != found {
                mistakes.push(format!("the fault is\n{}", found.join("\n")));
            }
        }
        _ => mistakes.push(format!("code {code}, fault {report:?}")),
    }
    for (index, ty, wanted) in &run.expectations {
        let (Some(Some(address)), Argument::Array { ty: given, bytes }) =
            (addresses.get(*index), &run.arguments[*index])
        else {
            mistakes.push(format!("argument {index} is no array"));
            continue;
        };
        let _ = given;
        let found = device.download(*address, bytes.len());
        let size = number(ty, "0").len();
        let differs = found.chunks(size).zip(wanted.chunks(size)).position(|(a, b)| a != b);
        if let Some(at) = differs {
            let (a, b) = (at * size, at * size + size);
            mistakes.push(format!(
                "`{}`, argument {index}, element {at}: found {}, wanted {}",
                run.kernel,
                show(ty, &found[a..b]),
                show(ty, &wanted[a..b])
            ));
        } else if found.len() != wanted.len() {
            mistakes.push(format!("`{}`: argument {index} has another size", run.kernel));
        }
    }
    for address in addresses.into_iter().flatten() {
        device.free(address);
    }
    mistakes
}

fn check(device: &Device, path: &Path) -> Vec<String> {
    let source = std::fs::read_to_string(path).expect("a test file");
    let (runs, errors) = parse(&source);
    let is_about_faults = path.to_string_lossy().ends_with("faults.ptx");
    // Another GPU than the tests' may be the only one that has the instructions.
    let is_emulated_only = !runs.is_empty() && runs.iter().all(|run| run.emulated_only);
    if device::on_gpu() && (!errors.is_empty() || is_about_faults || is_emulated_only) {
        return Vec::new();
    }
    if runs.is_empty() == errors.is_empty() {
        return vec!["the file needs either `launch` or `error` lines".to_owned()];
    }
    // The driver takes ASCII alone.
    match device.load(&source.replace('…', "...")) {
        Err(log) if errors.is_empty() => vec![format!("loading failed:\n{log}")],
        Err(log) => {
            let found: Vec<&str> = log.lines().filter(|l| l.starts_with("ptx error: ")).collect();
            let found: Vec<&str> = found.iter().map(|line| &line[11..]).collect();
            if found == errors {
                vec![]
            } else {
                vec![format!("the errors are\n{}", found.join("\n"))]
            }
        }
        Ok(_) if !errors.is_empty() => vec!["loading did not fail".to_owned()],
        Ok(module) => runs
            .iter()
            .inspect(|run| {
                let silent = run.expectations.is_empty() && run.fault.is_empty();
                assert!(!silent, "{}: a launch expects nothing", path.display());
            })
            .flat_map(|one| run(device, module, one))
            .collect(),
    }
}

#[test]
fn every_file_does_what_it_says() {
    let device = Device::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ptx");
    // The tests may run on another machine than the one that built them.
    let folder = if folder.exists() { folder } else { "emulator/tests/ptx".into() };
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "ptx"));
    files.sort();
    assert!(!files.is_empty());
    let mut failures = String::new();
    for path in &files {
        for mistake in check(&device, path) {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let _ = writeln!(failures, "{name}: {mistake}\n");
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}

/// With vectors that are not the host's widest.
#[test]
fn every_file_does_what_it_says_with_vectors_of_every_width() {
    if on_gpu() {
        return;
    }
    for bits in ["128", "256", "512"] {
        run_child("every_file_does_what_it_says", &[("PTYX_EMULATOR_VECTORS", bits)]);
    }
}
