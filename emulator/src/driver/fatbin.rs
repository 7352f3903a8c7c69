//! Fat binaries, as `nvcc -fatbin` makes them: machine code for several architectures, which the emulated device can't run,
//! and PTX, which it can.
//!
//! NVIDIA does not document the format. A header of 16 bytes (magic number, version, its own size, the size of the rest) is
//! followed by members, each with a header that says what it is. The places of the fields are those that `fatbinary` of CUDA 12
//! and 13 fills in.

/// A member's header: where its fields are.
mod field {
    pub(super) const KIND: usize = 0;
    pub(super) const HEADER_BYTES: usize = 4;
    pub(super) const BYTES: usize = 8;
    pub(super) const COMPRESSED_BYTES: usize = 16;
    pub(super) const CAPABILITY: usize = 28;
    pub(super) const FLAGS: usize = 40;
    pub(super) const TEXT_BYTES: usize = 56;
}

/// The kind of a member that is PTX.
const PTX: u64 = 1;
/// Flags of members.
const LZ4: u64 = 0x2000;
const ZSTD: u64 = 0x8000;
/// The longest text.
const MAX_BYTES: usize = 1 << 30;

/// A little-endian number of `size` bytes.
fn number(bytes: &[u8], at: usize, size: usize) -> Option<u64> {
    let field = bytes.get(at..at.checked_add(size)?)?;
    Some(field.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
}

/// How many bytes a fat binary has, by its header.
///
/// # Safety
/// `image` starts with the magic number of a fat binary, and has a header.
pub(super) unsafe fn bytes_of<'a>(image: *const u8) -> Option<&'a [u8]> {
    // SAFETY: the caller's promise.
    let header = unsafe { core::slice::from_raw_parts(image, 16) };
    let rest = usize::try_from(number(header, 8, 8)?).ok().filter(|&rest| rest < MAX_BYTES)?;
    let bytes = rest + number(header, 6, 2)? as usize;
    // SAFETY: a fat binary is as long as its header says.
    Some(unsafe { core::slice::from_raw_parts(image, bytes) })
}

/// The PTX for the newest architecture up to `capability`; otherwise why there is none.
pub(super) fn ptx(bytes: &[u8], capability: u32) -> Result<String, String> {
    let damaged = || "the fat binary is damaged".to_owned();
    let mut at = number(bytes, 6, 2).ok_or_else(damaged)? as usize;
    // The architecture, the member, and the size of its header.
    let mut best: Option<(u32, &[u8], usize)> = None;
    let mut found = Vec::new();
    while at < bytes.len() {
        let member = &bytes[at..];
        let field = |at: usize, size: usize| number(member, at, size).ok_or_else(damaged);
        let (header, size) = (field(field::HEADER_BYTES, 4)?, field(field::BYTES, 8)?);
        let end = header.checked_add(size).and_then(|end| usize::try_from(end).ok());
        let whole = end.and_then(|end| member.get(..end)).filter(|whole| !whole.is_empty());
        let whole = whole.ok_or_else(damaged)?;
        let (kind, target) = (field(field::KIND, 2)?, field(field::CAPABILITY, 4)? as u32);
        found.push(format!("{} for sm_{target}", if kind == PTX { "PTX" } else { "machine code" }));
        if kind == PTX && target <= capability && best.is_none_or(|(known, ..)| known < target) {
            best = Some((target, whole, header as usize));
        }
        at += whole.len();
    }
    let Some((_, member, header)) = best else {
        let found = if found.is_empty() { "nothing".to_owned() } else { found.join(", ") };
        return Err(format!(
            "the emulated device runs PTX for up to sm_{capability}, and the fat binary has {found}: add \
             `-gencode arch=compute_80,code=compute_80` to nvcc's options"
        ));
    };
    let text = text_of(member, header)?;
    String::from_utf8(text).map_err(|_| damaged())
}

/// The text of a member that is PTX, without the NUL at its end.
fn text_of(member: &[u8], header: usize) -> Result<Vec<u8>, String> {
    let damaged = || "the fat binary is damaged".to_owned();
    let field = |at: usize, size: usize| number(member, at, size).ok_or_else(damaged);
    let flags = field(field::FLAGS, 8)?;
    let content = member.get(header..).ok_or_else(damaged)?;
    let mut text = if flags & (ZSTD | LZ4) != 0 {
        let compressed = field(field::COMPRESSED_BYTES, 4)? as usize;
        let bytes = usize::try_from(field(field::TEXT_BYTES, 8)?).map_err(|_| damaged())?;
        let compressed = content.get(..compressed).ok_or_else(damaged)?;
        match flags & ZSTD != 0 {
            true => unpacked_frame(compressed, bytes),
            false => unpacked(compressed, bytes),
        }
        .ok_or_else(damaged)?
    } else {
        content.to_vec()
    };
    if let Some(end) = text.iter().position(|&byte| byte == 0) {
        text.truncate(end);
    }
    Ok(text)
}

/// Decompresses an LZ4 block to this many bytes.
fn unpacked(packed: &[u8], bytes: usize) -> Option<Vec<u8>> {
    // Each byte stands for 255 at most.
    if bytes > packed.len().saturating_mul(255).min(MAX_BYTES) {
        return None;
    }
    lz4_flex::block::decompress(packed, bytes).ok().filter(|text| text.len() == bytes)
}

/// Decompresses a Zstandard frame to this many bytes.
fn unpacked_frame(packed: &[u8], bytes: usize) -> Option<Vec<u8>> {
    if bytes > MAX_BYTES {
        return None;
    }
    let mut text = vec![0; bytes];
    let written = ruzstd::decoding::FrameDecoder::new().decode_all(packed, &mut text).ok()?;
    (written == bytes).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A fat binary of members: kind, architecture, flags, content, the length of the text.
    fn fat(members: &[(u16, u32, u64, &[u8], u64)]) -> Vec<u8> {
        let mut rest = Vec::new();
        for &(kind, capability, flags, content, bytes) in members {
            let mut header = [0u8; 64];
            let mut put =
                |at: usize, value: &[u8]| header[at..at + value.len()].copy_from_slice(value);
            put(field::KIND, &kind.to_le_bytes());
            put(field::HEADER_BYTES, &64u32.to_le_bytes());
            put(field::BYTES, &(content.len() as u64).to_le_bytes());
            put(field::COMPRESSED_BYTES, &(content.len() as u32).to_le_bytes());
            put(field::CAPABILITY, &capability.to_le_bytes());
            put(field::FLAGS, &flags.to_le_bytes());
            put(field::TEXT_BYTES, &bytes.to_le_bytes());
            rest.extend(header);
            rest.extend(content);
        }
        let mut bytes = b"\x50\xed\x55\xba\x01\x00\x10\x00".to_vec();
        bytes.extend((rest.len() as u64).to_le_bytes());
        bytes.extend(rest);
        bytes
    }

    #[test]
    fn the_newest_text_is_taken() {
        let all = fat(&[
            (1, 70, 0, b"seventy\0\0", 0),
            (2, 90, 0, b"machine", 0),
            (1, 80, 0, b"eighty", 0),
            (1, 100, 0, b"hundred", 0),
        ]);
        assert_eq!(ptx(&all, 90).unwrap(), "eighty");
        assert_eq!(ptx(&all, 75).unwrap(), "seventy");
        assert_eq!(ptx(&all, 120).unwrap(), "hundred");
        let reason = ptx(&all, 60).unwrap_err();
        for part in ["sm_60", "PTX for sm_70, machine code for sm_90", "-gencode"] {
            assert!(reason.contains(part), "{reason}");
        }
        assert!(ptx(&fat(&[]), 90).unwrap_err().contains("nothing"));
        assert!(ptx(&fat(&[(1, 80, ZSTD, b"xx", 9)]), 90).unwrap_err().contains("damaged"));
    }

    #[test]
    fn packed_text_is_unpacked() {
        // `abc`, then 3 + 12 bytes of it again, then `end`; and a run of 300 zeros with a longer length.
        let packed = [&[0x3b][..], b"abc", &[3, 0], &[0x30], b"end"].concat();
        let text = [&b"abc".repeat(6)[..], b"end"].concat();
        assert_eq!(unpacked(&packed, 21).unwrap(), text);
        assert_eq!(ptx(&fat(&[(1, 80, LZ4, &packed, 21)]), 90).unwrap().as_bytes(), text);
        let run = [0x1f, b'z', 1, 0, 255, 25, 0x10, b'!'];
        assert_eq!(unpacked(&run, 301).unwrap(), [&[b'z'; 300][..], b"!"].concat());
        // Damaged: too short, too long, before the beginning.
        assert!(unpacked(&packed, 20).is_none() && unpacked(&packed, 22).is_none());
        assert!(unpacked(&[0x10, b'a', 2, 0], 5).is_none());
        assert!(unpacked(&[0x10, b'a', 0, 0], 5).is_none());
        for end in 0..packed.len() {
            assert!(unpacked(&packed[..end], 21).is_none());
        }
        // More than that many bytes can stand for.
        assert!(unpacked(&packed, MAX_BYTES).is_none());
        let endless = [&[0x1f, b'z', 1, 0][..], &[255; 1 << 24], &[0]].concat();
        let start = std::time::Instant::now();
        assert!(unpacked(&endless, 301).is_none());
        assert!(start.elapsed().as_secs() < 10);
    }

    /// Three kernels as `fatbinary --compress-mode=size` of CUDA 13 packed them, with the NUL at the end.
    #[rustfmt::skip]
    const FRAME: [u8; 98] = [
        0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x91, 0xcd, 0x02, 0x00, 0x72, 0xc5, 0x12, 0x17, 0x80, 0x4d, 0x1b,
        0x40, 0xde, 0x56, 0x8f, 0xe9, 0x1b, 0x02, 0x8d, 0x6c, 0x3a, 0x12, 0x54, 0xf0, 0xcb, 0xc4, 0xc1,
        0x1d, 0xf4, 0xe5, 0xda, 0xc0, 0x6a, 0xd3, 0xee, 0x41, 0x4a, 0x72, 0xf5, 0xa3, 0x73, 0x4f, 0x5d,
        0x08, 0x9a, 0x57, 0x97, 0x4b, 0xdb, 0x2f, 0xf1, 0xe9, 0x24, 0xca, 0x1a, 0xe1, 0x2a, 0x8c, 0xe7,
        0xa4, 0xdc, 0x98, 0x73, 0x9d, 0x43, 0x70, 0x0d, 0xac, 0x3d, 0xfc, 0x4e, 0x66, 0x91, 0xc6, 0x45,
        0x20, 0xfb, 0x83, 0x94, 0x37, 0x23, 0x0c, 0x03, 0x00, 0xee, 0x41, 0x8a, 0x62, 0x8a, 0x21, 0xb3,
        0x32, 0x03,
    ];

    #[test]
    fn frames_are_unpacked() {
        let kernels = ["first", "second", "third"]
            .map(|name| format!(".visible .entry {name}() {{ ret; }}\n"));
        let text = format!(".version 8.3\n.target sm_80\n.address_size 64\n{}", kernels.concat());
        let bytes = text.len() + 1;
        assert_eq!(ptx(&fat(&[(1, 80, ZSTD | 0x11, &FRAME, bytes as u64)]), 90).unwrap(), text);
        // Damaged: too short, too long, cut off, another byte.
        for wrong in [0, bytes - 1, bytes + 1, MAX_BYTES + 1] {
            assert!(unpacked_frame(&FRAME, wrong).is_none(), "{wrong}");
        }
        for end in 0..FRAME.len() {
            assert!(unpacked_frame(&FRAME[..end], bytes).is_none(), "{end}");
            let mut other = FRAME;
            other[end] ^= 0x40;
            // The text has no checksum: it may be another one, but no panic.
            let _ = unpacked_frame(&other, bytes);
        }
        // A frame of 300 equal bytes in one block of four.
        let run = [0x28, 0xb5, 0x2f, 0xfd, 0x60, 0x2c, 0, 0x63, 9, 0, b'z'];
        assert_eq!(unpacked_frame(&run, 300).unwrap(), [b'z'; 300]);
    }

    #[test]
    fn damaged_files_are_refused() {
        let whole = fat(&[(2, 80, 0, b"machine", 0), (1, 80, 0, b"text", 0)]);
        assert_eq!(ptx(&whole, 90).unwrap(), "text");
        let first = 16 + 64 + 7;
        for end in (17..whole.len()).filter(|&end| end != first) {
            assert!(ptx(&whole[..end], 90).unwrap_err().contains("damaged"), "{end}");
        }
        let mut endless = whole;
        endless[16 + field::HEADER_BYTES..16 + 16].fill(0);
        assert!(ptx(&endless, 90).is_err());
    }
}
