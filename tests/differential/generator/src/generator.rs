//! The state of a generator, its scopes, and the parts of a program that can be cut out.

use std::collections::BTreeSet;

use crate::rng::Rng;
use crate::types::{Definition, Type};

/// What a program is made of, chosen first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    /// Whether there are floats.
    pub(crate) floats: bool,
    /// Whether threads work together: barriers, shared memory, warps, atomics.
    pub(crate) collective: bool,
    /// Whether it may panic. Never together with `collective`.
    pub(crate) panics: bool,
}

/// A part of the program that can be cut out; parts inside it have the numbers up to `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The number behind those of the parts inside.
    pub end: usize,
    /// Bytes of source.
    pub length: usize,
}

/// A variable in scope.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) ty: Type,
    pub(crate) mutable: bool,
    /// Whether all threads of the block have the same value.
    pub(crate) uniform: bool,
    /// Whether it can't be used now, because it is borrowed.
    pub(crate) hidden: bool,
}

/// A function of the program that expressions can call.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) params: Vec<Param>,
    pub(crate) result: Type,
    /// Roughly how many operations a call takes.
    pub(crate) cost: u64,
}

/// A parameter: its type and how it is passed.
#[derive(Clone, Debug)]
pub(crate) struct Param {
    pub(crate) ty: Type,
    pub(crate) passing: Passing,
}

/// How a parameter is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passing {
    Value,
    Shared,
    Mutable,
}

/// A function with an array of `N` elements, an argument, and the constants `N` and `K`.
#[derive(Clone, Debug)]
pub(crate) struct ConstFunction {
    pub(crate) name: String,
    pub(crate) element: Type,
    pub(crate) arg: Type,
    pub(crate) result: Type,
    /// The type of `K`.
    pub(crate) constant: Type,
    pub(crate) cost: u64,
}

/// A trait of the program. Its method `m` takes a trace and an argument; `n` is provided.
#[derive(Clone, Debug)]
pub(crate) struct Trait {
    pub(crate) name: String,
    pub(crate) arg: Type,
    pub(crate) result: Type,
    /// The types that implement it; the library's `Both` of any two of them does, too.
    pub(crate) types: Vec<Type>,
    /// Roughly how many operations a call takes.
    pub(crate) cost: u64,
    /// A function that is generic over two of these types.
    pub(crate) generic: String,
}

/// A loop that a `break` or `continue` can name.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    pub(crate) label: String,
    /// The type of `loop`'s value.
    pub(crate) value: Option<Type>,
}

/// An item of the program.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    /// The name by which others refer to it.
    pub(crate) name: String,
    pub(crate) text: String,
}

/// Operations that one thread may do, roughly.
const MAX_WORK: u64 = 12_000;

pub(crate) struct Generator<'c> {
    pub(crate) rng: Rng,
    pub(crate) style: Style,
    /// The scalar types that it mostly uses; never empty once it has begun.
    pub(crate) palette: Vec<Type>,
    cuts: &'c BTreeSet<usize>,
    pub(crate) parts: Vec<Part>,
    pub(crate) definitions: Vec<Definition>,
    pub(crate) functions: Vec<Function>,
    pub(crate) traits: Vec<Trait>,
    pub(crate) constants: Vec<ConstFunction>,
    pub(crate) items: Vec<Item>,
    pub(crate) variables: Vec<Variable>,
    /// Variables below this index can't be changed: they are borrowed by a closure.
    pub(crate) frozen: usize,
    /// Whether only variables with the same value in all threads may be read.
    pub(crate) uniform_only: bool,
    /// Whether all threads of the block are here together, so that they can meet.
    pub(crate) convergent: bool,
    pub(crate) loops: Vec<Loop>,
    /// The function's result, where `return` is possible.
    pub(crate) returns: Option<Type>,
    names: usize,
    /// Operations so far.
    pub(crate) cost: u64,
    /// How often the place that is written now is executed, at most.
    pub(crate) weight: u64,
}

impl<'c> Generator<'c> {
    pub(crate) fn new(rng: Rng, style: Style, cuts: &'c BTreeSet<usize>) -> Generator<'c> {
        Generator {
            rng,
            style,
            palette: Vec::new(),
            cuts,
            parts: Vec::new(),
            definitions: Vec::new(),
            functions: Vec::new(),
            traits: Vec::new(),
            constants: Vec::new(),
            items: Vec::new(),
            variables: Vec::new(),
            frozen: 0,
            uniform_only: false,
            convergent: false,
            loops: Vec::new(),
            returns: None,
            names: 0,
            cost: 0,
            weight: 1,
        }
    }

    /// A part of the program that becomes `instead` if it is to be cut out.
    ///
    /// What is cut out is generated all the same, so that the rest stays as it was.
    pub(crate) fn part(
        &mut self,
        instead: String,
        make: impl FnOnce(&mut Self) -> String,
    ) -> String {
        let number = self.parts.len();
        self.parts.push(Part { end: 0, length: 0 });
        let text = make(self);
        let end = self.parts.len();
        // Cutting what is as plain already would change nothing.
        let length = if text == instead { 0 } else { text.len() };
        self.parts[number] = Part { end, length };
        if self.cuts.contains(&number) { instead } else { text }
    }

    /// A name that is new in the program.
    pub(crate) fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    /// Adds a variable to the scope.
    pub(crate) fn declare(&mut self, name: &str, ty: Type, mutable: bool) {
        let (name, uniform) = (name.to_owned(), self.uniform_only);
        self.variables.push(Variable { name, ty, mutable, uniform, hidden: false });
    }

    /// What `make` declares is gone behind it.
    pub(crate) fn scoped<R>(&mut self, make: impl FnOnce(&mut Self) -> R) -> R {
        let variables = self.variables.len();
        let result = make(self);
        self.variables.truncate(variables);
        result
    }

    /// A closure's body, or another place that only reads what is outside: no loop, no function
    /// and no other thread can be reached from it.
    pub(crate) fn closed<R>(&mut self, make: impl FnOnce(&mut Self) -> R) -> R {
        let frozen = std::mem::replace(&mut self.frozen, self.variables.len());
        let convergent = std::mem::replace(&mut self.convergent, false);
        let loops = std::mem::take(&mut self.loops);
        let returns = self.returns.take();
        let result = self.scoped(make);
        self.frozen = frozen;
        self.convergent = convergent;
        self.loops = loops;
        self.returns = returns;
        result
    }

    /// The body of a function or of a closure that captures nothing: only `trace` is there.
    pub(crate) fn isolated<R>(&mut self, make: impl FnOnce(&mut Self) -> R) -> R {
        let variables = std::mem::take(&mut self.variables);
        let result = self.closed(make);
        self.variables = variables;
        result
    }

    /// Where only some threads may come.
    pub(crate) fn diverging<R>(&mut self, make: impl FnOnce(&mut Self) -> R) -> R {
        let convergent = std::mem::replace(&mut self.convergent, false);
        let result = make(self);
        self.convergent = convergent;
        result
    }

    /// Reads only what is the same in all threads.
    pub(crate) fn uniformly<R>(&mut self, make: impl FnOnce(&mut Self) -> R) -> R {
        let uniform_only = std::mem::replace(&mut self.uniform_only, true);
        let result = self.closed(make);
        self.uniform_only = uniform_only;
        result
    }

    /// Without the variable called `name`, which is borrowed meanwhile.
    pub(crate) fn without<R>(&mut self, name: &str, make: impl FnOnce(&mut Self) -> R) -> R {
        let at = self.variables.iter().rposition(|v| v.name == name);
        let hide = |variables: &mut Vec<Variable>, hidden| {
            at.map(|at| std::mem::replace(&mut variables[at].hidden, hidden))
        };
        let before = hide(&mut self.variables, true);
        let result = make(self);
        hide(&mut self.variables, before.unwrap_or(false));
        result
    }

    /// What is executed at most `times` times for each time that the place around it is.
    pub(crate) fn repeated<R>(&mut self, times: u64, make: impl FnOnce(&mut Self) -> R) -> R {
        let weight = self.weight;
        self.weight = weight.saturating_mul(times);
        let result = make(self);
        self.weight = weight;
        result
    }

    /// Whether there is time for something that takes `operations` here.
    pub(crate) fn affords(&self, operations: u64) -> bool {
        self.cost + self.weight.saturating_mul(operations) < MAX_WORK
    }

    /// Notes work done here.
    pub(crate) fn spend(&mut self, operations: u64) {
        self.cost += self.weight.saturating_mul(operations);
    }

    /// The expressions that name a place of type `ty` in a variable, constant indices included.
    pub(crate) fn places(&self, ty: &Type, mutable: bool) -> Vec<String> {
        let mut found = Vec::new();
        for (at, variable) in self.variables.iter().enumerate() {
            let usable = !variable.hidden && (!self.uniform_only || variable.uniform);
            let writable = variable.mutable && at >= self.frozen;
            if usable && (!mutable || writable) {
                self.places_in(&variable.name, &variable.ty, ty, &mut found);
            }
        }
        found
    }

    fn places_in(&self, place: &str, of: &Type, wanted: &Type, found: &mut Vec<String>) {
        if of == wanted {
            found.push(place.to_owned());
        }
        match of {
            Type::Tuple(fields) => {
                for (i, field) in fields.iter().enumerate() {
                    self.places_in(&format!("{place}.{i}"), field, wanted, found);
                }
            }
            Type::Array(element, len) => {
                for i in [0, len / 2, len - 1] {
                    self.places_in(&format!("{place}[{i}]"), element, wanted, found);
                }
            }
            Type::Defined(index) if !self.definitions[*index].is_enum => {
                let variant = &self.definitions[*index].variants[0];
                for (i, field) in variant.fields.iter().enumerate() {
                    let name = if variant.named { "f" } else { "" };
                    self.places_in(&format!("{place}.{name}{i}"), field, wanted, found);
                }
            }
            _ => {}
        }
    }

    /// The arrays and slices in scope whose element has a type that is `wanted`: name, element.
    pub(crate) fn lists(
        &self,
        mutable: bool,
        wanted: impl Fn(&Type) -> bool,
    ) -> Vec<(String, Type)> {
        let usable = self.variables.iter().enumerate().filter(|(at, variable)| {
            !variable.hidden
                && (!self.uniform_only || variable.uniform)
                && (!mutable || variable.mutable && *at >= self.frozen)
        });
        usable
            .filter_map(|(_, variable)| {
                let element = variable.ty.element().filter(|element| wanted(element))?;
                Some((variable.name.clone(), element.clone()))
            })
            .collect()
    }

    /// The variables of sized types that can be used now.
    pub(crate) fn usable(&self, mutable: bool, wanted: impl Fn(&Type) -> bool) -> Vec<Variable> {
        let usable = self.variables.iter().enumerate().filter(|(at, variable)| {
            !variable.hidden
                && !matches!(variable.ty, Type::Slice(_))
                && (!self.uniform_only || variable.uniform)
                && (!mutable || variable.mutable && *at >= self.frozen)
                && wanted(&variable.ty)
        });
        usable.map(|(_, variable)| variable.clone()).collect()
    }
}
