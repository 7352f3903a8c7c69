//! Random functions, run before and after the passes that rest on ranges: they must return the same, panic alike, and break
//! none of the promises that the passes make.

use std::collections::BTreeMap;
use std::fmt::Write;

use ptyx_image::Arch;

use super::decide_checks::decide_checks;
use super::narrow_divisions::narrow_divisions;
use super::narrow_words::narrow_words;
use crate::llvm::{self, BASE_PTX, Block, Context, Module, Target, Value, opcode, predicate};
use crate::rust::Toolchain;

/// How many functions are made.
const FUNCTIONS: u64 = 400;

/// What stands for the limit of a function's first check, in 64 bits.
const LARGEST: u64 = 0xfedc_ba98_8765_4321;

/// What is declared in each module.
const HEAD: &str = "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @panic(i64) noreturn
!0 = !{i32 0, i32 1024}
!1 = !{i32 0, i32 2147483647}
";

/// Numbers from a seed: a multiplication and the upper half of its product.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }

    /// A number that may be at the end of something.
    fn number(&mut self) -> u64 {
        let power = 1u64 << self.below(34);
        (power + self.below(3)).wrapping_sub(1 + self.below(2))
    }
}

/// A function that is being written.
struct Writer {
    random: Random,
    text: String,
    /// The names of values, with their bits.
    values: Vec<(String, u32)>,
}

impl Writer {
    fn value(&mut self, bits: u32) -> String {
        let all: Vec<&(String, u32)> = self.values.iter().filter(|one| one.1 == bits).collect();
        // The last ones more often, so that expressions become deep.
        let last =
            all.len() - 1 - self.random.below(all.len() as u64).min(self.random.below(4)) as usize;
        all[last].0.clone()
    }

    fn operand(&mut self, bits: u32) -> String {
        match self.random.below(3) {
            0 => (self.random.number() & (u64::MAX >> (64 - bits))).to_string(),
            _ => self.value(bits),
        }
    }

    fn define(&mut self, bits: u32, what: &str) -> String {
        let name = format!("%v{}", self.values.len());
        writeln!(self.text, "  {name} = {what}").unwrap();
        self.values.push((name.clone(), bits));
        name
    }

    fn step(&mut self) {
        let bits = self.random.of(&[32, 64, 64]);
        match self.random.below(10) {
            0 => {
                let (to, from) = (self.random.of(&["zext", "sext"]), self.value(32));
                self.define(64, &format!("{to} i32 {from} to i64"));
            }
            1 => {
                let from = self.value(64);
                self.define(32, &format!("trunc i64 {from} to i32"));
            }
            2 | 3 => {
                let (shift, by) = (self.random.of(&["shl", "lshr"]), self.random.below(12));
                let value = self.value(bits);
                self.define(bits, &format!("{shift} i{bits} {value}, {by}"));
            }
            4 => {
                let (divide, by) = (self.random.of(&["udiv", "urem"]), self.operand(bits));
                let value = self.value(bits);
                let by = self.define(bits, &format!("or i{bits} {by}, 1"));
                self.define(bits, &format!("{divide} i{bits} {value}, {by}"));
                // As LLVM takes a remainder apart.
                if divide == "udiv" && self.random.below(2) == 0 {
                    let (quotient, _) = self.values[self.values.len() - 1].clone();
                    let times = self.define(bits, &format!("mul i{bits} {quotient}, {by}"));
                    self.define(bits, &format!("sub i{bits} {value}, {times}"));
                }
            }
            5 => {
                let condition = self.comparison(bits);
                let (yes, no) = (self.operand(bits), self.operand(bits));
                self.define(bits, &format!("select i1 {condition}, i{bits} {yes}, i{bits} {no}"));
            }
            6 => {
                let mask = self.random.number();
                let value = self.value(bits);
                self.define(bits, &format!("and i{bits} {value}, {}", mask & 0xffff_ffff));
            }
            _ => {
                let operation = self.random.of(&["add", "add", "sub", "mul", "or", "xor"]);
                let (a, b) = (self.value(bits), self.operand(bits));
                let (a, b) = if self.random.below(4) == 0 { (b, a) } else { (a, b) };
                // Of -1, -2 and the like.
                let b =
                    if operation == "add" && self.random.below(3) == 0 { "-1".into() } else { b };
                self.define(bits, &format!("{operation} i{bits} {a}, {b}"));
            }
        }
    }

    fn comparison(&mut self, bits: u32) -> String {
        let says =
            self.random.of(&["ult", "ule", "ugt", "uge", "eq", "ne", "slt", "sle", "sgt", "sge"]);
        let (a, b) = (self.value(bits), self.operand(bits));
        self.define(1, &format!("icmp {says} i{bits} {a}, {b}"))
    }
}

/// A function with guards, then a check of which nothing is known, then a return of all that it has computed.
fn function(seed: u64) -> String {
    let start = [("%x", 32), ("%y", 64)].map(|(name, bits)| (name.to_owned(), bits));
    let mut writer = Writer { random: Random(seed), text: String::new(), values: start.into() };
    writer.text += "define i64 @f(i32 %x, i64 %y) {\n";
    writer.define(32, "call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !range !1");
    let thread = writer.define(32, "call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !0");
    writer.define(64, &format!("zext i32 {thread} to i64"));
    let parts = 1 + writer.random.below(3);
    for part in 0..parts {
        for _ in 0..2 + writer.random.below(6) {
            writer.step();
        }
        let bits = writer.random.of(&[32, 64]);
        let guard = match writer.random.below(2) {
            // Fewer threads.
            0 => {
                let end = 1u64 << writer.random.below(10);
                writer.define(1, &format!("icmp ult i32 {thread}, {end}"))
            }
            _ => writer.comparison(bits),
        };
        let (text, other) = (&mut writer.text, if writer.random.below(3) == 0 { "b" } else { "a" });
        let (yes, no) = if other == "a" { ("goes", "ends") } else { ("ends", "goes") };
        let to =
            |way: &str| if way == "goes" { format!("%goes{part}") } else { "%ends".to_owned() };
        writeln!(text, "  br i1 {guard}, label {}, label {}\ngoes{part}:", to(yes), to(no))
            .unwrap();
    }
    for check in 0..3 {
        for _ in 0..writer.random.below(5) {
            writer.step();
        }
        let bits = writer.random.of(&[32, 64, 64]);
        let condition = match check {
            // With the number that is replaced by the largest one that is compared with it.
            0 => {
                let value = writer.value(bits);
                writer.define(1, &format!("icmp ult i{bits} {value}, {}", LARGEST >> (64 - bits)))
            }
            _ => writer.comparison(bits),
        };
        let (yes, no) = match (check, writer.random.below(2)) {
            (0, _) => ("%ok0".to_owned(), "%fail0".to_owned()),
            (_, 0) => (format!("%ok{check}"), format!("%fail{check}")),
            _ => (format!("%fail{check}"), format!("%ok{check}")),
        };
        writeln!(
            writer.text,
            "  br i1 {condition}, label {yes}, label {no}\nfail{check}:\n  call void @panic(i64 {check})\n  \
             unreachable\nok{check}:"
        )
        .unwrap();
    }
    let all: Vec<String> =
        writer.values.iter().filter(|one| one.1 == 64).map(|one| one.0.clone()).collect();
    let mut sum = "0".to_owned();
    for value in all {
        let times = writer.define(64, &format!("mul i64 {sum}, 31"));
        sum = writer.define(64, &format!("xor i64 {times}, {value}"));
    }
    writeln!(writer.text, "  ret i64 {sum}\nends:\n  ret i64 7\n}}").unwrap();
    writer.text
}

/// How a thread ends.
#[derive(Debug, PartialEq, Eq)]
enum End {
    Returns(u64),
    Panics(u64),
}

/// What a thread is given.
#[derive(Clone, Copy, Debug)]
struct Inputs {
    thread: u64,
    block: u64,
    x: u64,
    y: u64,
}

/// What a thread is given, of which some are at the ends of what is possible.
fn inputs(random: &mut Random, round: u64) -> Inputs {
    let thread = if round < 64 { round } else { random.below(1024) };
    let thread = if round == 64 { 1023 } else { thread };
    let block = [0, 1, 0x7fff_fffe, random.below(0x7fff_ffff)][round as usize % 4];
    let y = random.number() | random.next() << 31 & random.next() << 40;
    Inputs { thread, block, x: random.number() & 0xffff_ffff, y }
}

/// Runs a function, and keeps the largest number that its first check compares.
fn run<'c>(
    function: Value<'c>,
    inputs: Inputs,
    largest: &mut u64,
    promises: &mut Promises<'c>,
) -> End {
    let mut values: BTreeMap<Value<'c>, u64> = BTreeMap::new();
    let mut block: Block<'c> = function.blocks()[0];
    loop {
        let mut next = None;
        for one in block.instructions() {
            let of = |index: u32| {
                let operand = one.operand(index);
                let parameter =
                    operand.parameter_of().map(|(_, at)| if at == 0 { inputs.x } else { inputs.y });
                operand.as_int().or(parameter).unwrap_or_else(|| values[&operand])
            };
            match one.opcode() {
                opcode::RETURN => return End::Returns(of(0)),
                opcode::BRANCH => {
                    let taken = one.condition().is_some_and(|condition| {
                        condition.as_int().unwrap_or_else(|| values[&condition]) == 0
                    });
                    next = Some(block.successors()[usize::from(taken)]);
                }
                opcode::CALL if one.callee().is_inline_asm() => {
                    let (a, b) = (of(0), of(1));
                    let divides = one.callee().asm_template().starts_with("div.u64");
                    values.insert(one, if divides { a / b } else { a % b });
                }
                opcode::CALL => match one.callee().name().as_str() {
                    "panic" => return End::Panics(of(0)),
                    name => {
                        _ = values.insert(
                            one,
                            if name.contains("ctaid") { inputs.block } else { inputs.thread },
                        )
                    }
                },
                _ => {
                    let limits = [LARGEST, LARGEST >> 32];
                    let is_first = one.opcode() == opcode::INTEGER_COMPARISON
                        && one.operand(1).as_int().is_some_and(|limit| limits.contains(&limit));
                    if is_first {
                        *largest = (*largest).max(of(0));
                    }
                    let text = promises.entry(one).or_insert_with(|| promise(one));
                    let result = compute(one, &of, text.as_deref());
                    values.insert(one, result);
                }
            }
        }
        block = next.expect("a branch");
    }
}

/// The text of each instruction that makes a promise: to print one takes longer than to run it.
type Promises<'c> = BTreeMap<Value<'c>, Option<String>>;

fn promise(one: Value<'_>) -> Option<String> {
    let text = one.print();
    [" nuw ", " nsw ", " nneg "].iter().any(|word| text.contains(word)).then_some(text)
}

/// The result of an instruction, whose `promise` has to hold.
fn compute(one: Value<'_>, of: &dyn Fn(u32) -> u64, promise: Option<&str>) -> u64 {
    let operands = one.operands();
    let bits_of = |value: Value<'_>| value.ty().int_bits().unwrap();
    let (bits, from) = (bits_of(one), bits_of(operands[0]));
    let signed = |x: u64| ((x << (64 - from)) as i64) >> (64 - from);
    let (a, b) = (of(0), if operands.len() > 1 { of(1) } else { 0 });
    let wide = match one.opcode() {
        opcode::ADD => u128::from(a) + u128::from(b),
        opcode::SUB => u128::from(a).wrapping_sub(u128::from(b)),
        opcode::MUL => u128::from(a) * u128::from(b),
        opcode::SHL => u128::from(a) << b,
        opcode::LSHR => u128::from(a >> b),
        opcode::UDIV => u128::from(a / b),
        opcode::UREM => u128::from(a % b),
        opcode::AND => u128::from(a & b),
        opcode::OR => u128::from(a | b),
        opcode::XOR => u128::from(a ^ b),
        opcode::ZERO_EXTEND | opcode::TRUNCATE | opcode::FREEZE => u128::from(a),
        opcode::SIGN_EXTEND => u128::from(signed(a) as u64),
        opcode::SELECT => u128::from(if a == 1 { b } else { of(2) }),
        opcode::INTEGER_COMPARISON => u128::from(match one.predicate() {
            predicate::EQUAL => a == b,
            predicate::NOT_EQUAL => a != b,
            predicate::UNSIGNED_LESS => a < b,
            predicate::UNSIGNED_LESS_EQUAL => a <= b,
            predicate::UNSIGNED_GREATER => a > b,
            predicate::UNSIGNED_GREATER_EQUAL => a >= b,
            predicate::SIGNED_LESS => signed(a) < signed(b),
            predicate::SIGNED_LESS_EQUAL => signed(a) <= signed(b),
            predicate::SIGNED_GREATER => signed(a) > signed(b),
            _ => signed(a) >= signed(b),
        }),
        other => panic!("opcode {other}: {one:?}"),
    };
    let result = wide as u64 & (u64::MAX >> (64 - bits));
    let Some(text) = promise else { return result };
    if text.contains(" nuw ") {
        assert_eq!(u128::from(result), wide, "{text}: {a}, {b}");
    }
    if text.contains(" nsw ") {
        let exact = match one.opcode() {
            opcode::ADD => i128::from(signed(a)) + i128::from(signed(b)),
            opcode::SUB => i128::from(signed(a)) - i128::from(signed(b)),
            opcode::MUL => i128::from(signed(a)) * i128::from(signed(b)),
            _ => i128::from(signed(a)) << b,
        };
        assert_eq!(i128::from(signed(result)), exact, "{text}: {a}, {b}");
    }
    if text.contains(" nneg ") {
        assert!(signed(a) >= 0, "{text}: {a}");
    }
    result
}

#[test]
fn passes_that_rest_on_ranges_change_no_result() {
    llvm::load(&Toolchain::for_test().libllvm).unwrap();
    let target = Target::new(Arch::BASE, BASE_PTX).unwrap();
    let (mut decided, mut divided, mut narrowed, mut panics) = (0, 0, 0, 0);
    for seed in 1..=FUNCTIONS {
        let template = HEAD.to_owned() + &function(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let context = Context::new();
        let mut random = Random(seed);
        let inputs: Vec<Inputs> = (0..192).map(|round| inputs(&mut random, round)).collect();
        // A thread fails the first check, or nearly so.
        let mut largest = 0;
        let module = Module::parse_text(&context, &template).unwrap();
        let mut promised = Promises::new();
        for inputs in &inputs {
            run(module.function("f").unwrap(), *inputs, &mut largest, &mut promised);
        }
        let limit = largest.saturating_add(seed % 2).to_string();
        let text = template
            .replace(&format!(", {LARGEST}\n"), &format!(", {limit}\n"))
            .replace(&format!(", {}\n", LARGEST >> 32), &format!(", {limit}\n"));
        let read = || {
            let mut module = Module::parse_text(&context, &text).unwrap();
            module.set_target(&target);
            module
        };
        let (before, after) = (read(), read());
        decided += usize::from(decide_checks(&after));
        divided += usize::from(narrow_divisions(&after));
        let checked = after.print();
        narrow_words(&after);
        narrowed += usize::from(after.print() != checked);
        after.verify().unwrap();
        let [old, new] = [&before, &after].map(|module| module.function("f").unwrap());
        let (mut promised_old, mut promised_new) = (Promises::new(), Promises::new());
        for inputs in inputs {
            let wanted = run(old, inputs, &mut 0, &mut promised_old);
            panics += usize::from(matches!(wanted, End::Panics(_)));
            assert_eq!(
                run(new, inputs, &mut 0, &mut promised_new),
                wanted,
                "seed {seed}, {inputs:?}:\n{text}\n{}",
                after.print()
            );
        }
    }
    let counts = (decided, divided, narrowed, panics);
    assert!(decided > 20 && divided > 20 && narrowed > 100 && panics > 1000, "{counts:?}");
}
