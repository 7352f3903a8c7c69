//! Expressions about neighbours: numbers a known distance apart, and elements of a slice.

use crate::generator::Generator;
use crate::types::{INTS, Type, U64};

impl Generator<'_> {
    /// Several sums of one base and an index in a narrower type, each a known distance apart, where
    /// the narrow type may wrap around. Optimisers compute such addresses from each other.
    pub(crate) fn neighbours(&mut self, ty: &Type, depth: u32) -> Option<String> {
        let Type::Int(int) = ty else { return None };
        let narrower: Vec<_> = INTS.iter().filter(|found| found.bits < int.bits).copied().collect();
        if narrower.is_empty() || depth == 0 {
            return None;
        }
        let narrow = *self.rng.pick(&narrower);
        let (base, index) = (self.fresh("base"), self.fresh("index"));
        let (base_value, index_value) =
            self.closed(|g| (g.expr(ty, 1), g.expr(&Type::Int(narrow), depth.min(2))));
        let stride = *self.rng.pick(&[1, 1, 2, 4, 5, 8]);
        let step = *self.rng.pick(&["wrapping_add", "wrapping_sub", "bitxor"]);
        let (name, wide) = (narrow.name, int.name);
        let mut sum = String::new();
        for k in 0..self.rng.between(2, 4) {
            let distance = if k == 0 { 0 } else { self.rng.between(1, 5) };
            let shifted = match step {
                "bitxor" => format!("({index} ^ {distance}{name})"),
                step => format!("{index}.{step}({distance}{name})"),
            };
            let term = match stride {
                1 => format!("({shifted} as {wide})"),
                _ => format!("({shifted} as {wide}).wrapping_mul({stride})"),
            };
            let at = format!("{base}.wrapping_add({term})");
            sum = match sum.is_empty() {
                true => at,
                false => {
                    let join = self.rng.pick(&["wrapping_mul", "rotate_left"]);
                    match *join {
                        "rotate_left" => format!("({sum}.rotate_left(3) ^ {at})"),
                        join => format!("{sum}.{join}({at})"),
                    }
                }
            };
        }
        Some(format!(
            "{{ let ({base}, {index}): ({wide}, {name}) = ({base_value}, {index_value}); {sum} }}"
        ))
    }

    /// `match` on a part of an array or a slice, by patterns of several lengths.
    pub(crate) fn slice_match(&mut self, ty: &Type, depth: u32) -> Option<String> {
        let lists = self.lists(false, |_| true);
        if lists.is_empty() {
            return None;
        }
        let (list, element) = self.rng.pick(&lists).clone();
        let start = self.closed(|g| g.expr(&U64, 1));
        let arms = self.closed(|g| {
            let mut arms = String::new();
            for _ in 0..g.rng.between(1, 4) {
                arms += &g.scoped(|g| g.slice_arm(&element, ty, depth.min(2)));
            }
            format!("{arms}_ => {},\n", g.leaf(ty))
        });
        Some(format!("(match {list}[({start} % {list}.len() as u64) as usize..] {{\n{arms}}})"))
    }

    /// An arm of a `match` on a slice.
    fn slice_arm(&mut self, element: &Type, ty: &Type, depth: u32) -> String {
        let form = self.rng.below(6);
        let a = self.pattern(element, depth);
        let b = if form == 0 { String::new() } else { self.pattern(element, depth) };
        let rest = self.fresh("rest");
        let pattern = match form {
            0 => format!("[{a}]"),
            1 => format!("[{a}, {b}]"),
            2 => format!("[{a}, .., {b}]"),
            3 => format!("[.., {a}, {b}]"),
            4 => format!("[{a}, ref {rest} @ .., {b}]"),
            _ => format!("[{a}, {b}, ref {rest} @ ..]"),
        };
        let mut guards = Vec::new();
        if form >= 4 {
            // Slices in scope are never empty.
            guards.push(format!("!{rest}.is_empty()"));
            self.declare(&rest, Type::Slice(Box::new(element.clone())), false);
        }
        if self.rng.chance(25) {
            let guard = self.expr(&Type::Bool, 1);
            guards.push(guard);
        }
        let guard = if guards.is_empty() { "" } else { " if " };
        format!("{pattern}{guard}{} => {},\n", guards.join(" && "), self.expr(ty, depth))
    }
}
