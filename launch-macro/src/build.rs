//! What the package's build script reports: that it exists, and which targets have kernels that can't be
//! compiled. `compiler/src/verdicts.rs` writes the report.

use crate::output::Problem;
use proc_macro::Span;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Set by the build script: a folder with a file for each target that has errors.
const VARIABLE: &str = "PTYX_BUILD";

/// Separates the parts of a file.
const SEPARATOR: char = '\u{1e}';

/// Separates the first token of a launch from the message about it.
const LAUNCH: char = '\u{1f}';

const MISSING: &str = "this package has no build script that compiles its kernels, so the program would \
    have none\n\
    \x20= help: add a file `build.rs` beside `Cargo.toml`:\n\
    \x20        fn main() {\n\
    \x20            ptyx_compiler::build();\n\
    \x20        }\n\
    \x20and in `Cargo.toml`:\n\
    \x20        [build-dependencies]\n\
    \x20        ptyx-compiler = \"0.1\"\n\
    \x20= note: every package with a launch in its source needs one, even if all its launches are generic";

/// The errors of the target that is being compiled that a macro with this input reports: those about the launch that it is, and
/// in the first macro those about none. Each is returned once.
pub(crate) fn refused(input: Option<Span>) -> Vec<Problem> {
    static LEFT: Mutex<Option<Vec<Refusal>>> = Mutex::new(None);
    let mut left = LEFT.lock().unwrap_or_else(PoisonError::into_inner);
    let left = left.get_or_insert_with(refusals);
    if left.is_empty() {
        return Vec::new();
    }
    let here = input.and_then(position);
    let is_here = |refusal: &mut Refusal| refusal.launch.is_none() || refusal.launch == here;
    left.extract_if(.., is_here)
        .map(|refusal| Problem::new(Span::call_site(), refusal.message))
        .collect()
}

/// An error of the build script.
struct Refusal {
    /// The first token of the launch.
    launch: Option<String>,
    message: String,
}

/// All that are about the target that is being compiled.
fn refusals() -> Vec<Refusal> {
    let Some(folder) = env::var_os(VARIABLE) else { return Vec::new() };
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    let target = Target::of_this_process();
    let texts = files.iter().filter_map(|file| fs::read_to_string(file).ok());
    let messages = texts.filter_map(|text| target.messages(&text)).flatten();
    let refusal = |message: String| match message.split_once(LAUNCH) {
        Some((launch, text)) => Refusal {
            launch: Some(launch.to_owned()).filter(|launch| !launch.is_empty()),
            message: text.to_owned(),
        },
        None => Refusal { launch: None, message },
    };
    messages.map(refusal).collect()
}

/// A token's file, line and column, as the build script writes them.
fn position(span: Span) -> Option<String> {
    let file = fs::canonicalize(span.local_file()?).ok()?;
    Some(format!("{}:{}:{}", file.display(), span.line(), span.column()))
}

/// The error of a launch in a package whose build script compiles no kernels.
pub(crate) fn missing() -> Option<Problem> {
    let is_built = env::var_os(VARIABLE).is_some();
    // The tests of `ptyx` itself launch kernels in PTX.
    let is_ours = env::var("CARGO_PKG_NAME").is_ok_and(|name| name == "ptyx");
    (!is_built && !is_ours && is_target_of_cargo())
        .then(|| Problem::new(Span::call_site(), MISSING))
}

/// Whether this process compiles a cargo target, not a documentation test, and runs in neither an editor's
/// language server nor another build system.
fn is_target_of_cargo() -> bool {
    let Ok(name) = env::var("CARGO_CRATE_NAME") else { return false };
    let arguments: Vec<_> = env::args_os().collect();
    arguments.windows(2).any(|pair| pair[0] == "--crate-name" && pair[1] == *name)
}

/// The root source file of the target that is being compiled, relative to its package if it lies there.
/// A program and an example of one name differ in nothing else.
fn root_source() -> Option<String> {
    let source = Target::of_this_process().source()?;
    let package = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    Some(source.strip_prefix(package).unwrap_or(&source).display().to_string())
}

/// A constant expression that distinguishes this crate from others of its name, the same in both passes.
pub(crate) fn crate_id() -> String {
    let root_source = match root_source() {
        Some(root_source) => format!("::core::option::Option::Some({root_source:?})"),
        None => "::core::option::Option::None".to_owned(),
    };
    format!(
        "::ptyx::launch::crate_id(
             &[
                 ::core::option_env!(\"CARGO_PKG_NAME\"),
                 ::core::option_env!(\"CARGO_PKG_VERSION\"),
                 ::core::option_env!(\"CARGO_CRATE_NAME\"),
                 ::core::option_env!(\"CARGO_BIN_NAME\"),
                 {root_source},
             ],
             &[
                 ::core::option_env!(\"CARGO_TARGET_TMPDIR\").is_some(),
                 ::core::cfg!(test),
             ],
         )"
    )
}

/// What rustc was told to compile.
struct Target {
    arguments: Vec<std::ffi::OsString>,
}

impl Target {
    fn of_this_process() -> Target {
        Target { arguments: env::args_os().collect() }
    }

    /// The messages in a file, if it is about this target.
    fn messages(&self, text: &str) -> Option<Vec<String>> {
        let mut parts = text.split(SEPARATOR);
        let (source, kind) = (Path::new(parts.next()?), parts.next()?);
        let is_test = self.arguments.iter().any(|argument| argument == "--test");
        let is_this = is_test == (kind == "test") && self.source().as_deref() == Some(source);
        is_this.then(|| parts.map(str::to_owned).collect())
    }

    /// The crate's root file. It is the only argument of its own that cargo passes, and stands before all
    /// options but `--crate-name` and `--edition`.
    fn source(&self) -> Option<PathBuf> {
        let sources = self.arguments.iter().map(Path::new);
        let source =
            sources.skip(1).find(|path| path.extension().is_some_and(|end| end == "rs"))?;
        Some(env::current_dir().unwrap_or_default().join(source))
    }
}
