//! Traits with several implementations, and the ways to dispatch to one: by type, through generic
//! functions, through `&dyn`, through function pointers.

use crate::generator::{Generator, Item, Trait};
use crate::types::{Type, USIZE};

impl Generator<'_> {
    /// A trait, its implementations, and a generic function.
    pub(crate) fn trait_item(&mut self) {
        let name = self.fresh("Trait");
        let (arg, result) = (self.any_type(1), self.any_type(2));
        let mut types: Vec<Type> = Vec::new();
        for _ in 0..self.rng.between(2, 4) {
            let ty = self.any_type(2);
            if !types.contains(&ty) {
                types.push(ty);
            }
        }
        let (arg_name, result_name) = (self.name_of(&arg), self.name_of(&result));
        let signature = format!("(&self, trace: &Trace, x: {arg_name}) -> {result_name}");
        let combined = self.combination(&result, "self.m(trace, x)", "Self::initial()");
        let mut text = format!(
            "pub trait {name} {{\nfn m{signature};\nfn n{signature} {{ {combined} }}\n\
             fn initial() -> {result_name} where Self: Sized;\n}}\n"
        );
        // `n` is called through `dyn`, too, where there is no `initial`.
        text = text.replace("Self::initial()", "self.m(trace, x)");
        let mut cost = 0;
        for ty in &types {
            self.cost = 0;
            let ty_name = self.name_of(ty);
            let body = self.method_body(ty, &arg, &result);
            let initial = self.isolated(|g| g.expr(&result, 1));
            let own = match self.rng.chance(30) {
                true => {
                    format!("fn n{signature} {{ {} }}\n", self.method_body(ty, &arg, &result))
                }
                false => String::new(),
            };
            // Neither a trace nor anything else is in scope there.
            let initial = match initial.contains("trace") {
                true => self.plain_value(&result),
                false => initial,
            };
            let inline = *self.rng.pick(&["", "#[inline(never)]\n", "#[inline]\n"]);
            text += &format!(
                "impl {name} for {ty_name} {{\n{inline}fn m{signature} {{ {body} }}\n{own}\
                 fn initial() -> {result_name} {{ {initial} }}\n}}\n"
            );
            cost = self.cost.max(cost);
        }
        let both = self.combination(&result, "self.0.m(trace, x)", "self.1.n(trace, x)");
        text += &format!(
            "impl<A: {name}, B: {name}> {name} for Both<A, B> {{\nfn m{signature} {{ {both} }}\n\
             fn initial() -> {result_name} {{ if size_of::<A>() > 4 {{ A::initial() }} else {{ B::initial() }} }}\n}}\n"
        );
        let generic = self.fresh("generic");
        let body = self.generic_body(&result);
        let generic_text = format!(
            "fn {generic}<A: {name} + Copy, B: {name} + Copy>\
             (trace: &Trace, a: A, b: B, x: {arg_name}) -> {result_name} {{ {body} }}\n"
        );
        self.items.push(Item { name: name.clone(), text });
        self.items.push(Item { name: generic.clone(), text: generic_text });
        self.traits.push(Trait { name, arg, result, types, cost: 2 * cost + 10, generic });
    }

    /// A method's body: it sees only `self` and `x`.
    fn method_body(&mut self, ty: &Type, arg: &Type, result: &Type) -> String {
        let instead = self.plain_value(result);
        self.part(instead, |g| {
            g.isolated(|g| {
                g.declare("(*self)", ty.clone(), false);
                g.declare("x", arg.clone(), false);
                g.returns = Some(result.clone());
                let count = g.rng.below(2);
                let statements = g.statements(count, 2);
                format!("{statements}{}", g.expr(result, 2))
            })
        })
    }

    /// An expression of two values, each given once.
    fn combination(&mut self, ty: &Type, first: &str, second: &str) -> String {
        let (a, b) = (self.fresh("a"), self.fresh("b"));
        let body = self.isolated(|g| {
            g.declare(&a, ty.clone(), false);
            g.declare(&b, ty.clone(), false);
            g.expr(ty, 2)
        });
        format!("let ({a}, {b}) = ({first}, {second}); {body}")
    }

    /// The body of the generic function: a loop that calls both.
    fn generic_body(&mut self, result: &Type) -> String {
        let (r, a, k) = (self.fresh("r"), self.fresh("a"), self.fresh("k"));
        let times = self.rng.between(1, 3);
        let (test, next) = self.isolated(|g| {
            g.declare(&r, result.clone(), false);
            g.declare(&k, USIZE, false);
            let test = g.repeated(times as u64, |g| g.expr(&Type::Bool, 1));
            g.declare(&a, result.clone(), false);
            (test, g.repeated(times as u64, |g| g.expr(result, 2)))
        });
        format!(
            "let mut {r} = A::initial();\nfor {k} in 0..{times}usize {{\n\
             let {a} = if {test} {{ a.m(trace, x) }} else {{ b.n(trace, x) }};\n{r} = {next};\n}}\n{r}"
        )
    }

    /// A call of a trait's method, or of its generic function, with a result of this type.
    pub(crate) fn trait_call(&mut self, ty: &Type, depth: u32) -> Option<String> {
        let usable = |found: &&Trait| found.result == *ty && self.affords(4 * found.cost);
        let traits: Vec<Trait> = self.traits.iter().filter(usable).cloned().collect();
        if traits.is_empty() || self.uniform_only {
            return None;
        }
        let chosen = self.rng.pick(&traits).clone();
        let name = &chosen.name;
        let method = *self.rng.pick(&["m", "n"]);
        let depth = depth.min(2);
        Some(self.closed(|g| {
            let arg = g.expr(&chosen.arg, depth);
            let form = g.rng.below(4);
            let count = if form == 0 { 1 } else { g.rng.between(2, 3) };
            let values: Vec<String> = (0..count)
                .map(|_| {
                    let ty = g.rng.pick(&chosen.types).clone();
                    g.expr(&ty, depth)
                })
                .collect();
            let names: Vec<String> = values.iter().map(|_| g.fresh("t")).collect();
            let lets = format!("let ({},) = ({},);", names.join(", "), values.join(", "));
            g.spend(4 * chosen.cost);
            match form {
                0 => format!("{name}::{method}(&{{ {} }}, trace, {arg})", values[0]),
                1 => {
                    let generic = &chosen.generic;
                    let first = match g.rng.chance(40) {
                        true => format!("Both({}, {})", names[1], names[0]),
                        false => names[0].clone(),
                    };
                    format!("{{ {lets} {generic}(trace, {first}, {}, {arg}) }}", names[1])
                }
                2 => {
                    let test = g.expr(&Type::Bool, depth);
                    let (a, b) = (&names[0], &names[1]);
                    format!(
                        "{{ {lets} let object: &dyn {name} = if {test} {{ &{a} }} else {{ &{b} }}; \
                         object.{method}(trace, {arg}) }}"
                    )
                }
                _ => {
                    let index = g.expr(&USIZE, 1);
                    let objects: Vec<String> =
                        names.iter().map(|name| format!("&{name}")).collect();
                    format!(
                        "{{ {lets} let objects: [&dyn {name}; {count}] = [{}]; \
                         objects[{index} % {count}].{method}(trace, {arg}) }}",
                        objects.join(", ")
                    )
                }
            }
        }))
    }

    /// A call through one of several function pointers: closures that capture nothing.
    pub(crate) fn pointer_call(&mut self, ty: &Type, depth: u32) -> String {
        let param = self.any_type(1);
        let (param_name, ty_name) = (self.name_of(&param), self.name_of(ty));
        let depth = depth.min(2);
        let arg = self.expr(&param, depth);
        let index = self.closed(|g| g.expr(&USIZE, 1));
        let count = self.rng.between(2, 3);
        let functions: Vec<String> = (0..count)
            .map(|_| {
                let name = self.fresh("x");
                let body = self.isolated(|g| {
                    g.declare(&name, param.clone(), false);
                    g.expr(ty, depth)
                });
                format!("|trace, {name}| {body}")
            })
            .collect();
        format!(
            "{{ let functions: [fn(&Trace, {param_name}) -> {ty_name}; {count}] = [{}]; \
             let argument = {arg}; functions[{index} % {count}](trace, argument) }}",
            functions.join(", ")
        )
    }
}
