; run: split_iterators
; What is before an array in a local variable becomes a variable of its own, if the array's elements are addressed without wrapping
; around, and nothing else has the address.

@table = internal constant [12 x i32] zeroinitializer
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.lifetime.start.p0(ptr)
declare void @keep(ptr)

; An iterator over an array: the index, the end, the array.
define i32 @iterator(i64 %i) {
  %v = alloca [64 x i8], align 8
  call void @llvm.lifetime.start.p0(ptr %v)
  store i64 0, ptr %v
  %end = getelementptr inbounds nuw i8, ptr %v, i64 8
  store i64 12, ptr %end
  %data = getelementptr inbounds nuw i8, ptr %v, i64 16
  call void @llvm.memcpy.p0.p0.i64(ptr %data, ptr @table, i64 48, i1 false)
  %one = getelementptr inbounds nuw [3 x i32], ptr %data, i64 %i
  %part = getelementptr inbounds nuw i8, ptr %one, i64 4
  %x = load i32, ptr %part
  ret i32 %x
}

; The address may be below the array.
define i32 @wraps(i64 %i) {
  %v = alloca [64 x i8], align 8
  store i64 0, ptr %v
  %data = getelementptr inbounds nuw i8, ptr %v, i64 16
  %one = getelementptr inbounds i32, ptr %data, i64 %i
  %x = load i32, ptr %one
  ret i32 %x
}

; So may what is calculated from an element's address.
define i32 @wraps_later(i64 %i) {
  %v = alloca [64 x i8], align 8
  store i64 0, ptr %v
  %data = getelementptr inbounds nuw i8, ptr %v, i64 16
  %one = getelementptr inbounds nuw i32, ptr %data, i64 %i
  %before = getelementptr inbounds i8, ptr %one, i64 -4
  %x = load i32, ptr %before
  ret i32 %x
}

; One access is to both parts.
define i32 @both(i64 %i) {
  %v = alloca [64 x i8], align 8
  store i64 0, ptr %v
  %over = getelementptr inbounds nuw i8, ptr %v, i64 12
  store i64 0, ptr %over
  %data = getelementptr inbounds nuw i8, ptr %v, i64 16
  %one = getelementptr inbounds nuw i32, ptr %data, i64 %i
  %x = load i32, ptr %one
  ret i32 %x
}

; The address is kept: whole, or of a part.
define i32 @kept(i64 %i, ptr %to) {
  %v = alloca [64 x i8], align 8
  store i64 0, ptr %v
  store ptr %v, ptr %to
  %data = getelementptr inbounds nuw i8, ptr %v, i64 16
  %one = getelementptr inbounds nuw i32, ptr %data, i64 %i
  %x = load i32, ptr %one
  ret i32 %x
}

define i32 @passed(i64 %i) {
  %v = alloca [64 x i8], align 8
  store i64 0, ptr %v
  %data = getelementptr inbounds nuw i8, ptr %v, i64 16
  %one = getelementptr inbounds nuw i32, ptr %data, i64 %i
  call void @keep(ptr %one)
  %x = load i32, ptr %one
  ret i32 %x
}

; The first part is an array, too.
define i32 @two_arrays(i64 %i) {
  %v = alloca [64 x i8], align 8
  %first = getelementptr inbounds nuw i32, ptr %v, i64 %i
  store i32 0, ptr %first
  %data = getelementptr inbounds nuw i8, ptr %v, i64 16
  %one = getelementptr inbounds nuw i32, ptr %data, i64 %i
  %x = load i32, ptr %one
  ret i32 %x
}

; An index of 32 bits has a sign.
define i64 @narrow_index(i64 %i) {
  %v = alloca [64 x i8], align 8
  %p = getelementptr inbounds nuw i8, ptr %v, i64 8
  %q = getelementptr inbounds i8, ptr %p, i32 -8
  store i64 7, ptr %q
  %data = getelementptr inbounds nuw i8, ptr %v, i64 16
  %one = getelementptr inbounds nuw i32, ptr %data, i64 %i
  store i32 1, ptr %one
  %x = load i64, ptr %v
  ret i64 %x
}

; becomes:
@table = internal constant [12 x i32] zeroinitializer

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #0

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

declare void @keep(ptr)

define i32 @iterator(i64 %i) {
  %1 = alloca [16 x i8], align 8
  %v = alloca [64 x i8], align 8
  call void @llvm.lifetime.start.p0(ptr %v)
  store i64 0, ptr %1, align 4
  %end = getelementptr inbounds nuw i8, ptr %v, i64 8
  %2 = getelementptr i8, ptr %1, i64 8
  store i64 12, ptr %2, align 4
  %data = getelementptr inbounds nuw i8, ptr %v, i64 16
  call void @llvm.memcpy.p0.p0.i64(ptr %data, ptr @table, i64 48, i1 false)
  %one = getelementptr inbounds nuw [3 x i32], ptr %data, i64 %i
  %part = getelementptr inbounds nuw i8, ptr %one, i64 4
  %x = load i32, ptr %part, align 4
  ret i32 %x
}

define i32 @wraps(i64 %i) {
  %v = alloca [64 x i8], align 8
  store i64 0, ptr %v, align 4
  %data = getelementptr inbounds nuw i8, ptr %v, i64 16
  %one = getelementptr inbounds i32, ptr %data, i64 %i
  %x = load i32, ptr %one, align 4
  ret i32 %x
}

define i32 @wraps_later(i64 %i) {
  %v = alloca [64 x i8], align 8
  store i64 0, ptr %v, align 4
  %data = getelementptr inbounds nuw i8, ptr %v, i64 16
  %one = getelementptr inbounds nuw i32, ptr %data, i64 %i
  %before = getelementptr inbounds i8, ptr %one, i64 -4
  %x = load i32, ptr %before, align 4
  ret i32 %x
}

define i32 @both(i64 %i) {
  %v = alloca [64 x i8], align 8
  store i64 0, ptr %v, align 4
  %over = getelementptr inbounds nuw i8, ptr %v, i64 12
  store i64 0, ptr %over, align 4
  %data = getelementptr inbounds nuw i8, ptr %v, i64 16
  %one = getelementptr inbounds nuw i32, ptr %data, i64 %i
  %x = load i32, ptr %one, align 4
  ret i32 %x
}

define i32 @kept(i64 %i, ptr %to) {
  %v = alloca [64 x i8], align 8
  store i64 0, ptr %v, align 4
  store ptr %v, ptr %to, align 8
  %data = getelementptr inbounds nuw i8, ptr %v, i64 16
  %one = getelementptr inbounds nuw i32, ptr %data, i64 %i
  %x = load i32, ptr %one, align 4
  ret i32 %x
}

define i32 @passed(i64 %i) {
  %v = alloca [64 x i8], align 8
  store i64 0, ptr %v, align 4
  %data = getelementptr inbounds nuw i8, ptr %v, i64 16
  %one = getelementptr inbounds nuw i32, ptr %data, i64 %i
  call void @keep(ptr %one)
  %x = load i32, ptr %one, align 4
  ret i32 %x
}

define i32 @two_arrays(i64 %i) {
  %v = alloca [64 x i8], align 8
  %first = getelementptr inbounds nuw i32, ptr %v, i64 %i
  store i32 0, ptr %first, align 4
  %data = getelementptr inbounds nuw i8, ptr %v, i64 16
  %one = getelementptr inbounds nuw i32, ptr %data, i64 %i
  %x = load i32, ptr %one, align 4
  ret i32 %x
}

define i64 @narrow_index(i64 %i) {
  %v = alloca [64 x i8], align 8
  %p = getelementptr inbounds nuw i8, ptr %v, i64 8
  %q = getelementptr inbounds i8, ptr %p, i32 -8
  store i64 7, ptr %q, align 4
  %data = getelementptr inbounds nuw i8, ptr %v, i64 16
  %one = getelementptr inbounds nuw i32, ptr %data, i64 %i
  store i32 1, ptr %one, align 4
  %x = load i64, ptr %v, align 4
  ret i64 %x
}

attributes #0 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
