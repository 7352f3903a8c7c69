//! A histogram with more bins than the shared memory of one block has room for: the blocks of a cluster have a part
//! each (distributed shared memory). Needs compute capability 9.0.
//!
//! Three ways: additions in global memory; additions in the shared memory of the cluster's blocks, one for each number;
//! and an exchange, in which each block sorts its numbers by the block that has their bins. Each block then reads the
//! numbers for its own bins from all blocks and adds in its own shared memory. Between blocks, single additions are
//! slow, but reads of many adjacent numbers are fast.

use ptyx::device::shared::{self, SharedAtomics};
use ptyx::device::vector::U32x4;
use ptyx::prelude::*;
use ptyx_examples::args::{Args, Opt, SEED};
use ptyx_examples::random::Rng;
use ptyx_examples::{Error, bench, finish, print_device};
use std::process::ExitCode;

/// A bin for each value of 16 bits: 256 KiB of counts.
const BINS: usize = 1 << 16;
/// Blocks in a cluster.
const CLUSTER: usize = 2;
/// A block's bins.
const OWN_BINS: usize = BINS / CLUSTER;
/// Threads of a block.
const THREADS: usize = 1024;
/// Numbers in a vector.
const VECTOR: usize = 8;
/// Vectors that a thread takes at once.
const VECTORS: usize = 2;
/// Numbers that it takes at once.
const ITEMS: usize = VECTOR * VECTORS;
/// Lines of the picture, and the characters of its longest.
const ROWS: usize = 16;
const WIDTH: usize = 60;

/// The numbers in a vector.
fn numbers(vector: U32x4) -> [u32; VECTOR] {
    core::array::from_fn(|i| vector[i / 2] >> (16 * (i % 2)) & 0xffff)
}

/// Counts straight into global memory.
#[kernel]
fn histogram(data: &[U32x4], bins: Atomics<u32>) {
    for i in thread::grid_stride(data.len()) {
        for number in numbers(data[i.get()]) {
            bins[number as usize].fetch_add(1);
        }
    }
}

/// Counts into the shared memory of the cluster's blocks, each of which then adds its part to global memory. The blocks
/// have every `CLUSTER`th bin, so that each has as much to do.
#[kernel]
fn direct_histogram(data: &[U32x4], bins: Atomics<u32>) {
    let own = shared::dynamic::<u32>(0, OWN_BINS).atomics(0);
    group::cluster().with_peers(own, |peers| {
        for i in thread::grid_stride(data.len()) {
            for number in numbers(data[i.get()]) {
                let (block, bin) = (number % CLUSTER as u32, number as usize / CLUSTER);
                peers.of(block)[bin].fetch_add(1);
            }
        }
    });
    flush(own, bins);
}

/// Adds a block's bins to those in global memory.
fn flush(own: SharedAtomics<u32>, bins: Atomics<u32>) {
    let rank = group::cluster().block_rank() as usize;
    for bin in (thread::x() as usize..OWN_BINS).step_by(block::dim_x() as usize) {
        bins[bin * CLUSTER + rank].fetch_add(own[bin].load());
    }
}

/// Bytes of shared memory that [`exchange_histogram`] needs.
const EXCHANGE_BYTES: usize = 4 * OWN_BINS + 2 * 4 * WORDS;
/// Words of a queue with the numbers that a block takes at once. Each block's part begins with a whole word.
const QUEUE: usize = (THREADS * ITEMS + 2 * CLUSTER) / 2;
/// With where each block's part begins and how many numbers it has, in front.
const WORDS: usize = 2 * CLUSTER + QUEUE;

/// A number of 16 bits for each of the two blocks.
#[derive(Clone, Copy, Default, DeviceCopy)]
struct Counts(u32);

impl Counts {
    /// The number for the block that has a value.
    fn get(self, value: u32) -> u32 {
        self.0 >> Self::shift(value) & 0xffff
    }

    fn add(&mut self, value: u32) {
        self.0 += 1 << Self::shift(value);
    }

    fn shift(value: u32) -> u32 {
        16 * (value % CLUSTER as u32)
    }
}

/// Counts with an exchange: in each round a block sorts the numbers that its threads take into a queue for each block.
/// Two sets of queues take turns, so that the blocks wait for each other once in a round.
#[kernel]
fn exchange_histogram(data: &[U32x4], bins: Atomics<u32>) {
    let own = shared::dynamic::<u32>(0, OWN_BINS).atomics(0);
    let queues = shared::dynamic::<u32>(4 * OWN_BINS, 2 * WORDS).atomics(0);
    // The same memory, as numbers of 16 bits.
    let numbers_of_queues = shared::dynamic::<u16>(4 * OWN_BINS, 4 * WORDS).cells(0);
    let sums = shared!([[u32; 32]; 2]).atomics(0);

    let cluster = group::cluster();
    let (rank, warp, lane) = (cluster.block_rank(), warp::id() as usize, warp::lane());
    let warp_group = group::tile::<32>();
    let tile = THREADS * VECTORS;
    let (tiles, blocks) = (data.len() / tile, group::grid().size() as usize / THREADS);
    let load = |number: usize| -> [U32x4; VECTORS] {
        core::array::from_fn(|i| match number < tiles {
            true => data[number * tile + i * THREADS + thread::x() as usize],
            false => U32x4::splat(0),
        })
    };
    cluster.with_peers(queues, |peers| {
        let mut number = block::x() as usize;
        let mut next = load(number);
        for round in 0..tiles.div_ceil(blocks) {
            let (turn, vectors) = (round % 2, next);
            let is_tile = number < tiles;
            number += blocks;
            next = load(number);

            // How many of the warp's numbers are for each block, up to this thread's and in all.
            let mut own_counts = Counts::default();
            for vector in vectors {
                for item in numbers(vector) {
                    own_counts.add(item);
                }
            }
            let up_to_own = warp_group.inclusive_scan(own_counts, |a, b| Counts(a.0 + b.0));
            let all = warp_group.shuffle(up_to_own, 31);
            // Where the warp's numbers for each block go: behind those of warps that were here before. Lane `b` looks after
            // those for block `b`.
            let is_counting = lane < CLUSTER as u32 && is_tile;
            let before =
                if is_counting { sums[turn][lane as usize].fetch_add(all.get(lane)) } else { 0 };
            block::sync();
            let sum = if is_counting { sums[turn][lane as usize].load() } else { 0 };
            // Block 1's part begins behind that of block 0, with a whole word.
            let of_first = warp_group.shuffle(sum, 0);
            let first = if lane == 1 { of_first.next_multiple_of(2) } else { 0 };
            if warp == 0 {
                sums[1 - turn][lane as usize].store(0);
                if lane < CLUSTER as u32 {
                    let at = turn * WORDS + 2 * lane as usize;
                    queues[at].store(first);
                    queues[at + 1].store(sum);
                }
            }
            if is_tile {
                let [low, high] = [0, 1].map(|block| warp_group.shuffle(first + before, block));
                let mut to = Counts(up_to_own.0 - own_counts.0 + low + (high << 16));
                for vector in vectors {
                    for item in numbers(vector) {
                        let at = 2 * (turn * WORDS + 2 * CLUSTER) + to.get(item) as usize;
                        to.add(item);
                        numbers_of_queues.set(at, (item / CLUSTER as u32) as u16);
                    }
                }
            }
            cluster.sync();

            // Each warp reads from one block; the first ones from this block.
            let peer = (warp as u32 + rank) % CLUSTER as u32;
            let queue = &peers.of(peer)[turn * WORDS..(turn + 1) * WORDS];
            let (first, count) =
                (queue[2 * rank as usize].load(), queue[2 * rank as usize + 1].load());
            let from = 2 * CLUSTER + first as usize / 2;
            let step = THREADS / CLUSTER;
            let mut word = warp / CLUSTER * 32 + lane as usize;
            while 2 * word < count as usize {
                // Four loads are on their way at once.
                let pairs: [u32; 4] = core::array::from_fn(|i| {
                    let at = word + i * step;
                    if 2 * at < count as usize { queue[from + at].load() } else { 0 }
                });
                for (i, pair) in pairs.into_iter().enumerate() {
                    let at = 2 * (word + i * step);
                    if at < count as usize {
                        own[pair as usize & 0xffff].fetch_add(1);
                    }
                    if at + 1 < count as usize {
                        own[pair as usize >> 16].fetch_add(1);
                    }
                }
                word += 4 * step;
            }
        }
    });
    // The numbers that do not fill a whole tile.
    let rest = &data[tiles * tile..];
    for i in thread::grid_stride(rest.len()) {
        for number in numbers(rest[i.get()]) {
            bins[number as usize].fetch_add(1);
        }
    }
    flush(own, bins);
}

fn main() -> ExitCode {
    finish(run)
}

fn run() -> Result<(), Error> {
    let options = [
        Opt::value(
            "size",
            "N",
            "how many numbers, rounded up to a multiple of 8 (default: 4000000)",
        ),
        Opt::flag("bench", "measure, 2^27 numbers unless --size says otherwise"),
        SEED,
    ];
    let args = Args::from_env("How often each 16-bit number occurs, by clusters.", &[], &options)?;
    let seed = args.seed()?;
    let bench = args.flag("bench");
    let n = args.size("size", if bench { 1 << 27 } else { 4_000_000 })?.next_multiple_of(VECTOR);
    print_device()?;
    println!("seed: {seed}");
    let attributes = Device::current()?.attributes()?;
    if !attributes.cluster_launch {
        println!("skipped: the device has no clusters");
        return Ok(());
    }

    // The mean of four random numbers.
    let mut rng = Rng::new(seed);
    let data: Vec<u16> = (0..n)
        .map(|_| {
            let bits = rng.next_u64();
            let sum: u64 = (0..4).map(|part| bits >> (16 * part) & 0xffff).sum();
            (sum / 4) as u16
        })
        .collect();
    let mut want = vec![0u32; BINS];
    for &value in &data {
        want[usize::from(value)] += 1;
    }
    let vectors: Vec<U32x4> = data
        .chunks_exact(VECTOR)
        .map(|numbers| {
            let pair = |i: usize| u32::from(numbers[2 * i]) | u32::from(numbers[2 * i + 1]) << 16;
            U32x4::new([0, 1, 2, 3].map(pair))
        })
        .collect();

    let data = DeviceBuffer::from_slice(&vectors)?;
    let run = Counting { data, want, bench };
    // Two blocks have room for all bins. Larger clusters were slower on an H200.
    let blocks = attributes.multiprocessors as usize / 2 * 2;
    let data = &run.data;
    run.count("global", |bins| launch!(histogram<<<blocks * 4, 512>>>(data, bins)))?;
    run.count("cluster", |bins| {
        launch!(direct_histogram<<<blocks, THREADS, 4 * OWN_BINS>>>(data, bins), cluster = 2)
    })?;
    run.count("exchange", |bins| {
        launch!(
            exchange_histogram<<<blocks, THREADS, EXCHANGE_BYTES>>>(data, bins),
            cluster = 2,
            maxthreads = 1024,
            blocks_per_sm = 1,
        )
    })?;
    if !bench {
        draw(&run.want);
    }
    Ok(())
}

/// What to count, and the right result.
struct Counting {
    data: DeviceBuffer<U32x4>,
    want: Vec<u32>,
    bench: bool,
}

impl Counting {
    /// Counts with `launch` and compares.
    fn count(
        &self,
        name: &str,
        launch: impl Fn(&mut DeviceBuffer<u32>) -> ptyx::Result<()>,
    ) -> Result<(), Error> {
        let mut bins = DeviceBuffer::zeroed(BINS)?;
        // The first launch assembles the kernel.
        launch(&mut DeviceBuffer::zeroed(BINS)?)?;
        let ms = bench::time_once(|| launch(&mut bins))?;
        for (value, (got, want)) in bins.to_vec()?.iter().zip(&self.want).enumerate() {
            if got != want {
                return Err(format!(
                    "histogram {name}: value {value} was counted {got} times, not {want}"
                )
                .into());
            }
        }
        let n = self.data.len() * VECTOR;
        let bytes = n as f64 * 2.0;
        if self.bench {
            let times = bench::time_launches(|| launch(&mut bins))?;
            let name = format!("histogram_{}", name.replace(' ', "_"));
            bench::report(&name, n, times, bytes, "GB/s");
        } else {
            println!(
                "histogram {name}: {n} numbers in {ms:.3} ms, {:.1} GB/s; equal to the host's result",
                bytes * 1e-6 / ms
            );
        }
        Ok(())
    }
}

/// The histogram as bars.
fn draw(bins: &[u32]) {
    let rows: Vec<u32> = bins.chunks(BINS / ROWS).map(|row| row.iter().sum()).collect();
    let most = rows.iter().copied().max().unwrap_or(0).max(1);
    println!("\nvalues         count");
    for (row, &count) in rows.iter().enumerate() {
        let first = row * (BINS / ROWS);
        let last = first + BINS / ROWS - 1;
        let bar = "#".repeat((u64::from(count) * WIDTH as u64 / u64::from(most)) as usize);
        println!("{first:5} to {last:5} {count:8} {bar}");
    }
}
