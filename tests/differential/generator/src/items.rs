//! Whole programs: types, functions, and the function that every thread runs.

use std::collections::BTreeSet;

use crate::generator::{Function, Generator, Item, Param, Part, Passing, Style};
use crate::rng::Rng;
use crate::types::{Definition, INTS, REPRESENTATIONS, Type, U32, U64, Variant};

/// Words that a thread gives back.
const OUT: usize = 8;

/// A generated program.
#[derive(Clone, Debug)]
pub struct Program {
    /// The seed that it was made from.
    pub seed: u64,
    /// Rust source: a module `p<index>` with a type `P` that implements `Program`.
    pub source: String,
    /// The parts that can be cut out, by their numbers.
    pub parts: Vec<Part>,
}

/// The program of a seed, without the parts in `cuts`, as module `name`.
pub fn program(seed: u64, cuts: &BTreeSet<usize>, name: &str) -> Program {
    let mut rng = Rng::new(seed);
    let collective = rng.chance(40);
    let style = Style { floats: rng.chance(60), collective, panics: !collective && rng.chance(30) };
    let mut generator = Generator::new(rng, style, cuts);
    let source = generator.module(seed, name);
    Program { seed, source, parts: generator.parts }
}

impl Generator<'_> {
    fn module(&mut self, seed: u64, name: &str) -> String {
        self.choose_palette();
        for index in 0..self.rng.between(1, 4) {
            let definition = match self.rng.chance(30) {
                true => self.numbered_enum(index),
                false => self.definition(index),
            };
            self.definitions.push(definition);
        }
        for _ in 0..self.rng.below(7) {
            self.cost = 0;
            match self.rng.below(12) {
                0..5 => self.function(),
                5 => self.recursive_function(),
                6 | 7 => self.const_function(),
                _ => self.trait_item(),
            }
        }
        self.cost = 0;
        let main = self.main(seed);
        let mut text = format!("pub mod {name} {{\nuse super::*;\n");
        for definition in self.items_of_types() {
            if self.is_named(&definition.name, &main) {
                text += &definition.text;
            }
        }
        for item in &self.items {
            if self.is_named(&item.name, &main) {
                text += &item.text;
            }
        }
        text + &main + "}\n"
    }

    /// Whether something of the program names an item: cutting leaves items that nothing needs.
    fn is_named(&self, name: &str, main: &str) -> bool {
        let names = |text: &str| {
            text.split(|c: char| c != '_' && !c.is_alphanumeric()).any(|word| word == name)
        };
        let types = self.items_of_types();
        let others = types.iter().chain(&self.items);
        names(main)
            || others
                .filter(|item| item.name != name)
                .any(|item| names(&item.text) && self.is_named(&item.name, main))
    }

    fn definition(&mut self, index: usize) -> Definition {
        let is_enum = self.rng.chance(50);
        let variants = if is_enum { self.rng.between(1, 5) } else { 1 };
        let variants = (0..variants)
            .map(|variant| {
                let fields = if is_enum { self.rng.below(4) } else { self.rng.between(1, 4) };
                let fields = (0..fields)
                    .map(|_| {
                        let ty = self.any_type(2);
                        if self.size_of(&ty) <= 24 { ty } else { self.any_scalar() }
                    })
                    .collect();
                Variant { name: format!("V{variant}"), named: self.rng.chance(50), fields }
            })
            .collect();
        let name = format!("{}{index}", if is_enum { "E" } else { "S" });
        let representation = match self.rng.below(4) {
            0 if is_enum => Some(*self.rng.pick(&REPRESENTATIONS)),
            1 => Some("C"),
            _ => None,
        };
        Definition { name, is_enum, variants, representation, discriminants: Vec::new() }
    }

    /// An enum without fields, whose variants have numbers.
    fn numbered_enum(&mut self, index: usize) -> Definition {
        let representation = match self.rng.chance(70) {
            true => Some(*self.rng.pick(&REPRESENTATIONS)),
            false => None,
        };
        let int = INTS.iter().find(|int| Some(int.name) == representation).unwrap_or(&INTS[11]);
        let mut discriminants: Vec<i64> = Vec::new();
        for _ in 0..self.rng.between(1, 6) {
            let number = match (self.rng.below(3), discriminants.last()) {
                (0, Some(last)) => last.wrapping_add(1),
                (1, _) => self.rng.below(100) as i64,
                _ => self.rng.next_u64() as i64,
            };
            // As the representation has it.
            let unused = 64 - int.bits.min(64);
            let number = match int.signed {
                true => number << unused >> unused,
                false => ((number as u64) << unused >> unused) as i64 & i64::MAX,
            };
            if !discriminants.contains(&number) {
                discriminants.push(number);
            }
        }
        let variants = (0..discriminants.len())
            .map(|at| Variant { name: format!("V{at}"), named: false, fields: Vec::new() })
            .collect();
        let name = format!("E{index}");
        Definition { name, is_enum: true, variants, representation, discriminants }
    }

    /// The definitions with their implementations.
    fn items_of_types(&self) -> Vec<Item> {
        let items = self.definitions.iter().enumerate().map(|(index, definition)| {
            let ty = Type::Defined(index);
            let order = if self.is_ordered(&ty) { ", Eq, Ord, Hash" } else { "" };
            let copy = if self.is_device_copy(&ty) { ", DeviceCopy" } else { "" };
            let mut text =
                format!("#[derive(Clone, Copy, Debug, PartialEq, PartialOrd{order}{copy})]\n");
            if let Some(representation) = definition.representation {
                text += &format!("#[repr({representation})]\n");
            }
            let body = |variant: &Variant| {
                let fields: Vec<String> = variant.fields.iter().map(|f| self.name_of(f)).collect();
                variant.with(&fields)
            };
            let name = &definition.name;
            if definition.is_enum {
                let number = |at: usize| match definition.discriminants.get(at) {
                    Some(number) => format!(" = {number}"),
                    None => String::new(),
                };
                let variants: Vec<String> = definition
                    .variants
                    .iter()
                    .enumerate()
                    .map(|(at, v)| format!("{}{}{},", v.name, body(v), number(at)))
                    .collect();
                text += &format!("pub enum {name} {{ {} }}\n", variants.join(" "));
            } else {
                let variant = &definition.variants[0];
                let end = if variant.named { "" } else { ";" };
                text += &format!("pub struct {name}{}{end}\n", body(variant));
            }
            text += &format!("impl Digest for {name} {{\nfn digest(&self, h: &mut u64) {{\n");
            text += "match self {\n";
            for (number, variant) in definition.variants.iter().enumerate() {
                let names: Vec<String> =
                    (0..variant.fields.len()).map(|i| format!("x{i}")).collect();
                let path = match definition.is_enum {
                    true => format!("Self::{}", variant.name),
                    false => "Self".to_owned(),
                };
                let digests: String = names.iter().map(|x| format!(" {x}.digest(h);")).collect();
                let pattern = variant.with(&names);
                text += &format!("{path}{pattern} => {{ {number}u32.digest(h);{digests} }}\n");
            }
            text += "}\n}\n}\n";
            if !definition.discriminants.is_empty() {
                let arms: String = definition
                    .discriminants
                    .iter()
                    .enumerate()
                    .map(|(at, number)| format!("{number} => Some({name}::V{at}),\n"))
                    .collect();
                text += &format!(
                    "impl {name} {{\nfn from_number(number: i64) -> Option<Self> {{\n\
                     match number {{\n{arms}_ => None,\n}}\n}}\n}}\n"
                );
            }
            Item { name: name.clone(), text }
        });
        items.collect()
    }

    /// A function that later functions and the program can call.
    fn function(&mut self) {
        let name = self.fresh("function");
        let result = self.any_type(2);
        let params: Vec<Param> = (0..self.rng.between(1, 4))
            .map(|_| {
                let ty = self.any_type(2);
                match self.rng.below(6) {
                    0 | 1 => {
                        let passing = *self.rng.pick(&[Passing::Shared, Passing::Mutable]);
                        let element = self.any_scalar();
                        Param { ty: Type::Slice(Box::new(element)), passing }
                    }
                    2 => Param { ty, passing: Passing::Shared },
                    3 => Param { ty, passing: Passing::Mutable },
                    _ => Param { ty, passing: Passing::Value },
                }
            })
            .collect();
        let variables = std::mem::take(&mut self.variables);
        let mut signature = Vec::new();
        for param in &params {
            let ty = self.name_of(&param.ty);
            let name = self.fresh("a");
            let is_slice = matches!(param.ty, Type::Slice(_));
            let (borrow, mutable) = match param.passing {
                Passing::Value => ("", self.rng.chance(50)),
                Passing::Shared => ("&", false),
                Passing::Mutable => ("&mut ", true),
            };
            let by_value = param.passing == Passing::Value;
            let prefix = if by_value && mutable { "mut " } else { "" };
            signature.push(format!("{prefix}{name}: {borrow}{ty}"));
            // Behind a reference the place is `*a`.
            let place = if by_value || is_slice { name } else { format!("(*{name})") };
            self.declare(&place, param.ty.clone(), mutable);
        }
        self.returns = Some(result.clone());
        let instead = self.plain_value(&result);
        let (count, depth) = (self.rng.between(1, 5), *self.rng.pick(&[2, 3]));
        let body = self.part(instead, |g| {
            let statements = g.statements(count, depth);
            format!("{statements}{}", g.expr(&result, depth))
        });
        self.returns = None;
        self.variables = variables;
        let attribute = self.rng.pick(&[
            "",
            "#[inline]\n",
            "#[inline(never)]\n",
            "#[inline(always)]\n",
            "#[cold]\n",
        ]);
        let text = format!(
            "{attribute}fn {name}(trace: &Trace, {}) -> {} {{\n{body}\n}}\n",
            signature.join(", "),
            self.name_of(&result)
        );
        self.items.push(Item { name: name.clone(), text });
        let cost = self.cost + 5;
        self.functions.push(Function { name, params, result, cost });
    }

    /// A function that calls itself, to a bounded depth.
    fn recursive_function(&mut self) {
        let name = self.fresh("function");
        let (result, ty) = (self.any_type(2), self.any_type(2));
        // How deep, how many calls in each, how many in all.
        let (deep, branches, calls) = *self.rng.pick(&[(3u32, 2, 15), (8, 1, 9), (2, 3, 13)]);
        let (a, b) = (self.fresh("a"), self.fresh("a"));
        let instead = self.plain_value(&result);
        let body = self.part(instead, |g| {
            g.isolated(|g| {
                g.declare(&a, ty.clone(), true);
                g.declare(&b, result.clone(), true);
                g.frozen = 0;
                g.returns = Some(result.clone());
                let end = g.expr(&result, 1);
                let mut text = format!("if fuel == 0 {{ return {end}; }}\n");
                g.repeated(calls, |g| {
                    for _ in 0..branches {
                        text += &g.statements(1, 2);
                        let (x, y) = g.closed(|g| (g.expr(&ty, 1), g.expr(&result, 1)));
                        let call = format!("inner(trace, fuel - 1, {x}, {y})");
                        let call = match g.rng.chance(40) {
                            true => {
                                let (test, other) =
                                    g.closed(|g| (g.expr(&Type::Bool, 1), g.leaf(&result)));
                                format!("if {test} {{ {call} }} else {{ {other} }}")
                            }
                            false => call,
                        };
                        let got = g.fresh("v");
                        text += &format!("let mut {got}: {} = {call};\n", g.name_of(&result));
                        g.declare(&got, result.clone(), true);
                    }
                    text += &g.expr(&result, 2);
                });
                text
            })
        });
        let (ty_name, result_name) = (self.name_of(&ty), self.name_of(&result));
        let text = format!(
            "fn {name}(trace: &Trace, x: {ty_name}, y: {result_name}) -> {result_name} {{\n\
             fn inner(trace: &Trace, fuel: u32, mut {a}: {ty_name}, mut {b}: {result_name}) -> {result_name} {{\n{body}\n}}\n\
             inner(trace, {deep}, x, y)\n}}\n"
        );
        self.items.push(Item { name: name.clone(), text });
        let by_value = |ty| Param { ty, passing: Passing::Value };
        let params = vec![by_value(ty), by_value(result.clone())];
        let cost = self.cost + 5 * calls;
        self.functions.push(Function { name, params, result, cost });
    }

    /// The implementation of `Program`.
    fn main(&mut self, seed: u64) -> String {
        let arg = Type::Tuple((0..self.rng.below(4)).map(|_| self.any_type(2)).collect());
        let Type::Tuple(fields) = &arg else { unreachable!() };
        let arg_name = self.name_of(&arg);
        let arg_value: Vec<String> =
            self.uniformly(|g| fields.iter().map(|f| g.leaf(f) + ",").collect());
        let declare = |g: &mut Self, name: &str, ty: &Type, uniform: bool| {
            g.declare(name, ty.clone(), false);
            let last = g.variables.len() - 1;
            g.variables[last].uniform = uniform;
        };
        for (i, field) in fields.iter().enumerate() {
            declare(self, &format!("arg.{i}"), field, true);
        }
        declare(self, "w.block()", &U32, true);
        declare(self, "w.thread()", &U32, false);
        declare(self, "w.lane()", &U32, false);
        declare(self, "input", &Type::Slice(Box::new(U64)), true);
        declare(self, "mine", &U64, false);
        self.convergent = self.style.collective;
        let unit = Type::Tuple(Vec::new());
        self.returns = (!self.style.collective).then_some(unit);
        let (count, depth) = (self.rng.between(4, 12), *self.rng.pick(&[2, 3, 3, 4]));
        let statements = self.statements(count, depth);
        self.returns = None;
        let mut digests = String::new();
        for (i, variable) in self.usable(false, |_| true).into_iter().enumerate() {
            digests += &format!("{}.digest(&mut out[{}]);\n", variable.name, i % OUT);
        }
        format!(
            "pub struct P;\nimpl Program for P {{\n\
             const SEED: u64 = {seed};\nconst COLLECTIVE: bool = {};\nconst PANICS: bool = {};\n\
             type Arg = {arg_name};\nfn arg() -> Self::Arg {{ ({}) }}\n\
             fn run<W: World>(w: &W, arg: Self::Arg, input: &[u64], trace: &Trace, out: &mut Out) {{\n\
             let mine = input[(w.block() * {} + w.thread()) as usize % input.len()];\n\
             {statements}{digests}}}\n}}\n",
            self.style.collective,
            self.style.panics,
            arg_value.join(" "),
            crate::collective::THREADS,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEEDS: std::ops::Range<u64> = 0..80;

    #[test]
    fn a_seed_makes_one_program_of_bounded_size() {
        for seed in SEEDS {
            let made = program(seed, &BTreeSet::new(), "p");
            assert_eq!(made.source, program(seed, &BTreeSet::new(), "p").source);
            assert!(made.source.len() < 200_000, "seed {seed}: {} bytes", made.source.len());
            let opening = made.source.matches('{').count();
            assert_eq!(opening, made.source.matches('}').count(), "seed {seed}");
        }
    }

    #[test]
    fn parts_nest_and_can_be_cut_out() {
        let mut changed = 0;
        for seed in SEEDS {
            let whole = program(seed, &BTreeSet::new(), "p");
            for (number, part) in whole.parts.iter().enumerate() {
                let inside = number + 1..part.end;
                assert!(whole.parts[inside].iter().all(|inner| inner.end <= part.end));
            }
            // Cutting one part leaves the numbers of the others as they are.
            let Some(largest) = (0..whole.parts.len()).max_by_key(|&at| whole.parts[at].length)
            else {
                continue;
            };
            let less = program(seed, &BTreeSet::from([largest]), "p");
            let ends = |program: &Program| program.parts.iter().map(|p| p.end).collect::<Vec<_>>();
            assert_eq!(ends(&whole), ends(&less), "seed {seed}");
            // Not where it stands in a function that nothing calls.
            changed += usize::from(less.source != whole.source);
        }
        assert!(changed > SEEDS.count() / 2, "{changed}");
    }

    /// Everything that the tables and the kinds of types, statements and expressions can give
    /// comes up: a generator that has gone quiet finds nothing.
    #[test]
    fn everything_comes_up() {
        let text: String =
            (0..600).map(|seed| program(seed, &BTreeSet::new(), "p").source).collect();
        for part in [
            "u128",
            "i128",
            "isize",
            "f32",
            "f64",
            "char",
            "Option<",
            "enum ",
            "struct ",
            "match ",
            "if let ",
            "while ",
            "'l",
            "continue ",
            "return ",
            "break ",
            ".fold(",
            ".zip(",
            ".filter(",
            "sort_unstable",
            "chunks_mut(",
            "iter_mut()",
            "#[inline(never)]",
            "&mut ",
            "call_dyn(",
            "Guard::new(",
            "w.sync()",
            "w.shuffle",
            "w.ballot(",
            "w.block_cells()",
            "w.grid_cells()",
            "compare_exchange_weak(",
            "own.fetch_",
            "collected::<",
            "from_number(",
            "through::<",
            "Result<",
            "const K",
            "assert_eq!(",
            "try_fold(",
            "carrying_",
            "copy_from_slice(",
            "w.reduce_",
            "w.sync_count(",
            "w.match_any",
            "checked_div(",
            "wrapping_mul(",
            "rotate_left(",
            ".mul_add(",
            ".sqrt()",
            "swap_bytes()",
            ".unwrap()",
            "core::mem::swap",
            "trait ",
            "&dyn Trait",
            "generic",
            "Both(",
            "[fn(&Trace",
            "inner(trace, fuel - 1",
            "while let ",
            "visit(",
            "compose(",
            "total_cmp(",
            "text(",
            ".is_empty()",
            "let (base",
            "sort_unstable_by(",
            "binary_search(",
            ".iter().enumerate()",
            ").step_by(n",
            "let mut sum",
            "?;",
        ] {
            assert!(text.contains(part), "no program has `{part}`");
        }
    }
}
