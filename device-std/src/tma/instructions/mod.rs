//! The instructions: one text for each number of coordinates.

use crate::bulk::Operation;
use crate::wgmma::shared_address;

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

/// Functions of one instruction each, for tensors of `RANK` dimensions. Those in brackets are addresses in shared
/// memory.
macro_rules! instructions {
    ($(
        $(#[$doc:meta])*
        fn $name:ident$(<$operation:ident>)?($($argument:ident: $type:ty),*), [$($place:ident)*] {
            $($body:tt)*
        }
    )*) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        /// As the instruction's: the addresses are right, and nothing else uses the memory as long as the copy goes on.
        #[inline(always)]
        #[track_caller]
        pub(in crate::tma) unsafe fn $name<const RANK: usize $(, $operation: Operation)?>(
            $($argument: $type),*
        ) {
            $(let $place = shared_address($place.cast());)*
            crate::__ptx! {
                device {
                    $($body)*
                }
                host {
                    let _ = ($($argument,)*);
                    crate::intrinsics::on_the_host()
                }
            }
        }
    )*};
}

mod columns;

pub(super) use columns::*;

instructions! {
    /// A tile to shared memory.
    fn load(map: *const u8, c: [i32; 5], to: *mut u8, at: *mut u64), [to at] {
        tensor!(RANK, map, c; "cp.async.bulk.tensor." ".shared::cluster.global.tile.mbarrier::complete_tx::bytes [{to}], [{map}, {{" "}}], [{at}];"; to = in(reg) to, at = in(reg) at,)
    }

    /// [`load`] with a cache policy.
    fn load_hint(map: *const u8, c: [i32; 5], to: *mut u8, at: *mut u64, policy: u64), [to at] {
        tensor!(RANK, map, c; "cp.async.bulk.tensor." ".shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [{to}], [{map}, {{" "}}], [{at}], {policy};"; to = in(reg) to, at = in(reg) at, policy = in(reg) policy,)
    }

    /// A tile to the shared memory of several blocks.
    fn load_cluster(map: *const u8, c: [i32; 5], to: *mut u8, at: *mut u64, ranks: u16), [to at] {
        tensor!(RANK, map, c; "cp.async.bulk.tensor." ".shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [{to}], [{map}, {{" "}}], [{at}], {ranks};"; to = in(reg) to, at = in(reg) at, ranks = in(reg) ranks,)
    }

    /// [`load_cluster`] with a cache policy.
    fn load_cluster_hint(map: *const u8, c: [i32; 5], to: *mut u8, at: *mut u64, ranks: u16, policy: u64), [to at] {
        tensor!(RANK, map, c; "cp.async.bulk.tensor." ".shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [{to}], [{map}, {{" "}}], [{at}], {ranks}, {policy};"; to = in(reg) to, at = in(reg) at, ranks = in(reg) ranks, policy = in(reg) policy,)
    }

    /// A tile from shared memory.
    fn store(map: *const u8, c: [i32; 5], from: *mut u8), [from] {
        tensor!(RANK, map, c; "cp.async.bulk.tensor." ".global.shared::cta.tile.bulk_group [{map}, {{" "}}], [{from}];"; from = in(reg) from,)
    }

    /// [`store`] with a cache policy.
    fn store_hint(map: *const u8, c: [i32; 5], from: *mut u8, policy: u64), [from] {
        tensor!(RANK, map, c; "cp.async.bulk.tensor." ".global.shared::cta.tile.bulk_group.L2::cache_hint [{map}, {{" "}}], [{from}], {policy};"; from = in(reg) from, policy = in(reg) policy,)
    }

    /// A tile from shared memory, combined with what is there.
    fn reduce<O>(map: *const u8, c: [i32; 5], from: *mut u8), [from] {
        tensor!(RANK, map, c; "cp.reduce.async.bulk.tensor." ".global.shared::cta.__ptyx_word_{name}_.tile.bulk_group [{map}, {{" "}}], [{from}];"; from = in(reg) from, name = const O::NAME,)
    }

    /// [`reduce`] with a cache policy.
    fn reduce_hint<O>(map: *const u8, c: [i32; 5], from: *mut u8, policy: u64), [from] {
        tensor!(RANK, map, c; "cp.reduce.async.bulk.tensor." ".global.shared::cta.__ptyx_word_{name}_.tile.bulk_group.L2::cache_hint [{map}, {{" "}}], [{from}], {policy};"; from = in(reg) from, name = const O::NAME, policy = in(reg) policy,)
    }

    /// A tile to the L2 cache.
    fn prefetch(map: *const u8, c: [i32; 5]), [] {
        tensor!(RANK, map, c; "cp.async.bulk.prefetch.tensor." ".L2.global.tile [{map}, {{" "}}];"; )
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
