//! Runs the code generator in a child process.
//!
//! LLVM reports what its backend can't do by ending the process. In a forked child that costs the
//! user nothing but a message: the build script itself goes on and says what happened. Then all is
//! done once more, each kernel in a process of its own, so that the others have their messages too.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::fd::AsRawFd;
use std::path::Path;

use serde::{Serialize, de::DeserializeOwned};

use super::Diagnostic;
use super::diagnostic::GAP;
use crate::llvm::FATAL_EXIT_CODE;

type Outcome<T> = Result<T, Vec<Diagnostic>>;

unsafe extern "C" {
    fn fork() -> i32;
    fn waitpid(pid: i32, status: *mut i32, options: i32) -> i32;
    fn dup2(from: i32, to: i32) -> i32;
    fn _exit(code: i32) -> !;
}

/// What a child process came to.
pub(super) enum End<T> {
    /// Its work's own outcome.
    Done(Outcome<T>),
    /// It ended before that: what is known of the reason.
    Lost(Diagnostic),
}

impl<T> End<T> {
    /// The outcome; a lost child's is the reason.
    pub(super) fn or_lost(self) -> Outcome<T> {
        match self {
            End::Done(outcome) => outcome,
            End::Lost(reason) => Err(vec![reason]),
        }
    }
}

/// Runs `work` in a child process. Files of the exchange go into `dir`, below names that start with
/// `name`.
///
/// The calling process has one thread.
pub(super) fn isolated<T: Serialize + DeserializeOwned>(
    dir: &Path,
    name: &str,
    work: impl FnOnce() -> Outcome<T>,
) -> End<T> {
    let result_path = dir.join(format!("{name}-result.json"));
    let log_path = dir.join(format!("{name}-stderr.txt"));
    let end = run(&result_path, &log_path, work);
    let _ = fs::remove_file(&result_path);
    end
}

fn run<T: Serialize + DeserializeOwned>(
    result_path: &Path,
    log_path: &Path,
    work: impl FnOnce() -> Outcome<T>,
) -> End<T> {
    let broken = |what: String| End::Done(Err(vec![Diagnostic::new(what)]));
    let files = File::create(result_path).and_then(|r| Ok((r, File::create(log_path)?)));
    let (result_file, log_file) = match files {
        Ok(files) => files,
        Err(error) => return broken(format!("the code generator can't write its files: {error}")),
    };
    // SAFETY: the caller has one thread at this point, so the child's copy of the process is whole.
    // The child leaves by `_exit` and never returns into the caller.
    let child = unsafe { fork() };
    match child {
        -1 => broken("the code generator's process can't be started".to_owned()),
        0 => in_child(result_file, &log_file, work),
        _ => {
            let mut status = 0;
            // SAFETY: `child` is our child, `status` an integer.
            while unsafe { waitpid(child, &mut status, 0) } == -1 {
                if std::io::Error::last_os_error().kind() != std::io::ErrorKind::Interrupted {
                    return broken("the code generator's process was lost".to_owned());
                }
            }
            if status != 0 {
                return End::Lost(reason(status, log_path));
            }
            let outcome = fs::read(result_path)
                .map_err(|e| e.to_string())
                .and_then(|text| serde_json::from_slice(&text).map_err(|e| e.to_string()));
            match outcome {
                Ok(outcome) => End::Done(outcome),
                Err(error) => broken(format!("the code generator's result is unreadable: {error}")),
            }
        }
    }
}

/// The child: its standard error goes to the log, its result to a file.
fn in_child<T: Serialize>(mut result: File, log: &File, work: impl FnOnce() -> Outcome<T>) -> ! {
    // SAFETY: both descriptors are open.
    unsafe { dup2(log.as_raw_fd(), 2) };
    let written = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let text = serde_json::to_vec(&work()).map_err(std::io::Error::other)?;
        result.write_all(&text)
    }));
    let code = match written {
        Ok(Ok(())) => 0,
        Ok(Err(error)) => {
            eprintln!("the result can't be written: {error}");
            1
        }
        Err(_) => 1,
    };
    // SAFETY: ends the child without the parent's exit handlers.
    unsafe { _exit(code) }
}

/// Why a child ended before its work.
fn reason(status: i32, log_path: &Path) -> Diagnostic {
    let mut log = String::new();
    let _ = File::open(log_path).and_then(|mut f| f.read_to_string(&mut log));
    let log = log.trim();
    let exit_code = (status >> 8) & 0xff;
    let signal = status & 0x7f;
    let what = if signal != 0 {
        format!("LLVM crashed (signal {signal})")
    } else if exit_code == FATAL_EXIT_CODE {
        "LLVM can't compile it for the device".to_owned()
    } else {
        "the code generator failed: this is a bug in Ptyx".to_owned()
    };
    let text = if log.is_empty() {
        what
    } else {
        format!("{what}:\n  {}", log.lines().collect::<Vec<_>>().join("\n  "))
    };
    Diagnostic::new(text).help(GAP)
}
