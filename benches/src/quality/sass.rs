//! Machine code as `nvdisasm` prints it: which instructions there are, and which of them only run on
//! the way to a panic.

use std::collections::{BTreeMap, BTreeSet};

/// Instructions of one kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Those that a thread can run without panicking, if the lanes of its warp reach each warp operation together.
    pub hot: usize,
    /// All, functions that report panics included.
    pub all: usize,
}

/// One instruction.
struct Instruction {
    /// Runs under a condition.
    guarded: bool,
    opcode: String,
    /// The label that it jumps to or calls.
    target: Option<String>,
    /// Writes the number of a panic.
    reports: bool,
}

/// Where the number of a panic stands in the record, as an offset in an address. It is written
/// volatile (`STRONG.SYS`), which keeps the assembler from writing it in another way.
const PANIC_NUMBER: &str = "+0x148]";
const _: () = assert!(core::mem::offset_of!(ptyx::device::panic::PanicRecord, site) == 0x148);

/// A panic's number is written so many instructions behind the claim of the record, at most: the
/// panic's words come first.
const CLAIM_BEFORE: usize = 40;

/// The instructions of every kernel in the text of `nvdisasm -c`, by name. `never_return` says of a
/// function's name whether it ends its thread.
///
/// Counted is what can be reached from the kernel's start, so neither padding nor the endless jump
/// behind the end. An instruction is hot if the end of the kernel can be reached from it without a
/// call of a function that never returns, and without the claim of a panic. Subroutines that return, such as the slow paths of
/// divisions, count as parts of the kernel. The second version of a warp operation, for a warp whose lanes have come apart
/// (`BRA.DIV`), is not hot: the assembler adds it wherever an earlier check may have ended some lanes.
pub fn count(disassembly: &str, never_return: impl Fn(&str) -> bool) -> BTreeMap<String, Counts> {
    let mut kernels = BTreeMap::new();
    for section in disassembly.split("//---------------------").skip(1) {
        let Some(name) = section.trim_start().strip_prefix(".text.") else { continue };
        let name = name.split_whitespace().next().unwrap_or_default().to_owned();
        let (instructions, labels) = parse(section);
        kernels.insert(name, count_one(&instructions, &labels, &never_return));
    }
    kernels
}

fn parse(section: &str) -> (Vec<Instruction>, BTreeMap<String, usize>) {
    let (mut instructions, mut labels) = (Vec::new(), BTreeMap::new());
    for line in section.lines().map(str::trim) {
        if let Some(label) = line.strip_suffix(':').filter(|l| !l.contains(char::is_whitespace)) {
            labels.insert(label.to_owned(), instructions.len());
            continue;
        }
        // `/*0010*/  @!P0 BRA `(.L_x_1) ;`, the first of two on one line in braces for old chips.
        let Some(rest) = line.strip_prefix("/*") else { continue };
        let Some((address, text)) = rest.split_once("*/") else { continue };
        if !address.chars().all(|c| c.is_ascii_hexdigit()) {
            continue;
        }
        let text = text.trim();
        let (guarded, text) = match text.strip_prefix('@') {
            Some(text) => (true, text.split_once(char::is_whitespace).map_or("", |(_, t)| t)),
            None => (false, text),
        };
        let opcode = text.split_whitespace().next().unwrap_or_default().to_owned();
        let (operands, target) = text.split_once("`(").unwrap_or((text, ""));
        let target = target.split_once(')').map(|(label, _)| label.to_owned());
        // `BRA.U !UP0, `(.L_x_1)`: the predicate of a jump may stand among its operands.
        let guarded = guarded || (opcode.starts_with("BRA") && has_predicate(operands));
        let reports = opcode.contains("STRONG.SYS") && text.contains(PANIC_NUMBER);
        instructions.push(Instruction { guarded, opcode, target, reports });
    }
    (instructions, labels)
}

/// Whether a predicate is among the operands behind an opcode: `P0`, `!UP3`; always true is none.
fn has_predicate(text: &str) -> bool {
    text.split(|c: char| c == ',' || c.is_whitespace()).skip(1).any(|operand| {
        let name = operand.trim_start_matches('!').trim_start_matches('U');
        name.strip_prefix('P')
            .is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
    })
}

fn count_one(
    instructions: &[Instruction],
    labels: &BTreeMap<String, usize>,
    never_return: &impl Fn(&str) -> bool,
) -> Counts {
    // What may run next, and whether the kernel may end here.
    let mut next: Vec<Vec<usize>> = Vec::new();
    let mut calls: Vec<Option<usize>> = Vec::new();
    let mut apart: Vec<Option<usize>> = Vec::new();
    let mut ends = BTreeSet::new();
    for (at, instruction) in instructions.iter().enumerate() {
        let target = instruction.target.as_ref().and_then(|label| labels.get(label)).copied();
        let mnemonic = instruction.opcode.split('.').next().unwrap_or_default();
        let mut successors = Vec::new();
        let (mut call, mut if_apart) = (None, None);
        let falls_through = match mnemonic {
            "EXIT" | "RET" => {
                ends.insert(at);
                false
            }
            _ if instruction.opcode == "BRA.DIV" => {
                if_apart = target;
                true
            }
            "BRA" | "JMP" | "BRX" => {
                successors.extend(target);
                false
            }
            "CALL" => {
                call = target;
                !instruction.target.as_deref().is_some_and(|label| {
                    never_return(label.rsplit_once('$').map_or(label, |(_, name)| name))
                })
            }
            _ => true,
        };
        if falls_through || instruction.guarded {
            successors.push(at + 1);
        }
        next.push(successors);
        calls.push(call);
        apart.push(if_apart);
    }
    let reach = |through_calls: bool| {
        let mut seen = BTreeSet::new();
        let mut open = vec![0];
        while let Some(at) = open.pop() {
            if at < instructions.len() && seen.insert(at) {
                open.extend(&next[at]);
                if through_calls {
                    open.extend(apart[at]);
                }
                // A call that returns, always; one that does not, only for the sum of all.
                if through_calls || next[at].contains(&(at + 1)) {
                    open.extend(calls[at]);
                }
            }
        }
        seen
    };
    let all = reach(true);
    let claims = claims(instructions);
    let mut hot: BTreeSet<usize> = ends;
    loop {
        let before = hot.len();
        for at in (0..instructions.len()).rev() {
            if !claims.contains(&at) && next[at].iter().any(|next| hot.contains(next)) {
                hot.insert(at);
            }
        }
        if hot.len() == before {
            break;
        }
    }
    let reached = reach(false);
    // What follows a claim ends the thread, too.
    let cold = behind(&claims, &next);
    let hot = hot.intersection(&reached).filter(|at| !cold.contains(at)).count();
    Counts { hot, all: all.len() }
}

/// The instructions that claim the record of a panic.
fn claims(instructions: &[Instruction]) -> BTreeSet<usize> {
    let is_claim = |at: &usize| instructions[*at].opcode.starts_with("ATOM");
    let reports = (0..instructions.len()).filter(|&at| instructions[at].reports);
    reports.filter_map(|at| (at.saturating_sub(CLAIM_BEFORE)..at).rev().find(is_claim)).collect()
}

/// What runs behind some instructions, themselves included.
fn behind(from: &BTreeSet<usize>, next: &[Vec<usize>]) -> BTreeSet<usize> {
    let mut seen = BTreeSet::new();
    let mut open: Vec<usize> = from.iter().copied().collect();
    while let Some(at) = open.pop() {
        if at < next.len() && seen.insert(at) {
            open.extend(&next[at]);
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
//--------------------- .text.k --------------------------
.text.k:
        /*0000*/                   S2R R0, SR_TID.X ;
        /*0010*/               @P0 BRA `(.L_x_0) ;
        /*0020*/                   CALL.REL.NOINC `($k$slow) ;
        /*0030*/                   EXIT ;
.L_x_0:
        /*0040*/                   MOV R1, 0x1 ;
        /*0050*/                   CALL.REL.NOINC `($k$panic) ;
.L_x_9:
        /*0060*/                   EXIT ;
$k$slow:
        /*0070*/                   RET.REL.NODEC R2 `(k) ;
$k$panic:
        /*0080*/                   EXIT ;
.L_x_1:
        /*0090*/                   BRA `(.L_x_1);
        /*00a0*/                   NOP ;
";

    /// A kernel that panics, and ends of its own before and behind that.
    const PANIC: &str = "\
//--------------------- .text.k --------------------------
.text.k:
        /*0000*/               @P0 BRA `(.L_x_0) ;
        /*0010*/                   EXIT ;
.L_x_0:
        /*0020*/                   MOV R4, 0x7 ;
        /*0030*/                   ATOM.E.CAS.STRONG.GPU PT, R6, [R6], R8, R9 ;
        /*0040*/               @P1 EXIT ;
        /*0050*/                   ST.E.64.STRONG.SYS desc[UR6][R6.64+0x148], R4 ;
        /*0060*/                   EXIT ;
";

    /// A shuffle, and the one for a warp whose lanes have come apart.
    const APART: &str = "\
//--------------------- .text.k --------------------------
.text.k:
        /*0000*/                   BRA.DIV UR4, `(.L_x_1) ;
        /*0010*/                   SHFL.UP P1, R8, R26, 0x1, RZ ;
.L_x_0:
        /*0020*/                   EXIT ;
.L_x_1:
        /*0030*/                   WARPSYNC.COLLECTIVE R14, `(.L_x_2) ;
        /*0040*/                   SHFL.UP P0, R13, R15, R16, R17 ;
.L_x_2:
        /*0050*/                   BRA `(.L_x_0) ;
";

    #[test]
    fn what_runs_only_in_a_warp_that_came_apart() {
        assert_eq!(count(APART, |_| false)["k"], Counts { hot: 3, all: 6 });
    }

    #[test]
    fn the_claim_of_a_panic_is_cold_and_all_around_it() {
        assert_eq!(count(PANIC, |_| false)["k"], Counts { hot: 2, all: 7 });
    }

    #[test]
    fn jumps_under_a_condition() {
        assert!(has_predicate("BRA.U !UP0, ") && has_predicate("BRA P2, "));
        assert!(
            !has_predicate("BRA ") && !has_predicate("BRA.DIV UR4, ") && !has_predicate("BRA PT, ")
        );
    }

    #[test]
    fn the_way_into_a_panic_is_cold() {
        let counts = count(TEXT, |name| name == "panic");
        // Hot: S2R, BRA, CALL, EXIT, and the subroutine's RET.
        assert_eq!(counts["k"], Counts { hot: 5, all: 8 });
        assert_eq!(count(TEXT, |_| false)["k"], Counts { hot: 9, all: 9 });
    }
}
