//! Clusters, and launches that depend on each other.

intrinsics! {
    // Clusters (PTX ISA, "Special Registers", `barrier.cluster`, `mapa`). The barriers take a pointer so that memory
    // accesses stay on their side of them.
    fn cluster_nctarank() -> u32 =
        pure("mov.u32 $0, %cluster_nctarank;"), needs(sm_90, ptx 7.8);
    fn cluster_ctarank() -> u32 =
        pure("mov.u32 $0, %cluster_ctarank;"), needs(sm_90, ptx 7.8);
    fn cluster_ctaid_x() -> u32 =
        pure("mov.u32 $0, %cluster_ctaid.x;"), needs(sm_90, ptx 7.8);
    fn cluster_ctaid_y() -> u32 =
        pure("mov.u32 $0, %cluster_ctaid.y;"), needs(sm_90, ptx 7.8);
    fn cluster_ctaid_z() -> u32 =
        pure("mov.u32 $0, %cluster_ctaid.z;"), needs(sm_90, ptx 7.8);
    fn cluster_nctaid_x() -> u32 =
        pure("mov.u32 $0, %cluster_nctaid.x;"), needs(sm_90, ptx 7.8);
    fn cluster_nctaid_y() -> u32 =
        pure("mov.u32 $0, %cluster_nctaid.y;"), needs(sm_90, ptx 7.8);
    fn cluster_nctaid_z() -> u32 =
        pure("mov.u32 $0, %cluster_nctaid.z;"), needs(sm_90, ptx 7.8);
    fn clusterid_x() -> u32 = pure("mov.u32 $0, %clusterid.x;"), needs(sm_90, ptx 7.8);
    fn clusterid_y() -> u32 = pure("mov.u32 $0, %clusterid.y;"), needs(sm_90, ptx 7.8);
    fn clusterid_z() -> u32 = pure("mov.u32 $0, %clusterid.z;"), needs(sm_90, ptx 7.8);
    fn nclusterid_x() -> u32 = pure("mov.u32 $0, %nclusterid.x;"), needs(sm_90, ptx 7.8);
    fn nclusterid_y() -> u32 = pure("mov.u32 $0, %nclusterid.y;"), needs(sm_90, ptx 7.8);
    fn nclusterid_z() -> u32 = pure("mov.u32 $0, %nclusterid.z;"), needs(sm_90, ptx 7.8);
    fn is_explicit_cluster() -> u32 =
        pure("{ .reg .pred %p; mov.pred %p, %is_explicit_cluster; selp.u32 $0, 1, 0, %p; }"), needs(sm_90, ptx 7.8);
    fn cluster_arrive(any: *mut u8) =
        asm("{ .reg .b64 %any; mov.b64 %any, $0; barrier.cluster.arrive.release; }"), needs(sm_90, ptx 8.0);
    fn cluster_arrive_relaxed(any: *mut u8) =
        asm("{ .reg .b64 %any; mov.b64 %any, $0; barrier.cluster.arrive.relaxed; }"), needs(sm_90, ptx 8.0);
    fn cluster_wait(any: *mut u8) =
        asm("{ .reg .b64 %any; mov.b64 %any, $0; barrier.cluster.wait.acquire; }"), needs(sm_90, ptx 8.0);
    fn mapa(address: *mut u8, rank: u32) -> *mut u8 =
        pure("mapa.u64 $0, $1, $2;"), needs(sm_90, ptx 7.8);
    fn getctarank(address: *mut u8) -> u32 =
        pure("getctarank.u64 $0, $1;"), needs(sm_90, ptx 7.8);

    // Blocks that have not started (PTX ISA, `clusterlaunchcontrol`). The addresses are generic ones of shared memory.
    fn try_cancel(answer: *mut u128, barrier: *mut u64) =
        asm("clusterlaunchcontrol.try_cancel.async.mbarrier::complete_tx::bytes.b128 [$0], [$1];"), needs(sm_100, ptx 8.6);
    fn is_canceled(answer: u128) -> u32 =
        pure("{ .reg .pred %is; clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %is, $1; selp.b32 $0, 1, 0, %is; }"), needs(sm_100, ptx 8.6);
    fn first_ctaid_x(answer: u128) -> u32 =
        pure("clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 $0, $1;"), needs(sm_100, ptx 8.6);
    fn first_ctaid_y(answer: u128) -> u32 =
        pure("clusterlaunchcontrol.query_cancel.get_first_ctaid::y.b32.b128 $0, $1;"), needs(sm_100, ptx 8.6);
    fn first_ctaid_z(answer: u128) -> u32 =
        pure("clusterlaunchcontrol.query_cancel.get_first_ctaid::z.b32.b128 $0, $1;"), needs(sm_100, ptx 8.6);

    // Programmatic dependent launch (PTX ISA, `griddepcontrol`).
    fn griddepcontrol_launch_dependents(any: *mut u8) =
        asm("{ .reg .b64 %any; mov.b64 %any, $0; griddepcontrol.launch_dependents; }"), needs(sm_90, ptx 7.8);
    fn griddepcontrol_wait(any: *mut u8) =
        asm("{ .reg .b64 %any; mov.b64 %any, $0; griddepcontrol.wait; }"), needs(sm_90, ptx 7.8);
}
