//! What the emulated device calls machine code: an ELF file, as a GPU's is, that holds linked PTX.
//!
//! The driver is given machine code without its length. So the header says how long it is, and a checksum whether
//! it is whole.

use super::code::Code;

/// Bytes of the header, of a section's, and of what stands before the text.
const HEADER: usize = 64;
const PREFIX: usize = 16;
/// NVIDIA's machine, in `e_machine`.
const MACHINE: u16 = 190;
/// Whose file it is, in the padding of `e_ident`.
const MARK: &[u8; 7] = b"ptyx-em";
/// Sections: the empty one, and the text.
const SECTIONS: u16 = 2;
/// The longest text.
const MAX_BYTES: usize = 1 << 30;

/// Linked PTX for a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Object {
    /// The device's compute capability, times ten.
    pub(super) capability: u32,
    /// The most registers that a thread may use.
    pub(super) max_registers: Option<u32>,
    pub(super) text: String,
}

impl Object {
    /// The file.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let text = self.text.as_bytes();
        let sections = HEADER + PREFIX + text.len();
        let mut bytes = vec![0; HEADER];
        let mut put = |at: usize, value: &[u8]| bytes[at..at + value.len()].copy_from_slice(value);
        put(0, b"\x7fELF\x02\x01\x01\x33\x00");
        put(9, MARK);
        put(16, &2u16.to_le_bytes()); // e_type: executable
        put(18, &MACHINE.to_le_bytes());
        put(20, &1u32.to_le_bytes()); // e_version
        put(40, &(sections as u64).to_le_bytes()); // e_shoff
        put(48, &self.capability.to_le_bytes()); // e_flags
        put(52, &(HEADER as u16).to_le_bytes()); // e_ehsize
        put(58, &(HEADER as u16).to_le_bytes()); // e_shentsize
        put(60, &SECTIONS.to_le_bytes()); // e_shnum
        bytes.extend(checksum(text, self).to_le_bytes());
        bytes.extend(u64::from(self.max_registers.unwrap_or(0)).to_le_bytes());
        bytes.extend(text);
        let mut section = vec![0; 2 * HEADER];
        section[HEADER + 4] = 1; // SHT_PROGBITS
        section[HEADER + 24..HEADER + 32]
            .copy_from_slice(&((HEADER + PREFIX) as u64).to_le_bytes());
        section[HEADER + 32..HEADER + 40].copy_from_slice(&(text.len() as u64).to_le_bytes());
        bytes.extend(section);
        bytes
    }

    /// Reads a file of this device's.
    ///
    /// # Errors
    /// It is a GPU's, or damaged.
    ///
    /// # Safety
    /// `image` starts with the bytes of `\x7fELF` and is an ELF file, as long as its header says.
    pub(super) unsafe fn read(image: *const u8) -> Result<Object, Code> {
        // SAFETY: an ELF file has a header.
        let header = unsafe { core::slice::from_raw_parts(image, HEADER) };
        if header[9..16] != *MARK {
            return Err(Code::NO_BINARY_FOR_GPU);
        }
        let number = |at: usize| {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(&header[at..at + 8]);
            u64::from_le_bytes(bytes)
        };
        let end = usize::try_from(number(40)).map_err(|_| Code::INVALID_IMAGE)?;
        if !(HEADER + PREFIX..MAX_BYTES).contains(&end) {
            return Err(Code::INVALID_IMAGE);
        }
        // SAFETY: the file is as long as its header says.
        let bytes = unsafe { core::slice::from_raw_parts(image.add(HEADER), end - HEADER) };
        let (prefix, text) = bytes.split_at(PREFIX);
        let word = |at: usize| {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(&prefix[at..at + 8]);
            u64::from_le_bytes(bytes)
        };
        let capability = number(48) as u32;
        let max_registers = Some(word(8) as u32).filter(|&registers| registers > 0);
        let object = Object {
            capability,
            max_registers,
            text: String::from_utf8(text.to_vec()).map_err(|_| Code::INVALID_IMAGE)?,
        };
        if word(0) == checksum(text, &object) { Ok(object) } else { Err(Code::INVALID_IMAGE) }
    }
}

/// FNV-1a over the text and what else the file says.
fn checksum(text: &[u8], object: &Object) -> u64 {
    let rest = [object.capability, object.max_registers.unwrap_or(0)];
    let rest = rest.iter().flat_map(|number| number.to_le_bytes());
    text.iter().copied().chain(rest).fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_unless_it_is_damaged() {
        for max_registers in [None, Some(32)] {
            let object = Object { capability: 90, max_registers, text: ".version 7.0".to_owned() };
            let mut bytes = object.to_bytes();
            // SAFETY: a whole file.
            assert_eq!(unsafe { Object::read(bytes.as_ptr()) }, Ok(object));
            bytes[HEADER + PREFIX + 3] ^= 1;
            // SAFETY: the header is right.
            assert_eq!(unsafe { Object::read(bytes.as_ptr()) }, Err(Code::INVALID_IMAGE));
            bytes[9] = 0;
            // SAFETY: as above.
            assert_eq!(unsafe { Object::read(bytes.as_ptr()) }, Err(Code::NO_BINARY_FOR_GPU));
        }
    }
}
