//! Links images into the package: an object file with one section, for its library inside a
//! static archive.
//!
//! The library's image travels inside the `.rlib`, as a native library that belongs to it, to
//! every program that is made of it. The image of the other targets is one more file on their
//! linkers' command lines. Both end up in the section `ptyx_images`, which the linker brackets
//! with `__start_ptyx_images` and `__stop_ptyx_images`.

use std::fs;
use std::path::Path;

use ptyx_image::{ALIGNMENT, Image, SECTION};

use crate::device_pass::{BuildEnv, Unit};
use crate::error::{Context, Error, Result};
use crate::package::Outcome;

/// Writes the images and tells cargo to link them.
pub(crate) fn embed(env: &BuildEnv, outcome: &Outcome) -> Result<()> {
    let machine = Machine::of(&env.target)?;
    let object = |image: &Image| -> Result<Vec<u8>> { Ok(elf_object(machine, &image.encode()?)) };
    if let Some(image) = &outcome.lib {
        let name = library_name(env);
        let member = format!("{name}.o");
        let path = env.out_dir.join(format!("lib{name}.a"));
        write_if_changed(&path, &archive(&member, &object(image)?))?;
        println!("cargo::rustc-link-search=native={}", env.out_dir.display());
        println!("cargo::rustc-link-lib=static:+whole-archive={name}");
    }
    if let Some(image) = &outcome.targets {
        let path = env.out_dir.join(format!("ptyx-image-{}.o", Unit::Targets.name()));
        write_if_changed(&path, &object(image)?)?;
        println!("cargo::rustc-link-arg={}", path.display());
    }
    Ok(())
}

/// A name for the archive that no other package in the same program has.
fn library_name(env: &BuildEnv) -> String {
    let unique = env.out_dir.parent().and_then(Path::file_name).and_then(|name| name.to_str());
    let unique = unique.map_or_else(|| format!("{}-{}", env.package, env.version), str::to_owned);
    format!("ptyx-image-{unique}")
}

/// Keeps the modification time of an unchanged file, so that nothing is linked again.
pub(crate) fn write_if_changed(path: &Path, bytes: &[u8]) -> Result<()> {
    if fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    fs::write(path, bytes).context("write", path)
}

/// What differs between the object files of targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Machine {
    /// `e_machine`.
    code: u16,
}

impl Machine {
    fn of(triple: &str) -> Result<Self> {
        let unknown = || Error::Target(triple.to_owned());
        if ["windows", "apple", "uefi", "none", "x32"].iter().any(|system| triple.contains(system))
        {
            return Err(unknown());
        }
        match triple.split('-').next() {
            Some("x86_64") => Ok(Machine { code: 62 }),
            Some("aarch64") => Ok(Machine { code: 183 }),
            _ => Err(unknown()),
        }
    }
}

/// A section of the object file.
struct Section {
    name: &'static str,
    /// `sh_type`: 1 program data, 3 string table.
    kind: u32,
    flags: u64,
    align: u64,
    bytes: Vec<u8>,
}

/// A relocatable 64-bit little-endian ELF file whose section [`SECTION`] holds `image`, padded to
/// [`ALIGNMENT`].
///
/// ELF specification (gABI 4.1), chapters "Object Files" and "Sections". The section is marked
/// `SHF_GNU_RETAIN`, a GNU extension (hence the OS/ABI in the header): nothing refers to it, and
/// the linker collects such sections otherwise.
fn elf_object(machine: Machine, image: &[u8]) -> Vec<u8> {
    const SHF_ALLOC: u64 = 0x2;
    const SHF_GNU_RETAIN: u64 = 0x20_0000;
    const ELFOSABI_GNU: u8 = 3;
    const HEADER: usize = 64;
    const SECTION_HEADER: usize = 64;

    let mut data = image.to_vec();
    data.resize(data.len().next_multiple_of(ALIGNMENT), 0);
    let mut sections = [
        Section { name: "", kind: 0, flags: 0, align: 0, bytes: Vec::new() },
        Section {
            name: SECTION,
            kind: 1,
            flags: SHF_ALLOC | SHF_GNU_RETAIN,
            align: ALIGNMENT as u64,
            bytes: data,
        },
        // Says that the program needs no executable stack.
        Section { name: ".note.GNU-stack", kind: 1, flags: 0, align: 1, bytes: Vec::new() },
        Section { name: ".shstrtab", kind: 3, flags: 0, align: 1, bytes: Vec::new() },
    ];
    let mut names = Vec::new();
    let name_offsets: Vec<u32> = sections
        .iter()
        .map(|section| {
            let offset = names.len() as u32;
            names.extend_from_slice(section.name.as_bytes());
            names.push(0);
            offset
        })
        .collect();
    let count = sections.len();
    sections[count - 1].bytes = names;

    let mut offsets = Vec::new();
    let mut end = HEADER;
    for section in &sections {
        end = end.next_multiple_of(section.align.max(1) as usize);
        offsets.push(end);
        end += section.bytes.len();
    }
    let table = end.next_multiple_of(8);

    let mut file = Vec::with_capacity(table + count * SECTION_HEADER);
    file.extend_from_slice(b"\x7fELF");
    file.extend_from_slice(&[2, 1, 1, ELFOSABI_GNU, 0, 0, 0, 0, 0, 0, 0, 0]);
    file.extend_from_slice(&1u16.to_le_bytes()); // e_type: relocatable
    file.extend_from_slice(&machine.code.to_le_bytes());
    file.extend_from_slice(&1u32.to_le_bytes()); // e_version
    file.extend_from_slice(&0u64.to_le_bytes()); // e_entry
    file.extend_from_slice(&0u64.to_le_bytes()); // e_phoff
    file.extend_from_slice(&(table as u64).to_le_bytes()); // e_shoff
    file.extend_from_slice(&0u32.to_le_bytes()); // e_flags
    for half in [HEADER as u16, 0, 0, SECTION_HEADER as u16, count as u16, count as u16 - 1] {
        file.extend_from_slice(&half.to_le_bytes());
    }
    for (section, &offset) in sections.iter().zip(&offsets) {
        file.resize(offset, 0);
        file.extend_from_slice(&section.bytes);
    }
    file.resize(table, 0);
    for ((section, &offset), name) in sections.iter().zip(&offsets).zip(name_offsets) {
        file.extend_from_slice(&name.to_le_bytes());
        file.extend_from_slice(&section.kind.to_le_bytes());
        let offset = if section.kind == 0 { 0 } else { offset as u64 };
        // sh_flags, sh_addr, sh_offset, sh_size, sh_link and sh_info, sh_addralign, sh_entsize
        let size = section.bytes.len() as u64;
        for word in [section.flags, 0, offset, size, 0, section.align, 0] {
            file.extend_from_slice(&word.to_le_bytes());
        }
    }
    file
}

/// A static archive (System V `ar`) with one member and, since that defines no symbol, an empty
/// symbol table.
fn archive(member: &str, bytes: &[u8]) -> Vec<u8> {
    let mut file = b"!<arch>\n".to_vec();
    let mut add = |name: &str, bytes: &[u8]| {
        // Name, time, owner, group, mode, size, end.
        let header = format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, 0, 644, bytes.len());
        file.extend_from_slice(header.as_bytes());
        file.extend_from_slice(bytes);
        if bytes.len() % 2 == 1 {
            file.push(b'\n');
        }
    };
    add("/", &0u32.to_be_bytes());
    // Names of more than 15 characters stand in a table of their own.
    add("//", format!("{member}/\n").as_bytes());
    add("/0", bytes);
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(bytes: &[u8], at: usize) -> usize {
        u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize
    }

    /// The section's bytes, found through the section headers.
    fn read_section(file: &[u8], wanted: &str) -> Vec<u8> {
        let table = word(file, 40);
        let half = |at| usize::from(u16::from_le_bytes([file[at], file[at + 1]]));
        let (count, strings) = (half(60), table + 64 * half(62));
        let names = &file[word(file, strings + 24)..];
        (0..count)
            .map(|index| table + 64 * index)
            .find(|&at| {
                let offset = u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
                names[offset..].starts_with(format!("{wanted}\0").as_bytes())
            })
            .map(|at| file[word(file, at + 24)..][..word(file, at + 32)].to_vec())
            .unwrap()
    }

    #[test]
    fn object_files_hold_the_image() {
        let image = Image { failed_targets: vec!["bin `b`".into()], ..Image::default() };
        let bytes = image.encode().unwrap();
        let file = elf_object(Machine { code: 62 }, &bytes);
        let section = read_section(&file, SECTION);
        assert_eq!(section.len() % ALIGNMENT, 0);
        assert_eq!(Image::decode(&section).unwrap(), image);
        assert_eq!(word(&file, word(&file, 40) + 64 + 24) % ALIGNMENT, 0);
    }

    #[test]
    fn archive_members_start_at_even_offsets() {
        let file = archive("a-rather-long-name.o", b"odd");
        assert_eq!(file.len() % 2, 0);
        assert!(file.ends_with(b"3         `\nodd\n"));
    }

    #[test]
    fn machines() {
        assert_eq!(Machine::of("x86_64-unknown-linux-gnu").unwrap(), Machine { code: 62 });
        assert_eq!(Machine::of("aarch64-unknown-linux-gnu").unwrap(), Machine { code: 183 });
        for triple in ["x86_64-pc-windows-msvc", "aarch64-apple-darwin", "armv7-linux-gnueabihf"] {
            assert!(Machine::of(triple).is_err(), "{triple}");
        }
    }
}
