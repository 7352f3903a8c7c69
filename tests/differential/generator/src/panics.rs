//! Statements that panic under a condition, with messages that show values.

use crate::generator::Generator;
use crate::types::{Type, USIZE};

/// `$0` and `$1` are values of one type, `$2` is one of any type, `$i` a whole number, `$t` a text,
/// `$c` a truth value, `$o` an option and `$r` a result.
const PANICS: &[&str] = &[
    "assert_eq!($0, $1);",
    "assert_eq!($0, $1, \"{:?} and {:>8}\", $2, $i);",
    "assert_ne!($0, $1);",
    "assert_ne!($0, $0, \"the same: {}\", $t);",
    "assert!($c);",
    "assert!($c, \"{:?}, {:#06x}\", $2, $i);",
    "panic!(\"{:?}\", $2);",
    "panic!(\"{:#?} {0:?}\", $2);",
    "panic!(\"{}{:<5}|{:^7}|{:+}\", $t, $i, $t, $i);",
    "panic!(\"{:?}\", ($0, [$2, $2]));",
    "panic!(\"{:?}\", &[$0, $1][..$i as usize % 3]);",
    "panic!(\"nothing to show\");",
    "unreachable!(\"{:b} {:o}\", $i, $i);",
    "unreachable!();",
    "todo!();",
    "unimplemented!(\"{:?}\", $2);",
    "let _ = $o.expect($t);",
    "let _ = $o.unwrap();",
    "let _ = $r.unwrap();",
    "let _ = $r.unwrap_err();",
    "let _ = $r.expect(\"a result\");",
    "let _ = $r.expect_err($t);",
    "debug_assert_eq!($0, $1);",
];

impl Generator<'_> {
    /// A statement that panics now and then.
    pub(crate) fn panicking_statement(&mut self, depth: u32) -> String {
        let depth = depth.min(2);
        let (ty, other, number) = (self.any_type(2), self.any_type(2), Type::Int(self.any_int()));
        let option = Type::Option(Box::new(ty.clone()));
        let result = Type::Result(Box::new(ty.clone()), Box::new(other.clone()));
        let mut text = (*self.rng.pick(PANICS)).to_owned();
        // Formats borrow what they show.
        let condition = self.closed(|g| {
            for (placeholder, ty) in [
                ("$0", &ty),
                ("$1", &ty),
                ("$2", &other),
                ("$i", &number),
                ("$c", &Type::Bool),
                ("$o", &option),
                ("$r", &result),
            ] {
                if text.contains(placeholder) {
                    let value = g.expr(ty, depth);
                    text = text.replace(placeholder, &value);
                }
            }
            if text.contains("$t") {
                let value = format!("text({})", g.expr(&USIZE, 1));
                text = text.replace("$t", &value);
            }
            format!("({} && {})", g.expr(&Type::Bool, depth), g.expr(&Type::Bool, 1))
        });
        format!("if {condition} {{ {text} }}")
    }
}
