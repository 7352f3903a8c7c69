//! Special registers (PTX ISA, chapter 10).

use crate::exec::context::{Context, Flow};
use crate::exec::program::{Exec, Inst};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Multiprocessors of the emulated device.
pub(crate) const MULTIPROCESSORS: u32 = 132;

/// The semantic function that reads a special register, and the register's size in bytes: 0 for a predicate.
pub(crate) fn special(name: &str, component: Option<&str>) -> Option<(Exec, u32)> {
    let axis = match component {
        Some("x") => 0,
        Some("y") => 1,
        Some("z") => 2,
        None => 3,
        Some(_) => return None,
    };
    macro_rules! axes {
        ($function:ident) => {
            match axis {
                0 => $function::<0>,
                1 => $function::<1>,
                2 => $function::<2>,
                _ => return None,
            }
        };
    }
    if axis == 3 {
        return plain(name);
    }
    let exec: Exec = match name {
        "%tid" => axes!(tid),
        "%ntid" => axes!(ntid),
        "%ctaid" => axes!(ctaid),
        "%nctaid" => axes!(nctaid),
        "%clusterid" => axes!(clusterid),
        "%nclusterid" => axes!(nclusterid),
        "%cluster_ctaid" => axes!(cluster_ctaid),
        "%cluster_nctaid" => axes!(cluster_nctaid),
        _ => return None,
    };
    Some((exec, 4))
}

fn plain(name: &str) -> Option<(Exec, u32)> {
    let exec: Exec = match name {
        "%laneid" => |c, i, m| per_lane(c, i, m, |lane| lane),
        "%warpid" => |c, i, m| uniform(c, i, m, c.warp.index),
        "%nwarpid" => |c, i, m| uniform(c, i, m, 64),
        "%smid" => |c, i, m| {
            let [x, y, z] = c.block.index.map(u64::from);
            let [nx, ny, _] = c.launch.grid.map(u64::from);
            let linear = x + nx * (y + ny * z);
            uniform(c, i, m, (linear % u64::from(MULTIPROCESSORS)) as u32)
        },
        "%nsmid" => |c, i, m| uniform(c, i, m, MULTIPROCESSORS),
        "%lanemask_eq" => |c, i, m| per_lane(c, i, m, |lane| 1 << lane),
        "%lanemask_lt" => |c, i, m| per_lane(c, i, m, |lane| (1 << lane) - 1),
        "%lanemask_le" => |c, i, m| per_lane(c, i, m, |lane| u32::MAX >> (31 - lane)),
        "%lanemask_gt" => |c, i, m| per_lane(c, i, m, |lane| !(u32::MAX >> (31 - lane))),
        "%lanemask_ge" => |c, i, m| per_lane(c, i, m, |lane| u32::MAX << lane),
        "%clock" => |c, i, m| uniform(c, i, m, clock(c) as u32),
        "%clock_hi" => |c, i, m| uniform(c, i, m, (clock(c) >> 32) as u32),
        "%globaltimer_lo" => |c, i, m| uniform(c, i, m, nanoseconds() as u32),
        "%globaltimer_hi" => |c, i, m| uniform(c, i, m, (nanoseconds() >> 32) as u32),
        "%dynamic_smem_size" => |c, i, m| uniform(c, i, m, c.launch.dynamic_shared),
        "%total_smem_size" | "%aggr_smem_size" => {
            |c, i, m| uniform(c, i, m, c.launch.shared_size())
        }
        "%cluster_ctarank" => |c, i, m| uniform(c, i, m, c.block.rank),
        "%cluster_nctarank" => |c, i, m| uniform(c, i, m, c.launch.cluster.iter().product::<u32>()),
        "%is_explicit_cluster" => {
            let exec: Exec = |c, i, m| {
                let is_explicit = c.launch.clustered;
                c.set_predicate(i.d, m, u32::from(is_explicit).wrapping_neg());
                Flow::Next
            };
            return Some((exec, 0));
        }
        "%clock64" => return Some((|c, i, m| uniform(c, i, m, clock(c)), 8)),
        "%globaltimer" => return Some((|c, i, m| uniform(c, i, m, nanoseconds()), 8)),
        // The driver's: a cooperative launch has the address of its workspace there (CCCL,
        // `__grid_workspace_ptr`), other launches have 0.
        "%envreg1" => |c, i, m| uniform(c, i, m, (c.launch.workspace >> 32) as u32),
        "%envreg2" => |c, i, m| uniform(c, i, m, c.launch.workspace as u32),
        // Performance counters, which count nothing here.
        "%pm0" | "%pm1" | "%pm2" | "%pm3" | "%pm4" | "%pm5" | "%pm6" | "%pm7" => {
            |c, i, m| uniform(c, i, m, 0u32)
        }
        "%pm0_64" | "%pm1_64" | "%pm2_64" | "%pm3_64" | "%pm4_64" | "%pm5_64" | "%pm6_64"
        | "%pm7_64" => return Some((|c, i, m| uniform(c, i, m, 0u64), 8)),
        "%gridid" => return Some((|c, i, m| uniform(c, i, m, c.launch.number), 8)),
        _ => return None,
    };
    Some((exec, 4))
}

fn uniform<T: crate::exec::context::Lane>(
    context: &mut Context<'_>,
    inst: &Inst,
    mask: u32,
    value: T,
) -> Flow {
    context.store(inst.d, mask, &[value; 32]);
    Flow::Next
}

fn per_lane(context: &mut Context<'_>, inst: &Inst, mask: u32, f: fn(u32) -> u32) -> Flow {
    let mut values = [0; 32];
    for (lane, value) in values.iter_mut().enumerate() {
        *value = f(lane as u32);
    }
    context.store(inst.d, mask, &values);
    Flow::Next
}

fn tid<const AXIS: usize>(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    let [x, y, _] = context.launch.block;
    let first = context.warp.index * 32;
    let in_first_row = AXIS == 0 && first + 32 <= x;
    let mut values = [0; 32];
    for (lane, value) in values.iter_mut().enumerate() {
        let linear = first + lane as u32;
        *value = match AXIS {
            0 if in_first_row => linear,
            0 => linear % x,
            1 => linear / x % y,
            _ => linear / (x * y),
        };
    }
    context.store(inst.d, mask, &values);
    Flow::Next
}

fn ntid<const AXIS: usize>(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    uniform(context, inst, mask, context.launch.block[AXIS])
}

fn ctaid<const AXIS: usize>(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    uniform(context, inst, mask, context.block.index[AXIS])
}

fn nctaid<const AXIS: usize>(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    uniform(context, inst, mask, context.launch.grid[AXIS])
}

fn clusterid<const AXIS: usize>(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    uniform(context, inst, mask, context.block.index[AXIS] / context.launch.cluster[AXIS])
}

fn nclusterid<const AXIS: usize>(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    uniform(context, inst, mask, context.launch.clusters()[AXIS])
}

fn cluster_ctaid<const AXIS: usize>(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    uniform(context, inst, mask, context.block.index[AXIS] % context.launch.cluster[AXIS])
}

fn cluster_nctaid<const AXIS: usize>(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    uniform(context, inst, mask, context.launch.cluster[AXIS])
}

/// Nanoseconds, which also stand in for cycles: a clock of 1 GHz.
fn clock(_: &Context<'_>) -> u64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as u64
}

fn nanoseconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64)
}
