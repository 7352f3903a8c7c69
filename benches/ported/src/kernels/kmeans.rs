//! The nearest of some centres for each point, after Rodinia's kmeans: the points are feature by feature.

use crate::prelude::*;

forms! {
    /// One thread a point.
    #[kernel]
    pub fn kmeans(
        points: i32,
        clusters: i32,
        features: i32,
        feature: &[f32],
        centre: &[f32],
        mut member: Disjoint<i32>,
    ) {
        let own = thread::index_1d();
        let Some(member) = member.get_mut(own) else { return };
        let (p, n, nf) = (own.get() as Ix, points as Ix, features as Ix);
        let mut nearest = -1;
        let mut least = f32::MAX;
        for c in 0..clusters as Ix {
            let mut sum = 0.0;
            for l in 0..nf {
                let difference = at!(feature, l * n + p) - at!(centre, c * nf + l);
                sum += difference * difference;
            }
            if sum < least {
                least = sum;
                nearest = c as i32;
            }
        }
        *member = nearest;
    }
}

/// 2^20 points with 34 features, 5 centres. All are small integers, so that sums are exact.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (n, k, nf) = (run.size(1 << 20, 700), 5, 34);
    let mut whole = |len| run.below(16, len).into_iter().map(|x| x as f32).collect::<Vec<_>>();
    let (feature, centre) = (whole(n * nf), whole(k * nf));
    let distance = |p: usize, c: usize| -> f32 {
        (0..nf).map(|l| (feature[l * n + p] - centre[c * nf + l]).powi(2)).sum()
    };
    let nearest =
        |p| (0..k).min_by(|&a, &b| distance(p, a).total_cmp(&distance(p, b))).unwrap_or(k);
    let member = Output::new(&vec![-2; n], (0..n).map(|p| nearest(p) as i32).collect())?;
    let (feature, centre) =
        (DeviceBuffer::from_slice(&feature)?, DeviceBuffer::from_slice(&centre)?);
    compare!(
        run,
        [&member],
        kmeans,
        n.div_ceil(256),
        256,
        (n as i32, k as i32, nf as i32, &feature, &centre, &mut *member.buffer())
    )
}
