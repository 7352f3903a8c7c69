//! Sends core's panic entry points to the device library.
//!
//! Two functions of core are what must be redirected: bounds checks, which carry two numbers, and
//! `panic_fmt`, which every other panic goes through. Two more, `panic` and `expect_failed`, are
//! because they have the message as text, which they would pass on as a run-time part. The message of a `panic_fmt` is passed on
//! when it is a literal. Of a message with run-time parts, the literal parts are: rustc 1.95 gives
//! them as a constant template, which is decoded here, `{}` for each part.

use crate::codegen::path_of;
use crate::llvm::{Builder, Module, Value, opcode};

/// Functions of the device library that panics are sent to.
pub(crate) const RUNTIME: [&str; 2] = [BOUNDS, MESSAGE];
const BOUNDS: &str = "__ptyx_panic_bounds";
const MESSAGE: &str = "__ptyx_panic_str";

/// The global through which the host gives the panic record; it keeps its name.
pub(super) const HOST_GLOBAL: &str = "__ptyx_panic_runtime";

/// What an entry point of core does.
enum Entry {
    /// `(index, len, location)`
    Bounds,
    /// `(text, len, location)`
    Text,
    /// `(template, arguments, location)`
    Format,
    /// `(template, arguments, may unwind, location)`
    FormatNoUnwind,
}

/// Core's panic entry points, by path.
const ENTRIES: [(&str, Entry); 5] = [
    ("core::panicking::panic_bounds_check", Entry::Bounds),
    ("core::panicking::panic", Entry::Text),
    ("core::option::expect_failed", Entry::Text),
    ("core::panicking::panic_fmt", Entry::Format),
    ("core::panicking::panic_nounwind_fmt", Entry::FormatNoUnwind),
];

/// Redirects every call of an entry point.
pub(super) fn redirect<'c>(module: &Module<'c>) {
    let (Some(bounds), Some(message)) = (module.function(BOUNDS), module.function(MESSAGE)) else {
        return;
    };
    for function in module.functions() {
        let path = path_of(&function.name());
        let Some((_, entry)) = ENTRIES.iter().find(|(name, _)| *name == path) else { continue };
        for call in function.users() {
            if !call.is_call() || call.callee() != function {
                continue;
            }
            let args = call.arguments();
            match (entry, &args[..]) {
                (Entry::Bounds, [index, len, location]) => {
                    replace(module, call, bounds, &[*index, *len, *location]);
                }
                (Entry::Text, [text, len, location]) => {
                    replace(module, call, message, &[*text, *len, *location]);
                }
                (Entry::Format, [template, arguments, location])
                | (Entry::FormatNoUnwind, [template, arguments, _, location]) => {
                    let (text, len) = literal(module, call, *template, *arguments);
                    replace(module, call, message, &[text, len, *location]);
                }
                _ => {}
            }
        }
    }
}

fn replace<'c>(module: &Module<'c>, call: Value<'c>, callee: Value<'c>, args: &[Value<'c>]) {
    let builder = Builder::before(module.context(), call);
    let new = builder.call(callee.value_type(), callee, args);
    new.add_call_attribute(module.context().attribute("convergent", 0));
    call.erase();
}

/// Pointer and length of the message that `call` panics with; null and all ones if it has parts
/// known at run time only.
///
/// `fmt::Arguments` in rustc 1.95 is two pointers. A literal message has the text in the first,
/// and in the second twice its length plus one. Otherwise the first points to the template.
fn literal<'c>(
    module: &Module<'c>,
    call: Value<'c>,
    template: Value<'c>,
    arguments: Value<'c>,
) -> (Value<'c>, Value<'c>) {
    let context = module.context();
    let word = context.int(64);
    if arguments.constant_opcode() == Some(opcode::INT_TO_PTR)
        && let Some(tagged) = arguments.operand(0).as_int()
        && tagged & 1 == 1
    {
        return (template, word.constant(tagged >> 1));
    }
    if let Some(text) = template.constant_bytes().and_then(|bytes| decode_template(&bytes)) {
        let bytes = context.bytes(text.as_bytes());
        let global = module.add_global("panic_message", bytes.ty(), 0);
        global.set_initializer(bytes);
        global.make_constant_global();
        global.set_unnamed_address();
        return (global, word.constant(text.len() as u64));
    }
    // Functions of core that take the message as a parameter: the kernel finds out which it is.
    let builder = Builder::before(context, call);
    let tagged = builder.address(arguments);
    let is_literal = builder.is_not_zero(builder.and(tagged, word.constant(1)));
    let len = builder.shift_right(tagged, word.constant(1));
    (
        builder.select(is_literal, template, context.pointer(0).null()),
        builder.select(is_literal, len, word.constant(u64::MAX)),
    )
}

/// The literal parts of a format template, with `{}` for each argument.
///
/// The encoding of rustc 1.95's `core::fmt`: 0 ends it; 1 to 127 is the length of a literal that
/// follows; 128 a 16-bit length of one; from 192 on, an argument, whose low bits say which of flags
/// (4 bytes), width, precision and index (2 bytes each) follow.
fn decode_template(bytes: &[u8]) -> Option<String> {
    let mut text = Vec::new();
    let mut rest = bytes;
    loop {
        let (&code, tail) = rest.split_first()?;
        let skip = match code {
            0 => return String::from_utf8(text).ok(),
            1..=0x80 => {
                let (len, start) = if code == 0x80 {
                    (u16::from_le_bytes([*tail.first()?, *tail.get(1)?]) as usize, 2)
                } else {
                    (code as usize, 0)
                };
                text.extend_from_slice(tail.get(start..start + len)?);
                start + len
            }
            0x81..0xc0 => return None,
            0xc0.. => {
                text.extend_from_slice(b"{}");
                let bit = |i: u8| usize::from(code >> i & 1);
                bit(0) * 4 + (bit(1) + bit(2) + bit(3)) * 2
            }
        };
        rest = tail.get(skip..)?;
    }
}

#[cfg(test)]
mod tests {
    use super::decode_template;

    #[test]
    fn templates_show_their_literal_parts() {
        assert_eq!(decode_template(b"\x04fmt \xc0\x00").as_deref(), Some("fmt {}"));
        assert_eq!(
            decode_template(b"\xc0\x03 < \xc3\0\0\0\0\x08\0\x01!\0").as_deref(),
            Some("{} < {}!")
        );
        assert_eq!(decode_template(b"\x80\x02\0ab\0").as_deref(), Some("ab"));
    }

    #[test]
    fn damaged_templates_are_none() {
        assert_eq!(decode_template(b""), None);
        assert_eq!(decode_template(b"\x04fm"), None);
        assert_eq!(decode_template(b"\x90\0"), None);
    }
}
