//! The bitcode of the sysroot's crates.
//!
//! Functions of `core` and `alloc` that are neither generic nor inline are only declarations in the
//! user's bitcode. Their bodies are in the `.llvmbc` sections of the objects in the sysroot's rlibs; so
//! are those of `hashbrown`, which std's maps are made of. From `std` and the other crates, only their
//! copies of these crates' generic functions are taken: rustc makes no copy of its own of a function
//! marked `#[inline(never)]` (`assert_failed`) if a crate that it uses has one. `std`'s own functions
//! that are not generic belong to an operating system, and stay undefined functions that `reject` can
//! name.

use std::fs;
use std::path::{Path, PathBuf};

use crate::report::Diagnostic;
use crate::rust::path_of;
use crate::rust::paths::{BITCODE_SECTION, BODIES};

/// A module of a sysroot's crate.
pub(crate) struct Library {
    pub(crate) bitcode: Vec<u8>,
    /// The crate, if only its copies of other crates' functions are linked.
    copies_of: Option<String>,
}

impl Library {
    /// Whether a definition with this symbol may be linked.
    pub(crate) fn offers(&self, symbol: &str) -> bool {
        self.copies_of.as_deref().is_none_or(|name| !mentions_crate(&path_of(symbol), name))
    }
}

/// Whether a path names something of a crate, anywhere in it.
fn mentions_crate(path: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    path.split(|c| !is_part(c))
        .any(|word| word.strip_prefix(name).is_some_and(|rest| rest.starts_with("::")))
}

/// The sysroot's crates with their own bodies, users before what they use.
pub(crate) fn crates(sysroot: &Path, target: &str) -> Result<Vec<Library>, Diagnostic> {
    let all: Result<Vec<_>, _> =
        BODIES.map(|name| bodies(sysroot, target, name)).into_iter().collect();
    Ok(all?.into_iter().flatten().collect())
}

/// One of those crates.
pub(crate) fn bodies(sysroot: &Path, target: &str, name: &str) -> Result<Vec<Library>, Diagnostic> {
    let dir = directory(sysroot, target);
    let path = rlib(&dir, name).ok_or_else(|| {
        Diagnostic::new(format!("the toolchain has no lib{name}-*.rlib in {}", dir.display()))
    })?;
    modules(&path, None)
}

/// The copies that crate `name` has of other crates' functions; nothing if it is not one of the
/// sysroot's, or one whose bodies are linked anyway.
pub(crate) fn copies(sysroot: &Path, target: &str, name: &str) -> Result<Vec<Library>, Diagnostic> {
    match rlib(&directory(sysroot, target), name) {
        Some(path) if !BODIES.contains(&name) => modules(&path, Some(name)),
        _ => Ok(Vec::new()),
    }
}

fn directory(sysroot: &Path, target: &str) -> PathBuf {
    sysroot.join("lib/rustlib").join(target).join("lib")
}

fn modules(rlib: &Path, copies_of: Option<&str>) -> Result<Vec<Library>, Diagnostic> {
    let archive = fs::read(rlib)
        .map_err(|e| Diagnostic::new(format!("{} can't be read: {e}", rlib.display())))?;
    Ok(archive_members(&archive)
        .filter(|(name, _)| name.ends_with(".o"))
        .filter_map(|(_, object)| elf_section(object, BITCODE_SECTION))
        .map(|bitcode| Library {
            bitcode: bitcode.to_vec(),
            copies_of: copies_of.map(str::to_owned),
        })
        .collect())
}

fn rlib(dir: &Path, name: &str) -> Option<PathBuf> {
    let prefix = format!("lib{name}-");
    fs::read_dir(dir).ok()?.flatten().map(|entry| entry.path()).find(|path| {
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        file.starts_with(&prefix) && file.ends_with(".rlib")
    })
}

/// The members of a Unix archive with GNU long names: name and contents.
///
/// A damaged archive ends the iteration early.
fn archive_members(archive: &[u8]) -> impl Iterator<Item = (String, &[u8])> {
    const MAGIC: &[u8] = b"!<arch>\n";
    const HEADER: usize = 60;
    let mut rest = archive.strip_prefix(MAGIC).unwrap_or_default();
    let mut long_names: &[u8] = &[];
    std::iter::from_fn(move || {
        loop {
            let header = rest.get(..HEADER)?;
            let field = |range: std::ops::Range<usize>| {
                std::str::from_utf8(&header[range]).unwrap_or_default().trim_end()
            };
            let size: usize = field(48..58).parse().ok()?;
            let contents = rest.get(HEADER..HEADER + size)?;
            let name = field(0..16).to_owned();
            // Members start at even offsets.
            rest = rest.get(HEADER + size + (size & 1)..).unwrap_or_default();
            match name.as_str() {
                "/" => continue,
                "//" => long_names = contents,
                _ => {
                    let long = name.strip_prefix('/').and_then(|n| n.parse::<usize>().ok());
                    let name = match long.and_then(|at| long_names.get(at..)) {
                        Some(tail) => {
                            let end = tail.iter().position(|&b| b == b'/' || b == b'\n');
                            String::from_utf8_lossy(&tail[..end.unwrap_or(tail.len())]).into_owned()
                        }
                        None => name.trim_end_matches('/').to_owned(),
                    };
                    return Some((name, contents));
                }
            }
        }
    })
}

/// The contents of a section of a little-endian ELF64 object; `None` if it is not there or the
/// object is damaged.
fn elf_section<'a>(object: &'a [u8], name: &str) -> Option<&'a [u8]> {
    let u16_at = |at: usize| Some(u16::from_le_bytes(object.get(at..at + 2)?.try_into().ok()?));
    let u32_at = |at: usize| Some(u32::from_le_bytes(object.get(at..at + 4)?.try_into().ok()?));
    let u64_at = |at: usize| {
        usize::try_from(u64::from_le_bytes(object.get(at..at + 8)?.try_into().ok()?)).ok()
    };
    // System V ABI, "ELF header" and "Section header": offsets of the 64-bit forms.
    if object.get(..6)? != b"\x7fELF\x02\x01" {
        return None;
    }
    let (table, entry_size, count, names_index) =
        (u64_at(0x28)?, u16_at(0x3a)? as usize, u16_at(0x3c)? as usize, u16_at(0x3e)? as usize);
    let section = |index: usize| {
        let at = table.checked_add(index.checked_mul(entry_size)?)?;
        Some((u32_at(at)? as usize, u64_at(at + 0x18)?, u64_at(at + 0x20)?))
    };
    let (_, names_at, names_len) = section(names_index)?;
    let names = object.get(names_at..names_at.checked_add(names_len)?)?;
    (0..count).find_map(|index| {
        let (name_at, at, len) = section(index)?;
        let tail = names.get(name_at..)?;
        let found = &tail[..tail.iter().position(|&b| b == 0)?];
        if found == name.as_bytes() { object.get(at..at.checked_add(len)?) } else { None }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn archive() -> Vec<u8> {
        let mut bytes = b"!<arch>\n".to_vec();
        let mut member = |name: &str, contents: &[u8]| {
            let header =
                format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, 0, 0, contents.len());
            bytes.extend_from_slice(header.as_bytes());
            bytes.extend_from_slice(contents);
            if contents.len() % 2 == 1 {
                bytes.push(b'\n');
            }
        };
        member("//", b"a-name-that-is-too-long.rcgu.o/\n");
        member("/0", b"abc");
        member("short.o/", b"de");
        bytes
    }

    #[test]
    fn archives_have_long_and_short_names_and_padding() {
        let bytes = archive();
        let members: Vec<_> = archive_members(&bytes).collect();
        assert_eq!(
            members,
            [
                ("a-name-that-is-too-long.rcgu.o".to_owned(), &b"abc"[..]),
                ("short.o".to_owned(), &b"de"[..])
            ]
        );
    }

    #[test]
    fn damaged_archives_end_early() {
        let bytes = archive();
        for len in 0..bytes.len() {
            assert!(archive_members(&bytes[..len]).count() <= 2);
        }
        assert_eq!(archive_members(b"not an archive").count(), 0);
    }

    #[test]
    fn copies_are_what_is_not_the_crate_s_own() {
        let library = Library { bitcode: Vec::new(), copies_of: Some("std".to_owned()) };
        for (path, offered) in [
            ("core::panicking::assert_failed::<u32, u32>", true),
            ("core::ptr::drop_in_place::<std::io::error::Error>", false),
            ("<std::fs::File as core::fmt::Debug>::fmt", false),
            ("<core::option::Option<u32> as core::fmt::Debug>::fmt", true),
            ("my_std::f", true),
        ] {
            assert_eq!(library.offers(path), offered, "{path}");
        }
    }

    #[test]
    fn no_elf_no_section() {
        assert_eq!(elf_section(b"\x7fELF", ".llvmbc"), None);
        assert_eq!(elf_section(&[0; 100], ".llvmbc"), None);
    }
}
