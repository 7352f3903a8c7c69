//! The architecture of the emulated device, and which PTX it accepts.

use crate::settings::settings;

/// The device's compute capability, times ten: `PTYX_EMULATOR_CAPABILITY`, such as `8.6`, or 9.0.
///
/// It decides which modules are accepted. Instructions and limits are the same for all.
pub(super) fn capability() -> u32 {
    settings().capability
}

/// Why a device of compute capability `device` refuses PTX for `target`, if it does (PTX ISA,
/// ".target"): the device must be at least as new, with the suffix `f` also of the same family, with
/// `a` exactly the same.
pub(super) fn refusal(target: &str, device: u32) -> Option<String> {
    let name = target.strip_prefix("sm_")?;
    let end = name.find(|c: char| !c.is_ascii_digit()).unwrap_or(name.len());
    let (digits, suffix) = name.split_at(end);
    let number: u32 = digits.parse().ok()?;
    let runs = match suffix {
        "a" => device == number,
        "f" => device >= number && device / 10 == number / 10,
        _ => device >= number,
    };
    (!runs).then(|| {
        format!(
            "the module is for {target}; the emulated device has compute capability {}.{}",
            device / 10,
            device % 10
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets() {
        let runs = |target: &str, device| refusal(target, device).is_none();
        assert!(runs("sm_80", 90) && runs("sm_90", 90) && !runs("sm_100", 90));
        assert!(runs("sm_90a", 90) && !runs("sm_90a", 100) && !runs("sm_90a", 80));
        assert!(runs("sm_100f", 103) && !runs("sm_100f", 110) && !runs("sm_103f", 100));
        let text = refusal("sm_100a", 90).unwrap();
        assert!(text.contains("sm_100a") && text.contains("9.0"), "{text}");
    }
}
