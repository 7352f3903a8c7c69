//! Hostile PTX: whatever the text, loading ends, with a module or with errors, and running a kernel from
//! it ends, too; soon, and without taking the host's memory. `PTYX_FUZZ_ROUNDS` and `PTYX_FUZZ_SEED` set
//! the number of rounds and the seed.

mod device;

use device::{Device, driver};
use std::ffi::{c_int, c_void};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// xorshift64*
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

// --- limits ---------------------------------------------------------------------------------------------

/// Address space of the process, in bytes: an allocation beyond it ends the test.
const MAX_MEMORY: u64 = 8 << 30;

/// One module may take this long, on a busy machine.
const MAX_TIME: Duration = Duration::from_secs(60);

/// The emulated device has one context, and the limits are the process's.
static ALONE: Mutex<()> = Mutex::new(());

unsafe extern "C" {
    fn setrlimit(resource: c_int, limit: *const [u64; 2]) -> c_int;
}

/// Ends the process if one round takes too long, until it is dropped.
struct Watch(&'static Clock);

struct Clock {
    /// Seconds since `start` at which the round began.
    round: AtomicU64,
    start: Instant,
}

impl Watch {
    /// Limits memory, steps and time of the process.
    fn start() -> Watch {
        const RLIMIT_AS: c_int = 9;
        // SAFETY: the limit is two words, soft and hard.
        assert_eq!(unsafe { setrlimit(RLIMIT_AS, &[MAX_MEMORY; 2]) }, 0);
        // SAFETY: tests hold `ALONE`, so that none reads the environment now.
        unsafe { std::env::set_var("PTYX_EMULATOR_STEPS", "20000") };
        let clock: &Clock =
            Box::leak(Box::new(Clock { round: AtomicU64::new(0), start: Instant::now() }));
        std::thread::spawn(|| {
            loop {
                std::thread::sleep(Duration::from_secs(1));
                let now = clock.start.elapsed().as_secs();
                if now.saturating_sub(clock.round.load(Ordering::Relaxed)) > MAX_TIME.as_secs() {
                    eprintln!("a round took more than {MAX_TIME:?}");
                    std::process::abort();
                }
            }
        });
        Watch(clock)
    }

    fn next_round(&self) {
        self.0.round.store(self.0.start.elapsed().as_secs(), Ordering::Relaxed);
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.round.store(u64::MAX, Ordering::Relaxed);
    }
}

// --- damage ---------------------------------------------------------------------------------------------

const PIECES: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    "@",
    "!",
    "-",
    "+",
    "0",
    "4294967296",
    "%r1",
    "%rd1",
    "%p1",
    ".reg .b32 %r<9999999999>;",
    ".b128",
    ".pred",
    "ret;",
    "bra L;",
    "call",
    ".param",
    ".local",
    "0f7F800000",
    "9223372036854775808",
    "_",
    "|",
    "%tid.x",
    "%nothing",
    "/*",
    "\"",
    "é",
    "bar.sync 99;",
    ".entry",
    ".func f",
    ".v4",
    "trap;",
    "exit;",
    ".extern",
    "[999999999999]",
    ".align 3",
    "$L",
    ":",
];

/// Numbers at the ends of what fields hold.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "3",
    "31",
    "33",
    "64",
    "255",
    "65536",
    "99999999",
    "2147483647",
    "4294967295",
    "4294967296",
    "1099511627776",
    "9223372036854775807",
    "18446744073709551615",
    "99999999999999999999999",
    "0x7fffffffffffffff",
    "0xffffffffffffffffff",
    "0b1",
    "07",
    "1U",
    "0d7FF0000000000000",
    "0f00",
    "1.5",
];

/// Splits into words, numbers and other characters; joined, they are the text again.
fn tokens(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut word = false;
    for c in text.chars() {
        let in_word = c.is_alphanumeric() || matches!(c, '_' | '$' | '%');
        match out.last_mut() {
            Some(last) if word && in_word => last.push(c),
            _ => out.push(c.to_string()),
        }
        word = in_word;
    }
    out
}

/// Lines removed, doubled, swapped; pieces put into them.
fn damage_lines(text: &str, random: &mut Random) -> String {
    let mut out: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    for _ in 0..1 + random.below(4) {
        let at = random.below(out.len());
        match random.below(6) {
            0 => {
                out.remove(at);
            }
            1 => {
                let other = out[random.below(out.len())].clone();
                out.insert(at, other);
            }
            2 => {
                let other = random.below(out.len());
                out.swap(at, other);
            }
            _ => {
                let line = &out[at];
                let places: Vec<usize> = line.char_indices().map(|(index, _)| index).collect();
                let place = places.get(random.below(places.len())).copied().unwrap_or(0);
                let piece = random.pick(PIECES);
                let keep = if random.below(2) == 0 { place } else { (place + 1).min(line.len()) };
                let rest = line.get(keep..).unwrap_or("");
                out[at] = format!("{}{piece}{rest}", &line[..place]);
            }
        }
        if out.is_empty() {
            out.push(String::new());
        }
    }
    out.concat()
}

/// Tokens replaced by others of the same text, of another one, or by numbers.
fn damage_tokens(text: &str, other: &str, random: &mut Random) -> String {
    let mut all = tokens(text);
    let others = tokens(other);
    for _ in 0..1 + random.below(5) {
        let at = random.below(all.len());
        let is_number = |token: &String| token.starts_with(|c: char| c.is_ascii_digit());
        match random.below(5) {
            0 => all[at] = random.pick(&others).clone(),
            1 => all[at] = all[random.below(all.len())].clone(),
            2 => all.insert(at, random.pick(&others).clone()),
            _ => {
                // A number, if there is one behind this place.
                let at = (at..all.len()).find(|&at| is_number(&all[at])).unwrap_or(at);
                all[at] = (*random.pick(NUMBERS)).to_owned();
            }
        }
    }
    all.concat()
}

/// Bytes changed, cut off, or taken from another text; it may no longer be UTF-8.
fn damage_bytes(text: &str, other: &str, random: &mut Random) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    match random.below(3) {
        0 => bytes.truncate(random.below(bytes.len())),
        1 => {
            let other = other.as_bytes();
            bytes.truncate(random.below(bytes.len()));
            bytes.extend_from_slice(&other[random.below(other.len())..]);
        }
        _ => {
            for _ in 0..1 + random.below(8) {
                let at = random.below(bytes.len());
                bytes[at] ^= 1 << random.below(8);
            }
        }
    }
    bytes
}

fn damage(text: &str, other: &str, random: &mut Random) -> Vec<u8> {
    let mut bytes = match random.below(4) {
        0 => damage_bytes(text, other, random),
        1 => damage_tokens(text, other, random).into_bytes(),
        _ => damage_lines(text, random).into_bytes(),
    };
    bytes.retain(|&byte| byte != 0);
    bytes
}

// --- loading and running --------------------------------------------------------------------------------

/// Loads a module as the driver gets it: bytes up to a zero.
fn load(bytes: &[u8]) -> Result<usize, c_int> {
    let mut text = bytes.to_vec();
    text.push(0);
    let mut module = 0usize;
    let code = driver!(cuModuleLoadData(
        &mut module => *mut usize,
        text.as_ptr().cast() => *const c_void,
    ));
    if code == 0 { Ok(module) } else { Err(code) }
}

/// The names behind `.entry`.
fn entries(text: &str) -> Vec<&str> {
    let name = |rest: &'_ str| {
        rest.find(|c: char| c != '_' && c != '$' && !c.is_alphanumeric()).unwrap_or(rest.len())
    };
    text.split(".entry ").skip(1).map(|rest| &rest[..name(rest)]).collect()
}

/// Runs an entry with arguments that may be pointers, numbers, or nothing of use.
fn launch(device: &Device, function: usize, random: &mut Random) -> c_int {
    let buffer = device.upload(&[0; 4096]);
    let values = [buffer, buffer + 2044, buffer + 4095, 0, 1, 7, u64::MAX, random.next()];
    let tame = random.below(2) == 0;
    let mut params: Vec<Vec<u8>> = (0..64)
        .map(|_| {
            let value = if tame { buffer } else { *random.pick(&values) };
            [value.to_le_bytes(), [0; 8]].concat().repeat(8)
        })
        .collect();
    let shapes = [([2, 1, 1], [40, 1, 1]), ([1, 2, 3], [4, 5, 3]), ([1, 1, 1], [1024, 1, 1])];
    let (grid, block) = *random.pick(&shapes);
    let code = device.launch(function, grid, block, 64, &mut params);
    let code = if code == 0 { device.synchronize() } else { code };
    device.free(buffer);
    code
}

/// What the emulator's own failure would be reported as: a panic that was caught.
const UNKNOWN: c_int = 999;

#[test]
fn damaged_modules_do_no_harm() {
    let _alone = ALONE.lock();
    let watch = Watch::start();
    let seed = setting("PTYX_FUZZ_SEED", 1) | 1;
    let rounds = setting("PTYX_FUZZ_ROUNDS", 3000);
    let device = Device::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ptx");
    let texts: Vec<String> = ["saxpy", "control", "memory", "sync", "warp", "faults", "hints"]
        .iter()
        .map(|name| {
            std::fs::read_to_string(folder.join(format!("{name}.ptx"))).expect("a test file")
        })
        .collect();
    let mut random = Random(seed);
    let (mut loaded, mut ran) = (0, 0);
    for round in 0..rounds {
        watch.next_round();
        let (text, other) = (random.pick(&texts).clone(), random.pick(&texts).clone());
        let bytes = damage(&text, &other, &mut random);
        let text = String::from_utf8_lossy(&bytes);
        let note = || format!("seed {seed}, round {round}:\n{text}");
        let module = match load(&bytes) {
            Ok(module) => module,
            Err(code) => {
                assert_ne!(code, UNKNOWN, "{}", note());
                continue;
            }
        };
        loaded += 1;
        let entries = entries(&text);
        for _ in 0..3 {
            let Some(name) = entries.get(random.below(entries.len())) else { continue };
            let Some(function) = device.function(module, name) else { continue };
            let code = launch(&device, function, &mut random);
            assert_ne!(code, UNKNOWN, "{}", note());
            ran += 1;
        }
        assert_eq!(driver!(cuModuleUnload(module => usize)), 0, "{}", note());
    }
    println!("seed {seed}: {rounds} modules, {loaded} of them loaded, {ran} kernels ran");
    assert!(loaded > 0 && ran > 0);
}

/// Texts that are large, deep, or ask for much.
fn bombs() -> Vec<(&'static str, String)> {
    const HEAD: &str = ".version 7.0\n.target sm_70\n.address_size 64\n";
    let entry = |body: &str| format!("{HEAD}.visible .entry k()\n{{\n{body}\nret;\n}}\n");
    let many =
        |count: usize, line: &dyn Fn(usize) -> String| -> String { (0..count).map(line).collect() };
    const DEEP: usize = 200_000;
    vec![
        ("no end of a comment", format!("{HEAD}/*{}", "/*".repeat(DEEP))),
        ("open braces", entry(&"{".repeat(DEEP))),
        ("nested blocks", entry(&("{".repeat(DEEP) + &"}".repeat(DEEP)))),
        ("open parentheses", entry(&format!("call {}", "(".repeat(DEEP)))),
        ("open brackets", entry(&format!("ld.global.u32 %r1, {}", "[".repeat(DEEP)))),
        ("nested initialiser", format!("{HEAD}.global .b8 a[2] = {}", "{".repeat(DEEP))),
        ("minus signs", entry(&format!("mov.u32 %r1, {}1;", "-".repeat(DEEP)))),
        ("operators", entry(&format!("mov.u32 %r1, {}1;", "1+".repeat(DEEP)))),
        ("nots", entry(&format!("@{}%p1 ret;", "!".repeat(DEEP)))),
        ("dots", entry(&format!("mov{} %r1, 1;", ".u32".repeat(DEEP)))),
        ("dimensions", format!("{HEAD}.global .b8 a{};", "[2]".repeat(DEEP))),
        ("a long name", entry(&format!("mov.u32 %{}, 1;", "r".repeat(10 * DEEP)))),
        ("a long number", entry(&format!("mov.u32 %r1, {};", "9".repeat(10 * DEEP)))),
        ("one line", entry(&"mov.u32 %r1, 1; ".repeat(DEEP))),
        ("many errors, one line", entry(&"what? ".repeat(DEEP))),
        ("many errors, many lines", entry(&"what?;\n".repeat(DEEP))),
        (
            "a far place",
            entry(".reg .b32 %r<2>; .local .b32 a[2]; ld.local.u32 %r1, [a+9223372036854775807];"),
        ),
        ("registers", entry(".reg .b64 %rd<4294967295>;")),
        ("more registers", entry(&many(200, &|i| format!(".reg .b64 %a{i}_<1000000>;\n")))),
        ("used registers", {
            let body = many(50_000, &|i| format!("mov.u64 %rd{i}, {i};\n"));
            entry(&format!(".reg .b64 %rd<50000>;\n{body}"))
        }),
        ("labels", entry(&many(50_000, &|i| format!("L{i}: bra L{};\n", (i * 7) % 50_000)))),
        ("a global", format!("{HEAD}.global .b8 a[1099511627776];")),
        ("globals", HEAD.to_owned() + &many(500, &|i| format!(".global .b8 a{i}[1073741824];\n"))),
        ("shared", entry(".shared .b8 s[4294967296];")),
        ("local", entry(".local .b8 l[1099511627775];")),
        ("locals", entry(&many(100, &|i| format!(".local .b8 l{i}[1073741823];\n")))),
        ("alignment", format!("{HEAD}.global .align 2147483648 .b8 a[1];")),
        ("overflowing array", format!("{HEAD}.global .b64 a[4294967296][4294967296][16];")),
        ("parameters", {
            let params = many(5000, &|i| format!(".param .u64 p{i},"));
            format!("{HEAD}.visible .entry k({params} .param .u64 q) {{ ret; }}")
        }),
        ("a parameter", format!("{HEAD}.visible .entry k(.param .b8 p[4294967296]) {{ ret; }}")),
        ("entries", {
            HEAD.to_owned() + &many(20_000, &|i| format!(".visible .entry k{i}() {{ ret; }}\n"))
        }),
        ("calls in a circle", {
            let body = many(300, &|i| {
                format!(".func f{i}() {{ call.uni f{}, (); ret; }}\n", (i + 1) % 300)
            });
            let declared = many(300, &|i| format!(".func f{i}();\n"));
            format!("{HEAD}{declared}{body}.visible .entry k() {{ call.uni f0, (); ret; }}")
        }),
        ("a chain of calls", {
            let body = many(5000, &|i| match i {
                0 => ".func f0() { ret; }\n".to_owned(),
                i => format!(".func f{i}() {{ call.uni f{}, (); ret; }}\n", i - 1),
            });
            format!("{HEAD}{body}.visible .entry k() {{ call.uni f4999, (); ret; }}")
        }),
        ("nested loops", {
            let tops = many(2000, &|i| format!("T{i}:\n"));
            let ends = many(2000, &|i| format!("@%p1 bra T{};\n", 1999 - i));
            entry(&format!(".reg .pred %p<2>;\nsetp.eq.u32 %p1, 1, 2;\n{tops}{ends}"))
        }),
        ("a jump table", {
            let targets = many(100_000, &|_| "L,".to_owned());
            entry(&format!("L:\nts: .branchtargets {targets} L;\nbrx.idx 0, ts;"))
        }),
        ("strings", format!("{HEAD}.file 1 \"{}\"", "\\".repeat(DEEP))),
        (
            "a debug section",
            format!("{HEAD}.section .debug_str {{ a: .b8 {} }}", "1,".repeat(DEEP)),
        ),
        ("locations", entry(&".loc 4294967295 4294967295 4294967295\n".repeat(50_000))),
        ("directives", {
            format!(
                "{HEAD}.visible .entry k() .maxntid 4294967295, 4294967295, 4294967295\n\
                     .minnctapersm 4294967295 .maxnreg 0 {{ ret; }}"
            )
        }),
    ]
}

#[test]
fn bombs_do_not_explode() {
    let _alone = ALONE.lock();
    let watch = Watch::start();
    let device = Device::new();
    let mut random = Random(1);
    for (name, text) in bombs() {
        watch.next_round();
        let started = Instant::now();
        let loaded = load(text.as_bytes());
        assert_ne!(loaded, Err(UNKNOWN), "{name}");
        let mut ran = None;
        if let Ok(module) = loaded {
            if let Some(function) = device.function(module, "k") {
                let code = launch(&device, function, &mut random);
                assert_ne!(code, UNKNOWN, "{name}");
                ran = Some(code);
            }
            assert_eq!(driver!(cuModuleUnload(module => usize)), 0, "{name}");
        }
        println!("{name}: {loaded:?}, run: {ran:?}, {:?}", started.elapsed());
    }
}
