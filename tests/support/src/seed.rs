//! The seed of random input.

use std::process::Command;
use std::sync::OnceLock;

/// The variable that sets the seed.
const VARIABLE: &str = "PTYX_SEED";

/// Hexadecimal digits of the commit's name that become the seed: as in `.ci/run`.
const DIGITS: usize = 15;

/// The seed where there is no commit.
const WITHOUT_COMMIT: u64 = 1;

/// The seed of a test's random input, which is printed, so that a failing test shows it: `PTYX_SEED`, or else the first
/// bits of the commit's name. So each commit has its own, and a second run of the same one repeats the first.
pub fn seed() -> u64 {
    static SEED: OnceLock<u64> = OnceLock::new();
    let seed = *SEED.get_or_init(|| {
        let given = std::env::var(VARIABLE).ok().and_then(|seed| seed.parse().ok());
        given.or_else(|| of_commit(&commit()?)).unwrap_or(WITHOUT_COMMIT)
    });
    println!("{VARIABLE}={seed}");
    seed
}

/// The commit that the sources are at, as git says.
fn commit() -> Option<String> {
    let mut git = Command::new("git");
    git.args(["-C", env!("CARGO_MANIFEST_DIR"), "rev-parse", "--verify", "--quiet", "HEAD"]);
    let output = git.output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok()
}

fn of_commit(name: &str) -> Option<u64> {
    u64::from_str_radix(name.get(..DIGITS)?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_has_its_seed() {
        assert_eq!(of_commit("00000000000000ff0123456789abcdef01234567"), Some(15));
        assert_eq!(of_commit("fffffffffffffff0"), Some((1 << 60) - 1));
        assert_eq!(of_commit("not a commit's name"), None);
        assert_eq!(of_commit("12"), None);
        assert_eq!(seed(), seed());
    }
}
