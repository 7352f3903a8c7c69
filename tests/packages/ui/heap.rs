// The heap, where the package has not asked for one.
use ptyx::prelude::*;

fn squares(n: u32) -> Vec<u32> {
    (0..n).map(|i| i * i).collect()
}

#[kernel]
fn collects(n: u32, mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = squares(n).iter().sum();
    }
}

#[kernel]
fn formats(n: u32, mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = format!("{n}").len() as u32;
    }
}

#[kernel]
fn sorts(seed: u32, mut y: Disjoint<u32>) {
    let mut x = [0; 4096];
    for (i, x) in x.iter_mut().enumerate() {
        *x = (i as u32).wrapping_mul(seed);
    }
    x.sort_by_key(|x| x % 100);
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = x[i.get()];
    }
}

fn main() -> ptyx::Result<()> {
    let mut y = DeviceBuffer::<u32>::zeroed(64)?;
    launch!(collects<<<1, 8>>>(3, &mut y))?;
    launch!(formats<<<1, 8>>>(3, &mut y))?;
    launch!(sorts<<<1, 1>>>(7, &mut y))
}
