//! The instruction set: one table, and how an instruction is matched against it.

pub(crate) mod pattern;
pub(crate) mod table;

use crate::exec::program::Exec;
use crate::ptx::ast::Instruction;
use crate::ptx::form::Form;
use std::collections::HashMap;
use std::sync::OnceLock;

/// One row of the table: instructions of the same mnemonic, modifiers and operands.
pub(crate) struct Row {
    pub(crate) mnemonic: &'static str,
    /// Pattern of the modifiers, see [`pattern`].
    pub(crate) modifiers: &'static str,
    /// The operands' roles, see [`table`].
    pub(crate) operands: &'static str,
    pub(crate) meaning: Meaning,
}

/// How a row becomes internal code.
pub(crate) enum Meaning {
    /// One internal instruction; the operands are lowered by their roles.
    Exec(fn(&Form<'_>) -> Option<Exec>),
    /// More than one internal instruction, or operands that roles can't describe: `lower` has a function
    /// for it.
    Lower(Lowering),
}

/// The instructions that need more than their operands lowered; `lower::instruction` has a function for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lowering {
    Atom,
    Barrier,
    Branch,
    BranchIndexed,
    BulkReduce,
    BulkTensor,
    StoreAsync,
    Call,
    CopyAsync,
    Cvt,
    Cvta,
    Exit,
    Ignored,
    Load,
    LoadMatrix,
    Lop3,
    Mma,
    MmaQuads,
    MmaScaled,
    MmaSparse,
    Mov,
    Red,
    Ret,
    Set,
    Setp,
    Store,
    StoreMatrix,
    Surface,
    TensorMap,
    TensorMapCopy,
    Texture,
    TextureQuery,
    TransposeMatrix,
    Trap,
    Video,
    VideoMad,
    WmmaAccess,
    WmmaProduct,
    WarpgroupMma,
    WarpgroupSync,
}

/// Instructions of which modifiers mean different things in different places.
const POSITIONAL: &[&str] = &["mma", "wmma", "wgmma", "createpolicy", "cp"];
/// Instructions whose first modifier belongs to their name.
const NAMED_BY_FIRST: &[&str] = &["bar", "barrier", "mbarrier"];
/// Modifiers that belong to the instruction's name, so they stay where they are.
const OF_NAME: &[&str] = &["cc", "lo", "hi", "wide", "l", "r", "to", "proxy"];

/// Instructions that the emulated device can't have, and why.
const ABSENT: [(&str, &str); 1] = [(
    "multimem",
    "it accesses a multicast object, which stands for memory of several devices at once (`cuMulticastCreate`), and emulated devices can't \
     make one (`CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED` is 0)",
)];

/// Modifiers in a row's order, if NVIDIA's assembler takes them in theirs, too.
fn arranged<'a>(row: &Row, words: &[&'a str]) -> Option<Vec<&'a str>> {
    if POSITIONAL.contains(&row.mnemonic) {
        return None;
    }
    let arranged = pattern::arrange(row.modifiers, words)?;
    let first = NAMED_BY_FIRST.contains(&row.mnemonic);
    let moved = |(at, (new, old)): (usize, (&&str, &&str))| {
        new != old && (OF_NAME.contains(new) || at == 0 && first)
    };
    let mut pairs = arranged.iter().zip(words).enumerate();
    (!pairs.any(moved)).then_some(arranged)
}

/// The row for an instruction, and its modifiers in the row's order.
///
/// # Errors
/// What is wrong with it: its mnemonic is unknown, or a modifier is, or one is missing.
pub(crate) fn find<'a>(
    instruction: &Instruction<'a>,
) -> Result<(&'static Row, Vec<&'a str>), String> {
    row(instruction.mnemonic, &instruction.modifiers)
}

fn row<'a>(name: &str, words: &[&'a str]) -> Result<(&'static Row, Vec<&'a str>), String> {
    static INDEX: OnceLock<HashMap<&'static str, Vec<&'static Row>>> = OnceLock::new();
    let index = INDEX.get_or_init(|| {
        let mut index: HashMap<_, Vec<_>> = HashMap::new();
        for row in table::TABLE {
            index.entry(row.mnemonic).or_default().push(row);
        }
        index
    });
    let Some(rows) = index.get(name) else {
        let why = ABSENT.iter().find(|(absent, _)| *absent == name).map(|(_, why)| *why);
        let why = why.map(|why| format!(": {why}")).unwrap_or_default();
        return Err(format!("the emulated device has no instruction `{name}`{why}"));
    };
    // How many modifiers match the best row: the next one is the mistake.
    let mut good = 0;
    for row in rows {
        match pattern::fit(row.modifiers, words) {
            Ok(()) => return Ok((row, words.to_vec())),
            Err(count) => good = good.max(count),
        }
    }
    if let Some(found) = rows.iter().find_map(|row| Some((*row, arranged(row, words)?))) {
        return Ok(found);
    }
    let problem = match words.get(good) {
        Some(word) => format!("the modifier `.{word}` is not supported there"),
        None => "a modifier is missing".to_owned(),
    };
    Err(format!("the emulated device has no instruction `{}`: {problem}", full_name(name, words)))
}

/// `add.rn.f32`
pub(crate) fn full_name(mnemonic: &str, words: &[&str]) -> String {
    let mut name = mnemonic.to_owned();
    for word in words {
        name.push('.');
        name.push_str(word);
    }
    name
}
