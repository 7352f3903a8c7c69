//! The grammar of PTX directives and statements (PTX ISA, sections 4, 5 and 11).
//!
//! The parser does not stop at a mistake: it records it, skips to the end of the statement and goes on.

use super::ast::*;
use super::lexer::{Spanned, Token, tokens};
use super::types::{Space, Type};
use crate::error::Diagnostic;

/// The number of mistakes after which parsing stops.
pub(super) const MAX_ERRORS: usize = 100;
/// Braces inside an initialiser or operand nest no deeper than this.
pub(super) const MAX_NESTING: u32 = 16;
/// No variable is larger than this.
const MAX_VARIABLE: u64 = 1 << 40;

pub(crate) struct Parser<'a> {
    source: &'a str,
    pub(super) tokens: Vec<Spanned<'a>>,
    pub(super) at: usize,
    pub(crate) errors: Vec<Diagnostic>,
}

/// A mistake was recorded; the caller skips to a place where it can go on.
pub(crate) struct Noted;
pub(super) type Parsed<T> = Result<T, Noted>;

impl<'a> Parser<'a> {
    pub(crate) fn new(source: &'a str) -> Self {
        Parser { source, tokens: tokens(source), at: 0, errors: Vec::new() }
    }

    // --- tokens -----------------------------------------------------------------------------------

    pub(super) fn peek(&self) -> Token<'a> {
        self.tokens[self.at].token
    }

    pub(super) fn peek_after(&self, ahead: usize) -> Token<'a> {
        self.tokens.get(self.at + ahead).map_or(Token::End, |spanned| spanned.token)
    }

    pub(super) fn line(&self) -> u32 {
        self.tokens[self.at].line
    }

    pub(super) fn advance(&mut self) -> Token<'a> {
        let token = self.peek();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        token
    }

    pub(super) fn eat(&mut self, punct: u8) -> bool {
        let found = self.peek() == Token::Punct(punct);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn eat_dot(&mut self, word: &str) -> bool {
        let found = self.peek() == Token::Dot(word);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn expect(&mut self, punct: u8) -> Parsed<()> {
        if self.eat(punct) {
            return Ok(());
        }
        Err(self.unexpected(&format!("`{}`", punct as char)))
    }

    pub(super) fn name(&mut self, what: &str) -> Parsed<&'a str> {
        match self.peek() {
            Token::Name(name) => {
                self.advance();
                Ok(name)
            }
            _ => Err(self.unexpected(what)),
        }
    }

    pub(super) fn int(&mut self) -> Parsed<u64> {
        let negative = self.eat(b'-');
        match self.peek() {
            Token::Int(value) => {
                self.advance();
                Ok(if negative { value.wrapping_neg() } else { value })
            }
            _ => Err(self.unexpected("an integer")),
        }
    }

    pub(super) fn small(&mut self) -> Parsed<u32> {
        let line = self.line();
        let value = self.int()?;
        u32::try_from(value)
            .map_err(|_| self.note(line, format!("{value} does not fit into 32 bits")))
    }

    // --- errors -----------------------------------------------------------------------------------

    pub(super) fn note(&mut self, line: u32, message: String) -> Noted {
        let text = self.source.lines().nth(line as usize - 1).unwrap_or("").trim();
        let text: String = text.chars().take(120).collect();
        let diagnostic = Diagnostic { line, text, message };
        if self.errors.len() < MAX_ERRORS && self.errors.last() != Some(&diagnostic) {
            self.errors.push(diagnostic);
        }
        Noted
    }

    pub(super) fn unexpected(&mut self, wanted: &str) -> Noted {
        let found = match self.peek() {
            Token::Name(name) => format!("`{name}`"),
            Token::Dot(name) => format!("`.{name}`"),
            Token::Int(value) => format!("`{value}`"),
            Token::F32(_) | Token::F64(_) => "a floating-point number".to_owned(),
            Token::Text(text) => format!("\"{text}\""),
            Token::Punct(byte) => format!("`{}`", byte as char),
            Token::Bad(text) => format!("`{text}`, which is not valid PTX"),
            Token::End => "the end of the text".to_owned(),
        };
        self.note(self.line(), format!("expected {wanted}, found {found}"))
    }

    /// Skips past the next `;`, or up to a brace or the end.
    pub(super) fn skip_statement(&mut self) {
        loop {
            match self.peek() {
                Token::End | Token::Punct(b'}') => return,
                Token::Punct(b';') => {
                    self.advance();
                    return;
                }
                _ => {
                    self.advance();
                }
            }
        }
    }

    /// Skips to what may be the next item of module scope.
    fn skip_item(&mut self) {
        loop {
            match self.peek() {
                Token::End => return,
                Token::Punct(b'{') => return self.skip_braces(),
                Token::Punct(b';' | b'}') => {
                    self.advance();
                    return;
                }
                Token::Dot(
                    "visible" | "entry" | "func" | "global" | "const" | "extern" | "weak"
                    | "target" | "address_size" | "file" | "section",
                ) => return,
                _ => {
                    self.advance();
                }
            }
        }
    }

    pub(super) fn skip_braces(&mut self) {
        let mut depth = 0u32;
        loop {
            match self.advance() {
                Token::End => return,
                Token::Punct(b'{') => depth += 1,
                Token::Punct(b'}') if depth <= 1 => return,
                Token::Punct(b'}') => depth -= 1,
                _ => {}
            }
        }
    }

    // --- module scope -----------------------------------------------------------------------------

    pub(crate) fn module(&mut self) -> Module<'a> {
        let mut module = Module::default();
        if self.peek() != Token::Dot("version") {
            self.note(self.line(), "PTX must begin with `.version`".to_owned());
        }
        while self.peek() != Token::End && self.errors.len() < MAX_ERRORS {
            let before = self.at;
            if self.module_item(&mut module).is_err() {
                self.skip_item();
            }
            if self.at == before {
                self.advance();
            }
        }
        module
    }

    fn module_item(&mut self, module: &mut Module<'a>) -> Parsed<()> {
        let mut linkage = "";
        loop {
            let Token::Dot(word) = self.peek() else {
                return Err(self.unexpected("a directive"));
            };
            match word {
                "visible" | "weak" | "common" | "extern" => {
                    linkage = word;
                    self.advance();
                }
                "version" => {
                    self.advance();
                    if !matches!(self.advance(), Token::F64(_)) {
                        return Err(self.unexpected("a version such as 8.0"));
                    }
                    return Ok(());
                }
                "target" => {
                    self.advance();
                    module.target = self.name("an architecture such as sm_90")?;
                    while self.eat(b',') {
                        self.name("a target option")?;
                    }
                    return Ok(());
                }
                "address_size" => {
                    self.advance();
                    let line = self.line();
                    if self.int()? != 64 {
                        return Err(self.note(line, "only 64-bit addresses are supported".into()));
                    }
                    return Ok(());
                }
                "file" => return self.file(module),
                "section" => return self.section(module),
                "pragma" | "alias" => {
                    self.skip_statement();
                    return Ok(());
                }
                "entry" | "func" => {
                    let function = self.function()?;
                    module.note(function.name, if function.entry { "visible" } else { linkage });
                    module.functions.push(function);
                    return Ok(());
                }
                "global" | "const" | "shared" => {
                    let variables = self.variables(linkage == "extern")?;
                    variables.iter().for_each(|variable| module.note(variable.name, linkage));
                    module.variables.extend(variables);
                    return Ok(());
                }
                _ => return Err(self.unexpected("a directive of module scope")),
            }
        }
    }

    fn file(&mut self, module: &mut Module<'a>) -> Parsed<()> {
        self.advance();
        let number = self.small()?;
        let Token::Text(path) = self.peek() else {
            return Err(self.unexpected("a file's path"));
        };
        self.advance();
        while self.eat(b',') {
            self.int()?;
        }
        module.files.push((number, path));
        Ok(())
    }

    /// A debug section: only its labelled byte strings matter here.
    fn section(&mut self, module: &mut Module<'a>) -> Parsed<()> {
        self.advance();
        self.advance();
        self.expect(b'{')?;
        let mut label: Option<(&'a str, Vec<u8>)> = None;
        loop {
            match self.advance() {
                Token::End | Token::Punct(b'}') => break,
                Token::Name(name) if self.eat(b':') => {
                    Self::finish_string(module, label.take());
                    label = Some((name, Vec::new()));
                }
                Token::Int(byte) => {
                    if let Some((_, bytes)) = &mut label {
                        bytes.push(byte as u8);
                    }
                }
                _ => {}
            }
        }
        Self::finish_string(module, label);
        Ok(())
    }

    fn finish_string(module: &mut Module<'a>, label: Option<(&'a str, Vec<u8>)>) {
        if let Some((name, bytes)) = label {
            let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
            if let Ok(text) = std::str::from_utf8(&bytes[..end]) {
                module.strings.push((name, text.to_owned()));
            }
        }
    }

    // --- variables --------------------------------------------------------------------------------

    /// `.global .align 4 .b8 a[4] = {1}, b;`
    pub(super) fn variables(&mut self, external: bool) -> Parsed<Vec<Variable<'a>>> {
        let Token::Dot(space) = self.advance() else { return Err(self.unexpected("a space")) };
        let space = Space::from_name(space).unwrap_or(Space::Global);
        let (ty, lanes, align) = self.element()?;
        let mut out = Vec::new();
        loop {
            let line = self.line();
            let name = self.name("a variable's name")?;
            let count = self.dimensions()?;
            let mut initialiser = Vec::new();
            if self.eat(b'=') {
                self.initialiser(&mut initialiser, 0)?;
            }
            let element = u64::from(ty.size() * lanes);
            let size = match count {
                None if initialiser.is_empty() => None,
                None => Some(initialiser.len() as u64 * u64::from(ty.size())),
                Some(count) => Some(element.saturating_mul(count)),
            };
            if size.is_some_and(|size| size > MAX_VARIABLE) {
                return Err(self.note(line, format!("variable `{name}` is too large")));
            }
            if size.is_some_and(|s| initialiser.len() as u64 * u64::from(ty.size()) > s) {
                return Err(
                    self.note(line, format!("`{name}` has more initialisers than elements"))
                );
            }
            out.push(Variable {
                name,
                space,
                ty,
                size,
                align: align.max(element.min(16)).max(1),
                external,
                initialiser,
                line,
            });
            if !self.eat(b',') {
                break;
            }
        }
        self.expect(b';')?;
        Ok(out)
    }

    /// `.align n`, `.v2`/`.v4` and the type, plus attributes that mean nothing here.
    pub(super) fn element(&mut self) -> Parsed<(Type, u32, u64)> {
        let (mut lanes, mut align) = (1, 0);
        loop {
            let Token::Dot(word) = self.peek() else { return Err(self.unexpected("a type")) };
            let line = self.line();
            self.advance();
            match word {
                "align" => {
                    align = self.int()?;
                    if !align.is_power_of_two() || align > 1 << 20 {
                        return Err(self.note(line, format!("{align} is no alignment")));
                    }
                }
                "v2" => lanes = 2,
                "v4" => lanes = 4,
                "ptr" | "global" | "const" | "shared" | "local" => {}
                "attribute" => {
                    self.expect(b'(')?;
                    while !self.eat(b')') {
                        if self.advance() == Token::End {
                            return Err(self.unexpected("`)`"));
                        }
                    }
                }
                _ => match Type::from_name(word) {
                    Some(ty) => return Ok((ty, lanes, align)),
                    None => return Err(self.note(line, format!("`.{word}` is no type"))),
                },
            }
        }
    }

    /// `[4][2]`, `[]` or nothing; the number of elements.
    fn dimensions(&mut self) -> Parsed<Option<u64>> {
        let mut count = Some(1u64);
        while self.eat(b'[') {
            if self.eat(b']') {
                count = None;
                continue;
            }
            let next = self.int()?;
            count = count.map(|count| count.saturating_mul(next));
            self.expect(b']')?;
        }
        Ok(count)
    }

    fn initialiser(&mut self, out: &mut Vec<Initial<'a>>, depth: u32) -> Parsed<()> {
        if depth > MAX_NESTING {
            return Err(self.unexpected("fewer nested braces"));
        }
        if !self.eat(b'{') {
            out.push(self.initial()?);
            return Ok(());
        }
        while !self.eat(b'}') {
            self.initialiser(out, depth + 1)?;
            if !self.eat(b',') {
                self.expect(b'}')?;
                break;
            }
        }
        Ok(())
    }

    /// One scalar: a number, `name`, `name+4`, `generic(name)+4` or `0xFF00(name)`.
    fn initial(&mut self) -> Parsed<Initial<'a>> {
        match self.peek() {
            Token::F32(bits) => {
                self.advance();
                Ok(Initial::F32(bits))
            }
            Token::F64(bits) => {
                self.advance();
                Ok(Initial::F64(bits))
            }
            Token::Punct(b'-') if matches!(self.peek_after(1), Token::F32(_) | Token::F64(_)) => {
                self.advance();
                match self.advance() {
                    Token::F32(bits) => Ok(Initial::F32(bits ^ 0x8000_0000)),
                    Token::F64(bits) => Ok(Initial::F64(bits ^ (1 << 63))),
                    _ => Err(self.unexpected("a number")),
                }
            }
            Token::Name(name) => {
                self.advance();
                let wrapped = name == "generic" && self.eat(b'(');
                let name = if wrapped { self.name("a variable's name")? } else { name };
                if wrapped {
                    self.expect(b')')?;
                }
                let offset = self.offset()?;
                Ok(Initial::Address { name, generic: wrapped, offset, shift: 0 })
            }
            Token::Int(mask) if self.peek_after(1) == Token::Punct(b'(') => {
                let line = self.line();
                self.advance();
                self.advance();
                let inner = self.initial()?;
                self.expect(b')')?;
                match inner {
                    Initial::Address { name, generic, offset, .. } if mask != 0 => {
                        let shift = mask.trailing_zeros();
                        Ok(Initial::Address { name, generic, offset, shift })
                    }
                    _ => Err(self.note(line, "a mask needs an address".into())),
                }
            }
            _ => Ok(Initial::Bits(self.sum()?)),
        }
    }

    /// `+4`, `-4`, `+-4`, any number of them, or nothing.
    pub(super) fn offset(&mut self) -> Parsed<i64> {
        let mut offset = 0i64;
        loop {
            let sign = match self.peek() {
                Token::Punct(b'+') => 1,
                Token::Punct(b'-') => -1,
                _ => return Ok(offset),
            };
            self.advance();
            offset = offset.wrapping_add((self.int()? as i64).wrapping_mul(sign));
        }
    }

    pub(super) fn sum(&mut self) -> Parsed<u64> {
        let first = self.int()?;
        Ok(first.wrapping_add(self.offset()? as u64))
    }

    // --- functions --------------------------------------------------------------------------------

    fn function(&mut self) -> Parsed<Function<'a>> {
        let entry = self.advance() == Token::Dot("entry");
        let returns = if self.peek() == Token::Punct(b'(') { self.params()? } else { Vec::new() };
        let line = self.line();
        let name = self.name("a function's name")?;
        let params = if self.peek() == Token::Punct(b'(') { self.params()? } else { Vec::new() };
        let limits = self.limits()?;
        let body = if self.eat(b';') {
            None
        } else {
            self.expect(b'{')?;
            Some(self.body())
        };
        Ok(Function { name, entry, returns, params, limits, body, line })
    }

    fn params(&mut self) -> Parsed<Vec<Param<'a>>> {
        self.expect(b'(')?;
        let mut out = Vec::new();
        while !self.eat(b')') {
            let register = match self.advance() {
                Token::Dot("param") => false,
                Token::Dot("reg") => true,
                _ => return Err(self.unexpected("`.param`")),
            };
            let (ty, align) = self.param_type()?;
            let name = self.name("a parameter's name")?;
            let count = self.dimensions()?.unwrap_or(0);
            out.push(Param {
                name,
                size: u64::from(ty.size()).saturating_mul(count).min(1 << 20),
                align: align.max(u64::from(ty.size())).max(1),
                register: register.then_some(ty),
            });
            if !self.eat(b',') {
                self.expect(b')')?;
                break;
            }
        }
        Ok(out)
    }

    /// `.align 8 .b8`, or `.u64 .ptr .global .align 16`, whose alignment is the pointee's.
    fn param_type(&mut self) -> Parsed<(Type, u64)> {
        let (ty, _, align) = self.element()?;
        let mut pointer = false;
        while let Token::Dot(word) = self.peek() {
            pointer |= word == "ptr";
            self.advance();
            if word == "align" {
                self.int()?;
            }
        }
        Ok((ty, if pointer { 0 } else { align }))
    }

    fn limits(&mut self) -> Parsed<Limits> {
        let mut limits = Limits::default();
        while let Token::Dot(word) = self.peek() {
            self.advance();
            match word {
                "maxntid" => limits.max_threads = Some(self.shape()?),
                "reqntid" => limits.required_threads = Some(self.shape()?),
                "maxnreg" => limits.max_registers = Some(self.small()?),
                "minnctapersm" => limits.min_blocks = Some(self.small()?),
                "maxnctapersm" | "maxclusterrank" => {
                    self.small()?;
                }
                "reqnctapercluster" => limits.required_cluster = Some(self.shape()?),
                "noreturn" | "explicitcluster" | "blocksareclusters" => {}
                "pragma" => self.skip_statement(),
                "attribute" => while !matches!(self.advance(), Token::Punct(b')') | Token::End) {},
                _ => {
                    let line = self.line();
                    return Err(self.note(line, format!("`.{word}` is not a kernel directive")));
                }
            }
        }
        Ok(limits)
    }

    fn shape(&mut self) -> Parsed<[u32; 3]> {
        let mut shape = [1; 3];
        for (index, slot) in shape.iter_mut().enumerate() {
            if index > 0 && !self.eat(b',') {
                break;
            }
            *slot = self.small()?;
        }
        Ok(shape)
    }
}
