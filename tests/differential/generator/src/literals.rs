//! Values of types as source text, and which types are chosen.

use crate::generator::Generator;
use crate::types::*;

impl Generator<'_> {
    /// The type as it is written.
    pub(crate) fn name_of(&self, ty: &Type) -> String {
        match ty {
            Type::Int(int) => int.name.to_owned(),
            Type::Float(bits) => format!("f{bits}"),
            Type::Bool => "bool".to_owned(),
            Type::Char => "char".to_owned(),
            Type::Tuple(fields) => {
                let fields: Vec<String> = fields.iter().map(|f| self.name_of(f) + ",").collect();
                format!("({})", fields.join(" "))
            }
            Type::Array(element, len) => format!("[{}; {len}]", self.name_of(element)),
            Type::Option(some) => format!("Option<{}>", self.name_of(some)),
            Type::Result(ok, error) => {
                format!("Result<{}, {}>", self.name_of(ok), self.name_of(error))
            }
            Type::Defined(index) => self.definitions[*index].name.clone(),
            Type::Slice(element) => format!("[{}]", self.name_of(element)),
        }
    }

    /// Whether `holds` for the type or any type inside it.
    fn any_part(&self, ty: &Type, holds: &dyn Fn(&Type) -> bool) -> bool {
        holds(ty)
            || match ty {
                Type::Tuple(fields) => fields.iter().any(|field| self.any_part(field, holds)),
                Type::Result(ok, error) => self.any_part(ok, holds) || self.any_part(error, holds),
                Type::Array(part, _) | Type::Option(part) | Type::Slice(part) => {
                    self.any_part(part, holds)
                }
                Type::Defined(index) => self.definitions[*index]
                    .variants
                    .iter()
                    .any(|variant| variant.fields.iter().any(|f| self.any_part(f, holds))),
                _ => false,
            }
    }

    /// Whether values have a total order: no float inside.
    pub(crate) fn is_ordered(&self, ty: &Type) -> bool {
        !self.any_part(ty, &|part| matches!(part, Type::Float(_)))
    }

    /// Whether values may travel between threads: no enum inside.
    pub(crate) fn is_device_copy(&self, ty: &Type) -> bool {
        !self.any_part(ty, &|part| match part {
            Type::Option(_) | Type::Result(..) => true,
            Type::Defined(index) => self.definitions[*index].is_enum,
            _ => false,
        })
    }

    /// Bytes, padding left out.
    pub(crate) fn size_of(&self, ty: &Type) -> usize {
        match ty {
            Type::Int(int) => int.bits as usize / 8,
            Type::Float(bits) => *bits as usize / 8,
            Type::Bool => 1,
            Type::Char => 4,
            Type::Tuple(fields) => fields.iter().map(|field| self.size_of(field)).sum(),
            Type::Array(element, len) => self.size_of(element) * len,
            Type::Option(some) => 1 + self.size_of(some),
            Type::Result(ok, error) => 1 + self.size_of(ok).max(self.size_of(error)),
            Type::Defined(index) => self.definitions[*index]
                .variants
                .iter()
                .map(|variant| 1 + variant.fields.iter().map(|f| self.size_of(f)).sum::<usize>())
                .max()
                .unwrap_or(0),
            Type::Slice(_) => 16,
        }
    }

    /// Chooses the scalar types that the program mostly uses: few, so that its values meet.
    pub(crate) fn choose_palette(&mut self) {
        for _ in 0..self.rng.between(2, 4) {
            let int = *self.rng.pick(&INTS);
            self.palette.push(Type::Int(int));
        }
        if self.style.floats {
            for _ in 0..self.rng.between(1, 4) {
                let float = Type::Float(*self.rng.pick(&[32, 64]));
                self.palette.push(float);
            }
        }
    }

    /// An integer type, mostly of the palette.
    pub(crate) fn any_int(&mut self) -> Int {
        match self.rng.pick(&self.palette) {
            Type::Int(int) if self.rng.below(4) > 0 => *int,
            _ => *self.rng.pick(&INTS),
        }
    }

    /// A scalar type, mostly of the palette.
    pub(crate) fn any_scalar(&mut self) -> Type {
        match self.rng.below(20) {
            0 | 1 => Type::Bool,
            2 => Type::Char,
            3 | 4 => Type::Int(*self.rng.pick(&INTS)),
            _ => self.rng.pick(&self.palette).clone(),
        }
    }

    /// A type of at most 64 bytes.
    pub(crate) fn any_type(&mut self, depth: u32) -> Type {
        if depth == 0 || self.rng.chance(45) {
            return self.any_scalar();
        }
        let ty = match self.rng.below(9) {
            0 | 1 => {
                let count = self.rng.between(1, 3);
                Type::Tuple((0..count).map(|_| self.any_type(depth - 1)).collect())
            }
            2..=4 => {
                let len = self.rng.between(1, 8);
                Type::Array(Box::new(self.any_type(depth - 1)), len)
            }
            5 => Type::Option(Box::new(self.any_type(depth - 1))),
            6 => {
                let (ok, error) = (self.any_type(depth - 1), self.any_type(depth - 1));
                Type::Result(Box::new(ok), Box::new(error))
            }
            _ if self.definitions.is_empty() => self.any_scalar(),
            _ => Type::Defined(self.rng.below(self.definitions.len())),
        };
        if self.size_of(&ty) <= 64 { ty } else { self.any_scalar() }
    }

    /// The plainest value: what a part of a program becomes that is cut out.
    pub(crate) fn plain_value(&self, ty: &Type) -> String {
        match ty {
            Type::Int(int) => format!("0{}", int.name),
            Type::Float(bits) => format!("0.0f{bits}"),
            Type::Bool => "false".to_owned(),
            Type::Char => "'a'".to_owned(),
            Type::Tuple(fields) => {
                let fields: Vec<String> =
                    fields.iter().map(|f| self.plain_value(f) + ",").collect();
                format!("({})", fields.join(" "))
            }
            Type::Array(element, len) => format!("[{}; {len}]", self.plain_value(element)),
            Type::Option(some) => format!("None::<{}>", self.name_of(some)),
            Type::Result(ok, error) => self.result_of(ok, error, Ok(self.plain_value(ok))),
            Type::Defined(index) => {
                let fields = &self.definitions[*index].variants[0].fields;
                let fields: Vec<String> = fields.iter().map(|f| self.plain_value(f)).collect();
                self.construct(*index, 0, &fields)
            }
            Type::Slice(element) => format!("[{}]", self.plain_value(element)),
        }
    }

    /// A `Result` with both of its types.
    pub(crate) fn result_of(
        &self,
        ok: &Type,
        error: &Type,
        value: Result<String, String>,
    ) -> String {
        let (name, value) = match value {
            Ok(value) => ("Ok", value),
            Err(value) => ("Err", value),
        };
        format!("{name}::<{}, {}>({value})", self.name_of(ok), self.name_of(error))
    }

    /// A value of a definition's variant with these fields.
    pub(crate) fn construct(&self, definition: usize, variant: usize, fields: &[String]) -> String {
        let definition = &self.definitions[definition];
        let body = definition.variants[variant].with(fields);
        // The braces of a value in a condition would be taken for a block.
        if definition.is_enum {
            let name = &definition.variants[variant].name;
            format!("({}::{name}{body})", definition.name)
        } else {
            format!("({}{body})", definition.name)
        }
    }

    /// A literal of a scalar type.
    pub(crate) fn literal(&mut self, ty: &Type) -> String {
        match ty {
            Type::Int(int) => self.int_literal(*int),
            Type::Float(32) => float_literal("f32", u64::from(self.float32()), 8),
            Type::Float(_) => float_literal("f64", self.float64(), 16),
            Type::Bool => self.rng.chance(50).to_string(),
            Type::Char => {
                const CHARS: [&str; 9] =
                    ["'a'", "'Z'", "'7'", "' '", "'ß'", "'é'", "'→'", "'\\u{10ffff}'", "'𝄞'"];
                (*self.rng.pick(&CHARS)).to_owned()
            }
            other => self.plain_value(other),
        }
    }

    /// Small numbers, numbers at the ends of the range, and any number.
    fn int_literal(&mut self, int: Int) -> String {
        let name = int.name;
        match self.rng.below(8) {
            0 => format!("{name}::MAX"),
            1 => format!("{name}::MIN"),
            2..=4 => format!("{}{name}", self.rng.below(20)),
            5 if int.signed => format!("(-{}{name})", 1 + self.rng.below(20)),
            _ => {
                let high = u128::from(self.rng.next_u64()) << 64;
                let bits = (high | u128::from(self.rng.next_u64())) >> (128 - int.bits);
                // Mostly of fewer bits, for sums and products that do not overflow.
                let value = bits >> 1 >> self.rng.below(int.bits as usize);
                format!("{value}{name}")
            }
        }
    }

    fn float32(&mut self) -> u32 {
        const VALUES: [f32; 14] = [
            f32::NAN,
            f32::EPSILON,
            // The smallest subnormal number, and a large one that rounds as an integer does not.
            f32::from_bits(1),
            8388608.5,
            0.0,
            -0.0,
            1.0,
            -1.5,
            0.1,
            1e10,
            f32::MAX,
            f32::MIN_POSITIVE,
            f32::INFINITY,
            16777217.0,
        ];
        match self.rng.below(4) {
            0 => (self.rng.next_u64() >> 32) as u32,
            1 => (self.rng.below(2000) as f32 / 16.0 - 60.0).to_bits(),
            _ => self.rng.pick(&VALUES).to_bits(),
        }
    }

    fn float64(&mut self) -> u64 {
        const VALUES: [f64; 14] = [
            f64::NAN,
            f64::EPSILON,
            // The smallest subnormal number, and one that is none as an `f32` only.
            f64::from_bits(1),
            1e-310,
            0.0,
            -0.0,
            1.0,
            -1.5,
            0.1,
            1e100,
            f64::MAX,
            f64::MIN_POSITIVE,
            f64::INFINITY,
            4294967296.5,
        ];
        match self.rng.below(4) {
            0 => self.rng.next_u64(),
            1 => (self.rng.below(2000) as f64 / 16.0 - 60.0).to_bits(),
            _ => self.rng.pick(&VALUES).to_bits(),
        }
    }
}

fn float_literal(name: &str, bits: u64, digits: usize) -> String {
    format!("{name}::from_bits(0x{bits:0digits$x})")
}
