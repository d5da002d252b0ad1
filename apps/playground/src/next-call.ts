import type { Envelope } from "./envelope.ts";
import type { Params } from "./params.ts";

/** How a tool words the next call, and the parameters that follow from it. */
interface Hint {
  readonly tool: string;
  readonly wording: RegExp;
  readonly follow: (params: Params, numbers: readonly number[]) => Params;
}

const HINTS: readonly Hint[] = [
  {
    tool: "LS",
    wording: /^Use offset=(\d+) to view next page\.$/mu,
    follow: (params, [offset]) => ({ ...params, offset }),
  },
  {
    tool: "Glob",
    wording: /^\[Truncated: .* or raise 'limit' \(max (\d+)\)\.\]$/mu,
    follow: (params, [limit]) => ({ ...params, limit }),
  },
  {
    tool: "Read",
    wording: /^\[Truncated: .* Use start_line=(\d+) start_column=(\d+) to continue\.\]$/mu,
    follow: (params, [start_line, start_column]) => ({ ...params, start_line, start_column }),
  },
  {
    tool: "Read",
    wording: /^\[Truncated: .* Use start_line=(\d+) to continue\.\]$/mu,
    // The next page begins at the start of a line; JSON leaves an undefined parameter out.
    follow: (params, [start_line]) => ({ ...params, start_line, start_column: undefined }),
  },
  {
    tool: "read",
    wording: /^\[Truncated: .* Use offset=(\d+) to continue\.\]$/mu,
    follow: (params, [offset]) => ({ ...params, offset }),
  },
];

/** The parameters of the call that an answer asks for to go on, if it asks for one. */
export function nextCall(tool: string, params: Params, { text, context }: Envelope): Params | undefined {
  if (context.next_call) return context.next_call.params;
  for (const hint of HINTS) {
    if (hint.tool !== tool) continue;
    const found = hint.wording.exec(text);
    if (found) return hint.follow(params, found.slice(1).map(Number));
  }
  return undefined;
}
