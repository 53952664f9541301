//! A form or a choice becomes tokens: its fields as data, and how its value is put together.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote};
use syn::Path;
use syn::ext::IdentExt as _;

use super::param::{length, range};
use super::place::{again, expanded_by, local, placed, span_of};
use super::value::{default_value, described, holds, method, text};
use crate::elicit::{Choice, Elicit, Field, Shape, Stub};
use crate::fit::DefaultValue;
use crate::path::Runtime;

/// The implementations for a type.
pub(crate) fn elicit(elicit: &Elicit) -> TokenStream {
    let inner = match &elicit.shape {
        Shape::Form(fields) => form(elicit, fields),
        Shape::Choice(choices) => choice(elicit, choices),
    };
    let readers = readers(elicit);
    let (expanded_by, version) = (expanded_by(&elicit.runtime), env!("CARGO_PKG_VERSION"));
    quote! {
        #[allow(deprecated, non_upper_case_globals, reason = "the type may be, and constants are named for its fields")]
        const _: () = {
            #expanded_by { #version #inner #readers }
        };
    }
}

fn form(elicit: &Elicit, fields: &[Field]) -> TokenStream {
    let Elicit { runtime, ident, key, .. } = elicit;
    let p = quote!(#runtime::__private);
    // Named for the fields, because the compiler names the constant whose value is wrong.
    let names: Vec<_> = fields.iter().map(|field| local_constant(elicit, field)).collect();
    let parts = fields.iter().zip(&names).enumerate().map(|(at, (field, name))| part(runtime, at, name, field));
    let uses = fields.iter().zip(&names).map(|(field, name)| placed(span_of(&field.ty), name.to_token_stream()));
    let values: Vec<_> = (0..fields.len()).map(|at| local(&format!("f{at}"), Span::call_site())).collect();
    let idents = fields.iter().map(|field| &field.ident);
    quote! {
        #(#parts)*
        #[automatically_derived]
        #[diagnostic::do_not_recommend]
        impl #runtime::Elicit for #ident {
            const FORM: &'static #p::Form = &#p::Form::new(#key, &[#(#names.field()),*]);

            fn read(answers: &mut #p::Answers<'_>) -> ::core::result::Result<Self, #p::Unfit> {
                #(let #values = answers.take(&#uses);)*
                ::core::result::Result::Ok(Self { #(#idents: #values?),* })
            }
        }
    }
}

/// What has to be derived beside the form for the attributes that stand on it: the compiler knows them for the form's sake.
fn readers(elicit: &Elicit) -> TokenStream {
    let Elicit { runtime, ident, foreign, .. } = elicit;
    let readers = [
        (&foreign.serde, quote!(serde), quote!(ReadBySerde)),
        (&foreign.schemars, quote!(schemars), quote!(ReadBySchemars)),
        (&foreign.default, quote!(default), quote!(ReadByDefault)),
    ];
    let check = |(path, name, bound)| {
        let path: &Option<Path> = path;
        let so = quote!(#runtime::__private::reads!(#name #ident));
        path.as_ref().map(|path| holds(runtime, span_of(path), &so, &bound))
    };
    readers.into_iter().filter_map(check).collect()
}

fn local_constant(elicit: &Elicit, field: &Field) -> Ident {
    let name = format!("__{}", field.ident.unraw());
    if elicit.is_data { Ident::new(&name, Span::call_site()) } else { again(&field.ty, &elicit.ident, &name) }
}

fn part(runtime: &Runtime, at: usize, constant: &Ident, field: &Field) -> TokenStream {
    let Field { ty, name, doc, .. } = field;
    let at = Literal::usize_unsuffixed(at);
    let doc = described(doc);
    let mut calls = quote!(.named(#at, #name, #doc));
    calls.extend(method("title", text(field.title.as_ref())));
    let to_answer = quote!(#runtime::FormField::to_answer);
    calls.extend(field.default.as_ref().map(|default| default_value(ty, default, &to_answer)));
    calls.extend(method("range", field.range.as_ref().map(|bounds| range(runtime, bounds))));
    calls.extend(method("length", field.length.as_ref().map(length)));
    calls.extend(field.format.map(|format| {
        let format = format_ident!("{format}");
        quote!(.format(#runtime::__private::Format::#format))
    }));
    calls.extend(field.enum_names.then(|| quote!(.enum_names())));
    let place = span_of(ty);
    let (begin, end) = (placed(place, quote!(<)), placed(place, quote!(>::PART)));
    let checks = checks(runtime, constant, field);
    quote! {
        const #constant: #runtime::__private::FormPart<#ty> = #begin #ty as #runtime::FormField #end #calls;
        #checks
    }
}

/// What the type of a field has to be for the keys that it has: what is spelled was looked at, but it may be an alias.
fn checks(runtime: &Runtime, constant: &Ident, field: &Field) -> TokenStream {
    let keys = [
        field.range.as_ref().map(|_| (quote!(takes_range()), quote!(FieldWithRange))),
        field.range.as_ref().map(|_| (quote!(takes_bounds()), quote!(FieldWithBounds))),
        field.length.as_ref().map(|_| (quote!(takes_length()), quote!(FieldWithLength))),
        field.format.as_ref().map(|_| (quote!(takes_format()), quote!(FieldWithFormat))),
        field.enum_names.then(|| (quote!(takes_enum_names()), quote!(FieldWithEnumNames))),
        match &field.default {
            Some(DefaultValue::Json(json)) => Some((quote!(takes_default(#json)), quote!(FieldWithDefault))),
            _ => None,
        },
    ];
    let check = |(takes, bound)| holds(runtime, span_of(&field.ty), &quote!(#constant.#takes), &bound);
    keys.into_iter().flatten().map(check).collect()
}

fn choice(elicit: &Elicit, choices: &[Choice]) -> TokenStream {
    let Elicit { runtime, ident, key, doc, .. } = elicit;
    let p = quote!(#runtime::__private);
    let all = choices.iter().map(|Choice { value, title, .. }| {
        let title = described(title);
        quote!(#p::Choice::new(#value, #title))
    });
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
        #[diagnostic::do_not_recommend]
        impl #runtime::Choices for #ident {
            const CHOICES: &'static [#p::Choice] = &[#(#all),*];
        }

        #[automatically_derived]
        #[diagnostic::do_not_recommend]
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
        #[diagnostic::do_not_recommend]
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
    let Stub { runtime, ident, is_choice, is_of_one_thread } = stub;
    let p = quote!(#runtime::__private);
    if *is_of_one_thread {
        return answer_stub(runtime, ident);
    }
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

/// What stands in for a form that cannot be one, because it is not `Send`: an answer all the same.
fn answer_stub(runtime: &Runtime, ident: &Ident) -> TokenStream {
    let form = Ident::new("Form", Span::mixed_site());
    let stub = Stub { runtime: runtime.clone(), ident: form.clone(), is_choice: false, is_of_one_thread: false };
    let form_stub = elicit_stub(&stub);
    quote! {
        const _: () = {
            #[allow(dead_code, reason = "it is only named")]
            pub enum #form {}

            #form_stub

            impl #runtime::Answer for #ident {
                type Form = #form;

                fn from_elicited(_: #runtime::Elicited<#form>, _: &str) -> ::core::result::Result<Self, #runtime::AskError> {
                    ::core::unreachable!()
                }

                fn keep(self) -> #runtime::__private::Kept {
                    ::core::unreachable!()
                }
            }
        };
    }
}
