//! What the standard library has to look like: symbols, layouts, `format_args!`, the sysroot's bitcode.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::list::List;
use super::of_rustc::{CRATE, Compiled, STD_SOURCE};
use crate::link::sysroot;
use crate::llvm::{BASE_PTX, Context, Module, Target, Value, calls_of};
use crate::lower;
use crate::optimise;
use crate::rust::fmt_template::{self, Piece, literal_length};
use crate::rust::paths::{
    ALLOCATE, ALLOCATE_ZEROED, ALLOCATION_FAILED, ALLOCATOR_SHIM, BITCODE_SECTION, BODIES,
    BUILTINS, DEALLOCATE, DEALLOCATE_NAME, DROP, DROP_GLUE, FAILED_CHECKS, FEATURE_ANSWERS,
    FEATURE_DETECTION, FEATURE_QUESTIONS, HALF_FUNCTIONS, HASH_KEYS_WITH, HASH_KEYS_WORDS, LIBRARY,
    LIBRARY_SOURCES, PANIC_ENTRIES, PROCESSOR_INTRINSICS, PanicEntry, REALLOCATE, SYSTEM_ERROR,
};
use crate::rust::{Toolchain, formatters, instantiating_crate, is_launch, path_of, read_location};
use ptyx_image::Arch;

/// A module and its functions by path.
struct Names<'m, 'c> {
    module: &'m Module<'c>,
    functions: BTreeMap<String, Value<'c>>,
}

impl<'m, 'c> Names<'m, 'c> {
    fn of(module: &'m Module<'c>) -> Names<'m, 'c> {
        let path = |function: Value<'c>| (path_of(&function.name()), function);
        Names { module, functions: module.functions().into_iter().map(path).collect() }
    }

    fn has(&self, found: impl Fn(&str) -> bool) -> bool {
        self.functions.keys().any(|path| found(path))
    }

    /// The first call of the panic entry of this kind in the probe's function `name`, of those that `fits`.
    fn call(
        &self,
        name: &str,
        entry: PanicEntry,
        fits: impl Fn(&Value<'c>) -> bool,
    ) -> Result<Value<'c>, String> {
        let (callee, _) = PANIC_ENTRIES.iter().find(|(_, e)| *e == entry).ok_or("no row")?;
        let callee = *callee;
        let callee = self.functions.get(callee).ok_or_else(|| format!("no `{callee}`"))?;
        let within = format!("{CRATE}std::{name}");
        let is_within = |call: &Value<'c>| path_of(&call.parent_function().name()) == within;
        calls_of(*callee)
            .into_iter()
            .find(|call| is_within(call) && fits(call))
            .ok_or_else(|| format!("the probe's `{name}` does not call it"))
    }
}

/// The rows about std, by what rustc made of the probe.
pub(super) fn check(list: &mut List, toolchain: &Toolchain, probes: &Compiled) {
    let context = Context::new();
    let parse = |file: &Path| {
        let bitcode = fs::read(file).map_err(|error| error.to_string())?;
        Module::parse(&context, &bitcode).map_err(|error| error.to_string())
    };
    let library = check_sysroot(list, toolchain);
    let (mut std, mut old, mut half) = (None, None, None);
    list.check("bitcode of a crate", "device_pass/cargo.rs", || {
        (std, old) = (Some(parse(&probes.std)?), Some(parse(&probes.edition2018)?));
        half = Some(parse(&probes.half)?);
        Ok(())
    });
    if let Some(half) = &half {
        check_half(list, &Names::of(half));
    }
    let (Some(mut std), Some(old)) = (std, old) else { return };
    {
        let (names, old) = (Names::of(&std), Names::of(&old));
        check_panics(list, &names, &old);
        check_failed_checks(list, &names);
        check_location(list, &names);
        check_formatters(list, &names);
        check_layouts(list, &names);
        check_paths(list, &names, &library);
        check_features(list, &names);
        check_mathematics(list, &names);
    }
    check_templates(list, &mut std);
}

/// The sysroot's crates, and the paths of what they define.
fn check_sysroot(list: &mut List, toolchain: &Toolchain) -> BTreeSet<String> {
    let mut symbols = BTreeSet::new();
    for name in BODIES {
        let row = format!("section `{BITCODE_SECTION}` in the sysroot's `{name}`");
        list.check(row, "link/sysroot.rs", || {
            let (sysroot, target) = (&toolchain.sysroot, &toolchain.target);
            let libraries = sysroot::bodies(sysroot, target, name).map_err(|e| e.to_string())?;
            if libraries.is_empty() {
                return Err("not found".to_owned());
            }
            let context = Context::new();
            for library in libraries {
                let module = Module::parse_lazily(&context, &library.bitcode)
                    .map_err(|error| error.to_string())?;
                symbols.extend(module.functions().into_iter().map(Value::name));
            }
            Ok(())
        });
    }
    symbols
}

/// How a panic entry's parameters look, as LLVM's text says them.
fn shape(entry: PanicEntry) -> &'static [&'static str] {
    match entry {
        PanicEntry::Bounds => &["i64", "i64", "ptr"],
        PanicEntry::Text => &["ptr", "i64", "ptr"],
        PanicEntry::Format => &["ptr", "ptr", "ptr"],
        PanicEntry::FormatNoUnwind => &["ptr", "ptr", "i1", "ptr"],
    }
}

fn check_panics(list: &mut List, std: &Names<'_, '_>, old: &Names<'_, '_>) {
    for (path, entry) in PANIC_ENTRIES {
        list.check(format!("panic entry `{path}`"), "lower/panics/mod.rs", || {
            let function = std.functions.get(path).or_else(|| old.functions.get(path));
            let function = function.ok_or("not found")?;
            let params: Vec<_> =
                function.value_type().params().iter().map(|ty| ty.print()).collect();
            match params == shape(entry) {
                true => Ok(()),
                false => Err(format!("its parameters are ({})", params.join(", "))),
            }
        });
    }
}

fn check_failed_checks(list: &mut List, std: &Names<'_, '_>) {
    for path in FAILED_CHECKS {
        list.check(format!("failed check `{path}`"), "lower/leave_out_checks.rs", || {
            std.functions.get(path).map(drop).ok_or_else(|| "not found".into())
        });
    }
}

/// How rustc names what the crate `half` defines.
fn check_half(list: &mut List, half: &Names<'_, '_>) {
    for (path, _) in HALF_FUNCTIONS {
        let found = half.functions.contains_key(path);
        list.find(format!("function of `half` `{path}`"), "lower/redirect_half.rs", found);
    }
}

fn check_location(list: &mut List, names: &Names<'_, '_>) {
    list.check("layout of `core::panic::Location`", "rust/location.rs", || {
        let call = names.call("bounds", PanicEntry::Bounds, |_| true)?;
        let location = *call.arguments().last().ok_or("the call has no arguments")?;
        let place = read_location(location).ok_or("it can't be read")?;
        let line = STD_SOURCE.lines().position(|line| line.ends_with("// the place that is read"));
        let expected = (format!("{CRATE}std.rs"), line.unwrap_or_default() as u32 + 1, 5);
        let (file, line, column) = &place;
        match file.ends_with(&expected.0) && (*line, *column) == (expected.1, expected.2) {
            true => Ok(()),
            false => Err(format!("{file}:{line}:{column} is read, not {expected:?}")),
        }
    });
}

fn check_formatters(list: &mut List, names: &Names<'_, '_>) {
    for path in formatters::paths() {
        let found = names.functions.contains_key(&path);
        list.find(format!("formatter `{path}`"), "rust/formatters.rs", found);
    }
}

fn check_layouts(list: &mut List, names: &Names<'_, '_>) {
    const SIZES: [(&str, &str, u64); 3] = [
        ("core::fmt::Formatter", "FORMATTER", formatters::FORMATTER_SIZE),
        ("core::fmt::Arguments", "ARGUMENTS", 16),
        ("core::panic::Location", "LOCATION", 24),
    ];
    for (ty, global, size) in SIZES {
        list.check(format!("size of `{ty}`"), "rust/formatters.rs, rust/location.rs", || {
            let path = format!("{CRATE}std::{global}");
            let globals = names.module.globals();
            let global = globals.into_iter().find(|global| path_of(&global.name()) == path);
            let found = names.module.size_of(global.ok_or("not found")?.value_type());
            if found == size { Ok(()) } else { Err(format!("{found} bytes, not {size}")) }
        });
    }
    list.check("order of `dyn core::fmt::Write`", "lower/panics/recorder.rs", || {
        let method = |name| {
            let path = format!("<{CRATE}std::Sink as core::fmt::Write>::{name}");
            names.functions.get(&path).copied().ok_or(format!("no `{path}`"))
        };
        let methods = [method("write_str")?, method("write_char")?, method("write_fmt")?];
        let is_vtable = |global: &Value<'_>| {
            let initializer = global.constant_initializer();
            initializer.is_some_and(|fields| {
                // Drop glue or nothing and the size and alignment as bytes stand in front.
                let fields = fields.operands();
                fields.len() > methods.len() && fields.ends_with(&methods)
            })
        };
        match names.module.globals().iter().any(is_vtable) {
            true => Ok(()),
            false => Err("no table of functions ends with its three methods".to_owned()),
        }
    });
}

fn check_paths(list: &mut List, names: &Names<'_, '_>, library: &BTreeSet<String>) {
    let library_has = |path: &str| library.iter().any(|symbol| path_of(symbol) == path);
    for path in [ALLOCATE, ALLOCATE_ZEROED, DEALLOCATE, REALLOCATE, ALLOCATION_FAILED] {
        let found = names.functions.contains_key(path) || library_has(path);
        list.find(format!("allocator `{path}`"), "lower/redirect_heap.rs", found);
    }
    let found = names.has(|path| path.starts_with(ALLOCATOR_SHIM));
    list.find(format!("allocator `{ALLOCATOR_SHIM}`"), "lower/redirect_heap.rs", found);
    let found = names.has(|path| path.ends_with(DEALLOCATE_NAME));
    list.find(format!("allocator `{DEALLOCATE_NAME}`"), "lower/replace_foreign.rs", found);

    let (start, inner) = HASH_KEYS_WITH;
    let is_keys = |path: &str, function: &Value<'_>| {
        let name = function.name();
        path.starts_with(start)
            && path.contains(inner)
            && HASH_KEYS_WORDS.iter().all(|word| name.contains(word))
    };
    let found = names.functions.iter().any(|(path, function)| is_keys(path, function));
    list.find(format!("hash keys `{start}..{inner}`"), "lower/fix_hash_keys.rs", found);

    let found = names.has(|path| path.starts_with(SYSTEM_ERROR));
    list.find(format!("formatters `{SYSTEM_ERROR}`"), "lower/replace_foreign.rs", found);
    let is_glue = |path: &str| DROP_GLUE.iter().any(|glue| path.starts_with(glue));
    let row = format!("drop glue `{}`", DROP_GLUE.join("` or `"));
    list.find(row, "reject/explain.rs", names.has(is_glue));
    let found = names.has(|path| path.ends_with(DROP));
    list.find(format!("destructor `{DROP}`"), "reject/explain.rs", found);
    let found = names.has(|path| path.contains("::called") && is_launch(path));
    list.find("calls by reference, `<f as Fn<..>>::call`", "rust/names.rs", found);
    let own = format!("{CRATE}std");
    let copies = |function: &Value<'_>| instantiating_crate(&function.name()) == Some(&own);
    let found = names.functions.values().any(copies);
    list.find("crate behind a copy's symbol", "rust/names.rs", found);
    let found = library.iter().any(|symbol| symbol.contains(BUILTINS));
    list.find(format!("module `{BUILTINS}`"), "lower/redirect_runtime.rs", found);
    for start in LIBRARY {
        let found = names.has(|path| path.trim_start_matches(['<', '&']).starts_with(start))
            || library.iter().any(|symbol| path_of(symbol).contains(start));
        list.find(format!("paths `{start}`"), "report/whose.rs", found);
    }
    let context = names.module.context();
    let of_library = |function: &Value<'_>| {
        let place = function.definition(context);
        place.is_some_and(|place| LIBRARY_SOURCES.iter().any(|start| place.file.starts_with(start)))
    };
    let found = names.functions.values().any(of_library);
    let row = format!("sources `{}`", LIBRARY_SOURCES.join("` or `"));
    list.find(row, "report/whose.rs", found);
    let found = names.module.functions().iter().any(|f| f.name() == "memcmp" || f.name() == "bcmp");
    list.find("comparisons of memory call `memcmp` or `bcmp`", "lower/redirect_runtime.rs", found);
    let thread_local = names.module.globals().iter().any(|global| global.is_thread_local());
    list.find("variables of a thread", "lower/replace_foreign.rs", thread_local);
}

fn check_features(list: &mut List, names: &Names<'_, '_>) {
    const USED_BY: &str = "lower/answer_features.rs";
    if !cfg!(target_arch = "x86_64") {
        return;
    }
    let asked = |path: &str| FEATURE_QUESTIONS.contains(&path);
    let questions: Vec<&String> =
        names.functions.keys().filter(|path| path.contains(FEATURE_DETECTION)).collect();
    list.check("questions for features of the processor", USED_BY, || {
        match questions.iter().any(|path| asked(path)) {
            true => Ok(()),
            false => Err(format!("none of those that are known, but {questions:?}")),
        }
    });
    list.find(format!("answers `{FEATURE_ANSWERS}`"), USED_BY, {
        let globals = names.module.globals();
        globals.iter().any(|global| path_of(&global.name()) == FEATURE_ANSWERS)
    });
    let row = format!("attribute \"{}\" of functions", lower::FEATURES);
    let guarded = format!("{CRATE}std::guarded");
    let features = names.functions.get(&guarded).and_then(|f| f.string_attribute(lower::FEATURES));
    list.find(row, USED_BY, features.is_some_and(|features| features.contains("+sse4.2")));
    let found = names.has(|path| path.starts_with(PROCESSOR_INTRINSICS));
    list.find(format!("paths `{PROCESSOR_INTRINSICS}`"), USED_BY, found);
}

/// Whatever functions of C std's mathematics declare, lowering must know them.
fn check_mathematics(list: &mut List, names: &Names<'_, '_>) {
    list.check("C functions of mathematics", "lower/redirect_runtime.rs", || {
        let of_c = |function: &Value<'_>| {
            let name = function.name();
            let is_called_by = |call: &Value<'_>| {
                path_of(&call.parent_function().name()).contains("::mathematics")
                    || path_of(&call.parent_function().name()).contains("std::num::f")
            };
            function.is_declaration()
                && !name.starts_with("_R")
                && !name.starts_with("llvm.")
                && calls_of(*function).iter().any(is_called_by)
        };
        let all = names.module.functions().into_iter().filter(of_c);
        let (known, unknown): (Vec<String>, Vec<String>) =
            all.map(Value::name).partition(|name| lower::is_redirected(name));
        match (known.is_empty(), unknown.is_empty()) {
            (false, true) => Ok(()),
            (true, _) => Err("none is found".to_owned()),
            _ => Err(format!("these are unknown: {}", unknown.join(", "))),
        }
    });
}

/// What `format_args!` makes, which shows once the optimiser has put it together.
fn check_templates(list: &mut List, module: &mut Module<'_>) {
    list.check("literal message", "rust/fmt_template.rs", || {
        let call = Names::of(module).call("literal", PanicEntry::Format, |_| true)?;
        let [text, tagged, _] = call.arguments()[..] else { return Err("other arguments".into()) };
        let len = literal_length(tagged).ok_or("no length is found")?;
        match text.constant_bytes() {
            Some(bytes) if bytes.starts_with(b"only text") && len == 9 => Ok(()),
            found => Err(format!("{len} bytes of {found:?}")),
        }
    });
    list.check("template of `format_args!`", "rust/fmt_template.rs", || {
        let target = Target::new(Arch::BASE, BASE_PTX).map_err(|error| error.to_string())?;
        module.run_passes(optimise::SIMPLIFY, &target).map_err(|error| error.to_string())?;
        // Of the width, too, there is something to check, whose message is a literal.
        let is_template = |call: &Value<'_>| literal_length(call.operand(1)).is_none();
        let call = Names::of(module).call("template", PanicEntry::Format, is_template)?;
        let template = call.arguments().first().and_then(|template| template.constant_bytes());
        let pieces = template
            .as_deref()
            .and_then(fmt_template::decode)
            .ok_or_else(|| format!("it can't be read: {}", call.print()))?;
        let texts: Vec<&str> = pieces
            .iter()
            .filter_map(|piece| match piece {
                Piece::Text(text) => Some(text.as_str()),
                Piece::Argument { .. } => None,
            })
            .collect();
        let indices: Vec<u16> = pieces
            .iter()
            .filter_map(|piece| match piece {
                Piece::Argument { index, .. } => Some(*index),
                Piece::Text(_) => None,
            })
            .collect();
        let wide = matches!(pieces.get(3), Some(Piece::Argument { width: Some(2), options, .. })
            if options >> 48 == 3);
        match texts == ["a is ", ", b is ", " and "] && indices == [0, 1, 3] && wide {
            true => Ok(()),
            false => Err(format!("it reads {pieces:?}")),
        }
    });
}
