//! Parts of the tests that are many of one kind, each with a large kernel of its own: `.ci/run` compiles and runs a third of
//! them, which the commit chooses.

/// How many parts there are.
const PARTS: u32 = 3;

/// Whether the test of this name is in a part; all are in `None`.
pub const fn is_in_part(part: Option<&str>, name: &str) -> bool {
    let Some(part) = part else { return true };
    match *part.as_bytes() {
        [digit @ b'0'..=b'2'] => part_of(name) == (digit - b'0') as u32,
        // Empty, for example.
        _ => true,
    }
}

/// The part that has the test of this name.
const fn part_of(name: &str) -> u32 {
    let (name, mut hash, mut index) = (name.as_bytes(), 0u32, 0);
    while index < name.len() {
        hash = (hash ^ name[index] as u32).wrapping_mul(0x0100_0193);
        index += 1;
    }
    (hash >> 16) % PARTS
}

/// Ends a test that is not in the part which `PTYX_TEST_PART` names, a number below 3. Then what follows is not compiled,
/// neither for the host nor for the device.
#[macro_export]
macro_rules! part {
    ($name:ident) => {
        if const { !$crate::is_in_part(option_env!("PTYX_TEST_PART"), stringify!($name)) } {
            println!("SKIPPED: not in this part; without PTYX_TEST_PART, all tests are compiled");
            return;
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_in_one_part() {
        let mut sizes = [0; PARTS as usize];
        for number in 0..300 {
            let name = format!("f16_16x8x{number}");
            let parts: Vec<usize> =
                (0..3).filter(|part| is_in_part(Some(&part.to_string()), &name)).collect();
            assert_eq!(parts.len(), 1, "{name}");
            sizes[parts[0]] += 1;
            assert!(is_in_part(None, &name) && is_in_part(Some(""), &name));
        }
        assert!(sizes.iter().all(|size| (70..130).contains(size)), "{sizes:?}");
    }
}
