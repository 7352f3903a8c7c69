//! The cross-entropy loss of a classifier and its gradient at once: a softmax of each row, with label smoothing.

use crate::prelude::*;

forms! {
    /// One block of 256 threads per row. Rows with a negative label are ignored.
    #[kernel]
    pub fn cross_entropy(
        classes: i32,
        smoothing: f32,
        logits: &[f32],
        label: &[i64],
        mut loss: Parts<f32, by::BlockLeader>,
        mut gradient: Parts<f32, (by::BlockX, by::ThreadInBlockX), 2>,
    ) {
        let shared = cells!([f32; 256], 0.0);
        let t = thread::x() as i32;
        let row = block::x() as i32;
        let base = row * classes;
        let target = at!(label, row);
        let mut highest = f32::MIN;
        let mut total = 0.0f32;
        for c in (t..classes).step_by(256) {
            let x = at!(logits, base + c);
            highest = highest.max(x);
            total += x;
        }
        set!(shared, t, highest);
        block::sync();
        let mut half = 128;
        while half > 0 {
            if t < half {
                set!(shared, t, get!(shared, t).max(get!(shared, t + half)));
            }
            block::sync();
            half >>= 1;
        }
        highest = get!(shared, 0);
        block::sync();
        let mut sum = 0.0f32;
        for c in (t..classes).step_by(256) {
            sum += (at!(logits, base + c) - highest).exp();
        }
        set!(shared, t, sum);
        block::sync();
        let mut half = 128;
        while half > 0 {
            if t < half {
                set!(shared, t, get!(shared, t) + get!(shared, t + half));
            }
            block::sync();
            half >>= 1;
        }
        sum = get!(shared, 0);
        block::sync();
        set!(shared, t, total);
        block::sync();
        let mut half = 128;
        while half > 0 {
            if t < half {
                set!(shared, t, get!(shared, t) + get!(shared, t + half));
            }
            block::sync();
            half >>= 1;
        }
        total = get!(shared, 0);
        let log_sum = highest + sum.ln();
        let share = smoothing / classes as f32;
        if t == 0 {
            let mut value = 0.0f32;
            if target >= 0 {
                let right = at!(logits, base as i64 + target);
                value = log_sum - (1.0 - smoothing) * right - share * total;
            }
            *loss.own().unwrap() = value;
        }
        let mut own = gradient.part();
        for (round, c) in (t..classes).step_by(256).enumerate() {
            let mut g = 0.0f32;
            if target >= 0 {
                g = (at!(logits, base + c) - log_sum).exp() - share;
                if c as i64 == target {
                    g -= 1.0 - smoothing;
                }
            }
            own!(own, [0, round]) = g;
        }
    }
}

/// 4096 rows of 32000 classes.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (rows, classes) = (run.size(4096, 6), run.size(32000, 777));
    let smoothing = 0.1f32;
    let logits = run.between(-4.0, 4.0, rows * classes);
    // One row in eight is ignored.
    let ignored = run.below(8, rows);
    let label: Vec<i64> = run
        .below(classes, rows)
        .into_iter()
        .zip(ignored)
        .map(|(label, ignored)| if ignored == 0 { -100 } else { i64::from(label) })
        .collect();
    let (mut losses, mut gradients) = (Vec::with_capacity(rows), Vec::with_capacity(rows * classes));
    for (row, &label) in logits.chunks(classes).zip(&label) {
        if label < 0 {
            losses.push(0.0f32);
            gradients.extend(row.iter().map(|_| 0.0f32));
            continue;
        }
        let smoothing = f64::from(smoothing);
        let wanted = |c: usize| {
            smoothing / classes as f64 + if c as i64 == label { 1.0 - smoothing } else { 0.0 }
        };
        // The logits are small enough without subtracting the largest.
        let weights: Vec<f64> = row.iter().map(|x| f64::from(*x).exp()).collect();
        let sum: f64 = weights.iter().sum();
        let loss: f64 =
            row.iter().enumerate().map(|(c, x)| wanted(c) * (sum.ln() - f64::from(*x))).sum();
        losses.push(loss as f32);
        gradients.extend(weights.iter().enumerate().map(|(c, w)| (w / sum - wanted(c)) as f32));
    }
    let loss = Output::new(&vec![f32::NAN; rows], losses)?.within(1e-4);
    let gradient = Output::new(&vec![f32::NAN; rows * classes], gradients)?.within(1e-6);
    let (logits, label) = (DeviceBuffer::from_slice(&logits)?, DeviceBuffer::from_slice(&label)?);
    compare!(
        run,
        [&loss, &gradient],
        cross_entropy,
        rows,
        256,
        (
            classes as i32,
            smoothing,
            &logits,
            &label,
            &mut *loss.buffer(),
            gradient.buffer().view_mut([rows, classes]) => gradient.address()
        )
    )
}
