//! The likeliest path through a hidden Markov model with eight states (Viterbi 1967): scores in local arrays, and the
//! way back in memory.

use crate::prelude::*;

forms! {
    /// One thread a sequence of `length` observations; those of sequence `i` are `t * sequences + i`. Logarithms are
    /// whole numbers.
    #[kernel]
    pub fn viterbi(
        sequences: i32,
        length: i32,
        symbols: i32,
        start: &[i32],
        transition: &[i32],
        emission: &[i32],
        observed: &[u8],
        mut back: Parts<u8, (by::Whole, by::Thread), 2>,
        mut path: Parts<u8, (by::Whole, by::Thread), 2>,
    ) {
        let i = (block::x() * block::dim_x() + thread::x()) as i32;
        if i >= sequences {
            return;
        }
        let (mut back, mut path) = (back.part(), path.part());
        let mut score = [0i32; 8];
        let first = at!(observed, i) as i32;
        for s in 0..8 {
            put!(score, s, at!(start, s) + at!(emission, s * symbols + first));
        }
        for t in 1..length {
            let symbol = at!(observed, t * sequences + i) as i32;
            let mut next = [0i32; 8];
            for s in 0..8 {
                let mut best = i32::MIN;
                let mut from = 0;
                for p in 0..8 {
                    let candidate = at!(score, p) + at!(transition, p * 8 + s);
                    if candidate > best {
                        best = candidate;
                        from = p;
                    }
                }
                put!(next, s, best + at!(emission, s * symbols + symbol));
                own!(back, [(t * 8 + s) as Ix as usize, 0]) = from as u8;
            }
            score = next;
        }
        let mut state = 0;
        for s in 1..8 {
            if at!(score, s) > at!(score, state) {
                state = s;
            }
        }
        let mut t = length - 1;
        while t > 0 {
            own!(path, [t as Ix as usize, 0]) = state as u8;
            state = own!(back, [(t * 8 + state) as Ix as usize, 0]) as i32;
            t -= 1;
        }
        own!(path, [0, 0]) = state as u8;
    }
}

/// 2^16 sequences of 64 observations of 20 symbols.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (n, length, symbols) = (run.size(1 << 16, 200), run.size(64, 23), 20usize);
    let logs = |x: Vec<i32>| x.into_iter().map(|x| x - 10000).collect::<Vec<_>>();
    let (start, transition) = (logs(run.below(10000, 8)), logs(run.below(10000, 64)));
    let emission = logs(run.below(10000, 8 * symbols));
    let observed: Vec<u8> = run.below(symbols, n * length).into_iter().map(|x| x as u8).collect();
    let (mut backs, mut paths) = (vec![255u8; 8 * n * length], vec![0u8; n * length]);
    for i in 0..n {
        let emitted = |s: usize, t: usize| emission[s * symbols + usize::from(observed[t * n + i])];
        // For each state, the best score and path that lead there. Of equal ones, the one from the lower state.
        let mut best: Vec<(i32, Vec<u8>)> =
            (0..8).map(|s| (start[s] + emitted(s, 0), vec![s as u8])).collect();
        for t in 1..length {
            best = (0..8)
                .map(|s| {
                    let score = |p: usize| best[p].0 + transition[8 * p + s];
                    let from = (0..8).rev().max_by_key(|p| score(*p)).unwrap_or(0);
                    backs[(8 * t + s) * n + i] = from as u8;
                    let mut path = best[from].1.clone();
                    path.push(s as u8);
                    (score(from) + emitted(s, t), path)
                })
                .collect();
        }
        let last = (0..8).rev().max_by_key(|s| best[*s].0).unwrap_or(0);
        for (t, state) in best[last].1.iter().enumerate() {
            paths[t * n + i] = *state;
        }
    }
    let back = Output::new(&vec![255; backs.len()], backs)?;
    let path = Output::new(&vec![255; paths.len()], paths)?;
    let (start, transition) =
        (DeviceBuffer::from_slice(&start)?, DeviceBuffer::from_slice(&transition)?);
    let (emission, observed) =
        (DeviceBuffer::from_slice(&emission)?, DeviceBuffer::from_slice(&observed)?);
    compare!(
        run,
        [&back, &path],
        viterbi,
        n.div_ceil(128),
        128,
        (
            n as i32,
            length as i32,
            symbols as i32,
            &start,
            &transition,
            &emission,
            &observed,
            back.buffer().view_mut([8 * length, n]) => back.address(),
            path.buffer().view_mut([length, n]) => path.address()
        )
    )
}
