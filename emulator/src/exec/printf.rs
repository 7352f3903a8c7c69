//! C-style formatting for `vprintf`.

/// Where arguments and strings are read from.
pub(crate) trait Source {
    type Error;
    /// An argument of 4 or 8 bytes.
    fn word(&mut self, address: u64, size: u32) -> Result<u64, Self::Error>;
    /// A string that ends with a zero byte.
    fn string(&mut self, address: u64) -> Result<Vec<u8>, Self::Error>;
}

/// One `%` directive.
#[derive(Debug, Default)]
struct Directive {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    /// Bytes of an integer argument.
    size: u32,
    conversion: u8,
}

/// How many arguments a format has: what `vprintf` returns.
pub(crate) fn count_directives(format: &[u8]) -> usize {
    let mut count = 0;
    let mut at = 0;
    while let Some(&byte) = format.get(at) {
        at += 1;
        if byte == b'%' {
            count += usize::from(format.get(at) != Some(&b'%'));
            at += usize::from(format.get(at) == Some(&b'%'));
        }
    }
    count
}

/// Formats like C's `printf`; the arguments lie one after another at `arguments`, each aligned to its size.
pub(crate) fn format<S: Source>(
    format: &[u8],
    arguments: u64,
    source: &mut S,
) -> Result<Vec<u8>, S::Error> {
    let mut out = Vec::new();
    let mut next = arguments;
    let mut at = 0;
    while let Some(&byte) = format.get(at) {
        at += 1;
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let start = at;
        let mut argument = |source: &mut S, size: u32| {
            next = next.next_multiple_of(u64::from(size));
            let value = source.word(next, size);
            next += u64::from(size);
            value
        };
        let mut directive = Directive { size: 4, ..Directive::default() };
        while let Some(&flag) = format.get(at) {
            match flag {
                b'-' => directive.left = true,
                b'+' => directive.plus = true,
                b' ' => directive.space = true,
                b'#' => directive.alternate = true,
                b'0' => directive.zero = true,
                _ => break,
            }
            at += 1;
        }
        if format.get(at) == Some(&b'*') {
            at += 1;
            let width = argument(source, 4)? as i32;
            directive.left |= width < 0;
            directive.width = width.unsigned_abs() as usize;
        } else {
            directive.width = number(format, &mut at);
        }
        if format.get(at) == Some(&b'.') {
            at += 1;
            if format.get(at) == Some(&b'*') {
                at += 1;
                directive.precision = usize::try_from(argument(source, 4)? as i32).ok();
            } else {
                directive.precision = Some(number(format, &mut at));
            }
        }
        directive.width = directive.width.min(1 << 16);
        directive.precision = directive.precision.map(|precision| precision.min(1 << 12));
        while let Some(&length) = format.get(at) {
            match length {
                b'l' | b'j' | b'z' | b't' => directive.size = 8,
                b'h' | b'L' => {}
                _ => break,
            }
            at += 1;
        }
        directive.conversion = format.get(at).copied().unwrap_or(0);
        at += 1;
        match directive.conversion {
            b'%' => out.push(b'%'),
            b'd' | b'i' => {
                let raw = argument(source, directive.size)?;
                let value = if directive.size == 8 { raw as i64 } else { i64::from(raw as i32) };
                signed(&mut out, &directive, value);
            }
            b'u' | b'x' | b'X' | b'o' => {
                let value = argument(source, directive.size)?;
                unsigned(&mut out, &directive, value);
            }
            b'c' => {
                let value = argument(source, 4)?;
                pad(&mut out, &directive, &[], &[value as u8], false);
            }
            b'p' => {
                let value = argument(source, 8)?;
                pad(&mut out, &directive, &[], format!("{value:#x}").as_bytes(), false);
            }
            b's' => {
                let address = argument(source, 8)?;
                let text =
                    if address == 0 { b"(null)".to_vec() } else { source.string(address)? };
                let length = directive.precision.unwrap_or(text.len()).min(text.len());
                pad(&mut out, &directive, &[], &text[..length], false);
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
                let value = f64::from_bits(argument(source, 8)?);
                float(&mut out, &directive, value);
            }
            _ => {
                out.push(b'%');
                let end = at.min(format.len());
                out.extend_from_slice(&format[start.min(end)..end]);
            }
        }
    }
    Ok(out)
}

fn number(format: &[u8], at: &mut usize) -> usize {
    let mut value = 0usize;
    while let Some(digit) = format.get(*at).filter(|byte| byte.is_ascii_digit()) {
        value = value.saturating_mul(10).saturating_add(usize::from(digit - b'0'));
        *at += 1;
    }
    value
}

/// Puts a sign or prefix and digits into the field.
fn pad(out: &mut Vec<u8>, directive: &Directive, prefix: &[u8], body: &[u8], zeros: bool) {
    let fill = directive.width.saturating_sub(prefix.len() + body.len());
    if !directive.left && !zeros {
        out.resize(out.len() + fill, b' ');
    }
    out.extend_from_slice(prefix);
    if !directive.left && zeros {
        out.resize(out.len() + fill, b'0');
    }
    out.extend_from_slice(body);
    if directive.left {
        out.resize(out.len() + fill, b' ');
    }
}

fn sign(directive: &Directive, negative: bool) -> &'static [u8] {
    match (negative, directive.plus, directive.space) {
        (true, _, _) => b"-",
        (false, true, _) => b"+",
        (false, false, true) => b" ",
        _ => b"",
    }
}

/// At least as many digits as the precision asks for.
fn digits(directive: &Directive, text: String) -> Vec<u8> {
    let precision = directive.precision.unwrap_or(1);
    if text == "0" && precision == 0 {
        return Vec::new();
    }
    let mut out = vec![b'0'; precision.saturating_sub(text.len())];
    out.extend_from_slice(text.as_bytes());
    out
}

fn signed(out: &mut Vec<u8>, directive: &Directive, value: i64) {
    let body = digits(directive, value.unsigned_abs().to_string());
    let zeros = directive.zero && directive.precision.is_none();
    pad(out, directive, sign(directive, value < 0), &body, zeros);
}

fn unsigned(out: &mut Vec<u8>, directive: &Directive, value: u64) {
    let text = match directive.conversion {
        b'x' => format!("{value:x}"),
        b'X' => format!("{value:X}"),
        b'o' => format!("{value:o}"),
        _ => value.to_string(),
    };
    let prefix: &[u8] = match directive.conversion {
        b'x' if directive.alternate && value != 0 => b"0x",
        b'X' if directive.alternate && value != 0 => b"0X",
        b'o' if directive.alternate && value != 0 => b"0",
        _ => b"",
    };
    let body = digits(directive, text);
    let zeros = directive.zero && directive.precision.is_none();
    pad(out, directive, prefix, &body, zeros);
}

fn float(out: &mut Vec<u8>, directive: &Directive, value: f64) {
    let upper = directive.conversion.is_ascii_uppercase();
    let prefix = sign(directive, value.is_sign_negative());
    let magnitude = value.abs();
    let precision = directive.precision.unwrap_or(6);
    let finite = value.is_finite();
    let body = if value.is_nan() {
        "nan".to_owned()
    } else if !finite {
        "inf".to_owned()
    } else {
        match directive.conversion.to_ascii_lowercase() {
            b'f' => point(format!("{magnitude:.precision$}"), directive.alternate),
            b'e' => exponent(magnitude, precision, directive.alternate),
            b'g' => general(magnitude, precision.max(1), directive.alternate),
            _ => hexadecimal(magnitude, directive.precision),
        }
    };
    let body = if upper { body.to_uppercase() } else { body };
    pad(out, directive, prefix, body.as_bytes(), directive.zero && finite);
}

fn point(text: String, alternate: bool) -> String {
    if alternate && !text.contains('.') { text + "." } else { text }
}

/// `1.500000e+00`
fn exponent(value: f64, precision: usize, alternate: bool) -> String {
    let text = format!("{value:.precision$e}");
    let (mantissa, power) = text.split_once('e').unwrap_or((&text, "0"));
    let power: i32 = power.parse().unwrap_or(0);
    let sign = if power < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", point(mantissa.to_owned(), alternate), power.abs())
}

/// The shorter of both forms, without zeros at the end.
fn general(value: f64, precision: usize, alternate: bool) -> String {
    let scientific = format!("{value:.*e}", precision - 1);
    let power: i32 = scientific.split_once('e').and_then(|(_, p)| p.parse().ok()).unwrap_or(0);
    let trim = |text: &str| {
        if alternate || !text.contains('.') {
            return text.to_owned();
        }
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    if power < -4 || power >= precision as i32 {
        let text = exponent(value, precision - 1, alternate);
        let (mantissa, rest) = text.split_once('e').unwrap_or((&text, "+00"));
        return format!("{}e{rest}", trim(mantissa));
    }
    let decimals = (precision as i32 - 1 - power).max(0) as usize;
    trim(&format!("{value:.decimals$}"))
}

/// `0x1.8p+1`
fn hexadecimal(value: f64, precision: Option<usize>) -> String {
    let bits = value.to_bits();
    let (mut exponent, mut mantissa) = ((bits >> 52) as i32 & 0x7ff, bits & ((1 << 52) - 1));
    if exponent == 0 {
        exponent = if mantissa == 0 { 0 } else { -1022 };
    } else {
        exponent -= 1023;
        mantissa |= 1 << 52;
    }
    if let Some(precision) = precision.filter(|&digits| digits < 13) {
        let shift = 52 - 4 * precision as u32;
        let half = 1u64 << (shift - 1);
        let odd = mantissa >> shift & 1;
        mantissa = (mantissa + half - 1 + odd) >> shift << shift;
    }
    let lead = mantissa >> 52;
    let mut digits = format!("{:013x}", mantissa & ((1 << 52) - 1));
    match precision {
        Some(precision) => {
            digits.truncate(precision.min(13));
            digits.extend(std::iter::repeat_n('0', precision.saturating_sub(13)));
        }
        None => digits.truncate(digits.trim_end_matches('0').len()),
    }
    let dot = if digits.is_empty() { "" } else { "." };
    format!("0x{lead}{dot}{digits}p{exponent:+}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Arguments as a byte array at address 0; strings follow them.
    struct Bytes(Vec<u8>);

    impl Source for Bytes {
        type Error = ();

        fn word(&mut self, address: u64, size: u32) -> Result<u64, ()> {
            let at = address as usize;
            let mut bytes = [0; 8];
            bytes[..size as usize].copy_from_slice(&self.0[at..at + size as usize]);
            Ok(u64::from_le_bytes(bytes))
        }

        fn string(&mut self, address: u64) -> Result<Vec<u8>, ()> {
            Ok(self.0[address as usize..].iter().copied().take_while(|&b| b != 0).collect())
        }
    }

    enum Arg {
        I(i32),
        L(i64),
        D(f64),
    }

    fn text(pattern: &str, arguments: &[Arg]) -> String {
        let mut bytes = Vec::new();
        let mut push = |value: &[u8]| {
            bytes.resize(bytes.len().next_multiple_of(value.len()), 0);
            bytes.extend_from_slice(value);
        };
        for argument in arguments {
            match argument {
                Arg::I(value) => push(&value.to_le_bytes()),
                Arg::L(value) => push(&value.to_le_bytes()),
                Arg::D(value) => push(&value.to_le_bytes()),
            }
        }
        let out = format(pattern.as_bytes(), 0, &mut Bytes(bytes)).unwrap();
        String::from_utf8(out).unwrap()
    }

    // Expectations come from the C library's `printf`.
    #[test]
    fn integers() {
        use Arg::*;
        assert_eq!(
            text("%d|%5d|%-5d|%05d|%+d", &[I(-7), I(7), I(7), I(-7), I(7)]),
            "-7|    7|7    |-0007|+7"
        );
        assert_eq!(
            text("%u %x %X %#x %o", &[I(-1), I(255), I(255), I(255), I(8)]),
            "4294967295 ff FF 0xff 10"
        );
        assert_eq!(
            text("%lld %llu %hd", &[L(-5_000_000_000), L(5_000_000_000), I(3)]),
            "-5000000000 5000000000 3"
        );
        assert_eq!(
            text("%.3d|%6.3d|%.0d|%*d", &[I(7), I(7), I(0), I(4), I(1)]),
            "007|   007||   1"
        );
        assert_eq!(text("%c%%%c", &[I(65), I(66)]), "A%B");
        assert_eq!(text("%p", &[L(0x7f00)]), "0x7f00");
    }

    #[test]
    fn floats() {
        use Arg::*;
        assert_eq!(
            text("%f %.2f %8.3f|%-8.1f|", &[D(1.5), D(2.675), D(3.21459), D(2.25)]),
            "1.500000 2.67    3.215|2.2     |"
        );
        assert_eq!(
            text("%e %.0e %E", &[D(12345.678), D(0.5), D(0.0)]),
            "1.234568e+04 5e-01 0.000000E+00"
        );
        assert_eq!(
            text("%g %g %g %g %g", &[D(100000.0), D(1e6), D(0.0001), D(0.00001), D(0.1)]),
            "100000 1e+06 0.0001 1e-05 0.1"
        );
        assert_eq!(
            text("%f %F %5.1f|%05.1f", &[D(f64::INFINITY), D(f64::NAN), D(-0.0), D(-1.5)]),
            "inf NAN  -0.0|-01.5"
        );
        assert_eq!(text("%a %.1a", &[D(3.0), D(1.97)]), "0x1.8p+1 0x2.0p+0");
    }

    #[test]
    fn mixed_arguments_are_aligned() {
        use Arg::*;
        assert_eq!(text("%d %f %d %lld", &[I(1), D(0.5), I(2), L(3)]), "1 0.500000 2 3");
        assert_eq!(count_directives(b"%d %% %s"), 2);
    }

    #[test]
    fn odd_formats_do_no_harm() {
        for pattern in ["%", "%5", "%y", "100%", "%.", "%l", "%-"] {
            text(pattern, &[]);
        }
    }
}
