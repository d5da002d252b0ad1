import { look, type Call, type Investigation } from "./investigation.ts";
import type { Failure, Page, Paths, Observation } from "./observation.ts";

/** Where a call led after its errors were followed up, and a note for each turn that it took. */
export interface Visit {
  readonly observation: Observation | undefined;
  readonly notes: readonly string[];
}

const MAX_ATTEMPTS = 4;

/** Makes a call; where it fails, does what the error advises. */
export function* visit(first: Call, say: string): Investigation<Visit> {
  const notes: string[] = [];
  const tried = new Set<string>();
  let call: Call | undefined = first;
  let words = say;
  let observation: Observation | undefined;
  for (let attempt = 0; call && attempt < MAX_ATTEMPTS; attempt++) {
    tried.add(JSON.stringify(call));
    const seen: Observation | undefined = yield* look(words, call.tool, call.params);
    if (!seen) break;
    observation = seen;
    if (seen.kind !== "failure") break;
    const turn: Turn | undefined = yield* alternative(seen);
    call = turn && !tried.has(JSON.stringify(turn.call)) ? turn.call : undefined;
    if (call && turn) notes.push((words = turn.note));
  }
  return { observation, notes };
}

interface Turn {
  readonly call: Call;
  readonly note: string;
}

function* alternative(failure: Failure): Investigation<Turn | undefined> {
  const path = typeof failure.call.params.path === "string" ? failure.call.params.path : ".";
  switch (failure.reason) {
    case "missing":
      return yield* elsewhere(failure, path);
    case "directory":
      if (failure.call.tool !== "Read") return undefined;
      return { call: { tool: "LS", params: { path } }, note: `'${path}' is a directory, so I list it.` };
    case "file":
      if (failure.call.tool !== "LS") return undefined;
      return { call: { tool: "Read", params: { path } }, note: `'${path}' is a file, so I read it.` };
    case "past-end":
      return failure.lastLine === undefined ? undefined : lastPage(failure, path, failure.lastLine);
    case "outside":
    case "declined":
    case "other":
      return undefined;
  }
}

function lastPage({ call }: Failure, path: string, lastLine: number): Turn {
  const limit = Number(call.params.limit ?? 20);
  const start = Math.max(1, lastLine - limit + 1);
  return {
    call: withParams(call, { start_line: start, limit }),
    note: `'${path}' has only ${lastLine} lines, so I read its last ones.`,
  };
}

/** A missing path leads to the tool's suggestion, or else to a search for the name. */
function* elsewhere({ call, suggestions }: Failure, path: string): Investigation<Turn | undefined> {
  const [suggestion] = suggestions;
  if (suggestion !== undefined) {
    return {
      call: withParams(call, { path: suggestion }),
      note: `'${path}' does not exist; the error suggests '${suggestion}'.`,
    };
  }
  const name = path.split("/").findLast((part) => part !== "" && part !== "." && part !== "..");
  if (name === undefined) return undefined;
  const found = yield* findNamed(call.tool, name);
  if (found === undefined) return undefined;
  return {
    call: withParams(call, { path: found }),
    note: `'${path}' does not exist, but there is '${found}'.`,
  };
}

function* findNamed(tool: Call["tool"], name: string): Investigation<string | undefined> {
  const pattern = tool === "LS" ? `**/${name}/**` : `**/${name}*`;
  const [seen] = yield {
    say: `There is no '${name}' at that place, so I search the project for the name.`,
    calls: [{ tool: "Glob", params: { pattern } }],
  };
  const path = seen?.kind === "paths" ? closest(seen, name) : undefined;
  if (path === undefined || tool !== "LS") return path;
  return path.slice(0, `/${path}`.indexOf(`/${name}/`) + name.length);
}

/** The name itself, or else with an extension, or else as a beginning. */
function closest({ paths }: Paths, name: string): string | undefined {
  const named = (path: string) => path.slice(path.lastIndexOf("/") + 1);
  const exact = paths.find((path) => named(path) === name);
  return exact ?? paths.find((path) => named(path).replace(/\.[^.]*$/u, "") === name) ?? paths[0];
}

function withParams(call: Call, more: Call["params"]): Call {
  return { tool: call.tool, params: { ...call.params, ...more } };
}

/** Follows the hints of a page to the next ones, up to `maxPages`, or until `enough` says so. */
export function* readOn(
  first: Page,
  maxPages: number,
  enough: (page: Page) => boolean = () => false,
): Investigation<readonly Page[]> {
  const pages = [first];
  let page = first;
  while (page.next && pages.length < maxPages && !enough(page)) {
    const seen: Observation | undefined = yield* look(
      `'${page.path}' goes on after line ${page.lines.at(-1)?.number ?? 0}; I follow the hint to the next page.`,
      "Read",
      page.next.params,
    );
    if (seen?.kind !== "page") break;
    pages.push(seen);
    page = seen;
  }
  return pages;
}
