//! Running sums over each block of 256 threads, of one value after another: the block's scan itself, with hardly any
//! memory traffic.

use super::block_reduce::ROUNDS;
use crate::{Error, Run};
use ptyx::prelude::*;

macro_rules! kernels {
    ($($name:ident $type:ident $number:literal $scan:ident($($initial:literal)?);)*) => {
        $(
            /// The total of the running sums of all rounds; a thread's next value follows from the last.
            #[kernel]
            pub fn $name(x: &[$type], rounds: u32, mut totals: Disjoint<$type>) {
                let block = group::block().sized::<256>();
                let (i, mut total) = (thread::index_1d(), 0 as $type);
                let mut value = x[i.get()];
                #[unroll(never)]
                for _ in 0..rounds {
                    total += block.$scan($($initial as $type,)? value, |a, b| a + b);
                    value = value / (2 as $type) + (3 as $type);
                }
                totals[i] = total;
            }
        )*

        /// 2^20 numbers of each type, in 256 rounds.
        pub fn run(run: &mut Run) -> Result<(), Error> {
            let (n, rounds) = (run.size(1 << 20, 1 << 10), if run.measure { ROUNDS } else { 9 });
            $({
                let x: Vec<$type> = (0..n).map(|_| (run.rng.next_u64() % 256) as $type).collect();
                let dx = DeviceBuffer::from_slice(&x)?;
                let mut totals = DeviceBuffer::zeroed(n)?;
                launch!($name<<<n / 256, 256>>>(&dx, rounds, &mut totals))?;
                for (block, (x, got)) in x.chunks(256).zip(totals.to_vec()?.chunks(256)).enumerate() {
                    let mut sum = 0 as $type;
                    for (thread, (&first, &got)) in x.iter().zip(got).enumerate() {
                        let (mut x, mut own) = (first, 0 as $type);
                        for _ in 0..rounds {
                            own += x;
                            x = x / (2 as $type) + (3 as $type);
                        }
                        // The sum over the rounds of running sums is the running sum of the sums over the rounds.
                        let before = sum;
                        sum += own;
                        let sum = if stringify!($scan) == "exclusive_scan" { before } else { sum };
                        if !crate::close(got as f64, sum as f64, $number * sum as f64) {
                            return Err(format!("block {block}, thread {thread}: {got}, not {sum}").into());
                        }
                    }
                }
                run.time(stringify!($name), n, n as f64 * f64::from(rounds), "G/s", &mut || {
                    launch!($name<<<n / 256, 256>>>(&dx, rounds, &mut totals))
                })?;
            })*
            Ok(())
        }
    };
}

kernels! {
    block_scan_u32 u32 0.0 inclusive_scan();
    block_scan_i32 i32 0.0 inclusive_scan();
    block_scan_u64 u64 0.0 inclusive_scan();
    block_scan_f32 f32 1e-5 inclusive_scan();
    block_scan_f64 f64 1e-12 inclusive_scan();
    block_exclusive_i32 i32 0.0 exclusive_scan(0);
    block_exclusive_u64 u64 0.0 exclusive_scan(0);
    block_exclusive_f32 f32 1e-5 exclusive_scan(0);
}
