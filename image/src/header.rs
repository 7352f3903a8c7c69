//! What an encoded image starts with, and where it is in a binary.

/// The name of the linker section that holds the images of a binary.
///
/// It is a C identifier, so that the linker defines `__start_ptyx_images` and
/// `__stop_ptyx_images` around it.
pub const SECTION: &str = "ptyx_images";

/// Images start at multiples of this many bytes in [`SECTION`].
pub const ALIGNMENT: usize = 16;

/// The first bytes of an encoded image.
pub const MAGIC: [u8; 8] = *b"PTYXIMG\0";

/// The version of the format. A reader accepts only its own version.
pub const FORMAT_VERSION: u32 = 14;

/// Bytes before the payload: magic, format version, checksum, payload length.
pub(crate) const HEADER_LEN: usize = 8 + 4 + 4 + 8;
