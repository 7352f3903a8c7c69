//! Starts workers, and implements the worker's side.

use std::env;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::process::ExitStatusExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::jobs::Job;
use crate::llvm::FATAL_EXIT_CODE;
use crate::report::{Diagnostic, GAP};

/// A worker finds the path of its [`Order`] here.
const VARIABLE: &str = "PTYX_WORKER";

/// The first line of a worker's own standard error. Anything before it is the user's.
const STARTED: &str = "\u{1e}the code generator starts\n";

/// The result of a job.
pub(super) type Done<T> = Result<T, Vec<Diagnostic>>;

/// How a worker ended.
pub(super) enum End<T> {
    /// Its work's own outcome.
    Done(Done<T>),
    /// It ended before that: what is known of the reason.
    Lost(Diagnostic),
}

impl<T> End<T> {
    /// The outcome; a lost worker's is the reason.
    pub(super) fn or_lost(self) -> Done<T> {
        match self {
            End::Done(outcome) => outcome,
            End::Lost(reason) => Err(vec![reason]),
        }
    }
}

/// The file that tells a worker what to do.
#[derive(Serialize, Deserialize)]
struct Order<J> {
    /// The program that is to do it. A worker passes its variables on to whatever the user's code
    /// starts, and that may be cargo and other packages' build scripts: the order is not for them.
    program: PathBuf,
    /// Where the result goes.
    result: PathBuf,
    job: J,
}

/// Has a worker do `job`. The files of the exchange go into `dir`, with names that start with `name`.
pub(super) fn run<T: DeserializeOwned>(dir: &Path, name: &str, job: &Job) -> End<T> {
    let [order, result, log] =
        ["order.json", "result", "stderr.txt"].map(|file| dir.join(format!("{name}-{file}")));
    let end = start(&order, &result, &log, job).map_or_else(
        |what| End::Done(Err(vec![Diagnostic::new(what)])),
        |status| end(status, &result, &log),
    );
    let _ = fs::remove_file(&order);
    let _ = fs::remove_file(&result);
    end
}

/// Starts a worker and waits for its end.
fn start(order: &Path, result: &Path, log: &Path, job: &Job) -> Result<ExitStatus, String> {
    let unwritable = |error| format!("the code generator can't write its files: {error}");
    let unstartable = |error| format!("the code generator's process can't be started: {error}");
    let program = env::current_exe().map_err(unstartable)?;
    // The result of an earlier build must not count.
    let _ = fs::remove_file(result);
    let contents = Order { program: program.clone(), result: result.to_owned(), job };
    let contents = serde_json::to_vec(&contents).map_err(|error| unwritable(error.into()))?;
    fs::write(order, contents).map_err(unwritable)?;
    let mut command = Command::new(program);
    // The user's `main` must find the arguments that cargo gave it the first time.
    command.args(env::args_os().skip(1)).env(VARIABLE, order);
    if let Some(directory) = env::var_os("CARGO_MANIFEST_DIR") {
        command.current_dir(directory);
    }
    command
        .stdin(Stdio::null())
        // Cargo has read what the user's code prints.
        .stdout(Stdio::null())
        .stderr(File::create(log).map_err(unwritable)?)
        .status()
        .map_err(unstartable)
}

/// How a worker that has ended did.
fn end<T: DeserializeOwned>(status: ExitStatus, result: &Path, log: &Path) -> End<T> {
    let log = fs::read(log).unwrap_or_default();
    let log = String::from_utf8_lossy(&log);
    let Some((_, log)) = log.split_once(STARTED) else {
        return End::Done(Err(vec![not_reached(status, &log)]));
    };
    if !status.success() {
        return End::Lost(reason(status, log));
    }
    let outcome = fs::read(result)
        .map_err(|e| e.to_string())
        .and_then(|bytes| postcard::from_bytes(&bytes).map_err(|e| e.to_string()));
    End::Done(outcome.unwrap_or_else(|error| {
        Err(vec![Diagnostic::new(format!("the code generator's result is unreadable: {error}"))])
    }))
}

/// Why a worker ended before its work.
fn reason(status: ExitStatus, log: &str) -> Diagnostic {
    let what = if let Some(signal) = status.signal() {
        format!("LLVM crashed (signal {signal})")
    } else if status.code() == Some(FATAL_EXIT_CODE) {
        "LLVM can't compile it for the device".to_owned()
    } else {
        "the code generator failed: this is a bug in Ptyx".to_owned()
    };
    Diagnostic::new(with_log(what, log)).help(GAP)
}

/// The user's code did not reach `build` again.
fn not_reached(status: ExitStatus, log: &str) -> Diagnostic {
    let what = format!(
        "the code generator did not start: the build script was run a second time for it, and ended \
         ({status}) before it called `ptyx_compiler::build()`"
    );
    Diagnostic::new(with_log(what, log)).help(
        "call `ptyx_compiler::build()` in every run of the build script, best before all else",
    )
}

fn with_log(what: String, log: &str) -> String {
    match log.trim() {
        "" => what,
        log => format!("{what}:\n  {}", log.lines().collect::<Vec<_>>().join("\n  ")),
    }
}

/// A process that was started as a worker.
pub(super) struct Worker {
    result: PathBuf,
}

/// The job of this process, if it is a worker.
pub(super) fn find_job() -> Option<(Worker, Job)> {
    let order = fs::read(env::var_os(VARIABLE)?).ok()?;
    let order: Order<Job> = serde_json::from_slice(&order).ok()?;
    if env::current_exe().ok()? != order.program {
        return None;
    }
    // Not with `eprint!`, whose text a test harness would capture.
    let _ = io::stderr().write_all(STARTED.as_bytes());
    Some((Worker { result: order.result }, order.job))
}

impl Worker {
    /// Does the work, writes its result and ends the process.
    pub(super) fn finish<T: Serialize>(self, work: impl FnOnce() -> Done<T>) -> ! {
        let written = catch_unwind(AssertUnwindSafe(|| {
            // As text, all kernels of a large program took longer than a tenth of compiling them.
            let bytes = postcard::to_allocvec(&work()).map_err(io::Error::other)?;
            fs::write(&self.result, bytes)
        }));
        let code = match written {
            Ok(Ok(())) => 0,
            Ok(Err(error)) => {
                eprintln!("the result can't be written: {error}");
                1
            }
            // The panic has said what it was.
            Err(_) => 1,
        };
        std::process::exit(code)
    }
}
