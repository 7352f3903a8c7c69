//! The value of a string literal from its source.

/// The value of a literal such as `"a\n"` or `r#"a"#`; `None` for other literals.
pub(crate) fn string(literal: &str) -> Option<String> {
    if let Some(raw) = literal.strip_prefix('r') {
        let text = raw.trim_start_matches('#');
        let hashes = raw.len() - text.len();
        let end = text.len().checked_sub(hashes + 1)?;
        return text.get(..end)?.strip_prefix('"').map(str::to_owned);
    }
    unescape(literal.strip_prefix('"')?.strip_suffix('"')?)
}

fn unescape(source: &str) -> Option<String> {
    let mut text = String::new();
    let mut characters = source.chars().peekable();
    while let Some(character) = characters.next() {
        if character != '\\' {
            text.push(character);
            continue;
        }
        match characters.next()? {
            'n' => text.push('\n'),
            'r' => text.push('\r'),
            't' => text.push('\t'),
            '0' => text.push('\0'),
            'x' => {
                let digits: String = characters.by_ref().take(2).collect();
                text.push(u8::from_str_radix(&digits, 16).ok()?.into());
            }
            'u' => {
                let digits: String = characters.by_ref().take_while(|&c| c != '}').collect();
                let digits = digits.strip_prefix('{')?.replace('_', "");
                text.push(char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?);
            }
            '\n' => while characters.next_if(|c| c.is_ascii_whitespace()).is_some() {},
            same @ ('\\' | '"' | '\'') => text.push(same),
            _ => return None,
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::string;

    #[test]
    fn literals() {
        assert_eq!(string(r#""plain""#).as_deref(), Some("plain"));
        assert_eq!(string(r#""a\n\t\\\"\x41\u{e9}""#).as_deref(), Some("a\n\t\\\"A\u{e9}"));
        assert_eq!(string("\"one \\\n      two\"").as_deref(), Some("one two"));
        assert_eq!(string(r##"r#"raw "\n" text"#"##).as_deref(), Some(r#"raw "\n" text"#));
        assert_eq!(string(r#"r"raw""#).as_deref(), Some("raw"));
        assert_eq!(string("12"), None);
        assert_eq!(string("b\"bytes\""), None);
        assert_eq!(string("'c'"), None);
    }
}
