/** A small change that was asked for. */
export type ChangeTask =
  | {
      readonly kind: "rename" | "replace";
      readonly from: string;
      readonly to: string;
      /** The file or directory that it is limited to, if one was named. */
      readonly within: string | undefined;
      /** True if every place was meant. */
      readonly everywhere: boolean;
    }
  | { readonly kind: "create"; readonly path: string; readonly content: string };

const POLITE = String.raw`^(?:(?:please|can you|could you|now)\s+)*`;
const PLACE = String.raw`(?:\s+(?:in|inside|under|within|across)\s+(?:the\s+)?(?:file\s+|folder\s+|directory\s+)?(\S+?))?[.?!]*$`;
const RENAME = new RegExp(
  String.raw`${POLITE}rename\s+(?:the\s+)?(?:(?:function|class|variable|constant|method|type|interface|symbol)\s+)?(\S+)\s+(?:to|into|as)\s+(\S+?)${PLACE}`,
  "iu",
);
const REPLACE = new RegExp(
  String.raw`${POLITE}(?:change|replace|set)\s+(every\s+|all\s+(?:occurrences\s+of\s+)?)?(.+?)\s+(?:to|with|by|into)\s+(.+?)${PLACE}`,
  "iu",
);
const CREATE = new RegExp(
  String.raw`${POLITE}(?:create|write|add)\s+(?:a\s+)?(?:new\s+)?(?:file\s+)?(?:called\s+|named\s+)?(\S+\.\w+)\s+(?:with|containing|that\s+says|saying)\s+(?:the\s+(?:text|content|words?)\s+)?["'${"`"}“](.+)["'${"`"}”][.?!]*$`,
  "isu",
);

/** The change that a question asks for, if it says everything that is needed. */
export function changeOf(text: string): ChangeTask | undefined {
  const renamed = RENAME.exec(text);
  if (renamed) {
    const [, from = "", to = "", place] = renamed;
    const names = { from: nameIn(from), to: nameIn(to) };
    if (IDENTIFIER.test(names.from) && IDENTIFIER.test(names.to)) {
      return { kind: "rename", ...names, within: placeIn(place), everywhere: true };
    }
  }
  const [, path, content] = CREATE.exec(text) ?? [];
  if (path !== undefined && content !== undefined) return { kind: "create", path: unquoted(path), content };
  const replaced = REPLACE.exec(text);
  if (!replaced) return undefined;
  const [, every, from = "", to = "", place] = replaced;
  return {
    kind: "replace",
    from: unquoted(from),
    to: unquoted(to),
    within: placeIn(place),
    everywhere: every !== undefined,
  };
}

const IDENTIFIER = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

function nameIn(text: string): string {
  return unquoted(text).replace(/\(\)$/u, "");
}

function unquoted(text: string): string {
  return /^(["'`“])(.*)["'`”]$/su.exec(text)?.[2] ?? text;
}

/** "the project" and "all files" do not limit it. */
function placeIn(place: string | undefined): string | undefined {
  if (place === undefined) return undefined;
  const name = unquoted(place).replace(/[.,;]$/u, "");
  return /^(?:project|repo|repository|codebase|all|every|everywhere|it)$/iu.test(name) ? undefined : name;
}
