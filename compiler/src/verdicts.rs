//! Verdicts of the build script that the macros of Ptyx pass on.
//!
//! `PTYX_BUILD` is set for rustc in each of the package's targets. It shows that there is a build script
//! that compiles kernels. Its value is a folder with a file for each target that has kernels which can't be
//! compiled. A macro of Ptyx in such a target reports them there, so that the other targets can be built.
//! `launch-macro/src/build.rs` reads the files.

use std::fs;

use crate::device_pass::BuildEnv;
use crate::embed::write_if_changed;
use crate::error::{Context, Result};
use crate::package::{Message, Refused};

/// Separates the parts of a file.
const SEPARATOR: char = '\u{1e}';
/// Separates a message's launch from its text.
const LAUNCH: char = '\u{1f}';

/// Writes the files, and tells cargo.
pub(crate) fn write(env: &BuildEnv, refused: &[Refused]) -> Result<()> {
    let dir = env.out_dir.join("ptyx-refused");
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).context("create", &dir)?;
    for (index, refused) in refused.iter().enumerate() {
        let path = dir.join(format!("{index}.txt"));
        write_if_changed(&path, text(refused).as_bytes())?;
    }
    println!("cargo::rustc-env=PTYX_BUILD={}", dir.display());
    for refused in refused {
        let target = &refused.executable.target;
        if refused.executable.test || !target.kind.iter().any(|kind| kind == "bin") {
            continue;
        }
        // For a program without any macro of Ptyx, which instantiates a library's launches.
        let path = env.out_dir.join(format!("ptyx-refused-{}.ld", target.name));
        write_if_changed(&path, linker_script(&refused.messages).as_bytes())?;
        println!("cargo::rustc-link-arg-bin={}={}", target.name, path.display());
    }
    Ok(())
}

/// The target's source file, whether it is its unit tests, and the messages, each behind the first token of its launch.
fn text(refused: &Refused) -> String {
    let kind = if refused.executable.test { "test" } else { "plain" };
    let source = refused.executable.target.src_path.to_string_lossy();
    let mut parts = vec![source.as_ref(), kind];
    let message = |Message { text, launch }: &Message| {
        format!("{}{LAUNCH}{text}", launch.as_deref().unwrap_or_default())
    };
    let messages: Vec<String> = refused.messages.iter().map(message).collect();
    parts.extend(messages.iter().map(String::as_str));
    parts.join(&SEPARATOR.to_string())
}

/// A linker script that makes linking fail with the given messages.
fn linker_script(messages: &[Message]) -> String {
    let texts: Vec<&str> = messages.iter().map(|message| message.text.as_str()).collect();
    let quoted = texts.join("\n").replace('"', "'");
    format!("ASSERT(0, \"{quoted}\")\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device_pass::Executable;

    #[test]
    fn files_for_the_macros() {
        let target = r#"{"name": "b", "kind": ["bin"], "src_path": "/w/src/bin/b.rs"}"#;
        let target = serde_json::from_str(target).unwrap();
        let refused = Refused {
            executable: Executable { target, test: true },
            messages: vec![
                Message {
                    text: "kernel `k`: no\n --> src/bin/b.rs:1:1".into(),
                    launch: Some("/w/src/bin/b.rs:7:13".into()),
                },
                Message { text: "two \"words\"".into(), launch: None },
            ],
        };
        assert_eq!(
            text(&refused),
            "/w/src/bin/b.rs\u{1e}test\u{1e}/w/src/bin/b.rs:7:13\u{1f}kernel `k`: no\n --> src/bin/b.rs:1:1\
             \u{1e}\u{1f}two \"words\""
        );
        let script = linker_script(&refused.messages);
        assert_eq!(script.matches('"').count(), 2, "{script}");
    }
}
