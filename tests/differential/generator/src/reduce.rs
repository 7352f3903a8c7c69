//! Cuts parts out of a failing program for as long as it fails in the same way.

use crate::blame::blame;
use crate::cargo::{Failure, Fault, Mode};
use ptyx_program_generator::{Rng, Spec, program};
use std::collections::BTreeSet;

/// Parts that a round of a reduction tries to cut out, each alone.
const CANDIDATES: usize = 40;

/// The same for programs that spoil their batch: each is found by halving.
const BROKEN_CANDIDATES: usize = 6;

/// Makes a failing program smaller, and prints what is left. A round compiles one crate with many
/// smaller programs: one for each part.
pub(crate) fn reduce(failure: &Failure, mode: Mode) -> Result<(), String> {
    let fault = failure.fault;
    let fails = |specs: &[Spec]| -> Result<Vec<Failure>, String> {
        Ok(mode.test(specs)?.into_iter().filter(|found| found.fault == fault).collect())
    };
    let candidates = if fault == Fault::Broken { BROKEN_CANDIDATES } else { CANDIDATES };
    let mut best = failure.clone();
    for round in 1.. {
        let tries = smaller(&best.spec, candidates, &mut Rng::new(round));
        if tries.is_empty() {
            break;
        }
        let mut found = fails(&tries)?;
        if found.len() > 1 {
            // What can be cut alone can mostly be cut together.
            let cuts: BTreeSet<usize> = found.iter().flat_map(|f| f.spec.cuts.clone()).collect();
            found.extend(fails(&[Spec { seed: best.spec.seed, cuts }])?);
        }
        let Some(next) = found.into_iter().min_by_key(|found| length(&found.spec)) else { break };
        println!("round {round}: {} bytes -> {} bytes", length(&best.spec), length(&next.spec));
        if length(&next.spec) >= length(&best.spec) {
            break;
        }
        best = next;
    }
    println!("--- reduced ---\n{}{}", best.report, blame(&best, mode)?);
    Ok(())
}

/// Bytes of a program's source.
fn length(spec: &Spec) -> usize {
    program(spec.seed, &spec.cuts, "p").source.len()
}

/// Programs with less in them than `spec`: one for each of its largest parts, and a few without
/// several parts at once.
fn smaller(spec: &Spec, most: usize, rng: &mut Rng) -> Vec<Spec> {
    let parts = program(spec.seed, &spec.cuts, "p").parts;
    let is_gone =
        |number: usize| spec.cuts.iter().any(|&cut| cut <= number && number < parts[cut].end);
    let mut open: Vec<usize> =
        (0..parts.len()).filter(|&number| !is_gone(number) && parts[number].length > 0).collect();
    open.sort_by_key(|&number| std::cmp::Reverse(parts[number].length));
    let without = |cuts: &[usize]| {
        let mut spec = spec.clone();
        spec.cuts.extend(cuts);
        spec
    };
    let mut candidates: Vec<Spec> = open.iter().take(most).map(|&part| without(&[part])).collect();
    for _ in 0..candidates.len().min(most / 4) {
        let some: Vec<usize> = open.iter().copied().filter(|_| rng.chance(30)).collect();
        candidates.push(without(&some));
    }
    candidates
}
