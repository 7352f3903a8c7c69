//! The sum over each block of 256 threads, of one value after another: the block's reduction itself, with hardly any
//! memory traffic.

use crate::{Error, Run};
use ptyx::prelude::*;

/// Values that each thread adds.
pub(super) const ROUNDS: u32 = 256;

macro_rules! kernels {
    ($($name:ident $type:ident $number:literal;)*) => {
        $(
            /// Adds up the block's values in each round; a thread's next value follows from the last.
            #[kernel]
            pub fn $name(x: &[$type], rounds: u32, sums: Atomics<$type>) {
                let block = group::block().sized::<256>();
                let (mut value, mut total) = (x[thread::index_1d().get()], 0 as $type);
                #[unroll(never)]
                for _ in 0..rounds {
                    if let Some(sum) = block.reduce_add_to_one(value) {
                        total += sum;
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
                // Sums of so few bits are exact, whatever their order.
                let x: Vec<$type> = (0..n).map(|_| (run.rng.next_u64() % 256) as $type).collect();
                let dx = DeviceBuffer::from_slice(&x)?;
                let mut sums = DeviceBuffer::zeroed(n / 256)?;
                launch!($name<<<n / 256, 256>>>(&dx, rounds, &mut sums))?;
                for (block, (x, got)) in x.chunks(256).zip(sums.to_vec()?).enumerate() {
                    let (mut x, mut want) = (x.to_vec(), 0 as $type);
                    for _ in 0..rounds {
                        want += x.iter().sum::<$type>();
                        x.iter_mut().for_each(|x| *x = *x / (2 as $type) + (3 as $type));
                    }
                    if !crate::close(got as f64, want as f64, $number * want as f64) {
                        return Err(format!("block {block}: {got}, not {want}").into());
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
    block_reduce_u32 u32 0.0;
    block_reduce_f32 f32 1e-5;
    block_reduce_f64 f64 1e-12;
}
