//! Patterns.

use crate::generator::Generator;
use crate::types::Type;

impl Generator<'_> {
    /// A pattern, refutable or not, whose bindings are declared.
    pub(crate) fn pattern(&mut self, ty: &Type, depth: u32) -> String {
        let choice = self.rng.below(10);
        if depth == 0 || choice < 2 || matches!(ty, Type::Float(_)) && choice < 9 {
            if choice.is_multiple_of(2) {
                return "_".to_owned();
            }
            let name = self.fresh("p");
            self.declare(&name, ty.clone(), false);
            return name;
        }
        match ty {
            Type::Int(_) | Type::Char => {
                let (a, b) = (self.pattern_literal(ty), self.pattern_literal(ty));
                match choice {
                    2..5 => a,
                    5 => format!("{a} | {b}"),
                    6 => format!("({a}..)"),
                    7 => format!("(..={a})"),
                    _ => {
                        let name = self.fresh("p");
                        self.declare(&name, ty.clone(), false);
                        format!("{name} @ ({a} | {b}..)")
                    }
                }
            }
            Type::Bool => choice.is_multiple_of(2).to_string(),
            Type::Float(_) | Type::Slice(_) => "_".to_owned(),
            Type::Tuple(fields) => {
                let fields: Vec<String> =
                    fields.iter().map(|f| self.pattern(f, depth - 1) + ",").collect();
                format!("({})", fields.join(" "))
            }
            Type::Array(element, len) => {
                let first = self.pattern(element, depth - 1);
                match (len, choice) {
                    (1, _) => format!("[{first}]"),
                    (_, 2..5) => format!("[{first}, ..]"),
                    (_, 5..7) => {
                        let rest = self.fresh("p");
                        let ty = Type::Array(element.clone(), len - 1);
                        self.declare(&rest, ty, false);
                        format!("[{rest} @ .., {first}]")
                    }
                    _ => format!("[{first}, .., {}]", self.pattern(element, depth - 1)),
                }
            }
            Type::Result(ok, error) => match choice {
                2..6 => format!("Err({})", self.pattern(error, depth - 1)),
                _ => format!("Ok({})", self.pattern(ok, depth - 1)),
            },
            Type::Option(some) => match choice {
                2..4 => "None".to_owned(),
                _ => format!("Some({})", self.pattern(some, depth - 1)),
            },
            Type::Defined(index) => {
                let variant = self.rng.below(self.definitions[*index].variants.len());
                let fields = self.definitions[*index].variants[variant].fields.clone();
                let fields: Vec<String> =
                    fields.iter().map(|f| self.pattern(f, depth - 1)).collect();
                let definition = &self.definitions[*index];
                let body = definition.variants[variant].with(&fields);
                match definition.is_enum {
                    true => {
                        format!("{}::{}{body}", definition.name, definition.variants[variant].name)
                    }
                    false => format!("{}{body}", definition.name),
                }
            }
        }
    }

    /// A literal that can stand in a pattern.
    fn pattern_literal(&mut self, ty: &Type) -> String {
        loop {
            let text = self.literal(ty);
            let bare = text.trim_start_matches('(').trim_end_matches(')');
            if !bare.contains('(') {
                return bare.to_owned();
            }
        }
    }
}
