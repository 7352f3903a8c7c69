//! A recursive Gaussian filter along the columns of an image, after Deriche: the sum of a pass down and one up.

use crate::prelude::*;

forms! {
    /// One thread per column.
    #[kernel]
    pub fn recursive_gaussian(
        width: i32,
        height: i32,
        a0: f32,
        a1: f32,
        a2: f32,
        a3: f32,
        b1: f32,
        b2: f32,
        edge_down: f32,
        edge_up: f32,
        image: &[f32],
        mut smooth: Parts<f32, (by::Whole, by::Thread), 2>,
    ) {
        let x = (block::x() * block::dim_x() + thread::x()) as i32;
        if x >= width {
            return;
        }
        let mut own = smooth.part();
        let mut input = at!(image, x);
        let mut result = input * edge_down;
        let mut before = result;
        for y in 0..height {
            let sample = at!(image, y * width + x);
            let new = a0 * sample + a1 * input - b1 * result - b2 * before;
            own!(own, [y as usize, 0]) = new;
            input = sample;
            before = result;
            result = new;
        }
        let mut input = at!(image, (height - 1) * width + x);
        let mut further = input;
        let mut result = input * edge_up;
        let mut before = result;
        let mut y = height - 1;
        while y >= 0 {
            let sample = at!(image, y * width + x);
            let new = a2 * input + a3 * further - b1 * result - b2 * before;
            further = input;
            input = sample;
            before = result;
            result = new;
            own!(own, [y as usize, 0]) += new;
            y -= 1;
        }
    }
}

/// The weights of the new and previous samples, those of the previous results, and the gains at the edges.
struct Filter {
    a: [f32; 4],
    b: [f32; 2],
    edge_down: f32,
    edge_up: f32,
}

/// The filter for a standard deviation.
fn filter(sigma: f32) -> Filter {
    let alpha = 1.695 / sigma;
    let decay = (-alpha).exp();
    let k = (1.0 - decay).powi(2) / (1.0 + 2.0 * alpha * decay - decay * decay);
    let a = [k, k * decay * (alpha - 1.0), k * decay * (alpha + 1.0), -k * decay * decay];
    let b = [-2.0 * decay, decay * decay];
    let rest = 1.0 + b[0] + b[1];
    Filter { a, b, edge_down: (a[0] + a[1]) / rest, edge_up: (a[2] + a[3]) / rest }
}

/// 32768x768, a standard deviation of 4.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (width, height) = (run.size(32768, 150), run.size(768, 67));
    let image = run.between(0.0, 1.0, width * height);
    let Filter { a, b, edge_down, edge_up } = filter(4.0);
    let [a0, a1, a2, a3] = a.map(f64::from);
    let [b1, b2] = b.map(f64::from);
    // Filters a column in one direction, with its edge continued. `c` has the weights of new and previous samples;
    // the first results are given.
    let pass = |samples: &[f64], c: [f64; 2], edge: f32| {
        let first = samples[0] * f64::from(edge);
        let mut results = vec![first, first];
        for pair in samples.windows(2) {
            let kept = b1 * results[results.len() - 1] + b2 * results[results.len() - 2];
            results.push(c[0] * pair[1] + c[1] * pair[0] - kept);
        }
        results.split_off(2)
    };
    let mut want = vec![0.0f32; width * height];
    for x in 0..width {
        let mut column: Vec<f64> =
            (0..height).map(|y| f64::from(image[y * width + x])).collect();
        // Downwards, the sample itself is the newest.
        column.insert(0, column[0]);
        let down = pass(&column, [a0, a1], edge_down);
        // Upwards, it has no weight.
        column.reverse();
        column.pop();
        column.splice(0..0, [column[0]; 2]);
        column.pop();
        let up = pass(&column, [a2, a3], edge_up);
        for (y, (down, up)) in down.iter().zip(up.iter().rev()).enumerate() {
            want[y * width + x] = (down + up) as f32;
        }
    }
    let smooth = Output::new(&vec![f32::NAN; want.len()], want)?.within(1e-4);
    let image = DeviceBuffer::from_slice(&image)?;
    compare!(
        run,
        [&smooth],
        recursive_gaussian,
        width.div_ceil(64),
        64,
        (
            width as i32,
            height as i32,
            a[0],
            a[1],
            a[2],
            a[3],
            b[0],
            b[1],
            edge_down,
            edge_up,
            &image,
            smooth.buffer().view_mut([height, width]) => smooth.address()
        )
    )
}
