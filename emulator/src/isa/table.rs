//! The instruction table: the only list of instructions.
//!
//! A row is a mnemonic, modifiers (see [`super::pattern`]), the operands' roles and the semantic
//! function. The first row that matches an instruction counts. Roles of operands, in order:
//!
//! | role | operand |
//! |---|---|
//! | `d` `s` | destination, source of the instruction's (last named) type |
//! | `d16` `s32` .. | the same of that many bits, whatever the type |
//! | `dw` `sw` | of twice the type's size |
//! | `da` `sa` | of the size of the first type named |
//! | `dp` `sp` | predicate; `dpp` one or a pair `p\|q` |
//! | `dx` | destination with an optional predicate, `d\|p` |
//! | `-` | a cache policy, which means nothing here |
//! | `ms` `mg` `m` | address in shared memory, in global memory, in the space that is named; it becomes generic |
//!
//! A `?` at the end: the operand may be missing. Rows with `lower` lower themselves. To add an
//! instruction: a row here, its semantic function under `exec/ops/`, and a test under `tests/ptx/`.

use super::{Lowering, Meaning, Row};
use crate::exec::ops::*;

macro_rules! instructions {
    ($( $mnemonic:literal $modifiers:literal $operands:literal $kind:ident $function:path; )*) => {
        /// Every instruction of the emulated device.
        pub(crate) static TABLE: &[Row] = &[ $( Row {
            mnemonic: $mnemonic,
            modifiers: $modifiers,
            operands: $operands,
            meaning: Meaning::$kind($function),
        } ),* ];
    };
}

instructions! {
    // 9.7.1 Integer arithmetic
    "add" "{.sat}.s32" "d s s" Exec integer::add;
    "add" ".INT|u16x2|s16x2" "d s s" Exec integer::add;
    "sub" "{.sat}.s32" "d s s" Exec integer::sub;
    "sub" ".INT" "d s s" Exec integer::sub;
    "mul" ".lo.INT" "d s s" Exec integer::mul_lo;
    "mul" ".hi.INT" "d s s" Exec integer::mul_hi;
    "mul" ".wide.u16|u32|s16|s32" "dw s s" Exec integer::mul_wide;
    "mad" ".lo.INT" "d s s s" Exec integer::mad_lo;
    "mad" ".hi{.sat}.INT" "d s s s" Exec integer::mad_hi;
    "mad" ".wide.u16|u32|s16|s32" "dw s s sw" Exec integer::mad_wide;
    "mul24" ".lo|hi.u32|s32" "d s s" Exec integer::mul24;
    "mad24" ".lo|hi{.sat}.u32|s32" "d s s s" Exec integer::mad24;
    "sad" ".INT" "d s s s" Exec integer::sad;
    "div" ".INT" "d s s" Exec integer::div;
    "rem" ".INT" "d s s" Exec integer::rem;
    "abs" ".SINT" "d s" Exec integer::abs;
    "neg" ".SINT" "d s" Exec integer::neg;
    "min" "{.relu}.s32" "d s s" Exec integer::min;
    "min" "{.relu}.s16x2" "d s s" Exec integer::min;
    "min" ".INT|u16x2" "d s s" Exec integer::min;
    "max" "{.relu}.s32" "d s s" Exec integer::max;
    "max" "{.relu}.s16x2" "d s s" Exec integer::max;
    "max" ".INT|u16x2" "d s s" Exec integer::max;
    "popc" ".b32|b64" "d32 s" Exec integer::popc;
    "clz" ".b32|b64" "d32 s" Exec integer::clz;
    "bfind" "{.shiftamt}.u32|u64|s32|s64" "d32 s" Exec integer::bfind;
    "fns" ".b32" "d32 s32 s32 s32" Exec integer::fns;
    "brev" ".b32|b64" "d s" Exec integer::brev;
    "bfe" ".u32|u64|s32|s64" "d s s32 s32" Exec integer::bfe;
    "bfi" ".b32|b64" "d s s s32 s32" Exec integer::bfi;
    "szext" "{.clamp|wrap}.u32|s32" "d s s32" Exec integer::szext;
    "bmsk" "{.clamp|wrap}.b32" "d s32 s32" Exec integer::bmsk;
    "dp4a" ".u32|s32.u32|s32" "d32 s32 s32 s32" Exec integer::dp4a;
    "dp2a" ".lo|hi.u32|s32.u32|s32" "d32 s32 s32 s32" Exec integer::dp2a;

    // 9.7.2 Extended-precision integer arithmetic
    "add" ".cc.u32|u64|s32|s64" "d s s" Exec carry::add_cc;
    "addc" "{.cc}.u32|u64|s32|s64" "d s s" Exec carry::addc;
    "sub" ".cc.u32|u64|s32|s64" "d s s" Exec carry::sub_cc;
    "subc" "{.cc}.u32|u64|s32|s64" "d s s" Exec carry::subc;
    "mad" ".lo|hi.cc.u32|u64|s32|s64" "d s s s" Exec carry::mad_cc;
    "madc" ".lo|hi{.cc}.u32|u64|s32|s64" "d s s s" Exec carry::madc;

    // 9.7.3 Floating point
    "testp" ".finite|infinite|number|notanumber|normal|subnormal.f32|f64" "dp s" Exec float::testp;
    "copysign" ".f32|f64" "d s s" Exec float::copysign;
    "add" "{.RND}{.ftz}{.sat}.f32|f64" "d s s" Exec float::add;
    "sub" "{.RND}{.ftz}{.sat}.f32|f64" "d s s" Exec float::sub;
    "mul" "{.RND}{.ftz}{.sat}.f32|f64" "d s s" Exec float::mul;
    "fma" ".RND{.ftz}{.sat}.f32|f64" "d s s s" Exec float::fma;
    "mad" "{.RND}{.ftz}{.sat}.f32|f64" "d s s s" Exec float::fma;
    "div" ".approx|full|RND{.ftz}.f32" "d s s" Exec float::div;
    "div" ".RND.f64" "d s s" Exec float::div;
    "abs" "{.ftz}.f32|f64" "d s" Exec float::abs;
    "neg" "{.ftz}.f32|f64" "d s" Exec float::neg;
    "min" "{.ftz}{.NaN}{.xorsign}{.abs}.f32" "d s s" Exec float::min;
    "min" ".f64" "d s s" Exec float::min;
    "max" "{.ftz}{.NaN}{.xorsign}{.abs}.f32" "d s s" Exec float::max;
    "max" ".f64" "d s s" Exec float::max;
    "rcp" ".approx|RND{.ftz}.f32" "d s" Exec float::rcp;
    "rcp" ".approx|RND{.ftz}.f64" "d s" Exec float::rcp;
    "sqrt" ".approx|RND{.ftz}.f32" "d s" Exec float::sqrt;
    "sqrt" ".RND.f64" "d s" Exec float::sqrt;
    "rsqrt" ".approx{.ftz}.f32|f64" "d s" Exec float::rsqrt;
    "sin" ".approx{.ftz}.f32" "d s" Exec float::sin;
    "cos" ".approx{.ftz}.f32" "d s" Exec float::cos;
    "lg2" ".approx{.ftz}.f32" "d s" Exec float::lg2;
    "ex2" ".approx{.ftz}.f32" "d s" Exec float::ex2;
    "tanh" ".approx.f32" "d s" Exec float::tanh;

    // 9.7.4 Half-precision floating point
    "add" "{.rn}{.ftz}{.sat}.HALF" "d s s" Exec half::add;
    "sub" "{.rn}{.ftz}{.sat}.HALF" "d s s" Exec half::sub;
    "mul" "{.rn}{.ftz}{.sat}.HALF" "d s s" Exec half::mul;
    "fma" ".rn{.ftz}{.sat|relu}.HALF" "d s s s" Exec half::fma;
    "fma" ".rn.oob{.relu}.HALF" "d s s s" Exec half::fma;
    "abs" "{.ftz}.HALF" "d s" Exec half::abs;
    "neg" "{.ftz}.HALF" "d s" Exec half::neg;
    "min" "{.ftz}{.NaN}{.xorsign}{.abs}.HALF" "d s s" Exec half::min;
    "max" "{.ftz}{.NaN}{.xorsign}{.abs}.HALF" "d s s" Exec half::max;
    "ex2" ".approx{.ftz}.HALF" "d s" Exec half::ex2;
    "tanh" ".approx.HALF" "d s" Exec half::tanh;

    // 9.7.6 Comparison and selection, 9.7.7 of half precision
    "setp" ".CMP{.BOOL}{.ftz}.ANY|HALF" "" Lower Lowering::Setp;
    "set" ".CMP{.BOOL}{.ftz}.u32|s32|f32.ANY" "" Lower Lowering::Set;
    "set" ".CMP{.BOOL}{.ftz}.u16|s16|u32|s32.f16|bf16" "" Lower Lowering::Set;
    "set" ".CMP{.BOOL}{.ftz}.f16.ANY|f16" "" Lower Lowering::Set;
    "set" ".CMP{.BOOL}{.ftz}.bf16.ANY|bf16" "" Lower Lowering::Set;
    "set" ".CMP{.BOOL}{.ftz}.u32|s32|f16x2.f16x2" "" Lower Lowering::Set;
    "set" ".CMP{.BOOL}{.ftz}.u32|s32|bf16x2.bf16x2" "" Lower Lowering::Set;
    "selp" ".ANY" "d s s sp" Exec compare::selp;
    "slct" "{.ftz}.ANY.s32|f32" "da sa sa s32" Exec compare::slct;

    // 9.7.8 Logic and shifts
    "and" ".BITS" "d s s" Exec integer::and;
    "or" ".BITS" "d s s" Exec integer::or;
    "xor" ".BITS" "d s s" Exec integer::xor;
    "not" ".BITS" "d s" Exec integer::not;
    "and" ".pred" "dp sp sp" Exec logic::and;
    "or" ".pred" "dp sp sp" Exec logic::or;
    "xor" ".pred" "dp sp sp" Exec logic::xor;
    "not" ".pred" "dp sp" Exec logic::not;
    "cnot" ".BITS" "d s" Exec integer::cnot;
    "lop3" ".b32" "d s s s s32" Exec logic::lop3;
    "lop3" ".or|and.b32" "" Lower Lowering::Lop3;
    "shl" ".BITS" "d s s32" Exec integer::shl;
    "shr" ".BITS|INT" "d s s32" Exec integer::shr;
    "shf" ".l|r.clamp|wrap.b32" "d s s s32" Exec integer::shf;

    // 9.7.9 Data movement and conversion
    "mov" ".pred" "dp sp" Exec logic::mov;
    "mov" ".ANY|b128" "" Lower Lowering::Mov;
    "shfl" ".sync.up|down|bfly|idx.b32" "dx s s32 s32 s32" Exec exchange::shfl;
    "prmt" ".b32{.f4e|b4e|rc8|ecl|ecr|rc16}" "d s s s" Exec integer::prmt;
    "ld" "{.weak}{.SPACE}{.LDCOP}{.L1}{.L2}{.L2::cache_hint}{.SIZE}{.VEC}.DATA" "" Lower Lowering::Load;
    "ld" ".volatile{.SPACE}{.SIZE}{.VEC}.DATA" "" Lower Lowering::Load;
    "ld" ".relaxed|acquire.SCOPE{.SPACE}{.L1}{.L2}{.L2::cache_hint}{.SIZE}{.VEC}.DATA" "" Lower Lowering::Load;
    "ld" ".mmio.relaxed.sys{.global}.DATA" "" Lower Lowering::Load;
    "ld" ".global{.LDCOP}.nc{.L1}{.L2}{.L2::cache_hint}{.SIZE}{.VEC}.DATA" "" Lower Lowering::Load;
    "ldu" "{.global}{.VEC}.DATA" "" Lower Lowering::Load;
    "st" "{.weak}{.SPACE}{.STCOP}{.L1}{.L2}{.L2::cache_hint}{.VEC}.DATA" "" Lower Lowering::Store;
    "st" ".volatile{.SPACE}{.VEC}.DATA" "" Lower Lowering::Store;
    "st" ".relaxed|release.SCOPE{.SPACE}{.L1}{.L2}{.L2::cache_hint}{.VEC}.DATA" "" Lower Lowering::Store;
    "st" ".mmio.relaxed.sys{.global}.DATA" "" Lower Lowering::Store;
    "prefetch" "{.global|local}.L1|L2" "" Lower Lowering::Ignored;
    "prefetch" ".global.L2::evict_last|L2::evict_normal" "" Lower Lowering::Ignored;
    "prefetch" "{.const|param}.tensormap" "" Lower Lowering::Ignored;
    "prefetchu" ".L1" "" Lower Lowering::Ignored;
    "applypriority" "{.global}.L2::evict_normal" "" Lower Lowering::Ignored;
    "discard" "{.global}.L2" "" Lower Lowering::Ignored;
    "createpolicy" ".fractional.L2::evict_last|L2::evict_normal|L2::evict_first|L2::evict_unchanged{.L2::evict_first|L2::evict_unchanged}.b64" "d s32?" Exec hint::policy;
    "createpolicy" ".range{.global}.L2::evict_last|L2::evict_normal|L2::evict_first|L2::evict_unchanged{.L2::evict_first|L2::evict_unchanged}.b64" "d m s32 s32" Exec hint::policy;
    "createpolicy" ".cvt.L2.b64" "d s64" Exec hint::policy;
    "isspacep" ".global|shared|shared::cta|shared::cluster|local|const|param|param::entry" "dp s64" Exec logic::isspacep;
    "istypep" ".texref|samplerref|surfref" "dp s64" Exec logic::istypep;
    "cvta" "{.to}.SPACE.u32|u64" "" Lower Lowering::Cvta;
    "cvt" "{.RND|IRND}{.ftz}{.sat}.CVT.CVT" "" Lower Lowering::Cvt;
    "cvt" ".rn|rz{.relu}{.satfinite}.HALF.f32" "" Lower Lowering::Cvt;
    "cvt" ".rn.satfinite{.relu}.e4m3x2|e5m2x2.f32" "d16 s32 s32" Exec narrow::cvt;
    "cvt" ".rn.satfinite{.relu}.e4m3x2|e5m2x2.f16x2" "d16 s32" Exec narrow::cvt;
    "cvt" ".rn{.relu}.f16x2.e4m3x2|e5m2x2" "d32 s16" Exec narrow::cvt;
    "cvt" ".rna|rn|rz{.satfinite}{.relu}.tf32.f32" "" Lower Lowering::Cvt;
    "cvt" ".pack.sat.u16|s16.s32" "d32 s32 s32" Exec narrow::pack;
    "cvt" ".pack.sat.u2|s2|u4|s4|u8|s8.s32.b32" "d32 s32 s32 s32" Exec narrow::pack;
    "mapa" "{.shared::cluster}.u32|u64" "d s s32" Exec cluster::mapa;
    "getctarank" "{.shared::cluster}.u32|u64" "d32 s" Exec cluster::rank;
    "cp" ".async.ca|cg.shared|shared::cta.global{.L2::cache_hint}{.SIZE}" "" Lower Lowering::CopyAsync;
    "cp" ".async.commit_group" "" Exec copy::commit;
    "cp" ".async.wait_group" "s32" Exec copy::wait;
    "cp" ".async.wait_all" "" Exec copy::wait;
    "cp" ".async.mbarrier.arrive{.noinc}{.shared|shared::cta}.b64" "m" Exec copy::arrive;
    "cp" ".async.bulk.shared::cluster|shared::cta.global.mbarrier::complete_tx::bytes{.L2::cache_hint}" "ms mg s32 ms -?" Exec copy::bulk;
    "cp" ".async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster{.L2::cache_hint}" "ms mg s32 ms s16 -?" Exec copy::bulk;
    "cp" ".async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes" "ms ms s32 ms" Exec copy::bulk;
    "cp" ".async.bulk.global.shared::cta.bulk_group{.L2::cache_hint}" "mg ms s32 -?" Exec copy::bulk;
    "cp" ".reduce.async.bulk.global.shared::cta.bulk_group{.L2::cache_hint}.and|or|xor.b32|b64" "" Lower Lowering::BulkReduce;
    "cp" ".reduce.async.bulk.global.shared::cta.bulk_group{.L2::cache_hint}.add.u32|s32|u64|f32|f64" "" Lower Lowering::BulkReduce;
    "cp" ".reduce.async.bulk.global.shared::cta.bulk_group{.L2::cache_hint}.min|max.u32|s32|u64|s64|f16|bf16" "" Lower Lowering::BulkReduce;
    "cp" ".reduce.async.bulk.global.shared::cta.bulk_group{.L2::cache_hint}.inc|dec.u32" "" Lower Lowering::BulkReduce;
    "cp" ".reduce.async.bulk.global.shared::cta.bulk_group{.L2::cache_hint}.add.noftz.f16|bf16" "" Lower Lowering::BulkReduce;
    "cp" ".reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.and|or|xor.b32" "" Lower Lowering::BulkReduce;
    "cp" ".reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32|s32|u64" "" Lower Lowering::BulkReduce;
    "cp" ".reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.min|max.u32|s32" "" Lower Lowering::BulkReduce;
    "cp" ".reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.inc|dec.u32" "" Lower Lowering::BulkReduce;
    "cp" ".async.bulk.prefetch.L2.global{.L2::cache_hint}" "mg s32 -?" Exec copy::prefetch;
    "cp" ".async.bulk.tensor.DIM.shared::cluster|shared::cta.global{.tile|im2col}.mbarrier::complete_tx::bytes{.multicast::cluster}{.L2::cache_hint}" "" Lower Lowering::BulkTensor;
    "cp" ".async.bulk.tensor.DIM.global.shared::cta{.tile|im2col_no_offs}.bulk_group{.L2::cache_hint}" "" Lower Lowering::BulkTensor;
    "cp" ".reduce.async.bulk.tensor.DIM.global.shared::cta.add|min|max|inc|dec|and|or|xor{.tile|im2col_no_offs}.bulk_group{.L2::cache_hint}" "" Lower Lowering::BulkTensor;
    "cp" ".async.bulk.prefetch.tensor.DIM.L2.global{.tile|im2col}{.L2::cache_hint}" "" Lower Lowering::BulkTensor;
    "cp" ".async.bulk.commit_group" "" Exec copy::commit;
    "cp" ".async.bulk.wait_group{.read}" "s32" Exec copy::wait;

    // 9.7.10 Textures, 9.7.11 surfaces
    "tex" "{.base}.GEOM.v4.u32|s32|f32.f32" "" Lower Lowering::Texture;
    "tex" "{.base}.1d|2d|3d|a1d|a2d.v4.u32|s32|f32.s32" "" Lower Lowering::Texture;
    "tex" "{.base}.GEOM.v4.f16.f32" "" Lower Lowering::Texture;
    "tex" "{.base}.1d|2d|3d|a1d|a2d.v4.f16.s32" "" Lower Lowering::Texture;
    "tex" "{.base}.GEOM.v2.f16x2.f32" "" Lower Lowering::Texture;
    "tex" "{.base}.1d|2d|3d|a1d|a2d.v2.f16x2.s32" "" Lower Lowering::Texture;
    "tex" ".level|grad.GEOM.v4.f16.f32" "" Lower Lowering::Texture;
    "tex" ".level|grad.GEOM.v2.f16x2.f32" "" Lower Lowering::Texture;
    "tex" ".level|grad.GEOM.v4.u32|s32|f32.f32" "" Lower Lowering::Texture;
    "tld4" ".r|g|b|a.2d|a2d|cube|acube.v4.u32|s32|f32.f32" "" Lower Lowering::Texture;
    "txq" ".width|height|depth|array_size|num_mipmap_levels|normalized_coords.b32" "" Lower Lowering::TextureQuery;
    "txq" ".level.width|height|depth.b32" "" Lower Lowering::TextureQuery;
    "suld" ".b.1d|2d|3d|a1d|a2d{.ca|cg|cs|cv}{.v2|v4}.b8|b16|b32|b64.trap|clamp|zero" "" Lower Lowering::Surface;
    "sust" ".b.1d|2d|3d|a1d|a2d{.wb|cg|cs|wt}{.v2|v4}.b8|b16|b32|b64.trap|clamp|zero" "" Lower Lowering::Surface;
    "suq" ".width|height|depth|array_size.b32" "" Lower Lowering::TextureQuery;

    // 9.7.12 Control flow
    "bra" "{.uni}" "" Lower Lowering::Branch;
    "brx" ".idx{.uni}" "" Lower Lowering::BranchIndexed;
    "call" "{.uni}" "" Lower Lowering::Call;
    "ret" "{.uni}" "" Lower Lowering::Ret;
    "exit" "" "" Lower Lowering::Exit;

    // 9.7.13 Parallel synchronisation and communication
    "bar" "{.cta}.sync|arrive" "" Lower Lowering::Barrier;
    "bar" "{.cta}.red.popc.u32" "" Lower Lowering::Barrier;
    "bar" "{.cta}.red.and|or.pred" "" Lower Lowering::Barrier;
    "barrier" "{.cta}.sync|arrive{.aligned}" "" Lower Lowering::Barrier;
    "barrier" "{.cta}.red.popc{.aligned}.u32" "" Lower Lowering::Barrier;
    "barrier" "{.cta}.red.and|or{.aligned}.pred" "" Lower Lowering::Barrier;
    "bar" ".warp.sync" "s32" Exec sync::warp_sync;
    "barrier" ".cluster.arrive{.release|relaxed}{.aligned}" "" Exec cluster::arrive;
    "barrier" ".cluster.wait{.acquire}{.aligned}" "" Exec cluster::wait;
    "membar" ".cta|gl|sys" "" Exec hint::fence;
    "membar" ".proxy.alias" "" Exec hint::fence;
    "membar" ".proxy.async{.shared::cta|shared::cluster}" "" Exec hint::proxy_fence;
    "membar" ".proxy.async.global" "" Exec hint::fence;
    "fence" "{.sc|acq_rel|acquire|release}.SCOPE" "" Exec hint::fence;
    "fence" ".acquire.sync_restrict::shared::cluster.cluster" "" Exec hint::fence;
    "fence" ".release.sync_restrict::shared::cta.cluster" "" Exec hint::fence;
    "fence" ".mbarrier_init.release.cluster" "" Exec hint::fence;
    "fence" ".proxy.alias" "" Exec hint::fence;
    "fence" ".proxy.async{.shared::cta|shared::cluster}" "" Exec hint::proxy_fence;
    "fence" ".proxy.async.global" "" Exec hint::fence;
    "tensormap" ".replace.tile.global_address{.global|shared::cta}.b1024.b64" "" Lower Lowering::TensorMap;
    "tensormap" ".replace.tile.global_stride{.global|shared::cta}.b1024.b64" "" Lower Lowering::TensorMap;
    "tensormap" ".replace.tile.rank|box_dim|global_dim|element_stride{.global|shared::cta}.b1024.b32" "" Lower Lowering::TensorMap;
    "tensormap" ".replace.tile.elemtype|interleave_layout|swizzle_mode|fill_mode{.global|shared::cta}.b1024.b32" "" Lower Lowering::TensorMap;
    "tensormap" ".cp_fenceproxy.global.shared::cta.tensormap::generic.release.SCOPE.sync.aligned" "" Lower Lowering::TensorMapCopy;
    "fence" ".proxy.tensormap::generic.release.SCOPE" "" Exec hint::fence;
    "fence" ".proxy.tensormap::generic.acquire.SCOPE" "m s32" Exec hint::fence;
    "atom" "{.relaxed|acquire|release|acq_rel}{.SCOPE}{.SPACE}.and|or|xor|cas|exch|add|inc|dec|min|max{.L2::cache_hint}.b16|b32|b64|b128|u32|u64|s32|s64|f32|f64" "" Lower Lowering::Atom;
    "atom" "{.relaxed|acquire|release|acq_rel}{.SCOPE}{.SPACE}.add.noftz{.L2::cache_hint}.HALF" "" Lower Lowering::Atom;
    "atom" "{.relaxed|acquire|release|acq_rel}{.SCOPE}{.global}.add{.L2::cache_hint}.v2|v4.f32" "" Lower Lowering::Atom;
    "atom" "{.relaxed|acquire|release|acq_rel}{.SCOPE}{.global}.add|min|max.noftz{.L2::cache_hint}.v2|v4.HALF" "" Lower Lowering::Atom;
    "atom" "{.relaxed|acquire|release|acq_rel}{.SCOPE}{.global}.add|min|max.noftz{.L2::cache_hint}.v8.f16|bf16" "" Lower Lowering::Atom;
    "red" "{.relaxed|release}{.SCOPE}{.SPACE}.and|or|xor|add|inc|dec|min|max{.L2::cache_hint}.b32|b64|u32|u64|s32|s64|f32|f64" "" Lower Lowering::Red;
    "red" "{.relaxed|release}{.SCOPE}{.SPACE}.add.noftz{.L2::cache_hint}.HALF" "" Lower Lowering::Red;
    "red" "{.relaxed|release}{.SCOPE}{.global}.add{.L2::cache_hint}.v2|v4.f32" "" Lower Lowering::Red;
    "red" "{.relaxed|release}{.SCOPE}{.global}.add|min|max.noftz{.L2::cache_hint}.v2|v4.HALF" "" Lower Lowering::Red;
    "red" "{.relaxed|release}{.SCOPE}{.global}.add|min|max.noftz{.L2::cache_hint}.v8.f16|bf16" "" Lower Lowering::Red;
    "st" ".async{.weak}{.shared::cluster}.mbarrier::complete_tx::bytes{.v2|v4}.b32|b64|u32|u64|s32|s64|f32|f64" "" Lower Lowering::StoreAsync;
    "red" ".async.relaxed.cluster{.shared::cluster}.mbarrier::complete_tx::bytes.and|or|xor.b32" "" Lower Lowering::StoreAsync;
    "red" ".async.relaxed.cluster{.shared::cluster}.mbarrier::complete_tx::bytes.add.u32|s32|u64|s64" "" Lower Lowering::StoreAsync;
    "red" ".async.relaxed.cluster{.shared::cluster}.mbarrier::complete_tx::bytes.min|max.u32|s32" "" Lower Lowering::StoreAsync;
    "red" ".async.relaxed.cluster{.shared::cluster}.mbarrier::complete_tx::bytes.inc|dec.u32" "" Lower Lowering::StoreAsync;
    "mbarrier" ".init{.shared|shared::cta}.b64" "m s32" Exec mbarrier::init;
    "mbarrier" ".inval{.shared|shared::cta}.b64" "m" Exec mbarrier::inval;
    "mbarrier" ".expect_tx|complete_tx{.relaxed}{.cta|cluster}{.shared|shared::cta|shared::cluster}.b64" "m s32" Exec mbarrier::transact;
    "mbarrier" ".arrive|arrive_drop{.release|relaxed}{.cta|cluster}{.shared|shared::cta|shared::cluster}.b64" "d m s32?" Exec mbarrier::arrive;
    "mbarrier" ".arrive|arrive_drop.expect_tx{.release|relaxed}{.cta|cluster}{.shared|shared::cta|shared::cluster}.b64" "d m s32" Exec mbarrier::arrive;
    "mbarrier" ".arrive|arrive_drop.noComplete{.release}{.cta}{.shared|shared::cta}.b64" "d m s32" Exec mbarrier::arrive;
    "mbarrier" ".test_wait{.acquire|relaxed}{.cta|cluster}{.shared|shared::cta}.b64" "dp m s64" Exec mbarrier::wait;
    "mbarrier" ".test_wait.parity{.acquire|relaxed}{.cta|cluster}{.shared|shared::cta}.b64" "dp m s32" Exec mbarrier::wait;
    "mbarrier" ".try_wait{.acquire|relaxed}{.cta|cluster}{.shared|shared::cta}.b64" "dp m s64 s32?" Exec mbarrier::wait;
    "mbarrier" ".try_wait.parity{.acquire|relaxed}{.cta|cluster}{.shared|shared::cta}.b64" "dp m s32 s32?" Exec mbarrier::wait;
    "mbarrier" ".pending_count.b64" "d32 s64" Exec mbarrier::pending_count;
    "vote" ".sync.all|any|uni.pred" "dp sp s32" Exec exchange::vote;
    "vote" ".sync.ballot.b32" "d sp s32" Exec exchange::vote;
    "match" ".any.sync.b32|b64" "d32 s s32" Exec exchange::matching;
    "match" ".all.sync.b32|b64" "dx s s32" Exec exchange::matching;
    "activemask" ".b32" "d" Exec exchange::activemask;
    "redux" ".sync.add|min|max.u32|s32" "d s s32" Exec exchange::redux;
    "redux" ".sync.and|or|xor.b32" "d s s32" Exec exchange::redux;
    "griddepcontrol" ".launch_dependents|wait" "" Exec overlap::dependents;
    "elect" ".sync" "dx s32" Exec exchange::elect;
    "clusterlaunchcontrol" ".try_cancel.async{.shared::cta}.mbarrier::complete_tx::bytes{.multicast::cluster::all}.b128" "m m" Exec launch_control::try_cancel;
    "clusterlaunchcontrol" ".query_cancel.is_canceled.pred.b128" "dp s" Exec launch_control::is_canceled;
    "clusterlaunchcontrol" ".query_cancel.get_first_ctaid::x|get_first_ctaid::y|get_first_ctaid::z.b32.b128" "d32 s" Exec launch_control::first_block;

    // 9.7.14 Warp-level matrix multiplication
    "mma" ".sync.aligned.m16n8k8|m16n8k16.row.col.f16.f16.f16.f16" "" Lower Lowering::Mma;
    "mma" ".sync.aligned.m16n8k8|m16n8k16.row.col.f32.f16.f16.f32" "" Lower Lowering::Mma;
    "mma" ".sync.aligned.m16n8k8|m16n8k16.row.col.f32.bf16.bf16.f32" "" Lower Lowering::Mma;
    "mma" ".sync.aligned.m16n8k4|m16n8k8.row.col.f32.tf32.tf32.f32" "" Lower Lowering::Mma;
    "mma" ".sync.aligned.m16n8k16|m16n8k32.row.col.f16.F8.F8.f16" "" Lower Lowering::Mma;
    "mma" ".sync.aligned.m16n8k16|m16n8k32.row.col.f32.F8.F8.f32" "" Lower Lowering::Mma;
    "mma" ".sync.aligned.m8n8k4.row|col.row|col.f16.f16.f16.f16" "" Lower Lowering::MmaQuads;
    "mma" ".sync.aligned.m8n8k4.row|col.row|col.f32.f16.f16.f16|f32" "" Lower Lowering::MmaQuads;
    "mma" ".sync.aligned.m8n8k4|m16n8k4|m16n8k8|m16n8k16.row.col.f64.f64.f64.f64" "" Lower Lowering::Mma;
    "mma" ".sync.aligned.m8n8k16|m16n8k16|m16n8k32.row.col{.satfinite}.s32.u8|s8.u8|s8.s32" "" Lower Lowering::Mma;
    "mma" ".sync.aligned.m8n8k32|m16n8k32|m16n8k64.row.col{.satfinite}.s32.u4|s4.u4|s4.s32" "" Lower Lowering::Mma;
    "mma" ".sync.aligned.m8n8k128|m16n8k128|m16n8k256.row.col.s32.b1.b1.s32.xor|and.popc" "" Lower Lowering::Mma;
    "mma" ".sync.aligned.m16n8k32.row.col.kind::f8f6f4.f16.F8F6F4.F8F6F4.f16" "" Lower Lowering::MmaScaled;
    "mma" ".sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.F8F6F4.F8F6F4.f32" "" Lower Lowering::MmaScaled;
    "mma" ".sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale{.scale_vec::1X}.f32.F8F6F4.F8F6F4.f32.ue8m0" "" Lower Lowering::MmaScaled;
    "mma" ".sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale{.scale_vec::2X}.f32.e2m1.e2m1.f32.ue8m0" "" Lower Lowering::MmaScaled;
    "mma" ".sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0" "" Lower Lowering::MmaScaled;
    "mma" ".sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3" "" Lower Lowering::MmaScaled;
    "mma" ".sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::f8f6f4.f16.F8F6F4.F8F6F4.f16" "" Lower Lowering::MmaScaled;
    "mma" ".sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::f8f6f4.f32.F8F6F4.F8F6F4.f32" "" Lower Lowering::MmaScaled;
    "mma" ".sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::mxf8f6f4.block_scale{.scale_vec::1X}.f32.F8F6F4.F8F6F4.f32.ue8m0" "" Lower Lowering::MmaScaled;
    "mma" ".sp::ordered_metadata.sync.aligned.m16n8k128.row.col.kind::mxf4.block_scale{.scale_vec::2X}.f32.e2m1.e2m1.f32.ue8m0" "" Lower Lowering::MmaScaled;
    "mma" ".sp::ordered_metadata.sync.aligned.m16n8k128.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0" "" Lower Lowering::MmaScaled;
    "mma" ".sp::ordered_metadata.sync.aligned.m16n8k128.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3" "" Lower Lowering::MmaScaled;
    "mma" ".sp|sp::ordered_metadata.sync.aligned.m16n8k16|m16n8k32.row.col.f16.f16.f16.f16" "" Lower Lowering::MmaSparse;
    "mma" ".sp|sp::ordered_metadata.sync.aligned.m16n8k16|m16n8k32.row.col.f32.f16.f16.f32" "" Lower Lowering::MmaSparse;
    "mma" ".sp|sp::ordered_metadata.sync.aligned.m16n8k16|m16n8k32.row.col.f32.bf16.bf16.f32" "" Lower Lowering::MmaSparse;
    "mma" ".sp|sp::ordered_metadata.sync.aligned.m16n8k8|m16n8k16.row.col.f32.tf32.tf32.f32" "" Lower Lowering::MmaSparse;
    "mma" ".sp|sp::ordered_metadata.sync.aligned.m16n8k64.row.col.f32.F8.F8.f32" "" Lower Lowering::MmaSparse;
    "mma" ".sp|sp::ordered_metadata.sync.aligned.m16n8k32|m16n8k64.row.col{.satfinite}.s32.u8|s8.u8|s8.s32" "" Lower Lowering::MmaSparse;
    "mma" ".sp|sp::ordered_metadata.sync.aligned.m16n8k64|m16n8k128.row.col{.satfinite}.s32.u4|s4.u4|s4.s32" "" Lower Lowering::MmaSparse;
    "ldmatrix" ".sync.aligned.m8n8.x1|x2|x4{.trans}{.shared|shared::cta}.b16" "" Lower Lowering::LoadMatrix;
    "ldmatrix" ".sync.aligned.m16n16.x1|x2.trans{.shared|shared::cta}.b8" "" Lower Lowering::LoadMatrix;
    "ldmatrix" ".sync.aligned.m16n16.x1|x2.trans{.shared|shared::cta}.b8x16.b6x16_p32|b4x16_p64" "" Lower Lowering::LoadMatrix;
    "ldmatrix" ".sync.aligned.m8n16.x1|x2|x4{.shared|shared::cta}.b8x16.b6x16_p32|b4x16_p64" "" Lower Lowering::LoadMatrix;
    "stmatrix" ".sync.aligned.m16n8.x1|x2|x4.trans{.shared|shared::cta}.b8" "" Lower Lowering::StoreMatrix;
    "stmatrix" ".sync.aligned.m8n8.x1|x2|x4{.trans}{.shared|shared::cta}.b16" "" Lower Lowering::StoreMatrix;
    "movmatrix" ".sync.aligned.m8n8.trans.b16" "" Lower Lowering::TransposeMatrix;
    "wmma" ".load.a|b.sync.aligned.row|col.m16n16k16|m8n32k16|m32n8k16{.global|shared|shared::cta}.f16|bf16|s8|u8" "" Lower Lowering::WmmaAccess;
    "wmma" ".load.c.sync.aligned.row|col.m16n16k16|m8n32k16|m32n8k16{.global|shared|shared::cta}.f16|f32|s32" "" Lower Lowering::WmmaAccess;
    "wmma" ".store.d.sync.aligned.row|col.m16n16k16|m8n32k16|m32n8k16{.global|shared|shared::cta}.f16|f32|s32" "" Lower Lowering::WmmaAccess;
    "wmma" ".load.a|b.sync.aligned.row|col.m16n16k8{.global|shared|shared::cta}.tf32" "" Lower Lowering::WmmaAccess;
    "wmma" ".load.c.sync.aligned.row|col.m16n16k8{.global|shared|shared::cta}.f32" "" Lower Lowering::WmmaAccess;
    "wmma" ".store.d.sync.aligned.row|col.m16n16k8{.global|shared|shared::cta}.f32" "" Lower Lowering::WmmaAccess;
    "wmma" ".load.a|b|c.sync.aligned.row|col.m8n8k4{.global|shared|shared::cta}.f64" "" Lower Lowering::WmmaAccess;
    "wmma" ".store.d.sync.aligned.row|col.m8n8k4{.global|shared|shared::cta}.f64" "" Lower Lowering::WmmaAccess;
    "wmma" ".load.a.sync.aligned.row.m8n8k32{.global|shared|shared::cta}.s4|u4" "" Lower Lowering::WmmaAccess;
    "wmma" ".load.b.sync.aligned.col.m8n8k32{.global|shared|shared::cta}.s4|u4" "" Lower Lowering::WmmaAccess;
    "wmma" ".load.a.sync.aligned.row.m8n8k128{.global|shared|shared::cta}.b1" "" Lower Lowering::WmmaAccess;
    "wmma" ".load.b.sync.aligned.col.m8n8k128{.global|shared|shared::cta}.b1" "" Lower Lowering::WmmaAccess;
    "wmma" ".load.c.sync.aligned.row|col.m8n8k32|m8n8k128{.global|shared|shared::cta}.s32" "" Lower Lowering::WmmaAccess;
    "wmma" ".store.d.sync.aligned.row|col.m8n8k32|m8n8k128{.global|shared|shared::cta}.s32" "" Lower Lowering::WmmaAccess;
    "wmma" ".mma.sync.aligned.row|col.row|col.m16n16k16|m8n32k16|m32n8k16.f16|f32.f16|f32" "" Lower Lowering::WmmaProduct;
    "wmma" ".mma.sync.aligned.row|col.row|col.m16n16k16|m8n32k16|m32n8k16.f32.bf16.bf16.f32" "" Lower Lowering::WmmaProduct;
    "wmma" ".mma.sync.aligned.row|col.row|col.m16n16k8.f32.tf32.tf32.f32" "" Lower Lowering::WmmaProduct;
    "wmma" ".mma.sync.aligned.row|col.row|col.m8n8k4{.rn}.f64.f64.f64.f64" "" Lower Lowering::WmmaProduct;
    "wmma" ".mma.sync.aligned.row|col.row|col.m8n8k4.f64.f64.f64.f64.rn" "" Lower Lowering::WmmaProduct;
    "wmma" ".mma.sync.aligned.row|col.row|col.m16n16k16|m8n32k16|m32n8k16.s32.s8.s8.s32{.satfinite}" "" Lower Lowering::WmmaProduct;
    "wmma" ".mma.sync.aligned.row|col.row|col.m16n16k16|m8n32k16|m32n8k16.s32.u8.u8.s32{.satfinite}" "" Lower Lowering::WmmaProduct;
    "wmma" ".mma.sync.aligned.row.col.m8n8k32.s32.s4.s4.s32{.satfinite}" "" Lower Lowering::WmmaProduct;
    "wmma" ".mma.sync.aligned.row.col.m8n8k32.s32.u4.u4.s32{.satfinite}" "" Lower Lowering::WmmaProduct;
    "wmma" ".mma.xor|and.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32" "" Lower Lowering::WmmaProduct;

    // 9.7.15 Asynchronous warpgroup-level matrix multiplication
    "wgmma" ".mma_async.sync.aligned.m64n#k16.f16|f32.f16.f16" "" Lower Lowering::WarpgroupMma;
    "wgmma" ".mma_async.sync.aligned.m64n#k16.f32.bf16.bf16" "" Lower Lowering::WarpgroupMma;
    "wgmma" ".mma_async.sync.aligned.m64n#k8.f32.tf32.tf32" "" Lower Lowering::WarpgroupMma;
    "wgmma" ".mma_async.sync.aligned.m64n#k32.f16|f32.F8.F8" "" Lower Lowering::WarpgroupMma;
    "wgmma" ".mma_async.sync.aligned.m64n#k32.s32.u8|s8.u8|s8{.satfinite}" "" Lower Lowering::WarpgroupMma;
    "wgmma" ".mma_async.sync.aligned.m64n#k256.s32.b1.b1.and.popc" "" Lower Lowering::WarpgroupMma;
    "wgmma" ".fence|commit_group|wait_group.sync.aligned" "" Lower Lowering::WarpgroupSync;

    // Stack manipulation
    "stacksave" ".u32|u64" "d" Exec stack::save;
    "stackrestore" ".u32|u64" "s" Exec stack::restore;
    "alloca" ".u32|u64" "d s s32?" Exec stack::alloca;

    // 9.7.17 Video, 9.7.18 of several parts
    "vadd" ".u32|s32.u32|s32.u32|s32{.sat}{.add|min|max}" "" Lower Lowering::Video;
    "vsub" ".u32|s32.u32|s32.u32|s32{.sat}{.add|min|max}" "" Lower Lowering::Video;
    "vabsdiff" ".u32|s32.u32|s32.u32|s32{.sat}{.add|min|max}" "" Lower Lowering::Video;
    "vmin" ".u32|s32.u32|s32.u32|s32{.sat}{.add|min|max}" "" Lower Lowering::Video;
    "vmax" ".u32|s32.u32|s32.u32|s32{.sat}{.add|min|max}" "" Lower Lowering::Video;
    "vmad" ".u32|s32.u32|s32.u32|s32{.po}{.shr7|shr15}" "" Lower Lowering::VideoMad;
    "vshl" ".u32|s32.u32|s32.u32{.sat}.clamp|wrap{.add|min|max}" "" Lower Lowering::Video;
    "vshr" ".u32|s32.u32|s32.u32{.sat}.clamp|wrap{.add|min|max}" "" Lower Lowering::Video;
    "vset" ".u32|s32.u32|s32.eq|ne|lt|le|gt|ge{.add|min|max}" "" Lower Lowering::Video;
    "vadd2" ".u32|s32.u32|s32.u32|s32{.sat|add}" "" Lower Lowering::Video;
    "vsub2" ".u32|s32.u32|s32.u32|s32{.sat|add}" "" Lower Lowering::Video;
    "vavrg2" ".u32|s32.u32|s32.u32|s32{.sat|add}" "" Lower Lowering::Video;
    "vabsdiff2" ".u32|s32.u32|s32.u32|s32{.sat|add}" "" Lower Lowering::Video;
    "vmin2" ".u32|s32.u32|s32.u32|s32{.sat|add}" "" Lower Lowering::Video;
    "vmax2" ".u32|s32.u32|s32.u32|s32{.sat|add}" "" Lower Lowering::Video;
    "vset2" ".u32|s32.u32|s32.eq|ne|lt|le|gt|ge{.add}" "" Lower Lowering::Video;
    "vadd4" ".u32|s32.u32|s32.u32|s32{.sat|add}" "" Lower Lowering::Video;
    "vsub4" ".u32|s32.u32|s32.u32|s32{.sat|add}" "" Lower Lowering::Video;
    "vavrg4" ".u32|s32.u32|s32.u32|s32{.sat|add}" "" Lower Lowering::Video;
    "vabsdiff4" ".u32|s32.u32|s32.u32|s32{.sat|add}" "" Lower Lowering::Video;
    "vmin4" ".u32|s32.u32|s32.u32|s32{.sat|add}" "" Lower Lowering::Video;
    "vmax4" ".u32|s32.u32|s32.u32|s32{.sat|add}" "" Lower Lowering::Video;
    "vset4" ".u32|s32.u32|s32.eq|ne|lt|le|gt|ge{.add}" "" Lower Lowering::Video;

    // 9.7.19 Miscellaneous
    "brkpt" "" "" Exec hint::breakpoint;
    "nanosleep" ".u32" "s32" Exec hint::sleep;
    "pmevent" "{.mask}" "s32" Exec hint::nothing;
    "trap" "" "" Lower Lowering::Trap;
    "setmaxnreg" ".inc|dec.sync.aligned.u32" "s32" Exec hint::nothing;
}

#[cfg(test)]
mod tests {
    use super::TABLE;
    use crate::isa::row;
    use std::collections::BTreeSet;
    use std::path::Path;

    /// The error for an instruction that does not exist.
    fn refusal(name: &str) -> String {
        let words: Vec<&str> = name.split('.').collect();
        row(words[0], &words[1..]).err().unwrap_or_default()
    }

    #[test]
    fn a_bad_modifier_is_named() {
        for (name, bad) in [
            ("ld.global.sideways.u32", "sideways"),
            ("ld.global.f16", "f16"),
            ("ld.global.wt.u32", "wt"),
            ("ld.relaxed.global.u32", "global"),
            ("ld.shared.nc.u32", "nc"),
            ("ldu.shared.u32", "shared"),
            ("st.global.ca.u32", "ca"),
            ("st.acquire.gpu.u32", "acquire"),
            ("st.v3.u32", "v3"),
            ("mov.u8", "u8"),
            ("mov.b32.b32", "b32"),
            ("cvta.too.global.u64", "too"),
            ("cvt.ri.s32.f32", "ri"),
            ("cvt.rn.tf16.f32", "tf16"),
            ("prefetch.shared.L1", "shared"),
            ("prefetch.global.L3", "L3"),
            ("prefetchu.L2", "L2"),
            ("applypriority.global.L2::evict_last", "L2::evict_last"),
            ("discard.local.L2", "local"),
            ("bar.red.xor.pred", "xor"),
            ("bar.sync.aligned", "aligned"),
            ("barrier.red.popc.pred", "pred"),
            ("barrier.cluster.wait.release", "release"),
            ("membar.gpu", "gpu"),
            ("fence.relaxed.gpu", "relaxed"),
            ("atom.global.sub.u32", "sub"),
            ("atom.volatile.add.u32", "volatile"),
            ("red.acquire.gpu.add.u32", "acquire"),
            ("red.exch.b32", "exch"),
            ("pmevent.masked", "masked"),
        ] {
            let text = refusal(name);
            assert!(text.contains(&format!("`{name}`")), "{text}");
            assert!(
                text.ends_with(&format!("the modifier `.{bad}` is not supported there")),
                "{text}"
            );
        }
    }

    /// As `ptxas` 13.0 does.
    #[test]
    fn modifiers_of_the_name_keep_their_place() {
        for name in [
            "mul.u32.wide",
            "mad.s32.lo",
            "mad.cc.lo.u32",
            "shf.wrap.l.b32",
            "dp2a.u32.u32.lo",
            "cvta.global.to.u64",
            "mbarrier.shared.init.b64",
            "bar.sync.cta",
            "fence.async.proxy",
            "cp.async.cg.global.shared",
            "createpolicy.L2::evict_last.fractional.b64",
            "wgmma.sync.fence.aligned",
        ] {
            assert_ne!(refusal(name), "", "{name}");
        }
        for name in
            ["fence.gpu.acq_rel", "bar.red.u32.popc", "ex2.ftz.approx.f32", "ld.v2.global.u32"]
        {
            assert_eq!(refusal(name), "");
        }
    }

    #[test]
    fn a_missing_modifier_is_said() {
        for name in ["ld.global", "atom.global.add", "cvt.rn.f32", "mov", "fence.sc"] {
            let text = refusal(name);
            assert!(text.ends_with("a modifier is missing"), "{text}");
        }
    }

    #[test]
    fn what_compilers_write_is_there() {
        for name in [
            "ld.param::entry.u64",
            "ld.global.L1::no_allocate.L2::evict_first.L2::cache_hint.L2::128B.v4.b32",
            "ld.volatile.shared.v2.f64",
            "ld.acquire.gpu.global.b32",
            "ld.mmio.relaxed.sys.global.u32",
            "ld.global.ca.nc.v4.f32",
            "st.release.sys.b32",
            "cvt.rzi.ftz.sat.u32.f32",
            "cvt.rn.relu.bf16x2.f32",
            "cvt.rna.tf32.f32",
            "cvt.sat.ftz.f32.f32",
            "ld.u32.global",
            "red.and.release.cta.b32",
            "max.s16x2.relu",
            "atom.acq_rel.gpu.global.cas.b32",
            "atom.global.add.noftz.f16x2",
            "red.relaxed.sys.global.add.f32",
            "barrier.cta.red.popc.aligned.u32",
            "fence.proxy.async.shared::cta",
        ] {
            assert_eq!(refusal(name), "");
        }
    }

    /// The folder above the packages, of which this source is part of two.
    fn repository() -> &'static Path {
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        package.ancestors().find(|folder| folder.join("ARCHITECTURE.md").exists()).unwrap()
    }

    /// Words in backquotes of a column of the tables of docs/emulated-device.md.
    fn documented(column: usize) -> BTreeSet<String> {
        let path = repository().join("docs/emulated-device.md");
        let text = std::fs::read_to_string(path).unwrap();
        let table =
            text.split("## Instructions").nth(1).unwrap().split("\n\nForms").next().unwrap();
        let cells = table.lines().filter_map(|line| line.split('|').nth(column + 1));
        cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).map(str::to_owned).collect()
    }

    #[test]
    fn the_documentation_lists_what_is_there() {
        let known: BTreeSet<String> = TABLE.iter().map(|row| row.mnemonic.to_owned()).collect();
        let (runs, missing) = (documented(1), documented(2));
        assert_eq!(runs, known, "docs/emulated-device.md, second column");
        let both: Vec<_> = missing.intersection(&known).collect();
        assert!(
            both.is_empty(),
            "docs/emulated-device.md, third column, but in the table: {both:?}"
        );
    }

    #[test]
    fn every_mnemonic_has_a_test() {
        let folder = repository().join("emulator/tests/ptx");
        let mut words = std::collections::HashSet::new();
        for entry in std::fs::read_dir(folder).unwrap() {
            let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
            let code = text.lines().filter(|line| !line.starts_with("//"));
            let split = |line: &str| {
                let names = line.split(|c: char| c != '_' && !c.is_ascii_alphanumeric());
                names.map(str::to_owned).collect::<Vec<_>>()
            };
            words.extend(code.flat_map(split));
        }
        // These have no effect that a test could see, or stop in a debugger.
        let untested = ["setmaxnreg", "brkpt", "discard"];
        for row in TABLE {
            let known = words.contains(row.mnemonic) || untested.contains(&row.mnemonic);
            assert!(known, "no file in tests/ptx has `{}`", row.mnemonic);
        }
    }
}
