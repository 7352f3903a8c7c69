; run: place_statics
; A constant goes to constant memory, without what describes it. A global's address is read where a function
; starts. Other statics stay.

%Mark = type { i8 }

@__ptyx_static_constant = external global %Mark
@__ptyx_static_global = external global %Mark
@constant_name = private constant [8 x i8] c"a::TABLE"
@global_name = private constant [8 x i8] c"a::COUNT"
@_ZN1a5TABLE17h0123456789abcdefE = global <{ [4 x i8], [4 x i8], ptr, ptr, [40 x i8] }> <{ [4 x i8] c"\01\02\03\04", [4 x i8] undef, ptr @__ptyx_static_constant, ptr @constant_name, [40 x i8] c"\08\00\00\00\00\00\00\00\05\00\00\00\00\00\00\00\04\00\00\00\00\00\00\00\04\00\00\00\00\00\00\00\07\00\00\00\00\00\00\00" }>, align 8
@_ZN1a5COUNT17h0123456789abcdefE = global <{ [8 x i8], ptr, ptr, [40 x i8] }> <{ [8 x i8] zeroinitializer, ptr @__ptyx_static_global, ptr @global_name, [40 x i8] c"\08\00\00\00\00\00\00\00\06\00\00\00\00\00\00\00\08\00\00\00\00\00\00\00\04\00\00\00\00\00\00\00\07\00\00\00\00\00\00\00" }>, align 8
@_ZN1a5PLAIN17h0123456789abcdefE = constant i32 5

define i32 @reads() {
  %a = load i32, ptr @_ZN1a5TABLE17h0123456789abcdefE
  %b = load i32, ptr @_ZN1a5PLAIN17h0123456789abcdefE
  %sum = add i32 %a, %b
  ret i32 %sum
}

define i1 @counts(i1 %again, ptr %out) {
  %is_null = icmp eq i64 ptrtoint (ptr @_ZN1a5COUNT17h0123456789abcdefE to i64), 0
  br i1 %again, label %first, label %second
first:
  store i32 1, ptr @_ZN1a5COUNT17h0123456789abcdefE
  br label %second
second:
  %at = phi ptr [ getelementptr inbounds (i8, ptr @_ZN1a5COUNT17h0123456789abcdefE, i64 4), %first ], [ %out, %0 ]
  store i32 2, ptr %at
  ret i1 %is_null
}

; becomes:
@constant_name = private constant [8 x i8] c"a::TABLE"
@global_name = private constant [8 x i8] c"a::COUNT"
@_ZN1a5PLAIN17h0123456789abcdefE = constant i32 5
@__ptyx_static_g0_COUNT = addrspace(4) externally_initialized constant ptr addrspace(1) null, align 8
@__ptyx_static_c1_TABLE = addrspace(4) externally_initialized constant [4 x i8] c"\01\02\03\04", align 16

define i32 @reads() {
  %a = load i32, ptr addrspacecast (ptr addrspace(4) @__ptyx_static_c1_TABLE to ptr), align 4
  %b = load i32, ptr @_ZN1a5PLAIN17h0123456789abcdefE, align 4
  %sum = add i32 %a, %b
  ret i32 %sum
}

define i1 @counts(i1 %again, ptr %out) {
  %1 = load ptr addrspace(1), ptr addrspace(4) @__ptyx_static_g0_COUNT, align 8, !invariant.load !0
  %2 = addrspacecast ptr addrspace(1) %1 to ptr
  %3 = getelementptr i8, ptr %2, i64 4
  %4 = ptrtoint ptr %2 to i64
  %is_null = icmp eq i64 %4, 0
  br i1 %again, label %first, label %second

first:                                            ; preds = %0
  store i32 1, ptr %2, align 4
  br label %second

second:                                           ; preds = %first, %0
  %at = phi ptr [ %3, %first ], [ %out, %0 ]
  store i32 2, ptr %at, align 4
  ret i1 %is_null
}

!0 = !{}
