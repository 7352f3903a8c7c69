//! How likely a read of DNA is to come from a haplotype: a pair hidden Markov model, whose table a warp fills along
//! diagonals.

use crate::prelude::*;

forms! {
    /// One warp per pair of a read of up to 32 letters and a haplotype; each lane has a row of the table. `error` has the
    /// probability of an error for each quality.
    #[kernel]
    pub fn pair_hmm(
        pairs: i32,
        open: f32,
        extend: f32,
        read_start: &[i32],
        read: &[u8],
        quality: &[u8],
        haplotype_start: &[i32],
        haplotype: &[u8],
        error: &[f32],
        mut likelihood: Parts<f32, by::WarpLeader>,
    ) {
        let pair = ((block::x() * block::dim_x() + thread::x()) / 32) as i32;
        if pair >= pairs {
            return;
        }
        let lane = warp::lane() as i32;
        let start = at!(read_start, pair);
        let rows = at!(read_start, pair + 1) - start;
        let first = at!(haplotype_start, pair);
        let columns = at!(haplotype_start, pair + 1) - first;
        let mut letter = 0;
        let mut wrong = 0.0f32;
        if lane < rows {
            letter = at!(read, start + lane);
            wrong = at!(error, at!(quality, start + lane));
        }
        let initial = 1e30 / columns as f32;
        let stay = 1.0 - 2.0 * open;
        let close = 1.0 - extend;
        let (mut m, mut x, mut y) = (0.0f32, 0.0f32, 0.0f32);
        let (mut m_corner, mut x_corner) = (0.0f32, 0.0f32);
        let mut y_corner = if lane == 0 { initial } else { 0.0 };
        let mut sum = 0.0f32;
        for step in 0..columns + rows - 1 {
            let mut m_up = warp::shuffle_up(warp::FULL, m, 1);
            let mut x_up = warp::shuffle_up(warp::FULL, x, 1);
            let mut y_up = warp::shuffle_up(warp::FULL, y, 1);
            if lane == 0 {
                m_up = 0.0;
                x_up = 0.0;
                y_up = initial;
            }
            let column = step - lane;
            if column >= 0 && column < columns {
                let same = at!(haplotype, first + column) == letter;
                let prior = if same { 1.0 - wrong } else { wrong / 3.0 };
                let y_next = m * open + y * extend;
                m = prior * (m_corner * stay + (x_corner + y_corner) * close);
                x = m_up * open + x_up * extend;
                y = y_next;
                sum += m + x;
            }
            m_corner = m_up;
            x_corner = x_up;
            y_corner = y_up;
        }
        sum = warp::shuffle(warp::FULL, sum, rows as u32 - 1);
        if let Some(own) = likelihood.own() {
            *own = sum.log10() - 30.0;
        }
    }
}

/// 2^16 reads of 20 to 32 letters, with haplotypes of 150 to 250.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let pairs = run.size(1 << 16, 70);
    let (open, extend) = (1e-3f32, 0.1f32);
    let (shorter, longer) = (run.below(13, pairs), run.below(101, pairs));
    let (mut read_start, mut haplotype_start) = (vec![0i32], vec![0i32]);
    for i in 0..pairs {
        read_start.push(read_start[i] + 32 - shorter[i]);
        haplotype_start.push(haplotype_start[i] + 150 + longer[i]);
    }
    let (letters, bases) = (read_start[pairs] as usize, haplotype_start[pairs] as usize);
    let haplotype: Vec<u8> =
        run.below(4, bases).into_iter().map(|x| b"ACGT"[x as usize]).collect();
    let quality: Vec<u8> = run.below(30, letters).into_iter().map(|x| x as u8 + 10).collect();
    let error: Vec<f32> = (0..64).map(|q| 10f32.powf(q as f32 / -10.0)).collect();
    let (place, noise) = (run.below(100, pairs), run.below(20, letters));
    let mut read = Vec::with_capacity(letters);
    for i in 0..pairs {
        // Some reads begin where the haplotype does.
        let from = (haplotype_start[i] + (place[i] - 20).max(0)) as usize;
        read.extend_from_slice(&haplotype[from..][..32 - shorter[i] as usize]);
    }
    read.iter_mut().zip(noise).filter(|(_, noise)| *noise == 0).for_each(|(x, _)| *x = b'A');
    let mut want = Vec::with_capacity(pairs);
    for pair in 0..pairs {
        let range = |start: &[i32]| start[pair] as usize..start[pair + 1] as usize;
        let haplotype = &haplotype[range(&haplotype_start)];
        let width = haplotype.len() + 1;
        let (open, extend) = (f64::from(open), f64::from(extend));
        // Rows above: matches, insertions, deletions.
        let mut above = [vec![0.0f64; width], vec![0.0; width], vec![1.0 / (width as f64 - 1.0); width]];
        for k in range(&read_start) {
            let wrong = f64::from(error[usize::from(quality[k])]);
            let mut row = [vec![0.0f64; width], vec![0.0; width], vec![0.0; width]];
            for j in 1..width {
                let prior = if haplotype[j - 1] == read[k] { 1.0 - wrong } else { wrong / 3.0 };
                let gaps = above[1][j - 1] + above[2][j - 1];
                row[0][j] =
                    prior * (above[0][j - 1] * (1.0 - 2.0 * open) + gaps * (1.0 - extend));
                row[1][j] = above[0][j] * open + above[1][j] * extend;
                row[2][j] = row[0][j - 1] * open + row[2][j - 1] * extend;
            }
            above = row;
        }
        let total: f64 = above[0].iter().chain(&above[1]).sum();
        want.push(total.log10() as f32);
    }
    let likelihood = Output::new(&vec![f32::NAN; pairs], want)?.within(1e-4);
    let read_start = DeviceBuffer::from_slice(&read_start)?;
    let haplotype_start = DeviceBuffer::from_slice(&haplotype_start)?;
    let (read, quality) = (DeviceBuffer::from_slice(&read)?, DeviceBuffer::from_slice(&quality)?);
    let (haplotype, error) =
        (DeviceBuffer::from_slice(&haplotype)?, DeviceBuffer::from_slice(&error)?);
    compare!(
        run,
        [&likelihood],
        pair_hmm,
        pairs.div_ceil(4),
        128,
        (
            pairs as i32,
            open,
            extend,
            &read_start,
            &read,
            &quality,
            &haplotype_start,
            &haplotype,
            &error,
            &mut *likelihood.buffer()
        )
    )
}
