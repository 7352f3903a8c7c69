//! Machine code on disk: the second process assembles nothing, whatever was done to the folder it works.

use super::environment::{child_of, is_child};
use super::*;
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
