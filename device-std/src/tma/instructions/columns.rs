//! The instructions on columns of pixels. Offsets are the innermost first, as coordinates are.

use crate::bulk::Operation;
use crate::wgmma::shared_address;

/// One instruction that loads pixels: the coordinates `$c` are between `$form` and `$middle`, the offsets `$o` between
/// that and `$tail`.
#[cfg(ptyx_device)]
macro_rules! columns {
    ($rank:expr, $map:expr, $c:expr, $o:expr; $head:literal $form:literal $middle:literal $tail:literal; $($operand:tt)*) => {
        match $rank {
            3 => tensor!(@ $map; concat!($head, "3d", $form, "{c0}, {c1}, {c2}", $middle, "{o0}", $tail);
                c0 = in(reg) $c[0], c1 = in(reg) $c[1], c2 = in(reg) $c[2], o0 = in(reg) $o[0], $($operand)*),
            4 => tensor!(@ $map; concat!($head, "4d", $form, "{c0}, {c1}, {c2}, {c3}", $middle, "{o0}, {o1}", $tail);
                c0 = in(reg) $c[0], c1 = in(reg) $c[1], c2 = in(reg) $c[2], c3 = in(reg) $c[3],
                o0 = in(reg) $o[0], o1 = in(reg) $o[1], $($operand)*),
            _ => tensor!(@ $map;
                concat!($head, "5d", $form, "{c0}, {c1}, {c2}, {c3}, {c4}", $middle, "{o0}, {o1}, {o2}", $tail);
                c0 = in(reg) $c[0], c1 = in(reg) $c[1], c2 = in(reg) $c[2], c3 = in(reg) $c[3],
                c4 = in(reg) $c[4], o0 = in(reg) $o[0], o1 = in(reg) $o[1], o2 = in(reg) $o[2], $($operand)*),
        }
    };
}

instructions! {
    /// Pixels to shared memory.
    fn load_columns(map: *const u8, c: [i32; 5], o: [u16; 5], to: *mut u8, at: *mut u64), [to at] {
        columns!(RANK, map, c, o; "cp.async.bulk.tensor." ".shared::cluster.global.im2col.mbarrier::complete_tx::bytes [{to}], [{map}, {{" "}}], [{at}], {{" "}};"; to = in(reg) to, at = in(reg) at,)
    }

    /// [`load_columns`] with a cache policy.
    fn load_columns_hint(map: *const u8, c: [i32; 5], o: [u16; 5], to: *mut u8, at: *mut u64, policy: u64), [to at] {
        columns!(RANK, map, c, o; "cp.async.bulk.tensor." ".shared::cluster.global.im2col.mbarrier::complete_tx::bytes.L2::cache_hint [{to}], [{map}, {{" "}}], [{at}], {{" "}}, {policy};"; to = in(reg) to, at = in(reg) at, policy = in(reg) policy,)
    }

    /// Pixels to the shared memory of several blocks.
    fn load_columns_cluster(map: *const u8, c: [i32; 5], o: [u16; 5], to: *mut u8, at: *mut u64, ranks: u16), [to at] {
        columns!(RANK, map, c, o; "cp.async.bulk.tensor." ".shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster [{to}], [{map}, {{" "}}], [{at}], {{" "}}, {ranks};"; to = in(reg) to, at = in(reg) at, ranks = in(reg) ranks,)
    }

    /// [`load_columns_cluster`] with a cache policy.
    fn load_columns_cluster_hint(map: *const u8, c: [i32; 5], o: [u16; 5], to: *mut u8, at: *mut u64, ranks: u16, policy: u64), [to at] {
        columns!(RANK, map, c, o; "cp.async.bulk.tensor." ".shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [{to}], [{map}, {{" "}}], [{at}], {{" "}}, {ranks}, {policy};"; to = in(reg) to, at = in(reg) at, ranks = in(reg) ranks, policy = in(reg) policy,)
    }

    /// Pixels to the L2 cache.
    fn prefetch_columns(map: *const u8, c: [i32; 5], o: [u16; 5]), [] {
        columns!(RANK, map, c, o; "cp.async.bulk.prefetch.tensor." ".L2.global.im2col [{map}, {{" "}}], {{" "}};"; )
    }

    /// Pixels from shared memory.
    fn store_columns(map: *const u8, c: [i32; 5], from: *mut u8), [from] {
        tensor!(RANK, map, c; "cp.async.bulk.tensor." ".global.shared::cta.im2col_no_offs.bulk_group [{map}, {{" "}}], [{from}];"; from = in(reg) from,)
    }

    /// [`store_columns`] with a cache policy.
    fn store_columns_hint(map: *const u8, c: [i32; 5], from: *mut u8, policy: u64), [from] {
        tensor!(RANK, map, c; "cp.async.bulk.tensor." ".global.shared::cta.im2col_no_offs.bulk_group.L2::cache_hint [{map}, {{" "}}], [{from}], {policy};"; from = in(reg) from, policy = in(reg) policy,)
    }

    /// Pixels from shared memory, combined with what is there.
    fn reduce_columns<O>(map: *const u8, c: [i32; 5], from: *mut u8), [from] {
        tensor!(RANK, map, c; "cp.reduce.async.bulk.tensor." ".global.shared::cta.__ptyx_word_{name}_.im2col_no_offs.bulk_group [{map}, {{" "}}], [{from}];"; from = in(reg) from, name = const O::NAME,)
    }

    /// [`reduce_columns`] with a cache policy.
    fn reduce_columns_hint<O>(map: *const u8, c: [i32; 5], from: *mut u8, policy: u64), [from] {
        tensor!(RANK, map, c; "cp.reduce.async.bulk.tensor." ".global.shared::cta.__ptyx_word_{name}_.im2col_no_offs.bulk_group.L2::cache_hint [{map}, {{" "}}], [{from}], {policy};"; from = in(reg) from, name = const O::NAME, policy = in(reg) policy,)
    }
}
