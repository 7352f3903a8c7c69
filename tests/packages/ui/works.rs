// A package outside the workspace, with a kernel of its own, builds and runs without a warning.
use ptyx::prelude::*;

/// Whether each number is a prime.
#[kernel]
fn primes(mut out: Disjoint<bool>) {
    for i in thread::grid_stride(out.len()) {
        let n = i.get();
        out[i] = n > 1 && (2..n).take_while(|d| d * d <= n).all(|d| n % d != 0);
    }
}

fn main() -> ptyx::Result<()> {
    let mut out = DeviceBuffer::zeroed(60)?;
    launch!(primes<<<2, 16>>>(&mut out), maxregs = 40)?;
    let out = out.to_vec()?;
    println!("{:?}", (0..60).filter(|&n| out[n]).collect::<Vec<usize>>());
    Ok(())
}
