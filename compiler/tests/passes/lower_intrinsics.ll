; run: lower_intrinsics
; An intrinsic's symbol says what it becomes, in a kernel of one dimension. Special registers have a range,
; and are constants in dimensions that there are none of; barriers that were copied lose their alignment;
; the call's types say which registers inline PTX takes, and what it needs stays in a comment. Others stay.

declare i32 @"__ptyx_intrinsic tid_x range=0..1024 nvvm llvm.nvvm.read.ptx.sreg.tid.x"()
declare i32 @"__ptyx_intrinsic ntid_y range=1..1025 flat=2:1 nvvm llvm.nvvm.read.ptx.sreg.ntid.y"()
declare void @"__ptyx_intrinsic barrier unaligned=llvm.nvvm.barrier.cta.sync.all nvvm llvm.nvvm.barrier.cta.sync.aligned.all"(i32)
declare i32 @"__ptyx_intrinsic vote nvvm llvm.nvvm.vote.all.sync"(i32, i32)
declare i32 @"__ptyx_intrinsic reduce arch=sm_80 ptx=7.0 asm redux.sync.add.u32 $0, $2, $1;"(i32, i32)
declare double @"__ptyx_intrinsic rint pure cvt.rni.f64.f64 $0, $1;"(double)
declare void @"__ptyx_intrinsic store asm st.volatile.b64 [$0], $1;"(ptr, i64)
declare float @"__ptyx_intrinsic add atomic fadd"(ptr, float, i32)
declare void @"__ptyx_intrinsic fence atomic fence"(i32)
declare i16 @"__ptyx_intrinsic add float half fadd"(i16, i16)
declare i32 @"__ptyx_intrinsic less float bfloat olt"(i16, i16)
declare double @"__ptyx_intrinsic widen float half fpext"(i16)
declare i16 @"__ptyx_intrinsic round float bfloat fptrunc"(float)
declare i32 @__ptyx_intrinsic_of_mine()

define i32 @numbers(i32 %mask) {
  %x = call i32 @"__ptyx_intrinsic tid_x range=0..1024 nvvm llvm.nvvm.read.ptx.sreg.tid.x"()
  %height = call i32 @"__ptyx_intrinsic ntid_y range=1..1025 flat=2:1 nvvm llvm.nvvm.read.ptx.sreg.ntid.y"()
  %vote = call i32 @"__ptyx_intrinsic vote nvvm llvm.nvvm.vote.all.sync"(i32 %mask, i32 %x)
  %sum = call i32 @"__ptyx_intrinsic reduce arch=sm_80 ptx=7.0 asm redux.sync.add.u32 $0, $2, $1;"(i32 %mask, i32 %vote)
  %mine = call i32 @__ptyx_intrinsic_of_mine()
  %1 = add i32 %height, %mine
  %2 = add i32 %1, %sum
  ret i32 %2
}

define void @memory(ptr %p, i64 %word, float %f) {
  call void @"__ptyx_intrinsic barrier unaligned=llvm.nvvm.barrier.cta.sync.all nvvm llvm.nvvm.barrier.cta.sync.aligned.all"(i32 0)
  call void @"__ptyx_intrinsic store asm st.volatile.b64 [$0], $1;"(ptr %p, i64 %word)
  %old = call float @"__ptyx_intrinsic add atomic fadd"(ptr %p, float %f, i32 32)
  call void @"__ptyx_intrinsic fence atomic fence"(i32 4)
  ret void
}

define double @halves(i16 %a, float %f) {
  %b = call i16 @"__ptyx_intrinsic round float bfloat fptrunc"(float %f)
  %less = call i32 @"__ptyx_intrinsic less float bfloat olt"(i16 %a, i16 %b)
  %low = trunc i32 %less to i16
  %sum = call i16 @"__ptyx_intrinsic add float half fadd"(i16 %a, i16 %low)
  %wide = call double @"__ptyx_intrinsic widen float half fpext"(i16 %sum)
  ret double %wide
}

define double @computes(double %x) {
  %1 = call double @"__ptyx_intrinsic rint pure cvt.rni.f64.f64 $0, $1;"(double %x)
  ret double %1
}

define i64 @declared_otherwise(i64 %x) {
  %1 = call i64 @"__ptyx_intrinsic rint pure cvt.rni.f64.f64 $0, $1;"(i64 %x)
  ret i64 %1
}

define void @copied(i1 %way) !dbg !3 {
  br i1 %way, label %a, label %b
a:
  call void @"__ptyx_intrinsic barrier unaligned=llvm.nvvm.barrier.cta.sync.all nvvm llvm.nvvm.barrier.cta.sync.aligned.all"(i32 0), !dbg !4
  ret void
b:
  call void @"__ptyx_intrinsic barrier unaligned=llvm.nvvm.barrier.cta.sync.all nvvm llvm.nvvm.barrier.cta.sync.aligned.all"(i32 0), !dbg !4
  ret void
}

!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!1}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_Rust, file: !2, emissionKind: LineTablesOnly)
!2 = !DIFile(filename: "a.rs", directory: "/")
!3 = distinct !DISubprogram(name: "copied", file: !2, line: 1, unit: !1)
!4 = !DILocation(line: 2, scope: !3)

; becomes:
declare i32 @"__ptyx_intrinsic tid_x range=0..1024 nvvm llvm.nvvm.read.ptx.sreg.tid.x"()

declare i32 @"__ptyx_intrinsic ntid_y range=1..1025 flat=2:1 nvvm llvm.nvvm.read.ptx.sreg.ntid.y"()

declare void @"__ptyx_intrinsic barrier unaligned=llvm.nvvm.barrier.cta.sync.all nvvm llvm.nvvm.barrier.cta.sync.aligned.all"(i32)

declare i32 @"__ptyx_intrinsic vote nvvm llvm.nvvm.vote.all.sync"(i32, i32)

declare i32 @"__ptyx_intrinsic reduce arch=sm_80 ptx=7.0 asm redux.sync.add.u32 $0, $2, $1;"(i32, i32)

declare double @"__ptyx_intrinsic rint pure cvt.rni.f64.f64 $0, $1;"(double)

declare void @"__ptyx_intrinsic store asm st.volatile.b64 [$0], $1;"(ptr, i64)

declare float @"__ptyx_intrinsic add atomic fadd"(ptr, float, i32)

declare void @"__ptyx_intrinsic fence atomic fence"(i32)

declare i16 @"__ptyx_intrinsic add float half fadd"(i16, i16)

declare i32 @"__ptyx_intrinsic less float bfloat olt"(i16, i16)

declare double @"__ptyx_intrinsic widen float half fpext"(i16)

declare i16 @"__ptyx_intrinsic round float bfloat fptrunc"(float)

declare i32 @__ptyx_intrinsic_of_mine()

define i32 @numbers(i32 %mask) {
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !3
  %2 = icmp ne i32 %1, 0
  %3 = call i1 @llvm.nvvm.vote.all.sync(i32 %mask, i1 %2)
  %4 = zext i1 %3 to i32
  %5 = call i32 asm sideeffect "// needs sm_80, PTX version 70\0Aredux.sync.add.u32 $0, $2, $1;", "=r,r,r"(i32 %mask, i32 %4) #3
  %mine = call i32 @__ptyx_intrinsic_of_mine()
  %6 = add i32 1, %mine
  %7 = add i32 %6, %5
  ret i32 %7
}

define void @memory(ptr %p, i64 %word, float %f) {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void asm sideeffect "st.volatile.b64 [$0], $1;", "l,l,~{memory}"(ptr %p, i64 %word) #3
  %1 = atomicrmw fadd ptr %p, float %f syncscope("device") monotonic, align 4
  fence syncscope("block") seq_cst
  ret void
}

define double @halves(i16 %a, float %f) {
  %1 = fptrunc float %f to bfloat
  %2 = bitcast bfloat %1 to i16
  %3 = bitcast i16 %a to bfloat
  %4 = bitcast i16 %2 to bfloat
  %5 = fcmp olt bfloat %3, %4
  %6 = zext i1 %5 to i32
  %low = trunc i32 %6 to i16
  %7 = bitcast i16 %a to half
  %8 = bitcast i16 %low to half
  %9 = fadd half %7, %8
  %10 = bitcast half %9 to i16
  %11 = bitcast i16 %10 to half
  %12 = fpext half %11 to double
  ret double %12
}

define double @computes(double %x) {
  %1 = call double asm "cvt.rni.f64.f64 $0, $1;", "=d,d"(double %x) #4
  ret double %1
}

define i64 @declared_otherwise(i64 %x) {
  %1 = call i64 asm "cvt.rni.f64.f64 $0, $1;", "=l,l"(i64 %x) #4
  ret i64 %1
}

define void @copied(i1 %way) !dbg !4 {
  br i1 %way, label %a, label %b

a:                                                ; preds = %0
  call void @llvm.nvvm.barrier.cta.sync.all(i32 0), !dbg !5
  ret void

b:                                                ; preds = %0
  call void @llvm.nvvm.barrier.cta.sync.all(i32 0), !dbg !5
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #0

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.all(i32) #1

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #1

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i1 @llvm.nvvm.vote.all.sync(i32, i1) #2

attributes #0 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { convergent nocallback nounwind }
attributes #2 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
attributes #3 = { convergent }
attributes #4 = { nounwind willreturn memory(none) }

!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!1}

!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_Rust, file: !2, isOptimized: false, runtimeVersion: 0, emissionKind: LineTablesOnly)
!2 = !DIFile(filename: "a.rs", directory: "/")
!3 = !{i32 0, i32 1024}
!4 = distinct !DISubprogram(name: "copied", scope: null, file: !2, line: 1, spFlags: DISPFlagDefinition, unit: !1)
!5 = !DILocation(line: 2, scope: !4)
