//! Which module a path leads to.

use crate::sources::Modules;

/// Re-exports that lead to re-exports end well before this.
const DEPTH: usize = 16;

/// The module of the crate that holds what `path` names in module `from`; `None` if it is another crate's,
/// or not to be found.
///
/// A re-export leads to where the thing is defined. The crate's root is `""`.
pub fn target(modules: &Modules, from: &str, path: &[String]) -> Option<String> {
    follow(modules, from, path, DEPTH)
}

fn follow(modules: &Modules, from: &str, path: &[String], depth: usize) -> Option<String> {
    let depth = depth.checked_sub(1)?;
    let (first, mut rest) = path.split_first()?;
    match first.as_str() {
        "crate" => walk(modules, "", rest, depth),
        "self" => walk(modules, from, rest, depth),
        "super" => {
            let mut at = parent(from)?;
            while let Some((next, more)) = rest.split_first()
                && next == "super"
            {
                (at, rest) = (parent(at)?, more);
            }
            walk(modules, at, rest, depth)
        }
        // A name of the module itself, or a crate's.
        name => {
            let is_known = child(modules, from, name).is_some()
                || modules.get(from)?.imports.contains_key(name)
                || modules.get(from)?.items.contains(name);
            if is_known { walk(modules, from, path, depth) } else { None }
        }
    }
}

fn parent(module: &str) -> Option<&str> {
    if module.is_empty() {
        return None;
    }
    Some(module.rsplit_once("::").map_or("", |(outer, _)| outer))
}

fn child(modules: &Modules, module: &str, name: &str) -> Option<String> {
    let path = if module.is_empty() { name.to_owned() } else { format!("{module}::{name}") };
    modules.contains_key(&path).then_some(path)
}

/// Follows a path that starts in `module`.
fn walk(modules: &Modules, module: &str, path: &[String], depth: usize) -> Option<String> {
    let Some((name, rest)) = path.split_first() else { return Some(module.to_owned()) };
    if let Some(inner) = child(modules, module, name) {
        return walk(modules, &inner, rest, depth);
    }
    let here = modules.get(module)?;
    if here.items.contains(name) {
        return Some(module.to_owned());
    }
    if let Some(import) = here.imports.get(name) {
        // `use name;` names what is there anyway.
        if import.len() > 1 || import[0] != *name {
            let whole: Vec<String> = import.iter().chain(rest).cloned().collect();
            return follow(modules, module, &whole, depth);
        }
    }
    for glob in &here.globs {
        let whole: Vec<String> = glob.iter().chain(path).cloned().collect();
        if let Some(source) = follow(modules, module, glob, depth)
            && (child(modules, &source, name).is_some()
                || modules[&source].items.contains(name)
                || modules[&source].imports.contains_key(name))
        {
            return follow(modules, module, &whole, depth);
        }
    }
    let exported = |found: &(&String, &crate::sources::Module)| found.1.exported.contains(name);
    if module.is_empty()
        && let Some((owner, _)) = modules.iter().find(exported)
    {
        return Some(owner.clone());
    }
    // Something that a macro defines, as far as can be told.
    Some(module.to_owned())
}
