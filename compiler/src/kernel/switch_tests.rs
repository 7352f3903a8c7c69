//! Tests that each switch of a pass (`options/passes.rs`) does something: `compiler/tests/switches/` has a kernel for each
//! that compiles to other PTX without the pass.

use std::cell::Cell;
use std::fs;
use std::path::Path;

use ptyx_image::{Code, Layout};

use super::describe::describe;
use super::dump::Dump;
use super::variant::{Source, compile};
use crate::link::KernelRoot;
use crate::llvm::{self, Context};
use crate::options::{Options, PASSES};
use crate::rust::Toolchain;

/// The size of the kernel's arguments: two pointers, two integers, a float.
const SIZES: [u32; 5] = [8, 8, 8, 8, 4];

fn read(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../compiler/tests/switches");
    let path = folder.join(format!("{name}.ll"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The PTX of a kernel, with some passes switched, and what the image says of it.
fn compiled(text: &str, passes: &str) -> (Vec<String>, Code) {
    let context = Context::new();
    let module = llvm::Module::parse_text(&context, text).unwrap();
    let bitcode = module.to_bitcode();
    let mut options = Options::default();
    options.passes.switch(passes).unwrap();
    let layouts = SIZES.map(|size| Layout { size, align: size, fingerprint: 0 });
    let root = KernelRoot {
        symbol: "__ptyx_unpack_0_0".into(),
        type_name: "a::body".into(),
        instance: 0,
        sites: Vec::new(),
        layouts: layouts.into(),
        closures: Vec::new(),
    };
    let description = describe(&module, &root, &options).unwrap();
    let read = Cell::new(Some(module));
    let (context, bitcode) = (&context, &bitcode);
    let source = Source { context, bitcode, read, root: &root, description: &description };
    let goal = description.goals[0];
    let dump = Dump::new(None, String::new());
    let variant = compile(&source, false, goal, &options, &dump).unwrap().unwrap();
    (variant.modules.into_iter().map(|module| module.ptx).collect(), variant.code)
}

#[test]
fn each_switch_changes_a_kernel() {
    llvm::load(&Toolchain::for_test().libllvm).unwrap();
    let prelude = read("prelude");
    let mut idle = Vec::new();
    for (name, _) in PASSES {
        let text = prelude.clone() + &read(name);
        // Passes that do the same for this kernel in another way are off.
        let others = text.lines().find_map(|line| line.strip_prefix("; without: ")).unwrap_or("");
        let compiled = |passes: &str| compiled(&text, &format!("{passes},{others}"));
        let (with, without) = (compiled(""), compiled(&format!("-{name}")));
        // The same again, so that it is the switch which makes the difference.
        assert_eq!(with, compiled(&format!("-{name},+{name}")), "{name}");
        if with == without {
            idle.push(format!(
                "`-{name}` makes no difference to {name}.ll:\n{}",
                with.0.join("\n")
            ));
        }
    }
    assert!(idle.is_empty(), "{}", idle.join("\n"));
}

/// A file of a pass that there is no more would test nothing.
#[test]
fn each_file_is_for_a_pass() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../compiler/tests/switches");
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let is_known = name == "prelude" || PASSES.iter().any(|(pass, _)| *pass == name);
        assert!(is_known, "{}", path.display());
    }
}
