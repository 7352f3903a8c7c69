//! The marks that `#[kernel]` puts at the beginning of a function.

use ptyx_image::KernelKnobs;

use crate::llvm::{Module, Value, calls_of};
use crate::symbols::{KERNEL_MARK, KNOB_MARK, UNCHECKED_MARK};

/// How many calls below the unpacking function the marks may be: `Fn::call`, then the kernel, then the
/// function of the device library that makes the mark, unless rustc inlined them.
const DEPTH: u32 = 3;

/// What the marks of a function say.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Marks {
    /// It is a kernel.
    pub(crate) kernel: bool,
    /// Its checks are to be left out.
    pub(crate) unchecked: bool,
    /// What its attribute says of every launch.
    pub(crate) knobs: KernelKnobs,
}

impl Marks {
    /// Those of the function that `unpack` calls.
    pub(crate) fn of<'c>(module: &Module<'c>, unpack: Value<'c>) -> Marks {
        let [kernel, unchecked, knob] =
            [KERNEL_MARK, UNCHECKED_MARK, KNOB_MARK].map(|name| module.function(name));
        let is = |callee: Value<'c>, mark: Option<Value<'c>>| Some(callee) == mark;
        let mut marks = Marks::default();
        for_each_call(unpack, DEPTH, &mut |call| {
            let callee = call.callee();
            if is(callee, kernel) {
                // The marks that follow are those of a kernel that this one calls as a function.
                return !std::mem::replace(&mut marks.kernel, true);
            }
            marks.unchecked |= is(callee, unchecked);
            if is(callee, knob) {
                marks.add_knob(call);
            }
            true
        });
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
            _ => {}
        }
    }

    /// Those of the function that `unpack` calls; all marks are erased.
    pub(super) fn take<'c>(module: &Module<'c>, unpack: Value<'c>) -> Marks {
        let marks = Marks::of(module, unpack);
        for name in [KERNEL_MARK, UNCHECKED_MARK, KNOB_MARK] {
            for call in module.function(name).map(calls_of).unwrap_or_default() {
                call.erase();
            }
        }
        marks
    }
}

/// Gives `visit` the calls in `function` and, so many calls deeper, in what it calls, in the order of the
/// source as long as nothing branches. Ends when `visit` says no, and then says no itself.
fn for_each_call<'c>(
    function: Value<'c>,
    depth: u32,
    visit: &mut impl FnMut(Value<'c>) -> bool,
) -> bool {
    function.instructions().into_iter().filter(|i| i.is_call()).all(|call| {
        let callee = call.callee();
        visit(call)
            && (depth == 0 || !callee.is_function() || for_each_call(callee, depth - 1, visit))
    })
}
