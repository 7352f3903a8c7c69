//! Macros on random tokens: none of them panics, and the item under `#[kernel]` or the derive is still
//! there. `PTYX_SEED` repeats a run.

mod rustc;

use rustc::{newest_macros, rustc};
use std::env;
use std::fs;
use std::path::Path;

/// Uses of each macro in a run.
const COUNT: usize = 400;

/// SplitMix64 (Steele, Lea, Flood, 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = self.0;
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    /// One of `from`, or nothing.
    fn maybe<'a>(&mut self, from: &[&'a str]) -> &'a str {
        if self.below(2) == 0 { "" } else { self.pick(from) }
    }
}

fn random() -> Random {
    Random(ptyx_test_support::seed())
}

/// What macro inputs are made of; brackets come in pairs around more of them.
const TOKENS: &[&str] = &[
    "k",
    "x",
    "self",
    "fn",
    "<",
    "<<",
    "<<<",
    ">",
    ">>",
    ">>>",
    ">>>>",
    "->",
    "=>",
    "=",
    "==",
    "::",
    ":",
    ",",
    ",",
    ",",
    ";",
    "|",
    "||",
    "&",
    "&&",
    "&mut",
    "move",
    "async",
    "return",
    "as",
    "?",
    "!",
    "#",
    "$",
    ".",
    "..",
    "...",
    "..=",
    "@",
    "_",
    "'a",
    "'x'",
    "1",
    "0",
    "-",
    "1.5",
    "2usize",
    "0xff",
    "r#fn",
    "\"\"",
    "\"{}\"",
    "\"{x:?} {}\"",
    "\"{:>5.3e}\"",
    "\"{{}\"",
    "\"{\"",
    "\"\\u{e9}{é}\"",
    "b\"{}\"",
    "c\"x\"",
    "r#\"{0}{1}\"#",
    "\"{:999999999999}\"",
    "\"{0:.*}\"",
    "blocks",
    "threads",
    "shmem",
    "stream",
    "maxregs",
    "minthreads",
    "maxthreads",
    "blocks_per_sm",
    "alias",
    "struct",
    "impl",
    "dyn",
    "where",
    "const",
    "unsafe",
    "T",
    "u8",
    "f32",
    "größe",
    "in(reg)",
    "a = out(reg)",
    "inout(pred)",
    "options",
    "arch =",
];

fn tokens(random: &mut Random, depth: u32) -> String {
    let mut text = String::new();
    for _ in 0..random.below(12) {
        let brackets = if depth > 0 { random.below(12) } else { 12 };
        let (open, close) = match brackets {
            0 | 1 => ("(", ")"),
            2 => ("[", "]"),
            3 => ("{", "}"),
            _ => {
                text += random.pick(TOKENS);
                text.push(' ');
                continue;
            }
        };
        text += &format!("{open} {} {close} ", tokens(random, depth - 1));
    }
    text
}

/// A launch, mostly well-formed, whose parts are random.
fn launch(random: &mut Random) -> String {
    let part = |random: &mut Random| match random.below(3) {
        0 => tokens(random, 2),
        1 => "1".to_owned(),
        _ => "(n, 2)".to_owned(),
    };
    let config: Vec<String> = (0..random.below(6)).map(|_| part(random)).collect();
    let arguments: Vec<String> = (0..random.below(4)).map(|_| part(random)).collect();
    let knob =
        random.maybe(&[", maxregs = 32", ", maxregs", ", = 3", ", alias = \"x\", alias = 5", ",,"]);
    format!("k<<<{}>>>({}){knob}", config.join(", "), arguments.join(", "))
}

/// What a macro makes of tokens, anywhere.
fn invocation(random: &mut Random, number: usize) -> String {
    let name = random.pick(&["launch", "launch", "cuda", "compile", "args", "ptx"]);
    let input = match (name, random.below(2)) {
        ("launch", 0) => launch(random),
        ("ptx", 0) => format!("\"add.u32 {{0}}, {{}}; {{{{ }}}}\", {}", tokens(random, 3)),
        _ => tokens(random, 3),
    };
    format!("fn f{number}() {{ let _ = ptyx::{name}!({input}); }}\n")
}

/// An item that rustc can parse, as attributes demand, and that is called `item`.
fn item(random: &mut Random) -> String {
    let body = random.pick(&[
        "{}",
        "{ #![allow(unused)] #![inline] let x = 1; }",
        "{ loop {} }",
        "{ { } }",
    ]);
    match random.below(10) {
        0 => "struct item;".to_owned(),
        1 => "enum item { A, B(u8) }".to_owned(),
        2 => "mod item { pub fn f() {} }".to_owned(),
        3 => "trait item { fn f(&self); }".to_owned(),
        4 => "const item: fn(u8) -> u8 = |x| x;".to_owned(),
        5 => "type item<T> = fn(T) -> T;".to_owned(),
        _ => {
            let generics = random.maybe(&[
                "<T>",
                "<'a, T: 'a + Copy>",
                "<const N: usize>",
                "<F: Fn(u8) -> u8>",
                "<>",
                "<T = u8>",
                "<const N: usize = { 1 }>",
            ]);
            const PARAMETERS: &[&str] = &[
                "x: u8",
                "mut x: &mut [f32]",
                "(a, b): (u8, u8)",
                "_: [u8; { 1 + 2 }]",
                "#[allow(unused)] y: <u8 as Add<u8>>::Output",
                "f: fn(u8, u8) -> u8",
                "g: impl Fn(u8) -> Option<Vec<u8>>",
                "h: &dyn Fn(u8)",
            ];
            let mut parameters: Vec<&str> =
                (0..random.below(5)).map(|_| random.pick(PARAMETERS)).collect();
            if random.below(10) == 0 {
                parameters = vec!["x: u8"; 40];
            }
            format!(
                "{} {} fn item{generics}({}{}) {} {} {body}",
                random.maybe(&["pub", "pub(crate)", "#[inline] pub", "/** text */"]),
                random.maybe(&[
                    "const",
                    "unsafe",
                    "extern \"C\"",
                    "async",
                    "const unsafe extern \"C\""
                ]),
                parameters.join(", "),
                random.maybe(&[","]).repeat(usize::from(!parameters.is_empty())),
                random.maybe(&["-> u8", "-> ()", "-> !", "-> impl Fn(u8) -> u8", "-> [u8; 2]"]),
                random.maybe(&["where u8: Copy", "where", "where for<'a> &'a u8: Copy,"]),
            )
        }
    }
}

/// An item under `#[kernel]`, and a use of it.
fn kernel(random: &mut Random, number: usize) -> String {
    let attribute = match random.below(5) {
        0 => format!("#[ptyx::kernel({})]", tokens(random, 2)),
        _ => "#[ptyx::kernel]".to_owned(),
    };
    format!(
        "mod m{number} {{ use std::ops::Add; {attribute}\n{}\nmod there {{ use super::item as _; }} }}\n",
        item(random)
    )
}

/// A type under the derive, and a use of it.
fn derive(random: &mut Random, number: usize) -> String {
    let generics = random.maybe(&["<T>", "<'a, T: 'a>", "<const N: usize>", "<T, U: Fn(T) -> u8>"]);
    let fields = random.maybe(&[
        "x: u8",
        "x: u8, y: [f32; { 2 }],",
        "#[doc = \"f\"] pub(crate) z: fn(u8) -> u8",
    ]);
    let definition = match random.below(6) {
        0 => format!("enum item{generics} {{ A, B {{ {fields} }} }}"),
        1 => "union item { a: u8, b: f32 }".to_owned(),
        2 => "struct item;".to_owned(),
        3 => format!("struct item{generics}(u8, pub f32) where u8: Copy;"),
        _ => format!("pub struct item{generics} where u8: Copy, {{ {fields} }}"),
    };
    format!(
        "mod m{number} {{ #[derive(ptyx::DeviceCopy)] {}\n{definition}\nmod there {{ use super::item as _; }} }}\n",
        random.maybe(&["#[repr(C)]", "#[repr(packed)]"])
    )
}

#[test]
fn no_macro_panics_and_items_stay() {
    let mut random = random();
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let support = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui/support/ptyx.rs");
    let macros = newest_macros();
    let ptyx = scratch.join("libptyx_fuzz.rmeta");
    let (built, message) = rustc(&support, &macros, None, &ptyx);
    assert!(built, "{message}");
    type Make = fn(&mut Random, usize) -> String;
    let makers: [(&str, Make); 3] =
        [("invocation", invocation), ("kernel", kernel), ("derive", derive)];
    for (name, make) in makers {
        let file = scratch.join(format!("fuzz_{name}.rs"));
        let head = "#![allow(non_camel_case_types, non_upper_case_globals)]\n".to_owned();
        let text = (0..COUNT).fold(head, |text, number| text + &make(&mut random, number));
        fs::write(&file, text).expect("the file written");
        let (built, message) = rustc(&file, &macros, Some(&ptyx), &scratch.join("fuzz.rmeta"));
        assert!(!built, "{name}: nothing was wrong");
        for sign in ["panicked", "wrote bad Rust", "no `item` in", "internal compiler error"] {
            let found: Vec<&str> = message.split("\n\n").filter(|m| m.contains(sign)).collect();
            assert!(found.is_empty(), "{}:\n{}", file.display(), found.join("\n\n"));
        }
        let errors = message.matches("\nerror").count();
        println!("{name}: {COUNT} uses, {errors} errors");
        assert!(errors > COUNT / 8, "{name}: {message}");
    }
}
