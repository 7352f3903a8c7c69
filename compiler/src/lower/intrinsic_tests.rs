//! The device library's intrinsics: each declaration in `device-std/src/intrinsics/` goes from rustc to
//! NVIDIA's assembler; and symbols written by hand, which may say anything.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

use ptyx_image::Arch;

use super::intrinsics::{self, Meaning};
use super::lower_intrinsics::{LaunchShape, lower_intrinsics};
use super::{Goal, mark_convergent};
use crate::llvm::{self, BASE_PTX, Context, Module, Target, calls_of};
use crate::rust::Toolchain;
use crate::rust::flags::DEVICE;

const FROM_BASE: Goal = Goal::From(Arch::BASE);

/// A crate with a function for each declaration, which calls it; and how many there are.
fn calls_of_all() -> (String, usize) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../device-std/src/intrinsics");
    let path = folder.join("mod.rs");
    let files = fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path());
    let sources: Vec<_> = files.map(|file| fs::read_to_string(file).unwrap()).collect();
    let lists = sources.iter().filter_map(|source| {
        let (_, list) = source.split_once("\nintrinsics! {")?;
        Some(list.split_once("\n}").expect("its end").0)
    });
    let signatures = lists
        .flat_map(str::lines)
        .filter_map(|line| line.trim().strip_prefix("fn ")?.split(" =").next());
    let mut text =
        format!("#![no_std]\n#[path = {path:?}]\nmod intrinsics;\nuse intrinsics::Word;\n");
    let mut count = 0;
    for signature in signatures {
        let (name, rest) = signature.split_once('(').unwrap();
        let (arguments, _) = rest.split_once(')').unwrap();
        let names =
            arguments.split(", ").map(|argument| match argument.split(':').next().unwrap() {
                // Relaxed or, of fences, sequentially consistent, of system scope.
                "how" if name == "atomic_fence" => "0x34",
                "how" => "0x30",
                other => other,
            });
        let names = names.collect::<Vec<_>>().join(", ");
        text += &format!("#[unsafe(no_mangle)] pub unsafe extern \"C\" fn call_{signature} ");
        text += &format!("{{ unsafe {{ intrinsics::{name}({names}) }} }}\n");
        count += 1;
    }
    (text, count)
}

/// What rustc makes of a crate in the device pass.
fn bitcode(toolchain: &Toolchain, source: &str) -> Vec<u8> {
    let dir = env::temp_dir().join(format!("ptyx-intrinsics-{}", std::process::id()));
    fs::create_dir_all(&dir).unwrap();
    let (file, output) = (dir.join("all.rs"), dir.join("all.bc"));
    fs::write(&file, source).unwrap();
    let status = Command::new(&toolchain.rustc)
        .args(["--crate-type=lib", "--edition=2024", "--cfg=ptyx_device"])
        .args(DEVICE)
        .arg("-o")
        .args([&output, &file])
        .status()
        .unwrap();
    assert!(status.success());
    let bitcode = fs::read(output).unwrap();
    fs::remove_dir_all(dir).unwrap();
    bitcode
}

#[test]
fn every_declaration_becomes_ptx() {
    let toolchain = Toolchain::for_test();
    llvm::load(&toolchain.libllvm).unwrap();
    let (source, count) = calls_of_all();
    assert!(count > 300, "not all of the declarations were found");
    let context = Context::new();
    let mut module = Module::parse(&context, &bitcode(&toolchain, &source)).unwrap();
    module.set_target(&Target::new(Arch::BASE, BASE_PTX).unwrap());
    mark_convergent(&module);
    let symbols: Vec<String> = module.functions().into_iter().map(|f| f.name()).collect();
    let symbols: Vec<&String> =
        symbols.iter().filter(|symbol| intrinsics::name(symbol).is_some()).collect();
    assert_eq!(symbols.len(), count, "declarations with one symbol");
    for symbol in &symbols {
        let intrinsic = intrinsics::read(symbol).unwrap_or_else(|why| panic!("{symbol}: {why}"));
        if let Meaning::Nvvm { name, unaligned: Some(unaligned) } = intrinsic.meaning {
            let ty = |name| module.intrinsic(name).unwrap_or_else(|| panic!("{name}")).1;
            assert!(ty(name) == ty(unaligned), "{name}, {unaligned}");
        }
    }

    let needs = lower_intrinsics(&module, FROM_BASE, &[], &LaunchShape::up_to(3)).unwrap();
    let left =
        symbols.iter().filter(|symbol| !calls_of(module.function(symbol).unwrap()).is_empty());
    assert_eq!(left.count(), 0);
    module.verify().unwrap();
    let arch = needs.oldest(FROM_BASE).unwrap();
    let target = Target::new(arch, needs.ptx.max(BASE_PTX)).unwrap();
    module.set_target(&target);
    let ptx = module.emit(&target).unwrap();
    assemble(&ptx, arch);

    // Those with the same needs are a module of these needs alone.
    let mut groups: BTreeMap<(Arch, u32), String> = BTreeMap::new();
    let functions: Vec<&str> = ptx.split_inclusive("\n}\n").collect();
    for symbol in symbols {
        let Meaning::Ptx { needs, .. } = intrinsics::read(symbol).unwrap().meaning else {
            continue;
        };
        let arch = needs.arch.max(OLDEST_ASSEMBLED);
        let version = needs.ptx.max(needs.arch.ptx_version()).max(BASE_PTX);
        let head = format!(" call_{}(", intrinsics::name(symbol).unwrap());
        let has_it = |text: &&&str| text.contains(&head);
        let function = functions.iter().find(has_it).expect("its caller");
        let begins = function.find(".visible .func").expect("a function");
        groups.entry((arch, version)).or_default().push_str(&function[begins..]);
    }
    assert!(groups.len() > 5);
    for ((arch, version), functions) in groups {
        let version = format!("{}.{}", version / 10, version % 10);
        let head = format!(".version {version}\n.target {arch}\n.address_size 64\n");
        assemble(&(head + &functions), arch);
    }
}

/// The oldest that version 13 of the assembler knows.
const OLDEST_ASSEMBLED: Arch = Arch::portable(75);

/// Gives PTX to the vendor's assembler, if there is one.
fn assemble(ptx: &str, arch: Arch) {
    let Some(ptxas) = env::var_os("PTYX_PTXAS") else {
        println!("SKIPPED: no ptxas; name one in PTYX_PTXAS");
        return;
    };
    let file = env::temp_dir().join(format!("ptyx-intrinsics-{}.ptx", std::process::id()));
    fs::write(&file, ptx).unwrap();
    let arch = format!("-arch={arch}");
    let output =
        Command::new(ptxas).args([&arch, "-c", "-o", "/dev/null"]).arg(&file).output().unwrap();
    fs::remove_file(&file).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Whoever writes a symbol by hand learns what is wrong with it.
#[test]
fn symbols_that_mean_nothing() {
    const CASES: [(&str, &str); 20] = [
        ("f", "does not say what it lowers to"),
        ("f ", "an intrinsic can't lower to ``"),
        ("f jump x", "can't lower to `jump`"),
        ("f range=0 asm x;", "`0` is not two numbers"),
        ("f range=5..5 asm x;", "range is empty"),
        ("f flat=300:0 asm x;", "`300:0` is not two numbers"),
        ("f size=4 asm x;", "`size` is not a property"),
        ("f arch=sm_500 asm x;", "no architecture `sm_500`"),
        ("f ptx=7.9 asm x;", "can't emit PTX 7.9"),
        ("f pure mov.b32 $0, $2;", "an operand `$2`"),
        ("f arch=sm_80 atomic add", "neither needs nor alignment"),
        ("f atomic mul", "LLVM has no atomic `mul`"),
        ("f atomic add", "its order and scope are not constant"),
        ("f asm x.ORDER.SCOPE $0;", "its order and scope are not constant"),
        ("f float quad fadd", "`quad` is not a 16-bit float"),
        ("f float half fneg", "floats have no operation `fneg`"),
        ("f float half fadd", "does not take these numbers"),
        ("f nvvm llvm.nvvm.none", "does not have the intrinsic `llvm.nvvm.none`"),
        (
            "f nvvm llvm.nvvm.activemask",
            "declared with 1 parameters, but `llvm.nvvm.activemask` has 0",
        ),
        ("f nvvm llvm.nvvm.sin.approx.f", "LLVM's types i32 and float don't fit"),
    ];
    let toolchain = Toolchain::for_test();
    llvm::load(&toolchain.libllvm).unwrap();
    let context = Context::new();
    for (text, expected) in CASES {
        let symbol = format!("@\"__ptyx_intrinsic {text}\"(i32");
        let ir = format!(
            "declare i32 {symbol})\n\
             define i32 @f(i32 %x) {{\n %y = call i32 {symbol} %x)\n ret i32 %y\n}}\n"
        );
        let module = Module::parse_text(&context, &ir).unwrap();
        let error = lower_intrinsics(&module, FROM_BASE, &[], &LaunchShape::up_to(3))
            .unwrap_err()
            .to_string();
        let start = "device intrinsic `f`: ";
        assert!(error.starts_with(start) && error.contains(expected), "{text}: {error}");
    }
}
