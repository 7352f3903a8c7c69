//! Names: from symbols to Rust paths and PTX identifiers.

/// The Rust path that a symbol stands for, without hashes: `core::panicking::panic_fmt`.
///
/// Symbols that are no Rust symbols stand for themselves.
pub(crate) fn path_of(symbol: &str) -> String {
    // LLVM appends `.123` to names that were taken when modules were linked.
    let bare = match symbol.rsplit_once('.') {
        Some((bare, number)) if number.bytes().all(|b| b.is_ascii_digit()) => bare,
        _ => symbol,
    };
    format!("{:#}", rustc_demangle::demangle(bare))
}

/// A PTX identifier for a kernel's type name: `a::saxpy<f32>` becomes `saxpy_f32`.
///
/// PTX ISA 4.4: identifiers start with a letter and go on with letters, digits, `_` and `$`.
pub(super) fn entry_name(type_name: &str) -> String {
    const LONGEST: usize = 80;
    let generics = type_name.find('<').unwrap_or(type_name.len());
    let (path, generics) = type_name.split_at(generics);
    let function = path.rsplit("::").next().unwrap_or(path);
    let mut name = String::new();
    for c in function.chars().chain(generics.chars()) {
        if c.is_ascii_alphanumeric() {
            name.push(c);
        } else if !name.ends_with('_') {
            name.push('_');
        }
        if name.len() >= LONGEST {
            break;
        }
    }
    let name = name.trim_matches('_');
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) && !is_reserved(name) {
        name.to_owned()
    } else {
        format!("kernel_{name}")
    }
}

/// Words that PTX reserves (PTX ISA 4.3.2) and a kernel might be called.
fn is_reserved(name: &str) -> bool {
    const INSTRUCTIONS: &str = " abs add and applypriority atom bar barrier bfe bfi bmsk bra brev \
        brkpt brx call clz cnot copysign cos cvt cvta discard div dp2a dp4a elect ex2 exit fence \
        fma fns getctarank isspacep istypep ld ldmatrix ldu lg2 lop3 mad mapa match max mbarrier \
        membar min mma mov movmatrix mul nanosleep neg not or pmevent popc prefetch prmt rcp red \
        redux rem ret rsqrt sad selp set setp shf shfl shl shr sin slct sqrt st stmatrix sub suld \
        sured sust szext tanh testp tex tld4 trap txq vote wmma xor ";
    INSTRUCTIONS.split_whitespace().any(|word| word == name)
}

/// Module path and line of a launch site's identity (`module:line:column`).
pub(super) fn site_place(site: &str) -> (String, String) {
    let site = site.strip_suffix(":test").unwrap_or(site);
    let mut parts = site.rsplitn(3, ':');
    let (_column, line, module) = (parts.next(), parts.next(), parts.next());
    (format!("`{}`", module.unwrap_or(site)), line.unwrap_or("?").to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entry_names_are_identifiers() {
        assert_eq!(entry_name("a::b::saxpy<f32>"), "saxpy_f32");
        assert_eq!(entry_name("a::map<f32, a::main::{{closure}}>"), "map_f32_a_main_closure");
        assert_eq!(entry_name("a::add"), "kernel_add");
        assert_eq!(entry_name("größe::_1"), "kernel_1");
    }

    #[test]
    fn paths_have_no_hashes() {
        let symbol = "_RNvNtCsgEmfK2I1SDS_4core9panicking9panic_fmt";
        assert_eq!(path_of(symbol), "core::panicking::panic_fmt");
        assert_eq!(path_of(&format!("{symbol}.17")), "core::panicking::panic_fmt");
        assert_eq!(path_of("vprintf"), "vprintf");
    }

    #[test]
    fn sites_split_from_the_right() {
        assert_eq!(site_place("a::b:12:5:test"), ("`a::b`".to_owned(), "12".to_owned()));
    }
}
