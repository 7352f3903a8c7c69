//! Machine code as `nvdisasm` prints it: which instructions there are, and which of them only run
//! on the way into a panic.

use std::collections::{BTreeMap, BTreeSet};

/// Instructions of one kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Those that a thread can run without panicking.
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
}

/// The instructions of every kernel in the text of `nvdisasm -c`, by name. `never_return` says of a
/// function's name whether it ends its thread.
///
/// Counted is what can be reached from the kernel's start, so neither padding nor the endless jump
/// behind the end. An instruction is hot if the end of the kernel can be reached from it without a
/// call of a function that never returns. Subroutines that return, such as the slow paths of
/// divisions, count as parts of the kernel.
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
        instructions.push(Instruction { guarded, opcode, target });
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
    let mut ends = BTreeSet::new();
    for (at, instruction) in instructions.iter().enumerate() {
        let target = instruction.target.as_ref().and_then(|label| labels.get(label)).copied();
        let mnemonic = instruction.opcode.split('.').next().unwrap_or_default();
        let mut successors = Vec::new();
        let mut call = None;
        let falls_through = match mnemonic {
            "EXIT" | "RET" => {
                ends.insert(at);
                false
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
    }
    let reach = |through_calls: bool| {
        let mut seen = BTreeSet::new();
        let mut open = vec![0];
        while let Some(at) = open.pop() {
            if at < instructions.len() && seen.insert(at) {
                open.extend(&next[at]);
                // A call that returns, always; one that does not, only for the sum of all.
                if through_calls || next[at].contains(&(at + 1)) {
                    open.extend(calls[at]);
                }
            }
        }
        seen
    };
    let all = reach(true);
    let mut hot: BTreeSet<usize> = ends;
    loop {
        let before = hot.len();
        for at in (0..instructions.len()).rev() {
            if next[at].iter().any(|next| hot.contains(next)) {
                hot.insert(at);
            }
        }
        if hot.len() == before {
            break;
        }
    }
    let reached = reach(false);
    Counts { hot: hot.intersection(&reached).count(), all: all.len() }
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
