//! What the macros say about mistakes: each `ui/NAME.rs` must give exactly `ui/NAME.stderr`; those
//! called `ui/NAME_fine.rs` must compile without a message.
//!
//! `PTYX_BLESS=1 cargo test -p ptyx-macros` rewrites the files with the current messages.

mod rustc;

use rustc::{newest_macros, rustc};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn messages() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui");
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let macros = newest_macros();
    let ptyx = scratch.join("libptyx.rmeta");
    let stand_in = folder.join("support/ptyx.rs");
    let (built, message) = rustc(&stand_in, &macros, None, &ptyx);
    assert!(built, "{message}");

    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .expect("the folder of the tests")
        .map(|entry| entry.expect("an entry of the folder").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    let mut wrong = Vec::new();
    for file in files {
        let (built, message) = rustc(&file, &macros, Some(&ptyx), &scratch.join("ui.rmeta"));
        let place = folder.display().to_string() + "/";
        let message = message.replace(&place, "");
        let expected_file = file.with_extension("stderr");
        let fine = file.file_stem().is_some_and(|name| name.to_string_lossy().ends_with("_fine"));
        if env::var_os("PTYX_BLESS").is_some() && !fine {
            fs::write(&expected_file, &message).expect("the message written");
        }
        let expected = fs::read_to_string(&expected_file).unwrap_or_default();
        if built != fine || message != expected {
            wrong.push(format!("{}:\n{message}\n-- expected:\n{expected}", file.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
