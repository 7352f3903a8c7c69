//! Lets threads that panic wait where the others come together again.
//!
//! NVIDIA's assembler makes the threads of a warp that took different paths run together again where the paths
//! join. For that, all paths must join: a path that writes a panic's report and ends the thread inside a loop or a branch
//! joins no other, and the warp stays diverged from there on, to its end if there is no
//! barrier. A loop of a backtracking search takes four times as long (`nqueen` in `docs/ported.md`).
//!
//! So a panic's path goes on to where the others join, with a flag that it has failed, which is tested there, outside of
//! the loop or condition. A join may itself be in a branch or loop: then the path goes on to the next one. Nothing is
//! lost: a thread that has failed does nothing on its way.
//!
//! It may have to wait there for the other threads of its warp, so there must be nothing on their way at which they
//! would wait for it: no barrier, no exchange among the threads of a warp, no atomic operation, no call. Loops with relaxed
//! stores, as of a graph search, may have such stores, and relaxed loads on which no branch depends.
//!
//! Functions in which many regions are nested are left alone: the assembler has a register for each region whose
//! threads wait for each other, and makes mistakes when it runs out of them ([`MAX_NESTED`]).

mod flow;
mod uniform;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use super::join_checks::{Kind, Kinds, is_copy, is_relaxed_store};
use crate::llvm::{Block, Builder, Context, Loop, Module, Type, Value, loops_of, opcode, ordering};
use crate::symbols::PANIC_TAIL;
use flow::Flow;
pub(super) use uniform::is_different;
use words::shorten_words;

/// The most nested regions of a function. ptxas has 12 registers for the threads that a region waits for (B0 to B11).
/// When it must spill one, it assumes a warp to be converged that is not: from a parser of floats with loops nested that
/// deep, threads returned diverged, and the shuffle after it read registers of threads that were still inside (CUDA 13.0,
/// `sm_90`).
const MAX_NESTED: usize = 6;

/// Leads the panics of all functions to where the other paths join. They all end in one block of the function by now
/// (`lower/panics/sites.rs`).
pub(crate) fn rejoin_panics(module: &Module<'_>) {
    let kinds = Kinds::new(module.context());
    for function in module.functions() {
        let tail = function.blocks().into_iter().find(|block| block.name() == PANIC_TAIL);
        if let Some(function) = tail.and_then(|tail| Function::read(&kinds, function, tail)) {
            function.rejoin(module.context());
        }
    }
}

/// A function with panics.
struct Function<'c> {
    /// Where all panics end.
    tail: Block<'c>,
    /// The blocks from which the function can return, the entry first, and their numbers.
    blocks: Vec<Block<'c>>,
    numbers: BTreeMap<Block<'c>, usize>,
    flow: Flow,
    /// The loops, by the numbers of their blocks, the smallest first.
    loops: Vec<BTreeSet<usize>>,
    /// Whether a thread may be at a block as long as others wait for it elsewhere.
    is_quiet: Vec<bool>,
    /// The same of a block in a loop with relaxed stores, as of a graph search.
    is_quiet_in_search: Vec<bool>,
    /// Whether a block ends with a branch on which the threads of a warp may differ.
    is_divergent: Vec<bool>,
    /// Whether a block can be reached from blocks that are not in the list.
    is_odd: Vec<bool>,
    /// For each other block before the tail, the blocks from which control gets there, the last ones from which the
    /// function could have returned.
    sources: BTreeMap<Block<'c>, BTreeSet<usize>>,
    /// The jumps to the tail, each from a block of a panic.
    panics: Vec<Block<'c>>,
}

/// What comes to a join beside the paths that join there.
#[derive(Default)]
struct Arrivals<'c> {
    /// Panics.
    panics: Vec<Block<'c>>,
    /// Joins that panics have come to before.
    joins: Vec<usize>,
    /// The blocks that these come from, on whatever way.
    from: BTreeSet<usize>,
}

impl<'c> Function<'c> {
    fn read(kinds: &Kinds, function: Value<'c>, tail: Block<'c>) -> Option<Function<'c>> {
        let all = function.blocks();
        let mut before: BTreeMap<Block<'c>, Vec<Block<'c>>> = BTreeMap::new();
        for &block in &all {
            block.successors().iter().for_each(|to| before.entry(*to).or_default().push(block));
        }
        let reaching = |ends: Vec<Block<'c>>| {
            let (mut seen, mut open) = (BTreeSet::new(), ends);
            while let Some(block) = open.pop() {
                if seen.insert(block) {
                    open.extend(before.get(&block).into_iter().flatten());
                }
            }
            seen
        };
        let returns = |block: &Block<'c>| {
            block.terminator().is_some_and(|end| end.opcode() == opcode::RETURN)
        };
        let returning = reaching(all.iter().copied().filter(returns).collect());
        let reached = reachable(*all.first()?);
        let blocks: Vec<Block<'c>> =
            all.iter().copied().filter(|b| returning.contains(b) && reached.contains(b)).collect();
        if blocks.first() != all.first() {
            return None;
        }
        let numbers: BTreeMap<Block<'c>, usize> = blocks.iter().copied().zip(0..).collect();
        let next = |block: &Block<'c>| {
            block.successors().iter().filter_map(|to| numbers.get(to).copied()).collect()
        };
        let flow = Flow::new(blocks.iter().map(next).collect());
        let in_numbers = |found: Loop<Block<'c>>| {
            found.body.iter().filter_map(|block| numbers.get(block).copied()).collect()
        };
        let loops = loops_of(function).into_iter().map(in_numbers).collect();
        let is_divergent = uniform::divergent(function, &blocks, &numbers, &flow);
        let quiet =
            |in_search| blocks.iter().map(|block| is_quiet(kinds, *block, in_search)).collect();
        let (is_quiet, is_quiet_in_search) = (quiet(false), quiet(true));
        let none = Vec::new();
        let leading_to = |block: &Block<'c>| before.get(block).unwrap_or(&none);
        let is_odd = blocks
            .iter()
            .map(|block| leading_to(block).iter().any(|from| !numbers.contains_key(from)))
            .collect();
        let sources_of = |block: Block<'c>| {
            let (mut seen, mut open, mut found) = (BTreeSet::new(), vec![block], BTreeSet::new());
            while let Some(block) = open.pop() {
                match numbers.get(&block) {
                    Some(number) => drop(found.insert(*number)),
                    None if seen.insert(block) => open.extend(leading_to(&block)),
                    None => {}
                }
            }
            found
        };
        let behind_tail = reachable(tail);
        let others =
            all.iter().filter(|block| !numbers.contains_key(block) && !behind_tail.contains(block));
        let sources = others.map(|&block| (block, sources_of(block))).collect();
        let panics = leading_to(&tail).clone();
        if panics.iter().any(|panic| numbers.contains_key(panic)) {
            return None;
        }
        Some(Function {
            tail,
            blocks,
            numbers,
            flow,
            loops,
            is_quiet,
            is_quiet_in_search,
            is_divergent,
            is_odd,
            sources,
            panics,
        })
    }

    /// Where a path that ends at `block` should go on: the end of the loop that it is in; else where paths join that do not
    /// all lead through `block`.
    fn join_of(&self, block: usize) -> Option<usize> {
        let around = self.loops.iter().find(|around| around.contains(&block));
        let join = match around {
            Some(around) => self.flow.joins(block).find(|join| !around.contains(join))?,
            None => self.flow.joins(block).find(|join| !self.flow.dominates(block, *join))?,
        };
        // Threads that have nothing left to do need not run together.
        if self.is_odd[join] || around.is_none() && only_returns(self.blocks[join]) {
            return None;
        }
        let above = self.flow.dominator(join)?;
        let mut between = self.flow.between(above, join);
        // Threads that all take the same path stay together anyway, and a test would only cost time.
        let divergent = match around {
            Some(around) => around.iter().any(|block| self.is_divergent[*block]),
            None => between.iter().chain([&above]).any(|block| self.is_divergent[*block]),
        };
        between.extend(around.into_iter().flatten());
        // For other loops and for branches with such copies, more was lost than gained.
        let stores = around.is_some_and(|around| {
            let mut all = around.iter().flat_map(|block| self.blocks[*block].instructions());
            all.any(is_relaxed_store)
        });
        let is_quiet = if stores { &self.is_quiet_in_search } else { &self.is_quiet };
        (divergent && between.iter().all(|block| is_quiet[*block])).then_some(join)
    }

    /// The most regions around one block: a region is what lies between a choice and where its paths join.
    fn nested(&self) -> usize {
        let mut joins: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); self.blocks.len()];
        for choice in (0..self.blocks.len()).filter(|&block| self.flow.chooses(block)) {
            let Some(join) = self.flow.joins(choice).next() else { continue };
            for block in self.flow.until(choice, join) {
                joins[block].insert(join);
            }
        }
        joins.iter().map(BTreeSet::len).max().unwrap_or(0)
    }

    /// What comes to each join.
    fn arrivals(&self) -> BTreeMap<usize, Arrivals<'c>> {
        let mut arrivals: BTreeMap<usize, Arrivals<'c>> = BTreeMap::new();
        let mut open = Vec::new();
        for panic in &self.panics {
            let sources = &self.sources[panic];
            let joins: BTreeSet<Option<usize>> =
                sources.iter().map(|&block| self.join_of(block)).collect();
            if let (Some(Some(join)), 1) = (joins.first(), joins.len()) {
                let arrival = arrivals.entry(*join).or_default();
                arrival.panics.push(*panic);
                arrival.from.extend(sources);
                open.push(*join);
            }
        }
        while let Some(join) = open.pop() {
            let Some(next) = self.join_of(join) else { continue };
            let arrival = arrivals.entry(next).or_default();
            if arrival.from.insert(join) || !arrival.joins.contains(&join) {
                arrival.joins.push(join);
                open.push(next);
            }
        }
        for join in in_order(&arrivals) {
            let arrival = &arrivals[&join];
            let inner = arrival.joins.iter().flat_map(|inner| arrivals[inner].from.iter());
            let from: Vec<usize> = inner.copied().collect();
            arrivals.entry(join).or_default().from.extend(from);
        }
        arrivals
    }

    fn rejoin(&self, context: &'c Context) {
        if self.nested() > MAX_NESTED {
            return;
        }
        let arrivals = self.arrivals();
        let is_after =
            |join: usize| self.sources.values().any(|sources| self.is_split(join, sources));
        if arrivals.is_empty() || arrivals.keys().any(|join| is_after(*join)) {
            return;
        }
        let gates: BTreeMap<usize, Block<'c>> =
            arrivals.keys().map(|&join| (join, self.blocks[join].insert_before(context))).collect();
        shorten_words(context, self.tail);
        let tail_phis = phis(self.tail);
        let mut ends: BTreeMap<usize, Vec<Value<'c>>> = BTreeMap::new();
        // A gate's phis before those of the next one, which take their values.
        for join in in_order(&arrivals) {
            let arrival = &arrivals[&join];
            let gate =
                Gate { function: self, context, join, block: gates[&join], arrival, gates: &gates };
            gate.take_phis();
            let failed = gate.phi(
                context.int(1),
                |_| context.int(1).constant(0),
                |_| context.int(1).constant(1),
                |_| context.int(1).constant(1),
            );
            let words = tail_phis.iter().enumerate().map(|(at, phi)| {
                let nothing = phi.ty().undefined();
                gate.phi(
                    phi.ty(),
                    |_| nothing,
                    |panic| phi.incoming(panic).unwrap_or(nothing),
                    |inner| ends[&inner][at],
                )
            });
            let words = words.collect();
            ends.insert(join, words);
            let next = self.join_of(join).map_or(self.tail, |next| gates[&next]);
            Builder::at_end(context, gate.block).branch(failed, next, self.blocks[join]);
            for panic in &arrival.panics {
                panic.redirect(self.tail, gate.block);
            }
            gate.redirect();
        }
        self.renew_tail(context, &tail_phis, &arrivals, &gates, &ends);
        for (&join, arrival) in &arrivals {
            let gate =
                Gate { function: self, context, join, block: gates[&join], arrival, gates: &gates };
            gate.keep_values();
        }
    }

    /// Whether a block that does not return is reached both from behind a join and from before it.
    fn is_split(&self, join: usize, sources: &BTreeSet<usize>) -> bool {
        let behind = sources.iter().filter(|source| self.flow.dominates(join, **source)).count();
        behind != 0 && behind != sources.len()
    }

    /// Gives the tail phis with what comes there now.
    fn renew_tail(
        &self,
        context: &'c Context,
        phis: &[Value<'c>],
        arrivals: &BTreeMap<usize, Arrivals<'c>>,
        gates: &BTreeMap<usize, Block<'c>>,
        ends: &BTreeMap<usize, Vec<Value<'c>>>,
    ) {
        let led_on = |panic: &Block<'c>| arrivals.values().any(|a| a.panics.contains(panic));
        for (at, phi) in phis.iter().enumerate() {
            let kept = phi.incoming_edges().into_iter().filter(|(_, from)| !led_on(from));
            let last = arrivals.keys().filter(|join| self.join_of(**join).is_none());
            let incoming: Vec<_> =
                kept.chain(last.map(|join| (ends[join][at], gates[join]))).collect();
            let new = Builder::before(context, *phi).phi(phi.ty(), &incoming);
            phi.replace_all_uses_with(new);
            phi.erase();
        }
    }
}

/// A block in front of a join, where panics come to.
struct Gate<'f, 'c> {
    function: &'f Function<'c>,
    context: &'c Context,
    join: usize,
    block: Block<'c>,
    arrival: &'f Arrivals<'c>,
    gates: &'f BTreeMap<usize, Block<'c>>,
}

impl<'c> Gate<'_, 'c> {
    /// The jumps to the join, except those of a loop that begins there.
    fn forward(&self) -> impl Iterator<Item = Block<'c>> {
        let flow = &self.function.flow;
        let from = flow.predecessors[self.join].iter().copied();
        from.filter(|from| !flow.dominates(self.join, *from)).map(|from| self.function.blocks[from])
    }

    /// A phi at the end of the gate's phis: its value for each jump to the join, for each panic, and for each join that
    /// panics come from.
    fn phi(
        &self,
        ty: Type<'c>,
        forward: impl Fn(Block<'c>) -> Value<'c>,
        panic: impl Fn(Block<'c>) -> Value<'c>,
        join: impl Fn(usize) -> Value<'c>,
    ) -> Value<'c> {
        let forward = self.forward().map(|from| (forward(from), from));
        let panics = self.arrival.panics.iter().map(|&from| (panic(from), from));
        let joins = self.arrival.joins.iter().map(|&inner| (join(inner), self.gates[&inner]));
        let incoming: Vec<_> = forward.chain(panics).chain(joins).collect();
        let builder =
            match self.block.instructions().into_iter().find(|i| i.opcode() != opcode::PHI) {
                Some(first) => Builder::before(self.context, first),
                None => Builder::at_end(self.context, self.block),
            };
        builder.phi(ty, &incoming)
    }

    /// The same for a value that is nothing where a panic comes from.
    fn value(&self, ty: Type<'c>, forward: impl Fn(Block<'c>) -> Value<'c>) -> Value<'c> {
        self.phi(ty, forward, |_| ty.undefined(), |_| ty.undefined())
    }

    /// Moves the join's phis into the gate. What a loop that begins there adds to them stays.
    fn take_phis(&self) {
        let forward: BTreeSet<Block<'c>> = self.forward().collect();
        for phi in phis(self.function.blocks[self.join]) {
            let value = self
                .value(phi.ty(), |from| phi.incoming(from).expect("a value for each predecessor"));
            let mut incoming = phi.incoming_edges();
            incoming.retain(|(_, from)| !forward.contains(from));
            let new = match incoming.is_empty() {
                true => value,
                false => {
                    incoming.push((value, self.block));
                    Builder::before(self.context, phi).phi(phi.ty(), &incoming)
                }
            };
            phi.replace_all_uses_with(new);
            phi.erase();
        }
    }

    fn redirect(&self) {
        let join = self.function.blocks[self.join];
        self.forward().for_each(|from| from.redirect(join, self.block));
    }

    /// Carries values through the gate that panics do not have.
    fn keep_values(&self) {
        let flow = &self.function.flow;
        for number in 0..self.function.blocks.len() {
            let defines = number != self.join
                && flow.dominates(number, self.join)
                && self.arrival.from.iter().any(|from| !flow.dominates(number, *from));
            if !defines {
                continue;
            }
            let blocks = [Some(self.function.blocks[number]), self.gates.get(&number).copied()];
            for value in blocks.into_iter().flatten().flat_map(Block::instructions) {
                self.keep_value(value);
            }
        }
    }

    fn keep_value(&self, value: Value<'c>) {
        let mut kept = None;
        let mut users = value.users();
        users.sort();
        users.dedup();
        for user in users {
            let edges = match user.opcode() == opcode::PHI {
                true => user.incoming_edges().into_iter().map(|(_, from)| from).collect(),
                false => vec![user.parent_block(); user.operands().len()],
            };
            for (index, (operand, place)) in (0..).zip(user.operands().into_iter().zip(edges)) {
                if operand == value && self.is_before(place) {
                    let new = *kept.get_or_insert_with(|| self.value(value.ty(), |_| value));
                    user.set_operand(index, new);
                }
            }
        }
    }

    /// Whether `block` is reached only through the join.
    fn is_before(&self, block: Block<'c>) -> bool {
        let function = self.function;
        let behind = |number: usize| function.flow.dominates(self.join, number);
        if let Some(number) = function.numbers.get(&block) {
            return behind(*number);
        }
        // The gate itself comes before the join.
        if let Some((join, _)) = self.gates.iter().find(|(_, gate)| **gate == block) {
            return *join != self.join && behind(*join);
        }
        function
            .sources
            .get(&block)
            .is_some_and(|from| !from.is_empty() && from.iter().all(|number| behind(*number)))
    }
}

/// The joins, each behind those from which panics come to it.
fn in_order(arrivals: &BTreeMap<usize, Arrivals<'_>>) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::new();
    while order.len() < arrivals.len() {
        let ready = arrivals.iter().filter(|(join, arrival)| {
            !order.contains(join) && arrival.joins.iter().all(|inner| order.contains(inner))
        });
        let ready: Vec<usize> = ready.map(|(join, _)| *join).collect();
        assert!(!ready.is_empty(), "joins in a circle");
        order.extend(ready);
    }
    order
}

fn phis(block: Block<'_>) -> Vec<Value<'_>> {
    block.instructions().into_iter().take_while(|i| i.opcode() == opcode::PHI).collect()
}

fn reachable(entry: Block<'_>) -> BTreeSet<Block<'_>> {
    let (mut seen, mut open) = (BTreeSet::new(), vec![entry]);
    while let Some(block) = open.pop() {
        if seen.insert(block) {
            open.extend(block.successors());
        }
    }
    seen
}

/// Whether a block has nothing to do but to return.
fn only_returns(block: Block<'_>) -> bool {
    let ends = |call: &Value<'_>| call.is_call() && is_named(*call, &["llvm.lifetime."]);
    let nothing = |i: &Value<'_>| i.opcode() == opcode::PHI || ends(i);
    block
        .instructions()
        .into_iter()
        .find(|i| !nothing(i))
        .is_some_and(|i| i.opcode() == opcode::RETURN)
}

/// Whether a thread that is at a block waits for no other, and no other for it. In a search, words that are copied for threads
/// that fail do not count, nor do relaxed stores, nor relaxed loads on which no branch depends.
fn is_quiet(kinds: &Kinds, block: Block<'_>, in_search: bool) -> bool {
    block.instructions().into_iter().all(|instruction| match instruction.opcode() {
        opcode::CALL if instruction.callee().is_inline_asm() => {
            !instruction.callee().has_side_effects() || in_search && is_copy(instruction)
        }
        opcode::CALL => {
            kinds.of(instruction) != Kind::Other || is_named(instruction, &QUIET_INTRINSICS)
        }
        opcode::LOAD | opcode::STORE if instruction.is_volatile() => false,
        opcode::LOAD | opcode::STORE => match instruction.memory_ordering() {
            ordering::NOT_ATOMIC => true,
            ordering::MONOTONIC if in_search => !decides(instruction),
            _ => false,
        },
        opcode::FENCE | opcode::ATOMIC_RMW | opcode::CMPXCHG | opcode::INVOKE => false,
        _ => true,
    })
}

/// Whether a thread's way may depend on a loaded value: then it may load it again and again until another thread stores it.
fn decides(load: Value<'_>) -> bool {
    let (mut seen, mut open) = (BTreeSet::new(), vec![load]);
    while let Some(value) = open.pop() {
        for user in value.users() {
            // It may be loaded again from where a plain store puts it.
            let is_stored = user.opcode() == opcode::STORE
                && user.operand(0) == value
                && user.memory_ordering() == ordering::NOT_ATOMIC;
            match user.opcode() {
                _ if is_stored => return true,
                opcode::BRANCH | opcode::SWITCH | opcode::CALL | opcode::INVOKE => return true,
                _ if seen.insert(user) => open.push(user),
                _ => {}
            }
        }
    }
    false
}

/// Intrinsics, by the beginnings of their names, that are only about a thread's own memory and computations.
const QUIET_INTRINSICS: [&str; 4] =
    ["llvm.lifetime.", "llvm.memcpy.", "llvm.memmove.", "llvm.memset."];

fn is_named(call: Value<'_>, beginnings: &[&str]) -> bool {
    let callee = call.callee();
    callee.is_function() && {
        let name = callee.name();
        beginnings.iter().any(|beginning| name.starts_with(beginning))
    }
}
