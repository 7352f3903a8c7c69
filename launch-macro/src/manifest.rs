//! The name of a dependency, if the package's manifest gives it another one than the crate's own.
//!
//! A light reader of TOML: it knows tables, keys with dots, and strings in inline tables, which is all
//! that a dependency with another name is made of.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// What the package that is compiled calls `package`; `None` if it has no other name for it.
pub(crate) fn name_of(package: &str) -> Option<String> {
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR")?).join("Cargo.toml");
    let text = fs::read_to_string(&manifest).ok()?;
    let inherited = |key: &str| is_package_of_workspace(manifest.parent()?, key, package);
    other_name(&text, package, |key| inherited(key).unwrap_or(false))
        .map(|name| name.replace('-', "_"))
}

/// The key of the dependency that is `package` under another name, unless there is one under its own
/// name.
fn other_name(text: &str, package: &str, inherits: impl Fn(&str) -> bool) -> Option<String> {
    let mut name = None;
    for entry in entries(text) {
        let Some(key) = key_of_dependency(&entry.path) else { continue };
        let is_package = entry.package().as_deref() == Some(package);
        if key == package && entry.package().is_none_or(|named| named == package) {
            return None;
        }
        if is_package || entry.is_inherited() && inherits(key) {
            name.get_or_insert_with(|| key.to_owned());
        }
    }
    name
}

/// Whether the workspace above `directory` has a dependency `key` that is `package`.
fn is_package_of_workspace(directory: &Path, key: &str, package: &str) -> Option<bool> {
    let text = directory
        .ancestors()
        .filter_map(|directory| fs::read_to_string(directory.join("Cargo.toml")).ok())
        .find(|text| text.lines().any(|line| line.trim_start().starts_with("[workspace")))?;
    Some(entries(&text).into_iter().any(|entry| {
        let is_key =
            entry.path.starts_with(&["workspace".into(), "dependencies".into(), key.into()]);
        is_key && entry.package().as_deref() == Some(package)
    }))
}

/// `path = value`, the table's name included in the path.
struct Entry {
    path: Vec<String>,
    value: String,
}

impl Entry {
    /// The `package` of a dependency.
    fn package(&self) -> Option<String> {
        if self.path.last().is_some_and(|key| key == "package") {
            return string(&self.value);
        }
        string(self.inline("package")?)
    }

    /// Whether it says `workspace = true`.
    fn is_inherited(&self) -> bool {
        let value = match self.path.last().map(String::as_str) {
            Some("workspace") => Some(self.value.as_str()),
            _ => self.inline("workspace"),
        };
        value.is_some_and(|value| value.trim_start().starts_with("true"))
    }

    /// What follows `key =` in an inline table.
    fn inline(&self, key: &str) -> Option<&str> {
        let inside = self.value.trim().strip_prefix('{')?;
        inside.match_indices(key).find_map(|(at, _)| {
            let starts = inside[..at].trim_end().ends_with([',']) || inside[..at].trim().is_empty();
            let behind = inside[at + key.len()..].trim_start().strip_prefix('=')?;
            starts.then_some(behind)
        })
    }
}

/// The string that a value begins with.
fn string(value: &str) -> Option<String> {
    let value = value.trim_start();
    let quote = value.chars().next().filter(|quote| ['"', '\''].contains(quote))?;
    Some(value[1..].split(quote).next()?.to_owned())
}

/// The key of the dependency that an entry is about.
fn key_of_dependency(path: &[String]) -> Option<&str> {
    const TABLES: [&str; 2] = ["dependencies", "dev-dependencies"];
    let is_table = |name: &String| TABLES.contains(&name.as_str());
    let at = path.iter().position(is_table)?;
    let is_own = at == 0 || (at == 2 && path[0] == "target");
    path.get(at + 1).filter(|_| is_own).map(String::as_str)
}

/// Every `key = value` of a manifest. Values are left as they are; those of several lines are cut off.
fn entries(text: &str) -> Vec<Entry> {
    let mut table = Vec::new();
    let mut entries = Vec::new();
    for line in text.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix('[') {
            table = keys(name.trim_start_matches('[').split(']').next().unwrap_or_default());
        } else if let Some((key, value)) = line.split_once('=')
            && !line.starts_with('#')
        {
            let mut path = table.clone();
            path.extend(keys(key));
            entries.push(Entry { path, value: value.trim().to_owned() });
        }
    }
    entries
}

/// Splits at the dots outside of quotes.
fn keys(name: &str) -> Vec<String> {
    let (mut keys, mut quote) = (vec![String::new()], None);
    for character in name.chars() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (None, '"' | '\'') => quote = Some(character),
            (None, '.') => keys.push(String::new()),
            (None, ' ' | '\t') => {}
            _ => keys.last_mut().into_iter().for_each(|key| key.push(character)),
        }
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_dependencies() {
        for (text, expected) in [
            ("[dependencies]\nptyx = \"1\"\n", None),
            ("[dependencies]\nother = { package = \"more\" }\n", None),
            ("[dependencies]\ngpu = { package = \"ptyx\", path = \"..\" }\n", Some("gpu")),
            ("[dependencies]\ngpu = { path = \"x\", package='ptyx' }\n", Some("gpu")),
            ("[dependencies.gpu-2]\nversion = \"1\"\npackage = \"ptyx\"\n", Some("gpu-2")),
            ("[dependencies]\ngpu.package = \"ptyx\"\n", Some("gpu")),
            ("[dev-dependencies]\ngpu = { package = \"ptyx\" }\n", Some("gpu")),
            ("[target.'cfg(unix)'.dependencies]\ngpu = { package = \"ptyx\" }\n", Some("gpu")),
            ("[target.\"cfg(a.b)\".dependencies.gpu]\npackage = \"ptyx\"\n", Some("gpu")),
            ("[dependencies]\ngpu = { workspace = true }\n", Some("gpu")),
            ("[dependencies]\ngpu.workspace = true\n", Some("gpu")),
            ("[dependencies]\nelse.workspace = true\n", None),
            ("[build-dependencies]\ngpu = { package = \"ptyx\" }\n", None),
            ("[workspace.dependencies]\ngpu = { package = \"ptyx\" }\n", None),
            ("[dependencies]\ngpu = { package = \"ptyx\" }\nptyx = \"1\"\n", None),
            ("[dependencies]\n# gpu = { package = \"ptyx\" }\n", None),
            ("[dependencies]\ngpu = { subpackage = \"ptyx\" }\n", None),
        ] {
            let found = other_name(text, "ptyx", |key| key == "gpu");
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }
}
