use super::*;
use crate::device::{is_child, run_child};

/// What C's `printf` writes for the arguments below.
const ALL: &str = "\
plain text, 100%
[-42] [  -42] [-42  ] [-0042] [-42] [-42]
[4294967254] [ffffffd6] [FFFFFFD6] [0xffffffd6] [37777777726] [037777777726]
[1311768467463790320] [1311768467463790320] [123456789abcdef0] [-1]
[3.250000] [3.25] [   3.250] [3.2      ] [3.250000e+00] [3.25] [3.25]
[inf] [-inf] [0.001000]
[ok] [hello] [     hello] [hello     ] [hel]
[   -42] [-42   ]
[-7] [-9]
{-42, 3.250}
";

#[test]
fn everything() {
    if is_child() {
        let module = module!("print");
        let text = Buffer::new(b"hello\0");
        module.run("print_all", 1, 1, args![text, -42i32, 3.25f32, 0x1234_5678_9abc_def0u64]);
        return;
    }
    let printed = run_child("print::everything", &[]);
    assert!(printed.contains(ALL), "{printed}");
}

#[test]
fn in_turn() {
    if is_child() {
        let module = module!("print");
        let turn = Buffer::new(&[0i32]);
        module.run("print_in_turn", 1, 40, args![turn]);
        // The number of arguments, not of letters.
        assert_eq!(turn.values(), [80]);
        return;
    }
    let printed = run_child("print::in_turn", &[]);
    let want: String = (0..40).map(|thread| format!("thread {thread} of 40\n")).collect();
    assert!(printed.contains(&want), "{printed}");
}
