//! Which barriers are refused, as LLVM IR.

use super::{Threads, find};
use crate::llvm::{self, Context, Module};
use crate::rust::Toolchain;

const DECLARATIONS: &str = r"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.barrier.cta.sync.all(i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)
declare void @llvm.nvvm.bar.warp.sync(i32)
declare void @panic() noreturn
define ptx_kernel void @kernel(i32 %n, ptr %p) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %wide = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
";
const SYNC: &str = "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)";
/// What the others go on to.
const MORE: &str = "store i32 1, ptr %p\n call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)";
/// What all do before they return.
const LAST: &str = "store i32 1, ptr %p";

/// What is found in a kernel that begins with [`DECLARATIONS`].
fn found(body: &str) -> Option<Threads> {
    let toolchain = Toolchain::for_test();
    llvm::load(&toolchain.libllvm).unwrap();
    let context = Context::new();
    let text = format!("{DECLARATIONS}{body}\n}}");
    let module = Module::parse_text(&context, &text).unwrap();
    module.verify().unwrap();
    find(&context, &module).map(|found| found.threads)
}

/// `if condition { inside } else { outside }`, then `after`; `condition` computes `%c`.
fn branch(condition: &str, inside: &str, outside: &str, after: &str) -> Option<Threads> {
    found(&format!(
        "{condition}\n br i1 %c, label %inside, label %outside\n\
         inside:\n {inside}\n br label %after\n\
         outside:\n {outside}\n br label %after\n\
         after:\n {after}\n ret void"
    ))
}

#[test]
fn conditions_that_part_every_warp() {
    let parting = [
        "%c = icmp eq i32 %x, 0",
        "%c = icmp eq i32 %lane, 31",
        "%c = icmp ult i32 %lane, 16",
        "%odd = and i32 %x, 1\n %c = trunc i32 %odd to i1",
        "%big = zext i32 %lane to i64\n %c = icmp ugt i64 %big, 3",
        // The thread's rank.
        "%rows = mul i32 %y, %wide\n %rank = add i32 %rows, %x\n %c = icmp eq i32 %rank, 0",
        // Whatever else must hold.
        "%first = icmp eq i32 %lane, 0\n %data = icmp ugt i32 %n, 7\n %c = and i1 %first, %data",
        "%first = icmp eq i32 %lane, 0\n %data = icmp ugt i32 %n, 7\n \
         %c = select i1 %first, i1 %data, i1 false",
    ];
    for condition in parting {
        assert_eq!(branch(condition, SYNC, "", MORE), Some(Threads::Block), "{condition}");
    }
    let other = [
        // Whole warps, other dimensions, and guards that may hold in all threads of a block.
        "%warp = lshr i32 %x, 5\n %c = icmp eq i32 %warp, 0",
        "%c = icmp ult i32 %x, 64",
        "%c = icmp ult i32 %x, 16",
        "%c = icmp eq i32 %y, 0",
        "%c = icmp eq i32 %x, 1000",
        // Data.
        "%c = icmp ult i32 %x, %n",
        "%c = icmp eq i32 %n, 0",
        "%first = icmp eq i32 %lane, 0\n %data = icmp ugt i32 %n, 7\n %c = or i1 %first, %data",
    ];
    for condition in other {
        assert_eq!(branch(condition, SYNC, "", MORE), None, "{condition}");
    }
}

/// Of operations with one operand, too, known or not.
#[test]
fn conditions_are_followed_through_extensions() {
    for (condition, is_found) in [
        (
            "%less = icmp ult i32 %lane, 16\n %e = sext i1 %less to i32\n %c = icmp eq i32 %e, -1",
            true,
        ),
        ("%b = trunc i32 %lane to i8\n %e = sext i8 %b to i64\n %c = icmp sgt i64 %e, 15", true),
        (
            "%f = bitcast i32 %x to float\n %i = bitcast float %f to i32\n %c = icmp eq i32 %i, 0",
            false,
        ),
        ("%l = load i32, ptr %p\n %c = icmp eq i32 %l, 0", false),
    ] {
        let found = branch(condition, SYNC, "", MORE);
        assert_eq!(found, is_found.then_some(Threads::Block), "{condition}");
    }
}

#[test]
fn the_other_side_counts_too() {
    assert_eq!(branch("%c = icmp ne i32 %x, 0", "", SYNC, MORE), Some(Threads::Block));
}

#[test]
fn lanes_that_leave_or_wait_elsewhere_are_allowed() {
    let first = "%c = icmp eq i32 %x, 0";
    // They only return, perhaps by what the others do last, too.
    assert_eq!(branch(first, &format!("{SYNC}\n {MORE}"), "", ""), None);
    assert_eq!(branch(first, &format!("{SYNC}\n {MORE}"), LAST, ""), None);
    assert_eq!(branch(first, &format!("{SYNC}\n {MORE}"), LAST, LAST), None);
    // They wait at another barrier.
    assert_eq!(branch(first, SYNC, SYNC, MORE), None);
    // They panic.
    let panics = format!(
        "{first}\n br i1 %c, label %inside, label %outside\n\
         inside:\n {SYNC}\n %bad = icmp ugt i32 %n, 7\n br i1 %bad, label %outside, label %after\n\
         outside:\n call void @panic()\n unreachable\n\
         after:\n {MORE}\n ret void"
    );
    assert_eq!(found(&panics), None);
}

#[test]
fn barriers_of_some_threads_are_allowed() {
    let first = "%c = icmp eq i32 %x, 0";
    let named = "call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 32)";
    assert_eq!(branch(first, named, "", MORE), None);
    let divergent = "call void @llvm.nvvm.barrier.cta.sync.all(i32 0)";
    assert_eq!(branch(first, divergent, "", MORE), None);
    let shuffle = |mask| {
        format!("%s = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 {mask}, i32 %n, i32 0, i32 31)")
    };
    let (all, after) = (shuffle("-1"), shuffle("-1").replace("%s", "%t"));
    assert_eq!(branch(first, &shuffle("1"), "", &after), None);
    assert_eq!(branch(first, &shuffle("3"), "", &after), Some(Threads::Warp));
    assert_eq!(branch(first, &shuffle("%n"), "", &after), None);
    assert_eq!(branch(first, &all, "", &after), Some(Threads::Warp));
    assert_eq!(branch(first, &all, "", MORE), None);
}

#[test]
fn parts_of_warps() {
    // Eight lanes: 255 << (lane & 24).
    let part = |name: &str| {
        format!(
            "%{name}_first = and i32 %lane, 24\n %{name}_mask = shl nuw i32 255, %{name}_first\n \
             call void @llvm.nvvm.bar.warp.sync(i32 %{name}_mask)"
        )
    };
    let lanes = |mask| format!("call void @llvm.nvvm.bar.warp.sync(i32 {mask})");
    let (of_eight, later) = (part("a"), part("b"));
    for condition in [
        "%rank = and i32 %lane, 7\n %c = icmp ult i32 %rank, 4",
        "%c = icmp ult i32 %lane, 12",
        "%rank = and i32 %lane, 7\n %one = icmp eq i32 %rank, 3\n %data = icmp ugt i32 %n, 7\n \
         %c = and i1 %one, %data",
    ] {
        assert_eq!(branch(condition, &of_eight, "", &later), Some(Threads::Warp), "{condition}");
        assert_eq!(branch(condition, &of_eight, "", &lanes("-1")), Some(Threads::Warp));
        assert_eq!(branch(condition, &of_eight, "", ""), None, "{condition}");
        assert_eq!(branch(condition, &of_eight, &later, ""), None, "{condition}");
    }
    for condition in [
        // Whole parts.
        "%c = icmp ult i32 %lane, 16",
        "%part = and i32 %lane, 8\n %c = icmp eq i32 %part, 0",
        // Only some of those that may come would miss others.
        "%half = icmp ult i32 %lane, 12\n %data = icmp ugt i32 %n, 7\n %c = and i1 %half, %data",
    ] {
        assert_eq!(branch(condition, &of_eight, "", &later), None, "{condition}");
    }
    // The others never wait for these lanes again.
    let low = "%c = icmp ult i32 %lane, 4";
    assert_eq!(branch(low, &of_eight, "", &lanes("65280")), None);
}

#[test]
fn operations_of_lanes_in_inline_ptx() {
    let first = "%c = icmp eq i32 %lane, 0";
    let call = |name: &str, code: &str, mask: &str| {
        format!("%{name} = call i32 asm sideeffect \"{code}\", \"=r,r,r\"(i32 {mask}, i32 %n)")
    };
    for code in [
        "redux.sync.add.u32 $0, $2, $1;",
        "match.all.sync.b32 $0, $2, $1;",
        "{ .reg .pred %is; elect.sync _|%is, $1; selp.b32 $0, 1, 0, %is; }",
    ] {
        let (all, after) = (call("s", code, "-1"), call("t", code, "-1"));
        assert_eq!(branch(first, &all, "", &after), Some(Threads::Warp), "{code}");
        assert_eq!(branch(first, &call("s", code, "1"), "", &after), None, "{code}");
        assert_eq!(branch(first, &call("s", code, "%n"), "", &after), None, "{code}");
        assert_eq!(branch(first, &all, "", MORE), None, "{code}");
    }
    let matching =
        |name: &str| format!("%{name} = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %n)");
    assert_eq!(branch(first, &matching("s"), "", &matching("t")), Some(Threads::Warp));
}

#[test]
fn matrices() {
    let multiply = |type_: &str| {
        format!("call void asm sideeffect \"{type_}.sync.aligned.m16n8k8 $0;\", \"r\"(i32 %n)")
    };
    let first = "%c = icmp ult i32 %lane, 16";
    for name in ["mma", "ldmatrix", "stmatrix", "wgmma.mma_async", "mma.sp"] {
        let multiply = multiply(name);
        assert_eq!(branch(first, &multiply, "", &multiply), Some(Threads::Matrix), "{name}");
        // Lanes must not have exited, either.
        assert_eq!(branch(first, &multiply, "", LAST), Some(Threads::Matrix), "{name}");
        assert_eq!(branch(first, &multiply, &multiply, LAST), None, "{name}");
        assert_eq!(branch("%c = icmp ult i32 %x, 64", &multiply, "", LAST), None, "{name}");
    }
    // The others panic.
    let panics = format!(
        "{first}\n br i1 %c, label %inside, label %outside\n\
         inside:\n {}\n ret void\n\
         outside:\n call void @panic()\n unreachable",
        multiply("mma")
    );
    assert_eq!(found(&panics), None);
}

#[test]
fn clusters() {
    let arrive = r#"call void asm sideeffect "barrier.cluster.arrive.release;", ""()"#;
    let first = "%c = icmp eq i32 %x, 0";
    assert_eq!(branch(first, arrive, "", arrive), Some(Threads::Cluster));
    // The others' barrier is of another kind.
    assert_eq!(branch(first, arrive, SYNC, arrive), Some(Threads::Cluster));
    assert_eq!(branch(first, arrive, "", MORE), None);
}

#[test]
fn loops() {
    // `loop { if lane == 0 { sync() } store; if n == 0 { break } }`
    let inside = format!(
        "%c = icmp eq i32 %lane, 0\n br label %again\n\
         again:\n br i1 %c, label %inside, label %next\n\
         inside:\n {SYNC}\n br label %next\n\
         next:\n {MORE}\n %done = icmp eq i32 %n, 0\n br i1 %done, label %end, label %again\n\
         end:\n ret void"
    );
    assert_eq!(found(&inside), Some(Threads::Block));
    // A loop around a barrier whose end depends on data.
    let around = format!(
        "br label %again\n\
         again:\n %i = phi i32 [ %x, %0 ], [ %j, %again ]\n {SYNC}\n %j = add i32 %i, 1\n\
         %more = icmp ult i32 %j, %n\n br i1 %more, label %again, label %end\n\
         end:\n {MORE}\n ret void"
    );
    assert_eq!(found(&around), None);
}
