//! Results: how they are made, and what is inside.

use crate::generator::Generator;
use crate::types::Type;

impl Generator<'_> {
    pub(super) fn result(&mut self, ok: &Type, error: &Type, depth: u32) -> String {
        let result = Type::Result(Box::new(ok.clone()), Box::new(error.clone()));
        let name = self.fresh("x");
        let of = |g: &mut Self, ty: &Type| {
            g.closed(|g| {
                g.declare(&name, ty.clone(), false);
                g.repeated(1, |g| g.expr(&result, depth.min(2)))
            })
        };
        match self.rng.below(9) {
            0 => {
                let value = Err(self.expr(error, depth));
                self.result_of(ok, error, value)
            }
            1 | 2 => {
                let value = Ok(self.expr(ok, depth));
                self.result_of(ok, error, value)
            }
            3 => {
                let option = self.expr(&Type::Option(Box::new(ok.clone())), depth);
                let error = self.closed(|g| g.expr(error, depth.min(2)));
                match self.rng.chance(50) {
                    true => format!("{option}.ok_or({error})"),
                    false => format!("{option}.ok_or_else(|| {error})"),
                }
            }
            4 => {
                let from = self.any_scalar();
                let ty = Type::Result(Box::new(from.clone()), Box::new(error.clone()));
                let value = self.expr(&ty, depth);
                format!("{value}.and_then(|{name}| {})", of(self, &from))
            }
            5 => {
                let from = self.any_scalar();
                let ty = Type::Result(Box::new(ok.clone()), Box::new(from.clone()));
                let value = self.expr(&ty, depth);
                format!("{value}.or_else(|{name}| {})", of(self, &from))
            }
            6 => {
                // `?` leaves the closure, with an error that is made of another one.
                let (from, cause) = (self.any_scalar(), self.any_scalar());
                let ty = Type::Result(Box::new(from.clone()), Box::new(cause.clone()));
                let value = self.closed(|g| g.expr(&ty, depth));
                let (cause_name, again) = (self.fresh("e"), self.closed(|g| g.expr(&result, 1)));
                let made = self.closed(|g| {
                    g.declare(&cause_name, cause, false);
                    g.expr(error, depth.min(2))
                });
                let body = self.closed(|g| {
                    g.declare(&name, from, false);
                    g.expr(ok, depth)
                });
                let ty = self.name_of(&result);
                format!(
                    "(|| -> {ty} {{ let {name} = {value}.map_err(|{cause_name}| {made})?; \
                     {again}?; Ok({body}) }})()"
                )
            }
            7 => {
                let ty = Type::Result(Box::new(ok.clone()), Box::new(error.clone()));
                let value = self.expr(&ty, depth);
                let to = self.closed(|g| {
                    g.declare(&name, ok.clone(), false);
                    g.expr(ok, depth)
                });
                format!("{value}.map(|{name}| {to})")
            }
            _ => self.try_loop(ok, error, depth),
        }
    }

    /// A loop over a list that the first error ends.
    fn try_loop(&mut self, ok: &Type, error: &Type, depth: u32) -> String {
        let lists = self.lists(false, |_| true);
        if lists.is_empty() || !self.affords(300) {
            let value = Ok(self.leaf(ok));
            return self.result_of(ok, error, value);
        }
        let (list, element) = self.rng.pick(&lists).clone();
        let (a, x) = (self.fresh("a"), self.fresh("x"));
        let start = self.closed(|g| g.leaf(ok));
        let (test, wrong, next) = self.closed(|g| {
            g.declare(&a, ok.clone(), false);
            g.declare(&x, element.clone(), false);
            g.repeated(8, |g| (g.expr(&Type::Bool, 1), g.expr(error, 1), g.expr(ok, depth.min(2))))
        });
        let item = self.name_of(&element);
        let (ok, error) = (self.name_of(ok), self.name_of(error));
        format!(
            "{list}.iter().take(8).try_fold({start}, |{a}: {ok}, &{x}: &{item}| -> Result<{ok}, {error}> \
             {{ if {test} {{ return Err({wrong}); }} Ok({next}) }})"
        )
    }

    /// What is inside of a result, or something else.
    pub(super) fn unwrapped_result(&mut self, ty: &Type, depth: u32) -> String {
        let error = self.any_type(1);
        let result = Type::Result(Box::new(ty.clone()), Box::new(error.clone()));
        let value = self.expr(&result, depth);
        if self.style.panics && self.rng.chance(15) {
            let end = self.rng.pick(&["unwrap()", "expect(\"no error\")"]);
            return format!("{value}.{end}");
        }
        if self.rng.chance(25) {
            return format!("{value}.unwrap_or({})", self.expr(ty, depth));
        }
        let (e, x) = (self.fresh("e"), self.fresh("x"));
        let (other, some) = self.closed(|g| {
            let other = g.scoped(|g| {
                g.declare(&e, error, false);
                g.expr(ty, depth)
            });
            g.declare(&x, ty.clone(), false);
            (other, g.expr(ty, depth))
        });
        match self.rng.below(3) {
            0 => format!("{value}.unwrap_or_else(|{e}| {other})"),
            1 => format!("{value}.map_or_else(|{e}| {other}, |{x}| {some})"),
            _ => format!("(match {value} {{ Ok({x}) => {some}, Err({e}) => {other} }})"),
        }
    }
}
