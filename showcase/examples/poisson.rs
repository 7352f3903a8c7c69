//! Poisson's equation on a square, solved by conjugate gradients in one cooperative launch: the blocks wait for each
//! other twice in an iteration, and each thread keeps its unknowns in registers. For comparison, the same iterations
//! are done with two launches each, between which everything is in global memory.
//!
//! The iteration is that of A. T. Chronopoulos and C. W. Gear (1989), which computes both scalar products at once.

use ptyx::prelude::*;
use ptyx_examples::args::{Args, Opt, SEED};
use ptyx_examples::random::Rng;
use ptyx_examples::{Error, bench, finish, print_device};
use std::process::ExitCode;

const THREADS: usize = 512;
/// Unknowns of a thread.
const OWN: usize = 4;

/// A square of unknowns with a border of zeros, row by row.
#[derive(Clone, Copy, DeviceCopy)]
struct Square {
    /// Unknowns in a row.
    size: u32,
}

impl Square {
    fn len(self) -> usize {
        self.size as usize * self.size as usize
    }

    /// Groups of [`OWN`] rows.
    fn strips(self) -> usize {
        (self.size as usize).div_ceil(OWN)
    }

    /// The number of values, those of the border included, and of rows that would complete the last group.
    fn with_border(self) -> usize {
        (self.size as usize + 2) * (OWN * self.strips() + 2)
    }

    /// Where the unknown `i` is among them.
    fn place(self, i: usize) -> u32 {
        let (row, column) = (i as u32 / self.size, i as u32 % self.size);
        (row + 1) * (self.size + 2) + column + 1
    }

    /// Four times the value at a place, less its neighbours: the equation's left side.
    fn apply(self, at: u32, value: impl Fn(usize) -> f64) -> f64 {
        let (at, row) = (at as usize, self.size as usize + 2);
        let neighbours = value(at - 1) + value(at + 1) + value(at - row) + value(at + row);
        4.0 * value(at) - neighbours
    }
}

/// The scalar products that an iteration needs: of the residual with itself and with its image.
type Products = (f64, f64);

fn add(a: Products, b: Products) -> Products {
    (a.0 + b.0, a.1 + b.1)
}

/// The weights of an iteration.
#[derive(Clone, Copy)]
struct Weights {
    alpha: f64,
    beta: f64,
}

impl Weights {
    /// From the scalar products and, but for the first iteration, what was there in the one before.
    fn new((gamma, delta): Products, before: Option<(f64, f64)>) -> Self {
        match before {
            None => Weights { alpha: gamma / delta, beta: 0.0 },
            Some((gamma_before, alpha_before)) => {
                let beta = gamma / gamma_before;
                Weights { alpha: gamma / (delta - beta * gamma / alpha_before), beta }
            }
        }
    }
}

/// What one unknown takes from an iteration into the next.
#[derive(Clone, Copy, Default, DeviceCopy)]
struct Unknown {
    x: f64,
    direction: f64,
    direction_image: f64,
}

impl Unknown {
    /// One iteration: changes the residual, the right side less the left side at `x`, whose image is its left side.
    fn step(&mut self, Weights { alpha, beta }: Weights, residual: &mut f64, image: f64) {
        self.direction = *residual + beta * self.direction;
        self.direction_image = image + beta * self.direction_image;
        self.x += alpha * self.direction;
        *residual -= alpha * self.direction_image;
    }
}

/// Adds up the products of all threads of the block, into `partial`.
fn sum_of_block(products: Products, partial: Atomics<f64>) {
    let block = group::block().sized::<{ THREADS as u32 }>();
    if let Some((gamma, delta)) = block.reduce_to_one(products, add) {
        let first = 2 * block::x() as usize;
        partial[first].store(gamma);
        partial[first + 1].store(delta);
    }
}

/// The sums over all blocks, in each thread.
fn sum_of_partial(partial: Atomics<f64>) -> Products {
    let mut own = (0.0, 0.0);
    for pair in (2 * thread::x() as usize..partial.len()).step_by(2 * THREADS) {
        own = add(own, (partial[pair].load(), partial[pair + 1].load()));
    }
    group::block().sized::<{ THREADS as u32 }>().reduce(own, add)
}

/// Solves until the residual's square is `tolerance` times that at the start, and writes that square down for each
/// iteration, as many as `history` has room for. The residual is `residual`, with a border, and `x` is 0 at first.
#[kernel]
fn solve(
    square: Square,
    tolerance: f64,
    residual: Atomics<f64>,
    partial: Atomics<f64>,
    history: Atomics<f64>,
    x: Atomics<f64>,
) {
    let grid = group::grid();
    // Neighbours in a column, so that a thread needs few values of others.
    let (size, rank) = (square.size as usize, grid.rank() as usize);
    let (top, column) = (rank / size * OWN, rank % size);
    let (first, row) = ((top + 1) * (size + 2) + column + 1, size + 2);
    let load = |at: usize| residual[at].load();
    let is_own: [bool; OWN] = core::array::from_fn(|k| top + k < size);
    let mut own = [Unknown::default(); OWN];
    let mut residuals: [f64; OWN] =
        core::array::from_fn(|k| if is_own[k] { load(first + k * row) } else { 0.0 });

    let (mut before, mut least) = (None, 0.0);
    for history in history.iter() {
        // All loads are on their way before a sum needs one.
        let above = if is_own[0] { load(first - row) } else { 0.0 };
        let below = if is_own[OWN - 1] { load(first + OWN * row) } else { 0.0 };
        let sides: [[f64; 2]; OWN] = core::array::from_fn(|k| match is_own[k] {
            true => [first + k * row - 1, first + k * row + 1].map(load),
            false => [0.0; 2],
        });
        let images: [f64; OWN] = core::array::from_fn(|k| {
            if !is_own[k] {
                return 0.0;
            }
            let above = if k == 0 { above } else { residuals[k - 1] };
            let below = if k == OWN - 1 { below } else { residuals[k + 1] };
            4.0 * residuals[k] - above - below - sides[k][0] - sides[k][1]
        });
        let products = residuals.into_iter().zip(images);
        let products =
            products.fold((0.0, 0.0), |sum, (own, image)| add(sum, (own * own, own * image)));
        sum_of_block(products, partial);
        grid.sync(); // all have read the residual, and each block's sums are there
        let products = sum_of_partial(partial);
        if rank == 0 {
            history.store(products.0);
        }
        if before.is_none() {
            least = tolerance * products.0;
        }
        if products.0 <= least {
            break;
        }
        let weights = Weights::new(products, before);
        before = Some((products.0, weights.alpha));
        for k in 0..OWN {
            if is_own[k] {
                own[k].step(weights, &mut residuals[k], images[k]);
                residual[first + k * row].store(residuals[k]);
            }
        }
        grid.sync(); // the residual is there, and all have read the sums
    }
    for (k, own) in own.into_iter().enumerate() {
        if is_own[k] {
            x[(top + k) * size + column].store(own.x);
        }
    }
}

/// The first half of an iteration as a launch of its own.
#[kernel]
fn multiply(
    square: Square,
    residual: Atomics<f64>,
    partial: Atomics<f64>,
    mut image: Disjoint<f64>,
) {
    let mut products = (0.0, 0.0);
    for i in thread::grid_stride(square.len()) {
        let at = square.place(i.get());
        let own = residual[at as usize].load();
        image[i] = square.apply(at, |at| residual[at].load());
        products = add(products, (own * own, own * image[i]));
    }
    sum_of_block(products, partial);
}

/// The second half. `scalars` has the square of the residual and `alpha` of the even iterations, and then of the odd
/// ones.
#[kernel]
fn step(
    square: Square,
    iteration: u32,
    partial: Atomics<f64>,
    scalars: Atomics<f64>,
    image: &[f64],
    residual: Atomics<f64>,
    mut unknowns: Disjoint<Unknown>,
) {
    let products = sum_of_partial(partial);
    let (now, last) = if iteration.is_multiple_of(2) { (0, 2) } else { (2, 0) };
    let before = (iteration > 0).then(|| (scalars[last].load(), scalars[last + 1].load()));
    let weights = Weights::new(products, before);
    if group::grid().rank() == 0 {
        scalars[now].store(products.0);
        scalars[now + 1].store(weights.alpha);
    }
    for i in thread::grid_stride(square.len()) {
        let residual = &residual[square.place(i.get()) as usize];
        let mut own = residual.load();
        unknowns[i].step(weights, &mut own, image[i.get()]);
        residual.store(own);
    }
}

/// A problem, and the memory that both ways of solving it need.
struct Problem {
    square: Square,
    blocks: usize,
    /// The right side, with a border of zeros.
    right: Vec<f64>,
    device_right: DeviceBuffer<f64>,
    residual: DeviceBuffer<f64>,
    partial: DeviceBuffer<f64>,
}

impl Problem {
    /// Random sources and sinks.
    fn new(square: Square, seed: u64) -> Result<Self, Error> {
        let mut rng = Rng::new(seed);
        let mut right = vec![0.0; square.with_border()];
        for i in 0..square.len() {
            right[square.place(i) as usize] = 2.0 * rng.next_f64() - 1.0;
        }
        let blocks = (square.size as usize * square.strips()).div_ceil(THREADS);
        Ok(Problem {
            square,
            blocks,
            device_right: DeviceBuffer::from_slice(&right)?,
            residual: DeviceBuffer::from_slice(&right)?,
            partial: DeviceBuffer::zeroed(2 * blocks)?,
            right,
        })
    }

    /// One launch; `history` gets the residual's squares.
    fn cooperative(
        &mut self,
        tolerance: f64,
        history: &mut DeviceBuffer<f64>,
        x: &mut DeviceBuffer<f64>,
    ) -> ptyx::Result<()> {
        let Problem { square, blocks, device_right, residual, partial, .. } = self;
        residual.copy_from_buffer_on(&*device_right, &Stream::default()?)?;
        launch!(
            solve<<<*blocks, THREADS>>>(*square, tolerance, residual, partial, history, x),
            cooperative,
            maxthreads = THREADS,
        )
    }

    /// Two launches for each iteration.
    fn launches(&mut self, iterations: usize, work: &mut Work) -> ptyx::Result<()> {
        let Problem { square, blocks, device_right, residual, partial, .. } = self;
        let Work { scalars, image, unknowns } = work;
        let stream = Stream::default()?;
        residual.copy_from_buffer_on(&*device_right, &stream)?;
        unknowns.zero_on(&stream)?;
        for iteration in 0..iterations as u32 {
            launch!(
                multiply<<<*blocks, THREADS>>>(*square, &mut *residual, &mut *partial, &mut *image)
            )?;
            launch!(step<<<*blocks, THREADS>>>(
                *square,
                iteration,
                &mut *partial,
                &mut *scalars,
                &*image,
                &mut *residual,
                &mut *unknowns,
            ))?;
        }
        Ok(())
    }

    /// The norm of the right side less the left side at `x`, relative to that of the right side; computed by the host.
    fn left_over(&self, x: impl Iterator<Item = f64>) -> f64 {
        let mut with_border = vec![0.0; self.square.with_border()];
        for (i, x) in x.enumerate() {
            with_border[self.square.place(i) as usize] = x;
        }
        let (mut rest, mut all) = (0.0, 0.0);
        for at in (0..self.square.len()).map(|i| self.square.place(i)) {
            let right = self.right[at as usize];
            let difference = right - self.square.apply(at, |at| with_border[at]);
            rest += difference * difference;
            all += right * right;
        }
        (rest / all).sqrt()
    }
}

/// What launches leave in global memory for later ones.
struct Work {
    scalars: DeviceBuffer<f64>,
    image: DeviceBuffer<f64>,
    unknowns: DeviceBuffer<Unknown>,
}

fn main() -> ExitCode {
    finish(run)
}

fn run() -> Result<(), Error> {
    let options = [
        Opt::value("size", "N", "rows and columns (default: 48)"),
        Opt::flag("bench", "measure, N = 512 unless --size says otherwise"),
        SEED,
    ];
    let args = Args::from_env("Poisson's equation, in one cooperative launch.", &[], &options)?;
    let seed = args.seed()?;
    let bench = args.flag("bench");
    let size = args.size("size", if bench { 512 } else { 48 })?;
    if size > 4096 {
        return Err("the size must be at most 4096".into());
    }
    print_device()?;
    println!("seed: {seed}");

    let square = Square { size: size as u32 };
    let mut problem = Problem::new(square, seed)?;
    // The residual grows before it falls, so there is room for many more iterations than a square this size takes.
    let mut history = DeviceBuffer::zeroed(20 * size + 100)?;
    let mut x = DeviceBuffer::zeroed(square.len())?;
    let mut work = Work {
        scalars: DeviceBuffer::zeroed(4)?,
        image: DeviceBuffer::zeroed(square.len())?,
        unknowns: DeviceBuffer::zeroed(square.len())?,
    };
    problem.cooperative(TOLERANCE * TOLERANCE, &mut history, &mut x)?;
    let squares: Vec<f64> =
        history.to_vec()?.into_iter().take_while(|&square| square != 0.0).collect();
    // The last one is only looked at.
    let iterations = squares.len().saturating_sub(1);
    print_history(&squares);
    check("cooperative", problem.left_over(x.to_vec()?.into_iter()))?;
    problem.launches(iterations, &mut work)?;
    let unknowns = work.unknowns.to_vec()?;
    check("launches", problem.left_over(unknowns.into_iter().map(|unknown| unknown.x)))?;
    println!(
        "poisson: {} unknowns, {iterations} iterations; equal to the host's result",
        square.len()
    );
    if bench {
        let one = bench::time_launches(|| {
            problem.cooperative(TOLERANCE * TOLERANCE, &mut history, &mut x)
        })?;
        let many = bench::time_launches(|| problem.launches(iterations, &mut work))?;
        println!("\n                     ms    us/iteration");
        for (name, times) in [("one launch", one), ("launches", many)] {
            let each = times.median_ms * 1e3 / iterations as f64;
            println!("{name:12} {:10.3} {each:15.2}", times.median_ms);
        }
        println!("one launch is {:.2} times as fast", many.median_ms / one.median_ms);
        let updates = square.len() as f64 * iterations as f64;
        bench::report("poisson_cooperative", square.len(), one, updates, "Gunknowns/s");
        bench::report("poisson_launches", square.len(), many, updates, "Gunknowns/s");
    }
    Ok(())
}

/// Where the iteration ends: the residual, relative to the right side.
const TOLERANCE: f64 = 1e-10;

/// The residual after 0, 1, 2, 5, 10, 20, .. iterations and the last.
fn print_history(squares: &[f64]) {
    println!("iteration   residual");
    let last = squares.len().saturating_sub(1);
    let steps = (0..7).flat_map(|digits| [1, 2, 5].map(|first| first * 10usize.pow(digits)));
    let shown = std::iter::once(0).chain(steps.take_while(|&step| step < last));
    for iteration in shown.chain([last]) {
        if let (Some(square), Some(first)) = (squares.get(iteration), squares.first()) {
            println!("{iteration:9}   {:.3e}", (square / first).sqrt());
        }
    }
}

/// The residual that the host finds is that of the iteration, but for rounding.
fn check(name: &str, left_over: f64) -> Result<(), Error> {
    // Written so that NaN fails.
    if left_over < 10.0 * TOLERANCE {
        Ok(())
    } else {
        Err(format!("{name}: the residual is {left_over:e}").into())
    }
}
