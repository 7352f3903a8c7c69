; run: keep_used_statics
; Constant memory has 65,536 bytes, of which alignment takes some, and the unused constant none.

@__ptyx_static_c0_TABLE = addrspace(4) externally_initialized constant [65000 x i8] zeroinitializer, align 16
@__ptyx_static_c1_MORE = addrspace(4) externally_initialized constant [530 x i8] zeroinitializer, align 16
@__ptyx_static_c2_UNUSED = addrspace(4) externally_initialized constant [60000 x i8] zeroinitializer, align 16

define i8 @kernel() {
  %x = load i8, ptr addrspace(4) @__ptyx_static_c0_TABLE
  %y = load i8, ptr addrspace(4) @__ptyx_static_c1_MORE
  %sum = add i8 %x, %y
  ret i8 %sum
}

; becomes:
; refused: its constants need 65538 bytes, and a kernel can have 65536 bytes of constant memory
; refused:  = note: `__ptyx_static_c0_TABLE` has 65000 bytes, `__ptyx_static_c1_MORE` has 530 bytes
; refused:  = help: use a `Global` for a large table: threads that read different elements read it faster, too
