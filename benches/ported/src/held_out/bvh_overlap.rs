//! Which boxes overlap: a walk down a tree of boxes (a bounding volume hierarchy), with a stack in a local array, after
//! Karras's collision detection (2012).

use crate::prelude::*;

/// A box.
#[derive(Clone, Copy, Debug, DeviceCopy)]
#[repr(C)]
pub struct Bounds {
    low: [f32; 3],
    high: [f32; 3],
}

/// An inner node. A child is another one, or, if it is negative, object `-1 - child`.
#[derive(Clone, Copy, Debug, DeviceCopy)]
#[repr(C)]
pub struct Children {
    left: i32,
    right: i32,
}

forms! {
    #[inline(always)]
    fn overlaps(a: &Bounds, b: &Bounds) -> bool {
        for k in 0..3 {
            if at!(a.low, k) > at!(b.high, k) || at!(b.low, k) > at!(a.high, k) {
                return false;
            }
        }
        true
    }

    /// One thread an object: how many others it overlaps, and the sum of their numbers.
    #[kernel]
    pub fn bvh_overlap(
        objects: i32,
        object: &[Bounds],
        children: &[Children],
        inner: &[Bounds],
        mut count: Disjoint<i32>,
        mut sum: Disjoint<i64>,
    ) {
        let own = thread::index_1d();
        let i = own.get() as i32;
        if i >= objects {
            return;
        }
        let query = at!(object, i);
        let mut stack = [0i32; 64];
        let mut top = 1;
        let (mut found, mut total) = (0, 0i64);
        while top > 0 {
            top -= 1;
            let node = at!(children, at!(stack, top));
            for child in [node.left, node.right] {
                if child < 0 {
                    let other = -1 - child;
                    if other != i && overlaps(&query, &at!(object, other)) {
                        found += 1;
                        total += other as i64;
                    }
                } else if overlaps(&query, &at!(inner, child)) {
                    put!(stack, top, child);
                    top += 1;
                }
            }
        }
        own!(count, own) = found;
        own!(sum, own) = total;
    }
}

/// Builds the tree of `objects`, which lie along a curve in that order. The last node made is its root.
fn build(
    first: usize,
    object: &[Bounds],
    children: &mut Vec<Children>,
    inner: &mut Vec<Bounds>,
) -> (i32, Bounds) {
    if let [only] = object {
        return (-1 - first as i32, *only);
    }
    let node = children.len();
    children.push(Children { left: 0, right: 0 });
    inner.push(object[0]);
    let middle = object.len() / 2;
    let (left, a) = build(first, &object[..middle], children, inner);
    let (right, b) = build(first + middle, &object[middle..], children, inner);
    children[node] = Children { left, right };
    inner[node] = Bounds {
        low: std::array::from_fn(|k| a.low[k].min(b.low[k])),
        high: std::array::from_fn(|k| a.high[k].max(b.high[k])),
    };
    (node as i32, inner[node])
}

/// 2^18 boxes, sorted by Morton codes of ten bits an axis.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let n = run.size(1 << 18, 400);
    let side = run.size(1024, 128);
    let places = run.below(side, 3 * n);
    let sizes = run.between(0.0, side as f32 / (n as f32).cbrt(), n);
    let spread = |x: i32| (0..10).map(|bit| (x >> bit & 1) << (3 * bit)).sum::<i32>();
    let mut order: Vec<(i32, usize)> = (0..n)
        .map(|i| ((0..3).map(|k| spread(places[3 * i + k]) << k).sum(), i))
        .collect();
    order.sort_unstable();
    let object: Vec<Bounds> = order
        .into_iter()
        .map(|(_, i)| {
            let low: [f32; 3] = std::array::from_fn(|k| places[3 * i + k] as f32);
            Bounds { low, high: low.map(|at| at + sizes[i]) }
        })
        .collect();
    let (mut children, mut inner) = (Vec::new(), Vec::new());
    let _ = build(0, &object, &mut children, &mut inner);
    // A sweep along x: boxes that begin before another one ends.
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|a, b| object[*a].low[0].total_cmp(&object[*b].low[0]));
    let (mut count, mut sum) = (vec![0i32; n], vec![0i64; n]);
    for (k, &a) in order.iter().enumerate() {
        for &b in order[k + 1..].iter().take_while(|b| object[**b].low[0] <= object[a].high[0]) {
            let (p, q) = (object[a], object[b]);
            if (1..3).all(|axis| p.low[axis] <= q.high[axis] && q.low[axis] <= p.high[axis]) {
                for (a, b) in [(a, b), (b, a)] {
                    count[a] += 1;
                    sum[a] += b as i64;
                }
            }
        }
    }
    let (count, sum) = (Output::new(&vec![-1; n], count)?, Output::new(&vec![-1; n], sum)?);
    let (object, inner) = (DeviceBuffer::from_slice(&object)?, DeviceBuffer::from_slice(&inner)?);
    let children = DeviceBuffer::from_slice(&children)?;
    compare!(
        run,
        [&count, &sum],
        bvh_overlap,
        n.div_ceil(128),
        128,
        (n as i32, &object, &children, &inner, &mut *count.buffer(), &mut *sum.buffer())
    )
}
