//! PTX of the user's that is linked to kernels (`ptyx::link_ptx!`): what it defines.
//!
//! A kernel calls such functions as `extern "C"`. Their text becomes a part of the kernel's module
//! (`kernel/link_ptx.rs`).

use std::collections::BTreeMap;

use ptyx_image::Arch;

use super::needs::{self, Needs};
use crate::llvm::{Module, Value};
use crate::symbols::LINKED_PTX;

/// PTX with functions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LinkedPtx {
    /// The text, without comments and without what describes the whole module.
    pub(crate) text: String,
    /// The functions that others may call, each with its parameters.
    pub(crate) functions: BTreeMap<String, Signature>,
    /// What its head says that it needs.
    needs: Needs,
}

/// Results and parameters of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signature {
    pub(crate) results: Vec<Param>,
    pub(crate) params: Vec<Param>,
}

/// A parameter of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Param {
    /// Bits of an element.
    bits: u32,
    /// Elements of an array.
    count: Option<u32>,
}

impl std::fmt::Display for Param {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.count {
            Some(count) => write!(f, "{count} x {} bits", self.bits),
            None => write!(f, "{} bits", self.bits),
        }
    }
}

/// The PTX in a module's variables.
pub(crate) fn linked_ptx<'c>(module: &Module<'c>) -> Vec<(Value<'c>, LinkedPtx)> {
    let texts = module.globals().into_iter().filter(|global| global.name().starts_with(LINKED_PTX));
    texts
        .filter_map(|global| {
            let text = String::from_utf8_lossy(&global.constant_bytes()?).into_owned();
            Some((global, LinkedPtx::parse(&text)))
        })
        .collect()
}

/// Takes the PTX out of a kernel's module.
pub(super) fn take_linked_ptx(module: &Module<'_>) -> Vec<LinkedPtx> {
    let found = linked_ptx(module);
    for (global, _) in &found {
        global.delete_global();
    }
    found.into_iter().map(|(_, linked)| linked).collect()
}

/// The functions of `linked` that an optimised module calls, and what they need.
pub(crate) fn used_ptx<'a>(module: &Module<'_>, linked: &'a [LinkedPtx]) -> Vec<&'a LinkedPtx> {
    let is_called = |name: &String| {
        module.function(name).is_some_and(|f| f.is_declaration() && !f.users().is_empty())
    };
    linked.iter().filter(|linked| linked.functions.keys().any(is_called)).collect()
}

impl super::AllNeeds {
    /// Raises it to what linked PTX needs, too.
    pub(crate) fn raise_to(&mut self, linked: &LinkedPtx) {
        self.raise(linked.needs);
    }
}

impl LinkedPtx {
    /// Reads a module's text. What it does not understand is left to the assembler.
    pub(crate) fn parse(text: &str) -> LinkedPtx {
        let text = without_comments(text);
        let (mut kept, mut needs) = (String::new(), Needs::NOTHING);
        let mut in_section = false;
        for line in text.lines().map(str::trim_end) {
            let mut words = line.split([' ', '\t', ',']).filter(|word| !word.is_empty());
            let (first, second) = (words.next().unwrap_or_default(), words.next());
            match first {
                _ if in_section => in_section = !line.contains('}'),
                ".section" => in_section = !line.contains('}'),
                ".version" => {
                    let version = second.and_then(|word| needs::ptx_version(word).ok());
                    needs.ptx = version.unwrap_or(needs.ptx);
                }
                ".target" => {
                    let arch = second.and_then(|word| needs::arch(word).ok());
                    needs.arch = arch.unwrap_or(needs.arch);
                }
                "" | ".address_size" | ".file" | ".loc" => {}
                _ => {
                    kept.push_str(line);
                    kept.push('\n');
                }
            }
        }
        // Every architecture that Ptyx compiles for is at least this one.
        if Arch::BASE.provides(needs.arch) {
            needs.arch = Needs::NOTHING.arch;
        }
        LinkedPtx { functions: functions(&kept), text: kept, needs }
    }
}

/// The text with a blank for each comment (PTX ISA 4.2).
fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("/*").into_iter().chain(rest.find("//")).min() {
        kept.push_str(&rest[..at]);
        kept.push(' ');
        let (end, len) = if rest[at..].starts_with("/*") { ("*/", 2) } else { ("\n", 0) };
        rest = rest[at + 2..].find(end).map_or("", |found| &rest[at + 2 + found + len..]);
    }
    kept + rest
}

/// The visible functions that a text defines.
fn functions(text: &str) -> BTreeMap<String, Signature> {
    let mut found = BTreeMap::new();
    let (mut depth, mut start) = (0usize, 0);
    for (at, character) in text.char_indices() {
        match character {
            '{' => {
                if depth == 0
                    && let Some((name, signature)) = head(&text[start..at])
                {
                    found.insert(name, signature);
                }
                depth += 1;
            }
            '}' => {
                depth = depth.saturating_sub(1);
                start = at + 1;
            }
            ';' if depth == 0 => start = at + 1,
            _ => {}
        }
    }
    found
}

/// Name and signature in a head such as `.visible .func (.param .b32 r) name(.param .b32 a)`, of a function that
/// others may call.
fn head(text: &str) -> Option<(String, Signature)> {
    let (linkage, rest) = text.split_once(".func")?;
    if !linkage.contains(".visible") && !linkage.contains(".weak") {
        return None;
    }
    signature(rest)
}

/// Name and signature behind `.func`.
pub(crate) fn signature(text: &str) -> Option<(String, Signature)> {
    let text = text.trim_start();
    let text = text.strip_prefix(".noreturn").unwrap_or(text).trim_start();
    let (results, text) = match text.strip_prefix('(') {
        Some(rest) => rest.split_once(')')?,
        None => ("", text),
    };
    let (name, params) = text.split_once('(').unwrap_or((text, ""));
    let params = params.split_once(')').map_or("", |(params, _)| params);
    let name = name.split_whitespace().next()?.to_owned();
    Some((name, Signature { results: list(results)?, params: list(params)? }))
}

fn list(params: &str) -> Option<Vec<Param>> {
    params.split(',').filter(|param| !param.trim().is_empty()).map(param).collect()
}

/// `.param .align 4 .b8 name[12]`
fn param(text: &str) -> Option<Param> {
    let bits = |word: &str| {
        let number = word.strip_prefix(['.'])?.strip_prefix(['b', 'f', 's', 'u'])?;
        number.parse().ok()
    };
    let bits = text.split_whitespace().find_map(bits)?;
    let count =
        text.split_once('[').and_then(|(_, rest)| rest.split_once(']')?.0.trim().parse().ok());
    Some(Param { bits, count })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "
        .version 8.0 // a version
        .target sm_80, debug
        .address_size 64
        .file 1 \"a.cu\"
        /* .visible .func no() {} */
        .global .align 4 .b8 table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
        .extern .func elsewhere(.param .b64 p);
        .func own(.param .u32 a) { ret; }
        .visible .func  (.param .f32 func_retval0) scale(
            .param .b32 scale_param_0,
            .param .align 8 .b8 scale_param_1[16]
        )
        { {
            .loc 1 2 3
            ret; } }
        .weak .func nothing() { ret; }
        .section .debug_str { .b8 0 }
    ";

    #[test]
    fn what_others_may_call_is_found() {
        let linked = LinkedPtx::parse(TEXT);
        assert_eq!(linked.needs, Needs { arch: Arch::portable(80), ptx: 80 });
        let names: Vec<&str> = linked.functions.keys().map(String::as_str).collect();
        assert_eq!(names, ["nothing", "scale"]);
        let scale = &linked.functions["scale"];
        assert_eq!(scale.results, [Param { bits: 32, count: None }]);
        let array = Param { bits: 8, count: Some(16) };
        assert_eq!(scale.params, [Param { bits: 32, count: None }, array]);
        for gone in
            [".version", ".target", ".address_size", ".file", ".loc", ".section", "no()", "//"]
        {
            assert!(!linked.text.contains(gone), "{gone} in {}", linked.text);
        }
        assert!(linked.text.contains("table[8] = {1") && linked.text.contains("own"));
    }
}
