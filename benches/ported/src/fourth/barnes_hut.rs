//! Gravity in a plane by the method of Barnes and Hut: each body traverses a quadtree, and treats cells that are far
//! away as one mass.

use crate::prelude::*;

/// A cell. `more` is its first child, or negative if it has none; `next` is the node behind its whole subtree.
#[derive(Clone, Copy, Debug, DeviceCopy)]
#[repr(C)]
pub struct Node {
    middle_x: f32,
    middle_y: f32,
    size: f32,
    x: f32,
    y: f32,
    mass: f32,
    more: i32,
    next: i32,
}

forms! {
    /// One thread per body. A cell counts as one mass if its middle is more than twice its size away.
    #[kernel]
    pub fn barnes_hut(
        bodies: i32,
        softening: f32,
        body_x: &[f32],
        body_y: &[f32],
        node: &[Node],
        mut ax: Disjoint<f32>,
        mut ay: Disjoint<f32>,
    ) {
        let own = thread::index_1d();
        let i = own.get() as i32;
        if i >= bodies {
            return;
        }
        let (x, y) = (at!(body_x, i), at!(body_y, i));
        let (mut sum_x, mut sum_y) = (0.0f32, 0.0f32);
        let mut k = 0;
        while k >= 0 {
            let n = at!(node, k);
            let mx = n.middle_x - x;
            let my = n.middle_y - y;
            if n.more < 0 || 4.0 * n.size * n.size < mx * mx + my * my {
                let dx = n.x - x;
                let dy = n.y - y;
                let square = dx * dx + dy * dy + softening;
                let f = n.mass / (square * square.sqrt());
                sum_x += dx * f;
                sum_y += dy * f;
                k = n.next;
            } else {
                k = n.more;
            }
        }
        own!(ax, own) = sum_x;
        own!(ay, own) = sum_y;
    }
}

/// A cell with its children, on the host.
#[derive(Debug)]
struct Tree {
    corner: [i32; 2],
    size: i32,
    /// The mass, and its first moments along x and y.
    moments: [f64; 3],
    parts: Vec<Tree>,
}

impl Tree {
    /// The cell of these bodies, which are sorted by child on the way.
    fn new(corner: [i32; 2], size: i32, bodies: &mut [([i32; 2], f32)]) -> Tree {
        let mut tree = Tree { corner, size, moments: [0.0; 3], parts: Vec::new() };
        for ([x, y], mass) in bodies.iter() {
            let mass = f64::from(*mass);
            for (sum, factor) in tree.moments.iter_mut().zip([1.0, f64::from(*x), f64::from(*y)]) {
                *sum += mass * factor;
            }
        }
        if bodies.iter().all(|(place, _)| *place == bodies[0].0) {
            return tree;
        }
        let half = size / 2;
        let quarter = |place: [i32; 2]| {
            usize::from(place[0] - corner[0] >= half) + 2 * usize::from(place[1] - corner[1] >= half)
        };
        bodies.sort_by_key(|(place, _)| quarter(*place));
        for part in bodies.chunk_by_mut(|a, b| quarter(a.0) == quarter(b.0)) {
            let q = quarter(part[0].0) as i32;
            let corner = [corner[0] + q % 2 * half, corner[1] + q / 2 * half];
            tree.parts.push(Tree::new(corner, half, part));
        }
        tree
    }

    /// Appends the cell and its subtree. The last nodes' `next` is beyond the end.
    fn flatten(&self, nodes: &mut Vec<Node>) {
        let [mass, x, y] = self.moments;
        let index = nodes.len();
        let middle = self.corner.map(|c| c as f32 + 0.5 * self.size as f32);
        nodes.push(Node {
            middle_x: middle[0],
            middle_y: middle[1],
            size: self.size as f32,
            x: (x / mass) as f32,
            y: (y / mass) as f32,
            mass: mass as f32,
            more: if self.parts.is_empty() { -1 } else { index as i32 + 1 },
            next: -1,
        });
        self.parts.iter().for_each(|part| part.flatten(nodes));
        // Whatever is appended next follows this subtree.
        nodes[index].next = nodes.len() as i32;
    }

    /// Adds the cell's pull on a body at a place.
    fn pull(&self, at: [i32; 2], softening: f64, sum: &mut [f64; 2]) {
        // Twice the distance to the middle.
        let way = |k: usize| i64::from(2 * (self.corner[k] - at[k]) + self.size);
        let far = way(0).pow(2) + way(1).pow(2) > 16 * i64::from(self.size).pow(2);
        if !far && !self.parts.is_empty() {
            return self.parts.iter().for_each(|part| part.pull(at, softening, sum));
        }
        let mass = self.moments[0];
        let to = [0, 1].map(|k| self.moments[1 + k] / mass - f64::from(at[k]));
        let f = mass / (to[0].powi(2) + to[1].powi(2) + softening).powf(1.5);
        sum.iter_mut().zip(to).for_each(|(sum, d)| *sum += d * f);
    }
}

/// 2^18 bodies at integer places in a square of 2048x2048.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (bodies, side) = (run.size(1 << 18, 700), run.size(2048, 256));
    let softening = 0.25f32;
    let (x, y) = (run.below(side, bodies), run.below(side, bodies));
    let mass = run.between(0.5, 1.5, bodies);
    let mut body: Vec<([i32; 2], f32)> = (0..bodies).map(|i| ([x[i], y[i]], mass[i])).collect();
    let tree = Tree::new([0, 0], side as i32, &mut body);
    let (mut node, mut want) = (Vec::new(), [Vec::new(), Vec::new()]);
    tree.flatten(&mut node);
    let end = node.len() as i32;
    node.iter_mut().filter(|node| node.next == end).for_each(|node| node.next = -1);
    for (at, _) in &body {
        let mut sum = [0.0; 2];
        tree.pull(*at, f64::from(softening), &mut sum);
        want.iter_mut().zip(sum).for_each(|(want, sum)| want.push(sum as f32));
    }
    let [x, y] = want.map(|want| Output::new(&vec![f32::NAN; bodies], want));
    let (ax, ay) = (x?.within(1e-4), y?.within(1e-4));
    let [body_x, body_y] =
        [0, 1].map(|k| body.iter().map(|(at, _)| at[k] as f32).collect::<Vec<f32>>());
    let (body_x, body_y) = (DeviceBuffer::from_slice(&body_x)?, DeviceBuffer::from_slice(&body_y)?);
    let node = DeviceBuffer::from_slice(&node)?;
    compare!(
        run,
        [&ax, &ay],
        barnes_hut,
        bodies.div_ceil(256),
        256,
        (
            bodies as i32,
            softening,
            &body_x,
            &body_y,
            &node,
            &mut *ax.buffer(),
            &mut *ay.buffer()
        )
    )
}
