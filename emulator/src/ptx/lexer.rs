//! Tokens of PTX text (PTX ISA, section 4: Syntax).

/// One token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Token<'a> {
    /// A name: keyword of an instruction, register, label, variable. Includes a leading `%`, `$` or `_`.
    Name(&'a str),
    /// A dotted word without its dot: directive, type, modifier, component. May hold `::`.
    Dot(&'a str),
    /// An integer literal, modulo 2^64.
    Int(u64),
    /// A single-precision literal, as bits.
    F32(u32),
    /// A double-precision literal, as bits.
    F64(u64),
    /// The contents of a string literal.
    Text(&'a str),
    /// Any other character with a meaning.
    Punct(u8),
    /// A character that starts no token, or a literal that is malformed.
    Bad(&'a str),
    /// The end of the text.
    End,
}

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spanned<'a> {
    pub(crate) token: Token<'a>,
    /// Byte offset of its first character.
    pub(crate) start: usize,
    /// Byte offset after its last character.
    pub(crate) end: usize,
    /// Line, from 1.
    pub(crate) line: u32,
}

/// Splits PTX text into tokens; the last is always [`Token::End`].
pub(crate) fn tokens(source: &str) -> Vec<Spanned<'_>> {
    let mut lexer = Lexer { source, bytes: source.as_bytes(), at: 0, line: 1 };
    let mut out = Vec::with_capacity(source.len() / 4 + 1);
    loop {
        lexer.skip_blank();
        let (start, line) = (lexer.at, lexer.line);
        let token = lexer.next();
        out.push(Spanned { token, start, end: lexer.at, line });
        if token == Token::End {
            return out;
        }
    }
}

struct Lexer<'a> {
    source: &'a str,
    bytes: &'a [u8],
    at: usize,
    line: u32,
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$'
}

impl<'a> Lexer<'a> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn bump(&mut self) {
        if self.peek(0) == b'\n' {
            self.line += 1;
        }
        self.at += 1;
    }

    fn skip_blank(&mut self) {
        while self.at < self.bytes.len() {
            match (self.peek(0), self.peek(1)) {
                (b'/', b'/') => {
                    while self.at < self.bytes.len() && self.peek(0) != b'\n' {
                        self.at += 1;
                    }
                }
                (b'/', b'*') => {
                    self.at += 2;
                    while self.at < self.bytes.len()
                        && !(self.peek(0) == b'*' && self.peek(1) == b'/')
                    {
                        self.bump();
                    }
                    self.at = (self.at + 2).min(self.bytes.len());
                }
                (byte, _) if byte.is_ascii_whitespace() || byte == 0 => self.bump(),
                _ => return,
            }
        }
    }

    fn take_while(&mut self, keep: impl Fn(u8) -> bool) -> &'a str {
        let start = self.at;
        while self.at < self.bytes.len() && keep(self.bytes[self.at]) {
            self.at += 1;
        }
        self.source.get(start..self.at).unwrap_or("")
    }

    fn next(&mut self) -> Token<'a> {
        if self.at >= self.bytes.len() {
            return Token::End;
        }
        let byte = self.peek(0);
        match byte {
            b'0'..=b'9' => self.number(),
            b'.' if is_word(self.peek(1)) => {
                self.at += 1;
                Token::Dot(self.dotted())
            }
            b'"' => self.text(),
            b'%' if is_word(self.peek(1)) => self.name(),
            _ if is_word(byte) => self.name(),
            b'!'..=b'~' => {
                self.at += 1;
                Token::Punct(byte)
            }
            _ => {
                let start = self.at;
                self.at += 1;
                while self.at < self.bytes.len() && !self.source.is_char_boundary(self.at) {
                    self.at += 1;
                }
                Token::Bad(self.source.get(start..self.at).unwrap_or(""))
            }
        }
    }

    fn name(&mut self) -> Token<'a> {
        let start = self.at;
        self.at += 1;
        self.take_while(is_word);
        Token::Name(&self.source[start..self.at])
    }

    fn dotted(&mut self) -> &'a str {
        let start = self.at;
        loop {
            self.take_while(is_word);
            if self.peek(0) == b':' && self.peek(1) == b':' && is_word(self.peek(2)) {
                self.at += 2;
            } else {
                return &self.source[start..self.at];
            }
        }
    }

    fn text(&mut self) -> Token<'a> {
        let start = self.at + 1;
        self.at += 1;
        while self.at < self.bytes.len() && self.peek(0) != b'"' && self.peek(0) != b'\n' {
            self.at += 1;
        }
        let text = self.source.get(start..self.at).unwrap_or("");
        if self.peek(0) == b'"' {
            self.at += 1;
            Token::Text(text)
        } else {
            Token::Bad(text)
        }
    }

    fn number(&mut self) -> Token<'a> {
        let start = self.at;
        if self.peek(0) == b'0' {
            let digits = match self.peek(1) {
                b'f' | b'F' => 8,
                b'd' | b'D' => 16,
                _ => 0,
            };
            if digits != 0 {
                self.at += 2;
                let text = self.take_while(|byte| byte.is_ascii_alphanumeric());
                return match u64::from_str_radix(text, 16) {
                    Ok(bits) if text.len() == 8 && digits == 8 => Token::F32(bits as u32),
                    Ok(bits) if text.len() == 16 && digits == 16 => Token::F64(bits),
                    _ => Token::Bad(&self.source[start..self.at]),
                };
            }
        }
        let word = self.take_while(|byte| byte.is_ascii_alphanumeric());
        if self.peek(0) == b'.' && self.peek(1).is_ascii_digit() {
            self.at += 1;
            self.take_while(|byte| byte.is_ascii_alphanumeric());
            if matches!(self.bytes[self.at - 1], b'e' | b'E') && matches!(self.peek(0), b'+' | b'-')
            {
                self.at += 1;
                self.take_while(|byte| byte.is_ascii_digit());
            }
            let text = &self.source[start..self.at];
            return text.parse::<f64>().map_or(Token::Bad(text), |v| Token::F64(v.to_bits()));
        }
        let digits = word.trim_end_matches(['U', 'u']);
        let value = if let Some(hex) = digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
            u64::from_str_radix(hex, 16)
        } else if let Some(binary) = digits.strip_prefix("0b").or(digits.strip_prefix("0B")) {
            u64::from_str_radix(binary, 2)
        } else if digits.len() > 1 && digits.starts_with('0') {
            u64::from_str_radix(digits, 8)
        } else {
            digits.parse()
        };
        value.map_or(Token::Bad(word), Token::Int)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(source: &str) -> Vec<Token<'_>> {
        tokens(source).into_iter().map(|spanned| spanned.token).collect()
    }

    #[test]
    fn instructions_split_at_dots() {
        assert_eq!(
            kinds("@%p1 ld.global.L1::no_allocate.b32 %r1, [%rd2+-4];"),
            [
                Token::Punct(b'@'),
                Token::Name("%p1"),
                Token::Name("ld"),
                Token::Dot("global"),
                Token::Dot("L1::no_allocate"),
                Token::Dot("b32"),
                Token::Name("%r1"),
                Token::Punct(b','),
                Token::Punct(b'['),
                Token::Name("%rd2"),
                Token::Punct(b'+'),
                Token::Punct(b'-'),
                Token::Int(4),
                Token::Punct(b']'),
                Token::Punct(b';'),
                Token::End,
            ]
        );
    }

    #[test]
    fn literals() {
        assert_eq!(
            kinds("0x1F 017 0b101 12U 0f3F800000 0d3FF0000000000000 1.5 \"a b\""),
            [
                Token::Int(31),
                Token::Int(15),
                Token::Int(5),
                Token::Int(12),
                Token::F32(0x3f80_0000),
                Token::F64(0x3ff0_0000_0000_0000),
                Token::F64(1.5f64.to_bits()),
                Token::Text("a b"),
                Token::End,
            ]
        );
    }

    #[test]
    fn malformed_text_gives_bad_tokens_and_ends() {
        for source in ["0fXYZ", "99999999999999999999999", "\"open", "é", "/* open", "0x"] {
            let all = kinds(source);
            assert_eq!(all.last(), Some(&Token::End), "{source}");
            assert!(all.len() == 1 || matches!(all[0], Token::Bad(_)), "{source}: {all:?}");
        }
    }

    #[test]
    fn lines_are_counted_through_comments() {
        let all = tokens("/* a\n b */ add\n// c\n sub");
        assert_eq!((all[0].line, all[1].line), (2, 4));
    }
}
