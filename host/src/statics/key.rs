//! What both passes know a static by.

use ptyx_device::{layout_hash, layout_name};

/// The key of a static: `module` and `name` are its path, `crate_id` is `launch::crate_id`'s, and the numbers are
/// those of its places in the source: where it stands and, if a macro wrote it, where the macro was called.
/// Never 0.
#[doc(hidden)]
#[must_use]
pub const fn key(module: &str, name: &str, crate_id: u64, places: [u32; 4]) -> u64 {
    let mut hash = layout_name(layout_name(crate_id, module), name);
    let mut at = 0;
    while at < places.len() {
        hash = layout_hash(hash, places[at] as u64);
        at += 1;
    }
    if hash == 0 { 1 } else { hash }
}

#[cfg(test)]
mod tests {
    use super::key;
    use std::collections::HashSet;

    #[test]
    fn every_part_counts() {
        let keys = [
            key("a", "B", 1, [1, 2, 3, 4]),
            key("b", "B", 1, [1, 2, 3, 4]),
            key("a", "C", 1, [1, 2, 3, 4]),
            key("a", "B", 2, [1, 2, 3, 4]),
            key("a", "B", 1, [1, 2, 4, 3]),
            key("aB", "", 1, [1, 2, 3, 4]),
        ];
        assert_eq!(keys.iter().collect::<HashSet<_>>().len(), keys.len());
        assert_eq!(keys[0], key("a", "B", 1, [1, 2, 3, 4]));
    }
}
