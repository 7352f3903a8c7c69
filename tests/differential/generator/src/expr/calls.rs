//! Calls of the program's functions, and of closures.

use crate::generator::{Function, Generator, Param, Passing, Variable};
use crate::types::Type;

impl Generator<'_> {
    /// A call of a function of the program with this result.
    pub(super) fn call(&mut self, ty: &Type, depth: u32) -> Option<String> {
        if self.uniform_only {
            // Functions see what happened in their thread.
            return None;
        }
        let candidates: Vec<usize> = (0..self.functions.len())
            .filter(|&at| self.functions[at].result == *ty && self.affords(self.functions[at].cost))
            .collect();
        if candidates.is_empty() {
            return None;
        }
        let function = self.functions[*self.rng.pick(&candidates)].clone();
        self.call_of(&function, depth)
    }

    /// A call of `function`, if there is a variable for what it changes.
    pub(crate) fn call_of(&mut self, function: &Function, depth: u32) -> Option<String> {
        self.spend(function.cost);
        // What is passed by reference stands in places. All of them are chosen before any value is
        // written, since no value may read what another argument borrows.
        let mut borrowed: Vec<String> = Vec::new();
        let mut references: Vec<Option<String>> = Vec::new();
        for param in &function.params {
            let reference = self.reference(param, &mut borrowed);
            let needs_variable =
                matches!(param.ty, Type::Slice(_)) && param.passing == Passing::Mutable;
            if needs_variable && reference.is_none() {
                return None;
            }
            references.push(reference);
        }
        let hidden: Vec<usize> = (0..self.variables.len())
            .filter(|&at| {
                let variable = &self.variables[at];
                !variable.hidden && borrowed.contains(&variable.name)
            })
            .collect();
        for &at in &hidden {
            self.variables[at].hidden = true;
        }
        let args: Vec<String> = self.closed(|g| {
            let args = function.params.iter().zip(references);
            args.map(|(param, reference)| {
                reference.unwrap_or_else(|| match (&param.ty, param.passing) {
                    (ty, Passing::Value) => g.expr(ty, depth.min(2)),
                    (Type::Slice(element), _) => {
                        let len = g.rng.between(1, 4);
                        format!("&{}", g.array(element, len, 1))
                    }
                    // A block's value is a copy, which may be changed.
                    (ty, Passing::Shared) => format!("&{{ {} }}", g.leaf(ty)),
                    (ty, Passing::Mutable) => format!("&mut {{ {} }}", g.leaf(ty)),
                })
            })
            .collect()
        });
        for at in hidden {
            self.variables[at].hidden = false;
        }
        Some(format!("{}(trace, {})", function.name, args.join(", ")))
    }

    /// A reference to a variable that can be passed as `param`, and that no other argument borrows.
    fn reference(&mut self, param: &Param, borrowed: &mut Vec<String>) -> Option<String> {
        let mutable = match param.passing {
            Passing::Value => return None,
            Passing::Shared => false,
            Passing::Mutable => true,
        };
        let found: Vec<String> = match &param.ty {
            Type::Slice(element) => {
                let lists = self.lists(mutable, |found| found == element.as_ref());
                lists.into_iter().map(|(name, _)| name).collect()
            }
            ty => {
                let usable = self.usable(mutable, |found| found == ty);
                usable.into_iter().map(|variable| variable.name).collect()
            }
        };
        let free: Vec<&String> = found.iter().filter(|name| !borrowed.contains(name)).collect();
        if free.is_empty() {
            return None;
        }
        let name = (*self.rng.pick(&free)).clone();
        borrowed.push(name.clone());
        let is_slice = |v: &Variable| v.name == name && matches!(v.ty, Type::Slice(_));
        Some(match (&param.ty, mutable) {
            (Type::Slice(_), true) if self.variables.iter().any(is_slice) => {
                format!("&mut *{name}")
            }
            (Type::Slice(_), false) => format!("&{name}[..]"),
            (_, true) => format!("&mut {name}"),
            (_, false) => format!("&{name}"),
        })
    }

    /// A closure, called where it stands or through one of the library's generic functions.
    pub(super) fn closure_call(&mut self, ty: &Type, depth: u32) -> String {
        let param = self.any_type(1);
        let arg = self.expr(&param, depth);
        let name = self.fresh("x");
        let param_name = self.name_of(&param);
        let times = if *ty == param && self.affords(100) { self.rng.between(1, 5) } else { 1 };
        let body = self.closed(|g| {
            g.declare(&name, param.clone(), false);
            g.returns = Some(ty.clone());
            let body = g.repeated(times as u64, |g| {
                let statements =
                    if g.rng.chance(40) { g.statements(1, depth.min(2)) } else { String::new() };
                format!("{statements} {}", g.expr(ty, depth))
            });
            g.returns = None;
            body
        });
        let closure = format!("|{name}: {param_name}| -> {} {{ {body} }}", self.name_of(ty));
        match self.rng.below(4) {
            0 if *ty == param => format!("repeat({times}, {arg}, {closure})"),
            3 => {
                let (then, result) = (self.fresh("y"), self.name_of(ty));
                let second = self.closed(|g| {
                    g.declare(&then, ty.clone(), false);
                    g.expr(ty, depth.min(2))
                });
                // The closure is gone before the value is used: it borrows what it reads.
                format!(
                    "{{ let argument = {arg}; \
                     let both = compose({closure}, |{then}: {result}| {second}); both(argument) }}"
                )
            }
            1 => format!("call_dyn({arg}, &{closure})"),
            _ => format!("call({arg}, {closure})"),
        }
    }
}
