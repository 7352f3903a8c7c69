//! Finds what a kernel uses but no device has, and the calls that lead there.

use std::collections::{HashMap, HashSet, VecDeque};

use crate::llvm::{Module, Place, Value};
use crate::lower::is_dynamic_shared;
use crate::report::is_own;

/// Functions that a device's own runtime has (CUDA Programming Guide, "Formatted Output" and
/// "Dynamic Global Memory Allocation").
const DEVICE_RUNTIME: [&str; 3] = ["vprintf", "malloc", "free"];

/// The symbols that the optimised `module` refers to and no device has.
pub(crate) fn missing(module: &Module<'_>) -> Vec<String> {
    let function = |function: &Value<'_>| {
        let name = function.name();
        function.intrinsic_id() == 0
            && !name.starts_with("llvm.")
            && !DEVICE_RUNTIME.contains(&name.as_str())
    };
    let functions = module.functions().into_iter().filter(function);
    let globals = module.globals().into_iter().filter(|global| !is_dynamic_shared(*global));
    functions
        .chain(globals)
        .filter(|value| value.is_declaration() && !value.users().is_empty())
        .map(Value::name)
        .collect()
}

/// One use of a missing symbol.
pub(crate) struct Use {
    pub(super) symbol: String,
    /// The calls that lead from the kernel to it, the kernel's first.
    pub(super) frames: Vec<Place>,
}

/// The uses of `symbols` in `module`, for each one those that `entry` reaches.
pub(crate) fn uses<'c>(module: &Module<'c>, entry: Value<'c>, symbols: &[String]) -> Vec<Use> {
    let chains = Chains::new(module, entry);
    let mut uses = Vec::new();
    for symbol in symbols {
        let Some(value) = module.function(symbol).or_else(|| module.global(symbol)) else {
            continue;
        };
        // From the symbol up to the nearest user code, on every path.
        let mut seen = HashSet::new();
        let mut queue = VecDeque::from([(value, Vec::new())]);
        while let Some((callee, inner)) = queue.pop_front() {
            for instruction in references(callee, 4) {
                let function = instruction.parent_function();
                if !chains.reach(function) {
                    continue;
                }
                let mut frames: Vec<Place> = inner.clone();
                let places = instruction.places(module.context());
                if places.is_empty() {
                    frames.push(Place { function: function.name(), ..Place::default() });
                }
                frames.extend(places);
                if function == entry || frames.iter().any(is_own) {
                    frames.extend(chains.to(function));
                    frames.reverse();
                    uses.push(Use { symbol: symbol.clone(), frames });
                } else if seen.insert(function.name()) {
                    queue.push_back((function, frames));
                }
            }
        }
    }
    uses
}

/// The instructions that refer to a value, also through constants such as tables of functions.
pub(super) fn references(value: Value<'_>, depth: u32) -> Vec<Value<'_>> {
    let (mut found, constants): (Vec<_>, Vec<_>) =
        value.users().into_iter().partition(|user| user.is_instruction());
    if depth > 0 {
        found.extend(constants.into_iter().flat_map(|constant| references(constant, depth - 1)));
    }
    found
}

/// How the functions of a module are reached from the kernel's entry.
struct Chains {
    /// For each function, the nearest one that refers to it and the places of the reference, the
    /// innermost first.
    caller: HashMap<String, (String, Vec<Place>)>,
}

impl Chains {
    /// Walks the module from `entry`, nearest first.
    fn new<'c>(module: &Module<'c>, entry: Value<'c>) -> Chains {
        let mut caller = HashMap::new();
        let mut queue = VecDeque::from([entry]);
        caller.insert(entry.name(), (String::new(), Vec::new()));
        while let Some(function) = queue.pop_front() {
            let from = function.name();
            for instruction in function.instructions() {
                for operand in instruction.operands() {
                    for callee in functions_in(operand, 3) {
                        let name = callee.name();
                        caller.entry(name).or_insert_with(|| {
                            queue.push_back(callee);
                            (from.clone(), instruction.places(module.context()))
                        });
                    }
                }
            }
        }
        Chains { caller }
    }

    fn reach(&self, function: Value<'_>) -> bool {
        self.caller.contains_key(&function.name())
    }

    /// The calls that lead from the kernel to `function`, the kernel's last.
    fn to(&self, function: Value<'_>) -> Vec<Place> {
        let mut frames = Vec::new();
        let mut current = function.name();
        while let Some((from, places)) = self.caller.get(&current).filter(|(f, _)| !f.is_empty()) {
            frames.extend(places.iter().cloned());
            current.clone_from(from);
        }
        frames
    }
}

/// The functions in an operand: itself, or those that a constant refers to.
fn functions_in(value: Value<'_>, depth: u32) -> Vec<Value<'_>> {
    if value.is_function() {
        return vec![value];
    }
    if depth == 0 || !value.is_constant() {
        return Vec::new();
    }
    if value.is_global_variable() && value.is_declaration() {
        return Vec::new();
    }
    value.operands().into_iter().flat_map(|operand| functions_in(operand, depth - 1)).collect()
}
