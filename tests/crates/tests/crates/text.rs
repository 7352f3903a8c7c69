//! Bytes and text: `memchr`, built of SSE2 here, `hex`, `base64`, `itoa`, `ryu`.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ptyx_crate_tests::same_on_both;

/// `text` at the start of zeros.
fn padded(text: &str) -> [u8; 24] {
    let mut bytes = [0; 24];
    bytes[..text.len()].copy_from_slice(text.as_bytes());
    bytes
}

same_on_both! {
    fn searches(x: [u8; 100]) -> [u32; 4] {
        let at = |found: Option<usize>| found.map_or(999, |at| at as u32);
        [
            at(memchr::memchr(7, &x)),
            at(memchr::memrchr2(1, x[50], &x)),
            at(memchr::memmem::find(&x, &x[60..63])),
            memchr::memchr_iter(x[0], &x).count() as u32,
        ]
    }

    fn encodings(x: [u8; 9]) -> ([u8; 18], [u8; 12], [u8; 9]) {
        let (mut hex, mut base64, mut back) = ([0; 18], [0; 12], [0; 9]);
        hex::encode_to_slice(x, &mut hex).unwrap();
        STANDARD.encode_slice(x, &mut base64).unwrap();
        STANDARD.decode_slice(base64, &mut back).unwrap();
        (hex, base64, back)
    }

    fn numbers(x: (f64, i64)) -> [[u8; 24]; 2] {
        [padded(ryu::Buffer::new().format(x.0 * 1e5)), padded(itoa::Buffer::new().format(x.1))]
    }
}
