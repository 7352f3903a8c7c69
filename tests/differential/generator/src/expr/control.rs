//! Expressions that branch: `if`, `match`, blocks that are left early.

use crate::generator::Generator;
use crate::types::Type;

impl Generator<'_> {
    pub(super) fn if_else(&mut self, ty: &Type, depth: u32) -> String {
        let (head, declared) = if self.rng.chance(25) {
            let scrutinee = self.any_type(2);
            let value = self.expr(&scrutinee, depth);
            (format!("let {{}} = {value}"), Some(scrutinee))
        } else {
            (self.expr(&Type::Bool, depth), None)
        };
        self.diverging(|g| {
            let (head, then) = g.scoped(|g| {
                let head = match &declared {
                    Some(scrutinee) => head.replacen("{}", &g.pattern(scrutinee, 2), 1),
                    None => head,
                };
                (head, g.expr(ty, depth))
            });
            let otherwise = g.expr(ty, depth);
            format!("(if {head} {{ {then} }} else {{ {otherwise} }})")
        })
    }

    pub(super) fn match_of(&mut self, ty: &Type, depth: u32) -> String {
        let scrutinee = self.any_type(2);
        let value = self.expr(&scrutinee, depth);
        let arms = self.rng.between(1, 4);
        let mut text = format!("(match {value} {{");
        self.diverging(|g| {
            for _ in 0..arms {
                text += &g.scoped(|g| {
                    let pattern = g.pattern(&scrutinee, 2);
                    let guard = match g.rng.chance(25) {
                        true => {
                            format!(" if {}", g.closed(|g| g.expr(&Type::Bool, depth)))
                        }
                        false => String::new(),
                    };
                    format!(" {pattern}{guard} => {},", g.expr(ty, depth))
                });
            }
            text += &format!(" _ => {} }})", g.expr(ty, depth));
        });
        text
    }

    /// A block, or a `loop` left by `break` with a value.
    pub(super) fn block_of(&mut self, ty: &Type, depth: u32) -> String {
        if depth < 1 || !self.affords(60) {
            return self.operation(ty, depth);
        }
        self.scoped(|g| match g.rng.below(3) {
            0 => {
                let label = g.fresh("'b");
                let loops = g.loops.len();
                g.diverging(|g| {
                    let statements = g.statements(1, depth);
                    let condition = g.expr(&Type::Bool, 1);
                    let early = g.expr(ty, 1);
                    g.loops.truncate(loops);
                    let last = g.expr(ty, depth);
                    format!(
                        "({label}: {{ {statements} if {condition} {{ break {label} {early}; }} {last} }})"
                    )
                })
            }
            1 => {
                let count = g.rng.between(1, 2);
                let statements = g.diverging(|g| g.statements(count, depth));
                let last = g.expr(ty, depth);
                format!("({{ {statements} {last} }})")
            }
            _ => g.diverging(|g| g.loop_with_value(ty, depth)),
        })
    }
}
