; run: multiply_words
; A product of two numbers below 2^32 whose upper half somebody wants is one `mul.wide.u32`, where LLVM does not see that: of bit
; masks and shifts. What is added to, as an index is, and what has more bits stays; so does what LLVM sees.

define i64 @mixed(i64 %a, i64 %b) {
  %low = and i64 %a, 4294967295
  %high = lshr i64 %b, 32
  %first = mul nuw i64 %low, 3528531795
  %second = mul nuw i64 %high, %low
  %upper = lshr i64 %first, 32
  %all = xor i64 %upper, %second
  ret i64 %all
}

define i64 @other(i64 %a, i32 %b) {
  %low = and i64 %a, 4294967295
  %wide = zext i32 %b to i64
  %index = mul i64 %low, 12
  %next = add i64 %index, 1
  %seen = mul i64 %wide, 3528531795
  %half = lshr i64 %seen, 32
  %more = mul i64 %a, 3528531795
  %part = lshr i64 %more, 32
  %one = xor i64 %next, %half
  %all = xor i64 %one, %part
  ret i64 %all
}

define i64 @truncated(i64 %a) {
  %word = trunc i64 %a to i32
  %wide = zext i32 %word to i64
  %product = mul i64 %wide, 3449720151
  %half = lshr i64 %product, 32
  ret i64 %half
}

; becomes:
define i64 @mixed(i64 %a, i64 %b) {
  %low = and i64 %a, 4294967295
  %high = lshr i64 %b, 32
  %1 = trunc i64 %low to i32
  %2 = call i64 asm "mul.wide.u32 $0, $1, $2;", "=l,r,r"(i32 %1, i32 -766435501) #0
  %3 = trunc i64 %high to i32
  %4 = trunc i64 %low to i32
  %5 = call i64 asm "mul.wide.u32 $0, $1, $2;", "=l,r,r"(i32 %3, i32 %4) #0
  %upper = lshr i64 %2, 32
  %all = xor i64 %upper, %5
  ret i64 %all
}

define i64 @other(i64 %a, i32 %b) {
  %low = and i64 %a, 4294967295
  %wide = zext i32 %b to i64
  %index = mul i64 %low, 12
  %next = add i64 %index, 1
  %seen = mul i64 %wide, 3528531795
  %half = lshr i64 %seen, 32
  %more = mul i64 %a, 3528531795
  %part = lshr i64 %more, 32
  %one = xor i64 %next, %half
  %all = xor i64 %one, %part
  ret i64 %all
}

define i64 @truncated(i64 %a) {
  %word = trunc i64 %a to i32
  %wide = zext i32 %word to i64
  %1 = call i64 asm "mul.wide.u32 $0, $1, $2;", "=l,r,r"(i32 %word, i32 -845247145) #0
  %half = lshr i64 %1, 32
  ret i64 %half
}

attributes #0 = { nounwind willreturn memory(none) }
