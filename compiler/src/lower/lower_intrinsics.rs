//! Lowers calls of device intrinsics, as their symbols say ([`super::intrinsics`]).

use std::collections::HashMap;

use ptyx_image::{Arch, KernelKnobs, MaxDims};

use super::intrinsics::{self, FloatOperation, Format, Intrinsic, Meaning};
use super::lower_inline_ptx::register;
use super::needs::AllNeeds;
use super::{Goal, atomics};
use crate::llvm::{Builder, Module, Place, Type, TypeKind, Value, calls_of, opcode};
use crate::report::Diagnostic;
use crate::symbols;

/// Lowers every intrinsic call and returns what the module needs for them. Those that need more than
/// the target has become calls of functions that do not exist, which `reject` explains if they are
/// still there after optimisation.
///
/// Special registers that every launch of the shape has the same value in become constants: so a thread's rank in
/// its block is `%tid.x` in a one-dimensional kernel.
pub(super) fn lower_intrinsics(
    module: &Module<'_>,
    goal: Goal,
    targets: &[Arch],
    shape: &LaunchShape,
) -> Result<AllNeeds, Diagnostic> {
    let mut lowering = Lowering { module, goal, targets, needs: AllNeeds::default() };
    for function in module.functions().into_iter().filter(|f| f.is_declaration()) {
        let symbol = function.name();
        let Some(name) = intrinsics::name(&symbol) else { continue };
        let calls = calls_of(function);
        let duplicated = duplicated_places(module, &calls);
        for (call, duplicated) in calls.into_iter().zip(duplicated) {
            let lowered = intrinsics::read(&symbol).and_then(|intrinsic| {
                let range = shape.range(name, &intrinsic);
                match range {
                    Some((value, end)) if value + 1 == end => {
                        call.replace_all_uses_with(number(call.ty())?.constant(value));
                        Ok(())
                    }
                    _ => lowering.replace(call, intrinsic.meaning, range, duplicated),
                }
            });
            lowered.map_err(|why| {
                let place = call.places(module.context()).pop();
                Diagnostic::new(format!("device intrinsic `{name}`: {why}")).at(place)
            })?;
            call.erase();
        }
    }
    Ok(lowering.needs)
}

/// What is known of every launch of a kernel.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaunchShape {
    pub(super) max_dims: MaxDims,
    pub(super) knobs: KernelKnobs,
}

impl LaunchShape {
    #[cfg(test)]
    pub(super) fn up_to(dims: u8) -> LaunchShape {
        let max_dims = MaxDims { grid: dims, block: dims };
        LaunchShape { max_dims, knobs: KernelKnobs::default() }
    }

    /// The least result of an intrinsic, and the first that is too large.
    fn range(&self, name: &str, intrinsic: &Intrinsic<'_>) -> Option<(u64, u64)> {
        let is_of_grid = name.starts_with("ctaid") || name.starts_with("nctaid");
        let most = if is_of_grid { self.max_dims.grid } else { self.max_dims.block };
        if let Some((_, value)) = intrinsic.flat.filter(|(dims, _)| *dims > most) {
            return Some((value, value + 1));
        }
        let axis = |name: &str| ["x", "y", "z"].iter().position(|axis| *axis == name);
        if let Some((cluster, register)) = self.knobs.cluster.zip(name.strip_prefix("cluster_")) {
            let extent = |of: &str| axis(of).map(|axis| u64::from(cluster[axis]));
            let blocks: u64 = cluster.iter().map(|&extent| u64::from(extent)).product();
            return match register.split_once('_') {
                Some(("ctaid", of)) => extent(of).map(|extent| (0, extent)),
                Some(("nctaid", of)) => extent(of).map(|extent| (extent, extent + 1)),
                None if register == "ctarank" => Some((0, blocks)),
                None if register == "nctarank" => Some((blocks, blocks + 1)),
                _ => intrinsic.range,
            };
        }
        let parts = name.split_once('_');
        let Some((register, axis)) = parts.and_then(|(name, of)| Some((name, axis(of)?))) else {
            return intrinsic.range;
        };
        // `maxthreads` is about the product of all three.
        let product = |dims: [u32; 3]| dims.iter().map(|&extent| u64::from(extent)).product();
        let fixed = self.knobs.threads.map(|dims| u64::from(dims[axis]));
        let most = fixed.or(self.knobs.maxthreads.map(product));
        match (register, intrinsic.range, most) {
            ("tid", Some((low, end)), Some(most)) => Some((low, end.min(most))),
            ("ntid", Some(_), _) if fixed.is_some() => fixed.map(|extent| (extent, extent + 1)),
            ("ntid", Some((low, end)), Some(most)) => Some((low, end.min(most + 1))),
            (_, range, _) => range,
        }
    }
}

struct Lowering<'m, 'c> {
    module: &'m Module<'c>,
    goal: Goal,
    targets: &'m [Arch],
    /// What the calls so far need.
    needs: AllNeeds,
}

impl<'c> Lowering<'_, 'c> {
    /// Replaces a call's result.
    fn replace(
        &mut self,
        call: Value<'c>,
        meaning: Meaning<'_>,
        range: Option<(u64, u64)>,
        duplicated: bool,
    ) -> Result<(), String> {
        let context = self.module.context();
        let builder = Builder::before(context, call);
        let result = self.lower(&builder, call, meaning, duplicated)?;
        if let Some((low, high)) = range {
            let ty = number(result.ty())?;
            let node = context.metadata_node(&[ty.constant(low), ty.constant(high)]);
            result.set_metadata(context.metadata_kind("range"), node);
        }
        if !call.users().is_empty() {
            call.replace_all_uses_with(convert(&builder, result, call.ty())?);
        }
        Ok(())
    }

    /// Lowers a call, before it, and returns the result.
    fn lower(
        &mut self,
        builder: &Builder<'c>,
        call: Value<'c>,
        meaning: Meaning<'_>,
        duplicated: bool,
    ) -> Result<Value<'c>, String> {
        let context = self.module.context();
        let (ty, args) = (call.called_type(), call.arguments());
        match meaning {
            Meaning::Nvvm { name, unaligned } => {
                let name = unaligned.filter(|_| duplicated).unwrap_or(name);
                self.call_nvvm(builder, name, &args)
            }
            Meaning::Ptx { template, needs, .. } if needs.exceed(self.goal) => {
                let name = symbols::too_new(template, needs.arch, self.targets);
                Ok(builder.call(ty, self.module.declare(&name, ty), &args))
            }
            Meaning::Ptx { template, pure, needs } => {
                self.needs.raise(needs);
                let (template, args) = atomics::ordered(template, args, self.goal)?;
                let types: Vec<_> = args.iter().map(|arg| arg.ty()).collect();
                let ty = context.function(ty.result(), &types);
                let constraints = constraints(&template, ty)?;
                let asm = context.inline_asm(ty, &needs.noted(&template), &constraints, !pure);
                let new = builder.call(ty, asm, &args);
                let attributes: &[&str] = match pure {
                    // `memory` with value 0: it touches none.
                    true => &["memory", "nounwind", "willreturn"],
                    false => &["convergent"],
                };
                for name in attributes {
                    new.add_call_attribute(context.attribute(name, 0));
                }
                Ok(new)
            }
            Meaning::Atomic(operation) => {
                atomics::lower(context, builder, call, operation, self.goal)
            }
            Meaning::Float(format, operation) => self.float(builder, call, format, operation),
        }
    }

    /// An instruction on 16-bit floats.
    fn float(
        &self,
        builder: &Builder<'c>,
        call: Value<'c>,
        format: Format,
        operation: FloatOperation,
    ) -> Result<Value<'c>, String> {
        const BITS: TypeKind = TypeKind::Int(16);
        let context = self.module.context();
        let ty = match format {
            Format::Half => context.half(),
            Format::Bfloat => context.bfloat(),
        };
        let is_wide = |ty: Type<'_>| matches!(ty.kind(), TypeKind::F32 | TypeKind::F64);
        let float = |bits: Value<'c>| builder.cast(opcode::BIT_CAST, bits, ty);
        let bits = |float: Value<'c>| builder.cast(opcode::BIT_CAST, float, context.int(16));
        let (args, result) = (call.arguments(), call.ty());
        let are_bits = args.iter().all(|arg| arg.ty().kind() == BITS);
        match (operation, &args[..]) {
            (FloatOperation::Extend, [value]) if are_bits && is_wide(result) => {
                Ok(builder.cast(opcode::FP_EXTEND, float(*value), result))
            }
            (FloatOperation::Truncate, [value]) if is_wide(value.ty()) => {
                Ok(bits(builder.cast(opcode::FP_TRUNCATE, *value, ty)))
            }
            (FloatOperation::Binary(operation), [a, b]) if are_bits => {
                Ok(bits(builder.binary(operation, float(*a), float(*b))))
            }
            (FloatOperation::Compare(predicate), [a, b]) if are_bits => {
                Ok(builder.compare_floats(predicate, float(*a), float(*b)))
            }
            _ => Err("it does not take these numbers".to_owned()),
        }
    }

    /// Calls an LLVM intrinsic.
    fn call_nvvm(
        &self,
        builder: &Builder<'c>,
        name: &str,
        args: &[Value<'c>],
    ) -> Result<Value<'c>, String> {
        let found = self.module.intrinsic(name);
        let (function, ty) =
            found.ok_or_else(|| format!("rustc's LLVM does not have the intrinsic `{name}`"))?;
        let params = ty.params();
        if args.len() != params.len() {
            let (declared, has) = (args.len(), params.len());
            return Err(format!(
                "it is declared with {declared} parameters, but `{name}` has {has}"
            ));
        }
        let args: Result<Vec<_>, _> =
            args.iter().zip(params).map(|(arg, param)| convert(builder, *arg, param)).collect();
        Ok(builder.call(ty, function, &args?))
    }
}

/// Converts an integer to another width; to one bit by comparing with zero.
fn convert<'c>(builder: &Builder<'c>, value: Value<'c>, ty: Type<'c>) -> Result<Value<'c>, String> {
    match (value.ty().kind(), ty.kind()) {
        (TypeKind::Int(from), TypeKind::Int(1)) if from > 1 => Ok(builder.is_not_zero(value)),
        (TypeKind::Int(from), TypeKind::Int(to)) if from != to => Ok(builder.int_cast(value, ty)),
        _ if value.ty() == ty => Ok(value),
        _ => Err(format!("LLVM's types {} and {} don't fit", value.ty().print(), ty.print())),
    }
}

/// The type, if it is an integer's.
fn number(ty: Type<'_>) -> Result<Type<'_>, String> {
    match ty.kind() {
        TypeKind::Int(_) => Ok(ty),
        _ => Err("its result is no number that could have a range or a fixed value".to_owned()),
    }
}

/// LLVM's constraints for inline PTX that has the result and the arguments of this type. It may touch
/// memory that an argument points to.
fn constraints(template: &str, ty: Type<'_>) -> Result<String, String> {
    let params = ty.params();
    let mut all = Vec::new();
    if ty.result().kind() != TypeKind::Void {
        all.push(format!("={}", register(ty.result(), false)?));
    }
    for param in &params {
        all.push(register(*param, false)?.to_owned());
    }
    // LLVM would end the process.
    if let Some(operand) = operands(template).find(|operand| *operand >= all.len()) {
        return Err(format!(
            "its PTX has an operand `${operand}` that is neither a result nor an argument"
        ));
    }
    if params.iter().any(|param| param.kind() == TypeKind::Pointer) {
        all.push("~{memory}".to_owned());
    }
    Ok(all.join(","))
}

/// The numbers of the operands in a template.
fn operands(template: &str) -> impl Iterator<Item = usize> {
    template.split('$').skip(1).filter_map(|behind| {
        let end = behind.find(|c: char| !c.is_ascii_digit()).unwrap_or(behind.len());
        behind[..end].parse().ok()
    })
}

/// For each call, whether another call of the same function comes from the same source place.
///
/// One barrier in the source that became several calls was copied on the way here (std's generic
/// functions were jump-threaded when std was built): threads of one warp may wait at different
/// copies, which an aligned barrier does not allow (PTX ISA 9.7.13.1).
fn duplicated_places(module: &Module<'_>, calls: &[Value<'_>]) -> Vec<bool> {
    let key = |call: &Value<'_>| -> (String, Vec<Place>) {
        (call.parent_function().name(), call.places(module.context()))
    };
    let mut count: HashMap<(String, Vec<Place>), u32> = HashMap::new();
    let keys: Vec<_> = calls.iter().map(key).collect();
    for key in &keys {
        *count.entry(key.clone()).or_default() += 1;
    }
    keys.iter().map(|key| !key.1.is_empty() && count[key] > 1).collect()
}
