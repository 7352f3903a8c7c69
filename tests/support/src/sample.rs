//! Chooses a sample of what takes long.

use super::rng;

/// `count` of `items`, chosen by a seed that is printed; all of them if `PTYX_TEST_ALL` is set
/// (`scripts/all-tests` sets it). For checks that take too long to be made of everything each time.
pub fn sample<T>(mut items: Vec<T>, count: usize) -> Vec<T> {
    if std::env::var_os("PTYX_TEST_ALL").is_some() || items.len() <= count {
        return items;
    }
    let mut rng = rng();
    println!("{count} of {}; PTYX_TEST_ALL=1 tries all", items.len());
    (0..count).map(|_| items.swap_remove(rng.below(items.len()))).collect()
}
