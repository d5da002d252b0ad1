// The part of zod that this package and the tools use. The published file holds it, so that an import loads one file
// instead of a hundred, without zod's fifty languages; named one by one, since a namespace would keep them all. The types
// are zod's own, and so are schemas that come from another copy.
export type * from "zod";
export {
  array,
  boolean,
  discriminatedUnion,
  enum,
  int,
  lazy,
  literal,
  looseObject,
  null,
  number,
  object,
  preprocess,
  record,
  safeParse,
  strictObject,
  string,
  toJSONSchema,
  tuple,
  union,
  unknown,
  ZodObject,
} from "zod";
