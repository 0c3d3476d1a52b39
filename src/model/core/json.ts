// Data as JSON has it: what an agent gives as its typed output, and what a plan is made of.

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export type JsonObject = { readonly [key: string]: Json };
