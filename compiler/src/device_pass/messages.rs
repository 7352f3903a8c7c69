//! What cargo prints with `--message-format=json`: the crates that it made, and rustc's errors.

use std::path::{Path, PathBuf};

use serde::Deserialize;

/// How the note begins that says which code led to an error in an instance of generic code. If rustc words it differently,
/// the error is reported without it.
const ORIGIN: &str = "note: the above error was encountered while";

/// One line.
#[derive(Debug, Deserialize)]
#[serde(tag = "reason", rename_all = "kebab-case")]
pub(super) enum Message {
    CompilerArtifact(Artifact),
    CompilerMessage(CompilerMessage),
    #[serde(other)]
    Other,
}

/// A crate that is up to date.
#[derive(Debug, Deserialize)]
pub(super) struct Artifact {
    /// The package's `Cargo.toml`.
    pub(super) manifest_path: PathBuf,
    pub(super) target: Target,
    pub(super) profile: Profile,
    pub(super) filenames: Vec<PathBuf>,
}

/// A message of rustc.
#[derive(Debug, Deserialize)]
pub(super) struct CompilerMessage {
    /// The package's `Cargo.toml`.
    pub(super) manifest_path: PathBuf,
    pub(super) target: Target,
    pub(super) message: Diagnostic,
}

/// A target of a package.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) name: String,
    pub(crate) kind: Vec<String>,
    /// The file that rustc is given.
    #[serde(default)]
    pub(crate) src_path: PathBuf,
}

/// How a crate was compiled.
#[derive(Debug, Deserialize)]
pub(super) struct Profile {
    /// As a test program.
    pub(super) test: bool,
}

/// rustc's message itself.
#[derive(Debug, Deserialize)]
pub(super) struct Diagnostic {
    pub(super) level: String,
    /// As rustc prints it on a terminal, without colours.
    pub(super) rendered: Option<String>,
}

impl Target {
    /// Whether this is the package's library.
    pub(super) fn is_lib(&self) -> bool {
        const KINDS: &[&str] = &["lib", "rlib", "dylib", "cdylib", "staticlib"];
        self.kind.iter().any(|kind| KINDS.contains(&kind.as_str()))
    }

    /// Whether it runs during the build, on the host.
    pub(super) fn is_for_host(&self) -> bool {
        self.kind.iter().any(|kind| kind == "custom-build" || kind == "proc-macro")
    }

    /// For the user: the kind, and the name unless it is the library.
    pub(crate) fn describe(&self) -> String {
        match self.kind.first() {
            Some(kind) if !self.is_lib() => format!("{kind} `{}`", self.name),
            _ => "lib".to_owned(),
        }
    }
}

impl CompilerMessage {
    /// Whether both are about the same target.
    pub(super) fn is_about_same_target(&self, other: &Self) -> bool {
        self.manifest_path == other.manifest_path && self.target == other.target
    }

    /// The text of an error.
    pub(super) fn error(&self) -> Option<&str> {
        let text = self.message.rendered.as_deref()?;
        // rustc closes with a count of what it has already said.
        let is_summary = text.starts_with("error: aborting due to");
        (self.message.level.starts_with("error") && !is_summary).then_some(text)
    }

    /// The text of a note that says which code led to the error before it. To rustc, it is a message of its own, and the
    /// error itself may be about a line of a library.
    fn origin(&self) -> Option<&str> {
        let text = self.message.rendered.as_deref()?;
        text.starts_with(ORIGIN).then_some(text)
    }
}

/// The errors among messages, and the notes about them.
pub(super) fn errors(messages: &[Message]) -> Vec<&CompilerMessage> {
    let mut errors: Vec<&CompilerMessage> = Vec::new();
    for message in messages {
        let Message::CompilerMessage(message) = message else { continue };
        let continues = |error: &&CompilerMessage| error.is_about_same_target(message);
        if message.error().is_some()
            || message.origin().is_some() && errors.last().is_some_and(continues)
        {
            errors.push(message);
        }
    }
    errors
}

/// The texts of errors, each with the notes about it.
pub(super) fn texts<'a>(errors: impl Iterator<Item = &'a CompilerMessage>) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for message in errors {
        match (message.error(), message.origin(), texts.last_mut()) {
            (Some(error), ..) => texts.push(error.trim_end().to_owned()),
            (None, Some(note), Some(error)) => {
                error.push_str("\n\n");
                error.push_str(note.trim_end());
            }
            _ => {}
        }
    }
    texts
}

/// Reads cargo's output; lines that are not messages (output of build scripts, say) are left out.
pub(super) fn parse(stdout: &[u8]) -> Vec<Message> {
    stdout
        .split(|&byte| byte == b'\n')
        .filter(|line| line.first() == Some(&b'{'))
        .filter_map(|line| serde_json::from_slice(line).ok())
        .collect()
}

/// The place of a crate's files, without extension: `.../deps/name-0123456789abcdef`.
///
/// Cargo names the files of a package's own libraries and programs without the hash. But a library has
/// an `.rmeta` file with one, and [`super::scripts`] writes a program's true path into it.
pub(super) fn stem(
    filenames: &[PathBuf],
    read: impl Fn(&Path) -> Option<String>,
) -> Option<PathBuf> {
    let has = |path: &&PathBuf, extension: &str| path.extension().is_some_and(|e| e == extension);
    let library = |path: &PathBuf| {
        let name = path.file_stem()?.to_str()?.strip_prefix("lib")?;
        Some(path.with_file_name(name))
    };
    if let Some(metadata) = filenames.iter().find(|path| has(path, "rmeta")) {
        return library(metadata);
    }
    if let Some(archive) = filenames.iter().find(|path| has(path, "rlib")) {
        return library(archive);
    }
    let program = filenames.iter().find(|path| !has(path, "a"))?;
    let path = PathBuf::from(read(program)?);
    if !path.is_absolute() {
        return None;
    }
    match path.extension() {
        Some(extension) if extension == "so" => library(&path),
        _ => Some(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ARTIFACT: &str = r#"{"reason":"compiler-artifact","package_id":"path+file:///a#0.1.0",
        "manifest_path":"/a/Cargo.toml","target":{"kind":["lib"],"crate_types":["lib"],
        "name":"a_pkg","src_path":"/a/src/lib.rs","edition":"2024","test":true},
        "profile":{"opt_level":"0","test":false},"features":["x"],
        "filenames":["/t/debug/liba_pkg.rlib","/t/debug/deps/liba_pkg-ba.rmeta"],
        "executable":null,"fresh":true}"#;

    #[test]
    fn lines_of_a_build() {
        let output = format!(
            "{}\nnoise\n{}\n{}\n",
            ARTIFACT.replace('\n', ""),
            r#"{"reason":"build-script-executed","out_dir":"/o"}"#,
            r#"{"reason":"compiler-message","manifest_path":"/a/Cargo.toml","target":{"kind":["example"],"name":"e"},"message":{"level":"error","rendered":"error: no\n","spans":[]}}"#,
        );
        let messages = parse(output.as_bytes());
        let [
            Message::CompilerArtifact(artifact),
            Message::Other,
            Message::CompilerMessage(message),
        ] = messages.as_slice()
        else {
            panic!("{messages:?}")
        };
        assert!(artifact.target.is_lib() && !artifact.profile.test);
        assert_eq!(message.error(), Some("error: no\n"));
        assert_eq!(message.target.describe(), "example `e`");
    }

    #[test]
    fn summaries_and_warnings_are_no_errors() {
        for (level, text) in [("error", "error: aborting due to 2 errors\n"), ("warning", "w")] {
            let message = CompilerMessage {
                manifest_path: PathBuf::new(),
                target: Target {
                    name: "t".into(),
                    kind: vec!["bin".into()],
                    src_path: PathBuf::new(),
                },
                message: Diagnostic { level: level.into(), rendered: Some(text.into()) },
            };
            assert_eq!(message.error(), None, "{text}");
        }
    }

    #[test]
    fn notes_of_instances_follow_their_errors() {
        let message = |target: &str, level: &str, text: &str| {
            let target =
                Target { name: target.into(), kind: vec!["bin".into()], src_path: PathBuf::new() };
            let message = Diagnostic { level: level.into(), rendered: Some(text.into()) };
            Message::CompilerMessage(CompilerMessage {
                manifest_path: PathBuf::new(),
                target,
                message,
            })
        };
        let origin = format!("{ORIGIN} instantiating `fn f`\n");
        let messages = [
            message("a", "note", &origin),
            message("a", "error", "error: no\n\n"),
            message("a", "note", "note: erroneous constant encountered\n"),
            message("a", "note", &origin),
            message("b", "note", &origin),
            message("b", "error", "error: never\n"),
        ];
        let found = texts(errors(&messages).into_iter());
        let first = format!("error: no\n\n{}", origin.trim_end());
        assert_eq!(found, [first.as_str(), "error: never"]);
    }

    #[test]
    fn stems() {
        let paths = |list: &[&str]| list.iter().map(PathBuf::from).collect::<Vec<_>>();
        let read = |path: &Path| match path.to_str()? {
            "/t/a-pkg" => Some("/t/deps/a_pkg-12".to_owned()),
            "/t/libc.so" => Some("/t/deps/libc-34.so".to_owned()),
            "/t/other" => Some("no path".to_owned()),
            _ => None,
        };
        let cases: &[(&[&str], Option<&str>)] = &[
            (&["/t/liba.rlib", "/t/deps/liba-ba.rmeta"], Some("/t/deps/a-ba")),
            (&["/t/deps/libd-12.rlib"], Some("/t/deps/d-12")),
            (&["/t/a-pkg"], Some("/t/deps/a_pkg-12")),
            (&["/t/libc.so"], Some("/t/deps/c-34")),
            (&["/t/other"], None),
            (&["/t/libs.a"], None),
            (&["/t/gone"], None),
        ];
        for (files, expected) in cases {
            assert_eq!(stem(&paths(files), read), expected.map(PathBuf::from), "{files:?}");
        }
    }
}
