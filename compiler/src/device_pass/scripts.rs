//! The two shell scripts of the device pass: a wrapper around rustc and a stand-in for the linker.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::error::{Context, Result};
use crate::rust::flags::{BOOTSTRAP, OPTIMISED};

/// Runs rustc. For crates of the device (cargo names the crate in `CARGO_CRATE_NAME`; a build
/// script that probes the compiler does not) it adds what cargo can't be told:
/// - `RUSTC_BOOTSTRAP` and the unstable options, which no build script's probe should see;
/// - full optimisation, with debug assertions and overflow checks as cargo's profile has them. Without
///   `debug-assertions` they follow from the last `-Copt-level`; if there is none, it is 0.
///
/// In a file beside the bitcode, `<stem>.externs`, it notes the crates that the crate uses and whether
/// the crate's panics abort.
///
/// Nothing that stays tells where the target folder is, neither these notes nor the flags that cargo compares: so
/// a copy of the folder is as good as the folder. The linker is named here and not in cargo's flags for that reason.
///
/// For crates of the host it adds `cfg(ptyx_nested)`, also when cargo asks for the host's `cfg`s:
/// so `ptyx-compiler` is compiled without its dependencies.
///
/// The placeholders between `@` are filled from [`crate::rust::flags`].
const RUSTC: &str = r#"#!/bin/sh
device= host=yes named= level=0 asserts= aborts=
directory= suffix= externs= previous=
here=${0%/*} pass=${0%/scripts-*}
for argument; do
  case $argument in
    ptyx_device) device=yes ;;
    opt-level=*) level=${argument#*=} ;;
    debug-assertions|debug-assertions=*) asserts=yes ;;
    panic=abort) aborts="aborts
" ;;
    panic=*) aborts= ;;
    extra-filename=*) suffix=${argument#*=} ;;
    --crate-name) named=yes ;;
    --target|--target=*) host= ;;
  esac
  case $previous in
    --out-dir) directory=$argument ;;
    --extern)
      case $argument in
        *="$pass"/*) argument=${argument%%=*}=${argument#*="$pass"/} ;;
      esac
      externs="$externs$argument
" ;;
  esac
  previous=$argument
done
if [ "$device" ]; then
  if [ "$CARGO_CRATE_NAME" ]; then
    [ "$directory" ] && printf %s "$externs$aborts" > "$directory/$CARGO_CRATE_NAME$suffix.externs"
    @NAME@=@VALUE@
    export @NAME@
    debug=
    [ -z "$asserts" ] && [ "$level" = 0 ] && debug=yes
    exec "$@" ${debug:+-Cdebug-assertions=on} @OPTIMISED@ -Clinker="$here/linker.sh"
  fi
  exec "$@" -Clinker="$here/linker.sh"
fi
[ "$host" ] || exec "$@" -Clinker="$here/linker.sh"
[ "$named" ] || host=
exec "$@" ${host:+--cfg=ptyx_nested}
"#;

/// Links nothing, because the output of the device pass is never run. Writes the output's own path into
/// it, because cargo then makes a link to it under a name without the hash.
const LINKER: &str = r#"#!/bin/sh
previous=
for argument; do
  case $argument in
    @*) while read -r line; do
          case $previous in -o) printf %s "$line" > "$line"; exit 0 ;; esac
          previous=$line
        done < "${argument#@}" ;;
    *)  case $previous in -o) printf %s "$argument" > "$argument"; exit 0 ;; esac ;;
  esac
  previous=$argument
done
echo "no output file among the linker's arguments" >&2
exit 1
"#;

/// The scripts, written to disk.
#[derive(Clone, Debug)]
pub(crate) struct Scripts {
    pub(crate) rustc: PathBuf,
    /// Changes with the scripts.
    pub(crate) version: String,
}

impl Scripts {
    /// Writes the scripts into `dir`, unless they are there.
    pub(crate) fn write(dir: &Path) -> Result<Self> {
        let mut hasher = DefaultHasher::new();
        let rustc = RUSTC
            .replace("@NAME@", BOOTSTRAP.0)
            .replace("@VALUE@", BOOTSTRAP.1)
            .replace("@OPTIMISED@", &OPTIMISED.join(" "));
        (&rustc, LINKER).hash(&mut hasher);
        let version = format!("{:016x}", hasher.finish());
        let dir = dir.join(format!("scripts-{version}"));
        fs::create_dir_all(&dir).context("create", &dir)?;
        let write = |name: &str, text: &str| -> Result<PathBuf> {
            let path = dir.join(name);
            if fs::read(&path).is_ok_and(|bytes| bytes == text.as_bytes()) {
                return Ok(path);
            }
            // A script that another build script runs at this moment must not be open for
            // writing: write it under another name first.
            let draft = dir.join(format!("{name}.{}", std::process::id()));
            fs::write(&draft, text).context("write", &draft)?;
            fs::set_permissions(&draft, fs::Permissions::from_mode(0o755))
                .context("make executable", &draft)?;
            fs::rename(&draft, &path).context("write", &path)?;
            Ok(path)
        };
        write("linker.sh", LINKER)?;
        Ok(Scripts { rustc: write("rustc.sh", &rustc)?, version })
    }
}
