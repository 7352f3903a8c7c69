//! Checks whether a crate's modules keep to its layers, and finds those that import each other in a circle.

use std::collections::{BTreeMap, BTreeSet};

use crate::layers::Layers;
use crate::paths::target;
use crate::sources::Modules;

/// Everything in which a crate differs from its layers, each with its file and line where it has one.
pub fn violations(layers: &Layers, modules: &Modules) -> Vec<String> {
    let mut found = membership(layers, modules);
    for (from, module) in modules.iter().filter(|(path, _)| !path.is_empty()) {
        let Some((row, name)) = layers.row_of(from) else { continue };
        let mut seen = Vec::new();
        for (line, path) in &module.paths {
            let Some(to) = target(modules, from, path) else { continue };
            let problem = if to.is_empty() {
                "imports the crate's root, which imports every module".to_owned()
            } else {
                match layers.row_of(&to) {
                    None => continue,
                    Some((_, other)) if other == name => continue,
                    Some((above, _)) if above < row => continue,
                    Some((same, other)) if same == row => {
                        format!("imports `{other}`, which stands on the same row")
                    }
                    Some((_, other)) => format!("imports `{other}`, which stands below it"),
                }
            };
            let text = format!(
                "{}/{}:{line}: `{name}` {problem}: `{}`",
                layers.folder,
                module.file,
                path.join("::")
            );
            if !seen.contains(&text) {
                seen.push(text);
            }
        }
        found.append(&mut seen);
    }
    found
}

/// Modules that have no row, and rows that name no module.
fn membership(layers: &Layers, modules: &Modules) -> Vec<String> {
    let listed = |path: &str| layers.rows.iter().flatten().any(|name| name == path);
    let mut found = Vec::new();
    for name in layers.rows.iter().flatten().filter(|name| !modules.contains_key(*name)) {
        found.push(format!("{}: there is no module `{name}`", layers.folder));
    }
    for (path, module) in modules.iter().filter(|(path, _)| !path.is_empty() && !listed(path)) {
        let outer = path.rsplit_once("::").map_or("", |(outer, _)| outer);
        // A module in the root that only groups re-exports for users is not worth a row.
        let is_facade = outer.is_empty() && module.file == "lib.rs" && module.items.is_empty();
        let has_listed_sibling = layers
            .rows
            .iter()
            .flatten()
            .any(|name| name.rsplit_once("::").map_or("", |(outer, _)| outer) == outer);
        if (outer.is_empty() || has_listed_sibling) && !is_facade {
            found.push(format!("{}/{}: module `{path}` has no row", layers.folder, module.file));
        }
    }
    found
}

/// The circles in which modules of one row import each other, each as `folder: outer::{a, b}` with
/// the imports in it, one for each pair. Between the children of one module, imports of a child's own children count as the child's. That
/// a folder and the files in it need each other is no circle.
pub fn circles(layers: &Layers, modules: &Modules) -> BTreeMap<String, Vec<String>> {
    // By the module around them: from which child to which, and where that is written.
    let mut imports: BTreeMap<String, BTreeMap<(String, String), String>> = BTreeMap::new();
    for (from, module) in modules {
        for (line, path) in &module.paths {
            let Some(to) = target(modules, from, path) else { continue };
            let is_one_row = match (layers.row_of(from), layers.row_of(&to)) {
                (Some((_, a)), Some((_, b))) => a == b,
                _ => false,
            };
            if let (true, Some((outer, a, b))) = (is_one_row, fork(from, &to)) {
                let text = format!("{}:{line}: `{}`", module.file, path.join("::"));
                imports.entry(outer).or_default().entry((a, b)).or_insert(text);
            }
        }
    }
    let mut found = BTreeMap::new();
    for (outer, edges) in &imports {
        for circle in strongly_connected(edges.keys()) {
            let inside = |name: &String| circle.contains(name);
            let ways = edges.iter().filter(|((a, b), _)| inside(a) && inside(b));
            let ways: Vec<String> =
                ways.map(|((a, b), text)| format!("  `{a}` imports `{b}`: {text}")).collect();
            let names: Vec<&str> = circle.iter().map(String::as_str).collect();
            let around = if outer.is_empty() { String::new() } else { format!("{outer}::") };
            let name = format!("{}: {around}{{{}}}", layers.folder, names.join(", "));
            found.insert(name, ways);
        }
    }
    found
}

/// The innermost module around two, and its children that lead to each; none if one is around the other.
fn fork(from: &str, to: &str) -> Option<(String, String, String)> {
    let (from, to): (Vec<&str>, Vec<&str>) = (from.split("::").collect(), to.split("::").collect());
    let same = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let (a, b) = (from.get(same)?, to.get(same)?);
    Some((from[..same].join("::"), (*a).to_owned(), (*b).to_owned()))
}

/// The sets of more than one name in which each leads to all others.
fn strongly_connected<'a>(
    edges: impl Iterator<Item = &'a (String, String)>,
) -> BTreeSet<BTreeSet<String>> {
    let mut reached: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (a, b) in edges {
        reached.entry(a).or_default().insert(b);
    }
    loop {
        let longer: BTreeMap<&str, BTreeSet<&str>> = reached
            .iter()
            .map(|(from, to)| {
                let further = to.iter().filter_map(|name| reached.get(name)).flatten();
                (*from, to.iter().chain(further).copied().collect())
            })
            .collect();
        if longer == reached {
            break;
        }
        reached = longer;
    }
    let leads = |a: &str, b: &str| reached.get(a).is_some_and(|to| to.contains(b));
    reached
        .keys()
        .filter(|name| leads(name, name))
        .map(|name| {
            let around = reached.keys().filter(|other| leads(name, other) && leads(other, name));
            around.map(|name| (*name).to_owned()).collect::<BTreeSet<String>>()
        })
        .filter(|circle| circle.len() > 1)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{layers, sources};

    /// The circles of a crate with one row, `a`.
    fn circles_of(files: &[(&str, &str)]) -> Vec<String> {
        let text = "### Layers of x/src\n```text\na -- all\n```\n";
        let layers = layers::parse(text).unwrap();
        let read = |path: &str| {
            files.iter().find(|(name, _)| *name == path).map(|(_, text)| (*text).to_owned())
        };
        circles(&layers[0], &sources::read(&read).unwrap()).into_keys().collect()
    }

    #[test]
    fn circles_among_files_of_a_folder_are_found() {
        let crate_of = |b: &'static str, c: &'static str| {
            circles_of(&[
                ("lib.rs", "mod a;"),
                ("a/mod.rs", "mod b; mod c; mod d; pub use c::C; use b::B;"),
                ("a/b.rs", b),
                ("a/c/mod.rs", "mod e; pub use e::E;"),
                ("a/c/e.rs", c),
                ("a/d.rs", "use super::c::E; use super::b::B;"),
            ])
        };
        assert_eq!(crate_of("use super::c::E;", "pub struct E;"), [""; 0]);
        // Through a re-export, and from a file further in.
        let circle = ["x/src: a::{b, c}"];
        assert_eq!(crate_of("use super::c::E;", "use crate::a::b::B; pub struct E;"), circle);
        assert_eq!(crate_of("use super::c::E;", "use super::super::B; pub struct E;"), circle);
        // Three in a row.
        let three = crate_of("use super::d::D;", "use crate::a::b::B; pub struct E;");
        assert_eq!(three, ["x/src: a::{b, c, d}"]);
        // A folder and its own files.
        assert_eq!(crate_of("use super::A; pub struct B;", "use super::super::A;"), [""; 0]);
        assert_eq!(crate_of("", "#[cfg(test)] use crate::a::b::B; pub struct E;"), [""; 0]);
    }

    /// What is wrong in a crate of these files with these rows.
    fn check(rows: &str, files: &[(&str, &str)]) -> Vec<String> {
        let text = format!("### Layers of x/src\n```text\n{rows}\n```\n");
        let layers = layers::parse(&text).unwrap();
        let read = |path: &str| {
            files.iter().find(|(name, _)| *name == path).map(|(_, text)| (*text).to_owned())
        };
        violations(&layers[0], &sources::read(&read).unwrap())
    }

    const LIB: (&str, &str) = ("lib.rs", "mod a;\nmod b;\npub use b::B;\n");
    const ROWS: &str = "a -- above\nb -- below";

    #[test]
    fn downward_is_right() {
        let b = "use crate::a::{self, A as C};\nfn f() { super::a::g(crate::a::A, a::h()) }";
        assert_eq!(check(ROWS, &[LIB, ("a.rs", "pub struct A;"), ("b.rs", b)]), [""; 0]);
    }

    #[test]
    fn upward_is_found_however_it_is_written() {
        for (text, line) in [
            ("use crate::b;", 1),
            ("\nuse crate::b::B;", 2),
            ("use {std::fmt,\ncrate::{b::{B as C}}};", 2),
            ("use super::b::*;", 1),
            ("pub(crate) use crate::b::B as _;", 1),
            ("fn f() {\n let x = crate::b::f::<u8>();\n}", 2),
            ("fn f() { use super::b; }", 1),
            ("macro_rules! m { () => { $crate::b::f() } }", 1),
            ("fn f(x: Vec<crate::b::B>) {}", 1),
            ("fn f() { m!(1, super::b::X) }", 1),
            // A re-export in the root leads to where the thing stands.
            ("use crate::B;", 1),
            ("mod c { use super::super::b; }", 1),
            ("macro_rules! m { ($x:ident) => { mod $x { use super::super::b; } } }", 1),
            ("#[cfg(not(test))] use crate::b;", 1),
            ("struct S { #[cfg(test)] x: u8, y: crate::b::B }", 1),
            ("#[cfg(test)] const X: u8 = { 1 };\nuse crate::b;", 2),
        ] {
            let found = check(ROWS, &[LIB, ("a.rs", text), ("b.rs", "pub struct B;")]);
            assert_eq!(found.len(), 1, "{text}: {found:?}");
            let start = format!("x/src/a.rs:{line}: `a` imports `b`, which stands below it: ");
            assert!(found[0].starts_with(&start), "{text}: {found:?}");
        }
    }

    #[test]
    fn tests_and_words_are_not_imports() {
        for text in [
            "#[cfg(test)] use crate::b;",
            "#[cfg(test)]\n#[allow(x)] mod tests { use crate::b; }",
            "#[cfg(test)] mod tests;",
            "#[cfg(all(test, unix))] fn f() { crate::b::f() }",
            "struct S { #[cfg(test)] x: crate::b::B, y: u8 }",
            "/// See [`crate::b`].\n// crate::b::f\nconst X: &str = \"crate::b::f\";",
            "pub(in crate::b) struct S;",
            "use std::b; fn f() { other::b::c() }",
            "macro_rules! m { ($x:ident) => { mod $x { use super::*; mod y { use super::b; } } } }",
        ] {
            assert_eq!(check(ROWS, &[LIB, ("a.rs", text), ("b.rs", "")]), [""; 0], "{text}");
        }
    }

    #[test]
    fn one_row_and_the_root() {
        let files = [("lib.rs", "mod a; mod b; pub struct Root;"), ("a.rs", "use crate::Root;")];
        let found = check("a, b -- x", &[files[0], files[1], ("b.rs", "use crate::a;")]);
        assert_eq!(found.len(), 2);
        assert!(found[0].contains("a.rs:1: `a` imports the crate's root"), "{found:?}");
        assert!(found[1].contains("imports `a`, which stands on the same row"), "{found:?}");
    }

    #[test]
    fn inner_modules_have_rows_of_their_own() {
        let files = |above: &'static str| {
            [
                ("lib.rs", "mod a;"),
                ("a/mod.rs", "mod c;\nmod d;\npub use d::D;\nfn f() { c::g() }"),
                ("a/c.rs", above),
                ("a/d.rs", "use super::c::x; pub struct D;"),
            ]
        };
        let rows = "a::c -- x\na::d -- x\na -- the folder";
        assert_eq!(check(rows, &files("")), [""; 0]);
        let found = check(rows, &files("use super::f;\nuse super::D;"));
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].contains("a/c.rs:1: `a::c` imports `a`, which stands below"), "{found:?}");
        assert!(found[1].contains("a/c.rs:2: `a::c` imports `a::d`"), "{found:?}");
        let found = check("a::c -- x\na -- the folder", &files(""));
        assert_eq!(found, ["x/src/a/d.rs: module `a::d` has no row"]);
    }

    #[test]
    fn missing_and_unknown_modules() {
        let files = [LIB, ("a.rs", ""), ("b.rs", "")];
        assert_eq!(check("a -- x", &files), ["x/src/b.rs: module `b` has no row"]);
        assert_eq!(check("a, b, c -- x", &files), ["x/src: there is no module `c`"]);
    }

    #[test]
    fn exported_macros_belong_to_their_module() {
        let b = "#[macro_export]\nmacro_rules! m { () => {} }";
        let found = check(ROWS, &[LIB, ("a.rs", "fn f() { crate::m!() }"), ("b.rs", b)]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("`a` imports `b`"), "{found:?}");
    }
}
