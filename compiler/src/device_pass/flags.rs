//! The compiler flags that both passes must share: those that types and code can depend on.
//!
//! A field can have a `cfg`, so host and device agree on a type only if they agree on every `cfg`: those
//! of `--cfg`, `target_feature` (`-Ctarget-cpu`, `-Ctarget-feature`), `panic` (`-Cpanic`),
//! `debug_assertions` and `overflow_checks`. Flags that affect the host's machine code, its linking or
//! rustc's warnings apply only to the host.

/// Options of `-C` that set a `cfg`.
pub(crate) const CODEGEN: [&str; 6] =
    ["target-cpu", "target-feature", "panic", "debug-assertions", "overflow-checks", "opt-level"];

/// Unstable options of `-Z` that types or their layouts depend on.
pub(crate) const UNSTABLE: [&str; 5] =
    ["randomize-layout", "layout-seed", "crate-attr", "ub-checks", "contract-checks"];

/// Options whose value is the next argument, or follows `=`.
const LONG: [&str; 3] = ["--cfg", "--check-cfg", "--extern"];

/// The host's flags that the device pass also needs.
///
/// `-Copt-level` is always passed as two arguments, as cargo itself writes it: [`super::scripts`] reads it to
/// find the default for debug assertions.
pub(super) fn of_both_passes(flags: &[String]) -> Vec<String> {
    let mut chosen: Vec<String> = Vec::new();
    let mut rest = flags.iter();
    while let Some(flag) = rest.next() {
        let long = LONG.iter().find(|long| flag.starts_with(**long));
        let letter = ["-C", "-Z", "-L"].into_iter().find(|letter| flag.starts_with(letter));
        match (long, letter) {
            (Some(long), _) if flag == long => {
                chosen.push(flag.clone());
                chosen.extend(rest.next().cloned());
            }
            (Some(long), _) if flag[long.len()..].starts_with('=') => chosen.push(flag.clone()),
            (None, Some(letter)) => {
                let behind = &flag[letter.len()..];
                let Some(option) = (match behind.is_empty() {
                    true => rest.next().map(String::as_str),
                    false => Some(behind),
                }) else {
                    break;
                };
                if letter == "-L" || is_listed(letter, option) {
                    chosen.extend([letter.to_owned(), option.to_owned()]);
                }
            }
            (None, None) if flag == "--codegen" => {
                if let Some(option) = rest.next().filter(|option| is_listed("-C", option)) {
                    chosen.extend(["-C".to_owned(), option.clone()]);
                }
            }
            (None, None) if flag.starts_with("--codegen=") => {
                let option = &flag["--codegen=".len()..];
                if is_listed("-C", option) {
                    chosen.extend(["-C".to_owned(), option.to_owned()]);
                }
            }
            (None, None) if flag == "-O" => {
                chosen.extend(["-C", "opt-level=3"].map(str::to_owned));
            }
            _ => {}
        }
    }
    chosen
}

/// Whether `option` is one of those after `letter` that matter.
fn is_listed(letter: &str, option: &str) -> bool {
    let name = option.split('=').next().unwrap_or(option).replace('_', "-");
    let list: &[&str] = if letter == "-C" { &CODEGEN } else { &UNSTABLE };
    list.contains(&name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(flags: &[&str]) -> Vec<String> {
        of_both_passes(&flags.iter().map(|flag| (*flag).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn what_a_cfg_follows_from() {
        for (flags, expected) in [
            (&["--cfg", "a", "--cfg=b=\"c\""][..], &["--cfg", "a", "--cfg=b=\"c\""][..]),
            (
                &["--check-cfg", "cfg(a)", "--check-cfg=cfg(b)"],
                &["--check-cfg", "cfg(a)", "--check-cfg=cfg(b)"],
            ),
            (&["-Ctarget-cpu=native"], &["-C", "target-cpu=native"]),
            (&["-C", "target-feature=+avx2"], &["-C", "target-feature=+avx2"]),
            (&["--codegen", "panic=abort"], &["-C", "panic=abort"]),
            (&["--codegen=target_cpu=znver4"], &["-C", "target_cpu=znver4"]),
            (&["-O", "-Copt-level=1"], &["-C", "opt-level=3", "-C", "opt-level=1"]),
            (
                &["-Cdebug-assertions", "-Zlayout-seed=1"],
                &["-C", "debug-assertions", "-Z", "layout-seed=1"],
            ),
            (&["-Ldir", "--extern=x=y"], &["-L", "dir", "--extern=x=y"]),
        ] {
            assert_eq!(of(flags), expected, "{flags:?}");
        }
    }

    #[test]
    fn what_is_the_hosts_alone() {
        for flags in [
            &["-Dwarnings", "-Clinker=x", "-Cinstrument-coverage", "-Clto=fat", "-g"][..],
            &[
                "-C",
                "link-arg=--cfg",
                "-Zthreads=8",
                "--cap-lints=warn",
                "-lz",
                "-Ccodegen-units=1",
            ],
            &["--config=x", "-C"],
        ] {
            assert_eq!(of(flags), [""; 0], "{flags:?}");
        }
    }
}
