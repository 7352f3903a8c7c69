//! Runs programs on both sides and compares.

use crate::host::{self, Ended, Order, Panic};
use crate::world::{Cells, Out, Program, THREADS};
use ptyx::prelude::*;
use ptyx::{Error, KernelPanic};
use ptyx_program_generator::{Rng, Spec, program};
use std::fmt::Write as _;

/// Blocks of a launch.
const BLOCKS: u32 = 2;

/// Words of input.
const INPUT: usize = 97;

/// Runs a program on the host: so many blocks, the input, in which order.
type OnHost = fn(u32, &[u64], Order) -> Ended;

/// A program as the table has it.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    spec: &'static str,
    seed: u64,
    collective: bool,
    panics: bool,
    host: OnHost,
    device: fn(&[u64]) -> ptyx::Result<Found>,
}

/// What a device computed.
struct Found {
    out: Vec<Out>,
    cells: Vec<u64>,
    panic: Option<KernelPanic>,
}

impl Entry {
    /// The entry of `P`, made by the generator from `spec`.
    pub const fn of<P: Program>(spec: &'static str) -> Entry {
        Entry {
            spec,
            seed: P::SEED,
            collective: P::COLLECTIVE,
            panics: P::PANICS,
            host: host::run::<P>,
            device: on_device::<P>,
        }
    }

    /// In how many threads it panics.
    ///
    /// # Errors
    /// What is wrong.
    fn check(&self) -> Result<usize, Wrong> {
        let input = input(self.seed);
        let wanted = (self.host)(BLOCKS, &input, Order::Up);
        let (found, is_fatal) = match (self.device)(&input) {
            Ok(found) => (self.difference(&wanted, &found), false),
            Err(error) => (Some(format!("the launch failed: {error}\n")), true),
        };
        let Some(what) = found else {
            return Ok(wanted.threads.iter().filter(|result| result.is_err()).count());
        };
        let mut what = format!("{what}input: {input:?}\n");
        let panic = wanted.threads.iter().find_map(|result| result.as_ref().err());
        if let (Some(panic), false) = (panic, self.panics) {
            what += &format!("THE HOST'S THREADS MUST NOT PANIC: {panic:?}\n");
        }
        if (self.host)(BLOCKS, &input, Order::Down) != wanted {
            what += "THE HOST'S OWN RESULT DEPENDS ON THE ORDER OF THREADS\n";
        }
        Err(Wrong { what, is_fatal })
    }

    fn difference(&self, wanted: &Ended, found: &Found) -> Option<String> {
        let mut text = String::new();
        let panics: Vec<(usize, &Panic)> = wanted
            .threads
            .iter()
            .enumerate()
            .filter_map(|(thread, result)| Some((thread, result.as_ref().err()?)))
            .collect();
        if !self.panics && !panics.is_empty() {
            let _ = writeln!(text, "{} threads panic on the host", panics.len());
        }
        match &found.panic {
            None if panics.is_empty() => {}
            None => {
                let _ = writeln!(text, "on the host {:?}; none on the device", panics[0]);
            }
            Some(panic) => {
                let thread = (panic.block[0] * THREADS + panic.thread[0]) as usize;
                // Paths differ: each pass has an `OUT_DIR`.
                let same = |(number, known): &(usize, &Panic)| {
                    *number == thread
                        && (known.line, known.column) == (panic.line, panic.column)
                        && known.message == panic.message
                };
                if !panics.iter().any(same) {
                    let host = panics.iter().find(|(number, _)| *number == thread);
                    let _ = writeln!(text, "on the device {panic}; there on the host {host:?}");
                }
            }
        }
        for (thread, result) in wanted.threads.iter().enumerate() {
            // What a thread that panicked has not written is zero.
            let wanted = result.clone().unwrap_or_default();
            if found.out[thread] != wanted {
                let found = found.out[thread];
                let _ =
                    writeln!(text, "thread {thread}:\n  host   {wanted:x?}\n  device {found:x?}");
                break;
            }
        }
        if wanted.cells != found.cells {
            let (host, device) = (&wanted.cells, &found.cells);
            let _ = writeln!(text, "atomics:\n  host   {host:x?}\n  device {device:x?}");
        }
        (!text.is_empty()).then_some(text)
    }
}

struct Wrong {
    what: String,
    /// Whether the device can't be used any more.
    is_fatal: bool,
}

/// Numbers of all sizes.
fn input(seed: u64) -> Vec<u64> {
    let mut rng = Rng::new(seed ^ 0x1234_5678);
    (0..INPUT)
        .map(|_| match rng.below(4) {
            0 => rng.below(4) as u64,
            1 => rng.next_u64() >> rng.below(64),
            2 => (rng.below(40) as u64).wrapping_neg(),
            _ => rng.next_u64(),
        })
        .collect()
}

fn on_device<P: Program>(input: &[u64]) -> ptyx::Result<Found> {
    let x = DeviceBuffer::from_slice(input)?;
    let mut out = DeviceBuffer::zeroed((BLOCKS * THREADS) as usize)?;
    let mut cells = DeviceBuffer::filled(Cells::WORDS, Cells::START)?;
    launch!(crate::device::run::<P><<<BLOCKS, THREADS>>>(P::arg(), &x, &mut cells, &mut out))?;
    let panic = match ptyx::synchronize() {
        Ok(()) => None,
        Err(Error::KernelPanic(panic)) => Some(*panic),
        Err(error) => return Err(error),
    };
    Ok(Found { out: out.to_vec()?, cells: cells.to_vec()?, panic })
}

/// Runs every program on both sides.
///
/// # Panics
/// If one differs. What differs, and each program's source, is printed; a line `MISMATCH spec`
/// tells scripts. Where a launch failed, the programs behind it have lines `NOT RUN spec`.
pub fn check_all(entries: &[Entry]) {
    let (mut wrong, mut panicking, mut panics) = (0, 0, 0);
    for (number, entry) in entries.iter().enumerate() {
        let found = match entry.check() {
            Ok(threads) => {
                panicking += usize::from(threads > 0);
                panics += threads;
                continue;
            }
            Err(found) => found,
        };
        wrong += 1;
        let spec = Spec::parse(entry.spec).unwrap_or_default();
        let source = program(spec.seed, &spec.cuts, &format!("p{number}")).source;
        println!("{source}\n{}MISMATCH {}\n", found.what, entry.spec);
        if found.is_fatal {
            entries[number + 1..].iter().for_each(|entry| println!("NOT RUN {}", entry.spec));
            break;
        }
    }
    let collective = entries.iter().filter(|entry| entry.collective).count();
    println!(
        "{} programs, {collective} of them collective; {panicking} panic, in {panics} threads; \
         {wrong} wrong",
        entries.len()
    );
    assert_eq!(wrong, 0, "programs differ between host and device");
}
