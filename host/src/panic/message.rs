//! The text of a message from the parts that a kernel recorded.
//!
//! A record is data from a device: whatever it contains, this gives some text.

use super::value;
use core::fmt::{self, Debug, Write};
use ptyx_image::message::{Group, Header, Options, Tag};

/// Groups nested deeper than this are not shown.
const DEEPEST: usize = 64;

/// Shown for a part that is invalid.
const UNREADABLE: &str = "<?>";

/// The text of a message; `cut_off` if the kernel had more to say.
pub(super) fn text(words: &[u64], cut_off: bool) -> String {
    let mut reader = Reader { words };
    let mut message = String::new();
    while let Some(node) = reader.node(0) {
        // Writing to a string never fails.
        let _ = write!(message, "{node:?}");
    }
    if cut_off {
        message.push_str("...");
    }
    message
}

/// A part of a message, groups with all that is in them.
enum Node {
    /// Finished text.
    Text(String),
    Group {
        group: Group,
        name: String,
        alternate: bool,
        fields: Vec<Field>,
        exhaustive: bool,
    },
}

impl Node {
    /// The text of the node by itself.
    fn whole(&self, alternate: bool) -> String {
        if alternate { format!("{self:#?}") } else { format!("{self:?}") }
    }
}

struct Field {
    name: String,
    value: Vec<Node>,
}

struct Reader<'a> {
    words: &'a [u64],
}

/// A part as it was read.
struct Part {
    header: Header,
    options: Options,
    bits: u128,
    text: String,
}

impl Reader<'_> {
    /// The next part, without taking it.
    fn peek(&self) -> Option<Tag> {
        Header(*self.words.first()?).tag()
    }

    fn part(&mut self) -> Option<Part> {
        let [header, options, rest @ ..] = self.words else { return None };
        let header = Header(*header);
        let mut part = Part { header, options: Options(*options), bits: 0, text: String::new() };
        if header.tag()? == Tag::Value {
            let [low, high, rest @ ..] = rest else { return None };
            part.bits = u128::from(*low) | u128::from(*high) << 64;
            self.words = rest;
        } else {
            let (text, rest) = rest.split_at_checked(header.len().div_ceil(8))?;
            let bytes: Vec<u8> = text.iter().flat_map(|word| word.to_le_bytes()).collect();
            part.text = String::from_utf8_lossy(&bytes[..header.len()]).into_owned();
            self.words = rest;
        }
        Some(part)
    }

    /// The next part, with its fields if it is a group.
    fn node(&mut self, depth: usize) -> Option<Node> {
        let part = self.part()?;
        let finished =
            |text: Option<String>| Some(Node::Text(text.unwrap_or_else(|| UNREADABLE.to_owned())));
        match part.header.tag()? {
            Tag::Text => finished(Some(part.text)),
            Tag::Str => finished(
                part.header.notation().and_then(|n| value::string(n, part.options, &part.text)),
            ),
            Tag::Value => finished(part.header.primitive().zip(part.header.notation()).and_then(
                |(primitive, notation)| value::format(primitive, notation, part.options, part.bits),
            )),
            Tag::Open => {
                let (fields, exhaustive) = self.fields(depth + 1);
                let Some(group) = part.header.group() else { return finished(None) };
                let alternate = part.options.alternate();
                Some(Node::Group { group, name: part.text, alternate, fields, exhaustive })
            }
            Tag::Field | Tag::Close | Tag::CloseNonExhaustive => finished(None),
        }
    }

    /// The fields up to the end of the group, and whether they are all.
    fn fields(&mut self, depth: usize) -> (Vec<Field>, bool) {
        let mut fields: Vec<Field> = Vec::new();
        while let Some(tag) = self.peek() {
            if depth > DEEPEST {
                self.words = &[];
                break;
            }
            match tag {
                Tag::Field => {
                    let Some(part) = self.part() else { break };
                    fields.push(Field { name: part.text, value: Vec::new() });
                }
                Tag::Close | Tag::CloseNonExhaustive => {
                    self.part();
                    return (fields, tag == Tag::Close);
                }
                _ => match (self.node(depth), fields.last_mut()) {
                    (Some(node), Some(field)) => field.value.push(node),
                    (Some(_), None) => {}
                    (None, _) => break,
                },
            }
        }
        (fields, true)
    }
}

/// The value of a field.
impl Debug for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.iter().try_for_each(|node| node.fmt(f))
    }
}

impl Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Node::Text(text) => f.write_str(text),
            // A hand-written formatter may show a field with flags other than its own.
            Node::Group { alternate, .. } if *alternate != f.alternate() => {
                f.write_str(&self.whole(*alternate))
            }
            Node::Group { group, name, fields, exhaustive, .. } => match group {
                Group::Struct => {
                    let mut builder = f.debug_struct(name);
                    for field in fields {
                        builder.field(&field.name, field);
                    }
                    if *exhaustive { builder.finish() } else { builder.finish_non_exhaustive() }
                }
                Group::Tuple => {
                    let mut builder = f.debug_tuple(name);
                    for field in fields {
                        builder.field(field);
                    }
                    if *exhaustive { builder.finish() } else { builder.finish_non_exhaustive() }
                }
                Group::List => {
                    let mut builder = f.debug_list();
                    builder.entries(fields);
                    if *exhaustive { builder.finish() } else { builder.finish_non_exhaustive() }
                }
                Group::Set => {
                    let mut builder = f.debug_set();
                    builder.entries(fields);
                    if *exhaustive { builder.finish() } else { builder.finish_non_exhaustive() }
                }
                Group::Map => {
                    let mut builder = f.debug_map();
                    for pair in fields.chunks_exact(2) {
                        builder.entry(&pair[0], &pair[1]);
                    }
                    if *exhaustive { builder.finish() } else { builder.finish_non_exhaustive() }
                }
            },
        }
    }
}

#[cfg(test)]
mod tests;
