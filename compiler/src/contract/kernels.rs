//! Probe kernels: small ones that go the whole way, from rustc's bitcode to PTX, whose text must then have
//! certain properties. They are not run, as there is neither a GPU nor an emulator in a build script: a
//! wrong number in an instruction that looks right is not found here.

use std::path::Path;

use super::list::List;
use super::of_rustc::{Compiled as Probes, KERNELS_SOURCE};
use crate::device_pass::{Family, Program, Unit};
use crate::kernel::{self, Cache, Compiled};
use crate::link;
use crate::options::{Libdevice, Options};
use crate::report::Diagnostic;
use crate::rust::Toolchain;
use ptyx_image::message::{Header, Notation, Primitive};
use ptyx_image::panic::{Message, Panics, Word};
use ptyx_image::{DebugInfo, Module};

/// What the PTX of a kernel must have, and how that is checked.
type Rule = (&'static str, &'static str, fn(&Module) -> Result<(), String>);

const RULES: [Rule; 9] = [
    ("add", "reads two numbers, adds them once and writes the sum", |module| {
        count(module, "ld.global", 2)?;
        count(module, "add.s32", 1)?;
        count(module, "st.global", 1)?;
        count(module, "mov.u32", 1).or_else(|_| has(module, "%tid.x"))
    }),
    ("add", "is straight code", |module| {
        ["bra", "call", "ld.local", "st.local"].into_iter().try_for_each(|op| count(module, op, 0))
    }),
    ("barrier", "has its barrier once", |module| {
        count(module, "bar.sync", 1).or_else(|_| count(module, "barrier.sync", 1))
    }),
    ("barrier", "writes twice only if asked to", |module| {
        at_least(module, "setp", 1)?;
        count(module, "st.volatile", 3)
    }),
    ("panics", "has its panics in the table", |module| check_panics(&module.panics)),
    ("panics", "ends a thread that panics", |module| at_least(module, "exit", 1)),
    ("atomics", "counts and hands over atomically", |module| {
        at_least(module, "atom", 1)?;
        has(module, ".add.u32")?;
        at_least(module, "st.release", 1).or_else(|_| at_least(module, "fence", 1))
    }),
    ("library", "has the body of a function of core", |module| {
        has(module, ".entry").and_then(|()| count(module, ".extern", 0))
    }),
    // 12345, which the probe's stand-in for the sine adds.
    ("sine", "calls the device library", |module| has(module, "0f4640E400")),
];

/// How many instructions of the PTX begin with `start`.
fn occurrences(module: &Module, start: &str) -> usize {
    let instruction = |line: &str| {
        let line = line.trim_start();
        let line = match line.strip_prefix('@') {
            Some(guarded) => guarded.split_once(char::is_whitespace).map_or("", |(_, rest)| rest),
            None => line,
        };
        let Some(rest) = line.trim_start().strip_prefix(start) else { return false };
        rest.starts_with(|c: char| !c.is_alphanumeric())
    };
    module.ptx.lines().filter(|line| instruction(line)).count()
}

fn count(module: &Module, start: &str, expected: usize) -> Result<(), String> {
    match occurrences(module, start) {
        found if found == expected => Ok(()),
        found => Err(format!("`{start}` stands there {found} times, not {expected}")),
    }
}

fn at_least(module: &Module, start: &str, expected: usize) -> Result<(), String> {
    match occurrences(module, start) {
        found if found >= expected => Ok(()),
        found => Err(format!("`{start}` stands there {found} times, fewer than {expected}")),
    }
}

fn has(module: &Module, text: &str) -> Result<(), String> {
    if module.ptx.contains(text) { Ok(()) } else { Err(format!("there is no `{text}`")) }
}

/// The table of panics says where each panic is and what it shows. This checks the layouts of messages,
/// formatters and locations end to end.
fn check_panics(panics: &Panics) -> Result<(), String> {
    let line = KERNELS_SOURCE.lines().position(|line| line.ends_with("// the panic's place"));
    let line = line.unwrap_or_default() as u32 + 1;
    let bounds = panics.sites.iter().any(|site| {
        site.line == line && matches!(site.message, Message::Bounds { index, .. } if is_word(index))
    });
    if !bounds {
        return Err("none is the failed check of an index".to_owned());
    }
    if !panics.files.iter().any(|file| file.ends_with("kernels.rs")) {
        return Err(format!("they stand in {:?}", panics.files));
    }
    let words = panics.sites.iter().filter_map(|site| match &site.message {
        Message::Parts(words) => Some(&words[..]),
        Message::Bounds { .. } => None,
    });
    let texts: Vec<(String, Vec<u64>)> = words.map(constants).collect();
    let shows = |text: &str, header: Header| {
        texts.iter().any(|(found, all)| found.contains(text) && all.contains(&header.0))
    };
    let hex = Header::value(Primitive::U32, Notation::LowerHex);
    let debug = Header::value(Primitive::U32, Notation::Debug);
    match (shows("seven, that is ", hex), shows("Failure", debug)) {
        (true, true) => Ok(()),
        (false, _) => Err("none is the message with two numbers".to_owned()),
        (_, false) => Err("none is the error with `derive(Debug)`".to_owned()),
    }
}

fn is_word(word: Word) -> bool {
    matches!(word, Word::Recorded(_))
}

/// The constant words of a message, as text and as numbers.
fn constants(words: &[Word]) -> (String, Vec<u64>) {
    let constant = |word: &Word| match *word {
        Word::Constant(value) => value,
        Word::Recorded(_) => 0,
    };
    let numbers: Vec<u64> = words.iter().map(constant).collect();
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    (String::from_utf8_lossy(&bytes).into_owned(), numbers)
}

/// Compiles the kernels and looks at what they have become.
pub(super) fn check(list: &mut List, toolchain: &Toolchain, probes: &Probes, dir: &Path) {
    let program = Program {
        package: "ptyx-probe".to_owned(),
        unit: Unit::Lib,
        families: vec![Family {
            own: vec![probes.kernels.clone()],
            dependencies: vec![probes.runtime.clone()],
        }],
        toolchain: toolchain.clone(),
        options: Options {
            libdevice: Libdevice::Off,
            debug_info: Some(DebugInfo::None),
            llvm_ir: Some(false),
            ..Options::default()
        },
        libdevice: None,
        work_dir: dir.to_owned(),
        dump: None,
        failed_targets: Vec::new(),
    };
    let mut kernels: Vec<(String, Result<Compiled, String>)> = Vec::new();
    list.check("launches of kernels are found", "link/roots.rs", || {
        let said = |error: Diagnostic| error.to_string();
        for linked in link::link(&program).map_err(said)? {
            for (root, number) in linked.roots.iter().zip(0..) {
                let cache = Cache::of(&program);
                let compiled = kernel::compile(&program, &cache, &linked.bitcode, root, number);
                let compiled = compiled.map_err(|errors| {
                    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
                });
                kernels.push((root.type_name.clone(), compiled));
            }
        }
        Ok(())
    });
    for (kernel, what, holds) in RULES {
        list.check(format!("kernel `{kernel}` {what}"), "kernel/", || {
            let is_kernel = |name: &str| name.ends_with(&format!("::{kernel}"));
            let compiled = kernels.iter().find(|(name, _)| is_kernel(name));
            let (_, compiled) = compiled.ok_or("its launch is not found")?;
            let compiled = compiled.as_ref().map_err(Clone::clone)?;
            holds(compiled.modules().first().ok_or("it has no PTX")?)
        });
    }
}
