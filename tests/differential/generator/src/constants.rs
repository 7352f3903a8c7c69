//! Functions that are generic over constants.

use crate::generator::{ConstFunction, Generator, Item};
use crate::types::{Type, USIZE};

/// Elements at most.
const MAX: usize = 6;

impl Generator<'_> {
    /// A function that is generic over the length of an array and another constant.
    pub(crate) fn const_function(&mut self) {
        let name = self.fresh("constant");
        let (element, arg, result) = (self.any_scalar(), self.any_type(1), self.any_type(2));
        let constant = match self.rng.below(4) {
            0 => Type::Bool,
            1 => Type::Char,
            _ => Type::Int(self.any_int()),
        };
        let (r, e, k) = (self.fresh("r"), self.fresh("e"), self.fresh("k"));
        let (first, test, next) = self.isolated(|g| {
            g.declare("x", arg.clone(), false);
            g.declare("K", constant.clone(), false);
            g.declare("N", USIZE, false);
            let first = g.expr(&result, 1);
            g.declare(&r, result.clone(), false);
            g.declare(&e, element.clone(), false);
            g.declare(&k, USIZE, false);
            g.repeated(MAX as u64, |g| (first, g.expr(&Type::Bool, 2), g.expr(&result, 2)))
        });
        let names: Vec<String> =
            [&element, &arg, &result, &constant].iter().map(|ty| self.name_of(ty)).collect();
        let [element_name, arg_name, result_name, constant_name] = &names[..] else { return };
        // Of one loop, the length is known in each instance only; the other is a recursion.
        let more = match self.rng.below(3) {
            0 => "for at in 1..N { list[at] = list[at - 1]; }\n",
            1 => "let list: [_; N] = core::array::from_fn(|at| list[N - 1 - at]);\n",
            _ => "if const { N % 2 == 0 } { list.reverse(); }\n",
        };
        let text = format!(
            "fn {name}<const N: usize, const K: {constant_name}>\
             (trace: &Trace, mut list: [{element_name}; N], x: {arg_name}) -> {result_name} {{\n\
             let mut {r} = {first};\n{more}\
             for ({k}, &{e}) in list.iter().enumerate() {{\nif {test} {{ continue; }}\n{r} = {next};\n}}\n\
             note(trace, &(N, K, size_of_val(&list)));\n{r}\n}}\n"
        );
        self.items.push(Item { name: name.clone(), text });
        let cost = self.cost + 30;
        self.constants.push(ConstFunction { name, element, arg, result, constant, cost });
    }

    /// A call of such a function with this result.
    pub(crate) fn const_call(&mut self, ty: &Type, depth: u32) -> Option<String> {
        let usable = |found: &&ConstFunction| found.result == *ty && self.affords(found.cost);
        let functions: Vec<ConstFunction> = self.constants.iter().filter(usable).cloned().collect();
        if functions.is_empty() || self.uniform_only {
            return None;
        }
        let function = self.rng.pick(&functions).clone();
        self.spend(function.cost);
        let len = self.rng.between(1, MAX);
        let constant = loop {
            // A literal: calls and constants of types need a block.
            let text = self.literal(&function.constant);
            if !text.contains("::") {
                break format!("{{ {text} }}");
            }
        };
        let list = Type::Array(Box::new(function.element.clone()), len);
        let (list, arg) = self.closed(|g| (g.expr(&list, depth.min(2)), g.expr(&function.arg, 1)));
        Some(format!("{}::<{len}, {constant}>(trace, {list}, {arg})", function.name))
    }
}
