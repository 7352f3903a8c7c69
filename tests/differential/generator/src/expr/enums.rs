//! Enums with written discriminants, and their numbers.

use crate::generator::Generator;
use crate::types::{INTS, Type};

impl Generator<'_> {
    /// An enum with written discriminants.
    pub(super) fn numbered(&mut self) -> Option<usize> {
        let numbered: Vec<usize> = (0..self.definitions.len())
            .filter(|&at| !self.definitions[at].discriminants.is_empty())
            .collect();
        if numbered.is_empty() { None } else { Some(*self.rng.pick(&numbered)) }
    }

    /// An enum's discriminant as an integer.
    pub(super) fn discriminant(&mut self, int: &str, depth: u32) -> String {
        match self.numbered() {
            Some(index) => format!("({} as {int})", self.expr(&Type::Defined(index), depth)),
            None => format!("0{int}"),
        }
    }

    /// The variant of an enum whose discriminant is some number.
    pub(super) fn numbered_variant(&mut self, index: usize, depth: u32) -> String {
        let definition = &self.definitions[index];
        let (name, count) = (definition.name.clone(), definition.discriminants.len());
        let known = *self.rng.pick(&self.definitions[index].discriminants.clone());
        let number = self.expr(&Type::Int(INTS[7]), depth.min(2));
        match self.rng.chance(50) {
            true => format!("{name}::from_number({number}).unwrap_or({name}::V0)"),
            false => format!(
                "{name}::from_number(({known}i64).wrapping_add({number} % {count})).unwrap_or({name}::V0)"
            ),
        }
    }
}
