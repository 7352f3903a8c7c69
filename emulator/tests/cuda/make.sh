#!/usr/bin/env bash
# Compiles the CUDA C++ here to the PTX beside it: `make.sh NVCC [NAME..]`. The PTX is kept, so that the tests need
# no CUDA toolkit. nvcc 13.0 was used: what a newer one writes, drivers of CUDA 13.0 refuse.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
nvcc=$1
shift

# one OUTPUT SOURCE FLAG..: what the compiler says of itself is replaced by the command.
one() {
  local output=$1 source=$2
  shift 2
  # Debug information names the folder.
  cp "$source.cu" /tmp/
  (cd /tmp && "$nvcc" -ptx -std=c++17 "$@" "$source.cu" -o "$output.ptx")
  mv "/tmp/$output.ptx" .
  rm "/tmp/$source.cu"
  python3 - "$output.ptx" "nvcc -ptx -std=c++17 $* $source.cu" <<'PY'
import re, sys
path, command = sys.argv[1:]
text = open(path).read()
text = re.sub(r"\A(//.*\n)+", f"// Made by nvcc 13.0: {command}\n", text)
# Objects of the library's headers that nothing uses, and the folder of the headers.
text = re.sub(r"^\.(global|const) \.align \d+ \.b8 _ZN\w*_INTERNAL_\w+\[1\];\n", "", text, flags=re.M)
text = re.sub(r'(\.file\s+\d+ )"[^"]*/', r'\1"', text)
open(path, "w").write(text)
PY
}

names=("$@")
[[ ${#names[@]} -gt 0 ]] ||
  names=(atomics blocks calls calls_debug clusters control fail grid groups halves integers mathd mathf memory pipeline print tensors textures warp wmma)
for name in "${names[@]}"; do
  case $name in
    calls_debug) one calls_debug calls -G -arch=sm_90a ;;
    # The oldest architecture that has it all, which newer ones run, too.
    print | calls | control | warp) one "$name" "$name" -O3 -arch=sm_80 ;;
    *) one "$name" "$name" -O3 -arch=sm_90a ;;
  esac
done
