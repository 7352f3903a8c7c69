//! `derive(DeviceCopy)`: every field must be `DeviceCopy`, and is made valid by its own type.
//!
//! An enum without data is checked against its variants, whose bytes are read by constants. The layout
//! of an enum with data is specified if it is `repr(C)` or has an integer `repr` such as `repr(u8)`: a
//! number, and for each variant its fields as in a `repr(C)` struct (Rust Reference, "Type Layout").
//! Without such a `repr` it can be stored in memory, but not shuffled.

mod parse;

use crate::output::{report, source};
use crate::tokens::is_punct;
use parse::{Body, Field, Item, Representation, Variant};
use proc_macro::{Group, TokenStream, TokenTree};

pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = item.into_iter().collect();
    match Item::parse(&tokens) {
        Ok(item) => implementation(item),
        Err(problem) => report(&[problem]),
    }
}

fn implementation(item: Item) -> TokenStream {
    let mut parameters = TokenStream::new();
    let mut arguments = TokenStream::new();
    let mut conditions: TokenStream = item.conditions.iter().cloned().collect();
    if !item.conditions.is_empty() && !is_punct(item.conditions.last(), ',') {
        conditions.extend(source(","));
    }
    for parameter in &item.parameters {
        parameters.extend(parameter.declared.iter().cloned());
        parameters.extend(source(","));
        arguments.extend(parameter.used.iter().cloned());
        arguments.extend(source(","));
        if parameter.is_type {
            conditions.extend(parameter.used.iter().cloned());
            conditions.extend(source(": ::ptyx::device::DeviceCopy,"));
        }
    }
    let items = match &item.body {
        Body::Struct(fields) => of_struct(fields),
        Body::Enum(variants, _) if variants.iter().all(|variant| variant.fields.is_empty()) => {
            of_plain_enum(variants)
        }
        Body::Enum(variants, Representation { c: false, integer: None }) => of_enum(variants),
        Body::Enum(variants, representation) => of_enum_with_layout(variants, representation),
    };
    template(
        "#[automatically_derived]
        unsafe impl<__parameters> ::ptyx::device::DeviceCopy for __name<__arguments>
        where __conditions {
            __items
        }",
        &[
            ("__parameters", parameters),
            ("__name", item.name.into()),
            ("__arguments", arguments),
            ("__conditions", conditions),
            ("__items", items),
        ],
    )
}

fn of_struct(fields: &[Field]) -> TokenStream {
    let each = |text: &str| -> TokenStream {
        fields
            .iter()
            .map(|field| {
                let name = source(&field.name);
                let text = text.replace("__text", &format!("{:?}", field.name));
                template(&text, &[("__field", name), ("__Type", field.kind.clone())])
            })
            .collect()
    };
    let layout = each(
        "let __hash = ::ptyx::device::layout_field(
            __hash, __text, ::core::mem::offset_of!(Self, __field),
            <__Type as ::ptyx::device::DeviceCopy>::LAYOUT,
        );",
    );
    let zero = each("&& <__Type as ::ptyx::device::DeviceCopy>::ZERO_IS_VALID");
    let valid = each(
        "&& unsafe {
            <__Type as ::ptyx::device::DeviceCopy>::is_valid(
                this.byte_add(::core::mem::offset_of!(Self, __field)).cast(),
            )
        }",
    );
    let make = each(
        "unsafe {
            <__Type as ::ptyx::device::DeviceCopy>::make_valid(
                this.byte_add(::core::mem::offset_of!(Self, __field)).cast(),
            )
        };",
    );
    items(
        template(
            "let __hash = ::ptyx::device::layout_of::<Self>(); __layout __hash",
            &[("__layout", layout)],
        ),
        template("true __zero", &[("__zero", zero)]),
        template("true __valid", &[("__valid", valid)]),
        make,
    )
}

/// An enum without data: its bytes are those of a variant.
fn of_plain_enum(variants: &[Variant]) -> TokenStream {
    let all: TokenStream = variants
        .iter()
        .map(|variant| {
            let name = source(&variant.name);
            template(
                "::ptyx::device::derived::bits_of(Self::__variant {}),",
                &[("__variant", name)],
            )
        })
        .collect();
    let all = template("const { &[__all] }", &[("__all", all)]);
    let names: TokenStream = variants
        .iter()
        .map(|variant| {
            let text =
                format!("let __hash = ::ptyx::device::layout_name(__hash, {:?});", variant.name);
            template(
                &(text
                    + "let __hash = ::ptyx::device::layout_hash(
                        __hash, ::ptyx::device::derived::bits_of(Self::__variant {}),
                    );"),
                &[("__variant", source(&variant.name))],
            )
        })
        .collect();
    let first = source(&variants[0].name);
    let mut items = items(
        template(
            "let __hash = ::ptyx::device::layout_of::<Self>(); __names __hash",
            &[("__names", names)],
        ),
        template("::ptyx::device::derived::contains(__all, 0)", &[("__all", all.clone())]),
        template(
            "::ptyx::device::derived::contains(__all, unsafe {
                ::ptyx::device::derived::read_bits(this, ::core::mem::size_of::<Self>())
            })",
            &[("__all", all)],
        ),
        template(
            "unsafe {
                if !<Self as ::ptyx::device::DeviceCopy>::is_valid(this) {
                    this.write_unaligned(Self::__first {});
                }
            }",
            &[("__first", first)],
        ),
    );
    items.extend(source("const ONE_SCALAR: ::core::primitive::bool = true;"));
    items
}

/// What goes into the layout hash of an enum with data.
fn layout_of_variants(variants: &[Variant]) -> TokenStream {
    let mut steps = source("let __hash = ::ptyx::device::layout_of::<Self>();");
    for variant in variants {
        steps.extend(source(&format!(
            "let __hash = ::ptyx::device::layout_name(__hash, {:?});",
            variant.name
        )));
        for field in &variant.fields {
            let text = format!(
                "let __hash = ::ptyx::device::layout_field(
                    __hash, {:?}, 0, <__Type as ::ptyx::device::DeviceCopy>::LAYOUT,
                );",
                field.name
            );
            steps.extend(template(&text, &[("__Type", field.kind.clone())]));
        }
    }
    steps.extend(source("__hash"));
    steps
}

/// An enum with data whose layout Rust does not specify.
fn of_enum(variants: &[Variant]) -> TokenStream {
    let refuse = "::ptyx::device::derived::cannot_validate::<Self>();";
    items(
        layout_of_variants(variants),
        source("false"),
        source(&format!("{refuse} false")),
        source(refuse),
    )
}

/// An enum with data whose layout the language promises.
fn of_enum_with_layout(variants: &[Variant], representation: &Representation) -> TokenStream {
    // `repr(C)` alone takes C's `int`.
    let integer = source(&format!(
        "::core::primitive::{}",
        representation.integer.as_deref().unwrap_or("i32")
    ));
    let fields = || variants.iter().flat_map(|variant| &variant.fields);
    let sizes = |fields: &[Field]| -> TokenStream {
        fields
            .iter()
            .map(|field| {
                template(
                    "(::core::mem::size_of::<__Type>(), ::core::mem::align_of::<__Type>()),",
                    &[("__Type", field.kind.clone())],
                )
            })
            .collect()
    };
    // With `repr(C)` a union of structs follows the number; otherwise each struct begins with it.
    let aligns: TokenStream = fields()
        .map(|field| {
            template("::core::mem::align_of::<__Type>(),", &[("__Type", field.kind.clone())])
        })
        .collect();
    let (base, start) = if representation.c {
        let base = template(
            "::core::mem::size_of::<__Tag>()
                .next_multiple_of(::ptyx::device::derived::greatest(&[__aligns]))",
            &[("__Tag", integer.clone()), ("__aligns", aligns)],
        );
        (base, source("0"))
    } else {
        let size = template("::core::mem::size_of::<__Tag>()", &[("__Tag", integer.clone())]);
        (source("0"), size)
    };
    let mut numbers = TokenStream::new();
    for (at, variant) in variants.iter().enumerate() {
        let number = match (&variant.discriminant, at) {
            (Some(number), _) => number.clone(),
            (None, 0) => source("0"),
            (None, _) => source(&format!("__all[{}] + 1", at - 1)),
        };
        numbers.extend(template(&format!("__all[{at}] = __number;"), &[("__number", number)]));
    }
    let numbers = template(
        &format!(
            "const __NUMBERS: [__Tag; {count}] = {{
                let mut __all = [0 as __Tag; {count}];
                __numbers
                __all
            }};",
            count = variants.len()
        ),
        &[("__Tag", integer.clone()), ("__numbers", numbers)],
    );
    // For each variant, what `text` makes of its fields: `__offset`, `__Type`.
    let each = |variant: &Variant, text: &str| -> TokenStream {
        let sizes = sizes(&variant.fields);
        let each = variant.fields.iter().enumerate().map(|(at, field)| {
            let offset = template(
                &format!(
                    "const {{ __base + ::ptyx::device::derived::offset(__start, &[__sizes], {at}) }}"
                ),
                &[("__base", base.clone()), ("__start", start.clone()), ("__sizes", sizes.clone())],
            );
            template(text, &[("__offset", offset), ("__Type", field.kind.clone())])
        });
        each.collect()
    };
    let zero: TokenStream = variants
        .iter()
        .enumerate()
        .map(|(at, variant)| {
            let fields = each(variant, "&& <__Type as ::ptyx::device::DeviceCopy>::ZERO_IS_VALID");
            template(&format!("|| (__NUMBERS[{at}] == 0 __fields)"), &[("__fields", fields)])
        })
        .collect();
    let valid: TokenStream = variants
        .iter()
        .enumerate()
        .map(|(at, variant)| {
            let fields = each(
                variant,
                "&& unsafe {
                    <__Type as ::ptyx::device::DeviceCopy>::is_valid(this.byte_add(__offset).cast())
                }",
            );
            template(
                &format!("if __found == __NUMBERS[{at}] {{ return true __fields; }}"),
                &[("__fields", fields)],
            )
        })
        .collect();
    let make_fields = |variant: &Variant| {
        each(
            variant,
            "unsafe {
                <__Type as ::ptyx::device::DeviceCopy>::make_valid(this.byte_add(__offset).cast())
            };",
        )
    };
    let make: TokenStream = variants
        .iter()
        .enumerate()
        .map(|(at, variant)| {
            template(
                &format!("if __found == __NUMBERS[{at}] {{ __fields return; }}"),
                &[("__fields", make_fields(variant))],
            )
        })
        .collect();
    let read = template(
        "let __found = unsafe { this.cast::<__Tag>().read_unaligned() };",
        &[("__Tag", integer.clone())],
    );
    let parts = [
        ("__Numbers", numbers),
        ("__read", read),
        ("__zero", zero),
        ("__valid", valid),
        ("__make", make),
        ("__first", make_fields(&variants[0])),
        ("__Tag", integer),
    ];
    let numbered = source(&format!(
        "{{ let mut __so_far = __hash; let mut __at = 0; while __at < {} {{
            __so_far = ::ptyx::device::layout_hash(__so_far, __NUMBERS[__at] as ::core::primitive::u64); __at += 1;
        }} __so_far }}",
        variants.len()
    ));
    let layout = template(
        "let __hash = { __steps }; __numbered",
        &[("__steps", layout_of_variants(variants)), ("__numbered", numbered)],
    );
    let layout = template("__Numbers __layout", &[parts[0].clone(), ("__layout", layout)]);
    items(
        layout,
        template("__Numbers false __zero", &parts),
        template("__Numbers __read __valid false", &parts),
        template(
            "__Numbers __read __make
            unsafe { this.cast::<__Tag>().write_unaligned(__NUMBERS[0]) };
            __first",
            &parts,
        ),
    )
}

/// The items of the implementation.
fn items(
    layout: TokenStream,
    zero: TokenStream,
    valid: TokenStream,
    make: TokenStream,
) -> TokenStream {
    template(
        "const LAYOUT: ::core::primitive::u64 = { __layout };
        const ZERO_IS_VALID: ::core::primitive::bool = { __zero };
        #[inline(always)]
        unsafe fn is_valid(this: *const Self) -> ::core::primitive::bool {
            let _ = this;
            __valid
        }
        #[inline(always)]
        unsafe fn make_valid(this: *mut Self) {
            let _ = this;
            __make
        }",
        &[("__layout", layout), ("__zero", zero), ("__valid", valid), ("__make", make)],
    )
}

/// Turns our own text into tokens, with each of these names replaced by tokens.
fn template(text: &str, parts: &[(&str, TokenStream)]) -> TokenStream {
    replace(source(text), parts)
}

fn replace(tokens: TokenStream, parts: &[(&str, TokenStream)]) -> TokenStream {
    let mut output = TokenStream::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let mut new = Group::new(group.delimiter(), replace(group.stream(), parts));
                new.set_span(group.span());
                output.extend([TokenTree::from(new)]);
            }
            TokenTree::Ident(ident) => {
                let name = ident.to_string();
                match parts.iter().find(|(part, _)| *part == name) {
                    Some((_, tokens)) => output.extend(tokens.clone()),
                    None => output.extend([TokenTree::from(ident)]),
                }
            }
            other => output.extend([other]),
        }
    }
    output
}
