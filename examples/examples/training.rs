//! A small model is trained on all devices: each has a part of the data, computes the gradient of its part, and gets the
//! sum of all gradients by a ring of copies between the devices. So all have the same weights after each step.
//!
//! Try it without a GPU, too: `PTYX_DEVICE=emulator PTYX_EMULATOR_DEVICES=4`. The example `all_reduce` also computes
//! such a sum by NCCL.

use ptyx::prelude::*;
use ptyx_examples::args::{Args, Opt, SEED};
use ptyx_examples::random::Rng;
use ptyx_examples::ring::{Member, all_reduce};
use ptyx_examples::{Error, finish};
use std::process::ExitCode;

const THREADS: usize = 128;

/// How much the model is wrong for each row of inputs.
#[kernel]
fn errors(inputs: &[f32], targets: &[f32], weights: &[f32], mut out: Disjoint<f32>) {
    let i = thread::index_1d();
    let (row, count) = (i.get(), weights.len());
    let Some(out) = out.get_mut(i) else { return };
    let mut sum = -targets[row];
    for column in 0..count {
        sum += inputs[row * count + column] * weights[column];
    }
    *out = sum;
}

/// The gradient of the sum of squares: one thread for each weight.
#[kernel]
fn gradient(inputs: &[f32], errors: &[f32], mut out: Disjoint<f32>) {
    let i = thread::index_1d();
    let (column, count) = (i.get(), out.len());
    let Some(out) = out.get_mut(i) else { return };
    let mut sum = 0.0;
    for row in 0..errors.len() {
        sum += errors[row] * inputs[row * count + column];
    }
    *out = sum;
}

/// A step against the gradient.
#[kernel]
fn descend(rate: f32, gradient: &[f32], mut weights: Disjoint<f32>) {
    let i = thread::index_1d();
    if let Some(weight) = weights.get_mut(i) {
        *weight -= rate * gradient[i.get()];
    }
}

/// A device with its part of the data.
struct Worker {
    inputs: DeviceBuffer<f32>,
    targets: DeviceBuffer<f32>,
    errors: DeviceBuffer<f32>,
    weights: DeviceBuffer<f32>,
    /// Its stream, and the gradient.
    member: Member,
}

impl Worker {
    fn new(
        device: &Device,
        inputs: &[f32],
        targets: &[f32],
        weights: usize,
    ) -> ptyx::Result<Worker> {
        let member = Member::new(device, &vec![0.0; weights])?;
        device.with(|| {
            Ok(Worker {
                inputs: DeviceBuffer::from_slice(inputs)?,
                targets: DeviceBuffer::from_slice(targets)?,
                errors: DeviceBuffer::zeroed(targets.len())?,
                weights: DeviceBuffer::zeroed(weights)?,
                member,
            })
        })
    }

    /// The gradient of its own part.
    fn compute(&mut self) -> ptyx::Result<()> {
        let Worker { inputs, targets, errors: wrong, weights, member } = self;
        let Member { stream, values: out, .. } = member;
        let (rows, columns) = (wrong.len().div_ceil(THREADS), out.len().div_ceil(THREADS));
        let stream = &*stream;
        launch!(errors<<<rows, THREADS, 0, stream>>>(&*inputs, &*targets, &*weights, &mut *wrong))?;
        launch!(gradient<<<columns, THREADS, 0, stream>>>(&*inputs, &*wrong, out))
    }

    fn descend(&mut self, rate: f32) -> ptyx::Result<()> {
        let Worker { weights, member: Member { stream, values: gradient, .. }, .. } = self;
        let (blocks, stream) = (weights.len().div_ceil(THREADS), &*stream);
        launch!(descend<<<blocks, THREADS, 0, stream>>>(rate, &*gradient, weights))
    }
}

/// The same training on the host, in double precision.
fn on_host(inputs: &[f32], targets: &[f32], count: usize, steps: usize, rate: f64) -> Vec<f64> {
    let mut weights = vec![0.0; count];
    for _ in 0..steps {
        let mut gradient = vec![0.0; count];
        for (row, &target) in inputs.chunks_exact(count).zip(targets) {
            let guess: f64 = row.iter().zip(&weights).map(|(&x, w)| f64::from(x) * w).sum();
            let error = guess - f64::from(target);
            row.iter().zip(&mut gradient).for_each(|(&x, sum)| *sum += error * f64::from(x));
        }
        weights.iter_mut().zip(&gradient).for_each(|(weight, sum)| *weight -= rate * sum);
    }
    weights
}

fn main() -> ExitCode {
    finish(run)
}

pub(crate) fn run() -> Result<(), Error> {
    let options = [
        Opt::value("rows", "N", "rows of data (default: 2000)"),
        Opt::value("weights", "N", "weights of the model (default: 30)"),
        Opt::value("steps", "N", "steps (default: 20)"),
        SEED,
    ];
    let args = Args::from_env("A model trained on all devices.", &[], &options)?;
    let rows = args.size("rows", 2000)?.max(1);
    let (count, steps) = (args.size("weights", 30)?.max(1), args.size("steps", 20)?);
    let seed = args.seed()?;
    let devices = Device::all()?;
    for device in &devices {
        println!("device {}: {}", device.index(), device.name());
    }
    println!("seed: {seed}");

    let mut rng = Rng::new(seed);
    let (inputs, truth) = (rng.vec_f32(rows * count), rng.vec_f32(count));
    let guess = |row: &[f32]| row.iter().zip(&truth).map(|(x, w)| x * w).sum::<f32>();
    let targets: Vec<f32> = inputs.chunks_exact(count).map(guess).collect();
    let rate = 0.5 / rows as f32;

    let share = |number: usize| number * rows / devices.len();
    let mut workers = Vec::new();
    for (number, device) in devices.iter().enumerate() {
        let range = share(number)..share(number + 1);
        let own = &inputs[range.start * count..range.end * count];
        workers.push(Worker::new(device, own, &targets[range], count)?);
    }
    for _ in 0..steps {
        workers.iter_mut().try_for_each(Worker::compute)?;
        let mut ring: Vec<_> = workers.iter_mut().map(|worker| &mut worker.member).collect();
        all_reduce(&mut ring)?;
        workers.iter_mut().try_for_each(|worker| worker.descend(rate))?;
    }

    let weights =
        workers.iter().map(|worker| worker.weights.to_vec()).collect::<Result<Vec<_>, _>>()?;
    if weights.iter().any(|others| *others != weights[0]) {
        return Err("the devices' weights differ".into());
    }
    let want = on_host(&inputs, &targets, count, steps, rate.into());
    let off = weights[0].iter().zip(&want).map(|(&got, want)| (f64::from(got) - want).abs());
    let off = off.fold(0.0, f64::max);
    if off.is_nan() || off > 1e-4 {
        return Err(format!("a weight is off by {off}").into());
    }
    println!(
        "training: {steps} steps of {count} weights on {} devices, which agree; equal to the host's result but for {off:.1e}",
        devices.len()
    );
    Ok(())
}
