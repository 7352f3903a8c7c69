; run: take_linked_ptx
; PTX that is linked leaves the module: its text without comments and head, and the functions that others may call. A
; variable of another name stays, whatever it holds, and so does one that is only declared.

@__ptyx_linked_ptx_0 = constant [130 x i8] c".version 8.0 // a\0A.target sm_80\0A.func own() { ret; }\0A.visible .func (.param .b32 r) twice(.param .b32 a, .param .b8 b[4]) { ret; }"
@__ptyx_linked_ptx_1 = external constant [4 x i8]
@mine = constant [27 x i8] c".visible .func a() { ret; }", section "ptyx_linked_ptx"

declare i32 @twice(i32)

define i32 @kernel(i32 %x) {
  %twice = call i32 @twice(i32 %x)
  ret i32 %twice
}

; becomes:
@__ptyx_linked_ptx_1 = external constant [4 x i8]
@mine = constant [27 x i8] c".visible .func a() { ret; }", section "ptyx_linked_ptx"

declare i32 @twice(i32)

define i32 @kernel(i32 %x) {
  %twice = call i32 @twice(i32 %x)
  ret i32 %twice
}
; says: LinkedPtx { text: ".func own() { ret; }\n.visible .func (.param .b32 r) twice(.param .b32 a, .param .b8 b[4]) { ret; }\n", functions: {"twice": Signature { results: [Param { bits: 32, count: None }], params: [Param { bits: 32, count: None }, Param { bits: 8, count: Some(4) }] }}, needs: Needs { arch: Arch { features: Portable, sm: 80 }, ptx: 80 } }
