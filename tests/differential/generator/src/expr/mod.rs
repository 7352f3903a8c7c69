//! Expressions of a given type.

mod calls;
mod control;
mod enums;
mod lists;
mod options;
mod patterns;
mod results;

use crate::generator::Generator;
use crate::ops::{self, Arg, Row};
use crate::types::{Type, U32, U64, USIZE};

impl Generator<'_> {
    /// An expression of type `ty`. It never moves, and changes variables only in blocks.
    pub(crate) fn expr(&mut self, ty: &Type, depth: u32) -> String {
        self.spend(1);
        if depth == 0 || !self.affords(40) {
            return self.leaf(ty);
        }
        let instead = self.plain_value(ty);
        self.part(instead, |g| g.compound(ty, depth - 1))
    }

    /// A place or a literal.
    pub(crate) fn leaf(&mut self, ty: &Type) -> String {
        let places = self.places(ty, false);
        if !places.is_empty() && self.rng.chance(80) {
            return self.rng.pick(&places).clone();
        }
        if ty.is_scalar() && self.rng.chance(60) {
            return self.known_at_run_time(ty);
        }
        match ty {
            Type::Tuple(fields) => {
                let fields: Vec<String> = fields.iter().map(|f| self.leaf(f) + ",").collect();
                format!("({})", fields.join(" "))
            }
            Type::Array(element, len) if !self.places(element, false).is_empty() => {
                format!("[{}; {len}]", self.leaf(element))
            }
            Type::Option(some) if self.rng.chance(70) => format!("Some({})", self.leaf(some)),
            Type::Result(ok, error) => {
                let value = match self.rng.chance(60) {
                    true => Ok(self.leaf(ok)),
                    false => Err(self.leaf(error)),
                };
                self.result_of(ok, error, value)
            }
            Type::Defined(index) => {
                let variant = self.rng.below(self.definitions[*index].variants.len());
                let fields = self.definitions[*index].variants[variant].fields.clone();
                let fields: Vec<String> = fields.iter().map(|f| self.leaf(f)).collect();
                self.construct(*index, variant, &fields)
            }
            other => self.literal(other),
        }
    }

    /// A scalar made of input, or of what happened so far: no optimiser knows it.
    fn known_at_run_time(&mut self, ty: &Type) -> String {
        let mut words = self.places(&U64, false);
        for (name, _) in self.lists(false, |element| *element == U64) {
            words.push(format!("{name}[{} % {name}.len()]", self.rng.below(97)));
        }
        if words.is_empty() {
            if self.uniform_only {
                return self.literal(ty);
            }
            words.push("trace.get()".to_owned());
        }
        let word = self.rng.pick(&words).clone();
        match ty {
            Type::Int(int) => format!("({word} as {})", int.name),
            // Numbers that most operations round, as well as all bits.
            Type::Float(bits) if self.rng.chance(70) => {
                format!("({word} as i16 as f{bits} / 7.0)")
            }
            Type::Float(bits) => format!("f{bits}::from_bits({word} as u{bits})"),
            Type::Bool => format!("({word} % 2 == 1)"),
            Type::Char => format!("char::from_u32({word} as u32 % 0xd800).unwrap_or('x')"),
            other => self.literal(other),
        }
    }

    fn compound(&mut self, ty: &Type, depth: u32) -> String {
        match self.rng.below(100) {
            0..7 => self.leaf(ty),
            7..13 => self.if_else(ty, depth),
            13..18 => self.match_of(ty, depth),
            18..22 => self.block_of(ty, depth),
            22..26 => match self.rng.chance(70) {
                true => self.call(ty, depth),
                false => self.const_call(ty, depth),
            }
            .unwrap_or_else(|| self.operation(ty, depth)),
            26..30 => self.trait_call(ty, depth).unwrap_or_else(|| self.operation(ty, depth)),
            30..32 => self.pointer_call(ty, depth),
            32..36 => self.closure_call(ty, depth),
            36..39 => self.unwrapped(ty, depth),
            39..43 => self.element(ty, depth).unwrap_or_else(|| self.operation(ty, depth)),
            43..45 => self.slice_match(ty, depth).unwrap_or_else(|| self.operation(ty, depth)),
            45..50 => self.iterator_end(ty, depth).unwrap_or_else(|| self.operation(ty, depth)),
            50..52 => self.replaced(ty, depth).unwrap_or_else(|| self.operation(ty, depth)),
            52..56 => self.neighbours(ty, depth).unwrap_or_else(|| self.operation(ty, depth)),
            _ => self.operation(ty, depth),
        }
    }

    /// An operation on scalars, a literal of the compound types with expressions inside.
    fn operation(&mut self, ty: &Type, depth: u32) -> String {
        match ty {
            Type::Int(int) if self.rng.chance(6) && self.numbered().is_some() => {
                self.discriminant(int.name, depth)
            }
            Type::Int(int) if int.bits <= 64 && self.rng.chance(3) => self.own_atomic(*int, depth),
            Type::Int(int) => {
                let mut rows = ops::INT;
                let special = if int.signed { ops::SIGNED } else { ops::UNSIGNED };
                if self.rng.chance(20) {
                    rows = special;
                } else if self.style.panics && self.rng.chance(12) {
                    rows = ops::PANICKING_INT;
                }
                self.row(ty, rows, depth)
            }
            Type::Float(_) => self.row(ty, ops::FLOAT, depth),
            Type::Bool => self.condition(depth),
            Type::Char => self.row(ty, ops::CHAR, depth),
            Type::Tuple(fields) => {
                let fields: Vec<String> =
                    fields.iter().map(|f| self.expr(f, depth) + ",").collect();
                format!("({})", fields.join(" "))
            }
            Type::Array(element, len) => self.array(element, *len, depth),
            Type::Option(some) => self.option(some, depth),
            Type::Result(ok, error) => self.result(ok, error, depth),
            Type::Defined(index) => {
                if !self.definitions[*index].discriminants.is_empty() && self.rng.chance(60) {
                    return self.numbered_variant(*index, depth);
                }
                let variant = self.rng.below(self.definitions[*index].variants.len());
                let fields = self.definitions[*index].variants[variant].fields.clone();
                let fields: Vec<String> = fields.iter().map(|f| self.expr(f, depth)).collect();
                self.construct(*index, variant, &fields)
            }
            Type::Slice(_) => self.leaf(ty),
        }
    }

    /// An expression by a row of `rows`.
    fn row(&mut self, ty: &Type, rows: &[Row], depth: u32) -> String {
        let usable: Vec<Row> = rows
            .iter()
            .filter(|row| self.style.floats || !row.args.iter().any(|arg| arg.is_float()))
            .copied()
            .collect();
        let row = *self.rng.pick(&usable);
        let mut text = row.text.to_owned();
        if let Type::Int(int) = ty {
            text = text.replace("$U", int.with_sign(false).name);
            text = text.replace("$S", int.with_sign(true).name);
        }
        text = text.replace("$T", &self.name_of(ty));
        // Arguments first, since they may hold dollar signs of nothing.
        let make = |g: &mut Self| -> Vec<String> {
            row.args.iter().map(|arg| g.arg(ty, *arg, depth)).collect()
        };
        let args = match text.contains("&$") || text.contains('|') {
            true => self.closed(make),
            false => make(self),
        };
        for (i, arg) in args.iter().enumerate() {
            text = text.replace(&format!("${i}"), arg);
        }
        // By the row's text: an argument may begin with a parenthesis, too.
        let is_atom = row.text.starts_with('(') || !row.text.contains([' ', '{']);
        if is_atom { text } else { format!("({text})") }
    }

    fn arg(&mut self, ty: &Type, arg: Arg, depth: u32) -> String {
        let ty = match (arg, ty) {
            (Arg::NonZero, Type::Int(int)) => {
                // One is no value of `-1i8 | 1`, either.
                return format!("({} | 1{})", self.expr(ty, depth), int.name);
            }
            (Arg::U, Type::Int(int)) => Type::Int(int.with_sign(false)),
            (Arg::S, Type::Int(int)) => Type::Int(int.with_sign(true)),
            (Arg::U32, _) => U32,
            (Arg::Usize, _) => USIZE,
            (Arg::Bool, _) => Type::Bool,
            (Arg::Char, _) => Type::Char,
            (Arg::Int, _) => Type::Int(self.any_int()),
            (Arg::Float, _) => Type::Float(*self.rng.pick(&[32, 64])),
            (Arg::F32, _) => Type::Float(32),
            (Arg::F64, _) => Type::Float(64),
            (Arg::Text, _) => USIZE,
            (Arg::Number, _) => match self.any_scalar() {
                Type::Char | Type::Bool => Type::Int(self.any_int()),
                other => other,
            },
            _ => ty.clone(),
        };
        self.expr(&ty, depth)
    }

    /// A truth value.
    pub(crate) fn condition(&mut self, depth: u32) -> String {
        match self.rng.below(10) {
            0..2 => self.row(&Type::Bool, ops::BOOL, depth),
            2 => {
                // Comparisons of anything, by the derived implementations.
                let ty = self.any_type(2);
                let compare = *self.rng.pick(ops::COMPARISONS);
                let (a, b) = self.closed(|g| (g.expr(&ty, depth), g.expr(&ty, depth)));
                format!("({a} {compare} {b})")
            }
            3 => {
                let ty = self.any_type(2);
                let scrutinee = self.expr(&ty, depth);
                self.scoped(|g| {
                    let pattern = g.pattern(&ty, 2);
                    if g.rng.chance(50) {
                        return format!("matches!({scrutinee}, {pattern})");
                    }
                    let guard = g.closed(|g| g.expr(&Type::Bool, depth));
                    format!("matches!({scrutinee}, {pattern} if {guard})")
                })
            }
            _ => {
                let ty = self.any_scalar();
                let compare = *self.rng.pick(ops::COMPARISONS);
                format!("({} {compare} {})", self.expr(&ty, depth), self.expr(&ty, depth))
            }
        }
    }

    /// A variable's old value, when it gets a new one.
    fn replaced(&mut self, ty: &Type, depth: u32) -> Option<String> {
        let places = self.places(ty, true);
        if places.is_empty() {
            return None;
        }
        let place = self.rng.pick(&places).clone();
        let value = self.closed(|g| g.expr(ty, depth));
        let name = self.fresh("new");
        Some(format!("{{ let {name} = {value}; core::mem::replace(&mut {place}, {name}) }}"))
    }
}
