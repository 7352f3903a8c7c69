//! `ptx!`: inline PTX that users write.
//!
//! To rustc it is assembly for the host's processor: `ptx!` (`launch-macro/src/ptx.rs`) expands to an
//! `asm!` whose template begins with a line of our own. Register classes, modifiers of operands and
//! clobbers are x86's and mean nothing here; the operands' types say which PTX registers they take. The
//! modifier for one byte marks a predicate, which is passed in 32 bits.

use ptyx_image::Arch;

use super::Goal;
use super::needs::{self, AllNeeds, Needs};
use crate::llvm::{Builder, Context, Module, Type, TypeKind, Value};
use crate::report::Diagnostic;
use crate::symbols::{self, INLINE_PTX, PTX_WORD};

/// What stands for `%=` in LLVM's templates: a number that no other copy of the template has.
const UNIQUE: &str = "${:uid}";

/// The comment before the PTX of each `ptx!`. Comments are removed when PTX is written.
const LOWERED: &str = "// ptx!";
/// How the comment goes on if the instructions may touch memory.
const WITH_MEMORY: &str = " with memory";

/// The comment in a template that a `ptx!` has become.
fn comment(template: &str) -> Option<&str> {
    let mut comments = template.lines().take_while(|line| line.starts_with("//"));
    comments.find(|line| line.starts_with(LOWERED))
}

/// Whether a template is what a `ptx!` has become.
pub(super) fn is_lowered(template: &str) -> bool {
    comment(template).is_some()
}

/// Whether a call is a `ptx!`, lowered, that may touch memory.
pub(super) fn touches_memory(call: Value<'_>) -> bool {
    call.is_call()
        && call.callee().is_inline_asm()
        && comment(&call.callee().asm_template()).is_some_and(|line| line.ends_with(WITH_MEMORY))
}

/// Whether assembly comes from `ptx!`.
pub(super) fn is_inline_ptx(template: &str) -> bool {
    template.starts_with(INLINE_PTX)
}

/// Lowers each `ptx!`. One that needs more than was asked for becomes a call of a function that does
/// not exist, which `reject` explains if it is still there after optimisation.
pub(super) fn lower_inline_ptx(
    module: &Module<'_>,
    goal: Goal,
    targets: &[Arch],
    needs: &mut AllNeeds,
) -> Result<(), Diagnostic> {
    let all = module.functions().into_iter().flat_map(Value::instructions);
    for call in all.collect::<Vec<_>>() {
        if !call.is_call() || !call.callee().is_inline_asm() {
            continue;
        }
        let template = call.callee().asm_template();
        if !is_inline_ptx(&template) {
            continue;
        }
        let wrong = |why: String| {
            let place = call.places(module.context()).pop();
            Diagnostic::new(format!("ptx!: {why}")).at(place)
        };
        let template = spell(&template);
        let head = Head::parse(&template).map_err(wrong)?;
        let builder = Builder::before(module.context(), call);
        let result = if head.needs.exceed(goal) {
            let name = symbols::too_new(first_instruction(head.body), head.needs.arch, targets);
            let ty = call.called_type();
            builder.call(ty, module.declare(&name, ty), &call.arguments())
        } else {
            needs.raise(head.needs);
            lower(module.context(), &builder, call, &head).map_err(wrong)?
        };
        if call.ty().kind() != TypeKind::Void {
            call.replace_all_uses_with(result);
        }
        call.erase();
    }
    Ok(())
}

/// The template with words in place of the numbers that stand for them: constants of an instance can only be
/// numbers.
fn spell(template: &str) -> String {
    let mut parts = template.split(PTX_WORD);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let number = part.split_once('_').and_then(|(digits, behind)| {
            let bytes = digits.parse::<u128>().ok()?.to_le_bytes();
            Some((bytes, behind))
        });
        match number {
            Some((bytes, behind)) => {
                text.extend(bytes.into_iter().filter(|&byte| byte != 0).map(char::from));
                text.push_str(behind);
            }
            None => {
                text.push_str(PTX_WORD);
                text.push_str(part);
            }
        }
    }
    text
}

/// What the first line of a template says, and the rest.
struct Head<'t> {
    needs: Needs,
    /// It only computes.
    pure: bool,
    /// It touches no memory.
    nomem: bool,
    /// It involves other threads of its warp although it is pure.
    convergent: bool,
    body: &'t str,
}

impl Head<'_> {
    fn parse(template: &str) -> Result<Head<'_>, String> {
        let (line, body) = template.split_once('\n').unwrap_or((template, ""));
        let mut head =
            Head { needs: Needs::NOTHING, pure: false, nomem: false, convergent: false, body };
        for word in line.trim_start_matches(INLINE_PTX).split_whitespace() {
            match word.split_once('=') {
                Some(("arch", name)) => head.needs.arch = needs::arch(name)?,
                Some(("ptx", version)) => head.needs.ptx = needs::ptx_version(version)?,
                _ => match word {
                    "pure" => head.pure = true,
                    "nomem" => head.nomem = true,
                    "convergent" => head.convergent = true,
                    _ => return Err(format!("`{word}` is not an option known to this compiler")),
                },
            }
        }
        Ok(head)
    }
}

/// The first instruction of a body, for messages.
fn first_instruction(body: &str) -> &str {
    let starts = |word: &&str| word.starts_with(|c: char| c.is_ascii_alphabetic());
    let words = body.split([' ', '\t', '\n', ';', '{', '}']);
    words.filter(|word| !word.ends_with(':')).find(starts).unwrap_or("ptx!")
}

/// Turns it into PTX; returns what replaces the result of `call`.
fn lower<'c>(
    context: &'c Context,
    builder: &Builder<'c>,
    call: Value<'c>,
    head: &Head<'_>,
) -> Result<Value<'c>, String> {
    let (body, predicates) = rewrite(head.body);
    let constraints = call.callee().asm_constraints();
    let (outputs, inputs): (Vec<&str>, Vec<&str>) = constraints
        .split(',')
        .filter(|constraint| !constraint.is_empty() && !constraint.starts_with('~'))
        .partition(|constraint| constraint.starts_with('='));
    let result = call.called_type().result();
    let results = match outputs.len() {
        0 => Vec::new(),
        1 => vec![result],
        _ => result.members(),
    };
    let arguments = call.arguments();
    if results.len() != outputs.len() || arguments.len() != inputs.len() {
        return Err(format!("its constraints `{constraints}` don't fit its operands"));
    }

    let bit = context.int(1);
    let mut all = Vec::new();
    let mut types = Vec::new();
    for (at, (constraint, ty)) in outputs.iter().zip(&results).enumerate() {
        let is_predicate = predicates.contains(&at);
        let early = if constraint.starts_with("=&") { "=&" } else { "=" };
        all.push(format!("{early}{}", register(*ty, is_predicate)?));
        types.push(if is_predicate { bit } else { *ty });
    }
    let mut passed = Vec::new();
    for (at, (constraint, &value)) in inputs.iter().zip(&arguments).enumerate() {
        let tied: Option<usize> = constraint.parse().ok();
        let is_predicate = predicates.contains(&tied.unwrap_or(outputs.len() + at));
        all.push(match tied {
            Some(_) => (*constraint).to_owned(),
            None => register(value.ty(), is_predicate)?.to_owned(),
        });
        passed.push(if is_predicate { builder.is_not_zero(value) } else { value });
    }
    all.extend(constraints.contains("~{memory}").then(|| "~{memory}".to_owned()));

    let new_result = match types[..] {
        [] => context.void(),
        [ty] => ty,
        _ => context.struct_of(&types),
    };
    let params: Vec<_> = passed.iter().map(|value| value.ty()).collect();
    let ty = context.function(new_result, &params);
    let memory = if head.nomem { "" } else { WITH_MEMORY };
    let template = head.needs.noted(&format!("{LOWERED}{memory}\n{body}"));
    let asm = context.inline_asm(ty, &template, &all.join(","), !head.pure);
    let new = builder.call(ty, asm, &passed);
    keep_attributes(context, call, new, !head.pure || head.convergent);
    Ok(widened(builder, new, result, &results, &types))
}

/// Keeps what rustc says about the memory that it touches, and about whether it returns. Every call is
/// marked convergent by now.
fn keep_attributes<'c>(context: &Context, from: Value<'c>, to: Value<'c>, convergent: bool) {
    let kind = context.attribute_kind("convergent");
    for attribute in from.call_attributes() {
        if attribute.enum_kind().is_some_and(|of_this| convergent || of_this != kind) {
            to.add_call_attribute(attribute);
        }
    }
    if convergent {
        to.add_call_attribute(context.attribute("convergent", 0));
    }
    to.add_call_attribute(context.attribute("nounwind", 0));
}

/// The result with predicates as the numbers that the caller expects.
fn widened<'c>(
    builder: &Builder<'c>,
    new: Value<'c>,
    whole: Type<'c>,
    results: &[Type<'c>],
    types: &[Type<'c>],
) -> Value<'c> {
    match (results, types) {
        _ if results == types => new,
        ([wide], _) => builder.int_cast(new, *wide),
        _ => (0..results.len()).fold(whole.undefined(), |all, at| {
            let member = builder.extract(new, at as u32);
            let member = match results[at] == types[at] {
                true => member,
                false => builder.int_cast(member, results[at]),
            };
            builder.insert(all, member, at as u32)
        }),
    }
}

/// LLVM's constraint for the PTX register of a type.
pub(super) fn register(ty: Type<'_>, is_predicate: bool) -> Result<&'static str, String> {
    match ty.kind() {
        _ if is_predicate => Ok("b"),
        TypeKind::Int(16) => Ok("h"),
        TypeKind::Int(32) => Ok("r"),
        TypeKind::Int(64) | TypeKind::Pointer => Ok("l"),
        TypeKind::Int(128) => Ok("q"),
        TypeKind::F32 => Ok("f"),
        TypeKind::F64 => Ok("d"),
        _ => Err(format!("no register of PTX holds an operand of LLVM's type {}", ty.print())),
    }
}

/// The template without modifiers of operands, and the numbers of the operands that are predicates.
fn rewrite(body: &str) -> (String, Vec<usize>) {
    let mut text = String::with_capacity(body.len());
    let mut predicates = Vec::new();
    let mut rest = body;
    while let Some(at) = rest.find(['$', '%']) {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(behind) = rest.strip_prefix("$$") {
            text.push_str("$$");
            rest = behind;
        } else if let Some(behind) = rest.strip_prefix("%=") {
            text.push_str(UNIQUE);
            rest = behind;
        } else if let Some((operand, behind)) =
            rest.strip_prefix("${").and_then(|rest| rest.split_once('}'))
        {
            let (number, modifier) = operand.split_once(':').unwrap_or((operand, ""));
            if let (Ok(number), "b") = (number.parse(), modifier)
                && !predicates.contains(&number)
            {
                predicates.push(number);
            }
            // Braces: a digit may follow.
            text.push_str(&format!("${{{number}}}"));
            rest = behind;
        } else {
            text.push_str(&rest[..1]);
            rest = &rest[1..];
        }
    }
    text.push_str(rest);
    (text, predicates)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_lose_their_modifiers() {
        let (text, predicates) = rewrite("@${2:b} add ${0:q}, $1, 5$$; L%=: %tid ${2:b}");
        assert_eq!(text, "@${2} add ${0}, $1, 5$$; L${:uid}: %tid ${2}");
        assert_eq!(predicates, [2]);
    }

    #[test]
    fn heads() {
        let line = format!("{INLINE_PTX} arch=sm_90a ptx=80 pure\nadd;");
        let head = Head::parse(&line).unwrap();
        assert_eq!((head.needs.arch.to_string(), head.needs.ptx), ("sm_90a".to_owned(), 80));
        assert!(head.pure && !head.convergent && head.body == "add;");
        for wrong in ["arch=sm_95a", "arch=sm_500", "ptx=79", "ptx=91", "fast"] {
            assert!(Head::parse(&format!("{INLINE_PTX} {wrong}\n")).is_err(), "{wrong}");
        }
    }

    #[test]
    fn numbers_become_words() {
        let number = u128::from_le_bytes(*b"f32.bf16.bf16\0\0\0");
        let text = spell(&format!("mma.{PTX_WORD}{number}_{PTX_WORD}0_ $0;"));
        assert_eq!(text, "mma.f32.bf16.bf16 $0;");
        assert_eq!(spell("no words, __ptyx_word_x"), "no words, __ptyx_word_x");
    }

    #[test]
    fn instructions_in_messages() {
        assert_eq!(first_instruction("{\n.reg .b32 %a;\nwgmma.fence;}"), "wgmma.fence");
        assert_eq!(first_instruction("@%p exit;"), "exit");
    }
}
