//! The architecture of the emulated device, and which PTX it takes.

use std::sync::OnceLock;

/// Compute capability, times ten, unless the environment says otherwise.
const DEFAULT: u32 = 90;

/// The device's compute capability, times ten: `PTYX_EMULATOR_CAPABILITY`, such as `8.6`, or 9.0.
///
/// It decides which modules are taken. Instructions and limits are the same for all.
pub(super) fn capability() -> u32 {
    static CAPABILITY: OnceLock<u32> = OnceLock::new();
    *CAPABILITY.get_or_init(|| {
        let asked = std::env::var("PTYX_EMULATOR_CAPABILITY").ok();
        asked.and_then(|text| parse(&text)).unwrap_or(DEFAULT)
    })
}

/// `8.6` as 86.
fn parse(text: &str) -> Option<u32> {
    let (major, minor) = text.trim().split_once('.')?;
    let (major, minor): (u32, u32) = (major.parse().ok()?, minor.parse().ok()?);
    ((1..100).contains(&major) && minor < 10).then_some(major * 10 + minor)
}

/// Why a device of compute capability `device` does not take PTX for `target`, if it does not (PTX
/// ISA, ".target"): it must be as new, with the suffix `f` of the same family, with `a` the same.
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
    fn capabilities() {
        assert_eq!(parse("8.6"), Some(86));
        assert_eq!(parse("12.0 "), Some(120));
        for wrong in ["", "9", "9.", "9.x", "0.1", "8.60"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }

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
