//! Machine code in files: a folder of entries, each in a file of its own.
//!
//! Several processes use a folder at a time, and may end at any moment. So an entry is written to a file of another
//! name, which then gets the entry's: whoever reads sees all of it or nothing. What a full disk or a damaged one
//! makes of a file is found by its length and its checksum; such a file is removed. Nothing here fails: without an
//! entry, code is assembled as if there were no folder.

use crate::settings::CacheFolder;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// What each file begins with: the format's name and version.
const MAGIC: &[u8; 8] = b"ptyxmc01";
/// Magic, key, length and checksum.
const HEADER: usize = 8 + 16 + 8 + 8;
/// How entries' names end, and those of files that are being written.
const ENTRY: &str = "ptyxmc";
const UNFINISHED: &str = "unfinished";
/// Files that were not finished for so long never will be.
const ABANDONED: Duration = Duration::from_secs(3600);

/// What an entry is found by: a hash of all that its code depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key([u64; 2]);

impl Key {
    /// Of several parts, whose borders count.
    pub(super) fn of(parts: &[&[u8]]) -> Key {
        let half = |seed: u64| {
            parts.iter().fold(seed, |hash, part| {
                let length = (part.len() as u64).to_le_bytes();
                hash_bytes(hash_bytes(hash, &length), part)
            })
        };
        Key([half(0x243f_6a88_85a3_08d3), half(0x1319_8a2e_0370_7344)])
    }

    fn name(self) -> String {
        format!("{:016x}{:016x}", self.0[0], self.0[1])
    }
}

/// Mixes bytes into a hash, eight at a time.
fn hash_bytes(hash: u64, bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(hash, |hash, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        let mixed = u128::from(hash ^ u64::from_le_bytes(word)) * 0x9e37_79b9_7f4a_7c15;
        (mixed as u64 ^ (mixed >> 64) as u64).wrapping_add(0x2545_f491_4f6c_dd1d)
    })
}

/// A folder of entries.
#[derive(Clone, Debug)]
pub(super) struct Store {
    folder: PathBuf,
    limit: u64,
}

impl Store {
    pub(super) fn new(CacheFolder { folder, limit, .. }: CacheFolder) -> Store {
        Store { folder, limit }
    }

    fn path(&self, key: Key) -> PathBuf {
        self.folder.join(key.name()).with_extension(ENTRY)
    }

    /// An entry, if there is a whole one. One that is damaged is removed.
    pub(super) fn get(&self, key: Key) -> Option<Vec<u8>> {
        let path = self.path(key);
        let file = File::open(&path).ok()?;
        let mut bytes = Vec::new();
        let read = (&file).take(self.limit.saturating_add(1)).read_to_end(&mut bytes);
        match read.ok().and_then(|_| payload(key, &bytes)) {
            Some(code) => {
                // The entries that were not used for the longest time go first.
                let _ = file.set_modified(SystemTime::now());
                Some(code.to_vec())
            }
            None => {
                self.remove(key);
                None
            }
        }
    }

    /// Removes an entry.
    pub(super) fn remove(&self, key: Key) {
        let _ = fs::remove_file(self.path(key));
    }

    /// Adds an entry, and removes others if all together take too much.
    pub(super) fn put(&self, key: Key, code: &[u8]) {
        static FILES: AtomicU64 = AtomicU64::new(0);
        if (HEADER + code.len()) as u64 > self.limit {
            return;
        }
        let number = FILES.fetch_add(1, Ordering::Relaxed);
        let name = format!("{}-{}-{number}.{UNFINISHED}", key.name(), std::process::id());
        let unfinished = self.folder.join(name);
        let write = || {
            fs::create_dir_all(&self.folder)?;
            let mut file = File::options().write(true).create_new(true).open(&unfinished)?;
            file.write_all(&header(key, code))?;
            file.write_all(code)?;
            drop(file);
            fs::rename(&unfinished, self.path(key))
        };
        if write().is_err() {
            let _ = fs::remove_file(&unfinished);
        }
        self.tidy();
    }

    /// How many entries there are, and how many bytes they take.
    pub(super) fn size(&self) -> (usize, u64) {
        let files = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let entries = files.filter(|file| file.path().extension().is_some_and(|end| end == ENTRY));
        let bytes = entries.filter_map(|file| file.metadata().ok()).map(|known| known.len());
        bytes.fold((0, 0), |(count, total), bytes| (count + 1, total + bytes))
    }

    /// Makes the folder and a file in it, which is removed again.
    pub(super) fn try_to_write(&self) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let name = format!("try-{}.{UNFINISHED}", std::process::id());
        let path = self.folder.join(name);
        let written = File::create(&path).and_then(|mut file| file.write_all(&[0; HEADER]));
        let _ = fs::remove_file(&path);
        written
    }

    /// Removes the entries that were not used for the longest time until the others are within the limit, and files
    /// that their writers have left.
    fn tidy(&self) {
        let Ok(files) = fs::read_dir(&self.folder) else { return };
        let mut entries: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
        for file in files.flatten() {
            let path = file.path();
            let Ok(known) = file.metadata() else { continue };
            let used = known.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            match path.extension().and_then(|ending| ending.to_str()) {
                Some(ENTRY) => entries.push((used, known.len(), path)),
                Some(UNFINISHED) if is_older(used, ABANDONED) => {
                    let _ = fs::remove_file(path);
                }
                // Whatever else is there is not ours.
                _ => {}
            }
        }
        entries.sort();
        let mut total: u64 = entries.iter().map(|(_, bytes, _)| bytes).sum();
        for (_, bytes, path) in entries {
            if total <= self.limit {
                break;
            }
            let _ = fs::remove_file(path);
            total -= bytes;
        }
    }
}

fn is_older(time: SystemTime, age: Duration) -> bool {
    SystemTime::now().duration_since(time).is_ok_and(|passed| passed > age)
}

fn header(key: Key, code: &[u8]) -> Vec<u8> {
    let numbers = [key.0[0], key.0[1], code.len() as u64, checksum(code)];
    let mut bytes = MAGIC.to_vec();
    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    bytes
}

fn checksum(code: &[u8]) -> u64 {
    hash_bytes(code.len() as u64, code)
}

/// The code in a file, if it is whole and of this key.
fn payload(key: Key, bytes: &[u8]) -> Option<&[u8]> {
    let (found, code) = bytes.split_at_checked(HEADER)?;
    (found == header(key, code)).then_some(code)
}

/// Bytes of `folder`'s entries.
#[cfg(test)]
fn bytes_in(folder: &std::path::Path) -> u64 {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    files.filter_map(|file| file.metadata().ok()).map(|known| known.len()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder that is removed at the end.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let path =
                std::env::temp_dir().join(format!("ptyx-store-{name}-{}", std::process::id()));
            let _ = fs::remove_dir_all(&path);
            Folder(path)
        }

        fn store(&self, limit: u64) -> Store {
            Store { folder: self.0.clone(), limit }
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn key(number: u32) -> Key {
        Key::of(&[&number.to_le_bytes()])
    }

    #[test]
    fn keys_tell_parts_apart() {
        let keys =
            [Key::of(&[b"ab", b"c"]), Key::of(&[b"a", b"bc"]), Key::of(&[b"abc"]), Key::of(&[])];
        for (index, one) in keys.iter().enumerate() {
            assert!(keys[index + 1..].iter().all(|other| other != one));
        }
        assert_eq!(Key::of(&[b"ab", b"c"]), keys[0]);
        // A bit of the text changes about half of the key's.
        let (mut one, mut bits) = (vec![7u8; 1000], Vec::new());
        let before = Key::of(&[&one]);
        for at in 0..1000 {
            one[at] ^= 1 << (at % 8);
            let after = Key::of(&[&one]);
            let differing = (0..2).map(|half| (before.0[half] ^ after.0[half]).count_ones());
            bits.push(differing.sum::<u32>());
            one[at] ^= 1 << (at % 8);
        }
        let mean = f64::from(bits.iter().sum::<u32>()) / bits.len() as f64;
        assert!((56.0..72.0).contains(&mean) && bits.iter().all(|&bits| bits > 20), "{mean}");
    }

    #[test]
    fn what_was_put_is_got() {
        let folder = Folder::new("put");
        let store = folder.store(1 << 20);
        assert_eq!(store.get(key(1)), None);
        for code in [&b""[..], b"x", &[5; 10_000]] {
            store.put(key(1), code);
            assert_eq!(store.get(key(1)).as_deref(), Some(code));
        }
        assert_eq!(store.get(key(2)), None);
        store.remove(key(1));
        assert_eq!(store.get(key(1)), None);
        assert_eq!(bytes_in(&folder.0), 0);
    }

    #[test]
    fn damaged_files_are_removed() {
        let folder = Folder::new("damaged");
        let store = folder.store(1 << 20);
        let code: Vec<u8> = (0..100).collect();
        store.put(key(1), &code);
        let whole = fs::read(store.path(key(1))).unwrap();
        let mut wrong: Vec<Vec<u8>> = (0..whole.len()).map(|end| whole[..end].to_vec()).collect();
        wrong.extend((0..whole.len()).map(|at| {
            let mut changed = whole.clone();
            changed[at] ^= 0x10;
            changed
        }));
        wrong.push([&whole[..], b"more"].concat());
        for bytes in wrong {
            fs::write(store.path(key(1)), &bytes).unwrap();
            assert_eq!(store.get(key(1)), None);
            assert!(!store.path(key(1)).exists());
        }
        // Another key's entry is not this one's.
        fs::write(store.path(key(2)), &whole).unwrap();
        assert_eq!(store.get(key(2)), None);
    }

    #[test]
    fn the_oldest_use_goes_first() {
        let folder = Folder::new("limit");
        let store = folder.store(10 * 1000);
        let ago = |number: u32, seconds: u64| {
            let file = File::options().write(true).open(store.path(key(number))).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(seconds)).unwrap();
        };
        for number in 0..9 {
            store.put(key(number), &[1; 1000]);
            ago(number, 100 - u64::from(number));
        }
        // The first becomes the latest.
        assert!(store.get(key(0)).is_some());
        store.put(key(9), &[1; 1000]);
        assert!(bytes_in(&folder.0) <= store.limit);
        let there = |number| store.path(key(number)).exists();
        assert!(there(0) && !there(1) && there(2) && there(9));
        store.put(key(10), &[1; 20_000]);
        assert!(!there(10) && there(0), "what is too large is not put");
    }

    #[test]
    fn what_writers_have_left_is_removed_and_nothing_else() {
        let folder = Folder::new("left");
        let store = folder.store(1 << 20);
        store.put(key(1), b"code");
        let left = folder.0.join(format!("0-1-2.{UNFINISHED}"));
        let (written, others) = (folder.0.join(format!("now.{UNFINISHED}")), folder.0.join("mine"));
        for path in [&left, &written, &others] {
            fs::write(path, b"x").unwrap();
        }
        let old = SystemTime::now() - 2 * ABANDONED;
        for path in [&left, &others] {
            File::options().write(true).open(path).unwrap().set_modified(old).unwrap();
        }
        store.put(key(2), b"code");
        assert!(!left.exists() && written.exists() && others.exists());
    }

    #[test]
    fn many_at_a_time() {
        let folder = Folder::new("threads");
        let code = |number: u32| vec![number as u8; 1000 + number as usize];
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let store = folder.store(12 * 1100);
                scope.spawn(move || {
                    for round in 0..200 {
                        let number = (round * 7 + thread) % 20;
                        match store.get(key(number)) {
                            Some(found) => assert_eq!(found, code(number)),
                            None => store.put(key(number), &code(number)),
                        }
                    }
                });
            }
        });
        let unfinished = fs::read_dir(&folder.0)
            .unwrap()
            .flatten()
            .filter(|file| file.path().extension().is_some_and(|ending| ending == UNFINISHED));
        assert_eq!(unfinished.count(), 0);
    }

    #[test]
    fn without_a_folder_nothing_is_kept_and_nothing_fails() {
        let folder = Folder::new("none");
        fs::write(&folder.0, b"a file").unwrap();
        let store = folder.store(1 << 20);
        store.put(key(1), b"code");
        assert_eq!(store.get(key(1)), None);
        fs::remove_file(&folder.0).unwrap();
        // A disk that is always full.
        let full = Store { folder: "/dev/full".into(), limit: 1 << 20 };
        full.put(key(1), b"code");
        assert_eq!(full.get(key(1)), None);
    }
}
