//! Barriers in shared memory.

/// Instructions on the mbarrier at an address, which `%at` is in shared memory; `%p` is a predicate.
macro_rules! mbarrier {
    ($address:literal, $code:literal) => {
        concat!(
            "{ .reg .b64 %at; .reg .pred %p; cvta.to.shared.u64 %at, ",
            $address,
            "; ",
            $code,
            " }"
        )
    };
}

/// An instruction on the mbarrier that block `$1` of the cluster has at the address `$0`.
macro_rules! mbarrier_remote {
    ($form:literal, $operands:literal) => {
        concat!(
            "{ .reg .b64 %at; cvta.to.shared.u64 %at, $0; mapa.shared::cluster.u64 %at, %at, $1; mbarrier.",
            $form,
            ".shared::cluster.b64 ",
            $operands,
            "; }"
        )
    };
}

/// A test of the mbarrier at `$1`, with the operand `$2` and, perhaps, the hint of a time limit, `$3`.
macro_rules! mbarrier_wait {
    ($form:literal $($limit:literal)?) => {
        concat!(
            "{ .reg .b64 %at; .reg .pred %p; cvta.to.shared.u64 %at, $1; mbarrier.",
            $form,
            ".b64 %p, [%at], $2",
            $($limit,)?
            "; selp.b32 $0, 1, 0, %p; }"
        )
    };
}

intrinsics! {
    // Barriers in shared memory.
    fn mbarrier_init(at: *mut u64, count: u32) =
        asm(mbarrier!("$0", "mbarrier.init.shared.b64 [%at], $1;")), needs(sm_80, ptx 7.0);
    fn fence_mbarrier_init(at: *mut u64) =
        asm(mbarrier!("$0", "fence.mbarrier_init.release.cluster; fence.proxy.async.shared::cta;")),
        needs(sm_90, ptx 8.0);
    fn mbarrier_inval(at: *mut u64) =
        asm(mbarrier!("$0", "mbarrier.inval.shared.b64 [%at];")), needs(sm_80, ptx 7.0);
    fn mbarrier_arrive(at: *mut u64) -> u64 =
        asm(mbarrier!("$1", "mbarrier.arrive.shared.b64 $0, [%at];")), needs(sm_80, ptx 7.0);
    fn mbarrier_arrive_relaxed(at: *mut u64) -> u64 =
        asm(mbarrier!("$1", "mbarrier.arrive.relaxed.cta.shared::cta.b64 $0, [%at];")), needs(sm_90, ptx 8.6);
    fn mbarrier_arrive_expect_tx_relaxed(at: *mut u64, bytes: u32) -> u64 =
        asm(mbarrier!("$1", "mbarrier.arrive.expect_tx.relaxed.cta.shared::cta.b64 $0, [%at], $2;")),
        needs(sm_90, ptx 8.6);
    fn mbarrier_arrive_count(at: *mut u64, count: u32) -> u64 =
        asm(mbarrier!("$1", "mbarrier.arrive.shared.b64 $0, [%at], $2;")), needs(sm_90, ptx 7.8);
    fn mbarrier_arrive_no_complete(at: *mut u64, count: u32) -> u64 =
        asm(mbarrier!("$1", "mbarrier.arrive.noComplete.shared.b64 $0, [%at], $2;")),
        needs(sm_80, ptx 7.0);
    fn mbarrier_arrive_drop(at: *mut u64) -> u64 =
        asm(mbarrier!("$1", "mbarrier.arrive_drop.shared.b64 $0, [%at];")), needs(sm_80, ptx 7.0);
    fn mbarrier_expect_tx(at: *mut u64, bytes: u32) =
        asm(mbarrier!("$0", "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%at], $1;")),
        needs(sm_90, ptx 8.0);
    fn mbarrier_complete_tx(at: *mut u64, bytes: u32) =
        asm(mbarrier!("$0", "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%at], $1;")),
        needs(sm_90, ptx 8.0);
    fn mbarrier_arrive_expect_tx(at: *mut u64, bytes: u32) -> u64 =
        asm(mbarrier!("$1", "mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 $0, [%at], $2;")),
        needs(sm_90, ptx 8.0);
    fn mbarrier_arrive_drop_count(at: *mut u64, count: u32) -> u64 =
        asm(mbarrier!("$1", "mbarrier.arrive_drop.shared.b64 $0, [%at], $2;")), needs(sm_90, ptx 7.8);
    fn mbarrier_arrive_drop_expect_tx(at: *mut u64, bytes: u32) -> u64 =
        asm(mbarrier!("$1", "mbarrier.arrive_drop.expect_tx.release.cta.shared::cta.b64 $0, [%at], $2;")),
        needs(sm_90, ptx 8.0);

    // Those of other blocks.
    fn mbarrier_arrive_remote(at: *mut u64, rank: u32, count: u32) =
        asm(mbarrier_remote!("arrive.release.cluster", "_, [%at], $2")), needs(sm_90, ptx 8.0);
    fn mbarrier_arrive_remote_relaxed(at: *mut u64, rank: u32, count: u32) =
        asm(mbarrier_remote!("arrive.release.cta", "_, [%at], $2")), needs(sm_90, ptx 8.0);
    fn mbarrier_arrive_expect_tx_remote(at: *mut u64, rank: u32, bytes: u32) =
        asm(mbarrier_remote!("arrive.expect_tx.release.cluster", "_, [%at], $2")), needs(sm_90, ptx 8.0);
    fn mbarrier_arrive_drop_remote(at: *mut u64, rank: u32, count: u32) =
        asm(mbarrier_remote!("arrive_drop.release.cluster", "_, [%at], $2")), needs(sm_90, ptx 8.0);
    fn mbarrier_arrive_drop_expect_tx_remote(at: *mut u64, rank: u32, bytes: u32) =
        asm(mbarrier_remote!("arrive_drop.expect_tx.release.cluster", "_, [%at], $2")), needs(sm_90, ptx 8.0);
    fn mbarrier_expect_tx_remote(at: *mut u64, rank: u32, bytes: u32) =
        asm(mbarrier_remote!("expect_tx.relaxed.cluster", "[%at], $2")), needs(sm_90, ptx 8.0);
    fn mbarrier_complete_tx_remote(at: *mut u64, rank: u32, bytes: u32) =
        asm(mbarrier_remote!("complete_tx.relaxed.cluster", "[%at], $2")), needs(sm_90, ptx 8.0);

    // Tests and waits.
    fn mbarrier_test_wait(at: *mut u64, state: u64) -> u32 =
        asm(mbarrier_wait!("test_wait.shared")), needs(sm_80, ptx 7.0);
    fn mbarrier_test_wait_parity(at: *mut u64, parity: u32) -> u32 =
        asm(mbarrier_wait!("test_wait.parity.shared")), needs(sm_80, ptx 7.1);
    fn mbarrier_try_wait(at: *mut u64, state: u64) -> u32 =
        asm(mbarrier_wait!("try_wait.shared")), needs(sm_90, ptx 7.8);
    fn mbarrier_try_wait_parity(at: *mut u64, parity: u32) -> u32 =
        asm(mbarrier_wait!("try_wait.parity.shared")), needs(sm_90, ptx 7.8);
    fn mbarrier_try_wait_limit(at: *mut u64, state: u64, nanoseconds: u32) -> u32 =
        asm(mbarrier_wait!("try_wait.shared" ", $3")), needs(sm_90, ptx 7.8);
    fn mbarrier_try_wait_parity_limit(at: *mut u64, parity: u32, nanoseconds: u32) -> u32 =
        asm(mbarrier_wait!("try_wait.parity.shared" ", $3")), needs(sm_90, ptx 7.8);
    fn mbarrier_try_wait_cluster(at: *mut u64, state: u64) -> u32 =
        asm(mbarrier_wait!("try_wait.acquire.cluster.shared::cta")), needs(sm_90, ptx 8.0);
    fn mbarrier_try_wait_parity_cluster(at: *mut u64, parity: u32) -> u32 =
        asm(mbarrier_wait!("try_wait.parity.acquire.cluster.shared::cta")), needs(sm_90, ptx 8.0);
    fn mbarrier_try_wait_relaxed(at: *mut u64, state: u64) -> u32 =
        asm(mbarrier_wait!("try_wait.relaxed.cta.shared::cta")), needs(sm_90, ptx 8.6);
    fn mbarrier_try_wait_parity_relaxed(at: *mut u64, parity: u32) -> u32 =
        asm(mbarrier_wait!("try_wait.parity.relaxed.cta.shared::cta")), needs(sm_90, ptx 8.6);
    fn mbarrier_pending_count(state: u64) -> u32 =
        pure("mbarrier.pending_count.b64 $0, $1;"), needs(sm_80, ptx 7.0);
    fn cp_async_mbarrier_arrive(at: *mut u64) =
        asm(mbarrier!("$0", "cp.async.mbarrier.arrive.noinc.shared.b64 [%at];")), needs(sm_80, ptx 7.0);
}
