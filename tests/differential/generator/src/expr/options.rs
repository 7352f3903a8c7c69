//! Options: how they are made, and what is inside.

use crate::generator::Generator;
use crate::types::Type;

impl Generator<'_> {
    pub(super) fn option(&mut self, some: &Type, depth: u32) -> String {
        let ty = self.name_of(some);
        match self.rng.below(13) {
            0 => format!("None::<{ty}>"),
            1 | 2 => format!("Some({})", self.expr(some, depth)),
            3 => {
                let condition = self.expr(&Type::Bool, depth);
                let value = self.closed(|g| g.expr(some, depth));
                format!("{condition}.then(|| {value})")
            }
            4 => {
                let from = self.any_scalar();
                let option = self.expr(&Type::Option(Box::new(from.clone())), depth);
                let name = self.fresh("x");
                let body = self.closed(|g| {
                    g.declare(&name, from, false);
                    g.expr(some, depth)
                });
                format!("{option}.map(|{name}| {body})")
            }
            5 => {
                let option = self.expr(&Type::Option(Box::new(some.clone())), depth);
                let name = self.fresh("x");
                let body = self.closed(|g| {
                    g.declare(&name, some.clone(), false);
                    g.expr(&Type::Bool, depth)
                });
                format!("{option}.filter(|&{name}| {body})")
            }
            6 => {
                // `?` leaves the closure.
                let from = self.any_scalar();
                let option = self.closed(|g| g.expr(&Type::Option(Box::new(from.clone())), depth));
                let name = self.fresh("x");
                let body = self.closed(|g| {
                    g.declare(&name, from, false);
                    g.expr(some, depth)
                });
                format!("(|| {{ let {name} = {option}?; Some({body}) }})()")
            }
            7 => {
                let from = self.any_scalar();
                let option = self.expr(&Type::Option(Box::new(from.clone())), depth);
                let name = self.fresh("x");
                let body = self.closed(|g| {
                    g.declare(&name, from, false);
                    g.expr(&Type::Option(Box::new(some.clone())), depth.min(2))
                });
                format!("{option}.and_then(|{name}| {body})")
            }
            8 => {
                let option = Type::Option(Box::new(some.clone()));
                let (a, b) = (self.expr(&option, depth), self.expr(&option, depth));
                format!("{a}.{}({b})", self.rng.pick(&["or", "xor", "and"]))
            }
            9 => {
                let other = self.any_scalar();
                let ok = self.rng.chance(50);
                let (a, b, end) = if ok { (some, &other, "ok") } else { (&other, some, "err") };
                let ty = Type::Result(Box::new(a.clone()), Box::new(b.clone()));
                format!("{}.{end}()", self.expr(&ty, depth))
            }
            10 => {
                // One of a pair, if both are there.
                let other = self.any_scalar();
                let option = |g: &mut Self, ty: &Type| {
                    g.expr(&Type::Option(Box::new(ty.clone())), depth.min(2))
                };
                let (a, b) = (option(self, some), option(self, &other));
                format!("{a}.zip({b}).map(|pair| pair.0)")
            }
            11 => {
                // What was there is taken out, put in, or changed.
                let option = self.expr(&Type::Option(Box::new(some.clone())), depth.min(2));
                let value = self.closed(|g| g.expr(some, depth.min(2)));
                let name = self.fresh("o");
                let change = *self.rng.pick(&[
                    "let old = $o.take(); $o = old.or(Some($v)); old",
                    "let old = $o.replace($v); if old.is_some() { $o } else { old }",
                    "$o.get_or_insert_with(|| $v); $o",
                    "*$o.insert($v) = $v; $o",
                    "if let Some(some) = $o.as_mut() { *some = $v; } $o",
                    "if $o.is_none_or(|some| some == value) { $o = Some($v); } $o",
                ]);
                let change = change.replace("$o", &name).replace("$v", "value");
                format!("{{ let (mut {name}, value) = ({option}, {value}); {change} }}")
            }
            _ => {
                let option = self.expr(&Type::Option(Box::new(some.clone())), depth);
                let other =
                    self.closed(|g| g.expr(&Type::Option(Box::new(some.clone())), depth.min(2)));
                format!("{option}.or_else(|| {other})")
            }
        }
    }

    /// What is inside of an option, or something else.
    pub(super) fn unwrapped(&mut self, ty: &Type, depth: u32) -> String {
        if self.rng.chance(40) {
            return self.unwrapped_result(ty, depth);
        }
        let option = self.expr(&Type::Option(Box::new(ty.clone())), depth);
        if self.style.panics && self.rng.chance(15) {
            return format!("{option}.unwrap()");
        }
        match self.rng.below(3) {
            0 => format!("{option}.unwrap_or({})", self.expr(ty, depth)),
            1 => {
                let other = self.closed(|g| g.expr(ty, depth));
                format!("{option}.unwrap_or_else(|| {other})")
            }
            _ => {
                let name = self.fresh("x");
                let (other, some) = self.closed(|g| {
                    let other = g.expr(ty, depth);
                    g.declare(&name, ty.clone(), false);
                    (other, g.expr(ty, depth))
                });
                format!("{option}.map_or_else(|| {other}, |{name}| {some})")
            }
        }
    }
}
