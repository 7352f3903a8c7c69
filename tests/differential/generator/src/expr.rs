//! Expressions of a given type.

use crate::generator::{Generator, Param, Passing, Variable};
use crate::ops::{self, Arg, Row};
use crate::types::{INTS, Type, U32, U64, USIZE};

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

    fn array(&mut self, element: &Type, len: usize, depth: u32) -> String {
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

    fn option(&mut self, some: &Type, depth: u32) -> String {
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

    fn result(&mut self, ok: &Type, error: &Type, depth: u32) -> String {
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

    /// An enum with written discriminants.
    fn numbered(&mut self) -> Option<usize> {
        let numbered: Vec<usize> = (0..self.definitions.len())
            .filter(|&at| !self.definitions[at].discriminants.is_empty())
            .collect();
        if numbered.is_empty() { None } else { Some(*self.rng.pick(&numbered)) }
    }

    /// An enum's discriminant as an integer.
    fn discriminant(&mut self, int: &str, depth: u32) -> String {
        match self.numbered() {
            Some(index) => format!("({} as {int})", self.expr(&Type::Defined(index), depth)),
            None => format!("0{int}"),
        }
    }

    /// The variant of an enum whose discriminant is some number.
    fn numbered_variant(&mut self, index: usize, depth: u32) -> String {
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

    fn if_else(&mut self, ty: &Type, depth: u32) -> String {
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

    fn match_of(&mut self, ty: &Type, depth: u32) -> String {
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
    fn block_of(&mut self, ty: &Type, depth: u32) -> String {
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

    /// A call of a function of the program with this result.
    fn call(&mut self, ty: &Type, depth: u32) -> Option<String> {
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
    pub(crate) fn call_of(
        &mut self,
        function: &crate::generator::Function,
        depth: u32,
    ) -> Option<String> {
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
    fn closure_call(&mut self, ty: &Type, depth: u32) -> String {
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

    /// What is inside of an option, or something else.
    fn unwrapped(&mut self, ty: &Type, depth: u32) -> String {
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

    /// What is inside of a result, or something else.
    fn unwrapped_result(&mut self, ty: &Type, depth: u32) -> String {
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

    /// An element of an array or a slice at some index.
    fn element(&mut self, ty: &Type, depth: u32) -> Option<String> {
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
