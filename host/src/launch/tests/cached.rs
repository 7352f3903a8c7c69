//! Machine code on disk: the second process assembles nothing, whatever was done to the folder it works.

use super::environment::{child_of, is_child};
use super::*;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Launches a kernel with and without knobs, in a process of its own; what it said.
fn process(folder: &str, more: &[(&str, &str)]) -> String {
    let mut variables = vec![("PTYX_DEVICE", "emulator"), ("PTYX_CACHE", folder)];
    variables.extend(more);
    child_of("cached", "a_second_process_assembles_nothing", &variables)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|file| file.path()).collect();
    files.sort();
    files
}

#[test]
fn a_second_process_assembles_nothing() {
    if !is_child() {
        let folder = std::env::temp_dir().join(format!("ptyx-cached-{}", std::process::id()));
        let path = folder.to_str().unwrap();
        assert!(process("off", &[]).contains("from the cache: 0 of 2"));
        assert!(process(path, &[]).contains("from the cache: 0 of 2"));
        let written = files(&folder);
        assert_eq!(written.len(), 2, "{written:?}");
        assert!(process(path, &[]).contains("from the cache: 2 of 2"));
        // Another device's machine code is not this one's.
        assert!(process(path, &[("PTYX_EMULATOR_CAPABILITY", "8.0")]).contains("cache: 0 of 2"));
        assert_eq!(files(&folder).len(), 4);
        // Damaged, cut off, or whole but refused by the driver: assembled and written again.
        let bytes = std::fs::read(&written[0]).unwrap();
        std::fs::write(&written[0], &bytes[..bytes.len() / 2]).unwrap();
        assert!(process(path, &[]).contains("from the cache: 1 of 2"));
        assert_eq!(std::fs::read(&written[0]).unwrap(), bytes);
        let rule = [("PTYX_EMULATOR_FAIL", "cuModuleLoadDataEx:1=CUDA_ERROR_INVALID_IMAGE")];
        assert!(process(path, &rule).contains("from the cache: 1 of 2"));
        assert!(process(path, &[]).contains("from the cache: 2 of 2"));
        // Without a linker, all goes on as without a cache.
        std::fs::remove_dir_all(&folder).unwrap();
        let rule = [("PTYX_EMULATOR_FAIL", "cuLinkCreate=CUDA_ERROR_NOT_SUPPORTED")];
        assert!(process(path, &rule).contains("from the cache: 0 of 2"));
        assert_eq!(files(&folder).len(), 0);
        // A folder that can't be made.
        assert!(process("/dev/null/x", &[]).contains("from the cache: 0 of 2"));
        let _ = std::fs::remove_dir_all(&folder);
        return;
    }
    kernels();
    let x = DeviceBuffer::filled(32, 1.0f32).unwrap();
    let mut y = DeviceBuffer::filled(32, 2.0f32).unwrap();
    run_saxpy(LaunchConfig::new().threads(32), 3.0, &x, &mut y).unwrap();
    run_saxpy(LaunchConfig::new().threads(32).maxregs(32), 3.0, &x, &mut y).unwrap();
    assert_eq!(y.to_vec().unwrap(), [8.0; 32]);
    assert_eq!(crate::variants_compiled(), 2);
    eprintln!("from the cache: {} of 2", crate::modules_from_cache());
}

/// Launches kernels with several knobs, in a process of its own; how many modules it has loaded from the folder.
fn many(folder: &str, size: &str) -> u32 {
    let variables =
        [("PTYX_DEVICE", "emulator"), ("PTYX_CACHE", folder), ("PTYX_CACHE_SIZE", size)];
    let said = child_of("cached", "processes_share_a_folder", &variables);
    let count = said.lines().find_map(|line| line.strip_prefix("loaded: "));
    count.and_then(|count| count.parse().ok()).unwrap_or_else(|| panic!("{said}"))
}

/// Overwrites the file at `path`, if there is one.
fn damage(path: &Path) -> std::io::Result<()> {
    std::fs::OpenOptions::new().write(true).truncate(true).open(path)?.write_all(b"damaged")
}

/// How many variants each process of the test makes.
const VARIANTS: u32 = 12;

/// Several processes store and load at the same time, while the folder is full and files are damaged and removed:
/// each computes what it should, and every file that is left is whole.
#[test]
fn processes_share_a_folder() {
    if is_child() {
        kernels();
        let x = DeviceBuffer::filled(32, 1.0f32).unwrap();
        let mut y = DeviceBuffer::filled(32, 0.0f32).unwrap();
        for variant in 0..VARIANTS {
            let config = LaunchConfig::new().threads(32).maxregs(16 + 8 * variant);
            run_saxpy(config, 1.0, &x, &mut y).unwrap();
        }
        assert_eq!(y.to_vec().unwrap(), [VARIANTS as f32; 32]);
        eprintln!("loaded: {}", crate::modules_from_cache());
        return;
    }
    let folder = std::env::temp_dir().join(format!("ptyx-shared-{}", std::process::id()));
    let path = folder.to_str().unwrap();
    let at_once = |size: &str, harm: bool| {
        std::thread::scope(|scope| {
            let processes: Vec<_> = (0..4).map(|_| scope.spawn(|| many(path, size))).collect();
            while harm && processes.iter().any(|process| !process.is_finished()) {
                for (index, file) in files(&folder).iter().enumerate() {
                    // Either may come too late: another process has removed the file or given it its name. It must
                    // not be made anew then, as nobody would remove it.
                    let _ = match index % 3 {
                        0 => damage(file),
                        1 => std::fs::remove_file(file),
                        _ => Ok(()),
                    };
                }
                std::thread::sleep(std::time::Duration::from_millis(2));
            }
            processes.into_iter().map(|process| process.join().unwrap()).collect::<Vec<_>>()
        })
    };
    at_once("1GiB", false);
    assert_eq!(files(&folder).len(), VARIANTS as usize);
    assert_eq!(at_once("1GiB", false), [VARIANTS; 4], "each loads all of it");
    at_once("1GiB", true);
    // A folder for about half of them.
    let bytes = std::fs::metadata(&files(&folder)[0]).map_or(1000, |known| known.len().max(500));
    let _ = std::fs::remove_file(&files(&folder)[0]);
    at_once(&format!("{}", bytes * u64::from(VARIANTS) / 2), false);
    let left = files(&folder);
    assert!(!left.is_empty() && left.len() < VARIANTS as usize, "{left:?}");
    let is_entry = |file: &PathBuf| file.extension().is_some_and(|ending| ending == "ptyxmc");
    assert!(left.iter().all(is_entry), "{left:?}");
    // What is left is whole: a process loads it all.
    assert!(many(path, "1GiB") as usize >= 1);
    assert_eq!(many(path, "1GiB"), VARIANTS);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Nothing is kept unless it is asked for.
#[test]
fn nothing_is_kept_by_default() {
    if is_child() {
        run_saxpy_twice();
        return;
    }
    let home = std::env::temp_dir().join(format!("ptyx-home-{}", std::process::id()));
    let of = |more: &[(&str, &str)]| {
        let mut variables =
            vec![("XDG_CACHE_HOME", home.to_str().unwrap()), ("PTYX_DEVICE", "emulator")];
        variables.extend(more);
        child_of("cached", "nothing_is_kept_by_default", &variables);
        files(&home.join("ptyx/kernels")).len()
    };
    assert_eq!(of(&[("PTYX_CACHE", "")]), 0);
    assert_eq!(of(&[("PTYX_CACHE", "0")]), 0);
    assert_eq!(of(&[("PTYX_CACHE", "1")]), 1);
    std::fs::remove_dir_all(&home).unwrap();
}

fn run_saxpy_twice() {
    kernels();
    let x = DeviceBuffer::filled(32, 1.0f32).unwrap();
    let mut y = DeviceBuffer::filled(32, 2.0f32).unwrap();
    for _ in 0..2 {
        run_saxpy(LaunchConfig::new().threads(32), 3.0, &x, &mut y).unwrap();
    }
    assert_eq!(y.to_vec().unwrap(), [8.0; 32]);
}
