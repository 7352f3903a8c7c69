//! The least and the greatest value over each block of 256 threads, of one value after another: the block's reduction
//! itself, with hardly any memory traffic.

use super::block_reduce::ROUNDS;
use crate::{Error, Run};
use ptyx::prelude::*;

macro_rules! kernels {
    ($($name:ident $type:ident $reduce:ident $two:path;)*) => {
        $(
            /// The sum over the rounds of the block's least or greatest value; a thread's next value follows from the last.
            #[kernel]
            pub fn $name(x: &[$type], rounds: u32, sums: Atomics<$type>) {
                let block = group::block().sized::<256>();
                let (mut value, mut total) = (x[thread::index_1d().get()], 0 as $type);
                #[unroll(never)]
                for _ in 0..rounds {
                    if let Some(found) = block.$reduce(value) {
                        total += found;
                    }
                    value = value / (2 as $type) + (3 as $type);
                }
                group::block().invoke_one(|| sums[block::x() as usize].store(total));
            }
        )*

        /// 2^20 numbers of each type, in 256 rounds.
        pub fn run(run: &mut Run) -> Result<(), Error> {
            let (n, rounds) = (run.size(1 << 20, 1 << 10), if run.measure { ROUNDS } else { 9 });
            $({
                // Few bits, so that sums of floats are exact.
                let x: Vec<$type> = (0..n).map(|_| (run.rng.next_u64() % 256) as $type).collect();
                let dx = DeviceBuffer::from_slice(&x)?;
                let mut sums = DeviceBuffer::zeroed(n / 256)?;
                launch!($name<<<n / 256, 256>>>(&dx, rounds, &mut sums))?;
                for (block, (x, got)) in x.chunks(256).zip(sums.to_vec()?).enumerate() {
                    let (mut x, mut want) = (x.to_vec(), 0 as $type);
                    for _ in 0..rounds {
                        want += x[1..].iter().fold(x[0], |a, &b| $two(a, b));
                        x.iter_mut().for_each(|x| *x = *x / (2 as $type) + (3 as $type));
                    }
                    if got != want {
                        return Err(format!("{} of block {block}: {got}, not {want}", stringify!($name)).into());
                    }
                }
                run.time(stringify!($name), n, n as f64 * f64::from(rounds), "G/s", &mut || {
                    launch!($name<<<n / 256, 256>>>(&dx, rounds, &mut sums))
                })?;
            })*
            Ok(())
        }
    };
}

kernels! {
    block_min_i32 i32 reduce_min_to_one i32::min;
    block_max_i32 i32 reduce_max_to_one i32::max;
    block_min_u64 u64 reduce_min_to_one u64::min;
    block_max_u64 u64 reduce_max_to_one u64::max;
    block_min_f32 f32 reduce_min_to_one f32::min;
    block_max_f32 f32 reduce_max_to_one f32::max;
}
