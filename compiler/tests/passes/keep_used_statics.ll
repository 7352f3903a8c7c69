; run: keep_used_statics
; The variables of statics that nothing uses go. Other variables stay, used or not.

@__ptyx_static_c0_USED = addrspace(4) externally_initialized constant [4 x i8] c"abcd", align 16
@__ptyx_static_c1_UNUSED = addrspace(4) externally_initialized constant [4 x i8] c"abcd", align 16
@__ptyx_static_g2_COUNT = addrspace(4) externally_initialized constant ptr addrspace(1) null, align 8
@__ptyx_static_g3_NOT = addrspace(4) externally_initialized constant ptr addrspace(1) null, align 8
@unused = internal addrspace(4) constant i32 5

define i32 @kernel() {
  %count = load ptr addrspace(1), ptr addrspace(4) @__ptyx_static_g2_COUNT
  %x = load i32, ptr addrspace(1) %count
  %y = load i32, ptr addrspace(4) @__ptyx_static_c0_USED
  %sum = add i32 %x, %y
  ret i32 %sum
}

; becomes:
@__ptyx_static_c0_USED = addrspace(4) externally_initialized constant [4 x i8] c"abcd", align 16
@__ptyx_static_g2_COUNT = addrspace(4) externally_initialized constant ptr addrspace(1) null, align 8
@unused = internal addrspace(4) constant i32 5

define i32 @kernel() {
  %count = load ptr addrspace(1), ptr addrspace(4) @__ptyx_static_g2_COUNT, align 8
  %x = load i32, ptr addrspace(1) %count, align 4
  %y = load i32, ptr addrspace(4) @__ptyx_static_c0_USED, align 4
  %sum = add i32 %x, %y
  ret i32 %sum
}
; says: "__ptyx_static_c0_USED"
; says: "__ptyx_static_g2_COUNT"
