//! Makes facts about the loops of Rust's iterators explicit, so that LLVM can use them.
//!
//! LLVM finds out that an index is in bounds from the condition that ends the loop, if the
//! condition is about the index. Some of core's iterators count something else:
//!
//! - a slice's iterator ends when a pointer reaches the end, and `enumerate` counts beside it:
//!   [`ends`] compares counters instead of pointers;
//! - `step_by` of a range counts the steps that are left, which it found by a division: [`steps`] says
//!   that the index is below the range's end, and removes the division if it is a slow one; of ranges of `i32`, it takes steps that
//!   may wrap around, and [`signed_steps`] counts them instead;
//! - `a..=b` has a flag beside its counter: [`inclusive`] makes the counter step past the end.
//!
//! All look at arithmetic only, not at whose code it is. They run once functions are inlined and
//! variables are registers, and before loops are rotated: a loop still begins with its condition.

mod ends;
mod inclusive;
mod lengths;
mod signed_steps;
mod steps;

use super::flow::Flow;
use crate::llvm::{Block, Module, Opcode, Value, opcode};

/// Works on the loops of every function.
pub(crate) fn explain_loops(module: &Module<'_>) {
    for function in module.functions() {
        let flow = Flow::of(function);
        inclusive::count(module, function, &flow);
        for &block in &flow.blocks {
            signed_steps::count(module, &flow, block);
            let counters = counters(block);
            let counters = merge(counters);
            steps::bound(module, &flow, block, &counters);
        }
        ends::compare_counters(module, &flow);
        lengths::bound_truncated(module, function);
    }
}

/// An integer that changes by the same amount in each iteration of a loop.
#[derive(Clone, Copy)]
struct Counter<'c> {
    /// The variable, a phi at the start of the loop.
    phi: Value<'c>,
    /// Its first value, and where the loop is entered from.
    start: Value<'c>,
    entry: Block<'c>,
    /// Its value in the next iteration, the sum of it and `step`.
    next: Value<'c>,
    step: Value<'c>,
}

impl<'c> Counter<'c> {
    /// Where the next iteration is entered from.
    fn latches(&self) -> impl Iterator<Item = Block<'c>> {
        let edges = self.phi.incoming_edges().into_iter().map(|(_, from)| from);
        edges.filter(|from| *from != self.entry)
    }

    /// Whether it grows by `step`, a constant.
    fn grows_by(&self, step: i64) -> bool {
        let bits = self.phi.ty().int_bits().unwrap_or(64);
        let wanted = (step as u64) & (u64::MAX >> (64 - bits.min(64)));
        self.step.as_int() == Some(wanted)
    }
}

/// The variables that change by the same amount in each iteration, if `block` is the start of a loop.
fn counters(block: Block<'_>) -> Vec<Counter<'_>> {
    let phis = block.instructions().into_iter().take_while(|i| i.opcode() == opcode::PHI);
    phis.filter_map(counter).collect()
}

/// The phi has one value from outside the loop and, from each latch, one that is computed from the phi
/// itself. That this is possible means that the phi's block dominates it.
fn counter(phi: Value<'_>) -> Option<Counter<'_>> {
    let incoming = phi.incoming_edges();
    incoming.iter().find_map(|&(next, _)| {
        let step = match sum(next)? {
            (a, step) if a == phi => step,
            (step, b) if b == phi => step,
            _ => return None,
        };
        let mut outside = incoming.iter().filter(|(value, _)| *value != next);
        match (outside.next(), outside.next()) {
            (Some(&(start, entry)), None) => Some(Counter { phi, start, entry, next, step }),
            _ => None,
        }
    })
}

/// The two numbers that an integer is the sum of.
fn sum(value: Value<'_>) -> Option<(Value<'_>, Value<'_>)> {
    is(value, opcode::ADD).then(|| (value.operand(0), value.operand(1)))
}

fn is(value: Value<'_>, opcode: Opcode) -> bool {
    value.is_instruction() && value.opcode() == opcode
}

/// Merges integers that always have the same value, such as the counters of `zip` and `enumerate`.
fn merge(counters: Vec<Counter<'_>>) -> Vec<Counter<'_>> {
    let mut kept: Vec<Counter<'_>> = Vec::new();
    for counter in counters {
        let twin = kept
            .iter()
            .find(|k| (k.start, k.entry, k.step) == (counter.start, counter.entry, counter.step));
        match twin {
            Some(twin) => counter.phi.replace_all_uses_with(twin.phi),
            None => kept.push(counter),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llvm::{self, Context};
    use crate::rust::Toolchain;

    /// `for i in (a..n).step_by(s)`, as core and the inliner leave it.
    const STEPS: &str = r#"
        define void @f(i64 %a, i64 %n, i64 %s, ptr %x) {
          %any = icmp ult i64 %a, %n
          br i1 %any, label %some, label %divide
        some:
          %len = sub i64 %n, %a
          br label %divide
        divide:
          %x.len = phi i64 [ %len, %some ], [ 0, %0 ]
          %quotient = udiv i64 %x.len, %s
          %remainder = urem i64 %x.len, %s
          %even = icmp eq i64 %remainder, 0
          br i1 %even, label %enter, label %more
        more:
          %one.more = add i64 %quotient, 1
          br label %enter
        enter:
          %steps = phi i64 [ %one.more, %more ], [ %quotient, %divide ]
          br label %loop
        loop:
          %i = phi i64 [ %a, %enter ], [ %i.next, %body ]
          %left = phi i64 [ %steps, %enter ], [ %left.next, %body ]
          %done = icmp eq i64 %left, 0
          br i1 %done, label %exit, label %body
        body:
          %left.next = add i64 %left, -1
          %i.next = add i64 %i, %s
          %p = getelementptr i8, ptr %x, i64 %i
          store i8 1, ptr %p
          br label %loop
        exit:
          ret void
        }
    "#;

    /// `for (i, v) in x.iter().enumerate()`.
    const ENDS: &str = r#"
        define void @f(ptr %x, i64 %n, ptr %y) {
          %end = getelementptr inbounds i32, ptr %x, i64 %n
          br label %loop
        loop:
          %p = phi ptr [ %x, %0 ], [ %p.next, %body ]
          %i = phi i64 [ 0, %0 ], [ %i.next, %body ]
          %done = icmp eq ptr %p, %end
          br i1 %done, label %exit, label %body
        body:
          %p.next = getelementptr inbounds i8, ptr %p, i64 4
          %i.next = add i64 %i, 1
          %q = getelementptr i8, ptr %y, i64 %i
          store i8 1, ptr %q
          br label %loop
        exit:
          ret void
        }
    "#;

    /// What becomes of the function in `text`, in which `change.0` is replaced.
    fn explained(text: &str, change: (&str, &str)) -> String {
        let toolchain = Toolchain::for_test();
        llvm::load(&toolchain.libllvm).unwrap();
        let context = Context::new();
        assert!(text.contains(change.0), "{change:?}");
        let text = text.replace(change.0, change.1);
        let module = Module::parse_text(&context, &text).unwrap();
        explain_loops(&module);
        module.function("f").unwrap().print()
    }

    #[test]
    fn steps_stay_below_the_end() {
        let known = explained(STEPS, ("", ""));
        assert!(known.contains("@llvm.assume"), "{known}");
        // The division is by a run-time value: its result is not used any more.
        assert!(!known.contains("br i1 %done"), "{known}");
    }

    #[test]
    fn steps_that_are_not_those_of_the_range_say_nothing() {
        for change in [
            // One more without a remainder.
            ("icmp eq i64 %remainder, 0", "icmp eq i64 %quotient, 0"),
            ("icmp eq i64 %remainder, 0", "icmp ne i64 %remainder, 0"),
            ("add i64 %quotient, 1", "add i64 %quotient, 2"),
            // Of another length, by another number, from elsewhere.
            ("urem i64 %x.len, %s", "urem i64 %n, %s"),
            ("udiv i64 %x.len, %s", "udiv i64 %x.len, %n"),
            ("add i64 %i, %s", "add i64 %i, 8"),
            ("%i = phi i64 [ %a, %enter ]", "%i = phi i64 [ %s, %enter ]"),
            ("sub i64 %n, %a", "sub i64 %a, %n"),
            ("icmp ult i64 %a, %n", "icmp ult i64 %n, %a"),
            ("icmp ult i64 %a, %n", "icmp ult i64 %a, %s"),
            // Counted in another way, or past the end.
            ("add i64 %left, -1", "add i64 %left, -2"),
            ("icmp eq i64 %left, 0", "icmp eq i64 %left, 1"),
            ("label %exit, label %body", "label %body, label %exit"),
        ] {
            let known = explained(STEPS, change);
            assert!(!known.contains("@llvm.assume"), "{change:?}: {known}");
        }
    }

    #[test]
    fn at_most_as_many_steps_keep_their_count() {
        let known = explained(STEPS, ("[ %one.more, %more ]", "[ 0, %more ]"));
        assert!(known.contains("@llvm.assume") && known.contains("br i1 %done"), "{known}");
    }

    #[test]
    fn pointers_become_counters() {
        let known = explained(ENDS, ("", ""));
        assert!(known.contains("icmp uge i64 %i, %n"), "{known}");
        // Not tested before each step: then the pointer may be anywhere.
        let known = explained(ENDS, ("label %exit, label %body", "label %body, label %body"));
        assert!(known.contains("icmp eq i64 %i, %n"), "{known}");
        // The end in bytes, and from 1.
        let bytes = ("i32, ptr %x, i64 %n", "i8, ptr %x, i64 %b");
        let text = ENDS.replace("%end =", "%b = shl nuw i64 %n, 2\n  %end =");
        assert!(explained(&text, bytes).contains("icmp uge i64 %i, %n"));
        let known = explained(ENDS, ("i64 [ 0, %0 ]", "i64 [ 1, %0 ]"));
        assert!(known.contains("add i64 %n, 1") && known.contains("icmp eq i64 %i, %"), "{known}");
    }

    #[test]
    fn other_pointers_stay() {
        for change in [
            ("inbounds i8, ptr %p", "i8, ptr %p"),
            ("inbounds i32, ptr %x", "i32, ptr %x"),
            ("ptr %p, i64 4", "ptr %p, i64 8"),
            ("i32, ptr %x, i64 %n", "i32, ptr %y, i64 %n"),
            ("add i64 %i, 1", "add i64 %i, 2"),
            ("[ %p.next, %body ]", "[ %x, %body ]"),
        ] {
            let known = explained(ENDS, change);
            assert!(known.contains("icmp eq ptr"), "{change:?}: {known}");
        }
    }
}
