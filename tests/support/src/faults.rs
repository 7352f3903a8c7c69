//! Programs whose calls of the driver fail, once or from then on: a program ends with a typed error or, where the call did
//! not matter, with the right result. It never panics, aborts or hangs. (That nothing leaks is tested in the library, where
//! objects can be counted: `host/src/launch/tests/sweep.rs`.)

use super::sample;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A program of the folder `examples`, and arguments that keep it short. `TMP` stands for a folder.
pub type Example<'a> = (&'a str, &'a [&'a str]);

/// An example that runs longer hangs.
const PATIENCE: Duration = Duration::from_secs(120);
const CODES: [&str; 3] =
    ["CUDA_ERROR_OUT_OF_MEMORY", "CUDA_ERROR_UNKNOWN", "CUDA_ERROR_NOT_SUPPORTED"];

/// The folder with the examples' programs: beside that of this test.
fn programs() -> PathBuf {
    let own = std::env::current_exe().unwrap();
    own.parent().unwrap().parent().unwrap().join("examples")
}

/// A folder of this process's own.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        // Tests of one process run side by side.
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let (process, number) = (std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(format!("ptyx-faults-{process}-{number}"));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The examples of a package that neither `swept` nor `others` names: their calls would never fail.
///
/// # Panics
/// The package's folder can't be read.
pub fn not_swept(package: &str, swept: &[Example<'_>], others: &[&str]) -> Vec<String> {
    let files = fs::read_dir(Path::new(package).join("examples")).unwrap();
    let names =
        files.map(|file| file.unwrap().path().file_stem().unwrap().to_string_lossy().into());
    let known = |name: &String| swept.iter().any(|row| row.0 == name) || others.contains(&&**name);
    names.filter(|name| !known(name)).collect()
}

/// Runs an example on the emulated device, with variables.
fn run(
    (name, args): Example<'_>,
    folder: &Path,
    variables: &[(&str, &str)],
) -> Result<Output, String> {
    let program = programs().join(name);
    if !program.exists() {
        return Err(format!("no {}: build the examples first", program.display()));
    }
    let args = args.iter().map(|arg| arg.replace("TMP", &folder.display().to_string()));
    // Into files: a pipe that nobody reads would stop the program.
    let (out, err) = (folder.join("out"), folder.join("err"));
    let create = |path: &Path| Stdio::from(fs::File::create(path).unwrap());
    let mut child = Command::new(program)
        .args(args)
        .env("PTYX_DEVICE", "emulator")
        .env("PTYX_EMULATOR_DEVICES", "3")
        .env("PTYX_CACHE", "off")
        .envs(variables.iter().copied())
        .stdout(create(&out))
        .stderr(create(&err))
        .spawn()
        .unwrap();
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > PATIENCE {
            let _ = child.kill();
            let _ = child.wait();
            return Err("it does not end".to_owned());
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    Ok(Output { status, stdout: fs::read(out).unwrap(), stderr: fs::read(err).unwrap() })
}

/// What is wrong with the end of an example one of whose calls has failed.
fn complaint(output: &Output) -> Option<&'static str> {
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    match output.status.code() {
        Some(0) if ["equal to", "close to"].iter().any(|said| out.contains(said)) => None,
        Some(0) => Some("it ends well without its result"),
        Some(1) if err.lines().any(|line| line.starts_with("error: ")) => None,
        Some(1) => Some("it ends without an error's text"),
        Some(_) => Some("it panics"),
        None => Some("it aborts"),
    }
}

/// What is wrong with the end of an example that reports problems.
fn complaint_about_report(output: &Output) -> Option<&'static str> {
    let out = String::from_utf8_lossy(&output.stdout);
    let problems = out.lines().filter(|line| line.starts_with("problem: ")).count();
    let is_told = match problems {
        0 => out.ends_with("no problems found\n"),
        1 => out.ends_with("1 problem found\n"),
        _ => out.ends_with(&format!("{problems} problems found\n")),
    };
    match output.status.code() {
        Some(0) if problems == 0 && is_told => None,
        Some(1) if problems > 0 && is_told => None,
        Some(0 | 1) => Some("what it tells is not what it found"),
        Some(_) => Some("it panics"),
        None => Some("it aborts"),
    }
}

/// Runs `first`, which makes what the examples need. Then makes each call of each example fail: a sample of so many, or all
/// with `PTYX_TEST_ALL=1`.
///
/// # Panics
/// If an example does not end as it should; if few of the calls matter.
pub fn sweep(first: Option<Example<'_>>, examples: &[Example<'_>], count: usize) {
    sweep_with(complaint, first, examples, count);
}

/// The same for programs that report problems instead of an error, such as `doctor`: an end is good if all problems found
/// are told, and none if there are none.
///
/// # Panics
/// As [`sweep`].
pub fn sweep_reports(examples: &[Example<'_>], count: usize) {
    sweep_with(complaint_about_report, None, examples, count);
}

fn sweep_with(
    complaint: fn(&Output) -> Option<&'static str>,
    first: Option<Example<'_>>,
    examples: &[Example<'_>],
    count: usize,
) {
    let folder = Folder::new();
    if let Some(first) = first {
        let made = run(first, &folder.0, &[]).unwrap();
        assert!(made.status.success(), "{made:?}");
    }
    let mut cases = Vec::new();
    for &example in examples {
        let traced = run(example, &folder.0, &[("PTYX_TRACE", "1")]).unwrap();
        assert_eq!(complaint(&traced), None, "{}: {traced:?}", example.0);
        assert!(traced.status.success(), "{}: {traced:?}", example.0);
        let trace = String::from_utf8_lossy(&traced.stderr).into_owned();
        let calls = trace.lines().filter(|line| line.starts_with("ptyx: cu")).count();
        assert!(calls > 20, "{}: {calls} calls", example.0);
        cases.extend((1..=calls).flat_map(|call| [(example, call, ""), (example, call, "+")]));
    }
    println!("{} calls of {} examples", cases.len() / 2, examples.len());
    let (mut errors, mut bad) = (0, Vec::new());
    for (example, call, later) in sample(cases, count) {
        let rule = format!("*:{call}{later}={}", CODES[call % CODES.len()]);
        match run(example, &folder.0, &[("PTYX_EMULATOR_FAIL", &rule)]) {
            Ok(output) => {
                errors += usize::from(!output.status.success());
                if let Some(complaint) = complaint(&output) {
                    let text = String::from_utf8_lossy(&output.stderr).into_owned();
                    bad.push(format!("{} with {rule}: {complaint}\n{text}", example.0));
                }
            }
            Err(complaint) => bad.push(format!("{} with {rule}: {complaint}", example.0)),
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
    // Most calls matter.
    assert!(errors > count / 4, "{errors} errors");
}
