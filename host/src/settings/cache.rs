//! What the environment says about the cache: `PTYX_CACHE`, `PTYX_CACHE_SIZE`.

use super::{Lookup, bad};
use crate::error::Result;
use std::path::PathBuf;

const CACHE: &str = "PTYX_CACHE";
const CACHE_SIZE: &str = "PTYX_CACHE_SIZE";
/// Bytes that the cache may take, if the environment does not say.
const DEFAULT_SIZE: u64 = 1 << 30;

/// Where machine code is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CacheFolder {
    pub(crate) folder: PathBuf,
    /// How much the files may take, in bytes.
    pub(crate) limit: u64,
}

/// The folder in the user's one for caches.
fn default_folder(lookup: Lookup<'_>) -> Option<PathBuf> {
    let of = |variable: &str| lookup(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    let caches = of("XDG_CACHE_HOME").or_else(|| Some(of("HOME")?.join(".cache")))?;
    Some(caches.join("ptyx").join("kernels"))
}

/// The folder, if there is one. An empty value counts as unset.
pub(crate) fn cache(lookup: Lookup<'_>) -> Result<Option<CacheFolder>> {
    let get = |variable: &str| lookup(variable).filter(|value| !value.is_empty());
    let limit = match get(CACHE_SIZE) {
        None => DEFAULT_SIZE,
        Some(value) => value
            .to_str()
            .and_then(bytes)
            .ok_or_else(|| bad(CACHE_SIZE, value, "a size such as `500MiB` or `2GiB`"))?,
    };
    let value = get(CACHE).unwrap_or_else(|| "off".into());
    let folder = match value.to_str() {
        Some("auto" | "1") => default_folder(lookup),
        Some("off" | "0") => None,
        _ => {
            let path = PathBuf::from(&value);
            if !path.is_absolute() || path.is_file() {
                let choices = "`off` or `0`, `auto` or `1`, or the absolute path of a folder";
                return Err(bad(CACHE, value, choices));
            }
            Some(path)
        }
    };
    Ok(folder.map(|folder| CacheFolder { folder, limit }))
}

/// `2GiB` as bytes.
fn bytes(text: &str) -> Option<u64> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let shift = match unit.trim() {
        "" | "B" => 0,
        "KiB" => 10,
        "MiB" => 20,
        "GiB" => 30,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(1 << shift)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsString;

    fn of(variables: &[(&str, &str)]) -> Result<Option<CacheFolder>> {
        let lookup = |name: &str| -> Option<OsString> {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into())
        };
        cache(&lookup)
    }

    #[test]
    fn the_environment_says_where_and_how_much() {
        let store = |folder: &str, limit| Some(CacheFolder { folder: folder.into(), limit });
        let home = ("HOME", "/h");
        let users = "/h/.cache/ptyx/kernels";
        let auto = (CACHE, "auto");
        for unset in [&[home][..], &[home, (CACHE, "")]] {
            assert_eq!(of(unset).unwrap(), None);
        }
        for on in [auto, (CACHE, "1")] {
            assert_eq!(of(&[home, on]).unwrap(), store(users, DEFAULT_SIZE));
        }
        for off in ["off", "0"] {
            assert_eq!(of(&[home, (CACHE, off)]).unwrap(), None);
        }
        let named = [home, (CACHE, "/h/x"), (CACHE_SIZE, "3MiB")];
        assert_eq!(of(&named).unwrap(), store("/h/x", 3 << 20));
        assert_eq!(of(&[auto]).unwrap(), None);
        let both = [auto, home, ("XDG_CACHE_HOME", "/x")];
        assert_eq!(of(&both).unwrap(), store("/x/ptyx/kernels", DEFAULT_SIZE));
        assert_eq!(of(&[auto, ("XDG_CACHE_HOME", "relative")]).unwrap(), None);
    }

    #[test]
    fn garbage_is_named() {
        for (variable, value) in [
            (CACHE, "relative/folder"),
            (CACHE_SIZE, "much"),
            (CACHE_SIZE, "-1"),
            (CACHE_SIZE, "1GB"),
        ] {
            let text = of(&[(variable, value)]).unwrap_err().to_string();
            assert!(text.starts_with(&format!("{variable} is `{value}`: it must be ")), "{text}");
        }
        assert_eq!(bytes("99999999999GiB"), None);
        assert_eq!(["7", "7 B", "2KiB"].map(bytes), [Some(7), Some(7), Some(2048)]);
    }
}
