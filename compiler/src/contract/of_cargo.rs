//! What cargo has to do: run the device pass of a small package, and tell its build script what Ptyx reads.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::list::List;
use crate::device_pass::{BuildEnv, DevicePass};
use crate::options::Options;
use crate::rust::{Toolchain, variables};

/// The files of the package, and of one that it uses.
const FILES: [(&str, &str); 7] = [
    (
        "Cargo.toml",
        "[package]\nname = \"ptyx-probe-cargo\"\nversion = \"1.2.3\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [features]\na-b = []\n\n[dependencies]\nptyx-probe-used = { path = \"used\" }\n",
    ),
    (
        "Cargo.lock",
        "version = 4\n\n[[package]]\nname = \"ptyx-probe-cargo\"\nversion = \"1.2.3\"\ndependencies = [\n \
         \"ptyx-probe-used\",\n]\n\n[[package]]\nname = \"ptyx-probe-used\"\nversion = \"0.1.0\"\n",
    ),
    (
        "build.rs",
        "fn main() {\n    let variables = std::env::vars().map(|(name, value)| format!(\"{name}={value}\\0\"));\n    \
         let all = variables.collect::<String>() + \"nested=\" + &cfg!(ptyx_nested).to_string();\n    \
         std::fs::write(\"variables\", all).unwrap();\n}\n",
    ),
    ("src/lib.rs", "pub fn f() -> u32 {\n    ptyx_probe_used::f()\n}\n"),
    ("src/main.rs", "fn main() {\n    ptyx_probe_cargo::f();\n}\n"),
    (
        "used/Cargo.toml",
        "[package]\nname = \"ptyx-probe-used\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
         [lib]\npath = \"lib.rs\"\n",
    ),
    ("used/lib.rs", "pub fn f() -> u32 {\n    std::hint::black_box(1)\n}\n"),
];

/// The rows about cargo.
pub(super) fn check(list: &mut List, toolchain: &Toolchain, cargo: &Path, dir: &Path) {
    let package = dir.join("package");
    let mut bitcode = None;
    list.check("the device pass of a package", "device_pass/cargo.rs", || {
        write(&package).map_err(|error| error.to_string())?;
        let env = environment(toolchain, cargo, &package);
        let pass = DevicePass::new(&env, toolchain, &Options::default());
        bitcode = Some(pass.and_then(|pass| pass.run()).map_err(|error| error.to_string())?);
        Ok(())
    });
    let Some(bitcode) = bitcode else { return };
    const MESSAGES: &str = "device_pass/messages.rs";
    list.find("message of a library", MESSAGES, bitcode.libs.len() == 1);
    let is_program = |name: &str, kind: &[String]| name == "ptyx-probe-cargo" && kind == ["bin"];
    let programs = bitcode.executables.values();
    let found =
        programs.filter(|it| !it.test && is_program(&it.target.name, &it.target.kind)).count();
    list.find(
        "message of a program",
        "device_pass/messages.rs, device_pass/scripts.rs",
        found == 1,
    );
    list.find("message of a dependency", MESSAGES, bitcode.dependencies.len() == 1);
    let uses = |file: &PathBuf| {
        let noted = fs::read_to_string(file.with_extension("externs")).unwrap_or_default();
        noted.contains("ptyx_probe_used=")
    };
    let found = bitcode.libs.iter().all(uses);
    list.find("`--extern` and `CARGO_CRATE_NAME` for rustc", "device_pass/scripts.rs", found);

    let said = fs::read_to_string(package.join("variables")).unwrap_or_default();
    let said: BTreeMap<&str, &str> =
        said.split('\0').filter_map(|variable| variable.split_once('=')).collect();
    for name in variables::READ {
        let row = format!("variable `{name}` of build scripts");
        list.find(row, "device_pass/build_env.rs", said.contains_key(name));
    }
    let found = said.contains_key(variables::PTYX_DEVICE);
    list.find(format!("variable `{}` of build scripts", variables::PTYX_DEVICE), "lib.rs", found);
    let found = said.get(variables::FEATURES).is_some_and(|features| *features == "a-b");
    list.find("names of features as they are written", "device_pass/build_env.rs", found);
    let found = said.get("nested").is_some_and(|nested| *nested == "true");
    list.find("build scripts are compiled by the wrapper", "device_pass/scripts.rs", found);
    list.check("place of `OUT_DIR`", "device_pass/build_env.rs", || {
        let out_dir = PathBuf::from(said.get(variables::OUT_DIR).copied().unwrap_or_default());
        let env = BuildEnv { out_dir, ..environment(toolchain, cargo, &package) };
        let layout = env.layout().ok_or_else(|| format!("it is {}", env.out_dir.display()))?;
        match layout.profile == "dev" && layout.target_dir.ends_with("ptyx/device") {
            true => Ok(()),
            false => Err(format!("{} is read as {layout:?}", env.out_dir.display())),
        }
    });
}

fn write(package: &Path) -> std::io::Result<()> {
    for (name, text) in FILES {
        let path = package.join(name);
        fs::create_dir_all(path.parent().unwrap_or(package))?;
        fs::write(path, text)?;
    }
    Ok(())
}

/// The environment of the package's build script, as the outer cargo would make it.
fn environment(toolchain: &Toolchain, cargo: &Path, package: &Path) -> BuildEnv {
    BuildEnv {
        cargo: cargo.to_owned(),
        rustc: toolchain.rustc.clone(),
        package: "ptyx-probe-cargo".to_owned(),
        version: "1.2.3".to_owned(),
        manifest_dir: package.to_owned(),
        out_dir: package.join("target/debug/build/ptyx-probe-cargo-0/out"),
        target: toolchain.target.clone(),
        features: vec!["a-b".to_owned()],
        profile_base: "debug".to_owned(),
        debug: String::new(),
        rustflags: Vec::new(),
        invocation_dir: package.to_owned(),
        outer_dir: package.to_owned(),
        config: Vec::new(),
        offline: true,
        dump: None,
    }
}
