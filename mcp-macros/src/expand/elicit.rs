//! A form or a choice becomes tokens: its fields as data, and how its value is put together.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::Type;

use super::param::{length, range};
use super::place::{borrowed, local, placed, span_of};
use super::value::{method, text};
use crate::arg::DefaultValue;
use crate::elicit::{Choice, Elicit, Field, Shape, Stub};
use crate::path::Runtime;

/// The implementations for a type.
pub(crate) fn elicit(elicit: &Elicit) -> TokenStream {
    let inner = match &elicit.shape {
        Shape::Form(fields) => form(elicit, fields),
        Shape::Choice(choices) => choice(elicit, choices),
    };
    quote! {
        #[allow(deprecated)]
        const _: () = { #inner };
    }
}

fn form(elicit: &Elicit, fields: &[Field]) -> TokenStream {
    let Elicit { runtime, ident, key, .. } = elicit;
    let p = quote!(#runtime::__private);
    let names: Vec<_> = (0..fields.len()).map(|at| format_ident!("__F{at}")).collect();
    let parts = fields.iter().zip(&names).enumerate().map(|(at, (field, name))| part(runtime, at, name, field));
    let values: Vec<_> = (0..fields.len()).map(|at| local(&format!("f{at}"), Span::call_site())).collect();
    let idents = fields.iter().map(|field| &field.ident);
    quote! {
        #(#parts)*
        #[automatically_derived]
        impl #runtime::Elicit for #ident {
            const FORM: &'static #p::Form = &#p::Form::new(#key, &[#(#names.field()),*]);

            fn read(answers: &mut #p::Answers<'_>) -> ::core::result::Result<Self, #p::Unfit> {
                #(let #values = answers.take(&#names);)*
                ::core::result::Result::Ok(Self { #(#idents: #values?),* })
            }
        }
    }
}

fn part(runtime: &Runtime, at: usize, constant: &Ident, field: &Field) -> TokenStream {
    let Field { ty, name, doc, .. } = field;
    let at = Literal::usize_unsuffixed(at);
    let mut value = quote!(<#ty as #runtime::FormField>::PART.named(#at, #name, #doc));
    value.extend(method("title", text(field.title.as_ref())));
    value.extend(field.default.as_ref().map(|default| default_value(runtime, ty, default)));
    let place = span_of(ty);
    value.extend(field.range.as_ref().map(|bounds| {
        let range = range(runtime, bounds);
        placed(place, quote!(.range(#range)))
    }));
    value.extend(field.length.as_ref().map(|bounds| {
        let length = length(bounds);
        placed(place, quote!(.length(#length)))
    }));
    value.extend(field.format.map(|format| {
        let format = format_ident!("{format}");
        placed(place, quote!(.format(#runtime::__private::Format::#format)))
    }));
    value.extend(field.enum_names.then(|| placed(place, quote!(.enum_names()))));
    quote!(const #constant: #runtime::__private::FormPart<#ty> = #value;)
}

fn default_value(runtime: &Runtime, ty: &Type, default: &DefaultValue) -> TokenStream {
    let (made, place) = match default {
        DefaultValue::Json(json) => return quote!(.default_json(#json)),
        DefaultValue::Expr(expr) => (expr.to_token_stream(), span_of(expr)),
        DefaultValue::OfType => (quote!(<#ty as ::core::default::Default>::default()), span_of(ty)),
    };
    // Named after the author's expression is evaluated, so it hides nothing from it.
    let value = Ident::new("value", place);
    let borrowed = borrowed(place, &value);
    let answer = placed(place, quote!(#runtime::FormField::to_answer(#borrowed)));
    quote!(.default_with(|| { let #value: #ty = #made; #answer }))
}

fn choice(elicit: &Elicit, choices: &[Choice]) -> TokenStream {
    let Elicit { runtime, ident, key, doc, .. } = elicit;
    let p = quote!(#runtime::__private);
    let all = choices.iter().map(|Choice { value, title, .. }| quote!(#p::Choice::new(#value, #title)));
    let makes = choices.iter().map(|choice| {
        let variant = &choice.ident;
        quote!(|| Self::#variant)
    });
    let values = choices.iter().map(|choice| {
        let (variant, value) = (&choice.ident, &choice.value);
        quote!(Self::#variant => #value)
    });
    quote! {
        #[automatically_derived]
        impl #runtime::Choices for #ident {
            const CHOICES: &'static [#p::Choice] = &[#(#all),*];
        }

        #[automatically_derived]
        impl #runtime::FormField for #ident {
            const KIND: #p::FieldKind = #p::FieldKind::One(<Self as #runtime::Choices>::CHOICES);

            fn from_answer(value: #p::Value) -> ::core::option::Option<Self> {
                #p::chosen(&value, &[#(#makes),*])
            }

            fn to_answer(&self) -> #p::Value {
                #p::Value::from(match self { #(#values),* })
            }
        }

        const __F0: #p::FormPart<#ident> = <#ident as #runtime::FormField>::PART.named(0, #key, #doc);

        #[automatically_derived]
        impl #runtime::Elicit for #ident {
            const FORM: &'static #p::Form = &#p::Form::new(#key, &[__F0.field()]);

            fn read(answers: &mut #p::Answers<'_>) -> ::core::result::Result<Self, #p::Unfit> {
                answers.take(&__F0)
            }
        }
    }
}

/// What stands in for the implementations after a mistake.
pub(crate) fn elicit_stub(stub: &Stub) -> TokenStream {
    let Stub { runtime, ident, is_choice } = stub;
    let p = quote!(#runtime::__private);
    let choice = is_choice.then(|| {
        quote! {
            impl #runtime::Choices for #ident {
                const CHOICES: &'static [#p::Choice] = &[];
            }

            impl #runtime::FormField for #ident {
                const KIND: #p::FieldKind = #p::FieldKind::One(&[]);

                fn from_answer(_: #p::Value) -> ::core::option::Option<Self> {
                    ::core::option::Option::None
                }

                fn to_answer(&self) -> #p::Value {
                    #p::Value::Null
                }
            }
        }
    });
    quote! {
        #choice

        impl #runtime::Elicit for #ident {
            const FORM: &'static #p::Form = &#p::Form::new("", &[]);

            fn read(_: &mut #p::Answers<'_>) -> ::core::result::Result<Self, #p::Unfit> {
                ::core::result::Result::Err(#p::Unfit)
            }
        }
    }
}
