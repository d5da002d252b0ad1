// The part of zod that this package and the tools use. It is bundled into the published file, so that an import loads
// one file instead of a hundred, without zod's fifty languages. The names are listed one by one: a namespace would keep
// everything. The types are zod's own; schemas made by another copy of zod work too.
export type * from "zod";
export { array, boolean, discriminatedUnion, enum, int, lazy, literal, looseObject, null, number, object } from "zod";
export { record, safeParse, strictObject, string, toJSONSchema, tuple, union, unknown, ZodObject } from "zod";
