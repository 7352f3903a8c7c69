//! Prices of call options from random paths, with their standard errors, against the closed form of
//! F. Black and M. Scholes. Every thread draws from a sequence of its own.

use ptyx::device::math;
use ptyx::device::random::{Philox4x32, Random};
use ptyx::prelude::*;
use ptyx_examples::args::{Args, Opt, SEED};
use ptyx_examples::{Error, bench, finish, print_device};
use std::process::ExitCode;

/// The right to buy at `strike` after `years`.
#[derive(Clone, Copy, DeviceCopy)]
struct Call {
    price: f32,
    strike: f32,
    rate: f32,
    volatility: f32,
    years: f32,
}

impl Call {
    /// What it pays, discounted, if the price moves by the normal number `z`.
    fn payoff(&self, z: f32) -> f32 {
        let drift = (self.rate - 0.5 * self.volatility * self.volatility) * self.years;
        let price = self.price * (drift + self.volatility * self.years.sqrt() * z).exp();
        (price - self.strike).max(0.0) * (-self.rate * self.years).exp()
    }

    /// Its price.
    fn closed_form(&self) -> f64 {
        let [price, strike, rate, volatility, years] =
            [self.price, self.strike, self.rate, self.volatility, self.years].map(f64::from);
        let deviation = volatility * years.sqrt();
        let d = ((price / strike).ln() + rate * years) / deviation + deviation / 2.0;
        price * math::normcdf(d) - strike * (-rate * years).exp() * math::normcdf(d - deviation)
    }
}

/// The sum of the payoffs of `2 * pairs` paths, and the sum of their squares.
#[kernel]
fn simulate(call: Call, seed: u64, pairs: u32, mut sums: Disjoint<[f64; 2]>) {
    let mut rng = Philox4x32::for_thread(seed);
    let Some(sums) = sums.get_mut(thread::index_1d()) else { return };
    let [mut sum, mut squares] = [0.0; 2];
    for _ in 0..pairs {
        for z in rng.normal2() {
            let payoff = f64::from(call.payoff(z));
            sum += payoff;
            squares += payoff * payoff;
        }
    }
    *sums = [sum, squares];
}

const BLOCKS: usize = 64;
const THREADS: usize = 256;

fn main() -> ExitCode {
    finish(run)
}

fn run() -> Result<(), Error> {
    let options = [
        Opt::value("size", "N", "number of paths (default: 1000000)"),
        Opt::flag("bench", "measure, 2^30 paths unless --size says otherwise"),
        SEED,
    ];
    let args = Args::from_env("Prices of call options, from random paths.", &[], &options)?;
    let seed = args.seed()?;
    let bench = args.flag("bench");
    let n = args.size("size", if bench { 1 << 30 } else { 1_000_000 })?;
    print_device()?;
    println!("seed: {seed}");

    let pairs = u32::try_from(n.div_ceil(2 * BLOCKS * THREADS))?;
    let n = 2 * BLOCKS * THREADS * pairs as usize;
    let mut sums = DeviceBuffer::zeroed(BLOCKS * THREADS)?;
    let mut call = Call { price: 100.0, strike: 100.0, rate: 0.03, volatility: 0.2, years: 1.0 };
    if bench {
        let times = bench::time_launches(
            || launch!(simulate<<<BLOCKS, THREADS>>>(call, seed, pairs, &mut sums)),
        )?;
        bench::report("monte_carlo", n, times, n as f64, "Gpaths/s");
        return Ok(());
    }
    println!(
        "{n} paths\n  strike   estimate   std. error   closed form   difference in std. errors"
    );
    for (number, strike) in (0..).zip([80.0, 100.0, 120.0]) {
        call.strike = strike;
        let seed = seed.wrapping_add(number);
        launch!(simulate<<<BLOCKS, THREADS>>>(call, seed, pairs, &mut sums))?;
        let total =
            |i: usize| -> ptyx::Result<f64> { Ok(sums.to_vec()?.iter().map(|x| x[i]).sum()) };
        let (mean, squares) = (total(0)? / n as f64, total(1)? / n as f64);
        let error = ((squares - mean * mean) / n as f64).sqrt();
        let want = call.closed_form();
        let difference = (mean - want) / error;
        println!("{strike:8} {mean:10.4} {error:12.4} {want:13.4} {difference:12.2}");
        // Two seeds in 10^6 are further off. Written so that NaN fails.
        let close = difference.abs() < 5.0;
        if !close {
            return Err(format!("the price for {strike} is {mean}, not {want}").into());
        }
    }
    println!("monte_carlo: equal to the closed form within 5 standard errors");
    Ok(())
}
