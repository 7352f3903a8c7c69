//! Iterator chains: a source, adaptors, and an end that makes a value.

use crate::generator::Generator;
use crate::types::{INTS, Int, Type, USIZE};

/// A chain that is being written.
struct Chain {
    text: String,
    /// The type of its items, always values and no references.
    item: Type,
    /// Items at most.
    most: u64,
    /// Whether it can be turned around.
    double_ended: bool,
    /// Whether its length is known.
    exact: bool,
}

impl Generator<'_> {
    /// The end of an iterator chain with a value of type `ty`.
    pub(crate) fn iterator_end(&mut self, ty: &Type, depth: u32) -> Option<String> {
        if depth == 0 || !self.affords(300) {
            return None;
        }
        let chain = self.chain(depth)?;
        self.spend(chain.most * 3);
        let (item, times) = (chain.item.clone(), chain.most);
        let is_item = item == *ty;
        let ordered = self.is_ordered(&item);
        let text = &chain.text;
        Some(match (ty, self.rng.below(6)) {
            (Type::Int(int), 0) if *int == INTS[10] => format!("{text}.count()"),
            (Type::Int(int), 0 | 1) if *int == INTS[10] && chain.double_ended && chain.exact => {
                let test = self.test(&item, depth, times);
                format!("{text}.rposition({test}).unwrap_or(99)")
            }
            (Type::Int(int), 0..4) if *int == INTS[10] => {
                let test = self.test(&item, depth, times);
                format!("{text}.position({test}).unwrap_or(99)")
            }
            (Type::Bool, 0..4) => {
                let test = self.test(&item, depth, times);
                format!("{text}.{}({test})", self.rng.pick(&["any", "all"]))
            }
            (Type::Bool, 4) if ordered => format!("{text}.is_sorted()"),
            (Type::Bool, 5) => {
                let other =
                    self.closed(|g| g.expr(&Type::Array(Box::new(item.clone()), 3), depth.min(2)));
                let compare = self.rng.pick(&["eq", "ne", "lt", "ge"]);
                format!("{text}.{compare}({other})")
            }
            (Type::Option(some), 0..4) if **some == item => {
                let end = match self.rng.below(10) {
                    0 if ordered => "max()".to_owned(),
                    1 if ordered => "min()".to_owned(),
                    2 => {
                        let (x, key) = self.lambda(&item, &Type::Int(INTS[4]), depth, times);
                        let end = self.rng.pick(&["min_by_key", "max_by_key"]);
                        format!("{end}(|&{x}| {key})")
                    }
                    3 => {
                        let (x, body) = self.lambda(&item, &Type::Bool, depth, times);
                        format!("find(|&{x}| {body})")
                    }
                    4 => format!("nth({})", self.rng.below(5)),
                    5 if chain.double_ended && chain.exact => {
                        format!("nth_back({})", self.rng.below(5))
                    }
                    6 if chain.double_ended => {
                        let (x, body) = self.lambda(&item, &Type::Bool, depth, times);
                        format!("rfind(|&{x}| {body})")
                    }
                    7 => {
                        let end = self.rng.pick(&["min_by", "max_by"]);
                        format!(
                            "{end}(|a, b| a.partial_cmp(b).unwrap_or(core::cmp::Ordering::Equal))"
                        )
                    }
                    8 => {
                        let option = Type::Option(Box::new(item.clone()));
                        let (x, body) = self.lambda(&item, &option, depth, times);
                        format!("find_map(|{x}| {body})")
                    }
                    _ => {
                        let (sum, body) = self.folding(&item, &item, depth, times);
                        format!("reduce(|{sum}| {body})")
                    }
                };
                format!("{text}.{end}")
            }
            (_, 0..2) if is_item => {
                let other = self.closed(|g| g.leaf(ty));
                format!("{text}.last().unwrap_or({other})")
            }
            _ => {
                let start = self.closed(|g| g.expr(ty, 1));
                let (names, body) = self.folding(ty, &item, depth, times);
                let end = if chain.double_ended && self.rng.chance(20) { "rfold" } else { "fold" };
                format!("{text}.{end}({start}, |{names}| {body})")
            }
        })
    }

    /// A closure's parameter and body.
    fn lambda(&mut self, item: &Type, result: &Type, depth: u32, times: u64) -> (String, String) {
        let name = self.fresh("x");
        let body = self.closed(|g| {
            g.declare(&name, item.clone(), false);
            g.repeated(times, |g| g.expr(result, depth.min(2)))
        });
        (name, body)
    }

    /// A closure from items to truth values.
    fn test(&mut self, item: &Type, depth: u32, times: u64) -> String {
        let (name, body) = self.lambda(item, &Type::Bool, depth, times);
        format!("|{name}| {body}")
    }

    /// Parameters and body of a fold's closure.
    fn folding(&mut self, sum: &Type, item: &Type, depth: u32, times: u64) -> (String, String) {
        let (a, x) = (self.fresh("a"), self.fresh("x"));
        let (sum_name, item_name) = (self.name_of(sum), self.name_of(item));
        let body = self.closed(|g| {
            g.declare(&a, sum.clone(), false);
            g.declare(&x, item.clone(), false);
            g.repeated(times, |g| g.expr(sum, depth.min(2)))
        });
        (format!("{a}: {sum_name}, {x}: {item_name}"), body)
    }

    /// A source with adaptors.
    fn chain(&mut self, depth: u32) -> Option<Chain> {
        let mut chain = self.source(depth)?;
        for _ in 0..self.rng.below(4) {
            if !self.affords(chain.most * 30) {
                break;
            }
            self.adapt(&mut chain, depth);
        }
        Some(chain)
    }

    fn source(&mut self, depth: u32) -> Option<Chain> {
        let lists = self.lists(false, |_| true);
        if lists.is_empty() || self.rng.chance(25) {
            let int: Int = *self.rng.pick(&[INTS[0], INTS[5], INTS[6], INTS[10], INTS[8]]);
            let low = self.rng.below(9);
            let high = low + self.rng.below(8);
            let bound = match self.rng.chance(40) {
                true => format!("{low}{} + ({} % 8)", int.name, {
                    let value =
                        self.closed(|g| g.expr(&Type::Int(int.with_sign(false)), depth.min(2)));
                    if int.signed { format!("{value} as {} & 7", int.name) } else { value }
                }),
                false => format!("{high}"),
            };
            // The lengths of wider ranges need not fit a `usize`.
            let exact = int.bits <= 32 || int.name == "usize";
            let text = format!("({low}{}..{bound})", int.name);
            let item = Type::Int(int);
            return Some(Chain { text, item, most: 8, double_ended: true, exact });
        }
        let (name, element) = self.rng.pick(&lists).clone();
        // The input is long.
        let is_slice =
            self.variables.iter().rev().any(|v| v.name == name && matches!(v.ty, Type::Slice(_)));
        let name = if is_slice { format!("{name}[..{name}.len().min(8)]") } else { name };
        let chain = |text: String, item: Type, most| Chain {
            text,
            item,
            most,
            double_ended: true,
            exact: true,
        };
        Some(match self.rng.below(14) {
            0 => {
                let (a, b) = (self.fresh("a"), self.fresh("b"));
                let pair = Type::Tuple(vec![element.clone(), element]);
                chain(
                    format!(
                        "{name}.windows(2).map(|w| match *w {{ [{a}, {b}, ..] => ({a}, {b}), _ => (w[0], w[0]) }})"
                    ),
                    pair,
                    8,
                )
            }
            1 => {
                let size = self.rng.between(1, 4);
                let method = *self.rng.pick(&["chunks", "chunks_exact", "rchunks"]);
                let pair = Type::Tuple(vec![element, USIZE]);
                chain(
                    format!("{name}.{method}({size}).map(|c| (c[c.len() - 1], c.len()))"),
                    pair,
                    8,
                )
            }
            2 => {
                let mid = self.closed(|g| g.expr(&USIZE, 1));
                chain(
                    format!("{name}.split_at({mid} % {name}.len()).1.iter().copied()"),
                    element,
                    8,
                )
            }
            3 => {
                let rounds = self.rng.between(1, 12);
                let text = format!("{name}.iter().copied().cycle().take({rounds})");
                Chain { text, item: element, most: 12, double_ended: false, exact: false }
            }
            4 => {
                let by = self.rng.between(1, 3);
                chain(
                    format!("{name}.as_chunks::<{by}>().0.iter().map(|c| c[{}])", by - 1),
                    element,
                    8,
                )
            }
            5 => {
                let item = Type::Tuple(vec![element, USIZE]);
                let text = format!("{name}.chunk_by(|a, b| a == b).map(|c| (c[0], c.len()))");
                Chain { text, item, most: 8, double_ended: true, exact: false }
            }
            6 => {
                let text = self.closed(|g| g.expr(&USIZE, 1));
                let (text, item) = match self.rng.chance(50) {
                    true => (format!("text({text}).chars()"), Type::Char),
                    false => (format!("text({text}).bytes().map(char::from)"), Type::Char),
                };
                Chain { text, item, most: 17, double_ended: true, exact: false }
            }
            _ => chain(format!("{name}.iter().copied()"), element, 8),
        })
    }

    fn adapt(&mut self, chain: &mut Chain, depth: u32) {
        let (item, times) = (chain.item.clone(), chain.most);
        let mut double_ended = chain.double_ended;
        let mut exact = chain.exact;
        let adaptor = match self.rng.below(18) {
            0..3 => {
                let to = self.any_type(1);
                let (x, body) = self.lambda(&item, &to, depth, times);
                chain.item = to;
                format!("map(|{x}| {body})")
            }
            3 | 4 => {
                exact = false;
                let (x, body) = self.lambda(&item, &Type::Bool, depth, times);
                format!("filter(|&{x}| {body})")
            }
            5 if double_ended => "rev()".to_owned(),
            6 => {
                double_ended &= exact;
                format!("step_by({})", self.rng.between(1, 4))
            }
            7 => {
                double_ended &= exact;
                let count = self.closed(|g| g.expr(&USIZE, 1));
                format!("{}({count} % 6)", self.rng.pick(&["skip", "take"]))
            }
            8 => {
                double_ended &= exact;
                chain.item = Type::Tuple(vec![USIZE, item]);
                "enumerate()".to_owned()
            }
            9 => {
                let Some(other) = self.source(1) else { return };
                double_ended &= exact && other.exact && other.double_ended;
                exact &= other.exact;
                chain.item = Type::Tuple(vec![item, other.item]);
                format!("zip({})", other.text)
            }
            10 => {
                exact = false;
                double_ended = false;
                let (x, body) = self.lambda(&item, &Type::Bool, depth, times);
                format!("{}(|&{x}| {body})", self.rng.pick(&["take_while", "skip_while"]))
            }
            11 => {
                exact = false;
                double_ended = false;
                let state = self.any_scalar();
                let start = self.closed(|g| g.expr(&state, 1));
                let (a, x) = (self.fresh("a"), self.fresh("x"));
                let body = self.closed(|g| {
                    g.declare(&a, state.clone(), false);
                    g.declare(&x, item.clone(), false);
                    g.repeated(times, |g| g.expr(&state, depth.min(2)))
                });
                chain.item = state.clone();
                let ty = self.name_of(&state);
                format!(
                    "scan({start}, |state: &mut {ty}, {x}| {{ let {a} = *state; *state = {body}; Some(*state) }})"
                )
            }
            12 if chain.most <= 8 => {
                exact = false;
                let to = self.any_scalar();
                chain.most *= 3;
                let (x, body) =
                    self.lambda(&item, &Type::Array(Box::new(to.clone()), 3), depth, times);
                chain.item = to;
                format!("flat_map(|{x}| {body})")
            }
            14 => {
                exact = false;
                double_ended = false;
                let to = self.any_type(1);
                let option = Type::Option(Box::new(to.clone()));
                let (x, body) = self.lambda(&item, &option, depth, times);
                chain.item = to;
                format!("{}(|{x}| {body})", self.rng.pick(&["map_while", "filter_map"]))
            }
            15 if chain.most <= 8 => {
                // The item is the number of copies.
                exact = false;
                chain.most *= 3;
                let (x, body) = self.lambda(&item, &USIZE, depth, times);
                format!("flat_map(|{x}| core::iter::repeat_n({x}, {body} % 4))")
            }
            16 => {
                // Items that follow equal ones are left out.
                exact = false;
                double_ended = false;
                let (name, first) = (self.fresh("last"), self.closed(|g| g.leaf(&item)));
                format!(
                    "scan({first}, |{name}, x| {{ let new = x != *{name}; *{name} = x; Some(new.then_some(x)) }}).flatten()"
                )
            }
            17 => "fuse()".to_owned(),
            13 if chain.most <= 8 => {
                let name = self.fresh("x");
                chain.most *= 2;
                exact = false;
                let other = self.closed(|g| g.expr(&item, 1));
                format!("chain(core::iter::once({other}).inspect(|{name}| {{ let _ = {name}; }}))")
            }
            _ => return,
        };
        chain.text += &format!(".{adaptor}");
        chain.double_ended = double_ended;
        chain.exact = exact;
    }
}
