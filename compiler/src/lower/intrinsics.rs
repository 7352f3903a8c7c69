//! What each device intrinsic becomes: one row each, in the order of `device-std/src/intrinsics.rs`.
//!
//! A row is all that a new intrinsic needs here; `docs/` has the worked case. Types come from the
//! declaration. Where an LLVM intrinsic takes or gives an `i1`, the declaration has an `i32` and
//! the lowering converts (non-zero is true).

use ptyx_image::Arch;

use super::needs::Needs;

/// How a call of an intrinsic is lowered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Lowering {
    /// A call of this LLVM intrinsic with the same arguments.
    Nvvm(&'static str),
    /// Convergent inline PTX with side effects: `$0` is the result, the arguments follow (`$0` is
    /// the first argument when there is no result). LLVM's constraint letters: `h` `r` `l` `f` `d`.
    Asm { template: &'static str, constraints: &'static str, needs: Needs },
    /// Inline PTX that only computes: calls that nobody uses go away, equal ones become one.
    Pure { template: &'static str, constraints: &'static str, needs: Needs },
    /// `atomicrmw`, monotonic, of device scope, on the first argument.
    Rmw(RmwOp),
    /// A sequentially consistent `fence` with this synchronisation scope (empty: the system).
    Fence(&'static str),
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

use Lowering::{Asm, Fence, Nvvm, Pure, Rmw};

/// Scoped atomics: PTX ISA, `atom`.
const SCOPED: Needs = Needs { arch: Arch::portable(70), ptx: 60 };
/// PTX ISA, `match.sync`.
const MATCH: Needs = Needs { arch: Arch::portable(70), ptx: 60 };

/// PTX ISA, `redux.sync`.
const REDUX: Needs = Needs { arch: Arch::portable(80), ptx: 70 };

/// PTX ISA, `tanh`.
const TANH: Needs = Needs { arch: Arch::portable(75), ptx: 70 };

/// What every architecture has that Ptyx compiles for.
const NOTHING: Needs = Needs::NOTHING;

/// Writes three special registers to the address `$0` (PTX ISA 10.1 and 10.3).
macro_rules! write_index {
    ($register:literal) => {
        concat!(
            "{ .reg .b32 %index; mov.u32 %index, %",
            $register,
            ".x; st.volatile.b32 [$0], %index; mov.u32 %index, %",
            $register,
            ".y; st.volatile.b32 [$0+4], %index; mov.u32 %index, %",
            $register,
            ".z; st.volatile.b32 [$0+8], %index; }"
        )
    };
}

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

    // Arithmetic with a direction of rounding (PTX ISA 9.7.3: `.rn`, `.rz`, `.rp`, `.rm`).
    ("__ptyx_add_rn_f32", Nvvm("llvm.nvvm.add.rn.f")),
    ("__ptyx_add_rz_f32", Nvvm("llvm.nvvm.add.rz.f")),
    ("__ptyx_add_ru_f32", Nvvm("llvm.nvvm.add.rp.f")),
    ("__ptyx_add_rd_f32", Nvvm("llvm.nvvm.add.rm.f")),
    ("__ptyx_add_rn_f64", Nvvm("llvm.nvvm.add.rn.d")),
    ("__ptyx_add_rz_f64", Nvvm("llvm.nvvm.add.rz.d")),
    ("__ptyx_add_ru_f64", Nvvm("llvm.nvvm.add.rp.d")),
    ("__ptyx_add_rd_f64", Nvvm("llvm.nvvm.add.rm.d")),
    ("__ptyx_mul_rn_f32", Nvvm("llvm.nvvm.mul.rn.f")),
    ("__ptyx_mul_rz_f32", Nvvm("llvm.nvvm.mul.rz.f")),
    ("__ptyx_mul_ru_f32", Nvvm("llvm.nvvm.mul.rp.f")),
    ("__ptyx_mul_rd_f32", Nvvm("llvm.nvvm.mul.rm.f")),
    ("__ptyx_mul_rn_f64", Nvvm("llvm.nvvm.mul.rn.d")),
    ("__ptyx_mul_rz_f64", Nvvm("llvm.nvvm.mul.rz.d")),
    ("__ptyx_mul_ru_f64", Nvvm("llvm.nvvm.mul.rp.d")),
    ("__ptyx_mul_rd_f64", Nvvm("llvm.nvvm.mul.rm.d")),
    ("__ptyx_fma_rn_f32", Nvvm("llvm.nvvm.fma.rn.f")),
    ("__ptyx_fma_rz_f32", Nvvm("llvm.nvvm.fma.rz.f")),
    ("__ptyx_fma_ru_f32", Nvvm("llvm.nvvm.fma.rp.f")),
    ("__ptyx_fma_rd_f32", Nvvm("llvm.nvvm.fma.rm.f")),
    ("__ptyx_fma_rn_f64", Nvvm("llvm.nvvm.fma.rn.d")),
    ("__ptyx_fma_rz_f64", Nvvm("llvm.nvvm.fma.rz.d")),
    ("__ptyx_fma_ru_f64", Nvvm("llvm.nvvm.fma.rp.d")),
    ("__ptyx_fma_rd_f64", Nvvm("llvm.nvvm.fma.rm.d")),
    ("__ptyx_div_rn_f32", Nvvm("llvm.nvvm.div.rn.f")),
    ("__ptyx_div_rz_f32", Nvvm("llvm.nvvm.div.rz.f")),
    ("__ptyx_div_ru_f32", Nvvm("llvm.nvvm.div.rp.f")),
    ("__ptyx_div_rd_f32", Nvvm("llvm.nvvm.div.rm.f")),
    ("__ptyx_div_rn_f64", Nvvm("llvm.nvvm.div.rn.d")),
    ("__ptyx_div_rz_f64", Nvvm("llvm.nvvm.div.rz.d")),
    ("__ptyx_div_ru_f64", Nvvm("llvm.nvvm.div.rp.d")),
    ("__ptyx_div_rd_f64", Nvvm("llvm.nvvm.div.rm.d")),
    ("__ptyx_rcp_rn_f32", Nvvm("llvm.nvvm.rcp.rn.f")),
    ("__ptyx_rcp_rz_f32", Nvvm("llvm.nvvm.rcp.rz.f")),
    ("__ptyx_rcp_ru_f32", Nvvm("llvm.nvvm.rcp.rp.f")),
    ("__ptyx_rcp_rd_f32", Nvvm("llvm.nvvm.rcp.rm.f")),
    ("__ptyx_rcp_rn_f64", Nvvm("llvm.nvvm.rcp.rn.d")),
    ("__ptyx_rcp_rz_f64", Nvvm("llvm.nvvm.rcp.rz.d")),
    ("__ptyx_rcp_ru_f64", Nvvm("llvm.nvvm.rcp.rp.d")),
    ("__ptyx_rcp_rd_f64", Nvvm("llvm.nvvm.rcp.rm.d")),
    ("__ptyx_sqrt_rn_f32", Nvvm("llvm.nvvm.sqrt.rn.f")),
    ("__ptyx_sqrt_rz_f32", Nvvm("llvm.nvvm.sqrt.rz.f")),
    ("__ptyx_sqrt_ru_f32", Nvvm("llvm.nvvm.sqrt.rp.f")),
    ("__ptyx_sqrt_rd_f32", Nvvm("llvm.nvvm.sqrt.rm.f")),
    ("__ptyx_sqrt_rn_f64", Nvvm("llvm.nvvm.sqrt.rn.d")),
    ("__ptyx_sqrt_rz_f64", Nvvm("llvm.nvvm.sqrt.rz.d")),
    ("__ptyx_sqrt_ru_f64", Nvvm("llvm.nvvm.sqrt.rp.d")),
    ("__ptyx_sqrt_rd_f64", Nvvm("llvm.nvvm.sqrt.rm.d")),

    // Conversions with a direction of rounding (PTX ISA, `cvt`).
    ("__ptyx_f64_to_f32_rn", Nvvm("llvm.nvvm.d2f.rn")),
    ("__ptyx_f64_to_f32_rz", Nvvm("llvm.nvvm.d2f.rz")),
    ("__ptyx_f64_to_f32_ru", Nvvm("llvm.nvvm.d2f.rp")),
    ("__ptyx_f64_to_f32_rd", Nvvm("llvm.nvvm.d2f.rm")),
    ("__ptyx_f32_to_i32_rn", Nvvm("llvm.nvvm.f2i.rn")),
    ("__ptyx_f32_to_i32_rz", Nvvm("llvm.nvvm.f2i.rz")),
    ("__ptyx_f32_to_i32_ru", Nvvm("llvm.nvvm.f2i.rp")),
    ("__ptyx_f32_to_i32_rd", Nvvm("llvm.nvvm.f2i.rm")),
    ("__ptyx_f32_to_u32_rn", Nvvm("llvm.nvvm.f2ui.rn")),
    ("__ptyx_f32_to_u32_rz", Nvvm("llvm.nvvm.f2ui.rz")),
    ("__ptyx_f32_to_u32_ru", Nvvm("llvm.nvvm.f2ui.rp")),
    ("__ptyx_f32_to_u32_rd", Nvvm("llvm.nvvm.f2ui.rm")),
    ("__ptyx_f32_to_i64_rn", Nvvm("llvm.nvvm.f2ll.rn")),
    ("__ptyx_f32_to_i64_rz", Nvvm("llvm.nvvm.f2ll.rz")),
    ("__ptyx_f32_to_i64_ru", Nvvm("llvm.nvvm.f2ll.rp")),
    ("__ptyx_f32_to_i64_rd", Nvvm("llvm.nvvm.f2ll.rm")),
    ("__ptyx_f32_to_u64_rn", Nvvm("llvm.nvvm.f2ull.rn")),
    ("__ptyx_f32_to_u64_rz", Nvvm("llvm.nvvm.f2ull.rz")),
    ("__ptyx_f32_to_u64_ru", Nvvm("llvm.nvvm.f2ull.rp")),
    ("__ptyx_f32_to_u64_rd", Nvvm("llvm.nvvm.f2ull.rm")),
    ("__ptyx_f64_to_i32_rn", Nvvm("llvm.nvvm.d2i.rn")),
    ("__ptyx_f64_to_i32_rz", Nvvm("llvm.nvvm.d2i.rz")),
    ("__ptyx_f64_to_i32_ru", Nvvm("llvm.nvvm.d2i.rp")),
    ("__ptyx_f64_to_i32_rd", Nvvm("llvm.nvvm.d2i.rm")),
    ("__ptyx_f64_to_u32_rn", Nvvm("llvm.nvvm.d2ui.rn")),
    ("__ptyx_f64_to_u32_rz", Nvvm("llvm.nvvm.d2ui.rz")),
    ("__ptyx_f64_to_u32_ru", Nvvm("llvm.nvvm.d2ui.rp")),
    ("__ptyx_f64_to_u32_rd", Nvvm("llvm.nvvm.d2ui.rm")),
    ("__ptyx_f64_to_i64_rn", Nvvm("llvm.nvvm.d2ll.rn")),
    ("__ptyx_f64_to_i64_rz", Nvvm("llvm.nvvm.d2ll.rz")),
    ("__ptyx_f64_to_i64_ru", Nvvm("llvm.nvvm.d2ll.rp")),
    ("__ptyx_f64_to_i64_rd", Nvvm("llvm.nvvm.d2ll.rm")),
    ("__ptyx_f64_to_u64_rn", Nvvm("llvm.nvvm.d2ull.rn")),
    ("__ptyx_f64_to_u64_rz", Nvvm("llvm.nvvm.d2ull.rz")),
    ("__ptyx_f64_to_u64_ru", Nvvm("llvm.nvvm.d2ull.rp")),
    ("__ptyx_f64_to_u64_rd", Nvvm("llvm.nvvm.d2ull.rm")),
    ("__ptyx_i32_to_f32_rn", Nvvm("llvm.nvvm.i2f.rn")),
    ("__ptyx_i32_to_f32_rz", Nvvm("llvm.nvvm.i2f.rz")),
    ("__ptyx_i32_to_f32_ru", Nvvm("llvm.nvvm.i2f.rp")),
    ("__ptyx_i32_to_f32_rd", Nvvm("llvm.nvvm.i2f.rm")),
    ("__ptyx_u32_to_f32_rn", Nvvm("llvm.nvvm.ui2f.rn")),
    ("__ptyx_u32_to_f32_rz", Nvvm("llvm.nvvm.ui2f.rz")),
    ("__ptyx_u32_to_f32_ru", Nvvm("llvm.nvvm.ui2f.rp")),
    ("__ptyx_u32_to_f32_rd", Nvvm("llvm.nvvm.ui2f.rm")),
    ("__ptyx_i64_to_f32_rn", Nvvm("llvm.nvvm.ll2f.rn")),
    ("__ptyx_i64_to_f32_rz", Nvvm("llvm.nvvm.ll2f.rz")),
    ("__ptyx_i64_to_f32_ru", Nvvm("llvm.nvvm.ll2f.rp")),
    ("__ptyx_i64_to_f32_rd", Nvvm("llvm.nvvm.ll2f.rm")),
    ("__ptyx_u64_to_f32_rn", Nvvm("llvm.nvvm.ull2f.rn")),
    ("__ptyx_u64_to_f32_rz", Nvvm("llvm.nvvm.ull2f.rz")),
    ("__ptyx_u64_to_f32_ru", Nvvm("llvm.nvvm.ull2f.rp")),
    ("__ptyx_u64_to_f32_rd", Nvvm("llvm.nvvm.ull2f.rm")),
    ("__ptyx_i64_to_f64_rn", Nvvm("llvm.nvvm.ll2d.rn")),
    ("__ptyx_i64_to_f64_rz", Nvvm("llvm.nvvm.ll2d.rz")),
    ("__ptyx_i64_to_f64_ru", Nvvm("llvm.nvvm.ll2d.rp")),
    ("__ptyx_i64_to_f64_rd", Nvvm("llvm.nvvm.ll2d.rm")),
    ("__ptyx_u64_to_f64_rn", Nvvm("llvm.nvvm.ull2d.rn")),
    ("__ptyx_u64_to_f64_rz", Nvvm("llvm.nvvm.ull2d.rz")),
    ("__ptyx_u64_to_f64_ru", Nvvm("llvm.nvvm.ull2d.rp")),
    ("__ptyx_u64_to_f64_rd", Nvvm("llvm.nvvm.ull2d.rm")),

    // Approximations (PTX ISA 9.7.3: `.approx`).
    ("__ptyx_sin_approx", Nvvm("llvm.nvvm.sin.approx.f")),
    ("__ptyx_cos_approx", Nvvm("llvm.nvvm.cos.approx.f")),
    ("__ptyx_lg2_approx", Nvvm("llvm.nvvm.lg2.approx.f")),
    ("__ptyx_sqrt_approx", Nvvm("llvm.nvvm.sqrt.approx.f")),
    ("__ptyx_rsqrt_approx", Nvvm("llvm.nvvm.rsqrt.approx.f")),
    ("__ptyx_div_approx", Nvvm("llvm.nvvm.div.approx.f")),
    ("__ptyx_ex2_approx", Pure { template: "ex2.approx.f32 $0, $1;", constraints: "=f,f", needs: NOTHING }),
    ("__ptyx_rcp_approx", Pure { template: "rcp.approx.f32 $0, $1;", constraints: "=f,f", needs: NOTHING }),
    ("__ptyx_tanh_approx", Pure { template: "tanh.approx.f32 $0, $1;", constraints: "=f,f", needs: TANH }),
    ("__ptyx_rint_f32", Pure { template: "cvt.rni.f32.f32 $0, $1;", constraints: "=f,f", needs: NOTHING }),
    ("__ptyx_rint_f64", Pure { template: "cvt.rni.f64.f64 $0, $1;", constraints: "=d,d", needs: NOTHING }),
    ("__ptyx_saturate_f32", Nvvm("llvm.nvvm.saturate.f")),
    ("__ptyx_saturate_f64", Nvvm("llvm.nvvm.saturate.d")),

    ("__ptyx_volatile_load_u32", Asm { template: "ld.volatile.b32 $0, [$1];", constraints: "=r,l,~{memory}", needs: NOTHING }),
    ("__ptyx_volatile_store_u32", Asm { template: "st.volatile.b32 [$0], $1;", constraints: "l,r,~{memory}", needs: NOTHING }),
    ("__ptyx_release_store_u32", Asm { template: "st.release.sys.b32 [$0], $1;", constraints: "l,r,~{memory}", needs: NOTHING }),
    ("__ptyx_volatile_store_u64", Asm { template: "st.volatile.b64 [$0], $1;", constraints: "l,l,~{memory}", needs: NOTHING }),

    // A thread's place, for panics: through one register, and read again even if it was read before.
    ("__ptyx_write_block_index", Asm { template: write_index!("ctaid"), constraints: "l,~{memory}", needs: NOTHING }),
    ("__ptyx_write_thread_index", Asm { template: write_index!("tid"), constraints: "l,~{memory}", needs: NOTHING }),

    // Integers (PTX ISA 9.7.1, 9.7.8).
    ("__ptyx_byte_perm", Nvvm("llvm.nvvm.prmt")),
    ("__ptyx_sad_i32", Nvvm("llvm.nvvm.sad.i")),
    ("__ptyx_sad_u32", Nvvm("llvm.nvvm.sad.ui")),
    ("__ptyx_dp4a_i32", Pure { template: "dp4a.s32.s32 $0, $1, $2, $3;", constraints: "=r,r,r,r", needs: NOTHING }),
    ("__ptyx_dp2a_lo_i32", Pure { template: "dp2a.lo.s32.s32 $0, $1, $2, $3;", constraints: "=r,r,r,r", needs: NOTHING }),
    ("__ptyx_dp2a_hi_i32", Pure { template: "dp2a.hi.s32.s32 $0, $1, $2, $3;", constraints: "=r,r,r,r", needs: NOTHING }),
    ("__ptyx_dp4a_u32", Pure { template: "dp4a.u32.u32 $0, $1, $2, $3;", constraints: "=r,r,r,r", needs: NOTHING }),
    ("__ptyx_dp2a_lo_u32", Pure { template: "dp2a.lo.u32.u32 $0, $1, $2, $3;", constraints: "=r,r,r,r", needs: NOTHING }),
    ("__ptyx_dp2a_hi_u32", Pure { template: "dp2a.hi.u32.u32 $0, $1, $2, $3;", constraints: "=r,r,r,r", needs: NOTHING }),
    ("__ptyx_funnel_l_wrap", Pure { template: "shf.l.wrap.b32 $0, $1, $2, $3;", constraints: "=r,r,r,r", needs: NOTHING }),
    ("__ptyx_funnel_l_clamp", Pure { template: "shf.l.clamp.b32 $0, $1, $2, $3;", constraints: "=r,r,r,r", needs: NOTHING }),
    ("__ptyx_funnel_r_wrap", Pure { template: "shf.r.wrap.b32 $0, $1, $2, $3;", constraints: "=r,r,r,r", needs: NOTHING }),
    ("__ptyx_funnel_r_clamp", Pure { template: "shf.r.clamp.b32 $0, $1, $2, $3;", constraints: "=r,r,r,r", needs: NOTHING }),
];
