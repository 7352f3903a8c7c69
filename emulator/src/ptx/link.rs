//! Linking: several modules as one text.
//!
//! A module's own names (those without `.visible`, `.weak` or `.extern`) may be another's, too. So they are renamed
//! where they clash, and so are labels of debug strings and numbers of files. The rest is what a single module can
//! hold anyway: declarations beside the definition.

use super::ast::{Module, Variable};
use super::parse;
use super::types::Space;
use crate::error::Diagnostic;
use std::collections::{HashMap, HashSet};

/// Functions without a body that the device has itself.
const BUILT_IN: [&str; 5] =
    ["vprintf", "malloc", "free", "__assertfail", "cudaGraphSetConditional"];
/// How far apart the file numbers of two modules are.
const FILES: u64 = 1 << 16;

/// One text of several modules; a single one stays as it is.
///
/// # Errors
/// What is wrong with a module's text, a name that two modules define, a name that none defines.
pub(crate) fn link(sources: &[&str]) -> Result<String, Vec<Diagnostic>> {
    let modules = sources.iter().map(|source| parse(source)).collect::<Result<Vec<_>, _>>()?;
    let mut errors = Vec::new();
    let mut strong: HashSet<&str> = HashSet::new();
    let mut weak: HashSet<&str> = HashSet::new();
    for module in &modules {
        for name in definitions(module) {
            if module.weak.contains(name) {
                weak.insert(name);
            } else if !module.locals.contains(name) && !strong.insert(name) {
                errors.push(error(format!("multiple definition of `{name}`")));
            }
        }
    }
    for (name, line) in modules.iter().flat_map(missing) {
        if !strong.contains(name) && !weak.contains(name) {
            errors.push(Diagnostic { line, ..error(format!("undefined reference to `{name}`")) });
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    if let [only] = sources {
        return Ok((*only).to_owned());
    }
    let mut text = String::new();
    let mut taken: HashSet<&str> = HashSet::new();
    for (index, (source, module)) in sources.iter().zip(&modules).enumerate() {
        let labels = module.strings.iter().map(|(label, _)| *label);
        let own: Vec<&str> = definitions(module).chain(labels).collect();
        let clash = |name: &&str| match module.weak.contains(name) {
            true => taken.contains(name) || strong.contains(name),
            false if is_shared(module, name) => false,
            false => taken.contains(name) || strong.contains(name) || weak.contains(name),
        };
        let renamed = own.iter().copied().filter(clash);
        let renamed = renamed.map(|name| (name, format!("{name}__{index}"))).collect();
        rewrite(source, &renamed, index as u64 * FILES, &mut text);
        text.push('\n');
        taken.extend(own);
    }
    Ok(text)
}

fn error(message: String) -> Diagnostic {
    Diagnostic { line: 0, text: String::new(), message }
}

/// Whether other modules can name it.
fn is_shared(module: &Module<'_>, name: &str) -> bool {
    !module.locals.contains(name) && !module.strings.iter().any(|(label, _)| *label == name)
}

fn in_memory(variable: &Variable<'_>) -> bool {
    matches!(variable.space, Space::Global | Space::Const)
}

/// What a module defines.
fn definitions<'a>(module: &'a Module<'a>) -> impl Iterator<Item = &'a str> {
    let functions = module.functions.iter().filter(|function| function.body.is_some());
    let variables = module.variables.iter().filter(|variable| !variable.external);
    functions.map(|function| function.name).chain(variables.map(|variable| variable.name))
}

/// What a module only declares, with its line. Dynamic shared memory is declared only.
fn missing<'a>(module: &'a Module<'a>) -> impl Iterator<Item = (&'a str, u32)> {
    let functions = module.functions.iter().filter(|function| function.body.is_none());
    let functions = functions.filter(|function| !BUILT_IN.contains(&function.name));
    let variables = module.variables.iter().filter(|v| v.external && in_memory(v));
    functions
        .map(|function| (function.name, function.line))
        .chain(variables.map(|variable| (variable.name, variable.line)))
}

/// Appends a module's text with other names and file numbers.
fn rewrite(source: &str, renamed: &HashMap<&str, String>, files: u64, to: &mut String) {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '%');
    let mut rest = source;
    // The next number is a file's.
    let mut file = false;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if first == '"' {
            rest[1..].find('"').map_or(rest.len(), |end| end + 2)
        } else if first == '.' || is_word(first) {
            let start = usize::from(first == '.');
            rest[start..].find(|c| !is_word(c)).map_or(rest.len(), |end| start + end)
        } else {
            first.len_utf8()
        };
        let (token, behind) = rest.split_at(length);
        rest = behind;
        match (renamed.get(token), token.parse::<u64>()) {
            (Some(name), _) => to.push_str(name),
            (None, Ok(number)) if file => to.push_str(&(number + files).to_string()),
            _ => to.push_str(token),
        }
        if matches!(token, ".file" | ".loc" | "inlined_at") {
            file = true;
        } else if !token.trim().is_empty() {
            file = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = ".version 7.0\n.target sm_70\n.address_size 64\n";

    fn linked(parts: &[&str]) -> Result<String, Vec<String>> {
        let texts: Vec<String> = parts.iter().map(|part| format!("{HEAD}{part}")).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        link(&texts).map_err(|errors| errors.into_iter().map(|error| error.message).collect())
    }

    #[test]
    fn own_names_and_files_are_told_apart() {
        let first = ".file 1 \"own.rs\"\n.global .u32 own; // own\n.visible .entry a() { .loc 1 own 2; ret; }";
        let first = first.replace("own 2;", "2 2");
        let second = ".file 1 \"own.rs\"\n.global .u32 own;\n.visible .entry b()\n{\n.reg .b64 %own;\n\
            .loc 1 3 4\nmov.u64 %own, own;\nret;\n}";
        let text = linked(&[&first, second]).unwrap();
        assert!(text.contains(".global .u32 own; // own"), "{text}");
        assert!(text.contains(".global .u32 own__1;"), "{text}");
        assert!(text.contains("mov.u64 %own, own__1;"), "{text}");
        assert!(text.contains(".file 65537 \"own.rs\"\n"), "{text}");
        assert!(text.contains(".loc 65537 3 4"), "{text}");
        assert!(parse(&text).is_ok());
    }

    #[test]
    fn a_name_is_defined_once() {
        let (use_it, define) = (".extern .func f;", ".visible .func f() { ret; }");
        linked(&[use_it, define]).unwrap();
        linked(&[define, use_it]).unwrap();
        let undefined = "undefined reference to `f`";
        assert_eq!(linked(&[use_it, "// none"]).unwrap_err(), [undefined]);
        assert_eq!(linked(&[define, define]).unwrap_err(), ["multiple definition of `f`"]);
        let weak = ".weak .func f() { ret; }";
        assert!(linked(&[weak, weak]).unwrap().contains("f__1()"));
        assert!(linked(&[weak, define]).unwrap().contains("f__0()"));
        let variable = [".extern .global .u32 v;", ".visible .global .u32 v = 3;"];
        linked(&variable).unwrap();
        assert_eq!(linked(&variable[..1]).unwrap_err(), ["undefined reference to `v`"]);
    }

    #[test]
    fn a_single_module_stays_as_it_is() {
        let text = ".global .u32 x; /* \" */ .visible .entry k() { ret; }";
        assert_eq!(linked(&[text]).unwrap(), format!("{HEAD}{text}"));
        assert!(linked(&["nonsense", text]).is_err());
    }
}
