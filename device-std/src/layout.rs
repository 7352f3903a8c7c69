//! A hash of a type's layout. Host and device compare it, so that a `cfg` that differs between the passes
//! can't give elements or arguments different layouts on the two sides.

/// The initial hash.
const SEED: u64 = 0xCBF2_9CE4_8422_2325;

/// Adds a word to the hash `seed`: the finaliser of SplitMix64 over both, in order.
#[doc(hidden)]
#[must_use]
pub const fn layout_hash(seed: u64, word: u64) -> u64 {
    let mut mixed = (seed.rotate_left(23) ^ word).wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

/// Adds a name to the hash `seed`: its length and its bytes.
#[doc(hidden)]
#[must_use]
pub const fn layout_name(seed: u64, name: &str) -> u64 {
    let mut hash = layout_hash(seed, name.len() as u64);
    let mut at = 0;
    while at < name.len() {
        hash = layout_hash(hash, name.as_bytes()[at] as u64);
        at += 1;
    }
    hash
}

/// The hash of what is known of every type: size and alignment.
#[doc(hidden)]
#[must_use]
pub const fn layout_of<T>() -> u64 {
    layout_hash(layout_hash(SEED, size_of::<T>() as u64), align_of::<T>() as u64)
}

/// Adds a field to the hash `seed`: its name, its offset, and the layout of its type.
#[doc(hidden)]
#[must_use]
pub const fn layout_field(seed: u64, name: &str, offset: usize, layout: u64) -> u64 {
    layout_hash(layout_hash(layout_name(seed, name), offset as u64), layout)
}
