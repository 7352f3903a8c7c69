//! The grammar of bodies: statements, instructions and operands (PTX ISA, sections 4.3 and 6).

use super::ast::*;
use super::lexer::Token;
use super::parser::{MAX_ERRORS, MAX_NESTING, Parsed, Parser};

impl<'a> Parser<'a> {
    pub(super) fn body(&mut self) -> Vec<Statement<'a>> {
        let mut out = Vec::new();
        let mut depth = 0u32;
        while self.errors.len() < MAX_ERRORS {
            match self.peek() {
                Token::End => {
                    self.unexpected("`}`");
                    break;
                }
                Token::Punct(b'}') => {
                    self.advance();
                    if depth == 0 {
                        break;
                    }
                    depth -= 1;
                    out.push(Statement::End);
                }
                Token::Punct(b'{') => {
                    self.advance();
                    depth += 1;
                    out.push(Statement::Begin);
                }
                Token::Punct(b';') => {
                    self.advance();
                }
                _ => {
                    if self.statement(&mut out).is_err() {
                        self.skip_statement();
                    }
                }
            }
        }
        out
    }

    fn statement(&mut self, out: &mut Vec<Statement<'a>>) -> Parsed<()> {
        match self.peek() {
            Token::Dot("reg") => self.registers(out),
            Token::Dot("loc") => {
                let loc = self.loc()?;
                out.push(Statement::Loc(loc));
                Ok(())
            }
            Token::Dot("pragma") => {
                self.skip_statement();
                Ok(())
            }
            Token::Dot("local" | "shared" | "param" | "global" | "const") => {
                let variables = self.variables(false)?;
                out.extend(variables.into_iter().map(Statement::Variable));
                Ok(())
            }
            Token::Dot("section") => {
                self.advance();
                self.skip_braces();
                Ok(())
            }
            Token::Name(name) if self.peek_after(1) == Token::Punct(b':') => {
                self.advance();
                self.advance();
                self.labelled(name, out)
            }
            Token::Name(_) | Token::Punct(b'@') => {
                let instruction = self.instruction()?;
                out.push(Statement::Instruction(instruction));
                Ok(())
            }
            _ => Err(self.unexpected("a statement")),
        }
    }

    fn labelled(&mut self, name: &'a str, out: &mut Vec<Statement<'a>>) -> Parsed<()> {
        if self.eat_dot("branchtargets") {
            let mut labels = vec![self.name("a label")?];
            while self.eat(b',') {
                labels.push(self.name("a label")?);
            }
            self.expect(b';')?;
            out.push(Statement::Targets { name, labels });
        } else if self.peek() == Token::Dot("callprototype") {
            self.skip_statement();
            out.push(Statement::Prototype);
        } else {
            out.push(Statement::Label(name));
        }
        Ok(())
    }

    fn registers(&mut self, out: &mut Vec<Statement<'a>>) -> Parsed<()> {
        self.advance();
        let (ty, _, _) = self.element()?;
        loop {
            let line = self.line();
            let name = self.name("a register's name")?;
            let mut count = None;
            if self.eat(b'<') {
                let number = self.small()?;
                if number > 1 << 20 {
                    return Err(self.note(line, format!("{number} registers are too many")));
                }
                count = Some(number);
                self.expect(b'>')?;
            }
            out.push(Statement::Registers(Registers { name, count, ty, line }));
            if !self.eat(b',') {
                break;
            }
        }
        self.expect(b';')
    }

    fn loc(&mut self) -> Parsed<Loc<'a>> {
        self.advance();
        let (file, line, column) = (self.small()?, self.small()?, self.small()?);
        let mut inlined = None;
        if self.eat(b',') {
            self.name("`function_name`")?;
            let label = self.name("a label")?;
            self.offset()?;
            self.expect(b',')?;
            self.name("`inlined_at`")?;
            inlined = Some((label, self.small()?, self.small()?, self.small()?));
        }
        Ok(Loc { file, line, column, inlined })
    }

    fn instruction(&mut self) -> Parsed<Instruction<'a>> {
        let line = self.line();
        let start = self.tokens[self.at].start as u32;
        let mut guard = None;
        if self.eat(b'@') {
            let negated = self.eat(b'!');
            guard = Some((self.name("a predicate")?, negated));
        }
        let mnemonic = self.name("an instruction")?;
        let mut modifiers = Vec::new();
        while let Token::Dot(word) = self.peek() {
            self.advance();
            modifiers.push(word);
        }
        let mut operands = Vec::new();
        if self.peek() != Token::Punct(b';') {
            loop {
                operands.push(self.pair(0)?);
                if !self.eat(b',') {
                    break;
                }
            }
        }
        let end = self.tokens[self.at].end as u32;
        self.expect(b';')?;
        Ok(Instruction { guard, mnemonic, modifiers, operands, line, text: (start, end) })
    }

    /// An operand, or two around `|`.
    fn pair(&mut self, depth: u32) -> Parsed<Operand<'a>> {
        let first = self.operand(depth)?;
        if !self.eat(b'|') {
            return Ok(first);
        }
        let second = self.operand(depth)?;
        Ok(Operand::Pair(Box::new(first), Box::new(second)))
    }

    fn operand(&mut self, depth: u32) -> Parsed<Operand<'a>> {
        if depth > MAX_NESTING {
            return Err(self.unexpected("fewer nested operands"));
        }
        match self.peek() {
            Token::Name("_") => {
                self.advance();
                Ok(Operand::Sink)
            }
            Token::Name("WARP_SZ") => {
                self.advance();
                Ok(Operand::Int(32))
            }
            Token::Name(name) => {
                self.advance();
                if let Token::Dot(component) = self.peek() {
                    self.advance();
                    return Ok(Operand::Component { name, component });
                }
                let offset = self.offset()?;
                Ok(Operand::Name { name, offset })
            }
            Token::Int(_) => Ok(Operand::Int(self.sum()?)),
            Token::F32(bits) => {
                self.advance();
                Ok(Operand::F32(bits))
            }
            Token::F64(bits) => {
                self.advance();
                Ok(Operand::F64(bits))
            }
            Token::Punct(b'-') => self.negative(),
            Token::Punct(b'!') => {
                self.advance();
                Ok(Operand::Not(self.name("a predicate")?))
            }
            Token::Punct(b'[') => self.address(depth),
            Token::Punct(b'{') => Ok(Operand::Vector(self.group(b'}', depth)?)),
            Token::Punct(b'(') => Ok(Operand::List(self.group(b')', depth)?)),
            _ => Err(self.unexpected("an operand")),
        }
    }

    fn negative(&mut self) -> Parsed<Operand<'a>> {
        match self.peek_after(1) {
            Token::F32(bits) => {
                self.advance();
                self.advance();
                Ok(Operand::F32(bits ^ 0x8000_0000))
            }
            Token::F64(bits) => {
                self.advance();
                self.advance();
                Ok(Operand::F64(bits ^ (1 << 63)))
            }
            Token::Name(_) => {
                self.advance();
                Ok(Operand::Negative(Box::new(self.operand(0)?)))
            }
            _ => Ok(Operand::Int(self.sum()?)),
        }
    }

    fn address(&mut self, depth: u32) -> Parsed<Operand<'a>> {
        self.advance();
        let operand = match self.peek() {
            Token::Name(name) => {
                self.advance();
                Operand::Address { name: Some(name), offset: self.offset()? }
            }
            _ => Operand::Address { name: None, offset: self.sum()? as i64 },
        };
        let has_coordinates = matches!(self.peek(), Token::Punct(b','))
            && matches!(self.peek_after(1), Token::Punct(b'{'));
        if has_coordinates {
            self.advance();
            let (map, coordinates) = (Box::new(operand), self.group(b'}', depth)?);
            self.expect(b']')?;
            return Ok(Operand::Tensor { map, coordinates });
        }
        self.expect(b']')?;
        Ok(operand)
    }

    fn group(&mut self, close: u8, depth: u32) -> Parsed<Vec<Operand<'a>>> {
        self.advance();
        let mut out = Vec::new();
        while !self.eat(close) {
            out.push(self.pair(depth + 1)?);
            if !self.eat(b',') {
                self.expect(close)?;
                break;
            }
        }
        Ok(out)
    }
}
