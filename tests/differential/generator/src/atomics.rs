//! Atomics of `core`: shared by a block, by a launch, or a thread's own.
//!
//! What threads share is changed by one family of commutative operations, whose old values are not
//! used.

use crate::generator::Generator;
use crate::types::{INTS, Int, Type, U32};

/// Operations of one family: `$v` is a value, `$o` an ordering.
struct Family {
    /// The cell's number, the same for all users of a family.
    cell: usize,
    /// One step.
    methods: &'static [&'static str],
    /// The new value, from `old` and `value`.
    change: &'static str,
}

const FAMILIES: &[Family] = &[
    Family {
        cell: 0,
        methods: &["fetch_add($v, $o)", "fetch_sub($v, $o)"],
        change: "old.wrapping_add(value)",
    },
    Family { cell: 1, methods: &["fetch_and($v, $o)"], change: "old & value" },
    Family { cell: 2, methods: &["fetch_or($v, $o)"], change: "old | value" },
    Family { cell: 3, methods: &["fetch_xor($v, $o)"], change: "old ^ value" },
    Family { cell: 4, methods: &["fetch_max($v, $o)"], change: "old.max(value)" },
    Family {
        cell: 5,
        methods: &["fetch_min($v, $o)"],
        change: "if value < old { value } else { old }",
    },
];

/// Steps on the thread's own `own`, with values `$0` and `$1`.
const OWN: &[&str] = &[
    "own.fetch_add($0, $o)",
    "own.fetch_sub($0, $o)",
    "own.fetch_nand($0, $o)",
    "own.fetch_min($0, $o)",
    "own.fetch_max($0, $o)",
    "own.swap($0, $o)",
    "own.compare_exchange($0, $1, AcqRel, Acquire).unwrap_or_else(|now| !now)",
    "own.fetch_update(SeqCst, Relaxed, |now| now.checked_add($0)).unwrap_or_else(|now| now ^ 1)",
    "{ own.store($0, Release); own.load(Acquire) }",
];

const ORDERINGS: [&str; 5] = ["Relaxed", "Acquire", "Release", "AcqRel", "SeqCst"];

impl Generator<'_> {
    /// Whether the functions of a world can be called here.
    pub(crate) fn sees_world(&self) -> bool {
        self.variables.iter().any(|variable| variable.name.starts_with("w."))
    }

    /// A type that has atomics.
    fn atomic_int(&mut self) -> Int {
        loop {
            let int = *self.rng.pick(&INTS);
            if int.bits <= 64 && !int.name.ends_with("size") {
                return int;
            }
        }
    }

    /// An operation of a family on a cell, which is an expression.
    fn update(&mut self, family: &Family, int: Int, cell: &str, depth: u32) -> String {
        let value = self.closed(|g| g.expr(&Type::Int(int), depth));
        let order = *self.rng.pick(&ORDERINGS);
        match self.rng.below(4) {
            0 => format!(
                "{{ let (value, cell) = ({value}, {cell}); let mut old = cell.load(Relaxed); \
                 while let Err(now) = cell.compare_exchange_weak(old, {}, AcqRel, Relaxed) {{ old = now; }} }}",
                family.change
            ),
            1 => format!(
                "{{ let (value, cell) = ({value}, {cell}); \
                 let _ = cell.fetch_update({}, Relaxed, |old| Some({})); }}",
                order, family.change
            ),
            _ => {
                let method =
                    self.rng.pick(family.methods).replace("$v", "value").replace("$o", order);
                format!("{{ let (value, cell) = ({value}, {cell}); cell.{method}; }}")
            }
        }
    }

    /// A change of one of the launch's atomics.
    pub(crate) fn grid_atomic(&mut self, depth: u32) -> String {
        if !self.sees_world() || !self.affords(20) {
            return self.note(depth);
        }
        self.spend(20);
        let (family, int) = (self.rng.pick(FAMILIES), self.atomic_int());
        let cell = format!("&w.grid_cells().{}[{}]", int.name, family.cell);
        self.update(family, int, &cell, depth.min(2))
    }

    /// Atomics of the block, read behind a barrier.
    pub(crate) fn block_atomics(&mut self, depth: u32) -> String {
        let (family, int) = (self.rng.pick(FAMILIES), self.atomic_int());
        let ty = Type::Int(int);
        self.let_of(ty.clone(), true, |g| {
            let cell = format!("w.block_cells().{}[{}]", int.name, family.cell);
            let start = g.uniformly(|g| g.expr(&ty, 1));
            let mut updates = String::new();
            for _ in 0..g.rng.between(1, 2) {
                updates += &g.diverging(|g| {
                    // Sometimes the compiler can't know in which memory the cell is.
                    let cell = match g.rng.chance(25) {
                        true => format!(
                            "if {} {{ &{cell} }} else {{ &w.grid_cells().{}[{}] }}",
                            g.closed(|g| g.expr(&Type::Bool, 1)),
                            int.name,
                            family.cell
                        ),
                        false => format!("&{cell}"),
                    };
                    let update = g.update(family, int, &cell, depth);
                    match g.rng.below(4) {
                        0 => format!("if {} {{ {update} }}\n", g.expr(&Type::Bool, 1)),
                        1 => {
                            let times = g.closed(|g| g.expr(&U32, 1));
                            format!("for _ in 0..({times} % 4) {{ {update} }}\n")
                        }
                        _ => update + "\n",
                    }
                });
            }
            format!(
                "{{ if w.thread() == 0 {{ {cell}.store({start}, Relaxed); }} w.sync();\n{updates}\
                 w.sync(); let got = {cell}.load(Relaxed); w.sync(); got }}"
            )
        })
    }

    /// An integer made by steps on an atomic of the thread's own.
    pub(crate) fn own_atomic(&mut self, int: Int, depth: u32) -> String {
        let ty = Type::Int(int);
        let depth = depth.min(2);
        // In the order in which they are computed.
        let [first, second, third] =
            self.closed(|g| [g.expr(&ty, depth), g.expr(&ty, 1), g.expr(&ty, 1)]);
        let mut steps = String::new();
        for _ in 0..self.rng.between(1, 3) {
            let order = *self.rng.pick(&ORDERINGS);
            let step = self.rng.pick(OWN).replace("$o", order);
            steps += &format!("sum = sum.rotate_left(1) ^ {step};\n");
        }
        let steps = steps.replace("$0", "a").replace("$1", "b");
        let name = int.name;
        let kind = name[..1].to_uppercase() + &name[1..];
        format!(
            "{{ let (own, a, b): (_, {name}, {name}) = (Atomic{kind}::new({first}), {second}, {third});\n\
             let mut sum: {name} = 0;\n{steps}sum.wrapping_add(own.into_inner()) }}"
        )
    }
}
