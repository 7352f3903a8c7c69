//! LLVM-C's numbers: of instructions, memory orderings, comparisons and linkages.

/// Instruction numbers (`LLVMOpcode`), those that Ptyx asks for.
pub(crate) mod opcode {
    /// The type of an instruction number.
    pub(crate) type Opcode = i32;
    pub(crate) const RETURN: Opcode = 1;
    pub(crate) const BRANCH: Opcode = 2;
    pub(crate) const SWITCH: Opcode = 3;
    pub(crate) const INVOKE: Opcode = 5;
    pub(crate) const UNREACHABLE: Opcode = 7;
    pub(crate) const ADD: Opcode = 8;
    pub(crate) const FADD: Opcode = 9;
    pub(crate) const SUB: Opcode = 10;
    pub(crate) const FSUB: Opcode = 11;
    pub(crate) const MUL: Opcode = 12;
    pub(crate) const FMUL: Opcode = 13;
    pub(crate) const UDIV: Opcode = 14;
    pub(crate) const SDIV: Opcode = 15;
    pub(crate) const FDIV: Opcode = 16;
    pub(crate) const UREM: Opcode = 17;
    pub(crate) const SREM: Opcode = 18;
    pub(crate) const FREM: Opcode = 19;
    pub(crate) const SHL: Opcode = 20;
    pub(crate) const LSHR: Opcode = 21;
    pub(crate) const ASHR: Opcode = 22;
    pub(crate) const AND: Opcode = 23;
    pub(crate) const OR: Opcode = 24;
    pub(crate) const XOR: Opcode = 25;
    pub(crate) const ALLOCA: Opcode = 26;
    pub(crate) const LOAD: Opcode = 27;
    pub(crate) const STORE: Opcode = 28;
    pub(crate) const GET_ELEMENT_PTR: Opcode = 29;
    pub(crate) const TRUNCATE: Opcode = 30;
    pub(crate) const ZERO_EXTEND: Opcode = 31;
    pub(crate) const SIGN_EXTEND: Opcode = 32;
    pub(crate) const FP_TO_UI: Opcode = 33;
    pub(crate) const FP_TO_SI: Opcode = 34;
    pub(crate) const UI_TO_FP: Opcode = 35;
    pub(crate) const SI_TO_FP: Opcode = 36;
    pub(crate) const FP_TRUNCATE: Opcode = 37;
    pub(crate) const FP_EXTEND: Opcode = 38;
    pub(crate) const PTR_TO_INT: Opcode = 39;
    pub(crate) const INT_TO_PTR: Opcode = 40;
    pub(crate) const BIT_CAST: Opcode = 41;
    pub(crate) const INTEGER_COMPARISON: Opcode = 42;
    pub(crate) const PHI: Opcode = 44;
    pub(crate) const CALL: Opcode = 45;
    pub(crate) const SELECT: Opcode = 46;
    pub(crate) const EXTRACT_VALUE: Opcode = 53;
    pub(crate) const FENCE: Opcode = 55;
    pub(crate) const CMPXCHG: Opcode = 56;
    pub(crate) const ATOMIC_RMW: Opcode = 57;
    pub(crate) const RESUME: Opcode = 58;
    pub(crate) const LANDING_PAD: Opcode = 59;
    pub(crate) const ADDRESS_SPACE_CAST: Opcode = 60;
    pub(crate) const FREEZE: Opcode = 68;

    /// Operations that only compute a value, for any operands: arithmetic except integer divisions,
    /// shifts, addresses, conversions, comparisons, selects, parts of vectors and aggregates.
    pub(crate) const PURE: [Opcode; 37] = [
        8, 9, 10, 11, 12, 13, 16, 20, 21, 22, 23, 24, 25, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38,
        39, 40, 41, 42, 43, 46, 50, 51, 52, 53, 54, 60, 66, 68,
    ];
}
pub(crate) use opcode::Opcode;

/// Memory orderings (`LLVMAtomicOrdering`).
pub(crate) mod ordering {
    pub(crate) const NOT_ATOMIC: i32 = 0;
    pub(crate) const MONOTONIC: i32 = 2;
    pub(crate) const ACQUIRE: i32 = 4;
    pub(crate) const RELEASE: i32 = 5;
    pub(crate) const ACQUIRE_RELEASE: i32 = 6;
    pub(crate) const SEQUENTIALLY_CONSISTENT: i32 = 7;
}

/// Operations of `atomicrmw` (`LLVMAtomicRMWBinOp`).
pub(crate) mod update {
    pub(crate) const EXCHANGE: i32 = 0;
    pub(crate) const ADD: i32 = 1;
    pub(crate) const SUB: i32 = 2;
    pub(crate) const AND: i32 = 3;
    pub(crate) const NAND: i32 = 4;
    pub(crate) const OR: i32 = 5;
    pub(crate) const XOR: i32 = 6;
    pub(crate) const SIGNED_MAX: i32 = 7;
    pub(crate) const SIGNED_MIN: i32 = 8;
    pub(crate) const UNSIGNED_MAX: i32 = 9;
    pub(crate) const UNSIGNED_MIN: i32 = 10;
    pub(crate) const FLOAT_ADD: i32 = 11;
    pub(crate) const FLOAT_SUB: i32 = 12;
    pub(crate) const INCREMENT_WRAP: i32 = 15;
    pub(crate) const DECREMENT_WRAP: i32 = 16;

    /// By the names that they have in LLVM's text.
    pub(crate) const NAMES: [(&str, i32); 15] = [
        ("xchg", EXCHANGE),
        ("add", ADD),
        ("sub", SUB),
        ("and", AND),
        ("nand", NAND),
        ("or", OR),
        ("xor", XOR),
        ("max", SIGNED_MAX),
        ("min", SIGNED_MIN),
        ("umax", UNSIGNED_MAX),
        ("umin", UNSIGNED_MIN),
        ("fadd", FLOAT_ADD),
        ("fsub", FLOAT_SUB),
        ("uinc_wrap", INCREMENT_WRAP),
        ("udec_wrap", DECREMENT_WRAP),
    ];
}

/// Comparisons of floats (`LLVMRealPredicate`), which are false for NaN.
pub(crate) mod float_predicate {
    pub(crate) const EQUAL: i32 = 1;
    pub(crate) const LESS: i32 = 4;
    pub(crate) const LESS_EQUAL: i32 = 5;
}

/// Comparisons of integers (`LLVMIntPredicate`).
pub(crate) mod predicate {
    pub(crate) const EQUAL: i32 = 32;
    pub(crate) const NOT_EQUAL: i32 = 33;
    pub(crate) const UNSIGNED_GREATER: i32 = 34;
    pub(crate) const UNSIGNED_GREATER_EQUAL: i32 = 35;
    pub(crate) const UNSIGNED_LESS: i32 = 36;
    pub(crate) const UNSIGNED_LESS_EQUAL: i32 = 37;
    pub(crate) const SIGNED_GREATER: i32 = 38;
    pub(crate) const SIGNED_GREATER_EQUAL: i32 = 39;
    pub(crate) const SIGNED_LESS: i32 = 40;
    pub(crate) const SIGNED_LESS_EQUAL: i32 = 41;
    /// Of floats: one is NaN.
    pub(crate) const UNORDERED: i32 = 8;

    /// Pairs of which one holds where the other does not.
    const INVERSES: [(i32, i32); 5] = [
        (EQUAL, NOT_EQUAL),
        (UNSIGNED_GREATER, UNSIGNED_LESS_EQUAL),
        (UNSIGNED_LESS, UNSIGNED_GREATER_EQUAL),
        (SIGNED_GREATER, SIGNED_LESS_EQUAL),
        (SIGNED_LESS, SIGNED_GREATER_EQUAL),
    ];

    /// Pairs of which one says of `a` and `b` what the other says of `b` and `a`.
    const SWAPS: [(i32, i32); 4] = [
        (UNSIGNED_GREATER, UNSIGNED_LESS),
        (UNSIGNED_GREATER_EQUAL, UNSIGNED_LESS_EQUAL),
        (SIGNED_GREATER, SIGNED_LESS),
        (SIGNED_GREATER_EQUAL, SIGNED_LESS_EQUAL),
    ];

    /// Comparisons with a sign, and those that say the same of numbers without one.
    const SIGNS: [(i32, i32); 4] = [
        (SIGNED_GREATER, UNSIGNED_GREATER),
        (SIGNED_GREATER_EQUAL, UNSIGNED_GREATER_EQUAL),
        (SIGNED_LESS, UNSIGNED_LESS),
        (SIGNED_LESS_EQUAL, UNSIGNED_LESS_EQUAL),
    ];

    /// Whether it takes its operands for numbers with a sign.
    pub(crate) fn is_signed(predicate: i32) -> bool {
        SIGNS.iter().any(|(signed, _)| *signed == predicate)
    }

    /// The comparison that says the same of numbers that are not negative, and needs no sign.
    pub(crate) fn unsigned(predicate: i32) -> i32 {
        SIGNS.iter().find(|(signed, _)| *signed == predicate).map_or(predicate, |(_, other)| *other)
    }

    /// The comparison that holds where this one does not.
    pub(crate) fn inverse(predicate: i32) -> i32 {
        other(&INVERSES, predicate)
    }

    /// The comparison that says the same with its operands swapped.
    pub(crate) fn swapped(predicate: i32) -> i32 {
        other(&SWAPS, predicate)
    }

    fn other(pairs: &[(i32, i32)], predicate: i32) -> i32 {
        let both = pairs.iter().flat_map(|&(a, b)| [(a, b), (b, a)]);
        both.into_iter().find(|(a, _)| *a == predicate).map_or(predicate, |(_, b)| b)
    }
}

/// `LLVMLinkage`, the kinds that Ptyx sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Linkage {
    External = 0,
    LinkOnceOdr = 3,
    /// Another module might have another definition, so nothing is concluded from this one.
    Weak = 5,
    Internal = 8,
}
