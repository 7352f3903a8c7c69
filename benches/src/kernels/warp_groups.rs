//! Sums and running sums over each warp, of one value after another: the warp's reduction and scan themselves, with
//! hardly any memory traffic.

use super::block_reduce::ROUNDS;
use crate::{Error, Run};
use ptyx::device::group::LaneGroup;
use ptyx::prelude::*;

macro_rules! kernels {
    ($($reduce:ident $scan:ident $type:ident $number:literal;)*) => {
        $(
            /// The sum over the rounds of the warp's sum; a thread's next value follows from the last.
            #[kernel]
            pub fn $reduce(x: &[$type], rounds: u32, mut sums: Parts<$type, by::WarpLeader>) {
                let warp = group::tile::<32>();
                let (mut value, mut total) = (x[thread::index_1d().get()], 0 as $type);
                #[unroll(never)]
                for _ in 0..rounds {
                    total += warp.reduce_add(value);
                    value = value / (2 as $type) + (3 as $type);
                }
                if let Some(sum) = sums.own() {
                    *sum = total;
                }
            }

            /// The sum over the rounds of the running sums.
            #[kernel]
            pub fn $scan(x: &[$type], rounds: u32, mut totals: Disjoint<$type>) {
                let (i, warp) = (thread::index_1d(), group::tile::<32>());
                let (mut value, mut total) = (x[i.get()], 0 as $type);
                #[unroll(never)]
                for _ in 0..rounds {
                    total += warp.inclusive_scan(value, |a, b| a + b);
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
                let mut sums = DeviceBuffer::zeroed(n / 32)?;
                let mut totals = DeviceBuffer::zeroed(n)?;
                launch!($reduce<<<n / 256, 256>>>(&dx, rounds, &mut sums))?;
                launch!($scan<<<n / 256, 256>>>(&dx, rounds, &mut totals))?;
                let (sums_got, totals_got) = (sums.to_vec()?, totals.to_vec()?);
                let mut sum = 0 as $type;
                for (i, &first) in x.iter().enumerate() {
                    if i % 32 == 0 {
                        sum = 0 as $type;
                    }
                    let mut x = first;
                    for _ in 0..rounds {
                        sum += x;
                        x = x / (2 as $type) + (3 as $type);
                    }
                    let is_close = |got: $type| crate::close(got as f64, sum as f64, $number * sum as f64);
                    if !is_close(totals_got[i]) || (i % 32 == 31 && !is_close(sums_got[i / 32])) {
                        return Err(format!("{}: thread {i} differs from {sum}", stringify!($type)).into());
                    }
                }
                let amount = n as f64 * f64::from(rounds);
                run.time(stringify!($reduce), n, amount, "G/s", &mut || {
                    launch!($reduce<<<n / 256, 256>>>(&dx, rounds, &mut sums))
                })?;
                run.time(stringify!($scan), n, amount, "G/s", &mut || {
                    launch!($scan<<<n / 256, 256>>>(&dx, rounds, &mut totals))
                })?;
            })*
            Ok(())
        }
    };
}

kernels! {
    warp_reduce_i32 warp_scan_i32 i32 0.0;
    warp_reduce_u64 warp_scan_u64 u64 0.0;
    warp_reduce_f32 warp_scan_f32 f32 1e-5;
}
