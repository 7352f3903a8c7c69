//! The instructions: one text for each number of coordinates.

use super::reduction::sealed::Operation;
use crate::wgmma::shared_address;

pub(super) use crate::wgmma::word;

/// One instruction on a tile, `$head`, the dimensions, `$form` and, behind the coordinates, `$tail`. The coordinates
/// `$c` are the innermost first.
#[cfg(ptyx_device)]
macro_rules! tensor {
    ($rank:expr, $map:expr, $c:expr; $head:literal $form:literal $tail:literal; $($operand:tt)*) => {
        match $rank {
            1 => tensor!(@ $map; concat!($head, "1d", $form, "{c0}", $tail); c0 = in(reg) $c[0], $($operand)*),
            2 => tensor!(@ $map; concat!($head, "2d", $form, "{c0}, {c1}", $tail);
                c0 = in(reg) $c[0], c1 = in(reg) $c[1], $($operand)*),
            3 => tensor!(@ $map; concat!($head, "3d", $form, "{c0}, {c1}, {c2}", $tail);
                c0 = in(reg) $c[0], c1 = in(reg) $c[1], c2 = in(reg) $c[2], $($operand)*),
            4 => tensor!(@ $map; concat!($head, "4d", $form, "{c0}, {c1}, {c2}, {c3}", $tail);
                c0 = in(reg) $c[0], c1 = in(reg) $c[1], c2 = in(reg) $c[2], c3 = in(reg) $c[3], $($operand)*),
            _ => tensor!(@ $map; concat!($head, "5d", $form, "{c0}, {c1}, {c2}, {c3}, {c4}", $tail);
                c0 = in(reg) $c[0], c1 = in(reg) $c[1], c2 = in(reg) $c[2], c3 = in(reg) $c[3],
                c4 = in(reg) $c[4], $($operand)*),
        }
    };
    (@ $map:expr; $text:expr; $($operand:tt)*) => {
        // SAFETY: the caller's promise.
        unsafe {
            core::arch::asm!(
                "//__ptyx_ptx arch=sm_90 ptx=8.0",
                $text,
                map = in(reg) $map,
                $($operand)*
                options(nostack, preserves_flags),
            )
        }
    };
}

/// One instruction that loads pixels.
#[cfg(ptyx_device)]
macro_rules! columns {
    ($map:expr, $to:expr, $at:expr; $rank:literal $c:literal $o:literal; $($operand:tt)*) => {
        tensor!(@ $map;
            concat!(
                "cp.async.bulk.tensor.", $rank,
                ".shared::cluster.global.im2col.mbarrier::complete_tx::bytes [{to}], [{map}, {{",
                $c, "}}], [{at}], {{", $o, "}};"
            );
            to = in(reg) $to, at = in(reg) $at, $($operand)*)
    };
}

/// A tile to shared memory.
///
/// # Safety
/// As the instruction's: the addresses are right, and nobody else uses the memory as long as the copy goes on.
#[inline(always)]
#[track_caller]
pub(super) unsafe fn load<const RANK: usize>(
    map: *const u8,
    c: [i32; 5],
    to: *mut u8,
    at: *mut u64,
) {
    let to = shared_address(to);
    let at = shared_address(at.cast());
    crate::__ptx! {
        device {
            tensor!(RANK, map, c; "cp.async.bulk.tensor." ".shared::cluster.global.tile.mbarrier::complete_tx::bytes [{to}], [{map}, {{" "}}], [{at}];"; to = in(reg) to, at = in(reg) at,)
        }
        host {
            let _ = (map, c, to, at);
            crate::intrinsics::on_the_host()
        }
    }
}

/// [`load`] with a cache policy.
///
/// # Safety
/// As the instruction's: the addresses are right, and nobody else uses the memory as long as the copy goes on.
#[inline(always)]
#[track_caller]
pub(super) unsafe fn load_hint<const RANK: usize>(
    map: *const u8,
    c: [i32; 5],
    to: *mut u8,
    at: *mut u64,
    policy: u64,
) {
    let to = shared_address(to);
    let at = shared_address(at.cast());
    crate::__ptx! {
        device {
            tensor!(RANK, map, c; "cp.async.bulk.tensor." ".shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [{to}], [{map}, {{" "}}], [{at}], {policy};"; to = in(reg) to, at = in(reg) at, policy = in(reg) policy,)
        }
        host {
            let _ = (map, c, to, at, policy);
            crate::intrinsics::on_the_host()
        }
    }
}

/// A tile to the shared memory of several blocks.
///
/// # Safety
/// As the instruction's: the addresses are right, and nobody else uses the memory as long as the copy goes on.
#[inline(always)]
#[track_caller]
pub(super) unsafe fn load_cluster<const RANK: usize>(
    map: *const u8,
    c: [i32; 5],
    to: *mut u8,
    at: *mut u64,
    ranks: u16,
) {
    let to = shared_address(to);
    let at = shared_address(at.cast());
    crate::__ptx! {
        device {
            tensor!(RANK, map, c; "cp.async.bulk.tensor." ".shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [{to}], [{map}, {{" "}}], [{at}], {ranks};"; to = in(reg) to, at = in(reg) at, ranks = in(reg) ranks,)
        }
        host {
            let _ = (map, c, to, at, ranks);
            crate::intrinsics::on_the_host()
        }
    }
}

/// [`load_cluster`] with a cache policy.
///
/// # Safety
/// As the instruction's: the addresses are right, and nobody else uses the memory as long as the copy goes on.
#[inline(always)]
#[track_caller]
pub(super) unsafe fn load_cluster_hint<const RANK: usize>(
    map: *const u8,
    c: [i32; 5],
    to: *mut u8,
    at: *mut u64,
    ranks: u16,
    policy: u64,
) {
    let to = shared_address(to);
    let at = shared_address(at.cast());
    crate::__ptx! {
        device {
            tensor!(RANK, map, c; "cp.async.bulk.tensor." ".shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [{to}], [{map}, {{" "}}], [{at}], {ranks}, {policy};"; to = in(reg) to, at = in(reg) at, ranks = in(reg) ranks, policy = in(reg) policy,)
        }
        host {
            let _ = (map, c, to, at, ranks, policy);
            crate::intrinsics::on_the_host()
        }
    }
}

/// A tile from shared memory.
///
/// # Safety
/// As the instruction's: the addresses are right, and nobody else uses the memory as long as the copy goes on.
#[inline(always)]
#[track_caller]
pub(super) unsafe fn store<const RANK: usize>(map: *const u8, c: [i32; 5], from: *mut u8) {
    let from = shared_address(from);
    crate::__ptx! {
        device {
            tensor!(RANK, map, c; "cp.async.bulk.tensor." ".global.shared::cta.tile.bulk_group [{map}, {{" "}}], [{from}];"; from = in(reg) from,)
        }
        host {
            let _ = (map, c, from);
            crate::intrinsics::on_the_host()
        }
    }
}

/// [`store`] with a cache policy.
///
/// # Safety
/// As the instruction's: the addresses are right, and nobody else uses the memory as long as the copy goes on.
#[inline(always)]
#[track_caller]
pub(super) unsafe fn store_hint<const RANK: usize>(
    map: *const u8,
    c: [i32; 5],
    from: *mut u8,
    policy: u64,
) {
    let from = shared_address(from);
    crate::__ptx! {
        device {
            tensor!(RANK, map, c; "cp.async.bulk.tensor." ".global.shared::cta.tile.bulk_group.L2::cache_hint [{map}, {{" "}}], [{from}], {policy};"; from = in(reg) from, policy = in(reg) policy,)
        }
        host {
            let _ = (map, c, from, policy);
            crate::intrinsics::on_the_host()
        }
    }
}

/// A tile from shared memory, combined with what is there.
///
/// # Safety
/// As the instruction's: the addresses are right, and nobody else uses the memory as long as the copy goes on.
#[inline(always)]
#[track_caller]
pub(super) unsafe fn reduce<const RANK: usize, O: Operation>(
    map: *const u8,
    c: [i32; 5],
    from: *mut u8,
) {
    let from = shared_address(from);
    crate::__ptx! {
        device {
            tensor!(RANK, map, c; "cp.reduce.async.bulk.tensor." ".global.shared::cta.__ptyx_word_{name}_.tile.bulk_group [{map}, {{" "}}], [{from}];"; from = in(reg) from, name = const O::NAME,)
        }
        host {
            let _ = (map, c, from);
            crate::intrinsics::on_the_host()
        }
    }
}

/// A tile to the L2 cache.
///
/// # Safety
/// As the instruction's: the addresses are right, and nobody else uses the memory as long as the copy goes on.
#[inline(always)]
#[track_caller]
pub(super) unsafe fn prefetch<const RANK: usize>(map: *const u8, c: [i32; 5]) {
    crate::__ptx! {
        device {
            tensor!(RANK, map, c; "cp.async.bulk.prefetch.tensor." ".L2.global.tile [{map}, {{" "}}];"; )
        }
        host {
            let _ = (map, c);
            crate::intrinsics::on_the_host()
        }
    }
}

/// Pixels to shared memory. The offsets are the innermost first.
///
/// # Safety
/// As the instruction's: the addresses are right, and nobody else uses the memory as long as the copy goes on.
#[inline(always)]
#[track_caller]
pub(super) unsafe fn load_columns<const RANK: usize>(
    map: *const u8,
    c: [i32; 5],
    o: [u16; 5],
    to: *mut u8,
    at: *mut u64,
) {
    let to = shared_address(to);
    let at = shared_address(at.cast());
    crate::__ptx! {
        device {
            match RANK {
                3 => columns!(map, to, at; "3d" "{c0}, {c1}, {c2}" "{o0}";
                    c0 = in(reg) c[0], c1 = in(reg) c[1], c2 = in(reg) c[2], o0 = in(reg) o[0],),
                4 => columns!(map, to, at; "4d" "{c0}, {c1}, {c2}, {c3}" "{o0}, {o1}";
                    c0 = in(reg) c[0], c1 = in(reg) c[1], c2 = in(reg) c[2], c3 = in(reg) c[3],
                    o0 = in(reg) o[0], o1 = in(reg) o[1],),
                _ => columns!(map, to, at; "5d" "{c0}, {c1}, {c2}, {c3}, {c4}" "{o0}, {o1}, {o2}";
                    c0 = in(reg) c[0], c1 = in(reg) c[1], c2 = in(reg) c[2], c3 = in(reg) c[3],
                    c4 = in(reg) c[4], o0 = in(reg) o[0], o1 = in(reg) o[1], o2 = in(reg) o[2],),
            }
        }
        host {
            let _ = (map, c, o, to, at);
            crate::intrinsics::on_the_host()
        }
    }
}

/// A tensor map to a cache.
#[inline(always)]
#[track_caller]
pub(super) fn prefetch_map(map: *const u8) {
    crate::__ptx! {
        device {
            // SAFETY: a hint, about a map.
            unsafe {
                core::arch::asm!(
                    "//__ptyx_ptx arch=sm_90 ptx=8.0",
                    "prefetch.tensormap [{map}];",
                    map = in(reg) map,
                    options(nostack, preserves_flags),
                );
            }
        }
        host {
            let _ = map;
            crate::intrinsics::on_the_host()
        }
    }
}
