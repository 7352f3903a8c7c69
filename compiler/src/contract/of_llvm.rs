//! What LLVM has to know: names, passes, the numbers of its C interface.

use super::list::List;
use crate::llvm::known::{
    ATTRIBUTES, C_CONVENTION, DROP_UNUSED, GRID_CONSTANT, INTRINSICS, KERNEL_CONVENTION,
    KERNEL_CONVENTION_NAME, METADATA, SINGLE_THREAD, TAKE_IN, TAKE_IN_AND_DROP,
};
use crate::llvm::{
    BASE_PTX, Builder, Context, LlvmError, Module, OPTIONS, Opcode, Target, opcode, ordering,
    predicate, update,
};
use crate::lower;
use crate::optimise;
use ptyx_image::Arch;

/// The rows that need nothing but LLVM.
pub(super) fn check(list: &mut List) -> Result<(), LlvmError> {
    // LLVM was loaded with them, and ends the process if it does not know one.
    for option in OPTIONS.iter().skip(1) {
        let option = option.to_string_lossy();
        list.check(format!("LLVM option `{option}`"), "llvm/mod.rs", || Ok(()));
    }
    let context = Context::new();
    for (name, used_by) in ATTRIBUTES {
        let known = context.find_attribute_kind(name).is_some();
        list.find(format!("attribute `{name}`"), used_by, known);
    }
    check_intrinsics(list, &context);
    check_metadata(list, &context);
    let target = Target::new(Arch::BASE, BASE_PTX)?;
    check_passes(list, &context, &target);
    check_conventions(list, &context);
    check_parameters(list, &context);
    check_numbers(list, &context);
    Ok(())
}

fn check_intrinsics(list: &mut List, context: &Context) {
    for (name, used_by) in INTRINSICS {
        list.find(format!("intrinsic `{name}`"), used_by, context.intrinsic_id(name) != 0);
    }
    for name in lower::MATH_INTRINSICS {
        let name = format!("llvm.{name}");
        let found = context.intrinsic_id(&name) != 0;
        list.find(format!("intrinsic `{name}`"), "lower/redirect_runtime.rs", found);
    }
}

/// LLVM gives every name a number; those of its own kinds come before the first new one.
fn check_metadata(list: &mut List, context: &Context) {
    let new = context.metadata_kind("ptyx.new");
    for (name, used_by) in METADATA {
        list.find(format!("metadata `{name}`"), used_by, context.metadata_kind(name) < new);
    }
    let found = context.sync_scope(SINGLE_THREAD) == 0;
    list.find(format!("scope `{SINGLE_THREAD}`"), "lower/order_atomics.rs", found);
    list.find("scope of the system", "lower/lower_intrinsics.rs", context.sync_scope("") == 1);
}

/// How a pipeline is run.
#[derive(Clone, Copy)]
pub(super) enum Run {
    /// On the module.
    Module,
    /// On the module as if it had no target.
    WithoutTarget,
    /// On a function.
    Function,
}

/// Every pipeline, with what runs it.
pub(super) const PIPELINES: [(&str, Run, &str); 20] = [
    (TAKE_IN, Run::Module, "lower/"),
    (TAKE_IN_AND_DROP, Run::Module, "lower/panics/sites.rs, optimise/mod.rs"),
    (DROP_UNUSED, Run::Module, "link/mod.rs"),
    (lower::READABLE, Run::Function, "lower/make_entry.rs"),
    (lower::REMOVE, Run::Function, "lower/remove_exceptions.rs"),
    (lower::SIMPLIFY, Run::Function, "lower/panics/expand.rs"),
    (optimise::INLINE, Run::Module, "optimise/mod.rs"),
    (optimise::SPLIT_VARIABLES, Run::Module, "optimise/mod.rs"),
    (optimise::USE_BOUNDS, Run::Module, "optimise/mod.rs"),
    (optimise::ROTATE, Run::Module, "optimise/mod.rs"),
    (optimise::MAKE_COPIES, Run::WithoutTarget, "optimise/version_loops.rs"),
    (optimise::DROP_CHECKS, Run::Module, "optimise/version_loops.rs"),
    (optimise::SIMPLIFY, Run::Module, "optimise/mod.rs"),
    (optimise::CLOSE_LOOPS, Run::Module, "optimise/group_iterations.rs"),
    (optimise::THREAD, Run::WithoutTarget, "optimise/mod.rs"),
    (optimise::OPTIMISE, Run::Module, "optimise/mod.rs"),
    (optimise::UNROLL_REMAINDERS, Run::Module, "optimise/unroll_remainders.rs"),
    (optimise::TIDY, Run::Module, "optimise/mod.rs"),
    (optimise::TIDY_COPIES, Run::WithoutTarget, "optimise/join_checks/mod.rs"),
    (optimise::TAKE_GUARDS_IN, Run::Module, "optimise/mod.rs"),
];

fn check_passes(list: &mut List, context: &Context, target: &Target) {
    for (passes, run, used_by) in PIPELINES {
        list.check(format!("passes `{passes}`"), used_by, || {
            let text = "define void @f() {\n  ret void\n}\n";
            let mut module = Module::parse_text(context, text).map_err(|e| e.to_string())?;
            module.set_target(target);
            let function = module.function("f").ok_or("a function is gone")?;
            match run {
                Run::Module => module.run_passes(passes, target),
                Run::WithoutTarget => module.run_passes_without_target(passes, target),
                Run::Function => module.run_passes_on(function, passes, target),
            }
            .map_err(|error| error.to_string())
        });
    }
}

fn check_conventions(list: &mut List, context: &Context) {
    let printed = |convention: u32| {
        let module = Module::empty(context, "conventions");
        let function = module.add_function("f", context.function(context.void(), &[]));
        let block = function.append_block(context);
        Builder::at_end(context, block).return_void();
        function.set_calling_convention(convention);
        module.print()
    };
    let kernel = format!("calling convention `{KERNEL_CONVENTION_NAME}`");
    let is_kernel = printed(KERNEL_CONVENTION).contains(&format!("{KERNEL_CONVENTION_NAME} void"));
    list.find(kernel, "lower/make_entry.rs", is_kernel);
    let is_c = printed(C_CONVENTION).contains("define void @f()");
    list.find("calling convention of C", "lower/strip_attributes.rs", is_c);
}

/// A kernel that passes the address of a parameter on.
const PARAMETER: &str = r#"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr byval([128 x i8]) align 64 ATTRIBUTE %map) {
  call void asm sideeffect "// $0", "l,~{memory}"(ptr %map)
  ret void
}
"#;

/// The backend leaves such parameters where they are, and copies others: the attribute is a text, which LLVM takes whether it
/// knows it or not.
fn check_parameters(list: &mut List, context: &Context) {
    list.check(format!("attribute `{GRID_CONSTANT}`"), "lower/make_entry.rs", || {
        let text = PARAMETER.replace("ATTRIBUTE", &format!("\"{GRID_CONSTANT}\""));
        let ptx = parameter_in_ptx(context, &text).map_err(|error| error.to_string())?;
        match ptx.contains("cvta.param") && !ptx.contains(".local .") {
            true => Ok(()),
            false => Err("a parameter that has it is copied to local memory".to_owned()),
        }
    });
}

fn parameter_in_ptx(context: &Context, text: &str) -> Result<String, LlvmError> {
    let target = Target::new(Arch { sm: 90, ..Arch::BASE }, 80)?;
    let mut module = Module::parse_text(context, text)?;
    module.set_target(&target);
    module.emit(&target)
}

/// One instruction for each number, in the order of [`OPCODES`].
const INSTRUCTIONS: &str = r#"
declare i32 @personality(...)
declare void @g()

define i32 @f(i32 %a, i32 %b, float %x, ptr %p, {i32, i32} %s, i1 %c) personality ptr @personality {
entry:
  %v = alloca i32
  br i1 %c, label %more, label %switched
switched:
  switch i32 %a, label %more [ i32 1, label %dead ]
dead:
  unreachable
more:
  %phi = phi i32 [ 1, %entry ], [ 2, %switched ]
  %1 = add i32 %a, %b
  %2 = fadd float %x, %x
  %3 = sub i32 %a, %b
  %4 = fsub float %x, %x
  %5 = mul i32 %a, %b
  %6 = udiv i32 %a, %b
  %7 = sdiv i32 %a, %b
  %8 = urem i32 %a, %b
  %9 = srem i32 %a, %b
  %10 = frem float %x, %x
  %11 = shl i32 %a, %b
  %12 = lshr i32 %a, %b
  %13 = and i32 %a, %b
  %14 = or i32 %a, %b
  %15 = xor i32 %a, %b
  %16 = load i32, ptr %p
  store i32 %a, ptr %p
  %17 = getelementptr i32, ptr %p, i64 1
  %18 = trunc i32 %a to i8
  %19 = zext i32 %a to i64
  %20 = fptoui float %x to i32
  %21 = fptosi float %x to i32
  %22 = uitofp i32 %a to float
  %23 = sitofp i32 %a to float
  %24 = ptrtoint ptr %p to i64
  %25 = inttoptr i64 %24 to ptr
  %26 = icmp eq i32 %a, %b
  call void @g()
  %27 = select i1 %c, i32 %a, i32 %b
  %28 = extractvalue {i32, i32} %s, 0
  fence seq_cst
  %29 = cmpxchg ptr %p, i32 %a, i32 %b seq_cst seq_cst
  %30 = atomicrmw add ptr %p, i32 %a seq_cst
  %31 = addrspacecast ptr %p to ptr addrspace(1)
  %32 = freeze i32 %a
  invoke void @g() to label %done unwind label %pad
done:
  ret i32 %phi
pad:
  %33 = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %33
}
"#;

/// Their numbers.
const OPCODES: [(&str, Opcode); 43] = [
    ("alloca", opcode::ALLOCA),
    ("br", opcode::BRANCH),
    ("switch", opcode::SWITCH),
    ("unreachable", opcode::UNREACHABLE),
    ("phi", opcode::PHI),
    ("add", opcode::ADD),
    ("fadd", opcode::FADD),
    ("sub", opcode::SUB),
    ("fsub", opcode::FSUB),
    ("mul", opcode::MUL),
    ("udiv", opcode::UDIV),
    ("sdiv", opcode::SDIV),
    ("urem", opcode::UREM),
    ("srem", opcode::SREM),
    ("frem", opcode::FREM),
    ("shl", opcode::SHL),
    ("lshr", opcode::LSHR),
    ("and", opcode::AND),
    ("or", opcode::OR),
    ("xor", opcode::XOR),
    ("load", opcode::LOAD),
    ("store", opcode::STORE),
    ("getelementptr", opcode::GET_ELEMENT_PTR),
    ("trunc", opcode::TRUNCATE),
    ("zext", opcode::ZERO_EXTEND),
    ("fptoui", opcode::FP_TO_UI),
    ("fptosi", opcode::FP_TO_SI),
    ("uitofp", opcode::UI_TO_FP),
    ("sitofp", opcode::SI_TO_FP),
    ("ptrtoint", opcode::PTR_TO_INT),
    ("inttoptr", opcode::INT_TO_PTR),
    ("icmp", opcode::INTEGER_COMPARISON),
    ("call", opcode::CALL),
    ("select", opcode::SELECT),
    ("extractvalue", opcode::EXTRACT_VALUE),
    ("fence", opcode::FENCE),
    ("cmpxchg", opcode::CMPXCHG),
    ("atomicrmw", opcode::ATOMIC_RMW),
    ("addrspacecast", opcode::ADDRESS_SPACE_CAST),
    ("freeze", opcode::FREEZE),
    ("invoke", opcode::INVOKE),
    ("landingpad", opcode::LANDING_PAD),
    ("resume", opcode::RESUME),
];

const ORDERINGS: [(&str, i32); 4] = [
    ("monotonic", ordering::MONOTONIC),
    ("acquire", ordering::ACQUIRE),
    ("release", ordering::RELEASE),
    ("seq_cst", ordering::SEQUENTIALLY_CONSISTENT),
];

const PREDICATES: [(&str, i32); 8] = [
    ("eq", predicate::EQUAL),
    ("ne", predicate::NOT_EQUAL),
    ("ugt", predicate::UNSIGNED_GREATER),
    ("uge", predicate::UNSIGNED_GREATER_EQUAL),
    ("ult", predicate::UNSIGNED_LESS),
    ("ule", predicate::UNSIGNED_LESS_EQUAL),
    ("sgt", predicate::SIGNED_GREATER),
    ("slt", predicate::SIGNED_LESS),
];

fn check_numbers(list: &mut List, context: &Context) {
    const USED_BY: &str = "llvm/numbers.rs";
    let mut opcodes = Vec::new();
    list.check("LLVM's text", "contract/of_llvm.rs", || {
        let module = Module::parse_text(context, INSTRUCTIONS).map_err(|e| e.to_string())?;
        let function = module.function("f").ok_or("a function is gone")?;
        opcodes = function.instructions().iter().map(|i| i.opcode()).collect();
        // One of them is `ret`, which is not in the list.
        let returns = opcodes.iter().position(|found| *found == 1).ok_or("no `ret` is found")?;
        opcodes.remove(returns);
        Ok(())
    });
    for ((name, number), at) in OPCODES.iter().zip(0..) {
        let found = opcodes.get(at).copied();
        list.check(format!("number of instruction `{name}`"), USED_BY, || same(found, *number));
    }
    let numbers = [
        ("ordering", &ORDERINGS[..]),
        ("atomic operation", &update::NAMES[..]),
        ("comparison", &PREDICATES[..]),
    ];
    for (kind, rows) in numbers {
        for (name, number) in rows {
            list.check(format!("number of {kind} `{name}`"), USED_BY, || {
                same(number_of(context, kind, name)?, *number)
            });
        }
    }
}

/// The number that LLVM gives to an ordering, an atomic operation or a comparison.
fn number_of(context: &Context, kind: &str, name: &str) -> Result<Option<i32>, String> {
    let (ty, instruction) = match kind {
        "ordering" => ("i32", format!("%r = atomicrmw add ptr %p, i32 %a {name}")),
        "comparison" => ("i32", format!("%r = icmp {name} i32 %a, %a")),
        _ if name.starts_with('f') => {
            ("float", format!("%r = atomicrmw {name} ptr %p, float %a monotonic"))
        }
        _ => ("i32", format!("%r = atomicrmw {name} ptr %p, i32 %a monotonic")),
    };
    let text = format!("define void @f(ptr %p, {ty} %a) {{\n  {instruction}\n  ret void\n}}\n");
    let module = Module::parse_text(context, &text).map_err(|error| error.to_string())?;
    let instruction = module.function("f").and_then(|f| f.instructions().first().copied());
    Ok(instruction.map(|instruction| match kind {
        "ordering" => instruction.memory_ordering(),
        "comparison" => instruction.predicate(),
        _ => instruction.atomic_operation(),
    }))
}

fn same(found: Option<i32>, expected: i32) -> Result<(), String> {
    match found {
        Some(found) if found == expected => Ok(()),
        Some(found) => Err(format!("it is {found}, not {expected}")),
        None => Err("not found".to_owned()),
    }
}
