//! Statements.

use crate::generator::{Generator, Loop, Passing};
use crate::types::{Type, U64, USIZE};

impl Generator<'_> {
    /// Statements; what they declare stays in scope.
    pub(crate) fn statements(&mut self, count: usize, depth: u32) -> String {
        let mut text = String::new();
        for _ in 0..count {
            text += &self.statement(depth);
            text.push('\n');
        }
        text
    }

    /// A block's statements: a few, with a scope of their own.
    fn body(&mut self, depth: u32) -> String {
        let count = self.rng.between(1, 3);
        self.scoped(|g| g.statements(count, depth))
    }

    fn statement(&mut self, depth: u32) -> String {
        self.spend(1);
        let choice = self.rng.below(100);
        // Only a `let`'s value can be cut out: others may need the variable.
        if choice < 28 || depth == 0 || !self.affords(60) {
            return self.let_statement(depth.max(1));
        }
        if self.style.panics && self.rng.chance(15) {
            return self.part(String::new(), |g| g.panicking_statement(depth - 1));
        }
        if self.convergent && choice >= 64 {
            return self.collective(depth - 1);
        }
        let depth = depth - 1;
        self.part(String::new(), |g| match choice {
            28..30 => g.grid_atomic(depth),
            30..41 => g.assignment(depth),
            41..48 => g.if_statement(depth),
            48..51 => g.match_statement(depth),
            51..57 => g.for_statement(depth),
            57..64 => g.indexing_loop(depth),
            64..68 => g.while_statement(depth),
            68..71 => g.scoped(|g| {
                let value = g.any_scalar();
                let text = g.diverging(|g| g.loop_with_value(&value, depth));
                format!("let _ = {text};")
            }),
            71..76 => g.leave(depth),
            76..81 => g.call_statement(depth),
            81..89 => g.list_statement(depth),
            89..92 => g.swap(),
            92..94 => g.counting_closure(depth),
            94 => g.visiting_closure(depth),
            96 | 97 => g.grid_atomic(depth),
            95 => g.while_let(depth),
            _ => g.drop_guard(depth),
        })
    }

    fn let_statement(&mut self, depth: u32) -> String {
        let ty = self.any_type(2);
        let value = self.expr(&ty, depth);
        let type_name = self.name_of(&ty);
        // Now and then the pattern takes the value apart.
        if let Type::Tuple(fields) = &ty
            && self.rng.chance(50)
        {
            let names: Vec<String> = fields.iter().map(|_| self.fresh("v")).collect();
            for (name, field) in names.iter().zip(fields) {
                self.declare(name, field.clone(), false);
            }
            return format!("let ({},): {type_name} = {value};", names.join(", "));
        }
        let mutable = self.rng.chance(60);
        let name = self.fresh("v");
        self.declare(&name, ty, mutable);
        format!("let {}{name}: {type_name} = {value};", if mutable { "mut " } else { "" })
    }

    fn assignment(&mut self, depth: u32) -> String {
        let mut ty = self.any_scalar();
        // A type of which there is a variable, if possible.
        let variables = self.usable(true, |_| true);
        if !variables.is_empty() && self.rng.chance(80) {
            ty = self.rng.pick(&variables).ty.clone();
        }
        let lists = self.lists(true, |_| true);
        if !lists.is_empty() && self.rng.chance(25) {
            let (name, element) = self.rng.pick(&lists).clone();
            let value = self.expr(&element, depth);
            let index = self.closed(|g| g.expr(&USIZE, depth));
            return format!("{name}[{index} % {name}.len()] = {value};");
        }
        let places = self.places(&ty, true);
        if places.is_empty() {
            return self.note(depth);
        }
        let place = self.rng.pick(&places).clone();
        let value = self.closed(|g| g.expr(&ty, depth));
        let operator = match &ty {
            Type::Int(_) | Type::Bool => *self.rng.pick(&["=", "^=", "|=", "&=", "="]),
            Type::Float(_) => *self.rng.pick(&["=", "+=", "-=", "*="]),
            _ => "=",
        };
        match &ty {
            Type::Int(_) if self.rng.chance(30) => {
                let method = self.rng.pick(&["wrapping_add", "wrapping_mul", "wrapping_sub"]);
                format!("{place} = {place}.{method}({value});")
            }
            _ => format!("{place} {operator} {value};"),
        }
    }

    fn if_statement(&mut self, depth: u32) -> String {
        self.diverging(|g| {
            let mut text = if g.rng.chance(30) {
                let ty = g.any_type(2);
                let value = g.expr(&ty, depth);
                g.scoped(|g| {
                    let pattern = g.pattern(&ty, 2);
                    format!("if let {pattern} = {value} {{\n{}}}", g.body(depth))
                })
            } else {
                format!("if {} {{\n{}}}", g.expr(&Type::Bool, depth), g.body(depth))
            };
            if g.rng.chance(50) {
                if g.rng.chance(30) {
                    text +=
                        &format!(" else if {} {{\n{}}}", g.expr(&Type::Bool, depth), g.body(depth));
                }
                text += &format!(" else {{\n{}}}", g.body(depth));
            }
            text
        })
    }

    fn match_statement(&mut self, depth: u32) -> String {
        let ty = self.any_type(2);
        let value = self.expr(&ty, depth);
        self.diverging(|g| {
            let mut text = format!("match {value} {{\n");
            for _ in 0..g.rng.between(1, 3) {
                text += &g.scoped(|g| {
                    let pattern = g.pattern(&ty, 3);
                    format!("{pattern} => {{\n{}}}\n", g.body(depth))
                });
            }
            text + &format!("_ => {{\n{}}}\n}}", g.body(depth))
        })
    }

    /// The body of a loop with a label.
    pub(crate) fn loop_body(
        &mut self,
        value: Option<Type>,
        times: u64,
        depth: u32,
    ) -> (String, String) {
        let label = self.fresh("'l");
        self.loops.push(Loop { label: label.clone(), value });
        let body = self.diverging(|g| g.repeated(times, |g| g.body(depth)));
        self.loops.pop();
        (label, body)
    }

    fn for_statement(&mut self, depth: u32) -> String {
        let lists = self.lists(false, |_| true);
        let changeable = self.lists(true, |_| true);
        let name = self.fresh("k");
        match self.rng.below(4) {
            0 if !lists.is_empty() => {
                // By value.
                let (list, element) = self.rng.pick(&lists).clone();
                self.scoped(|g| {
                    g.declare(&name, element, false);
                    let (label, body) = g.without(&list, |g| g.loop_body(None, 8, depth));
                    format!("{label}: for &{name} in {list}.iter().take(8) {{\n{body}}}")
                })
            }
            1 if !changeable.is_empty() => {
                // By mutable reference.
                let (list, element) = self.rng.pick(&changeable).clone();
                let (index, place) = (self.fresh("i"), format!("(*{name})"));
                self.scoped(|g| {
                    g.declare(&index, USIZE, false);
                    g.declare(&place, element, true);
                    let (label, body) = g.without(&list, |g| g.loop_body(None, 8, depth));
                    format!(
                        "{label}: for ({index}, {name}) in {list}.iter_mut().enumerate().take(8) {{\n{body}}}"
                    )
                })
            }
            2 if !changeable.is_empty() => {
                // Parts of a list, each a slice.
                let (list, element) = self.rng.pick(&changeable).clone();
                let size = self.rng.between(1, 3);
                self.scoped(|g| {
                    g.declare(&name, Type::Slice(Box::new(element)), true);
                    let (label, body) = g.without(&list, |g| g.loop_body(None, 8, depth));
                    format!("{label}: for {name} in {list}.chunks_mut({size}).take(8) {{\n{body}}}")
                })
            }
            _ => {
                let ty = Type::Int(self.any_int());
                let (low, len) = (self.rng.below(5), self.rng.between(1, 8));
                let int = self.name_of(&ty);
                let range = format!("{low}{int}..{}{int}", low + len);
                let range = match self.rng.below(3) {
                    0 => format!("({range}).rev()"),
                    1 => format!("{low}{int}..={}{int}", low + len - 1),
                    _ => range,
                };
                self.scoped(|g| {
                    g.declare(&name, ty, false);
                    let (label, body) = g.loop_body(None, len as u64, depth);
                    format!("{label}: for {name} in {range} {{\n{body}}}")
                })
            }
        }
    }

    fn while_statement(&mut self, depth: u32) -> String {
        let fuel = self.fresh("fuel");
        let times = self.rng.between(1, 8);
        let condition =
            self.diverging(|g| g.repeated(times as u64, |g| g.expr(&Type::Bool, depth)));
        let (label, body) = self.loop_body(None, times as u64, depth);
        format!(
            "let mut {fuel} = {times}u32;\n{label}: while {fuel} > 0 && {condition} {{\n{fuel} -= 1;\n{body}}}"
        )
    }

    /// `loop` with a value.
    pub(crate) fn loop_with_value(&mut self, ty: &Type, depth: u32) -> String {
        let (fuel, times) = (self.fresh("fuel"), self.rng.between(1, 6));
        let (label, body) = self.loop_body(Some(ty.clone()), times as u64, depth);
        let value = self.repeated(times as u64, |g| g.expr(ty, depth));
        format!(
            "({{ let mut {fuel} = {times}u32;\n{label}: loop {{\n{body}if {fuel} == 0 {{ break {label} {value}; }}\n{fuel} -= 1;\n}} }})"
        )
    }

    /// `break`, `continue` or `return` under a condition, or `let`-`else`.
    fn leave(&mut self, depth: u32) -> String {
        let mut exits = Vec::new();
        for around in self.loops.clone() {
            // A loop with a value counts at its end, which `continue` would skip.
            match &around.value {
                None => exits.extend([
                    format!("break {}", around.label),
                    format!("continue {}", around.label),
                ]),
                Some(value) => {
                    exits.push(format!("break {} {}", around.label, self.expr(value, 1)))
                }
            }
        }
        if let Some(result) = self.returns.clone() {
            exits.push(format!("return {}", self.expr(&result, depth)));
        }
        if exits.is_empty() {
            return self.note(depth);
        }
        let exit = self.rng.pick(&exits).clone();
        format!("if {} {{ {exit}; }}", self.expr(&Type::Bool, depth))
    }

    /// A call for what it changes.
    fn call_statement(&mut self, depth: u32) -> String {
        let candidates: Vec<usize> = (0..self.functions.len())
            .filter(|&at| {
                let function = &self.functions[at];
                let changes = function.params.iter().any(|p| p.passing == Passing::Mutable);
                changes && self.affords(function.cost)
            })
            .collect();
        if candidates.is_empty() || self.uniform_only {
            return self.note(depth);
        }
        let function = self.functions[*self.rng.pick(&candidates)].clone();
        match self.call_of(&function, depth) {
            Some(call) => format!("let _ = {call};"),
            None => self.note(depth),
        }
    }

    fn swap(&mut self) -> String {
        let variables = self.usable(true, |_| true);
        for (at, a) in variables.iter().enumerate() {
            if let Some(b) = variables[at + 1..].iter().find(|b| b.ty == a.ty && b.name != a.name) {
                return format!("core::mem::swap(&mut {}, &mut {});", a.name, b.name);
            }
        }
        self.note(1)
    }

    /// A closure that changes a variable, called several times.
    fn counting_closure(&mut self, depth: u32) -> String {
        let variables = self.usable(true, Type::is_scalar);
        if variables.is_empty() {
            return self.note(depth);
        }
        let variable = self.rng.pick(&variables).clone();
        let param = self.any_type(1);
        let (closure, x) = (self.fresh("f"), self.fresh("x"));
        let calls = self.rng.between(1, 4);
        let type_name = self.name_of(&param);
        let body = self.closed(|g| {
            g.declare(&x, param.clone(), false);
            g.repeated(calls as u64, |g| g.expr(&variable.ty, depth))
        });
        let calls: Vec<String> = (0..calls)
            .map(|_| {
                let arg = self.without(&variable.name, |g| g.closed(|g| g.expr(&param, depth)));
                format!("{closure}({arg});")
            })
            .collect();
        format!(
            "{{ let mut {closure} = |{x}: {type_name}| {{ {} = {body}; }};\n{} }}",
            variable.name,
            calls.join(" ")
        )
    }

    /// A closure that changes a variable, called through a reference for each element of a list.
    fn visiting_closure(&mut self, depth: u32) -> String {
        let variables = self.usable(true, |_| true);
        if variables.is_empty() {
            return self.note(depth);
        }
        let variable = self.rng.pick(&variables).clone();
        let lists = self.without(&variable.name, |g| g.lists(false, |_| true));
        if lists.is_empty() {
            return self.note(depth);
        }
        let (list, element) = self.rng.pick(&lists).clone();
        let (i, x) = (self.fresh("i"), self.fresh("x"));
        let body = self.closed(|g| {
            g.declare(&i, USIZE, false);
            g.declare(&x, element, false);
            g.repeated(8, |g| g.expr(&variable.ty, depth.min(2)))
        });
        let name = &variable.name;
        format!("visit(&{list}[..{list}.len().min(8)], &mut |{i}, {x}| {{ {name} = {body}; }});")
    }

    /// A loop that takes a list apart, by its elements or its slices.
    fn while_let(&mut self, depth: u32) -> String {
        let lists = self.lists(false, |_| true);
        if lists.is_empty() {
            return self.note(depth);
        }
        let (list, element) = self.rng.pick(&lists).clone();
        let (rest, x, next) = (self.fresh("rest"), self.fresh("x"), self.fresh("rest"));
        let by_slices = self.rng.chance(50);
        self.scoped(|g| {
            g.declare(&x, element.clone(), false);
            let (label, body) = g.without(&list, |g| g.loop_body(None, 8, depth));
            let head = format!("{{ let mut {rest} = &{list}[..{list}.len().min(8)];\n");
            match by_slices {
                true => format!(
                    "{head}{label}: while let &[{x}, ref {next} @ ..] = {rest} {{\n{rest} = {next};\n{body}}} }}"
                ),
                false => format!(
                    "{head}let mut {next} = {rest}.iter();\n\
                     {label}: while let Some(&{x}) = {next}.next() {{\n{body}}} }}"
                ),
            }
        })
    }

    /// A value whose `Drop` leaves a trace when the scope ends, however it ends.
    fn drop_guard(&mut self, depth: u32) -> String {
        let name = self.fresh("guard");
        let value = self.expr(&U64, depth);
        format!("let {name} = Guard::new(trace, {value});")
    }

    /// Puts a value into the trace.
    pub(crate) fn note(&mut self, depth: u32) -> String {
        let ty = self.any_type(1);
        let value = self.expr(&ty, depth.min(2));
        format!("note(trace, &{value});")
    }
}
