"""The work of scripts/math-table: arguments, exact values, errors, tables."""

import argparse
import math
import multiprocessing
import random
import re
import statistics
import struct
import subprocess
from pathlib import Path

from mpmath import mp, mpf

mp.prec = 160

ROOT = Path(__file__).resolve().parent.parent
NAN, INF = mpf("nan"), mpf("inf")
ROOT_PI = mp.sqrt(mp.pi)


class Type:
    """A float type: its name, struct's letter, bits of precision, greatest and least exponent."""

    def __init__(self, name, letter, precision, greatest, least):
        self.name, self.letter, self.precision = name, letter, precision
        self.greatest, self.least = greatest, least
        self.max = (2 - mpf(2) ** (1 - precision)) * mpf(2) ** greatest
        self.overflow = self.max + mpf(2) ** (greatest - precision)
        self.size = struct.calcsize(letter)

    def round(self, x):
        """The nearest float of this type, as a Python float."""
        try:
            return struct.unpack(self.letter, struct.pack(self.letter, x))[0]
        except OverflowError:
            return math.copysign(math.inf, x)

    def ulp(self, x):
        """The distance of neighbours at x."""
        exponent = max(mp.frexp(abs(x))[1] - 1, self.least) if x else self.least
        return mpf(2) ** (min(exponent, self.greatest) - self.precision + 1)

    def read(self, path):
        data = path.read_bytes()
        return [v[0] for v in struct.iter_unpack("<" + self.letter, data)]

    def write(self, path, values):
        path.write_bytes(struct.pack(f"<{len(values)}{self.letter}", *values))


SINGLE = Type("f32", "f", 24, 127, -126)
DOUBLE = Type("f64", "d", 53, 1023, -1022)


# Exact values. Arguments are finite; what has no real value gives NaN.

def inverse_erfc(y):
    """Newton's iteration from a start of double precision."""
    if not 0 <= y <= 2:
        return NAN
    if y in (0, 2):
        return INF if y == 0 else -INF
    if y > 1:
        return -inverse_erfc(2 - y)
    z = mpf(-statistics.NormalDist().inv_cdf(max(float(y) / 2, 5e-324))) / mp.sqrt(2)
    for _ in range(5):
        z += (mp.erfc(z) - y) * ROOT_PI / 2 * mp.exp(z * z)
    return z


def inverse_erf(x):
    if abs(x) > 0.25:
        return inverse_erfc(1 - x) if x > 0 else -inverse_erfc(1 + x)
    z = x * ROOT_PI / 2
    for _ in range(7):
        z -= (mp.erf(z) - x) * ROOT_PI / 2 * mp.exp(z * z)
    return z


def gamma(x):
    return NAN if x <= 0 and mp.isint(x) else mp.gamma(x)


def log_gamma(x):
    if x > 0:
        return mp.loggamma(x)
    if mp.isint(x):
        return INF
    return mp.log(mp.pi / abs(mp.sinpi(x))) - mp.loggamma(1 - x)


def power(x, y):
    if x == 0:
        return INF if y < 0 else mpf(1) if y == 0 else mpf(0)
    if x > 0:
        return mp.power(x, y)
    if not mp.isint(y):
        return NAN
    return mp.power(-x, y) * (-1 if int(y) % 2 else 1)


def second_kind(order):
    return lambda x: NAN if x < 0 else -INF if x == 0 else mp.bessely(order, x)


def cube_root(x):
    return mp.cbrt(x) if x >= 0 else -mp.cbrt(-x)


def norm(*x):
    return mp.sqrt(sum(v * v for v in x))


def reciprocal_norm(*x):
    return 1 / norm(*x) if any(x) else INF


def tan_pi(x):
    return mp.sinpi(x) / mp.cospi(x) if mp.cospi(x) else INF if (x - 0.5) % 2 == 0 else -INF


def scaled_erfc(x):
    return mp.exp(x * x) * mp.erfc(x)


EXACT = {
    "sin": mp.sin, "sin_far": mp.sin, "cos": mp.cos, "cos_far": mp.cos, "tan": mp.tan,
    "asin": mp.asin, "acos": mp.acos, "atan": mp.atan, "atan2": mp.atan2,
    "sinh": mp.sinh, "cosh": mp.cosh, "tanh": mp.tanh,
    "exp": mp.exp, "exp2": lambda x: mp.power(2, x), "exp_m1": mp.expm1,
    "exp10": lambda x: mp.power(10, x),
    "ln": lambda x: mp.log(x) if x else -INF, "ln_near_1": lambda x: mp.log(x) if x else -INF,
    "ln_1p": lambda x: mp.log1p(x) if x != -1 else -INF,
    "log2": lambda x: mp.log(x) / mp.log(2) if x else -INF,
    "log10": lambda x: mp.log(x) / mp.log(10) if x else -INF,
    "cbrt": cube_root, "sqrt": mp.sqrt, "powf": power, "powi_7": lambda x: x**7, "hypot": norm,
    "std_asinh": mp.asinh, "std_acosh": mp.acosh, "asinh": mp.asinh, "acosh": mp.acosh,
    "std_atanh": lambda x: mp.atanh(x) if abs(x) != 1 else x * INF,
    "atanh": lambda x: mp.atanh(x) if abs(x) != 1 else x * INF,
    "sinpi": mp.sinpi, "cospi": mp.cospi, "tanpi": tan_pi,
    "rsqrt": lambda x: 1 / mp.sqrt(x) if x else INF,
    "rcbrt": lambda x: 1 / cube_root(x) if x else INF,
    "rhypot": reciprocal_norm, "norm3d": norm, "norm4d": norm,
    "rnorm3d": reciprocal_norm, "rnorm4d": reciprocal_norm,
    "erf": mp.erf, "erfc": mp.erfc, "erfcx": scaled_erfc,
    "erfinv": lambda x: inverse_erf(x) if abs(x) <= 1 else NAN, "erfcinv": inverse_erfc,
    "normcdf": lambda x: mp.erfc(-x / mp.sqrt(2)) / 2,
    "normcdfinv": lambda p: -mp.sqrt(2) * inverse_erfc(2 * p),
    "tgamma": gamma, "lgamma": log_gamma,
    "j0": mp.j0, "j1": mp.j1, "j3": lambda x: mp.besselj(3, x),
    "y0": second_kind(0), "y1": second_kind(1), "y3": second_kind(3),
    "cyl_bessel_i0": lambda x: mp.besseli(0, x), "cyl_bessel_i1": lambda x: mp.besseli(1, x),
}

# Values at -inf and inf, where they are not NaN.
LIMITS = {
    "atan": (-mp.pi / 2, mp.pi / 2), "sinh": (-INF, INF), "cosh": (INF, INF), "tanh": (-1, 1),
    "exp": (0, INF), "exp2": (0, INF), "exp10": (0, INF), "exp_m1": (-1, INF),
    "ln": (NAN, INF), "ln_near_1": (NAN, INF), "ln_1p": (NAN, INF), "log2": (NAN, INF),
    "log10": (NAN, INF), "cbrt": (-INF, INF), "sqrt": (NAN, INF), "powi_7": (-INF, INF),
    "std_asinh": (-INF, INF), "std_acosh": (NAN, INF), "asinh": (-INF, INF), "acosh": (NAN, INF),
    "rsqrt": (NAN, 0), "rcbrt": (0, 0), "erf": (-1, 1), "erfc": (2, 0), "erfcx": (INF, 0),
    "normcdf": (0, 1), "tgamma": (NAN, INF), "lgamma": (INF, INF), "j0": (0, 0), "j1": (0, 0),
    "j3": (0, 0), "y0": (NAN, 0), "y1": (NAN, 0), "y3": (NAN, 0),
    "cyl_bessel_i0": (INF, INF), "cyl_bessel_i1": (-INF, INF),
}

# Functions f with f(-0) = -0, and those with f(±0) = ±inf.
ODD = set("""sin sin_far tan asin atan sinh tanh exp_m1 ln_1p cbrt sqrt std_asinh asinh std_atanh
atanh sinpi tanpi erf erfinv j1 j3 cyl_bessel_i1 powi_7""".split())
POLE_SIGN = {"rsqrt", "rcbrt", "tgamma"}

HUGE = {"exp", "exp2", "exp10", "exp_m1", "sinh", "cosh", "erfcx", "cyl_bessel_i0", "cyl_bessel_i1",
        "erfc", "normcdf", "tgamma", "lgamma", "erf", "tanh"}


def exact(name, arguments):
    """The function's value: an mpf, NaN where it has none."""
    if any(math.isnan(x) for x in arguments):
        return NAN
    if len(arguments) == 1 and math.isinf(arguments[0]):
        return mpf(LIMITS.get(name, (NAN, NAN))[arguments[0] > 0])
    if len(arguments) == 1 and arguments[0] == 0 and name in POLE_SIGN:
        return mpf(math.copysign(math.inf, arguments[0]))
    if len(arguments) == 1 and abs(arguments[0]) > 1e6 and name in HUGE:
        return far_out(name, arguments[0])
    value = EXACT[name](*map(mpf, arguments))
    return NAN if isinstance(value, mp.mpc) and value.imag else mpf(value.real)


def far_out(name, x):
    """Where mpmath would take for ever, or the exponent has no room: out of every range."""
    if name == "tgamma":
        return INF if x > 0 else NAN
    if name == "lgamma":
        return log_gamma(mpf(x))
    if name == "erfcx" and x > 0:
        return 1 / (mpf(x) * ROOT_PI) * (1 - 1 / (2 * mpf(x) ** 2))
    return mpf(LIMITS[name][x > 0])


def error_of(kind, metric, got, want):
    """The error of got in ulp; infinite where one of the two is NaN or infinite."""
    if mp.isnan(want) or math.isnan(got):
        return 0.0 if mp.isnan(want) and math.isnan(got) else math.inf
    if mp.isinf(want) or abs(want) >= kind.overflow:
        if math.isinf(got):
            return 0.0 if (got > 0) == (want > 0) else math.inf
        return math.inf if mp.isinf(want) else float(abs(got - want) / kind.ulp(want))
    value = mpf(2) ** (kind.greatest + 1) * (1 if got > 0 else -1) if math.isinf(got) else mpf(got)
    ulp = kind.ulp(want)
    if metric == "Unit":
        ulp = max(ulp, kind.ulp(mpf(1)))
    return float(abs(value - want) / ulp)


def sample(kind, low, high, random_source):
    """A number of low..high: half of them evenly distributed, half of any magnitude."""
    if random_source.random() < 0.5:
        return kind.round(random_source.uniform(low, high))
    most = math.log2(max(abs(low), abs(high)))
    while True:
        size = 2 ** random_source.uniform(-30 if kind is SINGLE else -60, most)
        x = kind.round(math.copysign(size, random_source.choice((-1, 1))))
        if low <= x <= high:
            return x


def edges(kind):
    """Arguments of one function where something may change."""
    tiny = kind.round(2.0 ** (kind.least - kind.precision + 1))
    positive = [0.0, tiny, 9 * tiny, 2.0**kind.least, 0.5, 1.0, 2.0, 2.5, 1e22, float(kind.max), math.inf]
    positive = [kind.round(x) for x in positive]
    return positive + [-x for x in positive] + [math.nan]


def near(kind, x, low, high, random_source):
    """A number of low..high in the neighbourhood of x, which may be wide or narrow."""
    for _ in range(100):
        y = kind.round(x * (1 + random_source.uniform(-1, 1) * 2 ** -random_source.uniform(2, 16)))
        if low <= y <= high:
            return y
    return x


def exact_values(job):
    name, arguments = job
    return [exact(name, x) for x in arguments]


def rounded_up(error):
    return "∞" if math.isinf(error) else f"{math.ceil(error * 100) / 100:.2f}"


def hexadecimal(kind, x):
    return struct.pack(">" + kind.letter, x).hex()


class Case:
    """A function in one type: its arguments, and what each form made of them."""

    def __init__(self, name, arity, metric, kind, low, high, seed):
        self.name, self.arity, self.metric, self.kind = name, arity, metric, kind
        self.low, self.high = low, high
        self.random = random.Random(f"{seed} {name} {kind.name}")
        self.arguments, self.edges, self.exact = [], [], {}
        self.worst = dict.fromkeys(FORMS, (0.0, None))

    def draw(self, count):
        """New arguments anywhere in the range."""
        one = lambda: sample(self.kind, self.low, self.high, self.random)
        self.arguments = [tuple(one() for _ in range(self.arity)) for _ in range(count)]

    def draw_near(self, count):
        """New arguments near those with the greatest errors so far."""
        places = [x for _, x in self.worst.values() if x]
        one = lambda x: near(self.kind, x, self.low, self.high, self.random)
        self.arguments = [tuple(map(one, self.random.choice(places))) for _ in range(count)] if places else []

    def path(self, work, end):
        return work / f"{self.name}.{self.kind.name}.{end}"

    def write(self, work):
        flat = [x for arguments in self.arguments + self.edges for x in arguments]
        self.kind.write(self.path(work, "in"), flat)

    def candidates(self, work, most):
        """Which arguments need an exact value: of f32, those that look worst beside f64."""
        count = len(self.arguments)
        everything = range(count + len(self.edges))
        if self.kind is DOUBLE or count <= most:
            return everything
        wide = DOUBLE.read(self.path(work, "f64"))
        chosen = set(range(20)) | set(everything[count:])
        for form in FORMS:
            got = self.kind.read(self.path(work, form))
            guess = [quick_error(self.metric, g, w) for g, w in zip(got[:count], wide)]
            chosen.update(sorted(range(count), key=guess.__getitem__)[-most:])
        return sorted(chosen)


FORMS = ("libdevice", "rust")


def quick_error(metric, got, want):
    """About the error in ulp of an f32 beside a value in f64, without mpmath."""
    if math.isnan(want) or math.isinf(want) or math.isnan(got) or math.isinf(got) or abs(want) >= 3.4028235e38:
        unlike = math.isnan(want) != math.isnan(got) or math.isinf(got) and abs(want) < 3.4028236e38
        return math.inf if unlike else 0.0
    exponent = max(math.frexp(want)[1] - 1, -126)
    if metric == "Unit":
        exponent = max(exponent, 0)
    return abs(got - want) * 2.0 ** (23 - exponent)


def evaluate(cases, work, programs):
    for case in cases:
        case.write(work)
    for program, form in zip(programs, ("rust", "libdevice")):
        command = [program, "run", str(work)]
        done = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
        if done != form:
            raise SystemExit(f"{program} has its functions from {done}, not from {form}")


def compare(cases, work, pool, most):
    """Notes the worst arguments; returns the edges that differ and the first exact values."""
    differences, reference = [], []
    chosen = [list(case.candidates(work, most)) for case in cases]
    everything = [case.arguments + case.edges for case in cases]
    jobs = [(case.name, [all_[at] for at in ats]) for case, all_, ats in zip(cases, everything, chosen)]
    # The long ones first; a few hundred values at a time, so that both ends are busy to the last.
    parts = [(i, at) for i, job in enumerate(jobs) for at in range(0, len(job[1]), 250)]
    exact_parts = pool.map(exact_values, [(jobs[i][0], jobs[i][1][at : at + 250]) for i, at in parts], chunksize=1)
    wants = [[] for _ in jobs]
    for (i, _), part in zip(parts, exact_parts):
        wants[i] += part
    for case, ats, want, all_ in zip(cases, chosen, wants, everything):
        kind, name, count = case.kind, case.name, len(case.arguments)
        for form in FORMS:
            got = kind.read(case.path(work, form))
            for at, w in zip(ats, want):
                arguments, g = all_[at], got[at]
                error = error_of(kind, case.metric, g, w)
                if at < count:
                    if error > case.worst[form][0]:
                        case.worst[form] = (error, arguments)
                    continue
                x = arguments[0]
                zero = name in ODD and x == 0 and math.copysign(1, g) != math.copysign(1, x)
                if error > 32 or zero:
                    # mpmath has no -0.
                    shown = repr(x) if name in ODD and x == 0 else mp.nstr(w, 6)
                    differences.append(f"| `{name}` | {kind.name} | {form} | {x!r} | {g!r} | {shown} |")
        for at, w in zip(ats, want):
            if at >= min(20, count):
                break
            if mp.isnan(w) or mp.isinf(w) or abs(w) >= kind.overflow or abs(w) > DOUBLE.max:
                continue
            x = " ".join(hexadecimal(kind, v) for v in all_[at])
            high = float(w)
            exact_value = f"{hexadecimal(DOUBLE, high)} {hexadecimal(DOUBLE, float(w - mpf(high)))}"
            reference.append(f"{name} {kind.name} {x} = {exact_value}")
    return differences, reference


def listed(program, seed):
    """The functions that the program lists, and a case for each type of them."""
    text = subprocess.run([program, "list"], check=True, capture_output=True, text=True).stdout
    functions, cases = [], []
    for line in text.splitlines():
        name, arity, metric, *ranges = line.split()
        ranges = [float(x) for x in ranges]
        functions.append((name, int(arity), metric, ranges))
        for kind, (low, high) in ((SINGLE, ranges[:2]), (DOUBLE, ranges[2:])):
            cases.append(Case(name, int(arity), metric, kind, low, high, seed))
    return functions, cases


def main():
    parser = argparse.ArgumentParser(prog="scripts/math-table")
    parser.add_argument("--samples", type=int, default=6000, help="f64 arguments of each function; f32 has 20 times as many")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="a regular expression of names: measures these and prints, writes no file")
    parser.add_argument("--draw", type=Path, metavar="DIR", help="only writes arguments, to be evaluated elsewhere")
    parser.add_argument("--compare", type=Path, metavar="DIR", help="only compares such results, and prints")
    parser.add_argument("--work", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("programs", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    work = options.draw or options.compare or options.work
    work.mkdir(parents=True, exist_ok=True)
    functions, cases = listed(options.programs[0], options.seed)
    kept = [case for case in cases if not options.only or re.fullmatch(options.only, case.name)]
    for case in cases:
        case.draw((options.samples * (1 if case.kind is DOUBLE else 20)) if case in kept else 0)
        if case.arity == 1:
            case.edges = [(x,) for x in edges(case.kind)]
    if options.draw:
        for case in cases:
            case.write(work)
        return
    with multiprocessing.Pool() as pool:
        if not options.compare:
            evaluate(cases, work, options.programs)
        differences, reference = compare(kept, work, pool, 40)
        # The greatest errors have neighbours that may be worse.
        for _ in range(0 if options.compare else 3):
            for case in cases:
                case.edges = []
                case.draw_near(options.samples // 8 if case in kept else 0)
            evaluate(cases, work, options.programs)
            compare(kept, work, pool, 100)
    worst = {(case.name, case.kind.name, form): case.worst[form][0] for case in kept for form in FORMS}
    if options.only or options.compare:
        for key, error in worst.items():
            print(*key, rounded_up(error))
        print("\n".join(differences))
        return
    header = (
        "# Exact values by mpmath, from scripts/math-table: name, type, arguments' bits, and the value\n"
        "# as the sum of two doubles' bits.\n"
    )
    (ROOT / "tests/math/reference.txt").write_text(header + "\n".join(reference) + "\n")
    write_tables(options, functions, worst, differences)


def write_tables(options, functions, worst, differences):
    rows = []
    for name, arity, metric, (low, high, low64, high64) in functions:
        span = f"{low:g} to {high:g}"
        if (low64, high64) != (low, high):
            span += f"; {low64:g} to {high64:g}"
        columns = [rounded_up(worst[name, t, f]) for t in ("f32", "f64") for f in ("libdevice", "rust")]
        unit = "¹" if metric == "Unit" else ""
        rows.append(f"| `{name}`{unit} | {span} | " + " | ".join(columns) + " |")
    table = [
        f"{options.samples} arguments for each function in `f64`, {options.samples * 20} in `f32`, and near the worst of",
        f"them three times {options.samples // 8} more; seed {options.seed}.",
        "",
        "| function | arguments (f32; f64 if other) | f32 libdevice | f32 Rust | f64 libdevice | f64 Rust |",
        "|---|---|---|---|---|---|",
        *rows,
    ]
    edge = [
        "| function | type | form | argument | result | exact |",
        "|---|---|---|---|---|---|",
        *differences,
    ]
    path = ROOT / "docs/math.md"
    text = path.read_text()
    for name, lines in (("errors", table), ("edges", edge)):
        pattern = rf"(<!-- begin {name} -->\n).*?(<!-- end {name} -->)"
        block = "\n".join(lines) + "\n"
        text, count = re.subn(pattern, lambda m: m[1] + block + m[2], text, flags=re.S)
        assert count == 1, f"docs/math.md has no place for {name}"
    path.write_text(text)


if __name__ == "__main__":
    main()
