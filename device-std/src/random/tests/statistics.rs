//! What is made of the words has the distribution it should.
//!
//! Seeds are fixed. Each test statistic is made a standard normal number, or Kolmogorov's, of which the limit is
//! exceeded once in a million times by a generator without fault.

use super::super::*;
use core::f64::consts::FRAC_1_SQRT_2;
use std::format;
use std::println;
use std::string::String;
use std::vec;
use std::vec::Vec;

/// A standard normal number is further from 0 with a probability of 1e-6.
const NORMAL_LIMIT: f64 = 4.892;
/// Kolmogorov's distribution function is 1 - 1e-6 here: `2 exp(-2 x²)` is 1e-6.
const KOLMOGOROV_LIMIT: f64 = 2.694;

const SAMPLES: usize = 100_000;

/// What a test found: each statistic with its limit.
#[derive(Default)]
struct Findings(Vec<(String, f64, f64)>);

impl Findings {
    fn add(&mut self, name: &str, value: f64, limit: f64) {
        self.0.push((name.into(), value, limit));
    }

    fn exceeded(&self) -> usize {
        // Counted so that NaN is beyond.
        self.0.len() - self.0.iter().filter(|(_, value, limit)| value.abs() < *limit).count()
    }

    fn check(&self) {
        for (name, value, limit) in &self.0 {
            println!("{name}: {value:.2}, limit {limit}");
        }
        assert_eq!(self.exceeded(), 0, "a statistic is beyond its limit, see the list");
    }

    /// Mean and variance, of which the theory is `mean`, `variance`, and the fourth central moment.
    fn moments(&mut self, name: &str, x: &[f64], mean: f64, variance: f64, fourth: f64) {
        let n = x.len() as f64;
        let from_mean = x.iter().map(|x| x - mean).sum::<f64>() / n;
        self.add(&format!("{name}, mean"), from_mean / (variance / n).sqrt(), NORMAL_LIMIT);
        let found = x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n;
        let deviation = ((fourth - variance * variance) / n).sqrt();
        self.add(&format!("{name}, variance"), (found - variance) / deviation, NORMAL_LIMIT);
    }

    /// Kolmogorov and Smirnov's test against a distribution function.
    fn distribution(&mut self, name: &str, x: &[f64], function: impl Fn(f64) -> f64) {
        let mut sorted = x.to_vec();
        sorted.sort_by(f64::total_cmp);
        let n = x.len() as f64;
        let distance = |(i, &x): (usize, &f64)| {
            let expected = function(x);
            (expected - i as f64 / n).max((i + 1) as f64 / n - expected)
        };
        let largest = sorted.iter().enumerate().map(distance).fold(0.0, f64::max);
        self.add(&format!("{name}, Kolmogorov-Smirnov"), largest * n.sqrt(), KOLMOGOROV_LIMIT);
    }

    /// Pearson's test of counts; cells that expect less than 20 are put together.
    fn counts(&mut self, name: &str, counts: &[u64], probabilities: &[f64]) {
        let n = counts.iter().sum::<u64>() as f64;
        let (mut square, mut cells) = (0.0, 0u32);
        let (mut count, mut expected) = (0.0, 0.0);
        for (i, (&c, &p)) in counts.iter().zip(probabilities).enumerate() {
            (count, expected) = (count + c as f64, expected + p * n);
            let beyond: f64 = probabilities[i + 1..].iter().sum();
            if expected >= 20.0 && beyond * n >= 20.0 || i + 1 == counts.len() {
                square += (count - expected).powi(2) / expected;
                cells += 1;
                (count, expected) = (0.0, 0.0);
            }
        }
        // E. B. Wilson and M. M. Hilferty: the third root of a chi-square is nearly normal.
        let freedom = f64::from(cells - 1);
        let spread = 2.0 / (9.0 * freedom);
        let z = ((square / freedom).cbrt() - (1.0 - spread)) / spread.sqrt();
        self.add(&format!("{name}, chi-square of {cells}"), z, NORMAL_LIMIT);
    }

    /// Equally likely values below `kinds`.
    fn even(&mut self, name: &str, values: impl Iterator<Item = usize>, kinds: usize) {
        let mut counts = vec![0; kinds];
        values.for_each(|value| counts[value] += 1);
        self.counts(name, &counts, &vec![1.0 / kinds as f64; kinds]);
    }

    /// The correlation of two samples.
    fn correlation(&mut self, name: &str, x: &[f64], y: &[f64]) {
        let n = x.len() as f64;
        let mean = |x: &[f64]| x.iter().sum::<f64>() / n;
        let (mean_x, mean_y) = (mean(x), mean(y));
        let sum = |f: &dyn Fn(f64, f64) -> f64| -> f64 {
            x.iter().zip(y).map(|(x, y)| f(x - mean_x, y - mean_y)).sum()
        };
        let product = sum(&|x, y| x * y);
        let size = (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt();
        self.add(&format!("{name}, correlation"), product / size * n.sqrt(), NORMAL_LIMIT);
    }

    /// Uniform numbers: their distribution, and that each tells nothing of the ones behind it.
    fn uniform(&mut self, name: &str, x: &[f64]) {
        self.moments(name, x, 0.5, 1.0 / 12.0, 1.0 / 80.0);
        self.distribution(name, x, |x| x);
        for lag in [1, 2, 3, 4, 64] {
            self.correlation(&format!("{name}, lag {lag}"), &x[lag..], &x[..x.len() - lag]);
        }
        let cell = |x: f64| (x * 16.0) as usize;
        let pairs = x.chunks_exact(2).map(|x| cell(x[0]) << 4 | cell(x[1]));
        self.even(&format!("{name}, pairs"), pairs, 256);
    }
}

fn sample<T>(mut draw: impl FnMut() -> T) -> Vec<T> {
    (0..SAMPLES).map(|_| draw()).collect()
}

/// A sample of each generator, by name.
fn samples_of_words() -> [(&'static str, Vec<u32>); 3] {
    fn of<P: Permutation>(seed: u64) -> Vec<u32> {
        let mut rng = Generator::<P>::new(seed);
        sample(|| rng.next_u32())
    }
    [
        ("Philox4x32", of::<Philox>(1)),
        ("Threefry4x32", of::<Threefry32>(2)),
        ("Threefry2x64", of::<Threefry64>(3)),
    ]
}

fn unit(word: u32) -> f64 {
    (f64::from(word) + 0.5) * 2f64.powi(-32)
}

#[test]
fn words() {
    let mut findings = Findings::default();
    for (name, words) in samples_of_words() {
        let units: Vec<f64> = words.iter().map(|&word| unit(word)).collect();
        findings.uniform(name, &units);
        // The lower bits, too, and each bit by itself.
        findings.even(name, words.iter().map(|word| (word & 0xff) as usize), 256);
        let ones = |bit: u32| words.iter().filter(|&word| word >> bit & 1 == 1).count() as f64;
        let n = SAMPLES as f64;
        let worst = (0..32).map(|bit| (ones(bit) - n / 2.0).abs() / (n / 4.0).sqrt());
        // The largest of 32.
        findings.add(&format!("{name}, bits"), worst.fold(0.0, f64::max), 5.5);
    }
    findings.check();
}

/// The first words of many subsequences, seeds and blocks, as threads and launches draw them.
fn streams<P: Permutation>(findings: &mut Findings, name: &str) {
    let first =
        |seed, subsequence, offset| unit(Generator::<P>::at(seed, subsequence, offset).next_u32());
    let numbers = || 0..SAMPLES as u64;
    let threads: Vec<f64> = numbers().map(|i| first(7, i, 0)).collect();
    let seeds: Vec<f64> = numbers().map(|i| first(i, 7, 0)).collect();
    let strides: Vec<f64> = numbers().map(|i| first(7, 7, i << 10)).collect();
    findings.uniform(&format!("{name}, subsequences"), &threads);
    findings.uniform(&format!("{name}, seeds"), &seeds);
    findings.uniform(&format!("{name}, every 1024th"), &strides);
    findings.correlation(&format!("{name}, subsequences and seeds"), &threads, &seeds);
    let (mut a, mut b) = (Generator::<P>::at(7, 0, 0), Generator::<P>::at(7, 1, 0));
    let (a, b) = (sample(|| unit(a.next_u32())), sample(|| unit(b.next_u32())));
    findings.correlation(&format!("{name}, two subsequences"), &a, &b);
    // The exclusive or of two neighbours would show bits that they share.
    let both = a.iter().zip(&b);
    let cells = both.map(|(a, b)| ((a * 4096.0) as usize) ^ ((b * 4096.0) as usize));
    findings.even(&format!("{name}, two subsequences, exclusive or"), cells, 4096);
}

#[test]
fn streams_are_independent() {
    let mut findings = Findings::default();
    streams::<Philox>(&mut findings, "Philox4x32");
    streams::<Threefry32>(&mut findings, "Threefry4x32");
    streams::<Threefry64>(&mut findings, "Threefry2x64");
    findings.check();
}

/// The tests above find fault with poor generators.
#[test]
fn poor_generators_are_found_out() {
    let mut state = 1u32;
    let lines = sample(|| {
        state = state.wrapping_mul(65_539) & 0x7fff_ffff; // RANDU
        f64::from(state) * 2f64.powi(-31)
    });
    let mut place = 0u32;
    let steps = sample(|| {
        place = place.wrapping_add(0x9e37_79b9);
        unit(place)
    });
    let mut rng = Philox4x32::new(1);
    let skewed = sample(|| rng.uniform::<f64>().powf(1.03));
    let x = sample(|| rng.uniform::<f64>());
    // One in twenty repeats the one before.
    let echo = (0..SAMPLES).map(|i| x[i - usize::from(i % 20 == 19)]).collect();
    for (name, sample) in [("RANDU", lines), ("steps", steps), ("skewed", skewed), ("echo", echo)] {
        let mut findings = Findings::default();
        if name == "RANDU" {
            // Its triples are in few planes; pairs look well.
            let cell = |x: f64| (x * 12.0) as usize;
            let triples =
                sample.chunks_exact(3).map(|x| (cell(x[0]) * 12 + cell(x[1])) * 12 + cell(x[2]));
            findings.even(name, triples, 12 * 12 * 12);
        } else {
            findings.uniform(name, &sample);
        }
        assert!(findings.exceeded() > 0, "{name} passes");
    }
}

#[test]
fn uniform_floats() {
    let mut findings = Findings::default();
    let mut rng = Philox4x32::new(10);
    findings.uniform("uniform f32", &sample(|| f64::from(rng.uniform::<f32>())));
    findings.uniform("uniform f64", &sample(|| rng.uniform::<f64>()));
    // The pairs' cells are of [0, 1).
    findings.uniform("open_closed f32", &sample(|| 1.0 - f64::from(rng.open_closed::<f32>())));
    findings.uniform("open_closed f64", &sample(|| 1.0 - rng.open_closed::<f64>()));
    findings.check();
}

fn normal_cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x * FRAC_1_SQRT_2)
}

fn normal<T: RandomFloat + Into<f64>>(findings: &mut Findings, name: &str, seed: u64) {
    let mut rng = Philox4x32::new(seed);
    let pairs = sample(|| rng.normal2::<T>().map(Into::into));
    let (x, y): (Vec<f64>, Vec<f64>) = pairs.iter().map(|&[x, y]| (x, y)).unzip();
    for (name, x) in [(format!("{name}, first"), &x), (format!("{name}, second"), &y)] {
        findings.moments(&name, x, 0.0, 1.0, 3.0);
        findings.distribution(&name, x, normal_cdf);
        let n = SAMPLES as f64;
        let mean = |power| x.iter().map(|x| x.powi(power)).sum::<f64>() / n;
        // The variances of third and fourth powers are 15 and 105 - 9.
        findings.add(&format!("{name}, skewness"), mean(3) / (15.0 / n).sqrt(), NORMAL_LIMIT);
        findings.add(
            &format!("{name}, kurtosis"),
            (mean(4) - 3.0) / (96.0 / n).sqrt(),
            NORMAL_LIMIT,
        );
        findings.correlation(&format!("{name}, lag 1"), &x[1..], &x[..SAMPLES - 1]);
    }
    findings.correlation(&format!("{name}, pairs"), &x, &y);
    let squares = |x: &[f64]| x.iter().map(|x| x * x).collect::<Vec<f64>>();
    findings.correlation(&format!("{name}, squares of pairs"), &squares(&x), &squares(&y));
    let logs = sample(|| rng.log_normal::<T>(T::of(1.0), T::of(0.25)).into().ln());
    let standard: Vec<f64> = logs.iter().map(|x| (x - 1.0) / 0.25).collect();
    findings.distribution(&format!("{name}, logarithms"), &standard, normal_cdf);
    let times = sample(|| rng.exponential::<T>(T::of(4.0)).into());
    findings.moments(&format!("{name}, exponential"), &times, 0.25, 0.0625, 9.0 / 256.0);
    findings.distribution(&format!("{name}, exponential"), &times, |x| -(-4.0 * x).exp_m1());
}

#[test]
fn normal_and_exponential_floats() {
    let mut findings = Findings::default();
    normal::<f32>(&mut findings, "f32", 20);
    normal::<f64>(&mut findings, "f64", 21);
    findings.check();
}

#[test]
fn poisson() {
    let mut findings = Findings::default();
    let mut rng = Philox4x32::new(30);
    for mean in [0.1, 1.0, 5.0, 9.99, 10.0, 12.5, 40.0, 300.0, 1e4, 1e6, 1e9] {
        let name = format!("Poisson {mean}");
        let counts = sample(|| rng.poisson(mean));
        let floats: Vec<f64> = counts.iter().map(|&x| x.into()).collect();
        findings.moments(&name, &floats, mean, mean, mean * (1.0 + 3.0 * mean));
        if mean <= 1e4 {
            let most = (mean + 12.0 * mean.sqrt() + 20.0) as usize;
            let mut cells = vec![0; most];
            counts.iter().for_each(|&x| cells[x as usize] += 1);
            let (mut probabilities, mut ln_factorial) = (Vec::new(), 0.0);
            for k in 0..most {
                ln_factorial += (k.max(1) as f64).ln();
                probabilities.push((k as f64 * mean.ln() - mean - ln_factorial).exp());
            }
            findings.counts(&name, &cells, &probabilities);
        } else {
            let standard: Vec<f64> =
                floats.iter().map(|x| (x + 0.5 - mean) / mean.sqrt()).collect();
            // Nearly normal. The skewness, 1/√mean, matters less than the limit.
            findings.distribution(&name, &standard, normal_cdf);
        }
    }
    findings.check();
}

#[test]
fn choices() {
    let mut findings = Findings::default();
    let mut rng = Philox4x32::new(40);
    for kinds in [2, 3, 6, 1000] {
        let values = sample(|| rng.below(kinds) as usize);
        findings.even(&format!("below {kinds}"), values.into_iter(), kinds as usize);
    }
    // Without the refusals, one half would be twice as frequent as the other.
    let wide = 3 << 30;
    let thirds = sample(|| (rng.below(wide) >> 30) as usize);
    findings.even("below 3 2^30", thirds.into_iter(), 3);
    let quarter = 1i64 << 61;
    let parts = sample(|| ((rng.range(-2 * quarter..quarter) + 2 * quarter) >> 61) as usize);
    findings.even("range of i64", parts.into_iter(), 3);
    let dice = sample(|| rng.range(-3..3i8));
    findings.even("range of i8", dice.iter().map(|x| (x + 3) as usize), 6);
    let items = [0, 1, 2, 3, 4];
    let chosen = sample(|| *rng.choose(&items).expect("there are items"));
    findings.even("choose", chosen.into_iter(), items.len());
    let orders = sample(|| {
        let mut items = [0usize, 1, 2, 3];
        rng.shuffle(&mut items);
        items.iter().fold(0, |order, item| order * 4 + item)
    });
    let mut all: Vec<usize> = orders.clone();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 24);
    let places = orders.iter().map(|order| all.binary_search(order).expect("it is one of all"));
    findings.even("shuffle", places, 24);
    for probability in [0.001, 0.3, 0.5, 0.99] {
        let hits = sample(|| u8::from(rng.bernoulli(probability)));
        let x: Vec<f64> = hits.iter().map(|&hit| f64::from(hit)).collect();
        let n = SAMPLES as f64;
        let deviation = (probability * (1.0 - probability) / n).sqrt();
        let z = (x.iter().sum::<f64>() / n - probability) / deviation;
        findings.add(&format!("bernoulli {probability}"), z, NORMAL_LIMIT);
    }
    findings.check();
}
