//! D8: printing from kernels. The text goes to the process's standard output, so each test runs a
//! part of this program as a process of its own and reads that.

use crate::panics::child;
use core::fmt;
use ptyx::prelude::*;
use ptyx_tests::rng;

/// Around what a kernel prints, and around what the host makes of the same.
const MARK: &str = "\n=====\n";

#[derive(Debug, Clone, Copy, PartialEq, DeviceCopy)]
#[repr(C)]
struct Sample {
    wide: i64,
    float: f64,
    narrow: u32,
    letter: u32,
}

#[derive(Debug, Clone, Copy)]
#[allow(dead_code, reason = "the derived Debug reads the fields")]
enum Shape {
    Point,
    Circle { radius: f32 },
    Tagged(u8, Option<bool>),
}

/// A type with its own text.
struct Angle(u32);

impl fmt::Display for Angle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}°", self.0 % 360)
    }
}

/// Lines of a sample; `$line` prints one, on either side.
macro_rules! lines {
    ($sample:expr, $all:expr, $line:ident) => {
        let sample: Sample = $sample;
        let Sample { wide, float, narrow, letter } = sample;
        let (byte, single) = (wide as i8, float as f32);
        let letter = char::from_u32(letter).unwrap_or('?');
        let shape = match narrow % 4 {
            0 => Shape::Point,
            1 => Shape::Circle { radius: single },
            2 => Shape::Tagged(byte as u8, None),
            _ => Shape::Tagged(byte as u8, Some(wide < 0)),
        };
        let name = if wide > 0 { "positive" } else { "größtenteils negativ\n" };
        let all: &[f32] = $all;
        $line!("no arguments, 100 % {{}}");
        $line!();
        $line!("{} {} {} {} {}", byte, wide, narrow, i128::from(wide) * 3, u16::MAX);
        $line!("{wide:x} {byte:#X} {narrow:o} {byte:08b} {narrow:#034b} {narrow:e} {wide:+}");
        $line!("[{narrow:<12}] [{narrow:^12}] [{narrow:>12}] [{byte:*^9}] [{narrow:012}]");
        $line!("{float} {float:?} {float:e} {float:.3} {single} {single:?} {single:+.2E}");
        $line!(
            "[{single:>30}] [{float:<+40.1}] [{:w$.p$}] [{:.*}]",
            float,
            2,
            single,
            w = narrow as usize % 30,
            p = byte as usize % 9
        );
        $line!("{letter} {letter:?} [{letter:>4}] {} {:?} [{:-^7}]", wide < 0, wide > 0, true);
        $line!("{} {:?} [{:>9}] [{:.2}]", "naïve", "\"quo\te\"", "naïve", "naïve");
        $line!("{name} {name:?} [{name:<30}] [{name:.3}]");
        $line!("{:?} {:#?} {:?}", (byte, single), (narrow, letter), ());
        $line!("{:?} {:?}", Some(wide), None::<u8>);
        $line!("{:?} {:#?}", (wide > 7).then_some(float), (wide < 7).then_some((byte, "no")));
        $line!("{shape:?} {shape:#?}");
        $line!("{sample:?}\n{sample:#?} {sample:04x?}");
        $line!("{} [{}] {all:?} {all:.1?}", Angle(narrow), Angle(7));
        $line!("{0} {1} {0:?} {name2:>1$}", byte, 6, name2 = narrow % 3);
        $line!("{:?} {:?}", [byte, 1, 2], core::num::NonZero::new(narrow));
    };
}

#[kernel]
fn prints_samples(samples: &[Sample], all: &[f32]) {
    for &sample in samples {
        lines!(sample, all, gpu_println);
    }
    gpu_print!("{}", "in two ");
    gpu_println!("parts");
}

/// What the same lines are on the host.
fn on_the_host(samples: &[Sample], all: &[f32]) -> String {
    let mut text = String::new();
    macro_rules! line {
        () => { text.push('\n') };
        ($($format:tt)*) => {{
            text.push_str(&format!($($format)*));
            text.push('\n');
        }};
    }
    for &sample in samples {
        lines!(sample, all, line);
    }
    text + "in two parts\n"
}

/// Run by `the_same_as_on_the_host`.
#[test]
#[ignore = "a part of another test"]
fn samples_child() {
    let mut rng = rng();
    let mut samples = rng.vec(12, |rng| Sample {
        wide: (rng.next_u64() >> rng.below(64)).cast_signed()
            * if rng.below(2) == 0 { 1 } else { -1 },
        float: match rng.below(3) {
            0 => f64::from_bits(rng.next_u64()),
            1 => rng.next_f64() * 1000.0 - 500.0,
            _ => f64::from(f32::from_bits(rng.next_u32())),
        },
        narrow: rng.next_u32() >> rng.below(32),
        letter: rng.next_u32() >> (11 + rng.below(20)),
    });
    for (float, narrow) in [(0.0, 0), (-0.0, 1), (f64::NAN, 2), (f64::INFINITY, 3), (5e-324, 4)] {
        samples.push(Sample { wide: i64::MIN, float, narrow, letter: 0x0301 });
    }
    let all = [0.5, -1.25, f32::MIN_POSITIVE];
    let (buffer, floats) =
        (DeviceBuffer::from_slice(&samples).unwrap(), DeviceBuffer::from_slice(&all).unwrap());
    print!("{MARK}");
    launch!(prints_samples<<<1, 1>>>(&buffer, &floats)).unwrap();
    ptyx::synchronize().unwrap();
    print!("{MARK}{}{MARK}", on_the_host(&samples, &all));
}

#[test]
fn the_same_as_on_the_host() {
    let output = child("printing::samples_child");
    let parts: Vec<&str> = output.split(MARK).collect();
    let [_, device, host, _] = parts[..] else { panic!("{output}") };
    for (device, host) in device.lines().zip(host.lines()) {
        assert_eq!(device, host, "{output}");
    }
    assert_eq!(device, host);
}

const THREADS: usize = 300;
const ROUNDS: u64 = 4;

#[kernel]
fn prints_from_many(start: u64) {
    let t = thread::index_1d().get();
    for round in start..start + ROUNDS {
        gpu_println!("<{t} {round} {:?}>", Some(t * 3));
    }
}

/// Run by `lines_of_threads_stay_whole_and_in_order`.
#[test]
#[ignore = "a part of another test"]
fn many_child() {
    let streams = [Stream::new().unwrap(), Stream::new().unwrap()];
    for start in 0..3 {
        for (stream, first) in streams.iter().zip([0, 100]) {
            let start = first + start * ROUNDS;
            launch!(prints_from_many<<<3, THREADS / 3, 0, stream>>>(start)).unwrap();
        }
    }
    let event = Event::new().unwrap();
    event.record(&streams[0]).unwrap();
    event.synchronize().unwrap();
    streams[1].synchronize().unwrap();
}

#[test]
fn lines_of_threads_stay_whole_and_in_order() {
    let output = child("printing::many_child");
    let mut next = vec![[0, 100]; THREADS];
    for line in output.lines().filter(|line| line.contains('<')) {
        let words: Vec<&str> = line[line.find('<').unwrap() + 1..].split(' ').collect();
        let [t, round, value] = words[..] else { panic!("`{line}` in {output}") };
        let (t, round): (usize, u64) = (t.parse().unwrap(), round.parse().unwrap());
        assert_eq!(value, format!("Some({})>", t * 3));
        let next = &mut next[t][usize::from(round >= 100)];
        assert_eq!(*next, round, "thread {t}");
        *next += 1;
    }
    assert!(next.iter().all(|next| *next == [3 * ROUNDS, 100 + 3 * ROUNDS]), "{output}");
}

#[kernel]
fn prints_much(lines: u32, numbers: &[u32]) {
    for i in 0..lines {
        match i % 2 {
            0 => gpu_println!("line {i}"),
            _ => gpu_println!("line {i} {numbers:?}"),
        }
    }
}

/// Run by `lines_without_room_are_counted`.
#[test]
#[ignore = "a part of another test"]
fn lost_child() {
    Device::current().unwrap().set_print_buffer(1);
    let numbers = DeviceBuffer::from_slice(&[1_u32, 2, 3]).unwrap();
    // The halves of a small buffer take turns, and nothing is lost.
    for _ in 0..100 {
        launch!(prints_much<<<1, 1>>>(3, &numbers)).unwrap();
        ptyx::synchronize().unwrap();
    }
    println!("{MARK}");
    launch!(prints_much<<<1, 1>>>(20_000, &numbers)).unwrap();
    ptyx::synchronize().unwrap();
    Device::current().unwrap().set_print_buffer(1 << 20);
    launch!(prints_much<<<1, 1>>>(2000, &numbers)).unwrap();
    println!("{MARK}");
    // A blocking copy waits, too.
    numbers.to_vec().unwrap();
    ptyx::synchronize().unwrap();
}

#[test]
fn lines_without_room_are_counted() {
    let output = child("printing::lost_child");
    let lines = |text: &str| text.lines().filter(|line| line.contains("line ")).count();
    let parts: Vec<&str> = output.split(MARK).collect();
    let [few, many, more] = parts[..] else { panic!("{output}") };
    assert_eq!(lines(few), 300, "{output}");
    assert_eq!(lines(&more[..more.find("ptyx: ").unwrap()]), 2000, "{output}");
    let lost: usize = output
        .lines()
        .filter_map(|line| {
            line.strip_prefix("ptyx: ")?.split_once(" lines printed by kernels were lost")
        })
        .map(|(count, _)| count.parse::<usize>().unwrap())
        .sum();
    assert!(lost > 0 && lines(many) + lost == 20_000, "{} {lost}", lines(many));
}

/// A formatter that panics.
struct Bad(u32);

impl fmt::Display for Bad {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        assert!(self.0 != 1, "not this one");
        write!(f, "fine {}", self.0)
    }
}

#[kernel]
fn prints_and_panics(numbers: &[u32]) {
    let t = thread::x();
    gpu_println!("before {t}");
    gpu_println!("{}", Bad(t));
    let _ = gpu_dbg!(numbers[t as usize] + 1);
    ptyx_test_library::tell("number", 7);
}

#[kernel]
fn prints_and_dies(address: usize) {
    gpu_println!("the address is {address}");
    // SAFETY: none: the test is about the line before.
    let value = unsafe { (address as *const u32).read() };
    gpu_println!("there is {value}");
}

#[kernel]
fn prints_as_c(x: f32) {
    // SAFETY: the format is one for these values.
    let count = unsafe {
        ptyx::device::print::printf(
            c"C: %d %.2f %lld %s\n",
            (-5_i8, x, 1_i64 << 40, c"text".as_ptr()),
        )
    };
    assert!(count == 4);
}

#[kernel]
fn prints_one(value: u32) {
    gpu_println!("value {value}");
}

/// Run by `a_locked_output_stops_nobody`: the main thread waits for the device and holds the standard output's lock, for which the other
/// thread waits.
#[test]
#[ignore = "a part of another test"]
fn locked_child() {
    let lock = std::io::stdout().lock();
    let other = std::thread::spawn(|| {
        let stream = Stream::new().unwrap();
        launch!(prints_one<<<1, 1, 0, &stream>>>(1)).unwrap();
        stream.synchronize().unwrap();
    });
    std::thread::sleep(std::time::Duration::from_millis(300));
    launch!(prints_one<<<1, 1>>>(2)).unwrap();
    ptyx::synchronize().unwrap();
    drop(lock);
    other.join().unwrap();
}

#[test]
fn a_locked_output_stops_nobody() {
    let output = child("printing::locked_child");
    assert!(output.contains("value 1\n") && output.contains("value 2\n"), "{output}");
}

/// Run by `lines_before_the_end_arrive`.
#[test]
#[ignore = "a part of another test"]
fn ends_child() {
    launch!(prints_as_c<<<1, 1>>>(2.5)).unwrap();
    ptyx::synchronize().unwrap();
    let numbers = DeviceBuffer::from_slice(&[10_u32]).unwrap();
    launch!(prints_and_panics<<<1, 3>>>(&numbers)).unwrap();
    println!("error: {}", numbers.to_vec().and_then(|_| ptyx::synchronize()).unwrap_err());
    launch!(prints_and_dies<<<1, 1>>>(64)).unwrap();
    println!("fault: {}", ptyx::synchronize().unwrap_err());
}

#[test]
fn lines_before_the_end_arrive() {
    let output = child("printing::ends_child");
    let has = |line: &str| assert!(output.contains(line), "no `{line}` in {output}");
    has("C: -5 2.50 1099511627776 text\n");
    for line in ["before 0\n", "before 1\n", "before 2\n", "fine 0\n", "fine 2\n"] {
        has(line);
    }
    has("] numbers[t as usize] + 1 = 11\n");
    has("a library's number: 0x7\n");
    has("error: kernel failures::printing::prints_and_panics panicked at ");
    has("the address is 64\n");
    has("fault: ");
    assert!(!output.contains("there is"), "{output}");
}
