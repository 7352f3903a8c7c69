; run: fix_hash_keys
; Only the keys of `RandomState` are constants, and only in a kernel with a heap; other thread-locals
; stay.

declare void @__ptyx_heap_marker()
declare { i64, i64 } @_RINvMs2_NtNtCsjrHSEGnQ3l9_3std6thread5localINtB6_8LocalKeyINtNtCsgEmfK2I1SDS_4core4cell4CellTyyEEE4withNCNvMNtNtBa_4hash6randomNtB1I_11RandomState3new0B21_ECs8RBq3Grf1BH_8language(ptr)
declare { i64, i64 } @other()

define { i64, i64 } @kernel() {
  call void @__ptyx_heap_marker()
  %other = call { i64, i64 } @other()
  %keys = call { i64, i64 } @_RINvMs2_NtNtCsjrHSEGnQ3l9_3std6thread5localINtB6_8LocalKeyINtNtCsgEmfK2I1SDS_4core4cell4CellTyyEEE4withNCNvMNtNtBa_4hash6randomNtB1I_11RandomState3new0B21_ECs8RBq3Grf1BH_8language(ptr null)
  ret { i64, i64 } %keys
}

; becomes:
declare void @__ptyx_heap_marker()

declare { i64, i64 } @_RINvMs2_NtNtCsjrHSEGnQ3l9_3std6thread5localINtB6_8LocalKeyINtNtCsgEmfK2I1SDS_4core4cell4CellTyyEEE4withNCNvMNtNtBa_4hash6randomNtB1I_11RandomState3new0B21_ECs8RBq3Grf1BH_8language(ptr)

declare { i64, i64 } @other()

define { i64, i64 } @kernel() {
  call void @__ptyx_heap_marker()
  %other = call { i64, i64 } @other()
  ret { i64, i64 } { i64 2611923443488327891, i64 1376283091369227076 }
}
