//! `sha2`, which asks the processor for SHA instructions and AVX2 and goes on in software, as `aes`
//! does for its own; `md-5`.

use aes::cipher::{BlockDecrypt, BlockEncrypt, KeyInit};
use ptyx_crate_tests::same_on_both;
use sha2::{Digest, Sha256, Sha512};

same_on_both! {
    fn sha256(x: [u8; 100]) -> [u8; 32] {
        Sha256::digest(&x[..usize::from(x[0]) % 100]).into()
    }

    fn sha512(x: [u8; 150]) -> [u8; 64] {
        let mut hasher = Sha512::new();
        for part in x.chunks(40) {
            hasher.update(part);
        }
        hasher.finalize().into()
    }

    fn md5(x: [u8; 70]) -> [u8; 16] {
        md5::Md5::digest(x).into()
    }

    fn aes128(x: [u8; 32]) -> ([u8; 16], bool) {
        let (key, text) = x.split_at(16);
        let cipher = aes::Aes128::new(key.into());
        let mut block = aes::Block::clone_from_slice(text);
        cipher.encrypt_block(&mut block);
        let mut back = block;
        cipher.decrypt_block(&mut back);
        (block.into(), back.as_slice() == text)
    }
}
