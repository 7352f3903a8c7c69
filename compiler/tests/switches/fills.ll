; Every thread of the block comes here: the answer is yes, or no.
declare ptr @__ptyx_shared_static(ptr, i64, i64)
declare i1 @__ptyx_all_come_here(ptr, i64)

define void @body(ptr %a, ptr %b, i64 %n, i64 %m, float %x) noinline {
  call void @__ptyx_kernel_marker()
  %shared = call ptr @__ptyx_shared_static(ptr @here, i64 64, i64 4)
  %all = call i1 @__ptyx_all_come_here(ptr %shared, i64 64)
  %answer = zext i1 %all to i32
  store volatile i32 %answer, ptr %b
  ret void
}
