//! Hints to the caches.

/// A hint about the address `$0`, which `%at` is in global memory.
macro_rules! cache_hint {
    ($code:literal) => {
        concat!("{ .reg .b64 %at; cvta.to.global.u64 %at, $0; ", $code, " }")
    };
}

/// A policy for `$3` bytes about `$1`, of which the first `$2` are special.
macro_rules! range_policy {
    ($priorities:literal) => {
        concat!(
            "{ .reg .b64 %at; cvta.to.global.u64 %at, $1; createpolicy.range.global.",
            $priorities,
            ".b64 $0, [%at], $2, $3; }"
        )
    };
}

intrinsics! {
    // Hints to the caches.
    fn prefetch_l1(place: *const u8) = asm(cache_hint!("prefetch.global.L1 [%at];"));
    fn prefetch_l2(place: *const u8) = asm(cache_hint!("prefetch.global.L2 [%at];"));
    fn prefetch_l2_evict_last(place: *const u8) =
        asm(cache_hint!("prefetch.global.L2::evict_last [%at];")), needs(sm_80, ptx 7.4);
    fn prefetch_l2_evict_normal(place: *const u8) =
        asm(cache_hint!("prefetch.global.L2::evict_normal [%at];")), needs(sm_80, ptx 7.4);
    fn applypriority_l2(line: *const u8) =
        asm(cache_hint!("applypriority.global.L2::evict_normal [%at], 128;")), needs(sm_80, ptx 7.4);
    fn discard_l2(line: *mut u8) =
        asm(cache_hint!("discard.global.L2 [%at], 128;")), needs(sm_80, ptx 7.4);
    fn createpolicy_cvt(property: u64) -> u64 =
        pure("createpolicy.cvt.L2.b64 $0, $1;"), needs(sm_80, ptx 7.4);
    fn createpolicy_evict_first(fraction: f32) -> u64 =
        pure("createpolicy.fractional.L2::evict_first.b64 $0, $1;"), needs(sm_80, ptx 7.4);
    fn createpolicy_evict_last(fraction: f32) -> u64 =
        pure("createpolicy.fractional.L2::evict_last.b64 $0, $1;"), needs(sm_80, ptx 7.4);
    fn createpolicy_evict_normal(fraction: f32) -> u64 =
        pure("createpolicy.fractional.L2::evict_normal.b64 $0, $1;"), needs(sm_80, ptx 7.4);
    fn createpolicy_evict_unchanged(fraction: f32) -> u64 =
        pure("createpolicy.fractional.L2::evict_unchanged.b64 $0, $1;"), needs(sm_80, ptx 7.4);
    fn createpolicy_evict_first_else_first(fraction: f32) -> u64 =
        pure("createpolicy.fractional.L2::evict_first.L2::evict_first.b64 $0, $1;"), needs(sm_80, ptx 7.4);
    fn createpolicy_evict_last_else_first(fraction: f32) -> u64 =
        pure("createpolicy.fractional.L2::evict_last.L2::evict_first.b64 $0, $1;"), needs(sm_80, ptx 7.4);
    fn createpolicy_evict_normal_else_first(fraction: f32) -> u64 =
        pure("createpolicy.fractional.L2::evict_normal.L2::evict_first.b64 $0, $1;"), needs(sm_80, ptx 7.4);
    fn createpolicy_evict_unchanged_else_first(fraction: f32) -> u64 =
        pure("createpolicy.fractional.L2::evict_unchanged.L2::evict_first.b64 $0, $1;"), needs(sm_80, ptx 7.4);
    fn createpolicy_range_evict_first_else_first(from: *const u8, primary: u32, total: u32) -> u64 =
        pure(range_policy!("L2::evict_first.L2::evict_first")), needs(sm_80, ptx 7.4);
    fn createpolicy_range_evict_first_else_unchanged(from: *const u8, primary: u32, total: u32) -> u64 =
        pure(range_policy!("L2::evict_first.L2::evict_unchanged")), needs(sm_80, ptx 7.4);
    fn createpolicy_range_evict_last_else_first(from: *const u8, primary: u32, total: u32) -> u64 =
        pure(range_policy!("L2::evict_last.L2::evict_first")), needs(sm_80, ptx 7.4);
    fn createpolicy_range_evict_last_else_unchanged(from: *const u8, primary: u32, total: u32) -> u64 =
        pure(range_policy!("L2::evict_last.L2::evict_unchanged")), needs(sm_80, ptx 7.4);
    fn createpolicy_range_evict_normal_else_first(from: *const u8, primary: u32, total: u32) -> u64 =
        pure(range_policy!("L2::evict_normal.L2::evict_first")), needs(sm_80, ptx 7.4);
    fn createpolicy_range_evict_normal_else_unchanged(from: *const u8, primary: u32, total: u32) -> u64 =
        pure(range_policy!("L2::evict_normal.L2::evict_unchanged")), needs(sm_80, ptx 7.4);
    fn createpolicy_range_evict_unchanged_else_first(from: *const u8, primary: u32, total: u32) -> u64 =
        pure(range_policy!("L2::evict_unchanged.L2::evict_first")), needs(sm_80, ptx 7.4);
    fn createpolicy_range_evict_unchanged_else_unchanged(from: *const u8, primary: u32, total: u32) -> u64 =
        pure(range_policy!("L2::evict_unchanged.L2::evict_unchanged")), needs(sm_80, ptx 7.4);
}
