import { readFileSync } from "node:fs";

/** A small break in the code that an attack must find. */
export interface Mutation {
  readonly name: string;
  /** What the broken code does. */
  readonly what: string;
  /** The attack that must notice. */
  readonly attack: string;
  /** A part of what it must say, where the attack could also notice something else first. */
  readonly sign: string;
  readonly edits: readonly Edit[];
}

/** A file below `packages`, one place in it, and what that is replaced by. */
interface Edit {
  readonly file: string;
  readonly search: string;
  readonly replacement: string;
}

/** All of mutations.txt: a line `attack | name | what it does | sign`, then files, each with lines to remove and to add. */
export const mutations: readonly Mutation[] = readFileSync(new URL("mutations.txt", import.meta.url), "utf8")
  .trimEnd()
  .split("\n\n")
  .map((block) => {
    const [head = "", ...lines] = block.split("\n");
    const [attack = "", name = "", what = "", sign = ""] = head.split(" | ");
    return { attack, name, what, sign, edits: editsIn(lines) };
  });

function editsIn(lines: readonly string[]): Edit[] {
  const edits: { file: string; removed: string[]; added: string[] }[] = [];
  let file = "";
  for (const line of lines) {
    const last = edits.at(-1);
    if (line.startsWith("+")) last?.added.push(line.slice(1));
    else if (!line.startsWith("-")) {
      file = line;
      edits.push({ file, removed: [], added: [] });
    } else if (last === undefined || last.added.length > 0) edits.push({ file, removed: [line.slice(1)], added: [] });
    else last.removed.push(line.slice(1));
  }
  return edits.map(({ file, removed, added }) => ({ file, search: removed.join("\n"), replacement: added.join("\n") }));
}
