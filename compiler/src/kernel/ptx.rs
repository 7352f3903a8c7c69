//! The printed PTX: tidied, and the place where launch knobs go.

/// Drops comments, empty lines and trailing blanks, which the driver would have to skip every time.
pub(crate) fn tidy(text: &str) -> String {
    let mut tidy = String::with_capacity(text.len());
    for line in text.lines() {
        // PTX ISA 4.2: `//` starts a comment. In a string (a `.file` path) it is text.
        let code = match line.find("//") {
            Some(at) if !line[..at].contains('"') => &line[..at],
            _ => line,
        };
        let code = code.trim_end();
        // LLVM prints this section empty.
        if !code.is_empty() && !code.trim_start().starts_with(".section\t.debug_macinfo") {
            tidy.push_str(code);
            tidy.push('\n');
        }
    }
    tidy
}

/// The byte offset after the parameter list of the entry `name`, where PTX expects performance
/// directives (PTX ISA 11.4).
pub(crate) fn directives_at(ptx: &str, name: &str) -> Option<u32> {
    let head = format!(".entry {name}(");
    let start = ptx.find(&head)? + head.len();
    // A parameter list has no parentheses inside.
    let end = start + ptx[start..].find(')')? + 1;
    u32::try_from(end).ok()
}

/// The text without those of the last parameters of the entry `name` that are not read: see
/// `lower::used_limits` and `lower::LaunchInfo`.
pub(crate) fn keep_launch_params(ptx: &str, name: &str, keep: &[bool]) -> String {
    let head = format!(".entry {name}(");
    let list = ptx.find(&head).map(|at| at + head.len());
    let Some((start, end)) = list.and_then(|at| Some((at, at + ptx[at..].find(')')?))) else {
        return ptx.to_owned();
    };
    let params: Vec<&str> = ptx[start..end].split(',').collect();
    let (own, launch) = params.split_at(params.len().saturating_sub(keep.len()));
    let launch = launch.iter().zip(keep).filter(|(_, keep)| **keep).map(|(param, _)| param);
    let kept: Vec<&str> = own.iter().chain(launch).copied().collect();
    let newline = if kept.is_empty() { "" } else { "\n" };
    [&ptx[..start], kept.join(",").trim_end(), newline, &ptx[end..]].concat()
}

/// The text without the version and the target in its head, which differ between variants.
pub(crate) fn body(ptx: &str) -> &str {
    ptx.find(".address_size").map_or(ptx, |at| &ptx[at..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_go_and_strings_stay() {
        let text = "//\n// Generated\n.version 6.3\n\tret; // done\n\n.file 1 \"a//b.rs\"\n";
        assert_eq!(tidy(text), ".version 6.3\n\tret;\n.file 1 \"a//b.rs\"\n");
    }

    #[test]
    fn launch_parameters_go() {
        let ptx = |list: &str| format!("\n.visible .entry k({list})\n{{\n\tret;\n}}\n");
        let panics = "\t.param .u64 k_param_1,\n\t.param .u32 k_param_2";
        let queue = "\t.param .u64 k_param_3,\n\t.param .u32 k_param_4\n";
        let own = "\n\t.param .u64 k_param_0";
        let all = ptx(&format!("{own},\n{panics},\n{queue}"));
        let keep =
            |panics, prints| keep_launch_params(&all, "k", &[panics, panics, prints, prints]);
        assert_eq!(keep(false, false), ptx(&format!("{own}\n")));
        assert_eq!(keep(true, false), ptx(&format!("{own},\n{panics}\n")));
        assert_eq!(keep(false, true), ptx(&format!("{own},\n{queue}")));
        assert_eq!(keep(true, true), all);
        let hidden = ptx(&format!("\n{panics},\n{queue}"));
        assert_eq!(keep_launch_params(&hidden, "k", &[false; 4]), ptx(""));
        assert_eq!(keep_launch_params(&all, "missing", &[false; 4]), all);
    }

    #[test]
    fn directives_go_behind_the_parameters() {
        let ptx = ".visible .entry k2(\n)\n{}\n.visible .entry k(\n\t.param .u64 k_param_0\n)\n{\n";
        let at = directives_at(ptx, "k").unwrap() as usize;
        assert_eq!(&ptx[at..], "\n{\n");
        assert_eq!(directives_at(ptx, "missing"), None);
    }
}
