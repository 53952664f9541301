//! A form or a choice becomes tokens: its fields as data, and how its value is put together.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use crate::arg::DefaultValue;
use crate::elicit::{Choice, Elicit, Field, Shape};
use crate::expand::{length, method, range};

/// The implementations for a type.
pub(crate) fn elicit(elicit: &Elicit) -> TokenStream {
    let runtime = &elicit.runtime;
    let p = quote!(#runtime::__private);
    let inner = match &elicit.shape {
        Shape::Form(fields) => form(elicit, &p, fields),
        Shape::Choice(choices) => choice(elicit, &p, choices),
    };
    quote! {
        #[allow(deprecated)]
        const _: () = { #inner };
    }
}

fn form(elicit: &Elicit, p: &TokenStream, fields: &[Field]) -> TokenStream {
    let Elicit { runtime, ident, key, .. } = elicit;
    let names: Vec<_> = (0..fields.len()).map(|at| format_ident!("__F{at}")).collect();
    let parts = fields.iter().zip(&names).enumerate().map(|(at, (field, name))| part(p, at, name, field));
    let values: Vec<_> = (0..fields.len()).map(|at| format_ident!("f{at}", span = proc_macro2::Span::mixed_site())).collect();
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

fn part(p: &TokenStream, at: usize, constant: &proc_macro2::Ident, field: &Field) -> TokenStream {
    let Field { ty, name, doc, .. } = field;
    let at = Literal::usize_unsuffixed(at);
    let mut value = quote!(#p::field::<#ty>(#at, #name, #doc));
    value.extend(method("title", &field.title));
    value.extend(field.default.as_ref().map(|default| match default {
        DefaultValue::Json(json) => quote!(.default_json(#json)),
        DefaultValue::Expr(expr) => quote!(.default_with(|| { let value: #ty = #expr; #p::answer(&value) })),
        DefaultValue::OfType => {
            quote!(.default_with(|| { let value = <#ty as ::core::default::Default>::default(); #p::answer(&value) }))
        }
    }));
    value.extend(method("range", field.range.as_ref().map(|bounds| range(p, bounds))));
    value.extend(method("length", field.length.as_ref().map(length)));
    value.extend(field.format.map(|format| {
        let format = format_ident!("{format}");
        quote!(.format(#p::Format::#format))
    }));
    value.extend(field.enum_names.then(|| quote!(.enum_names())));
    quote!(const #constant: #p::FormPart<#ty> = #value;)
}

fn choice(elicit: &Elicit, p: &TokenStream, choices: &[Choice]) -> TokenStream {
    let Elicit { runtime, ident, key, doc, .. } = elicit;
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

        const __F0: #p::FormPart<#ident> = #p::field::<#ident>(0, #key, #doc);

        #[automatically_derived]
        impl #runtime::Elicit for #ident {
            const FORM: &'static #p::Form = &#p::Form::new(#key, &[__F0.field()]);

            fn read(answers: &mut #p::Answers<'_>) -> ::core::result::Result<Self, #p::Unfit> {
                answers.take(&__F0)
            }
        }
    }
}
