//! Random walks on a lattice with obstacles, until a walker leaves it: how long each takes, and where it ends.

use crate::prelude::*;

/// The four directions.
const STEP: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];

forms! {
    /// The next number of a generator (Marsaglia's xorshift of 64 bits, multiplied).
    #[inline(always)]
    fn random(state: &mut u64) -> u32 {
        *state ^= *state >> 12;
        *state ^= *state << 25;
        *state ^= *state >> 27;
        (state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32) as u32
    }

    /// One thread a walker. They start in the middle of a lattice of `side * side`; `exits` has one counter for each
    /// side.
    #[kernel]
    pub fn random_walk(
        walkers: i32,
        side: i32,
        most: i32,
        seed: u64,
        blocked: &[u8],
        mut steps: Disjoint<i32>,
        mut square: Disjoint<i64>,
        exits: Atomics<u32>,
    ) {
        let own = thread::index_1d();
        let i = own.get() as i32;
        if i >= walkers {
            return;
        }
        let mut state = seed.wrapping_add((i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let (mut x, mut y) = (side / 2, side / 2);
        let mut count = 0;
        let mut traveled = 0i64;
        while count < most {
            count += 1;
            let direction = (random(&mut state) >> 30) as i32;
            let (dx, dy) = at!(STEP, direction);
            let (nx, ny) = (x + dx, y + dy);
            if nx < 0 || nx >= side || ny < 0 || ny >= side {
                bump!(exits, direction, 1);
                break;
            }
            if at!(blocked, ny * side + nx) != 0 {
                continue;
            }
            (x, y) = (nx, ny);
            let (fx, fy) = ((x - side / 2) as i64, (y - side / 2) as i64);
            traveled += fx * fx + fy * fy;
        }
        own!(steps, own) = count;
        own!(square, own) = traveled;
    }
}

/// 2^20 walkers on 64x64 places, at most 500 steps.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (n, side, most) = (run.size(1 << 20, 300), run.size(64, 14), 500);
    let seed = run.rng.next_u64();
    let mut blocked: Vec<u8> =
        run.below(10, side * side).into_iter().map(|x| u8::from(x == 0)).collect();
    blocked[side / 2 * side + side / 2] = 0;
    let (mut steps, mut square, mut exits) = (vec![0i32; n], vec![0i64; n], vec![0u32; 4]);
    let middle = (side / 2) as i64;
    for i in 0..n {
        let mut state = seed.wrapping_add((i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut at = [0i64; 2];
        for step in 1..=most {
            steps[i] = step;
            state ^= state >> 12;
            state ^= state << 25;
            state ^= state >> 27;
            let direction = (state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 62) as usize;
            let mut next = at;
            next[direction / 2] += if direction.is_multiple_of(2) { 1 } else { -1 };
            let [x, y] = next.map(|at| at + middle);
            if !(0..side as i64).contains(&x) || !(0..side as i64).contains(&y) {
                exits[direction] += 1;
                break;
            }
            if blocked[y as usize * side + x as usize] == 0 {
                at = next;
                square[i] += at[0].pow(2) + at[1].pow(2);
            }
        }
    }
    let steps = Output::new(&vec![-1; n], steps)?;
    let square = Output::new(&vec![-1; n], square)?;
    let exits = Output::new(&[0; 4], exits)?;
    let blocked = DeviceBuffer::from_slice(&blocked)?;
    compare!(
        run,
        [&steps, &square, &exits],
        random_walk,
        n.div_ceil(256),
        256,
        (
            n as i32,
            side as i32,
            most,
            seed,
            &blocked,
            &mut *steps.buffer(),
            &mut *square.buffer(),
            &mut *exits.buffer()
        )
    )
}
