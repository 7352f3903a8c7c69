//! Random programs of nested branches, loops, breaks, calls and exchanges: warps must compute what each
//! thread computes alone. `PTYX_FUZZ_ROUNDS` and `PTYX_FUZZ_SEED` set their number and the seed.

mod device;

use device::Device;
use std::fmt::Write as _;

/// xorshift64*
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        ((self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % u64::from(bound)) as u32
    }
}

/// `x >> shift & mask == value`
#[derive(Clone, Copy)]
struct Condition {
    shift: u32,
    mask: u32,
    value: u32,
}

impl Condition {
    fn random(random: &mut Random) -> Self {
        let mask = [1, 3, 7][random.below(3) as usize];
        Condition { shift: random.below(20), mask, value: random.below(mask + 1) }
    }

    fn holds(self, x: u32) -> bool {
        x >> self.shift & self.mask == self.value
    }
}

enum Node {
    /// `x = x * a + b`
    Compute(u32, u32),
    If(Condition, Vec<Node>, Vec<Node>),
    /// At most `1 + (x & 7)` times, as `x` is at the start.
    Loop(Vec<Node>),
    Break(Condition),
    Continue(Condition),
    /// The thread ends, by a jump to the end or by an own `ret`.
    Return(Condition, bool),
    /// `x = callee(x)`, which branches and returns early inside.
    Call,
    /// `x ^= ` the value of lane `lane ^ mask`; only where all threads come that have not returned.
    Exchange(u32),
}

fn block(random: &mut Random, depth: u32, in_loop: bool, returns: bool) -> Vec<Node> {
    let count = 1 + random.below(4);
    (0..count).map(|_| node(random, depth, in_loop, returns)).collect()
}

fn node(random: &mut Random, depth: u32, in_loop: bool, returns: bool) -> Node {
    match random.below(if depth == 0 { 3 } else { 8 }) {
        0 | 1 => Node::Compute(random.below(1 << 16) * 2 + 1, random.below(1 << 30)),
        2 if in_loop && random.below(2) == 0 => Node::Break(Condition::random(random)),
        2 if in_loop => Node::Continue(Condition::random(random)),
        2 if returns && random.below(3) == 0 => {
            Node::Return(Condition::random(random), random.below(2) == 0)
        }
        2 | 3 => Node::Call,
        4 => Node::Loop(block(random, depth - 1, true, returns)),
        _ => {
            let then = block(random, depth - 1, in_loop, returns);
            let otherwise = if random.below(3) == 0 {
                Vec::new()
            } else {
                block(random, depth - 1, in_loop, returns)
            };
            Node::If(Condition::random(random), then, otherwise)
        }
    }
}

/// What the emulated device gives for the value of a lane whose thread has returned.
const ABSENT: u32 = 0xfffa_fffa;

// --- what a thread computes -----------------------------------------------------------------------------

#[derive(PartialEq)]
enum Next {
    On,
    Break,
    Continue,
    Return,
}

fn callee(x: u32) -> u32 {
    if x & 1 == 0 {
        return x.wrapping_add(12345);
    }
    let mut x = x;
    for _ in 0..(x & 3) {
        x = x.wrapping_mul(3);
    }
    x ^ 0x5555
}

fn run(nodes: &[Node], x: &mut u32) -> Next {
    for node in nodes {
        match node {
            Node::Compute(a, b) => *x = x.wrapping_mul(*a).wrapping_add(*b),
            Node::If(condition, then, otherwise) => {
                let arm = if condition.holds(*x) { then } else { otherwise };
                let next = run(arm, x);
                if next != Next::On {
                    return next;
                }
            }
            Node::Loop(body) => {
                for _ in 0..1 + (*x & 7) {
                    match run(body, x) {
                        Next::Break => break,
                        Next::Return => return Next::Return,
                        _ => {}
                    }
                }
            }
            Node::Break(condition) if condition.holds(*x) => return Next::Break,
            Node::Continue(condition) if condition.holds(*x) => return Next::Continue,
            Node::Return(condition, _) if condition.holds(*x) => return Next::Return,
            Node::Call => *x = callee(*x),
            _ => {}
        }
    }
    Next::On
}

fn expected(program: &[Node], threads: u32) -> Vec<u32> {
    let mut values: Vec<u32> = (0..threads).map(|t| t.wrapping_mul(0x9e37_79b9)).collect();
    let mut live = vec![true; threads as usize];
    for node in program {
        if let Node::Exchange(mask) = node {
            let old = values.clone();
            for (thread, value) in values.iter_mut().enumerate().filter(|(t, _)| live[*t]) {
                let other = thread ^ *mask as usize;
                *value ^= if live[other] { old[other] } else { ABSENT };
            }
            continue;
        }
        for (value, live) in values.iter_mut().zip(&mut live).filter(|(_, live)| **live) {
            *live = run(std::slice::from_ref(node), value) != Next::Return;
        }
    }
    values
}

// --- the same as PTX ------------------------------------------------------------------------------------

struct Emitter {
    text: String,
    labels: u32,
    registers: u32,
}

impl Emitter {
    fn label(&mut self) -> String {
        self.labels += 1;
        format!("$L{}", self.labels)
    }

    fn line(&mut self, line: impl AsRef<str>) {
        let _ = writeln!(self.text, "{}", line.as_ref());
    }

    fn test(&mut self, condition: Condition) {
        self.line(format!("shr.u32 %r3, %r2, {};", condition.shift));
        self.line(format!("and.b32 %r3, %r3, {};", condition.mask));
        self.line(format!("setp.eq.u32 %p1, %r3, {};", condition.value));
    }

    fn nodes(&mut self, nodes: &[Node], around: Option<(&str, &str)>) {
        for node in nodes {
            self.node(node, around);
        }
    }

    /// `around`: labels for `break` and `continue`.
    fn node(&mut self, node: &Node, around: Option<(&str, &str)>) {
        match node {
            Node::Compute(a, b) => self.line(format!("mad.lo.u32 %r2, %r2, {a}, {b};")),
            Node::If(condition, then, otherwise) => {
                let (other, end) = (self.label(), self.label());
                self.test(*condition);
                self.line(format!("@!%p1 bra {other};"));
                self.nodes(then, around);
                self.line(format!("bra.uni {end};\n{other}:"));
                self.nodes(otherwise, around);
                self.line(format!("{end}:"));
            }
            Node::Loop(body) => {
                let (top, next, end) = (self.label(), self.label(), self.label());
                let counter = format!("%n{}", self.registers);
                self.registers += 1;
                self.line(format!("and.b32 {counter}, %r2, 7;\n{top}:"));
                self.nodes(body, Some((&end, &next)));
                self.line(format!("{next}:\nsetp.ne.u32 %p1, {counter}, 0;"));
                self.line(format!("sub.u32 {counter}, {counter}, 1;\n@%p1 bra {top};\n{end}:"));
            }
            Node::Break(condition) | Node::Continue(condition) => {
                let is_break = matches!(node, Node::Break(_));
                let (end, next) = around.expect("only in loops");
                self.test(*condition);
                self.line(format!("@%p1 bra {};", if is_break { end } else { next }));
            }
            Node::Return(condition, jump) => {
                self.test(*condition);
                if *jump {
                    self.line("@%p1 bra $END;");
                } else {
                    self.line("@%p1 st.global.u32 [%rd1], %r2;\n@%p1 ret;");
                }
            }
            Node::Call => self.line(
                "{\n.param .b32 a;\n.param .b32 r;\nst.param.b32 [a], %r2;\n\
                 call.uni (r), callee, (a);\nld.param.b32 %r2, [r];\n}",
            ),
            Node::Exchange(mask) => {
                self.line(format!("shfl.sync.bfly.b32 %r3, %r2, {mask}, 31, -1;"));
                self.line("xor.b32 %r2, %r2, %r3;");
            }
        }
    }
}

fn ptx(program: &[Node]) -> String {
    let mut body = Emitter { text: String::new(), labels: 0, registers: 0 };
    body.nodes(program, None);
    format!(
        ".version 7.0\n.target sm_70\n.address_size 64\n\
         .func (.param .b32 result) callee(.param .b32 x)\n{{\n\
         .reg .pred %p<2>;\n.reg .b32 %r<4>;\n\
         ld.param.b32 %r1, [x];\nand.b32 %r2, %r1, 1;\nsetp.ne.u32 %p1, %r2, 0;\n@%p1 bra ODD;\n\
         add.u32 %r1, %r1, 12345;\nst.param.b32 [result], %r1;\nret;\n\
         ODD:\nand.b32 %r2, %r1, 3;\n\
         AGAIN:\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 bra DONE;\nmul.lo.u32 %r1, %r1, 3;\n\
         sub.u32 %r2, %r2, 1;\nbra.uni AGAIN;\n\
         DONE:\nxor.b32 %r1, %r1, 0x5555;\nst.param.b32 [result], %r1;\nret;\n}}\n\
         .visible .entry kernel(.param .u64 out)\n{{\n\
         .reg .pred %p<2>;\n.reg .b32 %r<4>;\n.reg .b32 %n<{}>;\n.reg .b64 %rd<2>;\n\
         ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\nmad.wide.u32 %rd1, %r1, 4, %rd1;\n\
         mul.lo.u32 %r2, %r1, 0x9e3779b9;\n{}$END:\nst.global.u32 [%rd1], %r2;\nret;\n}}\n",
        body.registers + 1,
        body.text
    )
}

#[test]
fn warps_compute_what_threads_do() {
    let setting = |name: &str, default: u64| {
        std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
    };
    let seed = setting("PTYX_FUZZ_SEED", 1) | 1;
    let rounds = setting("PTYX_FUZZ_ROUNDS", 300);
    let device = Device::new();
    let mut random = Random(seed);
    for round in 0..rounds {
        // What a lane that has exited gives in an exchange is undefined on a GPU.
        let returns = random.below(2) == 0 && !device::on_gpu();
        let mut program = Vec::new();
        for _ in 0..1 + random.below(5) {
            program.push(node(&mut random, 4, false, returns));
            program.push(Node::Exchange(1 + random.below(31)));
        }
        let text = ptx(&program);
        let module = device.load(&text).unwrap_or_else(|log| panic!("{log}\n{text}"));
        let function = device.function(module, "kernel").expect("the kernel");
        let threads = 64;
        let out = device.upload(&vec![0; threads as usize * 4]);
        let mut params = [out.to_le_bytes().to_vec()];
        assert_eq!(device.launch(function, [1, 1, 1], [threads, 1, 1], 0, &mut params), 0);
        let code = device.synchronize();
        assert_eq!(code, 0, "{:?}\n{text}", ptyx_emulator::driver::take_fault());
        let found = device.download(out, threads as usize * 4);
        let found: Vec<u32> =
            found.chunks(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
        let wanted = expected(&program, threads);
        let differs = (0..threads as usize).find(|&thread| found[thread] != wanted[thread]);
        assert_eq!(differs, None, "seed {seed}, round {round}, thread {differs:?}\n{text}");
        device.free(out);
    }
    println!("seed {seed}: {rounds} programs");
}
