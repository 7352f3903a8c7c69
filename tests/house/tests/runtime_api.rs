//! Everything to which the table of the CUDA runtime API (`host/src/runtime_api.rs`) links exists, for users.

use ptyx_house_tests::members::{Members, links};
use ptyx_house_tests::sources;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn host() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../host/src")
}

fn add_folder(members: &mut Members, folder: &Path) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            add_folder(members, &path);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            members.add(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        }
    }
}

/// What there is: the names in the crate's root, and the members of types.
fn offered() -> (BTreeSet<String>, Members) {
    let mut members = Members::default();
    add_folder(&mut members, &host());
    let read = |file: &str| std::fs::read_to_string(host().join(file)).ok();
    let modules = sources::read(&read).unwrap();
    let names = modules[""].imports.keys().cloned().collect();
    (names, members)
}

/// The links of rows that lead nowhere.
fn dangling(rows: &[&str], names: &BTreeSet<String>, members: &Members) -> Vec<String> {
    let links = rows.iter().flat_map(|row| links(row));
    let is_known = |link: &String| match link.split("::").collect::<Vec<_>>()[..] {
        [name] => names.contains(name),
        [of, member] => names.contains(of) && members.has(of, member),
        _ => false,
    };
    links.filter(|link| !is_known(link)).collect()
}

#[test]
fn what_the_table_names_exists() {
    let (names, members) = offered();
    let text = std::fs::read_to_string(host().join("runtime_api.rs")).unwrap();
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("//! | `")).collect();
    assert!(rows.len() >= 155, "{}", rows.len());
    let count = rows.iter().flat_map(|row| links(row)).count();
    assert!(count > rows.len(), "{count}");
    let dangling = dangling(&rows, &names, &members);
    assert!(dangling.is_empty(), "there is no {}", dangling.join(", no "));
}

/// The check finds what is missing, misspelt, or only for the crate itself.
#[test]
fn what_does_not_exist_is_found() {
    let (names, members) = offered();
    for (link, exists) in [
        ("[`Device::reset`]", true),
        ("[`x`](crate::Error::Driver)", true),
        ("[`x`](crate::profiler_start)", true),
        ("[`Device::reset_all`]", false),
        ("[`Devise::reset`]", false),
        ("[`x`](crate::Error::Diver)", false),
        ("[`x`](crate::profiler_begin)", false),
        // `pub(crate)`
        ("[`Stream::context`]", false),
    ] {
        let row = format!("//! | `f` | {link} |");
        assert_eq!(dangling(&[&row], &names, &members).is_empty(), exists, "{link}");
    }
}
