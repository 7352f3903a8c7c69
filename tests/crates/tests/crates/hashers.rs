//! Hash functions: `siphasher`, `rustc-hash`, `ahash`, `crc`.

use std::hash::{BuildHasher, Hash, Hasher};

use crc::{CRC_16_IBM_SDLC, CRC_32_ISCSI, Crc};
use ptyx_crate_tests::same_on_both;

const CRC_32: Crc<u32> = Crc::<u32>::new(&CRC_32_ISCSI);
const CRC_16: Crc<u16> = Crc::<u16>::new(&CRC_16_IBM_SDLC);

fn hash_with(mut hasher: impl Hasher, bytes: &[u8]) -> u64 {
    bytes.hash(&mut hasher);
    (u16::from(bytes[0]), "text").hash(&mut hasher);
    hasher.finish()
}

same_on_both! {
    fn hashes(x: [u8; 40]) -> [u64; 3] {
        let key = u64::from(x[3]);
        [
            hash_with(siphasher::sip::SipHasher13::new_with_keys(key, 2), &x),
            hash_with(rustc_hash::FxHasher::default(), &x),
            hash_with(ahash::RandomState::with_seeds(key, 2, 3, 4).build_hasher(), &x),
        ]
    }

    fn checksums(x: [u8; 64]) -> (u32, u16) {
        (CRC_32.checksum(&x), CRC_16.checksum(&x[..9]))
    }
}
