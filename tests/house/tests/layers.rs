//! The modules of each crate keep to the layers that ARCHITECTURE.md draws.

use ptyx_house_tests::layers::Layers;
use ptyx_house_tests::sources::Modules;
use ptyx_house_tests::{check, layers, sources};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The source folders that must have a block in ARCHITECTURE.md. Other blocks are checked, too: a crate
/// whose block is new is added here.
const DRAWN: &[&str] = &[
    "compiler/src",
    "device-std/src",
    "driver-api/src",
    "emulator/src",
    "host/src",
    "image/src",
    "launch-macro/src",
    "tests/differential/generator/src",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The circles among files of one row that are left, each with the number of imports in it. Neither may grow: add none,
/// take out one that is gone, lower a number that has become smaller.
const CIRCLES: &[(&str, usize)] = &[
    ("compiler/src: llvm::{block, builder}", 2),
    ("compiler/src: llvm::{context, types, value}", 6),
    ("device-std/src: group::{coalesced, lanes, number}", 4),
    ("device-std/src: random::{float, integer, poisson, source}", 7),
    ("device-std/src: wgmma::{accumulator, running}", 2),
    (
        "emulator/src: exec::{block, cluster, context, copies, fault, grid, mbarrier, ops, program, tile, warp}",
        45,
    ),
    ("emulator/src: lower::{function, instruction}", 2),
    ("host/src: launch::{call, compiled, prepared, reflect, registry, root, run, variant}", 19),
    ("host/src: launch::{config, knobs}", 2),
    (
        "host/src: memory::{allocation, buffer, copy, fill, foreign, growable, managed, peer, pitched, reserved, slice, view}",
        35,
    ),
    ("host/src: memory::{limit, peer_access, pool}", 4),
    ("host/src: module::{jit, linker, options}", 5),
    ("host/src: tensor_map::{encode, im2col}", 2),
];

/// The layers that ARCHITECTURE.md draws, each with what is in the folder.
fn drawn() -> &'static [(Layers, Result<Modules, String>)] {
    static DRAWN: LazyLock<Vec<(Layers, Result<Modules, String>)>> = LazyLock::new(|| {
        let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
        let drawn = layers::parse(&text).unwrap_or_else(|errors| panic!("{}", errors.join("\n")));
        let read = |layers: Layers| {
            let folder = root().join(&layers.folder);
            let modules = sources::read(&|file| std::fs::read_to_string(folder.join(file)).ok());
            (layers, modules)
        };
        drawn.into_iter().map(read).collect()
    });
    &DRAWN
}

#[test]
fn modules_import_only_what_stands_above() {
    let mut found = Vec::new();
    for folder in DRAWN.iter().filter(|folder| drawn().iter().all(|it| it.0.folder != **folder)) {
        found.push(format!("ARCHITECTURE.md has no section `Layers of {folder}`"));
    }
    for (layers, modules) in drawn() {
        match modules {
            Ok(modules) => found.extend(check::violations(layers, modules)),
            Err(error) => found.push(format!("{}: {error}", layers.folder)),
        }
    }
    assert!(found.is_empty(), "{} violations:\n{}", found.len(), found.join("\n"));
}

#[test]
fn files_do_not_import_each_other_in_circles() {
    let mut found = BTreeMap::new();
    for (layers, modules) in drawn() {
        found.extend(modules.iter().flat_map(|modules| check::circles(layers, modules)));
    }
    let known = |name: &str| CIRCLES.iter().find(|(circle, _)| *circle == name);
    let mut wrong = Vec::new();
    for (circle, ways) in &found {
        match known(circle) {
            Some((_, count)) if *count == ways.len() => {}
            Some((_, count)) if *count > ways.len() => {
                wrong.push(format!(
                    "{} imports instead of {count} in {circle}: lower it",
                    ways.len()
                ));
            }
            _ => wrong.push(format!("(\"{circle}\", {}),\n{}", ways.len(), ways.join("\n"))),
        }
    }
    for (circle, _) in CIRCLES.iter().filter(|(circle, _)| !found.contains_key(*circle)) {
        wrong.push(format!("this circle is gone, so it must leave the list: {circle}"));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
