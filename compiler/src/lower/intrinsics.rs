//! What each device intrinsic becomes: one row each, in the order of `device-std/src/intrinsics.rs`.
//!
//! A row is all that a new intrinsic needs here; `docs/` has the worked case. Types come from the
//! declaration. Where an LLVM intrinsic takes or gives an `i1`, the declaration has an `i32` and
//! the lowering converts (non-zero is true).

/// How a call of an intrinsic is lowered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Lowering {
    /// A call of this LLVM intrinsic with the same arguments.
    Nvvm(&'static str),
    /// Convergent inline PTX with side effects: `$0` is the result, the arguments follow (`$0` is
    /// the first argument when there is no result). LLVM's constraint letters: `h` `r` `l` `f` `d`.
    Asm { template: &'static str, constraints: &'static str, needs: Needs },
    /// `atomicrmw`, monotonic, of device scope, on the first argument.
    Rmw(RmwOp),
    /// A sequentially consistent `fence` with this synchronisation scope (empty: the system).
    Fence(&'static str),
}

/// The least architecture (80 for `sm_80`) and PTX version (70 for 7.0) that an instruction needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Needs {
    pub(crate) sm: u32,
    pub(crate) ptx: u32,
}

impl Needs {
    /// Raises it to what `other` needs.
    pub(crate) fn raise(&mut self, other: Needs) {
        self.sm = self.sm.max(other.sm);
        self.ptx = self.ptx.max(other.ptx);
    }
}

/// The operation of an `atomicrmw`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RmwOp {
    Exchange,
    Add,
    Sub,
    And,
    Or,
    Xor,
    /// Signed.
    Max,
    /// Signed.
    Min,
    UMax,
    UMin,
    FAdd,
    /// Up to the operand, then 0.
    IncrementWrap,
    /// Down to 0, then the operand.
    DecrementWrap,
}

use Lowering::{Asm, Fence, Nvvm, Rmw};

/// Scoped atomics: PTX ISA, `atom`.
const SCOPED: Needs = Needs { sm: 70, ptx: 60 };
/// PTX ISA, `match.sync`.
const MATCH: Needs = Needs { sm: 70, ptx: 60 };

/// PTX ISA, `redux.sync`.
const REDUX: Needs = Needs { sm: 80, ptx: 70 };

/// Every intrinsic that `ptyx-device` declares.
#[rustfmt::skip]
pub(crate) const INTRINSICS: &[(&str, Lowering)] = &[
    ("__ptyx_tid_x", Nvvm("llvm.nvvm.read.ptx.sreg.tid.x")),
    ("__ptyx_tid_y", Nvvm("llvm.nvvm.read.ptx.sreg.tid.y")),
    ("__ptyx_tid_z", Nvvm("llvm.nvvm.read.ptx.sreg.tid.z")),
    ("__ptyx_ntid_x", Nvvm("llvm.nvvm.read.ptx.sreg.ntid.x")),
    ("__ptyx_ntid_y", Nvvm("llvm.nvvm.read.ptx.sreg.ntid.y")),
    ("__ptyx_ntid_z", Nvvm("llvm.nvvm.read.ptx.sreg.ntid.z")),
    ("__ptyx_ctaid_x", Nvvm("llvm.nvvm.read.ptx.sreg.ctaid.x")),
    ("__ptyx_ctaid_y", Nvvm("llvm.nvvm.read.ptx.sreg.ctaid.y")),
    ("__ptyx_ctaid_z", Nvvm("llvm.nvvm.read.ptx.sreg.ctaid.z")),
    ("__ptyx_nctaid_x", Nvvm("llvm.nvvm.read.ptx.sreg.nctaid.x")),
    ("__ptyx_nctaid_y", Nvvm("llvm.nvvm.read.ptx.sreg.nctaid.y")),
    ("__ptyx_nctaid_z", Nvvm("llvm.nvvm.read.ptx.sreg.nctaid.z")),
    ("__ptyx_laneid", Nvvm("llvm.nvvm.read.ptx.sreg.laneid")),
    ("__ptyx_lanemask_eq", Nvvm("llvm.nvvm.read.ptx.sreg.lanemask.eq")),
    ("__ptyx_lanemask_lt", Nvvm("llvm.nvvm.read.ptx.sreg.lanemask.lt")),
    ("__ptyx_lanemask_le", Nvvm("llvm.nvvm.read.ptx.sreg.lanemask.le")),
    ("__ptyx_lanemask_gt", Nvvm("llvm.nvvm.read.ptx.sreg.lanemask.gt")),
    ("__ptyx_lanemask_ge", Nvvm("llvm.nvvm.read.ptx.sreg.lanemask.ge")),
    ("__ptyx_dynamic_smem_size", Nvvm("llvm.nvvm.read.ptx.sreg.dynamic_smem_size")),

    ("__ptyx_barrier", Nvvm("llvm.nvvm.barrier.cta.sync.aligned.all")),
    ("__ptyx_barrier_count", Nvvm("llvm.nvvm.barrier.cta.red.popc.aligned.all")),
    ("__ptyx_barrier_and", Nvvm("llvm.nvvm.barrier.cta.red.and.aligned.all")),
    ("__ptyx_barrier_or", Nvvm("llvm.nvvm.barrier.cta.red.or.aligned.all")),
    ("__ptyx_warp_barrier", Nvvm("llvm.nvvm.bar.warp.sync")),
    ("__ptyx_fence_block", Fence("block")),
    ("__ptyx_fence_device", Fence("device")),
    ("__ptyx_fence_system", Fence("")),

    ("__ptyx_active_mask", Nvvm("llvm.nvvm.activemask")),
    ("__ptyx_vote_all", Nvvm("llvm.nvvm.vote.all.sync")),
    ("__ptyx_vote_any", Nvvm("llvm.nvvm.vote.any.sync")),
    ("__ptyx_vote_uni", Nvvm("llvm.nvvm.vote.uni.sync")),
    ("__ptyx_vote_ballot", Nvvm("llvm.nvvm.vote.ballot.sync")),
    ("__ptyx_match_any_32", Nvvm("llvm.nvvm.match.any.sync.i32")),
    ("__ptyx_match_any_64", Nvvm("llvm.nvvm.match.any.sync.i64")),
    ("__ptyx_match_all_32", Asm { template: "match.all.sync.b32 $0, $2, $1;", constraints: "=r,r,r", needs: MATCH }),
    ("__ptyx_match_all_64", Asm { template: "match.all.sync.b64 $0, $2, $1;", constraints: "=r,r,l", needs: MATCH }),

    ("__ptyx_shuffle_index", Nvvm("llvm.nvvm.shfl.sync.idx.i32")),
    ("__ptyx_shuffle_up", Nvvm("llvm.nvvm.shfl.sync.up.i32")),
    ("__ptyx_shuffle_down", Nvvm("llvm.nvvm.shfl.sync.down.i32")),
    ("__ptyx_shuffle_xor", Nvvm("llvm.nvvm.shfl.sync.bfly.i32")),

    ("__ptyx_reduce_add", Asm { template: "redux.sync.add.u32 $0, $2, $1;", constraints: "=r,r,r", needs: REDUX }),
    ("__ptyx_reduce_and", Asm { template: "redux.sync.and.b32 $0, $2, $1;", constraints: "=r,r,r", needs: REDUX }),
    ("__ptyx_reduce_or", Asm { template: "redux.sync.or.b32 $0, $2, $1;", constraints: "=r,r,r", needs: REDUX }),
    ("__ptyx_reduce_xor", Asm { template: "redux.sync.xor.b32 $0, $2, $1;", constraints: "=r,r,r", needs: REDUX }),
    ("__ptyx_reduce_min_u32", Asm { template: "redux.sync.min.u32 $0, $2, $1;", constraints: "=r,r,r", needs: REDUX }),
    ("__ptyx_reduce_min_i32", Asm { template: "redux.sync.min.s32 $0, $2, $1;", constraints: "=r,r,r", needs: REDUX }),
    ("__ptyx_reduce_max_u32", Asm { template: "redux.sync.max.u32 $0, $2, $1;", constraints: "=r,r,r", needs: REDUX }),
    ("__ptyx_reduce_max_i32", Asm { template: "redux.sync.max.s32 $0, $2, $1;", constraints: "=r,r,r", needs: REDUX }),

    ("__ptyx_atomic_add_u32", Rmw(RmwOp::Add)),
    ("__ptyx_atomic_add_u64", Rmw(RmwOp::Add)),
    ("__ptyx_atomic_add_f32", Rmw(RmwOp::FAdd)),
    ("__ptyx_atomic_add_f64", Rmw(RmwOp::FAdd)),
    ("__ptyx_atomic_sub_u32", Rmw(RmwOp::Sub)),
    ("__ptyx_atomic_sub_u64", Rmw(RmwOp::Sub)),
    ("__ptyx_atomic_and_u32", Rmw(RmwOp::And)),
    ("__ptyx_atomic_and_u64", Rmw(RmwOp::And)),
    ("__ptyx_atomic_or_u32", Rmw(RmwOp::Or)),
    ("__ptyx_atomic_or_u64", Rmw(RmwOp::Or)),
    ("__ptyx_atomic_xor_u32", Rmw(RmwOp::Xor)),
    ("__ptyx_atomic_xor_u64", Rmw(RmwOp::Xor)),
    ("__ptyx_atomic_min_u32", Rmw(RmwOp::UMin)),
    ("__ptyx_atomic_min_u64", Rmw(RmwOp::UMin)),
    ("__ptyx_atomic_min_i32", Rmw(RmwOp::Min)),
    ("__ptyx_atomic_min_i64", Rmw(RmwOp::Min)),
    ("__ptyx_atomic_max_u32", Rmw(RmwOp::UMax)),
    ("__ptyx_atomic_max_u64", Rmw(RmwOp::UMax)),
    ("__ptyx_atomic_max_i32", Rmw(RmwOp::Max)),
    ("__ptyx_atomic_max_i64", Rmw(RmwOp::Max)),
    ("__ptyx_atomic_inc_u32", Rmw(RmwOp::IncrementWrap)),
    ("__ptyx_atomic_dec_u32", Rmw(RmwOp::DecrementWrap)),
    ("__ptyx_atomic_exchange_u32", Rmw(RmwOp::Exchange)),
    ("__ptyx_atomic_exchange_u64", Rmw(RmwOp::Exchange)),
    ("__ptyx_atomic_cas_u32", Asm { template: "atom.relaxed.gpu.cas.b32 $0, [$1], $2, $3;", constraints: "=r,l,r,r,~{memory}", needs: SCOPED }),
    ("__ptyx_atomic_cas_u64", Asm { template: "atom.relaxed.gpu.cas.b64 $0, [$1], $2, $3;", constraints: "=l,l,l,l,~{memory}", needs: SCOPED }),
];
