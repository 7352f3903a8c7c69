//! What LLVM is asked for by name, in one place: each name is listed with the files that use it, and
//! `contract/` checks that the LLVM at hand knows it.
//!
//! Two kinds of names have lists of their own, which are checked as well: functions (`table.rs`) and LLVM's
//! options (`super::OPTIONS`). Pipelines are where their passes are explained. What device intrinsics
//! become is declared in the device library, and looked up when a kernel calls one.

/// Attributes that are an enumeration for LLVM, with what uses them.
pub(crate) const ATTRIBUTES: [(&str, &str); 25] = [
    ("convergent", "lower/strip_attributes.rs and every pass that makes calls"),
    ("nounwind", "lower/strip_attributes.rs"),
    ("uwtable", "lower/strip_attributes.rs"),
    ("nonlazybind", "lower/strip_attributes.rs"),
    ("noredzone", "lower/strip_attributes.rs"),
    ("ssp", "lower/strip_attributes.rs"),
    ("sspreq", "lower/strip_attributes.rs"),
    ("sspstrong", "lower/strip_attributes.rs"),
    ("noreturn", "lower/panics/, lower/lower_symbols.rs"),
    ("cold", "lower/panics/outline.rs"),
    ("noinline", "lower/panics/, lower/make_entry.rs, lower/take_marks.rs"),
    ("alwaysinline", "lower/, link/libdevice.rs"),
    ("memory", "lower/panics/mod.rs"),
    ("byval", "lower/make_entry.rs, lower/pointers.rs"),
    ("align", "lower/make_entry.rs"),
    ("noalias", "lower/make_entry.rs"),
    ("readonly", "lower/make_entry.rs"),
    ("readnone", "lower/make_entry.rs"),
    ("nonnull", "lower/make_entry.rs"),
    ("noundef", "lower/make_entry.rs"),
    ("dereferenceable", "lower/make_entry.rs"),
    ("dereferenceable_or_null", "lower/make_entry.rs"),
    ("range", "lower/make_entry.rs"),
    ("willreturn", "lower/lower_intrinsics.rs"),
    ("speculatable", "optimise/join_checks/kind.rs"),
];

/// Whether a name is in the list.
pub(super) fn is_attribute(name: &str) -> bool {
    ATTRIBUTES.iter().any(|(known, _)| *known == name)
}

/// Intrinsics that are called or recognised, apart from those that device intrinsics become. Overloaded
/// ones are listed without the type.
pub(crate) const INTRINSICS: &[(&str, &str)] = &[
    ("llvm.trap", "optimise/answer_fills.rs"),
    ("llvm.ubsantrap", "optimise/answer_fills.rs"),
    ("llvm.debugtrap", "optimise/answer_fills.rs"),
    ("llvm.nvvm.exit", "optimise/answer_fills.rs"),
    ("llvm.assume", "optimise/explain_loops/, optimise/join_checks/kind.rs"),
    ("llvm.experimental.noalias.scope.decl", "optimise/join_checks/kind.rs"),
    ("llvm.abs", "optimise/prove_checks/"),
    ("llvm.smax", "optimise/prove_checks/"),
    ("llvm.smin", "optimise/prove_checks/"),
    ("llvm.umax", "optimise/prove_checks/"),
    ("llvm.umin", "optimise/prove_checks/"),
    ("llvm.usub.sat", "optimise/prove_checks/"),
    ("llvm.uadd.sat", "optimise/prove_checks/"),
    ("llvm.umul.with.overflow", "optimise/prove_checks/"),
    ("llvm.minnum", "optimise/prove_checks/"),
    ("llvm.maxnum", "optimise/prove_checks/"),
    ("llvm.nvvm.read.ptx.sreg.ntid.x", "optimise/prove_checks/"),
    ("llvm.nvvm.read.ptx.sreg.ntid.y", "optimise/prove_checks/"),
    ("llvm.nvvm.read.ptx.sreg.ntid.z", "optimise/prove_checks/"),
    ("llvm.nvvm.read.ptx.sreg.nctaid.x", "optimise/prove_checks/"),
    ("llvm.nvvm.read.ptx.sreg.nctaid.y", "optimise/prove_checks/"),
    ("llvm.nvvm.read.ptx.sreg.nctaid.z", "optimise/prove_checks/"),
    ("llvm.nvvm.isspacep.local", "lower/guard_private_atomics.rs"),
    ("llvm.nvvm.sqrt.rn.f", "lower/hide_square_roots.rs"),
    ("llvm.nvvm.sqrt.rn.d", "lower/hide_square_roots.rs"),
    ("llvm.nvvm.read.ptx.sreg.dynamic_smem_size", "lower/move_large_arrays.rs"),
    ("llvm.sqrt", "lower/hide_square_roots.rs, lower/replace_foreign.rs"),
    ("llvm.fma", "lower/replace_foreign.rs"),
    ("llvm.fptoui.sat", "lower/redirect_runtime.rs, optimise/convert_floats.rs"),
    ("llvm.fptosi.sat", "lower/redirect_runtime.rs, optimise/convert_floats.rs"),
    (
        "llvm.memcpy",
        "reject/host_functions.rs, optimise/rejoin_panics/, optimise/split_iterators.rs",
    ),
    ("llvm.memmove", "optimise/rejoin_panics/, optimise/split_iterators.rs"),
    ("llvm.memset", "lower/pointers.rs, optimise/rejoin_panics/, optimise/split_iterators.rs"),
    ("llvm.sadd.with.overflow", "optimise/affine.rs"),
    ("llvm.uadd.with.overflow", "optimise/affine.rs"),
    ("llvm.lifetime.start", "lower/pointers.rs"),
    ("llvm.lifetime.end", "lower/pointers.rs"),
    ("llvm.threadlocal.address", "lower/replace_foreign.rs"),
    ("llvm.nvvm.barrier.cta.sync.all", "optimise/answer_fills.rs"),
    (
        "llvm.nvvm.barrier.cta.sync.aligned.all",
        "reject/divergence/mod.rs, optimise/answer_fills.rs",
    ),
    ("llvm.nvvm.barrier.cta.red.popc.aligned.all", "reject/divergence/mod.rs"),
    ("llvm.nvvm.barrier.cta.red.and.aligned.all", "reject/divergence/mod.rs"),
    ("llvm.nvvm.barrier.cta.red.or.aligned.all", "reject/divergence/mod.rs"),
    ("llvm.nvvm.bar.warp.sync", "reject/divergence/mod.rs"),
    ("llvm.nvvm.shfl.sync.idx.i32", "reject/divergence/mod.rs"),
    ("llvm.nvvm.shfl.sync.up.i32", "reject/divergence/mod.rs"),
    ("llvm.nvvm.shfl.sync.down.i32", "reject/divergence/mod.rs"),
    ("llvm.nvvm.shfl.sync.bfly.i32", "reject/divergence/mod.rs"),
    ("llvm.nvvm.vote.all.sync", "reject/divergence/mod.rs"),
    ("llvm.nvvm.vote.any.sync", "reject/divergence/mod.rs"),
    ("llvm.nvvm.vote.uni.sync", "reject/divergence/mod.rs"),
    ("llvm.nvvm.vote.ballot.sync", "reject/divergence/mod.rs"),
    ("llvm.nvvm.match.any.sync.i32", "reject/divergence/mod.rs"),
    ("llvm.nvvm.match.any.sync.i64", "reject/divergence/mod.rs"),
    ("llvm.nvvm.redux.sync.add", "optimise/load_early.rs"),
    ("llvm.nvvm.read.ptx.sreg.ctaid.x", "optimise/narrow_indices.rs"),
    ("llvm.nvvm.read.ptx.sreg.nctaid.x", "optimise/narrow_indices.rs"),
    ("llvm.nvvm.read.ptx.sreg.laneid", "reject/divergence/lanes.rs"),
    ("llvm.nvvm.read.ptx.sreg.tid.x", "reject/divergence/lanes.rs"),
    ("llvm.nvvm.read.ptx.sreg.tid.y", "reject/divergence/lanes.rs"),
    ("llvm.nvvm.read.ptx.sreg.tid.z", "reject/divergence/lanes.rs"),
    ("llvm.nvvm.read.ptx.sreg.ntid.x", "reject/divergence/lanes.rs"),
    ("llvm.nvvm.read.ptx.sreg.ntid.y", "reject/divergence/lanes.rs"),
    ("llvm.nvvm.read.ptx.sreg.ntid.z", "reject/divergence/lanes.rs"),
];

/// Kinds of metadata. LLVM accepts any name, but only its own mean something.
pub(crate) const METADATA: [(&str, &str); 2] = [
    ("range", "lower/lower_intrinsics.rs"),
    ("llvm.loop", "lower/mark_unrolled_loops.rs, optimise/unroll_checked_loops.rs"),
];

/// The calling convention of C and that of PTX kernels (`CallingConv::PTX_Kernel`), with LLVM's words for
/// them.
pub(crate) const C_CONVENTION: u32 = 0;
pub(crate) const KERNEL_CONVENTION: u32 = 71;
pub(crate) const KERNEL_CONVENTION_NAME: &str = "ptx_kernel";

/// The attribute of a kernel's parameter that the backend leaves where it is although its address is taken.
pub(crate) const GRID_CONSTANT: &str = "nvvm.grid_constant";

/// The synchronisation scope of fences that only the compiler sees.
pub(crate) const SINGLE_THREAD: &str = "singlethread";

/// Passes that several steps run.
pub(crate) const TAKE_IN: &str = "always-inline";
pub(crate) const TAKE_IN_AND_DROP: &str = "always-inline,globaldce";
pub(crate) const DROP_UNUSED: &str = "globaldce";
