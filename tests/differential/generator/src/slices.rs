//! Methods of slices that modify a list or query it.

use crate::generator::Generator;
use crate::types::{Type, U64, USIZE};

/// Statements about the list `$L`, which is never empty. `$i` and `$j` are any numbers, `$v` a value
/// of the element's type.
const ANY: &[&str] = &[
    "$L.reverse();",
    "{ let by = $i % ($L.len() + 1); $L.rotate_left(by); }",
    "{ let by = $i % ($L.len() + 1); $L.rotate_right(by); }",
    "{ let (i, j) = ($i, $j); let len = $L.len(); $L.swap(i % len, j % len); }",
    "{ let from = $i % $L.len(); $L[from..].fill($v); }",
    "{ let from = $i % $L.len(); $L.copy_within(from.., 0); }",
    "{ let from = $i % $L.len(); let len = $j % ($L.len() - from); $L.copy_within(..len, from); }",
    "{ let mid = $i % $L.len(); let (low, high) = $L.split_at_mut(mid); \
     for (a, b) in low.iter_mut().zip(high) { core::mem::swap(a, b); } }",
    "{ let old = $L[0]; let n = $i % $L.len(); $L[n..].iter_mut().for_each(|e| *e = old); }",
    "{ let mid = $L.len() / 2; let (low, high) = $L.split_at_mut(mid); low.copy_from_slice(&high[..mid]); }",
    "{ let mid = $L.len() / 2; let (low, high) = $L.split_at_mut(mid); low.swap_with_slice(&mut high[..mid]); }",
    "for part in $L.chunks_exact_mut(2) { part.swap(0, 1); }",
    "for part in $L.rchunks_mut(3) { part.reverse(); }",
    "if let Some((first, rest)) = $L.split_first_mut() \
     && let Some(last) = rest.last_mut() { core::mem::swap(first, last); }",
    "if let [first, .., last] = &mut $L[..] { *last = *first; }",
    "{ let other = $v; $L.iter_mut().rev().step_by(2).for_each(|e| *e = other); }",
    "{ let (mut n, old, other) = ($i, $L[0], $v); \
     $L.fill_with(|| { n = n.wrapping_mul(5).wrapping_add(1); if n % 3 == 0 { old } else { other } }); }",
    "for part in $L.splitn_mut(2, |e| *e == $v) { part.reverse(); }",
    "if let Some(part) = $L.get_mut($i % 9..$j % 9) { part.reverse(); }",
    "note(trace, &$L.contains(&$v));",
    "note(trace, &($L.starts_with(&[$v]), $L.ends_with(&[$v])));",
    "note(trace, &$L.first_chunk::<2>().map_or($L[0], |part| part[1]));",
    "note(trace, &$L.as_chunks::<3>().0.iter().filter(|part| part[0] == part[2]).count());",
    "note(trace, &$L.iter().rev().zip($L.iter()).filter(|(a, b)| a == b).count());",
    "note(trace, &$L.chunk_by(|a, b| a == b).map(|part| part.len()).max());",
    "for part in $L.split(|e| *e == $v) { note(trace, &part.len()); }",
    "for part in $L.rsplit(|e| *e == $v) { note(trace, &part.first().copied()); }",
    "note(trace, &$L.is_sorted());",
    "{ let at = $i % $L.len(); note(trace, &$L.split_at(at).0.last().copied()); }",
];

/// The same for elements with a total order.
const ORDERED: &[&str] = &[
    "$L.sort_unstable();",
    "$L.sort_unstable_by(|a, b| b.cmp(a));",
    "{ let at = $i % $L.len(); $L.select_nth_unstable(at); }",
    "note(trace, &$L.partition_point(|e| *e < $v));",
    "{ $L.sort_unstable(); note(trace, &$L.binary_search(&$v).unwrap_or_else(|at| !at)); }",
    "{ $L.sort_unstable_by(|a, b| b.cmp(a)); \
     note(trace, &$L.binary_search_by(|e| $v.cmp(e)).unwrap_or_else(|at| !at)); }",
    "note(trace, &($L[$i % $L.len()..].cmp(&$L[..]) as i8));",
];

/// The same, with a panic for some numbers.
const PANICKING: &[&str] = &[
    "$L.swap($i % 9, $j % 9);",
    "$L.rotate_left($i % 9);",
    "$L[$i % 9..$j % 9].reverse();",
    "$L[$i % 9..=$j % 9].fill($v);",
    "$L.copy_within($i % 9.., $j % 9);",
    "{ let (low, high) = $L.split_at_mut($i % 9); low.copy_from_slice(high); }",
    "note(trace, &$L.chunks($i % 5).count());",
    "note(trace, &$L.windows($i % 4).count());",
    "for part in $L.chunks_exact_mut(3) { part.swap($i % 4, 0); }",
];

impl Generator<'_> {
    /// A slice's method that changes a list, or asks something of it.
    pub(crate) fn list_statement(&mut self, depth: u32) -> String {
        let lists = self.lists(true, |_| true);
        if !lists.is_empty() && self.rng.chance(70) {
            let (list, element) = self.rng.pick(&lists).clone();
            return self.change_of(&list, &element, depth);
        }
        // A list of its own, in few bits: many elements are equal.
        let (name, element) = (self.fresh("v"), self.any_scalar());
        let ty = Type::Array(Box::new(element.clone()), self.rng.between(2, 24));
        let value = self.expr(&ty, depth.max(1));
        let ty = self.name_of(&ty);
        let mut text = format!("{{ let mut {name}: {ty} = {value};\n");
        for _ in 0..self.rng.between(1, 3) {
            text += &self.change_of(&name, &element, depth);
            text.push('\n');
        }
        text + &format!("note(trace, &{name}); }}")
    }

    /// A statement about the list of this name.
    fn change_of(&mut self, list: &str, element: &Type, depth: u32) -> String {
        let ordered = self.is_ordered(element);
        let ty = self.name_of(element);
        self.spend(200);
        self.without(list, |g| {
            let rows = match g.rng.below(20) {
                0..4 if g.style.panics => PANICKING,
                0..2 => return g.sort_by_digest(list, &ty),
                2 => {
                    let name = g.fresh("x");
                    let key = g.closed(|g| {
                        g.declare(&name, element.clone(), false);
                        g.repeated(20, |g| g.expr(&U64, depth.min(1)))
                    });
                    // Equal keys: the order of an unstable sort is the library's, on both sides.
                    return format!("{list}.sort_unstable_by_key(|&{name}: &{ty}| {key});");
                }
                4..10 if ordered => ORDERED,
                _ => ANY,
            };
            let mut text = (*g.rng.pick(rows)).to_owned();
            for (placeholder, ty) in [("$i", &USIZE), ("$j", &USIZE), ("$v", element)] {
                if text.contains(placeholder) {
                    let value = g.closed(|g| g.repeated(8, |g| g.expr(ty, depth.min(2))));
                    text = text.replace(placeholder, &value);
                }
            }
            text.replace("$L", list)
        })
    }

    /// Sorts, by an order that is none of the derived ones, a longer list that is made of this one.
    fn sort_by_digest(&mut self, list: &str, ty: &str) -> String {
        self.spend(1000);
        let (len, factor) = (self.rng.between(9, 40), self.rng.below(1000) * 2 + 1);
        let order = *self.rng.pick(&[
            "a.0.cmp(&b.0)",
            "b.0.cmp(&a.0)",
            "a.0.cmp(&b.0).then(b.1.cmp(&a.1))",
        ]);
        let key = self.rng.pick(&["u8", "i8", "u16", "i32", "u64", "i128"]);
        let mixed = if self.uniform_only { "7" } else { "trace.get() as usize" };
        format!(
            "{{ let mut many: [({key}, usize, {ty}); {len}] = core::array::from_fn(|i| \
             ((i.wrapping_mul({factor}) ^ {mixed}) as {key}, i, {list}[i % {list}.len()]));\n\
             many.sort_unstable_by(|a, b| {order});\n\
             note(trace, &many); let first = many[0].2; {list}[0] = first; }}"
        )
    }
}
