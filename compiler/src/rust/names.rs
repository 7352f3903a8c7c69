//! From symbols to Rust paths, and to the names that users know.

use std::cell::RefCell;
use std::collections::HashMap;

/// The Rust path that a symbol stands for, without hashes: `core::panicking::panic_fmt`.
///
/// Symbols that are not Rust's are returned as they are.
///
/// The kernels of a program share most of their functions, and several steps ask for the path of each: so each thread
/// remembers the answers.
pub(crate) fn path_of(symbol: &str) -> String {
    PATHS.with_borrow_mut(|paths| match paths.get(symbol) {
        Some(path) => path.clone(),
        None => {
            let path = demangle(symbol);
            paths.insert(symbol.to_owned(), path.clone());
            path
        }
    })
}

thread_local! {
    /// What [`path_of`] has answered.
    static PATHS: RefCell<HashMap<String, String>> = RefCell::default();
}

fn demangle(symbol: &str) -> String {
    // LLVM appends `.123` to names that were taken when modules were linked.
    let bare = match symbol.rsplit_once('.') {
        Some((bare, number)) if number.bytes().all(|b| b.is_ascii_digit()) => bare,
        _ => symbol,
    };
    format!("{:#}", rustc_demangle::demangle(bare))
}

/// Whether a path is that of a function of the standard library that calls none of the user's.
pub(crate) fn is_closed_std(path: &str) -> bool {
    ["core::", "alloc::", "std::"].iter().any(|start| path.starts_with(start))
        && !path.contains("closure")
}

/// Modules of the standard library that are public below another one.
const INNER_MODULES: [&str; 4] = ["atomic", "hash_map", "mpsc", "x86_64"];

/// The name that a user knows a function of the standard library or of Ptyx by: without generics and
/// without its private modules. `<std::sync::poison::mutex::Mutex<u32>>::lock` is `std::sync::Mutex::lock`.
///
/// Other paths only lose their generics.
pub(crate) fn public_name(path: &str) -> String {
    let segments = segments(path);
    let (Some(first), Some(last)) = (segments.first(), segments.last()) else {
        return path.to_owned();
    };
    let root = match first.as_str() {
        "std" | "alloc" => "std",
        "core" => "core",
        "ptyx" => "ptyx",
        _ => return segments.join("::"),
    };
    if segments.get(1).is_some_and(|module| module == "core_arch") {
        return format!("std::arch::{}::{last}", std::env::consts::ARCH);
    }
    let is_type = |segment: &String| segment.starts_with(|c: char| c.is_ascii_uppercase());
    let item = segments.iter().position(is_type).unwrap_or(segments.len() - 1);
    let is_public =
        |at: usize, module: &str| (at == 0 && root != "ptyx") || INNER_MODULES.contains(&module);
    let modules = segments.get(1..item).unwrap_or_default().iter().enumerate();
    let modules = modules.filter(|(at, module)| is_public(*at, module)).map(|(_, module)| module);
    let mut name = root.to_owned();
    // Its functions are public as those of another module.
    if segments.get(1).is_some_and(|module| root == "std" && module == "panicking") {
        return format!("std::panic::{last}");
    }
    for segment in modules.chain(&segments[item..]) {
        name += "::";
        name += segment;
    }
    name
}

/// The segments of a path, without generics, closures and the trait of `<type as trait>`.
fn segments(path: &str) -> Vec<String> {
    if let Some(rest) = path.strip_prefix('<') {
        let mut depth = 1;
        let end = rest.char_indices().find(|(at, c)| {
            match c {
                '<' => depth += 1,
                '>' if !rest[..*at].ends_with('-') => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        let Some((end, _)) = end else { return vec![path.to_owned()] };
        let ty = at_depth_0(&rest[..end], " as ").next().unwrap_or_default();
        let ty = ty.trim_start_matches(['&', '*']).trim_start_matches("mut ");
        let mut all = segments(ty);
        all.extend(segments(rest[end + 1..].trim_start_matches("::")));
        return all;
    }
    at_depth_0(path, "::")
        .filter(|segment| !segment.starts_with(['<', '{']) && !segment.is_empty())
        .map(|segment| match segment.starts_with(['[', '(']) {
            true => segment.to_owned(),
            false => segment.split('<').next().unwrap_or(segment).to_owned(),
        })
        .collect()
}

/// The parts of `text` between separators that stand outside of all brackets.
fn at_depth_0<'a>(text: &'a str, separator: &'a str) -> impl Iterator<Item = &'a str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let mut depth = 0;
        for (at, c) in text.char_indices() {
            match c {
                '<' | '[' | '(' | '{' => depth += 1,
                '>' if text[..at].ends_with('-') => {}
                '>' | ']' | ')' | '}' => depth -= 1,
                _ => {}
            }
            if depth == 0 && text[at..].starts_with(separator) {
                rest = Some(&text[at + separator.len()..]);
                return Some(&text[..at]);
            }
        }
        rest = None;
        Some(text)
    })
}

/// The crate that made this copy of a generic function: the last crate of the symbol (Rust
/// reference, "v0 Symbol Format"); `None` for other symbols.
pub(crate) fn instantiating_crate(symbol: &str) -> Option<&str> {
    let (_, last) = symbol.strip_prefix("_R")?.rsplit_once("Cs")?;
    let (_, sized) = last.split_once('_')?;
    let digits = sized.bytes().take_while(u8::is_ascii_digit).count();
    let (len, name) = sized.split_at(digits);
    (len.parse() == Ok(name.len())).then_some(name)
}

/// Whether a path is rustc's `<f as Fn<..>>::call` around the kernel, or Ptyx's code around that.
pub(crate) fn is_launch(path: &str) -> bool {
    let is_shim = path.starts_with('<')
        && path.contains(" as core::ops::function::Fn")
        && path.contains(">>::call");
    is_shim || path.ends_with("Fn<_>>::call") || path.starts_with("ptyx::launch::")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_have_no_hashes() {
        let symbol = "_RNvNtCsgEmfK2I1SDS_4core9panicking9panic_fmt";
        assert_eq!(path_of(symbol), "core::panicking::panic_fmt");
        assert_eq!(path_of(&format!("{symbol}.17")), "core::panicking::panic_fmt");
        assert_eq!(path_of("vprintf"), "vprintf");
    }

    #[test]
    fn public_names() {
        for (path, name) in [
            ("std::fs::read::<&str>", "std::fs::read"),
            ("std::thread::functions::sleep", "std::thread::sleep"),
            ("<std::sync::poison::mutex::Mutex<u32>>::lock", "std::sync::Mutex::lock"),
            (
                "<std::collections::hash::map::HashMap<i32, (u8, u8)>>::insert",
                "std::collections::HashMap::insert",
            ),
            ("<std::sync::mpsc::Sender<u32>>::send", "std::sync::mpsc::Sender::send"),
            ("<alloc::vec::Vec<u8> as core::clone::Clone>::clone", "std::vec::Vec::clone"),
            ("<&mut alloc::vec::Vec<u8> as core::fmt::Debug>::fmt", "std::vec::Vec::fmt"),
            ("alloc::fmt::format", "std::fmt::format"),
            ("<[u32]>::sort", "[u32]::sort"),
            (
                "<str as std::net::socket_addr::ToSocketAddrs>::to_socket_addrs",
                "str::to_socket_addrs",
            ),
            (
                "core::core_arch::x86::sse42::_mm_crc32_u32",
                &format!("std::arch::{}::_mm_crc32_u32", std::env::consts::ARCH),
            ),
            (
                "core::iter::traits::iterator::Iterator::collect::<X>",
                "core::iter::Iterator::collect",
            ),
            ("a::b::function::<fn(u8) -> u8>", "a::b::function"),
            ("<ptyx::memory::buffer::DeviceBuffer<u32>>::zeroed", "ptyx::DeviceBuffer::zeroed"),
            ("std::panicking::set_hook", "std::panic::set_hook"),
            ("getpid", "getpid"),
            ("<unbalanced", "<unbalanced"),
        ] {
            assert_eq!(public_name(path), name);
        }
    }

    #[test]
    fn copies_name_their_crate() {
        let of = instantiating_crate;
        let symbol = "_RINvNtCsgEmfK2I1SDS_4core9panicking13assert_failedmmECsjrHSEGnQ3l9_3std";
        assert_eq!(of(symbol), Some("std"));
        assert_eq!(of("_RNvNtCsgEmfK2I1SDS_4core9panicking9panic_fmt"), None);
        assert_eq!(of("_RNvCs1_3std"), Some("std"));
        assert_eq!(of("_RNvCs"), None);
        assert_eq!(of("memcmp"), None);
    }
}
