//! From Rust names to PTX identifiers.

/// A PTX identifier for a kernel's type name: `a::saxpy<f32>` becomes `saxpy_f32`.
///
/// PTX ISA 4.4: identifiers start with a letter and go on with letters, digits, `_` and `$`.
/// `is_taken` knows the names of the kernel's module, which also has C functions.
pub(super) fn entry_name(type_name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    const MAX_BYTES: usize = 80;
    let generics = type_name.find('<').unwrap_or(type_name.len());
    let (path, generics) = type_name.split_at(generics);
    let path = path.trim_end_matches("::");
    let function = path.rsplit("::").next().unwrap_or(path);
    let mut name = String::new();
    for c in function.chars().chain(generics.chars()) {
        if c.is_ascii_alphanumeric() {
            name.push(c);
        } else if !name.ends_with('_') {
            name.push('_');
        }
        if name.len() >= MAX_BYTES {
            break;
        }
    }
    let name = name.trim_matches('_');
    let is_fine =
        name.starts_with(|c: char| c.is_ascii_alphabetic()) && !ptyx_image::is_reserved(name);
    let mut name = if is_fine { name.to_owned() } else { format!("kernel_{name}") };
    while is_taken(&name) {
        name.insert_str(0, "kernel_");
    }
    name
}

#[cfg(test)]
mod tests {
    fn entry_name(type_name: &str) -> String {
        super::entry_name(type_name, |_| false)
    }

    #[test]
    fn entry_names_are_identifiers() {
        assert_eq!(entry_name("a::b::saxpy<f32>"), "saxpy_f32");
        assert_eq!(entry_name("a::map<f32, a::main::{{closure}}>"), "map_f32_a_main_closure");
        assert_eq!(entry_name("a::b::unsafe_one::<f32>"), "unsafe_one_f32");
        assert_eq!(entry_name("a::add"), "kernel_add");
        assert_eq!(entry_name("größe::_1"), "kernel_1");
        assert_eq!(entry_name("a::vprintf"), "kernel_vprintf");
        assert_eq!(entry_name("a::größe"), "gr_e");
        assert_eq!(entry_name("a::Ω"), "kernel_");
        let taken = |name: &str| ["f", "kernel_f"].contains(&name);
        assert_eq!(super::entry_name("a::f", taken), "kernel_kernel_f");
    }
}
