//! The instruction table: the only list of instructions there is.
//!
//! A row is mnemonic, modifiers (see [`super::pattern`]), the operands' roles and the semantic function.
//! The first row that fits an instruction counts. Roles of operands, in order:
//!
//! | role | operand |
//! |---|---|
//! | `d` `s` | destination, source of the instruction's (last named) type |
//! | `d16` `s32` .. | the same of that many bits, whatever the type |
//! | `dw` `sw` | of twice the type's size |
//! | `da` `sa` | of the size of the first type named |
//! | `dp` `sp` | predicate; `dpp` one or a pair `p\|q` |
//! | `dx` | destination with an optional predicate, `d\|p` |
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

    // 9.7.4 Half precision
    "add" "{.rn}{.ftz}{.sat}.f16|f16x2|bf16|bf16x2" "d s s" Exec half::add;
    "sub" "{.rn}{.ftz}{.sat}.f16|f16x2|bf16|bf16x2" "d s s" Exec half::sub;
    "mul" "{.rn}{.ftz}{.sat}.f16|f16x2|bf16|bf16x2" "d s s" Exec half::mul;
    "fma" ".rn{.ftz}{.sat|relu}.f16|f16x2|bf16|bf16x2" "d s s s" Exec half::fma;
    "abs" "{.ftz}.f16|f16x2|bf16|bf16x2" "d s" Exec half::abs;
    "neg" "{.ftz}.f16|f16x2|bf16|bf16x2" "d s" Exec half::neg;
    "min" "{.ftz}{.NaN}{.xorsign}{.abs}.f16|f16x2|bf16|bf16x2" "d s s" Exec half::min;
    "max" "{.ftz}{.NaN}{.xorsign}{.abs}.f16|f16x2|bf16|bf16x2" "d s s" Exec half::max;
    "ex2" ".approx{.ftz}.f16|f16x2|bf16|bf16x2" "d s" Exec half::ex2;
    "tanh" ".approx.f16|f16x2|bf16|bf16x2" "d s" Exec half::tanh;

    // 9.7.8 Logic and shifts
    "and" ".BITS" "d s s" Exec integer::and;
    "or" ".BITS" "d s s" Exec integer::or;
    "xor" ".BITS" "d s s" Exec integer::xor;
    "not" ".BITS" "d s" Exec integer::not;
    "cnot" ".BITS" "d s" Exec integer::cnot;
    "shl" ".BITS" "d s s32" Exec integer::shl;
    "shr" ".BITS|INT" "d s s32" Exec integer::shr;
    "shf" ".l|r.clamp|wrap.b32" "d s s s32" Exec integer::shf;
    "prmt" ".b32{.f4e|b4e|rc8|ecl|ecr|rc16}" "d s s s" Exec integer::prmt;

    // 9.7.9 Data movement
    "ld" "*" "" Lower Lowering::Load;
    "ldu" "*" "" Lower Lowering::Load;
    "st" "*" "" Lower Lowering::Store;
    "mov" ".pred" "dp sp" Exec logic::mov;
    "mov" "*" "" Lower Lowering::Mov;
    "cvta" "*" "" Lower Lowering::Cvta;

    // 9.7.12 Control flow
    "cvt" "*" "" Lower Lowering::Cvt;
    "isspacep" ".global|shared|shared::cta|shared::cluster|local|const|param" "dp s64" Exec logic::isspacep;
    "prefetch" "*" "" Lower Lowering::Ignored;
    "prefetchu" "*" "" Lower Lowering::Ignored;
    "applypriority" "*" "" Lower Lowering::Ignored;
    "discard" "*" "" Lower Lowering::Ignored;
    "cp" ".async.ca|cg.shared|shared::cta.global{.L2::cache_hint}{.L2::64B|L2::128B|L2::256B}" "" Lower Lowering::CopyAsync;
    "cp" ".async.commit_group|wait_all" "" Exec hint::nothing;
    "cp" ".async.wait_group" "s32" Exec hint::nothing;
    "mapa" "{.shared::cluster}.u32|u64" "d s s32" Exec cluster::mapa;
    "getctarank" "{.shared::cluster}.u32|u64" "d32 s" Exec cluster::rank;

    // 9.7.6 Comparison and selection
    "setp" ".CMP{.BOOL}{.ftz}.ANY|f16|bf16" "" Lower Lowering::Setp;
    "set" ".CMP{.BOOL}{.ftz}.u32|s32|f32.ANY|f16|bf16" "" Lower Lowering::Set;
    "selp" ".ANY" "d s s sp" Exec compare::selp;
    "slct" "{.ftz}.ANY.s32|f32" "da sa sa s32" Exec compare::slct;
    "and" ".pred" "dp sp sp" Exec logic::and;
    "or" ".pred" "dp sp sp" Exec logic::or;
    "xor" ".pred" "dp sp sp" Exec logic::xor;
    "not" ".pred" "dp sp" Exec logic::not;
    "lop3" ".b32" "d s s s s32" Exec logic::lop3;

    "bra" "{.uni}" "" Lower Lowering::Branch;
    "ret" "{.uni}" "" Lower Lowering::Ret;
    "exit" "" "" Lower Lowering::Exit;
    "trap" "" "" Lower Lowering::Trap;
    "brkpt" "" "" Exec hint::breakpoint;
    "brx" ".idx{.uni}" "" Lower Lowering::BranchIndexed;
    "call" "{.uni}" "" Lower Lowering::Call;
    "pmevent" "*" "s32" Exec hint::nothing;
    "nanosleep" ".u32" "s32" Exec hint::sleep;

    // 9.7.13 Synchronisation and lanes
    "bar" ".warp.sync" "s32" Exec sync::warp_sync;
    "bar" "*" "" Lower Lowering::Barrier;
    "barrier" ".cluster.arrive|wait*" "" Exec hint::nothing;
    "barrier" "*" "" Lower Lowering::Barrier;
    "membar" "*" "" Exec hint::fence;
    "fence" "*" "" Exec hint::fence;
    "atom" "*" "" Lower Lowering::Atom;
    "red" "*" "" Lower Lowering::Red;
    "shfl" ".sync.up|down|bfly|idx.b32" "dx s s32 s32 s32" Exec exchange::shfl;
    "vote" ".sync.all|any|uni.pred" "dp sp s32" Exec exchange::vote;
    "vote" ".sync.ballot.b32" "d sp s32" Exec exchange::vote;
    "match" ".any.sync.b32|b64" "d32 s s32" Exec exchange::matching;
    "match" ".all.sync.b32|b64" "dx s s32" Exec exchange::matching;
    "activemask" ".b32" "d" Exec exchange::activemask;
    "redux" ".sync.add|min|max.u32|s32" "d s s32" Exec exchange::redux;
    "redux" ".sync.and|or|xor.b32" "d s s32" Exec exchange::redux;
    "elect" ".sync" "dx s32" Exec exchange::elect;
    "setmaxnreg" ".inc|dec.sync.aligned.u32" "s32" Exec hint::nothing;
    "griddepcontrol" ".launch_dependents|wait" "" Exec hint::nothing;
}

#[cfg(test)]
mod tests {
    use super::TABLE;
    use std::path::Path;

    #[test]
    fn every_mnemonic_has_a_test() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ptx");
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
        // These have no effect that a test could see, or stop a debugger.
        let untested = ["setmaxnreg", "brkpt", "discard"];
        for row in TABLE {
            let known = words.contains(row.mnemonic) || untested.contains(&row.mnemonic);
            assert!(known, "no file in tests/ptx has `{}`", row.mnemonic);
        }
    }
}
