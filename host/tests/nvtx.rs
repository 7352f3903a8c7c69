//! Ranges and marks, as a profiler gets them: a library of the test's own.

use ptyx::nvtx::{self, Domain, Label};
use std::path::{Path, PathBuf};
use std::process::Command;

const PATH: &str = "NVTX_INJECTION64_PATH";

static DOMAIN: Domain = Domain::new("test");

/// What the child process does; without a profiler, nothing can be seen of it.
fn mark_everything() {
    nvtx::name_thread("main");
    {
        let _outer = nvtx::range("outer");
        let _inner = nvtx::range(Label::new("inner").color(0x12_34_56).payload(u64::MAX));
        nvtx::mark(Label::new("here").category(3));
    }
    nvtx::mark("cut\0off");
    let first = nvtx::process_range("first");
    let second = nvtx::process_range("second");
    drop(first);
    std::thread::spawn(move || drop(second)).join().unwrap();
    {
        let _range = DOMAIN.range("in a domain");
        DOMAIN.mark(Label::new("there").payload(0));
        drop(DOMAIN.process_range("long"));
    }
    nvtx::name_stream(&ptyx::Stream::new().unwrap(), "copies");
}

const EXPECTED: &str = "\
nvtx: thread `main`
nvtx: push `outer`
nvtx: push `inner` colour ff123456 payload 18446744073709551615
nvtx: mark `here` category 3
nvtx: pop
nvtx: pop
nvtx: mark `cut`
nvtx: start 40 `first`
nvtx: start 41 `second`
nvtx: end 40
nvtx: end 41
nvtx: domain `test`
nvtx: test: push `in a domain`
nvtx: test: mark `there` payload 0
nvtx: test: start `long`
nvtx: test: end 7
nvtx: test: pop
nvtx: stream `copies`
";

/// Builds the profiler.
fn profiler() -> PathBuf {
    let name = format!("libtest_profiler-{}.so", std::process::id());
    let library = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/nvtx/profiler.rs");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let built = Command::new(rustc)
        .args(["--edition=2024", "--crate-type=cdylib", "--crate-name=profiler", "-o"])
        .args([&library, &source])
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    library
}

/// Runs the test of this name in a process of its own; what it writes to standard error.
fn child(variables: &[(&str, &std::ffi::OsStr)]) -> String {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "events_reach_a_profiler", "--nocapture", "--test-threads=1"])
        .env("PTYX_TEST_CHILD", "1")
        .env_remove(PATH)
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stdout));
    text
}

#[test]
fn events_reach_a_profiler() {
    if std::env::var_os("PTYX_TEST_CHILD").is_some() {
        mark_everything();
        eprintln!("active: {}", nvtx::is_active());
        return;
    }
    let library = profiler();
    let lines = |text: &str, start: &str| -> String {
        text.lines().filter(|line| line.starts_with(start)).flat_map(|l| [l, "\n"]).collect()
    };
    let text = child(&[(PATH, library.as_os_str())]);
    assert_eq!(lines(&text, "nvtx: "), EXPECTED);
    assert!(text.contains("active: true"), "{text}");
    // A profiler that does not want to listen, and none.
    let refused = child(&[(PATH, library.as_os_str()), ("PROFILER_REFUSES", "1".as_ref())]);
    let none = child(&[]);
    for text in [refused, none] {
        assert_eq!(lines(&text, "nvtx: "), "");
        assert!(text.contains("active: false") && !text.contains(PATH), "{text}");
    }
    // Neither a missing library nor one without the entry keeps the program from running.
    let missing = child(&[(PATH, "/no/such/library.so".as_ref())]);
    let other = child(&[(PATH, "libc.so.6".as_ref())]);
    for text in [missing, other] {
        let said = lines(&text, "ptyx: NVTX_INJECTION64_PATH is `");
        assert!(said.contains("`, which can't be used: ") && said.lines().count() == 1, "{text}");
        assert!(text.contains("active: false"), "{text}");
    }
    std::fs::remove_file(library).unwrap();
}
