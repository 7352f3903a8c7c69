//! Loops whose counter advances with an iterator or in steps, and indexes another list: within its
//! bounds, or sometimes outside. Optimisers drop the check of an index that they believe to be in
//! bounds.

use crate::generator::Generator;
use crate::types::{Type, USIZE};

/// A loop over the slice `$X`, or to the end of `$Y`. Its body sees the counter `$i` and mostly an element `$x`.
///
/// `$A`, `$B` and `$N` are numbers below 5, below 13, and from 1 to 4; `$c` is a name of its own.
struct Head {
    /// What stands before the loop.
    before: &'static str,
    head: &'static str,
    /// What its body begins with.
    start: &'static str,
}

const fn head(before: &'static str, head: &'static str, start: &'static str) -> Head {
    Head { before, head, start }
}

/// Rounds that most loops of [`HEADS`] make at most; some make four times as many.
const ROUNDS: u64 = 12;

const HEADS: &[Head] = &[
    head("", "for ($i, &$x) in $X.iter().enumerate()", ""),
    head("", "for ($i, &$x) in $X.iter().enumerate()", ""),
    head("", "for ($i, &$x) in $X.iter().enumerate()", ""),
    head("", "for ($i, &$x) in $X.iter().enumerate().rev()", ""),
    head("", "for ($i, &$x) in $X.iter().rev().enumerate()", ""),
    head("", "for ($i, &$x) in $X.iter().enumerate().skip($A)", ""),
    head("", "for ($i, &$x) in $X.iter().skip($A).enumerate()", ""),
    head("", "for ($i, &$x) in $X.iter().enumerate().step_by($N)", ""),
    head("", "for ($i, &$x) in $X.iter().step_by($N).enumerate()", ""),
    head("", "for ($i, &$x) in $X.iter().enumerate().skip($A).step_by($N)", ""),
    head("", "for ($i, &$x) in $X.iter().enumerate().take($B)", ""),
    head("", "for ($i, &$x) in $X.iter().enumerate().filter(|($c, _)| $c % 2 != $A % 2)", ""),
    head("", "for ($i, &$x) in $X.iter().take_while(|$c| $c != &&$X[0]).enumerate()", ""),
    head("", "for ($i, &$x) in $X.iter().chain($X).enumerate()", ""),
    head("", "for ($i, &$x) in $X.iter().cycle().take($B).enumerate()", ""),
    head("", "for ($x, $i) in $X.iter().copied().zip($A..)", ""),
    head("", "for ($i, (&$x, $c)) in $X.iter().zip($A..$B).enumerate()", "let _ = $c;"),
    head("", "for ($i, ($c, &$x)) in $X.iter().enumerate().enumerate()", "let $i = $i ^ $c ^ $i;"),
    head(
        "",
        "for ($i, $x) in $X.iter().enumerate().flat_map(|($c, &$x)| (0..$A).map(move |j| ($c * $A + j, $x)))",
        "",
    ),
    head("", "for ($i, $c) in $X.chunks($N).enumerate()", "let $x = $c[$c.len() - 1];"),
    head("", "for ($i, $c) in $X.chunks_exact($N).enumerate()", "let $x = $c[$N - 1];"),
    head("", "for ($i, $c) in $X.rchunks($N).enumerate()", "let $x = $c[$c.len() / 2];"),
    head("", "for ($i, $c) in $X.windows($N).enumerate()", "let $x = $c[$N - 1];"),
    head("", "for $i in ($A..$B).step_by($N)", ""),
    head("", "for $i in ($A..$B).step_by($N)", ""),
    head("", "for $i in ($A..=$B).step_by($N)", ""),
    head("", "for $i in ($A..$B).rev().step_by($N)", ""),
    head("", "for $i in ($A..$B).step_by($N).rev()", ""),
    head("", "for $i in (0..usize::MAX).step_by($N).take($B)", ""),
    head("", "for $i in ($A..$X.len()).step_by($N)", "let $x = $X[$i];"),
    head("", "for $i in (0..$X.len()).step_by($N)", "let $x = $X[$i];"),
    head("", "for $i in (0..$X.len()).rev()", "let $x = $X[$i];"),
    head("", "for $i in ($A..$Y.len()).step_by($N)", ""),
    head("", "for $i in (0..$Y.len()).step_by($N)", ""),
    head("", "for $i in ($A..$Y.len()).rev().step_by($N)", ""),
    head("", "for $i in (0..$Y.len().min($X.len())).step_by($N)", "let $x = $X[$i];"),
    head("", "for ($i, (&$x, $c)) in $X.iter().zip($Y.iter()).enumerate()", "let _ = $c;"),
    head("", "for $i in $A..$Y.len()", ""),
    head("", "for $i in $A..$B", ""),
    head("", "for $c in ($A as i32..$B as i32).step_by($N)", "let $i = $c as usize;"),
    head("", "for $c in ($A as u8..$B as u8).step_by($N)", "let $i = $c as usize;"),
    head("", "for $c in (-($A as i64)..$B as i64).step_by($N)", "let $i = $c as usize;"),
    // Counters that are no iterator's.
    head("let mut $c = $A;", "for &$x in $X", "let $i = $c; $c += $N;"),
    head("let mut $c = 0usize;", "for &$x in $X", "let $i = $c; $c += 1;"),
    head(
        "let mut $c = 0usize;",
        "for &$x in $X",
        "let $i = $c; $c += if $i % 3 == $A { 0 } else { $N };",
    ),
    head("let mut $c = $B;", "for &$x in $X", "$c = $c.wrapping_sub($N); let $i = $c;"),
    head("let mut $c = $X.len();", "for &$x in $X", "$c -= 1; let $i = $c;"),
    head(
        "let mut $c = $A as u8;",
        "for &$x in $X",
        "let $i = $c as usize; $c = $c.wrapping_add($N as u8 * 63);",
    ),
    head("let mut $c = $A;", "while $c < $B", "let $i = $c; $c += $N;"),
    head("let mut $c = $A;", "while $c != $A + $B", "let $i = $c; $c += 1;"),
    head("let mut $c = 0usize;", "while let Some(&$x) = $X.get($c)", "let $i = $c; $c += $N;"),
    head(
        "let mut $c = $X.iter().enumerate();",
        "while let Some(($i, &$x)) = $c.next()",
        "if $i % 3 == $A { $c.next(); }",
    ),
    head(
        "let mut $c = &$X[..];",
        "while let Some((&$x, rest)) = $c.split_first()",
        "$c = rest; let $i = $c.len();",
    ),
];

/// Indices made of the counter `$i`, the slice `$Y` that is indexed, and a small number `$N`.
const INDICES: &[&str] = &[
    "$i",
    "$i",
    "$i",
    "$i",
    "$i.wrapping_add(1)",
    "$i.wrapping_add($N)",
    "$i.wrapping_sub(1)",
    "$i.wrapping_mul($N)",
    "($i / $N)",
    "($i % $N)",
    "($i ^ 1)",
    "$Y.len().wrapping_sub($i).wrapping_sub(1)",
    "($i as u8 as usize)",
    "($i as u32 as usize)",
];

/// An element of `$Y` at `$at`, `$0` if there is none.
const READS: &[&str] = &[
    "$Y.get($at).copied().unwrap_or($0)",
    "(if $at < $Y.len() { $Y[$at] } else { $0 })",
    "(if let Some(&y) = $Y.get($at) { y } else { $0 })",
    "(match $Y.get($at..) { Some(&[y, ..]) => y, _ => $0 })",
    "$Y.get($at..$at.wrapping_add(2)).map_or($0, |y| y[1])",
    "$Y.get(..$at).and_then(|y| y.last()).copied().unwrap_or($0)",
    "$Y.iter().nth($at).copied().unwrap_or($0)",
];

/// The same, with a panic if there is none.
const PANICKING_READS: &[&str] = &[
    "$Y[$at]",
    "$Y[$at]",
    "$Y[$at]",
    "$Y[$at..][0]",
    "$Y[..$at].len()",
    "*$Y.get($at).unwrap()",
    "$Y.split_at($at).1.len()",
];

/// A part of a list, as a slice: the list, what declares the slice, its name, its element.
struct View {
    list: String,
    text: String,
    name: String,
    element: Type,
}

impl Generator<'_> {
    /// A loop of [`HEADS`] over parts of lists, with reads and writes at its counter.
    pub(crate) fn indexing_loop(&mut self, depth: u32) -> String {
        if !self.affords(400) {
            return self.note(depth);
        }
        let Some(xs) = self.view(false, None) else { return self.note(depth) };
        let Some(ys) = self.view(false, Some(&xs.name)) else { return self.note(depth) };
        let (borrowed, other) = (xs.list.clone(), ys.list.clone());
        let zs = self.without(&borrowed, |g| {
            g.without(&other, |g| match g.rng.chance(40) {
                true => g.view(true, Some(&xs.name)),
                false => None,
            })
        });
        let numbers: Vec<String> = [("% 5", 5), ("% 13", 13), ("% 4 + 1", 4)]
            .iter()
            .map(|(range, bound)| match self.rng.chance(50) {
                true => format!("{} {range}", self.closed(|g| g.expr(&USIZE, 1))),
                false => format!("{}usize {range}", self.rng.below(*bound)),
            })
            .collect();
        let (a, b, n) = (self.fresh("a"), self.fresh("b"), self.fresh("n"));
        let sum = self.fresh("sum");
        let head = self.rng.pick(HEADS);
        let (i, x, c) = (self.fresh("i"), self.fresh("x"), self.fresh("c"));
        let fill = |text: &str| {
            text.replace("$i", &i)
                .replace("$x", &x)
                .replace("$X", &xs.name)
                .replace("$Y", &ys.name)
                .replace("$c", &c)
                .replace("$A", &a)
                .replace("$B", &b)
                .replace("$N", &n)
        };
        let has_item = head.head.contains("$x") || head.start.contains("let $x");
        // What is borrowed mutably comes last: all that stands before may read it.
        let mut text = format!(
            "{{ let ({a}, {b}, {n}) = ({}); let mut {sum} = 0u64;\n{}{}",
            numbers.join(", "),
            xs.text,
            ys.text
        );
        if let Some(zs) = &zs {
            text += &zs.text;
        }
        text += &format!("{}\n", fill(head.before));
        let zs_list = zs.as_ref().map_or(String::new(), |zs| zs.list.clone());
        let body = |g: &mut Self| {
            g.scoped(|g| {
                g.declare(&i, USIZE, false);
                if has_item {
                    g.declare(&x, xs.element.clone(), false);
                }
                let mut body = String::new();
                for _ in 0..g.rng.between(1, 3) {
                    let list = if g.rng.chance(40) { &xs } else { &ys };
                    body += &g.read_at(list, &i, &n, &sum);
                    if let Some(zs) = &zs {
                        body += &g.write_at(zs, &i, &n, depth);
                    }
                }
                // Half of the loops stay plain: optimisers understand those.
                if depth > 0 && g.rng.chance(50) {
                    let (label, more) = g.loop_body(None, ROUNDS, depth - 1);
                    (format!("{label}: "), body + &more)
                } else {
                    (String::new(), body)
                }
            })
        };
        let (label, body) = self.without(&xs.list, |g| {
            g.without(&ys.list, |g| {
                g.without(&zs_list, |g| g.diverging(|g| g.repeated(ROUNDS, body)))
            })
        });
        text += &format!("{label}{} {{\n{}\n{body}}}\n", fill(head.head), fill(head.start));
        text + &format!("note(trace, &{sum}); }}")
    }

    /// A part of a list in scope, sometimes about as long as the slice `like`.
    fn view(&mut self, mutable: bool, like: Option<&str>) -> Option<View> {
        let lists = self.lists(mutable, |_| true);
        if lists.is_empty() {
            return None;
        }
        let (list, element) = self.rng.pick(&lists).clone();
        let name = self.fresh(if mutable { "zs" } else { "ys" });
        let (from, len) = self.closed(|g| (g.expr(&USIZE, 1), g.expr(&USIZE, 1)));
        let from = if self.rng.chance(50) { "0usize".to_owned() } else { from };
        let borrow = if mutable { "&mut " } else { "&" };
        let len = match (like, self.rng.below(6)) {
            (Some(like), 0 | 1) => format!("{like}.len()"),
            (Some(like), 2) => format!("({like}.len() + {len} % 3).saturating_sub(1)"),
            _ => format!("({len} % 13)"),
        };
        let text = format!(
            "let {name} = {{ let from = {from} % ({list}.len() + 1); \
             let len = {len}.min({list}.len() - from); {borrow}{list}[from..][..len] }};\n"
        );
        Some(View { list, text, name, element })
    }

    /// A statement that reads an element of `ys` at an index made of `i`.
    fn read_at(&mut self, ys: &View, i: &str, n: &str, sum: &str) -> String {
        let at = self.index(ys, i, n);
        let panics = self.style.panics && self.rng.chance(60);
        let read = *self.rng.pick(if panics { PANICKING_READS } else { READS });
        let other = if read.contains("$0") { self.plain_value(&ys.element) } else { String::new() };
        let read = read.replace("$Y", &ys.name).replace("$at", &at).replace("$0", &other);
        let is_length = read.ends_with(".len()");
        match &ys.element {
            Type::Int(_) | Type::Bool | Type::Char => {
                format!("{sum} = {sum}.rotate_left(5) ^ ({read} as u64);\n")
            }
            _ if is_length => format!("{sum} = {sum}.rotate_left(5) ^ ({read} as u64);\n"),
            _ => format!("note(trace, &{read});\n"),
        }
    }

    /// A statement that changes an element of `zs`.
    fn write_at(&mut self, zs: &View, i: &str, n: &str, depth: u32) -> String {
        let at = self.index(zs, i, n);
        let value = self.closed(|g| g.expr(&zs.element, depth.min(1)));
        let zs = &zs.name;
        if self.style.panics && self.rng.chance(60) {
            return format!("{zs}[{at}] = {value};\n");
        }
        match self.rng.below(3) {
            0 => format!("if {at} < {zs}.len() {{ {zs}[{at}] = {value}; }}\n"),
            1 => format!("if let Some(z) = {zs}.get_mut({at}) {{ *z = {value}; }}\n"),
            _ => {
                format!("if {at}.saturating_add(1) < {zs}.len() {{ {zs}.swap({at}, {at} + 1); }}\n")
            }
        }
    }

    fn index(&mut self, view: &View, i: &str, n: &str) -> String {
        let index = *self.rng.pick(INDICES);
        index.replace("$i", i).replace("$N", n).replace("$Y", &view.name)
    }
}
