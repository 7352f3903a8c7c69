//! Runs rustc on a file that uses the macros.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The compiled macros that cargo made for this test, beside the test itself.
pub(crate) fn newest_macros() -> PathBuf {
    let test = env::current_exe().expect("the path of the test");
    let folder = test.parent().expect("the folder of the test");
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    fs::read_dir(folder)
        .expect("the folder of the test")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            name(path).is_some_and(|name| {
                name.contains("ptyx_macros-") && name.ends_with(env::consts::DLL_SUFFIX)
            })
        })
        .max_by_key(|path| fs::metadata(path).and_then(|data| data.modified()).ok())
        .expect("the compiled macros")
}

/// Checks a file; returns whether it compiles, and what rustc says.
pub(crate) fn rustc(
    file: &Path,
    macros: &Path,
    ptyx: Option<&Path>,
    output: &Path,
) -> (bool, String) {
    let mut command = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    command.args(["--edition=2024", "--crate-type=lib", "--emit=metadata", "--color=never"]);
    command.args(["-Aunused", "-Cmetadata=ui"]).arg(file).arg("-o").arg(output);
    match ptyx {
        None => command.arg("--extern").arg(format!("ptyx_macros={}", macros.display())),
        Some(ptyx) => {
            let folder = macros.parent().unwrap_or(Path::new("."));
            command.arg("-L").arg(format!("dependency={}", folder.display()));
            command.arg("--extern").arg(format!("ptyx={}", ptyx.display()))
        }
    };
    let result = command.output().expect("rustc runs");
    (result.status.success(), String::from_utf8_lossy(&result.stderr).into_owned())
}
