//! Damaged PTX: whatever the text, loading ends, with a module or with errors, and running a kernel from
//! it ends, too. `PTYX_FUZZ_ROUNDS` and `PTYX_FUZZ_SEED` set how much and from where.

mod device;

use device::{Device, driver};
use std::path::Path;

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
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

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

fn damage(text: &str, random: &mut Random) -> String {
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
                let piece = PIECES[random.below(PIECES.len())];
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

#[test]
fn damaged_modules_do_no_harm() {
    // SAFETY: this is the only test of this process, and no other thread runs yet.
    unsafe { std::env::set_var("PTYX_EMULATOR_STEPS", "20000") };
    let seed = setting("PTYX_FUZZ_SEED", 1) | 1;
    let rounds = setting("PTYX_FUZZ_ROUNDS", 1500);
    let device = Device::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ptx");
    let texts: Vec<String> = ["saxpy", "control", "memory", "sync", "warp", "faults"]
        .iter()
        .map(|name| {
            std::fs::read_to_string(folder.join(format!("{name}.ptx"))).expect("a test file")
        })
        .collect();
    let mut random = Random(seed);
    let (mut loaded, mut ran) = (0, 0);
    for round in 0..rounds {
        let text = damage(&texts[random.below(texts.len())], &mut random);
        let note = format!("seed {seed}, round {round}");
        let Ok(module) = device.load(&text.replace('\0', "")) else { continue };
        loaded += 1;
        let entries: Vec<&str> = text
            .split(".entry ")
            .skip(1)
            .map(|rest| rest.split(|c: char| c != '_' && !c.is_alphanumeric()).next().unwrap_or(""))
            .collect();
        for _ in 0..3 {
            let Some(name) = entries.get(random.below(entries.len())) else { continue };
            let Some(function) = device.function(module, name) else { continue };
            let buffer = device.upload(&[0; 4096]);
            let mut params: Vec<Vec<u8>> =
                (0..64).map(|_| [buffer.to_le_bytes(), [0; 8]].concat().repeat(8)).collect();
            let code = device.launch(function, [2, 1, 1], [40, 1, 1], 64, &mut params);
            // 999 would be a panic that was caught.
            assert_ne!(code, 999, "{note}:\n{text}");
            assert_ne!(device.synchronize(), 999, "{note}:\n{text}");
            device.free(buffer);
            ran += 1;
        }
        assert_eq!(driver!(cuModuleUnload(module => usize)), 0, "{note}");
    }
    println!("seed {seed}: {rounds} modules, {loaded} of them loaded, {ran} kernels ran");
    assert!(loaded > 0 && ran > 0);
}
