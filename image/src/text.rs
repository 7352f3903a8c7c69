//! Text that is seldom read, compressed.

use crate::error::ImageError;
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// The largest text that is unpacked, in bytes: a larger one is taken for damage.
const MAX: usize = 1 << 28;

/// The compression level: most of the gain for little time.
const LEVEL: u8 = 4;

/// Compressed text (DEFLATE, RFC 1951).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packed(Vec<u8>);

impl Packed {
    /// Packs `text`.
    pub fn new(text: &str) -> Packed {
        Packed(miniz_oxide::deflate::compress_to_vec(text.as_bytes(), LEVEL))
    }

    /// Bytes that it takes packed.
    pub fn packed_len(&self) -> usize {
        self.0.len()
    }

    /// The text.
    ///
    /// # Errors
    /// [`ImageError::Payload`] if the bytes are no packed text.
    pub fn unpack(&self) -> Result<String, ImageError> {
        let bad = |why: String| ImageError::Payload(format!("packed text: {why}"));
        let bytes = miniz_oxide::inflate::decompress_to_vec_with_limit(&self.0, MAX)
            .map_err(|error| bad(error.to_string()))?;
        String::from_utf8(bytes).map_err(|error| bad(error.to_string()))
    }
}

// What serde would derive goes through the bytes one by one.
impl Serialize for Packed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Packed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Packed, D::Error> {
        struct Bytes;
        impl Visitor<'_> for Bytes {
            type Value = Packed;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("bytes")
            }
            fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Packed, E> {
                Ok(Packed(bytes.to_vec()))
            }
        }
        deserializer.deserialize_bytes(Bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_comes_back_and_is_small() {
        let text = "%1 = load i32, ptr %0, align 4\n".repeat(1000);
        let packed = Packed::new(&text);
        assert_eq!(packed.unpack().unwrap(), text);
        assert!(packed.packed_len() < text.len() / 20, "{}", packed.packed_len());
        assert_eq!(Packed::new("").unpack().unwrap(), "");
    }

    #[test]
    fn damage_is_an_error() {
        let packed = Packed::new("some text that is long enough to be cut");
        for len in 0..packed.packed_len() {
            assert!(Packed(packed.0[..len].to_vec()).unpack().is_err(), "{len}");
        }
    }
}
