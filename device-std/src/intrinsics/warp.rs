//! What the lanes of a warp do together: votes, matches, shuffles, reductions.

use super::Word;

intrinsics! {
    // Votes and matches.
    fn active_mask() -> u32 = nvvm("llvm.nvvm.activemask");
    fn vote_all(mask: u32, predicate: u32) -> u32 = nvvm("llvm.nvvm.vote.all.sync");
    fn vote_any(mask: u32, predicate: u32) -> u32 = nvvm("llvm.nvvm.vote.any.sync");
    fn vote_uni(mask: u32, predicate: u32) -> u32 = nvvm("llvm.nvvm.vote.uni.sync");
    fn vote_ballot(mask: u32, predicate: u32) -> u32 = nvvm("llvm.nvvm.vote.ballot.sync");
    fn match_any_32(mask: u32, value: u32) -> u32 = nvvm("llvm.nvvm.match.any.sync.i32");
    fn match_any_64(mask: u32, value: u64) -> u32 = nvvm("llvm.nvvm.match.any.sync.i64");
    fn match_all_32(mask: u32, value: u32) -> u32 = asm("match.all.sync.b32 $0, $2, $1;");
    fn match_all_64(mask: u32, value: u64) -> u32 = asm("match.all.sync.b64 $0, $2, $1;");

    // Shuffles: `clamp` holds the segment mask in bits 8..13 and the last lane in bits 0..5.
    fn shuffle_index(mask: u32, value: Word, lane: u32, clamp: u32) -> Word =
        nvvm("llvm.nvvm.shfl.sync.idx.i32");
    fn shuffle_up(mask: u32, value: Word, delta: u32, clamp: u32) -> Word =
        nvvm("llvm.nvvm.shfl.sync.up.i32");
    fn shuffle_down(mask: u32, value: Word, delta: u32, clamp: u32) -> Word =
        nvvm("llvm.nvvm.shfl.sync.down.i32");
    fn shuffle_xor(mask: u32, value: Word, lanes: u32, clamp: u32) -> Word =
        nvvm("llvm.nvvm.shfl.sync.bfly.i32");

    // Reductions over the lanes of a mask.
    fn reduce_add(mask: u32, value: u32) -> u32 =
        asm("redux.sync.add.u32 $0, $2, $1;"), needs(sm_80, ptx 7.0);
    fn reduce_and(mask: u32, value: u32) -> u32 =
        asm("redux.sync.and.b32 $0, $2, $1;"), needs(sm_80, ptx 7.0);
    fn reduce_or(mask: u32, value: u32) -> u32 = asm("redux.sync.or.b32 $0, $2, $1;"), needs(sm_80, ptx 7.0);
    fn reduce_xor(mask: u32, value: u32) -> u32 =
        asm("redux.sync.xor.b32 $0, $2, $1;"), needs(sm_80, ptx 7.0);
    fn reduce_min_u32(mask: u32, value: u32) -> u32 =
        asm("redux.sync.min.u32 $0, $2, $1;"), needs(sm_80, ptx 7.0);
    fn reduce_min_i32(mask: u32, value: i32) -> i32 =
        asm("redux.sync.min.s32 $0, $2, $1;"), needs(sm_80, ptx 7.0);
    fn reduce_max_u32(mask: u32, value: u32) -> u32 =
        asm("redux.sync.max.u32 $0, $2, $1;"), needs(sm_80, ptx 7.0);
    fn reduce_max_i32(mask: u32, value: i32) -> i32 =
        asm("redux.sync.max.s32 $0, $2, $1;"), needs(sm_80, ptx 7.0);
}
