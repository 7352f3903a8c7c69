//! Why bytes are not an image.

use crate::header::FORMAT_VERSION;

/// Why bytes are not an image.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ImageError {
    /// The bytes end before the image does.
    #[error("the kernel image is cut short: {have} bytes of {need}")]
    Truncated {
        /// Bytes there.
        have: usize,
        /// Bytes needed.
        need: usize,
    },
    /// The bytes do not start with [`crate::MAGIC`].
    #[error("these bytes are not a Ptyx kernel image")]
    NotAnImage,
    /// Written by another version of Ptyx.
    #[error(
        "the kernel image has format {found}, this build of Ptyx reads format {FORMAT_VERSION}: \
         use the same version of `ptyx` and `ptyx-compiler`"
    )]
    Version {
        /// The format found.
        found: u32,
    },
    /// The checksum does not match.
    #[error(
        "the kernel image is damaged (checksum {found:08x}, expected {expected:08x}): rebuild the crate"
    )]
    Checksum {
        /// The checksum of the bytes.
        found: u32,
        /// The checksum in the header.
        expected: u32,
    },
    /// The payload does not decode, or an index in it points nowhere.
    #[error("the kernel image is damaged: {0}")]
    Payload(String),
    /// The image can't be written.
    #[error("the kernel image can't be encoded: {0}")]
    Encode(String),
}
