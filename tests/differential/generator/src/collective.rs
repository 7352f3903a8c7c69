//! What threads do together: barriers, shared memory, shuffles, votes.
//!
//! Such statements occur only where all threads of the block, or all lanes of a mask, arrive. Their
//! conditions and loop bounds are uniform across these. Their results do not depend on the order in
//! which threads run.

use crate::generator::Generator;
use crate::types::{INTS, Type, U32, U64};

/// Threads of a block.
pub(crate) const THREADS: usize = 64;

impl Generator<'_> {
    /// Something that all threads of the block do together.
    pub(crate) fn collective(&mut self, depth: u32) -> String {
        match self.rng.below(12) {
            0 | 1 => self.exchange(depth),
            2 => self.scan(depth),
            3 => self.tree(depth),
            4 | 5 => self.shuffle(depth),
            6 => self.vote(depth),
            7 => self.barrier_vote(depth),
            8 => self.block_atomics(depth),
            9 => self.uniform_loop(depth),
            10 => self.uniform_branch(depth),
            _ => self.split_warp(depth),
        }
    }

    /// A `let` whose value is the only thing that cutting can change.
    pub(crate) fn let_of(
        &mut self,
        ty: Type,
        uniform: bool,
        make: impl FnOnce(&mut Self) -> String,
    ) -> String {
        let instead = self.plain_value(&ty);
        let value = self.part(instead, make);
        let name = self.fresh("v");
        let type_name = self.name_of(&ty);
        self.declare(&name, ty, !uniform);
        let last = self.variables.len() - 1;
        self.variables[last].uniform = uniform;
        format!("let {}{name}: {type_name} = {value};", if uniform { "" } else { "mut " })
    }

    /// A type that can travel between threads.
    fn travelling(&mut self) -> Type {
        let ty = self.any_type(2);
        if self.is_device_copy(&ty) && self.size_of(&ty) <= 32 { ty } else { U64 }
    }

    /// Each thread puts a value into shared memory and takes another's.
    fn exchange(&mut self, depth: u32) -> String {
        let ty = self.travelling();
        let by = self.rng.between(1, THREADS - 1);
        self.let_of(ty.clone(), false, |g| {
            let value = g.diverging(|g| g.expr(&ty, depth));
            let from = match g.rng.below(3) {
                0 => format!("(w.thread() ^ {by})"),
                1 => format!("({} - w.thread())", THREADS - 1),
                _ => format!("(w.thread().wrapping_add({}))", g.diverging(|g| g.expr(&U32, 1))),
            };
            format!(
                "{{ w.put(w.thread(), {value}); w.sync(); let from = {from} % {THREADS}; \
                 let got = w.get(from); w.sync(); got }}"
            )
        })
    }

    /// An inclusive scan with an operation that is associative, or not.
    fn scan(&mut self, depth: u32) -> String {
        self.let_of(U32, false, |g| {
            let value = g.diverging(|g| g.expr(&U32, depth));
            let operation = *g.rng.pick(&["a.wrapping_add(b)", "a ^ b.rotate_left(1)", "a.max(b)"]);
            format!(
                "{{ let mut b: u32 = {value}; let mut distance = 1;\n\
                 while distance < {THREADS} {{\nw.put(w.thread(), b);\nw.sync();\n\
                 if w.thread() >= distance {{ let a: u32 = w.get(w.thread() - distance); b = {operation}; }}\n\
                 w.sync();\ndistance *= 2;\n}}\nb }}"
            )
        })
    }

    /// A reduction by halves, whose result all threads read.
    fn tree(&mut self, depth: u32) -> String {
        let ty = self.travelling();
        let type_name = self.name_of(&ty);
        self.let_of(ty.clone(), true, |g| {
            let value = g.diverging(|g| g.expr(&ty, depth));
            let (a, b) = (g.fresh("a"), g.fresh("b"));
            let body = g.closed(|g| {
                g.declare(&a, ty.clone(), false);
                g.declare(&b, ty.clone(), false);
                g.repeated(6, |g| g.expr(&ty, depth.min(2)))
            });
            format!(
                "{{ w.put(w.thread(), {value});\nw.sync();\nlet mut half = {}u32;\n\
                 while half > 0 {{\nif w.thread() < half {{\n\
                 let ({a}, {b}): ({type_name}, {type_name}) = (w.get(w.thread()), w.get(w.thread() + half));\n\
                 w.put(w.thread(), {body});\n}}\nw.sync();\nhalf /= 2;\n}}\n\
                 let got = w.get(0);\nw.sync();\ngot }}",
                THREADS / 2
            )
        })
    }

    fn shuffle(&mut self, depth: u32) -> String {
        let ty = self.travelling();
        let mask = "u32::MAX";
        self.let_of(ty.clone(), false, |g| {
            let value = g.diverging(|g| g.expr(&ty, depth));
            g.shuffle_of(mask, &value)
        })
    }

    fn shuffle_of(&mut self, mask: &str, value: &str) -> String {
        let width = *self.rng.pick(&[32, 32, 16, 8, 4, 2]);
        let by = self.rng.below(32);
        match self.rng.below(4) {
            0 => {
                let lane = self.diverging(|g| g.expr(&U32, 1));
                format!("w.shuffle({mask}, {width}, {value}, {lane} % 32)")
            }
            1 => format!("w.shuffle_up({mask}, {width}, {value}, {})", by % width),
            2 => format!("w.shuffle_down({mask}, {width}, {value}, {})", by % width),
            _ => format!("w.shuffle_xor({mask}, {width}, {value}, {})", by % width),
        }
    }

    fn vote(&mut self, depth: u32) -> String {
        self.let_of(U32, false, |g| {
            let mask = "u32::MAX";
            match g.rng.below(6) {
                0 => {
                    let value = g.diverging(|g| g.expr(&U32, depth));
                    format!("w.match_any({mask}, {value} % 5)")
                }
                1 => {
                    let value = g.diverging(|g| g.expr(&U64, depth));
                    format!("w.match_any_64({mask}, {value} % 5)")
                }
                2 => {
                    let value = g.diverging(|g| g.expr(&U32, depth));
                    let operation = g.rng.pick(&["add", "and", "or", "xor", "min", "max"]);
                    format!("w.reduce_{operation}({mask}, {value})")
                }
                _ => {
                    let value = g.diverging(|g| g.expr(&Type::Bool, depth));
                    let vote = *g.rng.pick(&["ballot", "all", "any", "uniform"]);
                    format!("(w.{vote}({mask}, {value}) as u32)")
                }
            }
        })
    }

    fn barrier_vote(&mut self, depth: u32) -> String {
        self.let_of(U32, true, |g| {
            let value = g.diverging(|g| g.expr(&Type::Bool, depth));
            let vote = *g.rng.pick(&["sync_count", "sync_and", "sync_or"]);
            format!("(w.{vote}({value}) as u32)")
        })
    }

    /// A loop that all threads run equally often.
    fn uniform_loop(&mut self, depth: u32) -> String {
        if depth == 0 || !self.affords(300) {
            return self.barrier_vote(depth);
        }
        let name = self.fresh("k");
        let times = self.rng.between(1, 4);
        let bound = match self.rng.chance(40) {
            true => self.uniformly(|g| format!("({} % {})", g.expr(&U32, 2), times + 1)),
            false => times.to_string(),
        };
        self.part(String::new(), |g| {
            g.scoped(|g| {
                let variable = g.variables.len();
                g.declare(&name, U32, false);
                g.variables[variable].uniform = true;
                let loops = std::mem::take(&mut g.loops);
                let count = g.rng.between(1, 3);
                let mut body = g.repeated(times as u64, |g| g.statements(count, depth));
                if g.rng.chance(40) {
                    let condition = g.uniformly(|g| g.expr(&Type::Bool, 2));
                    body += &format!("if {condition} {{ break; }}\n");
                    body += &g.repeated(times as u64, |g| g.statements(1, depth));
                }
                g.loops = loops;
                format!("for {name} in 0u32..{bound} {{\n{body}}}")
            })
        })
    }

    /// A branch that all threads take, or none.
    fn uniform_branch(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.barrier_vote(depth);
        }
        let condition = self.uniformly(|g| g.expr(&Type::Bool, 2));
        self.part(String::new(), |g| {
            let then = g.scoped(|g| g.statements(2, depth));
            let otherwise = g.scoped(|g| g.statements(1, depth));
            format!("if {condition} {{\n{then}}} else {{\n{otherwise}}}")
        })
    }

    /// Two halves of each warp do different things, each half together.
    fn split_warp(&mut self, depth: u32) -> String {
        let bit = self.rng.below(5);
        let low = [0x5555_5555u32, 0x3333_3333, 0x0f0f_0f0f, 0x00ff_00ff, 0x0000_ffff][bit];
        let name = self.fresh("v");
        let type_name = self.name_of(&Type::Int(INTS[4]));
        let part = self.part("0u32".to_owned(), |g| {
            let half = |g: &mut Self, mask: u32| {
                g.scoped(|g| {
                    let before = g.diverging(|g| g.statements(1, depth.min(1)));
                    let mask = format!("0x{mask:08x}");
                    let together = if g.rng.chance(50) {
                        let value = g.diverging(|g| g.expr(&U32, depth));
                        // Within segments of the half, so that every source takes part.
                        format!("w.shuffle_xor({mask}, 32, {value}, {})", 31 & !(1 << bit))
                    } else {
                        let value = g.diverging(|g| g.expr(&Type::Bool, depth));
                        format!("w.ballot({mask}, {value})")
                    };
                    format!("{before}{together}")
                })
            };
            let (a, b) = (half(g, low), half(g, !low));
            format!("if (w.lane() >> {bit}) & 1 == 0 {{\n{a} }} else {{\n{b} }}")
        });
        self.declare(&name, U32, true);
        format!("let mut {name}: {type_name} = {part};")
    }
}
