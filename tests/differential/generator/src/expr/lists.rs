//! Arrays, and elements of arrays and slices.

use crate::generator::Generator;
use crate::types::{Type, USIZE};

impl Generator<'_> {
    pub(super) fn array(&mut self, element: &Type, len: usize, depth: u32) -> String {
        let lists = self.lists(false, |found| found == element);
        match self.rng.below(4) {
            3 if !lists.is_empty() && self.affords(100) => {
                let (list, _) = self.rng.pick(&lists).clone();
                let name = self.fresh("x");
                let other = self.closed(|g| g.leaf(element));
                let keep = self.closed(|g| {
                    g.declare(&name, element.clone(), false);
                    g.repeated(8, |g| g.expr(&Type::Bool, depth.min(2)))
                });
                format!(
                    "collected::<{}, {len}>(&{list}[..{list}.len().min(8)], |{name}| {keep}, {other})",
                    self.name_of(element)
                )
            }
            0 if self.affords(len as u64 * 10) => {
                // `from_fn`, with the index as an argument.
                let index = self.fresh("i");
                let body = self.closed(|g| {
                    g.declare(&index, USIZE, false);
                    g.repeated(len as u64, |g| g.expr(element, depth))
                });
                format!(
                    "core::array::from_fn::<{}, {len}, _>(|{index}: usize| {body})",
                    self.name_of(element)
                )
            }
            1 => format!("[{}; {len}]", self.expr(element, depth)),
            _ => {
                let depth = depth.min(1);
                let elements: Vec<String> = (0..len).map(|_| self.expr(element, depth)).collect();
                format!("[{}]", elements.join(", "))
            }
        }
    }

    /// An element of an array or a slice at some index.
    pub(super) fn element(&mut self, ty: &Type, depth: u32) -> Option<String> {
        let lists = self.lists(false, |element| element == ty);
        if lists.is_empty() {
            return None;
        }
        let (name, _) = self.rng.pick(&lists).clone();
        let index = self.closed(|g| g.expr(&USIZE, depth));
        if self.style.panics && self.rng.chance(15) {
            return Some(format!("{name}[{index} % 9]"));
        }
        Some(match self.rng.below(6) {
            5 => {
                let other = self.closed(|g| g.expr(ty, depth));
                format!("{name}.get({}).copied().unwrap_or({other})", self.leaf(&USIZE))
            }
            0 | 1 => format!("{name}[{index} % {name}.len()]"),
            2 => {
                let other = self.closed(|g| g.expr(ty, depth));
                format!("{name}.get({index} % 9).copied().unwrap_or({other})")
            }
            3 => format!("*{name}[..{index} % {name}.len()].last().unwrap_or(&{name}[0])"),
            _ => format!("*{name}.iter().nth_back({index} % {name}.len()).unwrap()"),
        })
        .map(|text| format!("({text})"))
    }
}
