; run: fix_hash_keys
; Without a heap, the keys stay a question, which is refused with a hint.

declare { i64, i64 } @_RINvMs2_NtNtCsjrHSEGnQ3l9_3std6thread5localINtB6_8LocalKeyINtNtCsgEmfK2I1SDS_4core4cell4CellTyyEEE4withNCNvMNtNtBa_4hash6randomNtB1I_11RandomState3new0B21_ECs8RBq3Grf1BH_8language(ptr)

define { i64, i64 } @kernel() {
  %keys = call { i64, i64 } @_RINvMs2_NtNtCsjrHSEGnQ3l9_3std6thread5localINtB6_8LocalKeyINtNtCsgEmfK2I1SDS_4core4cell4CellTyyEEE4withNCNvMNtNtBa_4hash6randomNtB1I_11RandomState3new0B21_ECs8RBq3Grf1BH_8language(ptr null)
  ret { i64, i64 } %keys
}

; becomes:
declare { i64, i64 } @_RINvMs2_NtNtCsjrHSEGnQ3l9_3std6thread5localINtB6_8LocalKeyINtNtCsgEmfK2I1SDS_4core4cell4CellTyyEEE4withNCNvMNtNtBa_4hash6randomNtB1I_11RandomState3new0B21_ECs8RBq3Grf1BH_8language(ptr)

define { i64, i64 } @kernel() {
  %keys = call { i64, i64 } @_RINvMs2_NtNtCsjrHSEGnQ3l9_3std6thread5localINtB6_8LocalKeyINtNtCsgEmfK2I1SDS_4core4cell4CellTyyEEE4withNCNvMNtNtBa_4hash6randomNtB1I_11RandomState3new0B21_ECs8RBq3Grf1BH_8language(ptr null)
  ret { i64, i64 } %keys
}
