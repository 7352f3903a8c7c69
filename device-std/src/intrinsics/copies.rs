//! Copies that go on while the kernel does: those of a thread, and bulk copies.

/// Copies asynchronously to `$0`, in shared memory, from `$1`, in global memory; `$2` bytes are read (PTX ISA,
/// `cp.async`), perhaps with a policy.
macro_rules! cp_async {
    ($form:literal, $bytes:literal $(, $policy:literal)?) => {
        concat!(
            "{ .reg .b64 %to, %from; cvta.to.shared.u64 %to, $0; cvta.to.global.u64 %from, $1; cp.async.",
            $form,
            " [%to], [%from], ",
            $bytes,
            ", $2",
            $($policy,)?
            "; }"
        )
    };
}

/// A bulk copy to `$0` from `$1`, of `$2` bytes: `%to` and `%from` are the addresses in their state spaces, and
/// `%at` that of an mbarrier.
macro_rules! bulk {
    ($to:literal $from:literal $before:literal $form:literal $behind:literal) => {
        concat!(
            "{ .reg .b64 %to, %from, %at; cvta.to.",
            $to,
            ".u64 %to, $0; cvta.to.",
            $from,
            ".u64 %from, $1; ",
            $before,
            "cp.async.bulk.",
            $form,
            " [%to], [%from], $2",
            $behind,
            "; }"
        )
    };
}

intrinsics! {
    // Asynchronous copies of a thread.
    fn cp_async_ca_4(to: *mut u8, from: *const u8, read: u32) =
        asm(cp_async!("ca.shared.global", 4)), needs(sm_80, ptx 7.0);
    fn cp_async_ca_4_l2_64(to: *mut u8, from: *const u8, read: u32) =
        asm(cp_async!("ca.shared.global.L2::64B", 4)), needs(sm_80, ptx 7.4);
    fn cp_async_ca_4_l2_128(to: *mut u8, from: *const u8, read: u32) =
        asm(cp_async!("ca.shared.global.L2::128B", 4)), needs(sm_80, ptx 7.4);
    fn cp_async_ca_4_l2_256(to: *mut u8, from: *const u8, read: u32) =
        asm(cp_async!("ca.shared.global.L2::256B", 4)), needs(sm_80, ptx 7.4);
    fn cp_async_ca_8(to: *mut u8, from: *const u8, read: u32) =
        asm(cp_async!("ca.shared.global", 8)), needs(sm_80, ptx 7.0);
    fn cp_async_ca_8_l2_64(to: *mut u8, from: *const u8, read: u32) =
        asm(cp_async!("ca.shared.global.L2::64B", 8)), needs(sm_80, ptx 7.4);
    fn cp_async_ca_8_l2_128(to: *mut u8, from: *const u8, read: u32) =
        asm(cp_async!("ca.shared.global.L2::128B", 8)), needs(sm_80, ptx 7.4);
    fn cp_async_ca_8_l2_256(to: *mut u8, from: *const u8, read: u32) =
        asm(cp_async!("ca.shared.global.L2::256B", 8)), needs(sm_80, ptx 7.4);
    fn cp_async_ca_16(to: *mut u8, from: *const u8, read: u32) =
        asm(cp_async!("ca.shared.global", 16)), needs(sm_80, ptx 7.0);
    fn cp_async_ca_16_l2_64(to: *mut u8, from: *const u8, read: u32) =
        asm(cp_async!("ca.shared.global.L2::64B", 16)), needs(sm_80, ptx 7.4);
    fn cp_async_ca_16_l2_128(to: *mut u8, from: *const u8, read: u32) =
        asm(cp_async!("ca.shared.global.L2::128B", 16)), needs(sm_80, ptx 7.4);
    fn cp_async_ca_16_l2_256(to: *mut u8, from: *const u8, read: u32) =
        asm(cp_async!("ca.shared.global.L2::256B", 16)), needs(sm_80, ptx 7.4);
    fn cp_async_cg_16(to: *mut u8, from: *const u8, read: u32) =
        asm(cp_async!("cg.shared.global", 16)), needs(sm_80, ptx 7.0);
    fn cp_async_cg_16_l2_64(to: *mut u8, from: *const u8, read: u32) =
        asm(cp_async!("cg.shared.global.L2::64B", 16)), needs(sm_80, ptx 7.4);
    fn cp_async_cg_16_l2_128(to: *mut u8, from: *const u8, read: u32) =
        asm(cp_async!("cg.shared.global.L2::128B", 16)), needs(sm_80, ptx 7.4);
    fn cp_async_cg_16_l2_256(to: *mut u8, from: *const u8, read: u32) =
        asm(cp_async!("cg.shared.global.L2::256B", 16)), needs(sm_80, ptx 7.4);
    fn cp_async_ca_4_policy(to: *mut u8, from: *const u8, read: u32, policy: u64) =
        asm(cp_async!("ca.shared.global.L2::cache_hint", 4, ", $3")), needs(sm_80, ptx 7.4);
    fn cp_async_ca_4_l2_64_policy(to: *mut u8, from: *const u8, read: u32, policy: u64) =
        asm(cp_async!("ca.shared.global.L2::cache_hint.L2::64B", 4, ", $3")), needs(sm_80, ptx 7.4);
    fn cp_async_ca_4_l2_128_policy(to: *mut u8, from: *const u8, read: u32, policy: u64) =
        asm(cp_async!("ca.shared.global.L2::cache_hint.L2::128B", 4, ", $3")), needs(sm_80, ptx 7.4);
    fn cp_async_ca_4_l2_256_policy(to: *mut u8, from: *const u8, read: u32, policy: u64) =
        asm(cp_async!("ca.shared.global.L2::cache_hint.L2::256B", 4, ", $3")), needs(sm_80, ptx 7.4);
    fn cp_async_ca_8_policy(to: *mut u8, from: *const u8, read: u32, policy: u64) =
        asm(cp_async!("ca.shared.global.L2::cache_hint", 8, ", $3")), needs(sm_80, ptx 7.4);
    fn cp_async_ca_8_l2_64_policy(to: *mut u8, from: *const u8, read: u32, policy: u64) =
        asm(cp_async!("ca.shared.global.L2::cache_hint.L2::64B", 8, ", $3")), needs(sm_80, ptx 7.4);
    fn cp_async_ca_8_l2_128_policy(to: *mut u8, from: *const u8, read: u32, policy: u64) =
        asm(cp_async!("ca.shared.global.L2::cache_hint.L2::128B", 8, ", $3")), needs(sm_80, ptx 7.4);
    fn cp_async_ca_8_l2_256_policy(to: *mut u8, from: *const u8, read: u32, policy: u64) =
        asm(cp_async!("ca.shared.global.L2::cache_hint.L2::256B", 8, ", $3")), needs(sm_80, ptx 7.4);
    fn cp_async_ca_16_policy(to: *mut u8, from: *const u8, read: u32, policy: u64) =
        asm(cp_async!("ca.shared.global.L2::cache_hint", 16, ", $3")), needs(sm_80, ptx 7.4);
    fn cp_async_ca_16_l2_64_policy(to: *mut u8, from: *const u8, read: u32, policy: u64) =
        asm(cp_async!("ca.shared.global.L2::cache_hint.L2::64B", 16, ", $3")), needs(sm_80, ptx 7.4);
    fn cp_async_ca_16_l2_128_policy(to: *mut u8, from: *const u8, read: u32, policy: u64) =
        asm(cp_async!("ca.shared.global.L2::cache_hint.L2::128B", 16, ", $3")), needs(sm_80, ptx 7.4);
    fn cp_async_ca_16_l2_256_policy(to: *mut u8, from: *const u8, read: u32, policy: u64) =
        asm(cp_async!("ca.shared.global.L2::cache_hint.L2::256B", 16, ", $3")), needs(sm_80, ptx 7.4);
    fn cp_async_cg_16_policy(to: *mut u8, from: *const u8, read: u32, policy: u64) =
        asm(cp_async!("cg.shared.global.L2::cache_hint", 16, ", $3")), needs(sm_80, ptx 7.4);
    fn cp_async_cg_16_l2_64_policy(to: *mut u8, from: *const u8, read: u32, policy: u64) =
        asm(cp_async!("cg.shared.global.L2::cache_hint.L2::64B", 16, ", $3")), needs(sm_80, ptx 7.4);
    fn cp_async_cg_16_l2_128_policy(to: *mut u8, from: *const u8, read: u32, policy: u64) =
        asm(cp_async!("cg.shared.global.L2::cache_hint.L2::128B", 16, ", $3")), needs(sm_80, ptx 7.4);
    fn cp_async_cg_16_l2_256_policy(to: *mut u8, from: *const u8, read: u32, policy: u64) =
        asm(cp_async!("cg.shared.global.L2::cache_hint.L2::256B", 16, ", $3")), needs(sm_80, ptx 7.4);

    // Bulk copies. The fences take a pointer so that memory accesses stay on their side of them.
    fn bulk_global_to_shared(to: *mut u8, from: *const u8, bytes: u32, at: *mut u64) =
        asm(bulk!("shared" "global" "cvta.to.shared.u64 %at, $3; " "shared::cluster.global.mbarrier::complete_tx::bytes" ", [%at]")),
        needs(sm_90, ptx 8.0);
    fn bulk_global_to_shared_hint(to: *mut u8, from: *const u8, bytes: u32, at: *mut u64, policy: u64) =
        asm(bulk!("shared" "global" "cvta.to.shared.u64 %at, $3; " "shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint" ", [%at], $4")),
        needs(sm_90, ptx 8.0);
    fn bulk_global_to_cluster(to: *mut u8, from: *const u8, bytes: u32, at: *mut u64, ranks: u16) =
        asm(bulk!("shared" "global" "cvta.to.shared.u64 %at, $3; " "shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster" ", [%at], $4")),
        needs(sm_90, ptx 8.0);
    fn bulk_global_to_cluster_hint(to: *mut u8, from: *const u8, bytes: u32, at: *mut u64, ranks: u16, policy: u64) =
        asm(bulk!("shared" "global" "cvta.to.shared.u64 %at, $3; " "shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint" ", [%at], $4, $5")),
        needs(sm_90, ptx 8.0);
    fn bulk_shared_to_global(to: *mut u8, from: *const u8, bytes: u32) =
        asm(bulk!("global" "shared" "" "global.shared::cta.bulk_group" "")), needs(sm_90, ptx 8.0);
    fn bulk_shared_to_global_hint(to: *mut u8, from: *const u8, bytes: u32, policy: u64) =
        asm(bulk!("global" "shared" "" "global.shared::cta.bulk_group.L2::cache_hint" ", $3")),
        needs(sm_90, ptx 8.0);
    fn bulk_shared_to_cluster(to: *mut u8, from: *const u8, bytes: u32, at: *mut u64, rank: u32) =
        asm(bulk!("shared" "shared" "cvta.to.shared.u64 %at, $3; mapa.shared::cluster.u64 %at, %at, $4; mapa.shared::cluster.u64 %to, %to, $4; " "shared::cluster.shared::cta.mbarrier::complete_tx::bytes" ", [%at]")),
        needs(sm_90, ptx 8.0);
    fn bulk_prefetch_l2(from: *const u8, bytes: u32) =
        asm("{ .reg .b64 %from; cvta.to.global.u64 %from, $0; cp.async.bulk.prefetch.L2.global [%from], $1; }"),
        needs(sm_90, ptx 8.0);
    fn bulk_prefetch_l2_hint(from: *const u8, bytes: u32, policy: u64) =
        asm("{ .reg .b64 %from; cvta.to.global.u64 %from, $0; cp.async.bulk.prefetch.L2.global.L2::cache_hint [%from], $1, $2; }"),
        needs(sm_90, ptx 8.0);
    fn fence_proxy_async_shared(memory: *mut u8) =
        asm("{ .reg .b64 %any; mov.b64 %any, $0; fence.proxy.async.shared::cta; }"), needs(sm_90, ptx 8.0);
    fn fence_proxy_async_global(memory: *mut u8) =
        asm("{ .reg .b64 %any; mov.b64 %any, $0; fence.proxy.async.global; }"), needs(sm_90, ptx 8.0);
    fn fence_proxy_async(memory: *mut u8) =
        asm("{ .reg .b64 %any; mov.b64 %any, $0; fence.proxy.async; }"), needs(sm_90, ptx 8.0);
}
