//! The machine: its kernel, and what NVIDIA's kernel module shows of itself.

use super::Diagnosis;
use std::fs;
use std::path::Path;

const SECTION: &str = "machine";

/// Reports the machine whose files are below `root`.
pub(super) fn examine(found: &mut Diagnosis, root: &Path) {
    let first_line = |path: &str| {
        let text = fs::read_to_string(root.join(path)).ok()?;
        text.lines().next().map(|line| line.trim().to_owned())
    };
    if let Some(release) = first_line("proc/sys/kernel/osrelease") {
        found.fact(SECTION, format!("Linux {release}, {}", std::env::consts::ARCH));
    }
    let exists = |path: &str| root.join(path).exists();
    let module = first_line("proc/driver/nvidia/version");
    let has_control = exists("dev/nvidiactl");
    match &module {
        Some(version) => found.fact(SECTION, version.clone()),
        None => found.fact(SECTION, "NVIDIA's kernel module is not loaded"),
    }
    if module.is_some() && !has_control {
        let hint = "in a container, start it with the GPUs (`--gpus all`, or the NVIDIA container toolkit's \
                    equivalent); otherwise run `nvidia-modprobe` or `nvidia-smi` once as root";
        found.problem("the kernel module is loaded, but there is no /dev/nvidiactl", hint);
    }
    if module.is_some() && has_control && !exists("dev/nvidia-uvm") {
        let hint = "CUDA needs it: run `nvidia-modprobe -u` as root, or give /dev/nvidia-uvm to the container";
        found.problem("there is no /dev/nvidia-uvm", hint);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_missing_part_has_its_hint() {
        let root = std::env::temp_dir().join(format!("ptyx-machine-{}", std::process::id()));
        let add = |path: &str, text: &str| {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let look = || {
            let mut found = Diagnosis::default();
            examine(&mut found, &root);
            found
        };
        add("proc/sys/kernel/osrelease", "6.1.0\n");
        let found = look();
        assert!(found.is_healthy() && found.to_string().contains("Linux 6.1.0"), "{found}");
        assert!(found.to_string().contains("is not loaded"), "{found}");
        add("proc/driver/nvidia/version", "NVRM version: 580.1\nGCC version: 12\n");
        let found = look();
        assert!(found.to_string().contains("NVRM version: 580.1\n"), "{found}");
        assert!(found.problems()[0].what.contains("/dev/nvidiactl"), "{found}");
        add("dev/nvidiactl", "");
        assert!(look().problems()[0].what.contains("/dev/nvidia-uvm"));
        add("dev/nvidia-uvm", "");
        assert!(look().is_healthy());
        fs::remove_dir_all(&root).unwrap();
    }
}
