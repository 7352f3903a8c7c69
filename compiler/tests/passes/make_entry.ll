; run: make_entry
; The entry has a parameter for each scalar that the unpacking function loads: with the attributes of the kernel's own
; parameter, with those that a call promises, and a mark on the length of a slice; of the pointer `%raw`, nothing is
; promised. A promise that stands elsewhere means nothing. An argument whose address goes on is passed as bytes, one
; without a size not at all. The parameters' names say size and alignment.

declare void @__ptyx_param_read_only(ptr)
declare void @__ptyx_param_slice(ptr, i64, i64, i64)

define void @unpack(ptr %slice.16.8, ptr %promised.16.8, ptr %raw.8.8, ptr %bytes.12.4, ptr %empty.0.1, ptr %half.2.2) {
  %data = load ptr, ptr %slice.16.8, align 8
  %length.at = getelementptr i8, ptr %slice.16.8, i64 8
  %length = load i64, ptr %length.at, align 8
  %table = load ptr, ptr %promised.16.8, align 8
  %count.at = getelementptr i8, ptr %promised.16.8, i64 8
  %count = load i64, ptr %count.at, align 8
  call void @__ptyx_param_read_only(ptr %table)
  call void @__ptyx_param_slice(ptr %table, i64 %count, i64 4, i64 4)
  %raw = load ptr, ptr %raw.8.8, align 8
  %half = load i16, ptr %half.2.2, align 2
  call void @the_kernel(ptr noalias readonly align 4 %data, i64 %length, ptr %table, i64 %count, ptr %raw, ptr %bytes.12.4, i16 %half)
  ret void
}

define void @the_kernel(ptr %data, i64 range(i64 0, 2305843009213693952) %length, ptr %table, i64 %count, ptr %raw, ptr %bytes, i16 %half) noinline {
  %first = load i32, ptr %bytes, align 4
  call void @__ptyx_param_read_only(ptr %raw)
  store volatile i32 %first, ptr %raw
  store volatile ptr %data, ptr %raw
  store volatile i64 %length, ptr %raw
  store volatile ptr %table, ptr %raw
  store volatile i64 %count, ptr %raw
  store volatile i16 %half, ptr %raw
  ret void
}

; becomes:
declare void @__ptyx_param_read_only(ptr)

declare void @__ptyx_param_slice(ptr, i64, i64, i64)

; Function Attrs: alwaysinline
define internal void @unpack(ptr %slice.16.8, ptr %promised.16.8, ptr %raw.8.8, ptr %bytes.12.4, ptr %empty.0.1, ptr %half.2.2) #0 {
  %data = load ptr, ptr %slice.16.8, align 8
  %length.at = getelementptr i8, ptr %slice.16.8, i64 8
  %length = load i64, ptr %length.at, align 8
  %table = load ptr, ptr %promised.16.8, align 8
  %count.at = getelementptr i8, ptr %promised.16.8, i64 8
  %count = load i64, ptr %count.at, align 8
  %raw = load ptr, ptr %raw.8.8, align 8
  %half = load i16, ptr %half.2.2, align 2
  call void @the_kernel(ptr noalias readonly align 4 %data, i64 %length, ptr %table, i64 %count, ptr %raw, ptr %bytes.12.4, i16 %half)
  ret void
}

; Function Attrs: alwaysinline
define internal void @the_kernel(ptr %data, i64 range(i64 0, 2305843009213693952) %length, ptr %table, i64 %count, ptr %raw, ptr %bytes, i16 %half) #0 {
  %first = load i32, ptr %bytes, align 4
  store volatile i32 %first, ptr %raw, align 4
  store volatile ptr %data, ptr %raw, align 8
  store volatile i64 %length, ptr %raw, align 4
  store volatile ptr %table, ptr %raw, align 8
  store volatile i64 %count, ptr %raw, align 4
  store volatile i16 %half, ptr %raw, align 2
  ret void
}

; Function Attrs: convergent nounwind
define ptx_kernel void @kernel(ptr noalias readonly align 4 %0, i64 range(i64 0, 2305843009213693952) %1, ptr noalias noundef nonnull readonly align 4 %2, i64 "ptyx-slice"="2,4" %3, ptr %4, ptr noalias readonly byval([12 x i8]) align 4 %5, i16 %6, i32 "ptyx-limit"="1,positive" %7, i32 "ptyx-limit"="1,last" %8, i32 "ptyx-limit"="3,positive" %9, i32 "ptyx-limit"="3,last" %10, i32 "ptyx-proof" %11, i64 %12, i32 %13, i64 %14, i32 %15) #1 {
start:
  %16 = alloca [16 x i8], align 8
  store ptr %0, ptr %16, align 8
  %17 = getelementptr i8, ptr %16, i64 8
  store i64 %1, ptr %17, align 8
  %18 = alloca [16 x i8], align 8
  store ptr %2, ptr %18, align 8
  %19 = getelementptr i8, ptr %18, i64 8
  store i64 %3, ptr %19, align 8
  %20 = alloca [8 x i8], align 8
  store ptr %4, ptr %20, align 8
  %21 = alloca [1 x i8], align 1
  %22 = alloca [2 x i8], align 2
  store i16 %6, ptr %22, align 2
  call void @unpack(ptr %16, ptr %18, ptr %20, ptr %5, ptr %21, ptr %22) #2
  ret void
}

attributes #0 = { alwaysinline }
attributes #1 = { convergent nounwind }
attributes #2 = { convergent }
; says: Param { arg: 0, offset: 0, size: 8, align: 8 }
; says: Param { arg: 0, offset: 8, size: 8, align: 8 }
; says: Param { arg: 1, offset: 0, size: 8, align: 8 }
; says: Param { arg: 1, offset: 8, size: 8, align: 8 }
; says: Param { arg: 2, offset: 0, size: 8, align: 8 }
; says: Param { arg: 3, offset: 0, size: 12, align: 4 }
; says: Param { arg: 5, offset: 0, size: 2, align: 2 }
; says: unpromised: [0, 4]
