//! The kernel's entry: a PTX kernel with one parameter for each scalar of the Rust arguments, and behind these, limits
//! (`limits.rs`) and what a launch says of itself (`panics/launch.rs`).
//!
//! The unpacking function takes a pointer to each Rust argument, reads it and calls the kernel.
//! rustc passes a slice to the kernel as a pointer and a length, with `noalias readonly` on the
//! pointer. The backend reads through such a pointer with `ld.global.nc`, but only if it is a
//! parameter of the entry itself. So the entry takes what the unpacking function loads, scalar by
//! scalar, each with the attributes that the kernel's own parameter has. An argument that is not
//! read scalar by scalar becomes one parameter of bytes.
//!
//! What rustc's attributes can't say (slices in tuples, arrays of several dimensions, a thread's own
//! elements), the unpacking function says by calls of the functions in [`PROMISES`].

use ptyx_image::{Layout, Param};

use super::limits::{add_limits, mark_limits};
use super::panics;
use super::proof::{add_proof, mark_proof};
use crate::llvm::known::{GRID_CONSTANT, KERNEL_CONVENTION, TAKE_IN};
use crate::llvm::{
    Attribute, Builder, Linkage, Module, Target, Type, TypeKind, Value, calls_of, opcode,
};
use crate::report::Diagnostic;
use crate::symbols;

/// Attributes of an argument that mean the same on an entry's parameter.
const KEPT: [&str; 8] = [
    "noalias",
    "readonly",
    "readnone",
    "nonnull",
    "noundef",
    "align",
    "dereferenceable",
    "dereferenceable_or_null",
];

/// Passes that leave of the unpacking function one load for each scalar: the strides of an array are
/// computed in a loop over its shape.
pub(crate) const READABLE: &str = "sroa,early-cse,instcombine<no-verify-fixpoint>,simplifycfg,\
     loop(loop-rotate,indvars,loop-unroll-full),\
     sroa,early-cse,instcombine<no-verify-fixpoint>,simplifycfg";

/// Tensor maps have this alignment. Their address is passed to instructions, which must see the parameter itself: the
/// backend would copy other parameters whose address is taken to local memory.
const TENSOR_MAP_ALIGNMENT: u32 = 64;

/// Marks a parameter that is the length of an array, for passes of ours. The attribute's value is the index of the
/// parameter that points to the array, and the size of an element: see [`slice_of`].
const SLICE: &str = "ptyx-slice";

/// Functions of the device library that promise something about a pointer, as attributes.
const PROMISES: [(&str, &[&str]); 3] = [
    (symbols::PARAM_READ_ONLY, &["noalias", "readonly", "nonnull", "noundef"]),
    (symbols::PARAM_EXCLUSIVE, &["noalias", "nonnull", "noundef"]),
    (symbols::PARAM_VALID, &["nonnull", "noundef"]),
];

/// Pointers of the unpacking function with what is promised about them.
type Promises<'c> = Vec<(Value<'c>, &'static [&'static str])>;

/// A promise of how many elements are at a pointer, and of their size and alignment.
struct Slice<'c> {
    pointer: Value<'c>,
    length: Value<'c>,
    size: u64,
    align: u64,
}

/// A scalar of a Rust argument.
struct Scalar<'c> {
    /// What loads it.
    load: Value<'c>,
    offset: u64,
    ty: Type<'c>,
    attributes: Vec<Attribute>,
    /// A pointer about which the launch promises nothing.
    unpromised: bool,
}

/// How a Rust argument is passed.
enum Passing<'c> {
    /// Scalar by scalar; none if the kernel does not read it.
    Scalars(Vec<Scalar<'c>>),
    /// As bytes.
    Bytes,
}

/// Makes the entry and says what its parameters are, and which are pointers about which the launch
/// promises nothing.
pub(super) fn make_entry<'c>(
    module: &mut Module<'c>,
    target: &Target,
    unpack: Value<'c>,
    layouts: &[Layout],
    name: &str,
) -> Result<(Value<'c>, Vec<Param>, Vec<u32>), Diagnostic> {
    let context = module.context();
    // What reads the parameters must stand in the unpacking function itself.
    module.run_passes(TAKE_IN, target)?;
    module.run_passes_on(unpack, READABLE, target)?;
    let promises = take_promises(module, unpack);
    let slices = take_slices(module, unpack);
    let args = unpack.params();
    if args.len() != layouts.len() {
        return Err(Diagnostic::new(format!(
            "a launch of `{name}` has {} arguments and {} layouts: `ptyx` and `ptyx-compiler` must \
             have the same version",
            args.len(),
            layouts.len()
        )));
    }
    let passings: Vec<_> = args
        .iter()
        .zip(layouts)
        .map(|(arg, layout)| match scalars(module, *arg, &promises) {
            _ if layout.size == 0 => Passing::Scalars(Vec::new()),
            Some(scalars) => Passing::Scalars(scalars),
            None => Passing::Bytes,
        })
        .collect();

    let (mut types, params) = parameters(module, &passings, layouts);
    // With what alignment may add to each.
    let bytes = params.iter().map(|param| u64::from(param.size) + u64::from(param.align)).sum();
    let (own, limits) = (types.len(), add_limits(module, bytes, &mut types));
    let has_proof = add_proof(module, bytes, &mut types);
    let proof = types.len() as u32 - 1;
    panics::add_launch_params(module, &mut types);
    let entry = module.add_function(name, context.function(context.void(), &types));
    entry.set_name(name);
    entry.set_linkage(Linkage::External);
    entry.set_calling_convention(KERNEL_CONVENTION);
    for attribute in ["convergent", "nounwind"] {
        entry.add_function_attribute(context.attribute(attribute, 0));
    }
    mark_limits(module, entry, own, &limits);
    if has_proof {
        mark_proof(module, entry, proof);
    }
    let builder = Builder::at_end(context, entry.append_block(context));
    let mut given = entry.params().into_iter().zip(0..);
    let (mut pointers, mut unpromised, mut loads) = (Vec::new(), Vec::new(), Vec::new());
    for (passing, layout) in passings.iter().zip(layouts) {
        match passing {
            Passing::Scalars(scalars) => {
                let bytes = context.int(8).array(layout.size.max(1).into());
                let slot = builder.alloca(bytes, layout.align);
                for (scalar, (value, index)) in scalars.iter().zip(&mut given) {
                    for &attribute in &scalar.attributes {
                        entry.add_param_attribute(index, attribute);
                    }
                    if scalar.unpromised {
                        unpromised.push(index);
                    }
                    loads.push((scalar.load, index));
                    builder.store(value, builder.offset(slot, scalar.offset));
                }
                pointers.push(slot);
            }
            Passing::Bytes => {
                let Some((value, index)) = given.next() else { continue };
                let bytes = context.int(8).array(layout.size.into());
                for attribute in [
                    context.type_attribute("byval", bytes),
                    context.attribute("align", layout.align.into()),
                    context.attribute("noalias", 0),
                    context.attribute("readonly", 0),
                ] {
                    entry.add_param_attribute(index, attribute);
                }
                if layout.align >= TENSOR_MAP_ALIGNMENT {
                    entry.add_param_attribute(index, context.named_attribute(GRID_CONSTANT));
                }
                pointers.push(value);
            }
        }
    }
    let param = |load| loads.iter().find(|(known, _)| *known == load).map(|(_, index)| *index);
    for Slice { pointer, length, size, align } in slices {
        if let (Some(pointer), Some(length)) = (param(pointer), param(length)) {
            let slice = context.string_attribute(SLICE, &format!("{pointer},{size}"));
            entry.add_param_attribute(length, slice);
            entry.add_param_attribute(pointer, context.attribute("align", align));
        }
    }
    let call = builder.call(unpack.value_type(), unpack, &pointers);
    call.add_call_attribute(context.attribute("convergent", 0));
    builder.return_void();
    inline_always(module, unpack);
    entry.take_subprogram(unpack);
    Ok((entry, params, unpromised))
}

/// Types and descriptions of the entry's parameters.
fn parameters<'c>(
    module: &Module<'c>,
    passings: &[Passing<'c>],
    layouts: &[Layout],
) -> (Vec<Type<'c>>, Vec<Param>) {
    let mut types = Vec::new();
    let mut params = Vec::new();
    for (arg, (passing, layout)) in (0..).zip(passings.iter().zip(layouts)) {
        match passing {
            Passing::Scalars(scalars) => {
                for scalar in scalars {
                    types.push(scalar.ty);
                    params.push(Param {
                        arg,
                        offset: scalar.offset as u32,
                        size: module.size_of(scalar.ty) as u32,
                        align: module.align_of(scalar.ty),
                    });
                }
            }
            Passing::Bytes => {
                types.push(module.context().pointer(0));
                params.push(Param { arg, offset: 0, size: layout.size, align: layout.align });
            }
        }
    }
    (types, params)
}

/// The scalars that are loaded from `arg`, by offset; `None` if it is used in any other way.
fn scalars<'c>(
    module: &Module<'c>,
    arg: Value<'c>,
    promises: &Promises<'c>,
) -> Option<Vec<Scalar<'c>>> {
    let mut found: Vec<Scalar<'c>> = Vec::new();
    let mut add = |load: Value<'c>, offset: u64| -> Option<()> {
        // Loaded for a promise only.
        if load.users().is_empty() {
            return Some(());
        }
        let ty = load.ty();
        let whole = matches!(ty.kind(), TypeKind::Int(8 | 16 | 32 | 64))
            || matches!(ty.kind(), TypeKind::F32 | TypeKind::F64 | TypeKind::Pointer);
        if !whole {
            return None;
        }
        match found.iter().find(|s| s.offset == offset) {
            Some(known) => (known.ty == ty).then_some(()),
            None => {
                let is_promised = promises.iter().any(|(pointer, _)| *pointer == load);
                let unpromised = ty.kind() == TypeKind::Pointer && !is_promised;
                let attributes = attributes(module, load, promises);
                found.push(Scalar { load, offset, ty, attributes, unpromised });
                Some(())
            }
        }
    };
    for user in arg.users() {
        if !user.is_instruction() {
            return None;
        }
        match user.opcode() {
            opcode::LOAD => add(user, 0)?,
            opcode::GET_ELEMENT_PTR => {
                let offset = byte_offset(module, user)?;
                for load in user.users() {
                    if !load.is_instruction() || load.opcode() != opcode::LOAD {
                        return None;
                    }
                    add(load, offset)?;
                }
            }
            _ => return None,
        }
    }
    found.sort_by_key(|s| s.offset);
    let apart = found.windows(2).all(|w| w[0].offset + module.size_of(w[0].ty) <= w[1].offset);
    apart.then_some(found)
}

/// The offset of an address with one constant index of bytes, as `instcombine` leaves them.
fn byte_offset(module: &Module<'_>, address: Value<'_>) -> Option<u64> {
    let operands = address.operands();
    let [_, index] = operands[..] else { return None };
    let element = address.element_type();
    index.as_int()?.checked_mul(module.size_of(element))
}

/// Erases the promises of the module and gives those of `unpack`; elsewhere they mean nothing.
fn take_promises<'c>(module: &Module<'c>, unpack: Value<'c>) -> Promises<'c> {
    let mut promises = Vec::new();
    for (symbol, attributes) in PROMISES {
        let Some(function) = module.function(symbol) else { continue };
        for call in calls_of(function) {
            if call.parent_function() == unpack {
                promises.push((call.operand(0), attributes));
            }
            call.erase();
        }
    }
    promises
}

/// The same for promises about slices.
fn take_slices<'c>(module: &Module<'c>, unpack: Value<'c>) -> Vec<Slice<'c>> {
    let mut slices = Vec::new();
    for call in module.function(symbols::PARAM_SLICE).into_iter().flat_map(calls_of) {
        // Of elements without a size there may be any number.
        let size = call.operand(2).as_int().filter(|size| *size > 0);
        let sizes = size.zip(call.operand(3).as_int());
        if let Some((size, align)) = sizes.filter(|_| call.parent_function() == unpack) {
            slices.push(Slice { pointer: call.operand(0), length: call.operand(1), size, align });
        }
        call.erase();
    }
    slices
}

/// If a value is the length of an array that the launch passes: the parameter that points to the array, and the size of
/// an element. All elements can be read, and there are no more bytes than an `isize` says.
pub(crate) fn slice_of(length: Value<'_>) -> Option<(Value<'_>, u64)> {
    let (function, index) = length.parameter_of()?;
    let text = function.param_string_attribute(index, SLICE)?;
    let (pointer, size) = text.split_once(',')?;
    Some((*function.params().get(pointer.parse::<usize>().ok()?)?, size.parse().ok()?))
}

/// What is promised about `load`, or else the attributes of the argument that it is passed as.
fn attributes<'c>(module: &Module<'c>, load: Value<'c>, promises: &Promises<'c>) -> Vec<Attribute> {
    if load.ty().kind() != TypeKind::Pointer {
        return range(module, load).into_iter().collect();
    }
    if let Some((_, names)) = promises.iter().find(|(pointer, _)| *pointer == load) {
        return names.iter().map(|name| module.context().attribute(name, 0)).collect();
    }
    let kept: Vec<u32> = KEPT.iter().map(|name| module.context().attribute_kind(name)).collect();
    let users = load.users();
    let [call] = users[..] else { return Vec::new() };
    if !call.is_call() {
        return Vec::new();
    }
    let Some(index) = call.arguments().iter().position(|a| *a == load) else { return Vec::new() };
    call.argument_attributes(index as u32)
        .into_iter()
        .filter(|a| a.enum_kind().is_some_and(|kind| kept.contains(&kind)))
        .collect()
}

/// The range of an integer, as the function says that it is passed to: a slice's length times the size
/// of an element is no more than an `isize`.
fn range(module: &Module<'_>, load: Value<'_>) -> Option<Attribute> {
    let users = load.users();
    let [call] = users[..] else { return None };
    let function = call.is_call().then(|| call.callee()).filter(|callee| callee.is_function())?;
    let index = call.arguments().iter().position(|a| *a == load)?;
    function.param_attribute(index as u32, module.context().attribute_kind("range"))
}

/// Makes sure that the unpacking function and rustc's `Fn::call` around the kernel disappear.
fn inline_always<'c>(module: &Module<'c>, unpack: Value<'c>) {
    let context = module.context();
    let no_inline = context.attribute_kind("noinline");
    let calls: Vec<_> = unpack.instructions().into_iter().filter(|i| i.is_call()).collect();
    let callees = calls.iter().map(|c| c.callee()).filter(|f| f.is_function());
    for function in callees.chain([unpack]) {
        if !function.is_declaration() {
            function.remove_function_attribute(no_inline);
            function.add_function_attribute(context.attribute("alwaysinline", 0));
            function.set_linkage(Linkage::Internal);
        }
    }
    for call in calls {
        call.remove_call_attribute(no_inline);
    }
}
