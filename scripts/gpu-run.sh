#!/usr/bin/env bash
# Runs a bundle on a GPU machine: every test program, every example with its usual size and with
# --bench, and the CUDA C++ baselines where nvcc is found. One table comes last. Logs go to the
# folder $OUT if it is set (one archive and the table), else beside this script.
#
# The exit code is 0 only if everything ran and passed, on a GPU. SKIP_BENCH=1 leaves the
# measurements out, SKIP_TESTS=1 the tests and examples; LIMIT (seconds, default 240) ends a program
# that hangs, PORTED_LIMIT (default 900) the measurement of all ported kernels. REPEAT=n runs the tests
# of launches and streams n times more, with 16 threads and fresh seeds. SANITIZE="memcheck racecheck
# synccheck initcheck" runs the tests under these tools of compute-sanitizer, with 16 threads: kernels
# are slow there, which shows missing waits. SANITIZED names the programs (default: those that launch
# kernels).
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
out=${OUT:-$PWD/out}
mkdir -p "$out"
logs=$(mktemp -d)
# Not every machine has xz.
tar -xJf programs.tar.xz 2>/dev/null ||
  python3 -c 'import tarfile; tarfile.open("programs.tar.xz").extractall(filter="data")' || exit 2
table=$out/table.txt
failed=0
: >"$table"

row() { printf '%-34s %-7s %6s s  %s\n' "$1" "$2" "$3" "$4" | tee -a "$table.rows" >/dev/null; }
: >"$table.rows"

# one NAME FIGURES COMMAND..: runs it, keeps its log, adds a row; FIGURES is a grep pattern for the
# line of the log that goes into the row.
one() {
  local name=$1 figures=$2 log=$logs/$1.log t0 t1 state=ok line
  shift 2
  t0=$(date +%s.%N)
  if ! timeout "${LIMIT:-240}" "$@" >"$log" 2>&1; then
    state=FAILED
    failed=$((failed + 1))
  fi
  t1=$(date +%s.%N)
  line=$(grep -aE "$figures" "$log" | tail -n 1 | cut -c1-150)
  if [[ $state == FAILED ]]; then
    echo "---- $name failed; the end of its log:"
    tail -n 40 "$log"
    line=${line:-$(tail -n 1 "$log" | cut -c1-150)}
  fi
  row "$name" "$state" "$(echo "$t1 $t0" | awk '{printf "%.1f", $1 - $2}')" "$line"
}

# As in .ci/run: each commit has its own seed.
commit=$(sed -n 's/^commit //p' made-from.txt)
if [[ -z "${PTYX_SEED:-}" && $commit =~ ^[0-9a-f]{15} ]]; then
  export PTYX_SEED=$((16#${commit:0:15}))
fi

{
  echo "date: $(date -u +%FT%TZ)"
  cat made-from.txt
  nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.max.sm --format=csv,noheader ||
    echo "no nvidia-smi"
  command -v nvcc >/dev/null && nvcc --version | tail -n 2
  uname -r
} 2>&1 | tee "$logs/machine.log" >>"$table"

# A GPU or nothing: `auto` would fall back to the emulated device and hide that.
export PTYX_DEVICE=${PTYX_DEVICE:-cuda}
if [[ -z "${SKIP_TESTS:-}" ]]; then
  for test in tests/*; do
    one "test ${test#tests/}" '^test result' "$test" --test-threads=4
  done

  one "example doctor" 'problem' examples/doctor

  while read -r package target; do
    row "test $package-$target" skipped 0 "not for a machine without the repository and rustc, or not about a device"
  done <skipped.txt

  for example in saxpy reduce matmul histogram cluster_histogram nbody monte_carlo poisson tensor_matmul gemm panic_cost graph pool managed all_reduce training; do
    one "example $example" 'equal to' "examples/$example"
  done
  one "example mandelbrot" 'equal to' examples/mandelbrot --out "$logs/mandelbrot.png" --width 1920 --height 1280
  one "example image_warp" 'close to' examples/image_warp --out "$logs/image_warp.png" --width 1920 --height 1280
  one "example sobel" 'equal to' examples/sobel "$logs/mandelbrot.png" "$logs/sobel.png"
fi

for ((round = 1; round <= ${REPEAT:-0}; round++)); do
  for test in host-ptyx tests-run tests-failures; do
    one "again $round $test" '^test result' "tests/$test" --test-threads=16
  done
done

for tool in ${SANITIZE:-}; do
  for test in ${SANITIZED:-host-ptyx tests-run tests-failures tests-codegen tests-language crates-crates}; do
    # Failing driver calls are what some tests are about.
    one "$tool $test" '^test result|ERROR SUMMARY|RACECHECK SUMMARY' \
      compute-sanitizer --tool "$tool" --report-api-errors no --error-exitcode 86 \
      "tests/$test" --test-threads=16
  done
done

if [[ -z "${SKIP_BENCH:-}" ]]; then
  have_nvcc=
  if command -v nvcc >/dev/null; then have_nvcc=1; else echo "no nvcc: the baselines are SKIPPED"; fi
  for bench in saxpy reduce matmul poisson cluster_histogram monte_carlo image_warp; do
    [[ -n $have_nvcc ]] && one "build $bench.cu" error nvcc -O3 -std=c++17 -arch=sm_90 -o "$logs/$bench" "cuda/$bench.cu"
  done
  [[ -n $have_nvcc ]] && one "build launch_overhead.cu" error nvcc -O3 -arch=sm_90 -o "$logs/launch_overhead" cuda/launch_overhead.cu -ldl
  # The same kernels on both sides, whose code docs/code-quality.md compares; CUDA's also with the
  # bounds checks that Rust has.
  [[ -n $have_nvcc ]] && one "build kernels.cu" error nvcc -O3 -std=c++17 -arch=sm_90 -o "$logs/kernels" cuda/kernels.cu
  [[ -n $have_nvcc ]] && one "build kernels.cu -DCHECKED" error nvcc -O3 -std=c++17 -arch=sm_90 -DCHECKED -o "$logs/kernels-checked" cuda/kernels.cu
  for kernel in saxpy reduce scan transpose matmul stencil nbody histogram bitonic mandelbrot softmax layernorm spmv black_scholes sha256 compact block_reduce block_extremes block_scan warp_groups; do
    [[ -x $logs/kernels ]] && one "cuda kernel-$kernel" '^BENCH' "$logs/kernels" "$kernel"
    [[ -x $logs/kernels-checked ]] && one "checked kernel-$kernel" '^BENCH' "$logs/kernels-checked" "$kernel"
    one "ptyx kernel-$kernel" '^BENCH' examples/kernels --bench --only "$kernel"
  done
  # Reductions and scans beside CUB's, in one process. The log has the table.
  cub=$logs/kernels.cubin
  [[ -n $have_nvcc ]] && one "build kernels.cu -cubin" error nvcc -O3 -std=c++17 -arch=sm_90 -cubin -o "$cub" cuda/kernels.cu
  [[ -f $cub ]] && one "primitives" 'geometric mean' examples/primitives --twins "$cub"
  # What a launch, a prepared one, a bound one and a node of a graph cost beyond the driver's own, each in one run.
  for cost in the_cost_of_a_warm_launch the_cost_of_a_graph_node; do
    one "$cost" ' ns more' tests/host-ptyx --ignored --nocapture --test-threads=1 "$cost"
  done
  # Twice each, in turn, so that a drift of the clocks shows.
  for round in 1 2; do
    for bench in saxpy reduce matmul; do
      [[ -x $logs/$bench ]] && one "cuda $bench $round" '^BENCH' "$logs/$bench"
      one "ptyx $bench $round" '^BENCH' "examples/$bench" --bench
    done
    [[ -x $logs/launch_overhead ]] && one "cuda launch $round" '^BENCH' "$logs/launch_overhead"
    one "ptyx launch $round" '^BENCH' examples/launch_overhead
    one "ptyx first_launch $round" '^BENCH' examples/first_launch
    one "ptyx panic_cost $round" 'equal to' examples/panic_cost --bench
  done
  for bench in poisson cluster_histogram monte_carlo image_warp; do
    [[ -x $logs/$bench ]] && one "cuda $bench" '^BENCH' "$logs/$bench"
  done
  for bench in histogram cluster_histogram nbody poisson monte_carlo image_warp tensor_matmul gemm; do one "ptyx $bench" '^BENCH' "examples/$bench" --bench; done
  # The kernels of docs/ported.md in four forms, of which nvcc makes one. Its log has the table.
  twins=$logs/ported.cubin
  [[ -n $have_nvcc ]] && one "build ported.cu" error nvcc -O3 -std=c++17 -arch=sm_90 -cubin -o "$twins" cuda/ported/ported.cu
  [[ -f $twins ]] && LIMIT=${PORTED_LIMIT:-900} one "ported" 'geometric mean' examples/ported --bench --twins "$twins"
fi

rm -f "$logs"/{saxpy,reduce,matmul,poisson,cluster_histogram,monte_carlo,image_warp,kernels.cubin,launch_overhead,kernels,kernels-checked,ported.cubin}
tar -C "$logs" -czf "$out/logs.tar.gz" .
{
  echo
  cat "$table.rows"
  # The ratio of the medians of each pair of programs.
  awk '$1 == "cuda" || $1 == "checked" || $1 == "ptyx" {
         if (match($0, /median_[mu]s=[0-9.]+/)) {
           split(substr($0, RSTART, RLENGTH), field, "=")
           key = $2 ($3 ~ /^[12]$/ ? " " $3 : ""); value[$1, key] = field[2]; keys[key] = 1
         }
       }
       END {
         sides["cuda"]; sides["checked"]
         for (key in keys) {
           ptyx = value["ptyx", key]
           for (side in sides)
             if (value[side, key] && ptyx)
               printf "ratio %-20s %s %s / ptyx %s = %.3f\n", key, side, value[side, key], ptyx, value[side, key] / ptyx
         }
       }' "$table.rows" | sort
  echo "$failed FAILED"
} >>"$table"
rm -f "$table.rows"
cat "$table"
((failed == 0))
