//! Code as bytes. The driver takes no length: text must end with NUL, and machine code must be as long as its header
//! says, or the driver reads what is behind it.

use crate::error::{Error, Result};
use core::ffi::c_void;

/// Code that the driver can be given: text that ends with NUL, or whole machine code. Aligned as the driver's own
/// structures are.
pub(super) struct CodeBytes {
    words: Vec<u64>,
    bytes: usize,
}

/// What the bytes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CodeKind {
    Ptx,
    /// An ELF file for one architecture.
    Cubin,
    /// Several of different architectures.
    Fatbin,
}

const ELF: &[u8] = b"\x7fELF";
const FATBIN: &[u8] = b"\x50\xed\x55\xba";

impl CodeKind {
    /// That of bytes.
    pub(super) fn of(bytes: &[u8]) -> CodeKind {
        if bytes.starts_with(ELF) {
            CodeKind::Cubin
        } else if bytes.starts_with(FATBIN) {
            CodeKind::Fatbin
        } else {
            CodeKind::Ptx
        }
    }
}

impl CodeBytes {
    /// PTX text.
    pub(super) fn ptx(text: &str, what: &str) -> Result<CodeBytes> {
        if text.contains('\0') {
            return Err(Error::Assembler {
                what: what.to_owned(),
                name: "invalid text".to_owned(),
                text: "the PTX holds a NUL byte".to_owned(),
                log: String::new(),
            });
        }
        Ok(CodeBytes::copy(text.as_bytes(), b"\0"))
    }

    /// Text, which may end with NUL, or machine code.
    pub(super) fn any(bytes: &[u8], what: &str) -> Result<CodeBytes> {
        let fail = |reason: String| Error::ModuleImage { what: what.to_owned(), reason };
        let needed = match CodeKind::of(bytes) {
            CodeKind::Cubin => elf_bytes(bytes),
            CodeKind::Fatbin => fatbin_bytes(bytes),
            CodeKind::Ptx => {
                let end = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
                let text = core::str::from_utf8(&bytes[..end]);
                let text =
                    text.map_err(|_| fail("it is neither PTX nor machine code".to_owned()))?;
                return CodeBytes::ptx(text, what);
            }
        };
        match needed {
            Some(needed) if needed <= bytes.len() as u64 => Ok(CodeBytes::copy(bytes, &[])),
            Some(needed) => Err(fail(format!(
                "it is cut off: its header says {needed} bytes, but there are {}",
                bytes.len()
            ))),
            None => Err(fail("it is cut off or damaged: it has no complete header".to_owned())),
        }
    }

    fn copy(bytes: &[u8], end: &[u8]) -> CodeBytes {
        let count = bytes.len() + end.len();
        let mut padded = [bytes, end].concat();
        padded.resize(count.next_multiple_of(8), 0);
        let word =
            |chunk: &[u8]| chunk.iter().rev().fold(0u64, |word, &byte| word << 8 | u64::from(byte));
        CodeBytes { words: padded.chunks(8).map(word).map(u64::to_le).collect(), bytes: count }
    }

    pub(super) fn as_ptr(&self) -> *const c_void {
        self.words.as_ptr().cast()
    }

    /// How many bytes there are, with the NUL of text.
    pub(super) fn len(&self) -> usize {
        self.bytes
    }
}

/// A little-endian number of `size` bytes.
fn number(bytes: &[u8], at: u64, size: usize) -> Option<u64> {
    let at = usize::try_from(at).ok()?;
    let field = bytes.get(at..at.checked_add(size)?)?;
    Some(field.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
}

/// How long an ELF file is that has all it says; `None` without a header of NVIDIA's machine.
fn elf_bytes(bytes: &[u8]) -> Option<u64> {
    const CUDA: u64 = 190;
    const WITHOUT_BYTES: u64 = 8; // SHT_NOBITS
    if bytes.get(4..6)? != [2, 1] || number(bytes, 18, 2)? != CUDA {
        return None;
    }
    let table = |offset: u64, size: u64, count: u64| {
        let (start, size, count) =
            (number(bytes, offset, 8)?, number(bytes, size, 2)?, number(bytes, count, 2)?);
        start.checked_add(size * count).map(|end| (start, size, count, end))
    };
    let (.., segments_end) = table(32, 54, 56)?;
    let (start, size, count, sections_end) = table(40, 58, 60)?;
    let mut end = segments_end.max(sections_end).max(64);
    // The table itself is missing: nothing more is known.
    if sections_end > bytes.len() as u64 {
        return Some(end);
    }
    for section in (0..count).map(|index| start + index * size) {
        let (kind, at) = (number(bytes, section + 4, 4)?, number(bytes, section + 24, 8)?);
        let length = number(bytes, section + 32, 8)?;
        if kind != WITHOUT_BYTES && kind != 0 {
            end = end.max(at.checked_add(length)?);
        }
    }
    Some(end)
}

/// How long a fat binary is: a header, and what it says follows.
fn fatbin_bytes(bytes: &[u8]) -> Option<u64> {
    number(bytes, 6, 2)?.checked_add(number(bytes, 8, 8)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(bytes: &[u8]) -> String {
        match CodeBytes::any(bytes, "x") {
            Err(Error::ModuleImage { reason, .. }) => reason,
            other => panic!("{:?}", other.map(|code| code.bytes)),
        }
    }

    /// An ELF file with a section of four bytes behind the header.
    fn elf() -> Vec<u8> {
        let mut bytes = vec![0; 64 + 4 + 2 * 64];
        let mut put = |at: usize, value: &[u8]| bytes[at..at + value.len()].copy_from_slice(value);
        put(0, b"\x7fELF\x02\x01");
        put(18, &[190]);
        put(40, &[68]);
        put(58, &[64]);
        put(60, &[2]);
        put(68 + 64 + 4, &[1]);
        put(68 + 64 + 24, &[64]);
        put(68 + 64 + 32, &[4]);
        bytes
    }

    #[test]
    fn machine_code_is_as_long_as_it_says() {
        let whole = elf();
        assert_eq!(CodeBytes::any(&whole, "x").unwrap().len(), whole.len());
        for end in 4..whole.len() {
            let text = reason(&whole[..end]);
            assert!(text.contains("cut off"), "{end}: {text}");
        }
        let mut larger = whole.clone();
        larger[68 + 64 + 33] = 1;
        assert!(reason(&larger).contains("324 bytes, but there are 196"), "{}", reason(&larger));
        let fat = |length: u8| {
            let mut bytes = b"\x50\xed\x55\xba\x01\x00\x10\x00".to_vec();
            bytes.extend([length, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3]);
            bytes
        };
        assert!(CodeBytes::any(&fat(3), "x").is_ok());
        assert!(reason(&fat(4)).contains("20 bytes, but there are 19"));
        assert!(reason(&fat(4)[..15]).contains("no complete header"));
    }

    #[test]
    fn text_ends_with_one_nul() {
        for text in [&b".version 7.0"[..], b".version 7.0\0", b".version 7.0\0\0\0"] {
            let code = CodeBytes::any(text, "x").unwrap();
            assert_eq!(code.len(), 13);
            // SAFETY: as many bytes as there are.
            let copied = unsafe { core::slice::from_raw_parts(code.as_ptr().cast::<u8>(), 13) };
            assert_eq!(copied, b".version 7.0\0");
        }
        assert!(matches!(CodeBytes::any(b"a\0b", "x"), Err(Error::Assembler { .. })));
        assert!(reason(b"\xff\xfe").contains("neither PTX nor machine code"));
    }
}
