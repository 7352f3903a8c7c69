//! The blocks of ARCHITECTURE.md: a section `### Layers of <folder>` and in it a fenced `text` block
//! with one row a line, `module, module  -- what it is`.

/// The rows of one crate, the topmost first. A row may import only rows above it.
#[derive(Debug, PartialEq, Eq)]
pub struct Layers {
    /// The crate's source folder, as the heading names it.
    pub folder: String,
    /// The modules of each row, as paths below the crate's root.
    pub rows: Vec<Vec<String>>,
}

impl Layers {
    /// The row of a module, and its name there: its own, or that of the module around it that is listed.
    pub fn row_of(&self, module: &str) -> Option<(usize, &str)> {
        let mut name = module;
        loop {
            let found = self.rows.iter().enumerate().find_map(|(index, row)| {
                row.iter().find(|listed| *listed == name).map(|listed| (index, listed.as_str()))
            });
            if found.is_some() {
                return found;
            }
            name = name.rsplit_once("::")?.0;
        }
    }
}

/// All blocks of a text, or what is wrong with them.
///
/// # Errors
/// Every mistake, each with its line.
pub fn parse(text: &str) -> Result<Vec<Layers>, Vec<String>> {
    let (mut found, mut errors) = (Vec::<Layers>::new(), Vec::new());
    // Some: inside the block of this heading.
    let mut heading: Option<(usize, &str)> = None;
    let mut block: Option<Layers> = None;
    for (number, line) in (1..).zip(text.lines()) {
        if let Some(open) = &mut block {
            if line.trim() == "```" {
                found.extend(block.take());
                continue;
            }
            match row(line) {
                Ok(names) => {
                    for name in
                        names.iter().filter(|name| open.rows.iter().flatten().any(|n| n == *name))
                    {
                        errors.push(format!("line {number}: `{name}` is listed twice"));
                    }
                    open.rows.push(names);
                }
                Err(problem) => errors.push(format!("line {number}: {problem}")),
            }
        } else if let Some(folder) = line.strip_prefix("### Layers of ") {
            heading = Some((number, folder.trim().trim_matches('`').trim_end_matches('/')));
        } else if line.trim() == "```text"
            && let Some((_, folder)) = heading.take()
        {
            block = Some(Layers { folder: folder.to_owned(), rows: Vec::new() });
        } else if line.starts_with('#')
            && let Some((at, folder)) = heading.take()
        {
            errors.push(format!("line {at}: no ```text block follows `Layers of {folder}`"));
        }
    }
    if let Some((at, folder)) = heading {
        errors.push(format!("line {at}: no ```text block follows `Layers of {folder}`"));
    }
    if let Some(open) = block {
        errors.push(format!("the block of `Layers of {}` does not end", open.folder));
    }
    if errors.is_empty() { Ok(found) } else { Err(errors) }
}

fn row(line: &str) -> Result<Vec<String>, String> {
    let Some((names, what)) = line.split_once("--") else {
        return Err(format!("`{line}` does not say what it is after `--`"));
    };
    if what.trim().is_empty() {
        return Err(format!("`{line}` says nothing after `--`"));
    }
    names
        .split(',')
        .map(|name| {
            let name = name.trim();
            let is_word = |part: &str| {
                !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            };
            if name.split("::").all(is_word) {
                Ok(name.to_owned())
            } else {
                Err(format!("`{name}` is no module path"))
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_from_the_top() {
        let text =
            "## x\n### Layers of `a/src`\nwords\n\n```text\ne  -- errors\nb, c::d   -- two\n```\n";
        let layers = parse(text).unwrap();
        let rows = vec![vec!["e".to_owned()], vec!["b".to_owned(), "c::d".to_owned()]];
        assert_eq!(layers, [Layers { folder: "a/src".to_owned(), rows }]);
        assert_eq!(layers[0].row_of("b::x::y"), Some((1, "b")));
        assert_eq!(layers[0].row_of("c::d"), Some((1, "c::d")));
        assert_eq!(layers[0].row_of("c"), None);
    }

    #[test]
    fn other_blocks_are_not_read() {
        assert_eq!(parse("### Other\n```text\nno row\n```\n").unwrap(), []);
    }

    #[test]
    fn every_mistake_is_reported() {
        let fails = |text: &str, parts: &[&str]| {
            let errors = parse(text).unwrap_err();
            assert_eq!(errors.len(), parts.len(), "{errors:?}");
            for (error, part) in errors.iter().zip(parts) {
                assert!(error.contains(part), "{error}");
            }
        };
        fails("### Layers of a\n```text\nb\nc --\nd. -- x\n```", &["line 3", "line 4", "`d.`"]);
        fails("### Layers of a\n```text\nb -- x\nb -- x\n```", &["`b` is listed twice"]);
        fails("### Layers of a\n## Next\n", &["line 1: no ```text block"]);
        fails("### Layers of a\n", &["line 1: no ```text block"]);
        fails("### Layers of a\n```text\nb -- x\n", &["does not end"]);
    }
}
