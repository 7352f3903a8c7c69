//! The marks that `#[kernel]` puts at the beginning of a function.

use ptyx_image::KernelKnobs;

use crate::llvm::{Module, Value, calls_of};
use crate::symbols::{KERNEL_MARK, KNOB_MARK, UNCHECKED_MARK};

/// An attribute of an entry that may calculate the indices of threads in 32 bits, which it does not if it is `#[kernel(wide)]`; and
/// of one that does, whose launches have to be checked (`optimise/narrow_indices.rs`).
pub(crate) const MAY_NARROW: &str = "ptyx-may-narrow";
pub(crate) const IS_NARROW: &str = "ptyx-is-narrow";

/// How many functions there may be between the unpacking function and the kernel: `Fn::call`, and a closure that
/// `launch!` made.
const DEPTH: u32 = 2;

/// What the marks of a function say.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Marks {
    /// It is a kernel.
    pub(crate) kernel: bool,
    /// Its checks are to be left out.
    pub(crate) unchecked: bool,
    /// Its threads are numbered in 64 bits.
    pub(crate) wide: bool,
    /// What its attribute says of every launch.
    pub(crate) knobs: KernelKnobs,
}

impl Marks {
    /// Those of the function that `unpack` calls: what stands in the function itself. A kernel that it calls is a
    /// function like others, whose marks say nothing about this one.
    pub(crate) fn of<'c>(module: &Module<'c>, unpack: Value<'c>) -> Marks {
        let [kernel, unchecked, knob] =
            [KERNEL_MARK, UNCHECKED_MARK, KNOB_MARK].map(|name| module.function(name));
        let mut marks = Marks::default();
        let Some(kernel) = kernel else { return marks };
        for call in kernel_below(unpack, kernel, DEPTH).map(calls_in).unwrap_or_default() {
            let mark = mark_of(call);
            marks.kernel |= mark.callee() == kernel;
            marks.unchecked |= Some(mark.callee()) == unchecked;
            if Some(mark.callee()) == knob {
                marks.add_knob(mark);
            }
        }
        marks
    }

    fn add_knob(&mut self, call: Value<'_>) {
        let numbers = call.arguments().into_iter().map(|argument| argument.as_int());
        let numbers: Vec<u32> = numbers.flatten().map(|number| number as u32).collect();
        match numbers[..] {
            [0, x, y, z] => self.knobs.threads = Some([x, y, z]),
            [1, x, y, z] => self.knobs.maxthreads = Some([x, y, z]),
            [2, count, ..] => self.knobs.blocks_per_sm = Some(count),
            [3, count, ..] => self.knobs.maxregs = Some(count),
            [4, ..] => self.wide = true,
            [5, x, y, z] => self.knobs.cluster = Some([x, y, z]),
            _ => {}
        }
    }
}

/// The marks of the function that `unpack` calls; all marks are erased.
pub(super) fn take_marks<'c>(module: &Module<'c>, unpack: Value<'c>) -> Marks {
    let marks = Marks::of(module, unpack);
    allow_inlining(module);
    for name in [KERNEL_MARK, UNCHECKED_MARK, KNOB_MARK] {
        for call in module.function(name).map(calls_of).unwrap_or_default() {
            call.erase();
        }
    }
    marks
}

/// The kernel that `function` calls, directly or through functions that do nothing else.
fn kernel_below<'c>(function: Value<'c>, mark: Value<'c>, depth: u32) -> Option<Value<'c>> {
    let called = calls_in(function).into_iter().map(Value::callee).filter(|f| has_body(*f));
    called.into_iter().find_map(|called| {
        let is_kernel = calls_in(called).into_iter().any(|call| mark_of(call).callee() == mark);
        match is_kernel {
            true => Some(called),
            false if depth > 0 && only_calls(called) => kernel_below(called, mark, depth - 1),
            false => None,
        }
    })
}

/// The call of a mark that a call stands for: those of functions of the device library that make a mark do.
fn mark_of(call: Value<'_>) -> Value<'_> {
    match call.callee() {
        maker if has_body(maker) && is_mark_maker(maker) => calls_in(maker)[0],
        _ => call,
    }
}

/// Whether a function calls one declared function, and that is all.
fn is_mark_maker(function: Value<'_>) -> bool {
    only_calls(function) && calls_in(function).iter().all(|call| !has_body(call.callee()))
}

/// Whether a function has one call and no branches: it has no checks.
fn only_calls(function: Value<'_>) -> bool {
    calls_in(function).len() == 1
        && function.blocks().iter().all(|block| block.successors().len() < 2)
}

fn has_body(function: Value<'_>) -> bool {
    function.is_function() && !function.is_declaration()
}

/// The calls in a function, except of intrinsics.
fn calls_in(function: Value<'_>) -> Vec<Value<'_>> {
    let is_call = |i: &Value<'_>| {
        i.is_call() && !(i.callee().is_function() && i.callee().intrinsic_id() != 0)
    };
    function.instructions().into_iter().filter(is_call).collect()
}

/// `#[kernel]` keeps rustc from inlining kernels, so that their marks stay in them.
fn allow_inlining(module: &Module<'_>) {
    let no_inline = module.context().attribute_kind("noinline");
    let marks = module.function(KERNEL_MARK).map(calls_of).unwrap_or_default();
    for function in marks.into_iter().map(Value::parent_function) {
        function.remove_function_attribute(no_inline);
        calls_of(function).into_iter().for_each(|call| call.remove_call_attribute(no_inline));
    }
}
