import { useCallback, useState } from "react";
import { z } from "zod";
import type { Params } from "../../params.ts";
import { toolResultSchema, type ToolResult } from "../../server/api.ts";
import type { ProjectId } from "../api-client.ts";
import { hrefOf } from "../route.ts";
import { loadSaved, save } from "../ui/use-saved.ts";
import type { ToolRun } from "./use-tool-run.ts";

/** A call that was made, with its answer. */
export interface PastCall {
  readonly id: number;
  readonly tool: string;
  readonly params: Params;
  readonly result: ToolResult;
}

const MAX_CALLS = 20;
const MAX_CHARS = 1_000_000;

const pastCalls: z.ZodType<readonly PastCall[]> = z.array(
  z.object({
    id: z.number(),
    tool: z.string(),
    params: z.record(z.string(), z.unknown()),
    result: toolResultSchema,
  }),
);

/** The calls of this tab, newest first; they survive a reload and are kept nowhere else. */
export function useCallHistory(project: ProjectId) {
  const key = `fstools-calls-${project}`;
  const [calls, setCalls] = useState(() => loadSaved("tab", key, pastCalls) ?? []);
  const remember = useCallback(
    ({ tool, params, result }: ToolRun) => {
      if (!result) return;
      setCalls((before) => {
        const address = hrefOf(tool, params);
        const same = before.find((call) => hrefOf(call.tool, call.params) === address);
        const others = before.filter((call) => call !== same);
        // A call that is made again stays ticked for comparison.
        const id = same?.id ?? Math.max(0, ...before.map((call) => call.id)) + 1;
        const all = bounded([{ id, tool, params, result }, ...others]);
        save("tab", key, all);
        return all;
      });
    },
    [key],
  );
  const forget = () => {
    save("tab", key, []);
    setCalls([]);
  };
  return { calls, remember, forget };
}

/** The newest calls, as many as there is room for. */
function bounded(calls: readonly PastCall[]): PastCall[] {
  let chars = 0;
  return calls.slice(0, MAX_CALLS).filter((call) => (chars += JSON.stringify(call).length) <= MAX_CHARS);
}
